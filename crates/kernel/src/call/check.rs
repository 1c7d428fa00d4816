//! Which calls can show that work is right: test runs, builds, linters; how they ended, and with which error. The one
//! reading of checks, for the minds of sessions and for analysis.
//!
//! Does not run anything.

use super::CallKind;
use super::finished::Printed;
use super::shell::{Act, Line};
use crate::envelope::{Ending, Envelope};
use crate::fingerprint::{self, Fingerprinted};
use crate::pattern::Pattern;

/// What a call can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// It runs tests.
    Tests,
    /// It builds, lints or type-checks.
    Build,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It succeeded.
    Passed,
    /// It did not.
    Failed,
}

/// A program or a task that brings code into form.
static FORMATS: Pattern = Pattern::made(|| {
    let tasks =
        r"(?:npm|pnpm|yarn|bun|turbo|mise|just|make|rake|nx|task)\b.*?[\s:_-](?:fmt|format|prettier)(?:[\s:_-]|$)";
    format!(r"\bcargo (?:\+\S+ )?fmt\b|\bgofmt\b|\bprettier\b|\bblack\b|\bruff format\b|{tasks}")
});

/// A formatter that only says what it would do: `--check`, `format:check`, `gofmt -l`.
static ONLY_CHECKS: Pattern = Pattern::new(
    r"--(?:check|diff|list-different|dry-?run)\b|\b(?:prettier|gofmt)\b.*\s-[lcd]+(?:\s|$)|(?:fmt|format|prettier)[:_-]check|check[:_-](?:fmt|format|prettier)",
);

static WRITES: Pattern = Pattern::new(r"(?:^|\s)--(?:write|apply|apply-unsafe)\b");

/// What a call of this kind with this command can show. A run that only says what it would do shows nothing, and a
/// formatter that writes always agrees with itself.
pub fn of(kind: CallKind, command: Option<&str>) -> Option<Check> {
    in_line(kind, command.map(Line::of).as_ref())
}

