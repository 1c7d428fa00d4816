//! Which programs run tests.
//!
//! A list of the usual ones; whatever else runs tests is a command like any other.

use super::act::Act;

/// Programs that do nothing else.
const ONLY_TESTS: [&str; 25] = [
    "ava", "bats", "busted", "cargo-nextest", "ctest", "elm-test", "ginkgo", "gotestsum", "jasmine", "jest", "karma",
    "minitest", "mocha", "nose2", "nosetests", "nox", "pest", "phpunit", "prove", "py.test", "pytest", "rspec", "tox",
    "vitest", "wtr",
];

/// Programs that test with one of some verbs.
const VERBS: [(&str, &[&str]); 22] = [
    ("bazel", &["test"]),
    ("cabal", &["test"]),
    ("cargo", &["test", "t", "nextest", "llvm-cov", "tarpaulin"]),
    ("cypress", &["run"]),
    ("dart", &["test"]),
    ("dotnet", &["test"]),
    ("dune", &["test", "runtest"]),
    ("flutter", &["test"]),
    ("go", &["test"]),
    ("lein", &["test"]),
    ("meson", &["test"]),
    ("mix", &["test"]),
    ("mvn", &["test", "verify"]),
    ("mvnw", &["test", "verify"]),
    ("ng", &["test", "e2e"]),
    ("ninja", &["test", "check"]),
    ("playwright", &["test"]),
    ("react-scripts", &["test"]),
    ("sbt", &["test"]),
    ("stack", &["test"]),
    ("swift", &["test"]),
    ("zig", &["test"]),
];

/// Programs that run what a project calls a task.
const TASKS: [&str; 26] = [
    "bun", "composer", "deno", "doit", "earthly", "gmake", "gradle", "gradlew", "inv", "invoke", "just", "mage",
    "make", "mise", "moon", "npm", "nx", "pants", "pnpm", "rails", "rake", "task", "turbo", "vue-cli-service", "yarn",
    "zig",
];

/// Modules of Python that run tests.
const MODULES: [&str; 7] = ["doctest", "nose2", "nox", "pytest", "tox", "unittest", "xdist"];

/// Options with which a program only says what it would do.
const ONLY_SAYS: [&str; 16] = [
    "--co", "--collect-only", "--dry-run", "--dryrun", "--help", "--just-print", "--list", "--list-files",
    "--list-tests", "--listTests", "--no-run", "--recon", "--show-config", "--show-only", "--version", "-list",
];

/// Whether a command runs tests.
pub(super) fn runs_tests(act: &Act<'_>) -> bool {
    can_run(act) && !only_says(act)
}

/// Whether a command only says what it would do.
pub(super) fn only_says(act: &Act<'_>) -> bool {
    let short = match act.program() {
        "make" | "gmake" | "just" | "rake" => Some('n'),
        "ctest" => Some('N'),
        _ => None,
    };
    let says = |word: &str| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        ONLY_SAYS.contains(&name) || short.is_some_and(|letter| has_letter(word, letter))
    };
    act.words().any(says)
}

/// `-n`, `-kn`; not in a value: `-Cnew`.
fn has_letter(word: &str, letter: char) -> bool {
    const WITH_VALUE: [char; 6] = ['C', 'I', 'O', 'f', 'j', 'o'];
    let letters = word.strip_prefix('-').filter(|letters| letters.chars().all(|letter| letter.is_ascii_alphabetic()));
    letters.is_some_and(|letters| letters.chars().take_while(|one| !WITH_VALUE.contains(one)).any(|one| one == letter))
}

/// Whether a program runs what a project calls a task.
pub(super) fn is_task_runner(program: &str) -> bool {
    TASKS.contains(&program)
}

fn can_run(act: &Act<'_>) -> bool {
    let program = act.program();
    if ONLY_TESTS.contains(&program) || is_script(program) {
        return true;
    }
    if let Some((_, known)) = VERBS.iter().find(|(name, _)| *name == program)
        && act.verb().is_some_and(|verb| known.contains(&verb))
    {
        return true;
    }
    match program {
        "node" => act.has(&["--test"]),
        // Its options have values that look like verbs.
        "xcodebuild" => act.has(&["test", "test-without-building"]),
        _ if program.starts_with("python") => python(act),
        "bash" | "sh" | "zsh" | "php" | "ruby" => act.verb().is_some_and(is_script_path),
        _ => is_task_runner(program) && task(act),
    }
}

/// `npm test`, `pnpm run test:unit`, `make check`, `mise run test`.
fn task(act: &Act<'_>) -> bool {
    let mut named = act.verbs().filter(|word| !matches!(*word, "run" | "run-script" | "x" | "build" | "exec"));
    let is_make = matches!(act.program(), "make" | "gmake" | "gradle" | "gradlew");
    match named.next() {
        Some("t" | "tst") => matches!(act.program(), "npm" | "yarn"),
        // `yarn vitest run`: a task runner runs the programs of its project, too.
        Some(first) if ONLY_TESTS.contains(&first) => true,
        Some(first) => is_test_like(first) || is_make && (first == "check" || named.any(is_test_like)),
        None => false,
    }
}

/// The module that Python runs: `python -m x`.
pub(super) fn module<'a>(act: &'a Act<'_>) -> Option<&'a str> {
    act.words().skip_while(|word| *word != "-m").nth(1)
}

/// The name of a script without its folder, of a task without its package.
pub(super) fn last_part(word: &str) -> &str {
    word.rsplit(['/', '#']).next().unwrap_or(word)
}

fn python(act: &Act<'_>) -> bool {
    if let Some(module) = module(act) {
        return MODULES.contains(&module);
    }
    let mut named = act.verbs();
    match named.next() {
        Some(script) if script.ends_with("manage.py") || script.ends_with("setup.py") => named.next() == Some("test"),
        Some(script) => is_script_path(script),
        None => false,
    }
}

fn is_script_path(path: &str) -> bool {
    is_script(path.rsplit('/').next().unwrap_or(path))
}

/// `run_tests.py`, `test.sh`
fn is_script(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return matches!(name, "runtests" | "run-tests") };
    let is_run = matches!(ending, "py" | "sh" | "rb" | "php" | "js" | "mjs" | "ts" | "pl");
    is_run && (is_test_like(stem) || matches!(stem, "runtests" | "run_tests" | "run-tests"))
}

/// `test`, `test:unit`, `unit-test`, `e2e`
fn is_test_like(word: &str) -> bool {
    let words = || last_part(word).split([':', '-', '_', '.']);
    words().next().is_some_and(|first| matches!(first, "test" | "tests" | "e2e" | "spec"))
        || words().next_back().is_some_and(|last| matches!(last, "test" | "tests" | "e2e"))
}
