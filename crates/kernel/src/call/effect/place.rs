//! Where a path lies: whether what is removed there comes back by itself.
//!
//! By names alone. A path that is not known is taken for one that matters.

/// Folders and files that a build, a package manager or a test makes anew.
const MADE: [&str; 72] = [
    ".angular", ".build", ".cache", ".coverage", ".dart_tool", ".docusaurus", ".eggs", ".expo", ".gradle",
    ".hypothesis", ".mypy_cache", ".next", ".nox", ".nuxt", ".nyc_output", ".output", ".parcel-cache", ".pytest_cache",
    ".pytype", ".ruff_cache", ".serverless", ".sass-cache", ".svelte-kit", ".terraform", ".tox", ".tsbuildinfo",
    ".turbo", ".venv", ".vercel", ".vite", ".yarn", ".zig-cache", ".DS_Store", "DerivedData", "Pods", "__pycache__",
    "_build", "_site", "bin-debug", "bower_components", "build", "cache", "cmake-build-debug", "cmake-build-release",
    "coverage", "debug", "dist", "dist-newstyle", "htmlcov", "logs", "node_modules", "obj", "out", "output", "outputs",
    "playwright-report", "release", "sandbox", "scratch", "scratchpad", "storybook-static", "target", "temp",
    "test-results", "test_output", "tests_output", "tmp", "venv", "wheelhouse", "zig-cache", "zig-out", "zig-pkg",
];

/// Beginnings and endings of such names.
const MADE_BEGINNINGS: [&str; 10] =
    ["bazel-", "build-", "build_", "cmake-build", "dist-", "dist_", "out-", "temp_", "tmp-", "tmp_"];
const MADE_ENDINGS: [&str; 20] = [
    ".bak", ".class", ".egg-info", ".log", ".o", ".orig", ".out", ".pid", ".pyc", ".pyo", ".rej", ".swp", ".tmp",
    ".tsbuildinfo", "-build", "_build", "_cache", "_tmp", "-tmp", "~",
];

/// Folders of the machine for what is temporary.
const TEMPORARY: [&str; 6] =
    ["/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/folders/", "/var/folders/", "/dev/shm/"];

/// Variables that hold such a folder, wherever that is.
const TEMPORARY_NAMES: [&str; 7] =
    ["TMPDIR", "TMP", "TEMP", "RUNNER_TEMP", "BATS_TMPDIR", "BATS_TEST_TMPDIR", "OUT_DIR"];

/// What a path, read in a folder, is to whoever works there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It comes back, or nobody needs it.
    Scratch,
    /// Anything else.
    Kept,
    /// The system's, a home, a repository itself, all that is here.
    Grave,
}

/// A folder that a line has gone to, as it names it.
pub(super) fn joined(folder: &str, to: &str) -> String {
    if to.starts_with(['/', '~', '$']) || folder.is_empty() {
        to.to_owned()
    } else {
        format!("{}/{to}", folder.trim_end_matches('/'))
    }
}

/// What lies at a path.
pub(super) fn place(folder: &str, path: &str) -> Place {
    let whole = joined(folder, path);
    let Some(rest) = temporary(&whole) else { return known(&whole) };
    match parts(rest) {
        // `/tmp/../etc`
        PlaceParts::Outside => Place::Grave,
        PlaceParts::Inside(_) => Place::Scratch,
    }
}

/// What follows a folder for what is temporary.
fn temporary(path: &str) -> Option<&str> {
    let by_folder = TEMPORARY.iter().find_map(|folder| path.strip_prefix(folder));
    let by_name = || {
        let (name, rest) = variable(path)?;
        let (name, is_given) =
            name.split_once(":-").map_or((name, false), |(name, given)| (name, given.contains("tmp")));
        let is_it = TEMPORARY_NAMES.contains(&name) || is_given;
        // Where it is not set, `$TMPDIR/*` is everything there is.
        let is_safe = is_given || !matches!(rest.trim_start_matches('/'), "" | "*" | ".") || rest.is_empty();
        (is_it && is_safe).then_some(rest)
    };
    by_folder.or_else(by_name)
}

/// The variable with which a path begins, and the rest.
fn variable(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix('$')?;
    if let Some(rest) = rest.strip_prefix('{') {
        return rest.split_once('}');
    }
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
    (end > 0).then(|| rest.split_at(end))
}