fn in_line(kind: CallKind, line: Option<&Line<'_>>) -> Option<Check> {
    if !can_check(kind) {
        return None;
    }
    let acts = line.map(Line::acts);
    let builds = || acts.into_iter().flatten().any(shows).then_some(Check::Build);
    let is_only_said = |acts: &[Act<'_>]| !acts.iter().any(Act::is_test) && acts.iter().any(Act::only_says);
    if kind != CallKind::Test || acts.is_some_and(is_only_said) { builds() } else { Some(Check::Tests) }
}

fn can_check(kind: CallKind) -> bool {
    match kind {
        CallKind::Test | CallKind::Shell | CallKind::Read | CallKind::Other => true,
        CallKind::Edit | CallKind::Search | CallKind::Web | CallKind::Plan | CallKind::Delegate | CallKind::Wait => {
            false
        }
    }
}

fn shows(act: &Act<'_>) -> bool {
    // Asked first: a fold asks this of most commands, and few of them are builds.
    if !act.builds() || act.only_says() {
        return false;
    }
    let text = act.text();
    !WRITES.is_match(&text) && (!FORMATS.is_match(&text) || ONLY_CHECKS.is_match(&text))
}

/// Whether a command line runs what a project is, or a part of it: what was changed shows itself, though nothing judges it.
pub fn runs(command: &str) -> bool {
    runs_in(&Line::of(command))
}

fn runs_in(line: &Line<'_>) -> bool {
    let mut before = "&&";
    // `./x`, which is a name like any other once its folder is gone.
    let is_path = line.text().split_whitespace().any(|word| {
        let is_first = before.ends_with(['&', '|', ';']);
        before = word;
        is_first && word.starts_with("./")
    });
    is_path || line.acts().iter().any(Act::runs)
}

/// Whether a call of this kind with this command answers for edits before it: it can show something, or runs the project.
pub fn answers_for_edits(kind: CallKind, command: &str) -> bool {
    let line = Line::of(command);
    in_line(kind, Some(&line)).is_some() || runs_in(&line)
}

/// What programs print that run the checks of a project before a commit.
static BEFORE_COMMIT: Pattern = Pattern::new(
    r"(?i)\b(?:husky|lefthook|lint-staged|pre-commit)\b|\.{3,} ?Passed|Running tasks for staged|\[STARTED\]",
);

/// Whether a command line commits, and the checks of the project ran before it, as what it printed says. What git prints of
/// the commit, its subject and its files, may name them, too.
pub fn is_checked_commit(command: &str, printed: impl FnOnce() -> String) -> bool {
    let is_of_git = |line: &str| line.starts_with(' ') || line.starts_with('[') && !line.starts_with("[STARTED]");
    command.contains("git ")
        && command.contains("commit")
        && printed().lines().any(|line| !is_of_git(line) && BEFORE_COMMIT.is_match(line))
}

/// Endings of files that are no code: nothing can be run to check them. Those of `nix` are settings most often: of 13 edits
/// of them that were read, 9 were entries of a list.
const NO_CODE: [&str; 40] = [
    "adoc", "cfg", "css", "csv", "drawio", "env", "gif", "gitignore", "gz", "html", "ico", "ini", "jpeg", "jpg",
    "json", "jsonl", "lock", "log", "md", "mdx", "mmd", "mov", "mp3", "mp4", "nix", "pdf", "png", "puml", "rst", "svg",
    "tex", "toml", "tsv", "txt", "webp", "woff", "woff2", "yaml", "yml", "zip",
];

/// Whether a file is code, by its name.
pub fn is_code(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !stem.is_empty() && ending.len() <= 6 && !NO_CODE.contains(&ending.to_ascii_lowercase().as_str())
}

/// What says that tests or steps failed: `3 failed`, `FAILED`, `--- FAIL`, at the start of a line or with a number.
static FAILED: Pattern = Pattern::made(|| {
    let lines = r"(?m)^\s*(?:--- FAIL|FAIL\b|FAILED\b|not ok \d|make(?:\[\d+\])?: \*\*\* )";
    let counts = r"\b[1-9]\d* (?:tests? )?(?:failed|failures?|failing)\b|test result: FAILED";
    format!("{lines}|{counts}")
});

/// A line that speaks of an error: `error[E0308]`, `ERROR in`. A test that wants one may have printed it.
static ERRORS: Pattern = Pattern::new(r"(?m)^\s*(?:error(?:\[E\d+\])?: |ERROR in )");

/// A sum of tests that passed: `1219 passed`, `12 pass`.
static PASSED: Pattern = Pattern::new(r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b");

/// A sum of tests of which some did not: `3 fail`, as some programs write beside it.
static SOME_FAIL: Pattern = Pattern::new(r"(?m)^\s*[1-9]\d* fail$");

/// Whether the exit code of a line need not be that of its check.
fn hides(command: Option<&str>) -> bool {
    command.is_some_and(|command| memchr::memchr2(b'|', b';', command.as_bytes()).is_some())
}

/// How a check ended. What it printed counts where a pipe hides its exit code.
pub fn outcome(command: Option<&str>, ending: Ending, printed: &str) -> CheckOutcome {
    let has_failed = ending == Ending::Failed || hides(command) && says_failed(printed);
    if has_failed { CheckOutcome::Failed } else { CheckOutcome::Passed }
}

/// Whether what a check printed says that something failed. An error counts unless a sum of tests that passed stands
/// behind it.
pub fn says_failed(printed: &str) -> bool {
    let last = |pattern: &Pattern| pattern.find_iter(printed).last().map(|found| found.start());
    let is_unanswered = || last(&ERRORS).is_some_and(|error| Some(error) > last(&PASSED));
    FAILED.is_match(printed) || SOME_FAIL.is_match(printed) || is_unanswered()
}

/// The fingerprint of what went wrong, by which debates tell failures apart, too; empty where nothing is told.
pub fn error_of(error: &str, printed: impl FnOnce() -> String) -> Box<str> {
    let told = Fingerprinted::by_itself(error).unwrap_or_else(|| Fingerprinted::by_output(error, printed));
    unless_bare(told.print)
}

pub(super) fn unless_bare(print: Box<str>) -> Box<str> {
    if fingerprint::is_bare(&print) { Box::default() } else { print }
}

/// Whether the entry of a call of this kind, with this line, is a check that failed.
pub(super) fn has_failed(entry: &Envelope<'_>, kind: CallKind, line: Option<&Line<'_>>, printed: &Printed<'_>) -> bool {
    let is_check = || in_line(kind, line).is_some();
    let command = line.map(Line::text);
    match entry.ending() {
        Ending::Failed => is_check(),
        // Only a line with joints is worth reading.
        ending @ Ending::Succeeded => {
            hides(command) && is_check() && outcome(command, ending, &printed.texts()) == CheckOutcome::Failed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_and_linters_are_told_from_other_commands() {
        for command in [
            "cargo build",
            "cd a && cargo clippy --all",
            "pnpm run lint",
            "pnpm --filter x check-types",
            "npx tsc --noEmit",
            "mise run fmt && mise run lint",
            "cargo fmt --check",
            "npx prettier -c src",
            "pnpm format:check",
            "biome check --write a.ts && biome check a.ts",
            "uv run ruff check .",
            "make",
            "go build ./...",
            "npm run build 2>&1 | tail -3",
            "sudo -u ci timeout -s KILL 60 ./gradlew assemble",
            "docker run --rm -v .:/w img bash -c 'cd /w && cargo check'",
            "nix flake show ./a",
            "xcodebuild -scheme App -destination 'platform=iOS Simulator,name=x' build 2>&1 | tail -5",
            "nix flake check",
            "nix run .#build",
            "sudo nixos-rebuild switch --flake .#host",
            "pnpm astro build",
            "npx tauri build",
            "docker compose build web",
            "docker build -t a .",
            "./gradlew :app:assembleDebug",
            "./scripts/check.sh",
            "bash scripts/lint-all.sh",
            "mvn -q clean package",
            "terraform validate",
            "swift build -c release",
            "node --check a.js",
            "bash -n install.sh",
            "python -m py_compile a.py",
            "npx vite build",
            "bun run build:web",
            "deno lint",
            "just build lint",
            "yarn typecheck",
            "helm lint chart",
        ] {
            assert_eq!(of(CallKind::Shell, Some(command)), Some(Check::Build), "{command}");
        }
        for command in [
            "git commit -m 'a; cargo build'", "cat Makefile", "git push", "mkdir build", "cat <<E\ncargo build\nE",
            "# make", "npm install eslint", "pip install build", "cd build && ls check", "kubectl get builds",
            "gh run view 12", "rsync -a build host:", "tail -f check.log", "docker ps", "npm ci", "yarn add prettier",
            "vim build", "cargo add clippy", "git verify-commit x", "brew install shellcheck", "which tsc",
            "./deploy.sh build", "nix develop", "make_build", "pnpm dev", "test -d build",
        ] {
            assert_eq!(of(CallKind::Shell, Some(command)), None, "{command}");
        }
    }

    #[test]
    fn what_is_only_shown_or_written_into_form_is_no_check() {
        for command in [
            "make -n build", "make -C pie -kn", "just --dry-run lint", "mise run fmt", "cargo fmt",
            "npx prettier --write src", "bunx biome check --write a.ts", "pnpm run format", "ruff format .",
        ] {
            assert_eq!(of(CallKind::Shell, Some(command)), None, "{command}");
        }
        for command in ["pytest --collect-only", "cargo test -- --list", "make -n test"] {
            assert_eq!(of(CallKind::Test, Some(command)), None, "{command}");
        }
        assert_eq!(of(CallKind::Test, Some("pytest --collect-only && cargo check")), Some(Check::Build));
        assert_eq!(of(CallKind::Test, Some("pytest --collect-only; pytest -q")), Some(Check::Tests));
        assert_eq!(of(CallKind::Test, Some("pytest -n 4")), Some(Check::Tests));
        assert_eq!(of(CallKind::Test, None), Some(Check::Tests));
    }

    #[test]
    fn what_runs_the_project_shows_what_was_changed() {
        for command in [
            "python3 train.py --epochs 1", "cd web && npm run dev", "cargo run -- list", "./target/debug/x --help",
            "make && ./x", "bash install.sh", "uv run python -c 'import a'", "docker compose up -d", "npx tauri dev",
        ] {
            assert!(runs(command), "{command}");
        }
        for command in
            ["ls ./x", "npm install", "cargo add serde", "docker ps", "cat ./run.sh", "git status", "sed -n 1p a.sh"]
        {
            assert!(!runs(command), "{command}");
        }
    }

    #[test]
    fn a_commit_tells_of_the_checks_before_it() {
        let line = "git add a.ts && git commit -m x && git push";
        let is_checked = |command: &str, printed: &str| is_checked_commit(command, || printed.to_owned());
        assert!(is_checked(line, "treefmt......................Passed\n[main 1] x"));
        assert!(is_checked(line, "[main 1] x\n[STARTED] Running tasks for staged files..."));
        assert!(!is_checked(line, "[main 1] x\n 1 file changed"));
        assert!(!is_checked("cat hook.log", "lint-staged"));
        assert!(!is_checked(line, "[main 1] add lint-staged\n create mode 100644 .husky/pre-commit"), "its subject");
    }

    #[test]
    fn code_is_told_by_its_ending() {
        for (file, expected) in [
            ("src/a.rs", true),
            ("a.PY", true),
            ("README.md", false),
            ("Cargo.toml", false),
            ("src.d/Makefile", false),
            (".env", false),
        ] {
            assert_eq!(is_code(file), expected, "{file}");
        }
    }

    #[test]
    fn a_sum_of_tests_counts_for_more_than_what_one_of_them_prints() {
        for text in ["error: of a test that wants one\n Tests  1219 passed (1219)", "error: x\n 12 pass\n 0 fail"] {
            assert!(!says_failed(text), "{text}");
        }
        for text in [
            "error: x\n 3 failed, 9 passed",
            "error[E0308]: mismatched",
            "FAIL a.test.ts\n 9 passed",
            "error: x\n 9 pass\n 3 fail",
            "test result: ok. 12 passed; 0 failed\nerror[E0308]: of the next crate",
        ] {
            assert!(says_failed(text), "{text}");
        }
    }

    #[test]
    fn a_failure_is_told_from_its_words() {
        for text in ["--- FAIL: TestX", "2 failed, 3 passed", "error[E0308]: mismatched", "test result: FAILED. 1"] {
            assert!(says_failed(text), "{text}");
        }
        for text in ["0 failed", "no error: fine", "test result: ok. 3 passed; 0 failed", "ok  x 0.3s"] {
            assert!(!says_failed(text), "{text}");
        }
    }
}
