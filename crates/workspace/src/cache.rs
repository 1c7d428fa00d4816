//! What builds and tests leave beside their work, told by its name.
//!
//! No name in here is one that somebody would ask for as the work itself. Looks at no file.

use std::path::Path;

/// Folders in which nothing is kept by hand.
const FOLDERS: [&str; 24] = [
    ".build", ".dart_tool", ".eggs", ".gradle", ".hypothesis", ".mypy_cache", ".next", ".nox", ".nuxt", ".nyc_output",
    ".parcel-cache", ".pytest_cache", ".ruff_cache", ".svelte-kit", ".tox", ".turbo", ".venv", "CMakeFiles",
    "__pycache__", "_build", "htmlcov", "node_modules", "target", "venv",
];

/// Files by their whole name.
const FILES: [&str; 5] = [".coverage", ".eslintcache", ".phpunit.result.cache", "CMakeCache.txt", "a.out"];

/// Files by the end of their name.
const ENDINGS: [&str; 10] = ["class", "gcda", "gcno", "hi", "o", "obj", "profraw", "pyc", "pyo", "tsbuildinfo"];

/// What a build writes anew where it was not right, and people keep.
const LOCKS: [&str; 10] = [
    "Cargo.lock", "Gemfile.lock", "Package.resolved", "composer.lock", "go.sum", "mix.lock", "package-lock.json",
    "poetry.lock", "uv.lock", "yarn.lock",
];

/// Whether it lies in a cache, or is one.
pub(crate) fn is_cache(path: &Path) -> bool {
    let is_folder = path.iter().any(|name| FOLDERS.iter().any(|folder| name == *folder));
    let is_ending = path.extension().is_some_and(|own| ENDINGS.iter().any(|ending| own == *ending));
    is_folder || is_ending || is_named(path, &FILES)
}

/// Whether a build or a test may write it without having done any work.
pub(crate) fn is_by_product(path: &Path) -> bool {
    is_cache(path) || is_named(path, &LOCKS)
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    path.file_name().is_some_and(|own| names.iter().any(|name| own == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_told_by_its_name() {
        for (path, is_one) in [
            ("__pycache__/calc.cpython-311.pyc", true),
            ("a/b/.pytest_cache/.gitignore", true),
            ("target/debug/x", true),
            ("src/main.o", true),
            (".coverage", true),
            ("notes.txt", false),
            ("targets/x", false),
            ("build/out.txt", false),
            ("dist/index.js", false),
            ("Cargo.lock", false),
        ] {
            assert_eq!(is_cache(Path::new(path)), is_one, "{path}");
        }
        assert!(is_by_product(Path::new("web/package-lock.json")));
        assert!(!is_by_product(Path::new("d.txt")));
    }
}