fn known(path: &str) -> Place {
    if matches!(path, "/tmp" | "/var/tmp") {
        return Place::Scratch;
    }
    let PlaceParts::Inside(parts) = parts(path) else { return Place::Grave };
    let is_home = path.starts_with('~') || path.starts_with("$HOME") || path.starts_with("${HOME");
    let is_bare = parts.iter().skip(usize::from(is_home)).all(|part| matches!(*part, "*" | ".*" | "**"));
    let is_repository = parts.iter().any(|part| matches!(*part, ".git" | ".context" | ".hg" | ".svn"));
    if is_bare || is_repository || path.starts_with('/') && parts.len() < 2 {
        return Place::Grave;
    }
    // A variable that is not set leaves the root: `$BUILD/`, `$BUILD/*`.
    let is_named = variable(path).is_some_and(|(name, rest)| rest.is_empty() && is_made_variable(name));
    let is_made = parts.iter().any(|part| is_made(part)) && !is_system(path);
    if is_named || is_made { Place::Scratch } else { Place::Kept }
}

/// Folders of the system in which a name says nothing: `/var/log`, `/usr/lib/cache`.
fn is_system(path: &str) -> bool {
    ["/bin", "/boot", "/etc", "/lib", "/opt", "/sbin", "/srv", "/sys", "/usr", "/var"].iter().any(|folder| {
        path.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest.starts_with("64/"))
    })
}

fn is_made(part: &str) -> bool {
    let bare = part.trim_end_matches('*');
    let is_long = bare.len() >= 3;
    MADE.contains(&part)
        || is_long && MADE.contains(&bare)
        || MADE_BEGINNINGS.iter().any(|beginning| part.starts_with(beginning))
        || MADE_ENDINGS.iter().any(|ending| part.len() > ending.len() && part.ends_with(ending))
}

/// A name like `BUILD_DIR` or `tmpdir`.
fn is_made_variable(name: &str) -> bool {
    let name = name.to_lowercase();
    ["tmp", "temp", "scratch", "build", "dist", "cache", "sandbox"].iter().any(|word| name.contains(word))
}

/// The parts of a path behind its beginning.
enum PlaceParts<'p> {
    Inside(Vec<&'p str>),
    /// It leaves where it began.
    Outside,
}

fn parts(path: &str) -> PlaceParts<'_> {
    let mut found: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            ".." if found.pop().is_none() => return PlaceParts::Outside,
            "" | "." | ".." => {}
            _ => found.push(part),
        }
    }
    PlaceParts::Inside(found)
}

/// Whether a pattern of names is one of what comes back: `find -name '*.pyc'`.
pub(super) fn is_made_name(pattern: &str) -> bool {
    is_made(pattern) || pattern.strip_prefix('*').is_some_and(is_made) || pattern == ".DS_Store"
}

/// Whether a store is named as one for tests, or lies in memory.
pub(super) fn is_scratch_store(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let is_test = |word: &str| matches!(word, "test" | "tests" | "testing" | "tmp" | "temp" | "scratch" | "ci");
    name == ":memory:" || name.split(['_', '-', '.', '?']).any(is_test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_by_where_it_leads() {
        for (folder, path, expected) in [
            ("", "target", Place::Scratch),
            ("", "./build/*", Place::Scratch),
            ("", "/tmp/x", Place::Scratch),
            ("/tmp", "x", Place::Scratch),
            ("", "a/node_modules/b", Place::Scratch),
            ("", "$TMPDIR/x", Place::Scratch),
            ("", "${TMPDIR:-/tmp}/x", Place::Scratch),
            ("", "$BUILD_DIR", Place::Scratch),
            ("", "~/.cache/x", Place::Scratch),
            ("", "src", Place::Kept),
            ("", "$DIR/x", Place::Kept),
            ("", "/var/log/app", Place::Kept),
            ("", "target/../src", Place::Kept),
            ("", "~", Place::Grave),
            ("", "/", Place::Grave),
            ("", "/*", Place::Grave),
            ("", "*", Place::Grave),
            ("", ".", Place::Grave),
            ("", "..", Place::Grave),
            ("", ".git", Place::Grave),
            ("", "/tmp/../etc", Place::Grave),
            ("src", "../..", Place::Grave),
            ("build", "*", Place::Scratch),
            ("build", "..", Place::Grave),
        ] {
            assert_eq!(place(folder, path), expected, "{folder} {path}");
        }
        assert_eq!(place("", "$BUILD_DIR/*"), Place::Kept);
        assert_eq!(place("", "$TMPDIR/*"), Place::Kept);
    }
}
