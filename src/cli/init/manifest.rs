//! Whether a project is one of code: the file says so that its build tool reads (decision 59).
//!
//! Looks for names in one folder; opens nothing.

use std::path::Path;

/// Files that only a project of code has.
const MANIFESTS: [&str; 22] = [
    "Cargo.toml", "package.json", "deno.json", "pyproject.toml", "setup.py", "requirements.txt", "go.mod", "pom.xml",
    "build.gradle", "build.gradle.kts", "build.sbt", "CMakeLists.txt", "meson.build", "Makefile", "Gemfile",
    "composer.json", "mix.exs", "Package.swift", "pubspec.yaml", "build.zig", "stack.yaml", "dune-project",
];

/// The first manifest in a folder.
pub(super) fn found(project: &Path) -> Option<&'static str> {
    MANIFESTS.into_iter().find(|name| project.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_of_code_is_known_by_its_manifest() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(found(folder.path()), None);
        std::fs::write(folder.path().join("README.md"), "").expect("written");
        std::fs::create_dir(folder.path().join("package.json")).expect("made");
        assert_eq!(found(folder.path()), None);
        std::fs::write(folder.path().join("go.mod"), "").expect("written");
        assert_eq!(found(folder.path()), Some("go.mod"));
    }
}
