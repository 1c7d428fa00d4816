//! Which calls can show that work is right: test runs, builds, linters; and how they ended.
//!
//! `kernel::call` knows test runs; builds and linters are told here. Does not run anything.

use std::sync::LazyLock;

use regex::Regex;

use super::step::Call;
use crate::text::regex;
use annals_kernel::call::{Act, CallKind, acts};

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
pub enum Outcome {
    /// It succeeded.
    Passed,
    /// It did not.
    Failed,
}

/// `cargo build`, `pnpm run lint`, `npx tsc`, `ruff check`: at the start of a command.
static BUILDS: LazyLock<Regex> = LazyLock::new(|| {
    let programs = r"cargo (?:\+\S+ )?(?:build|check|clippy|fmt)|go (?:build|vet)|gofmt|golangci-lint|(?:npm|pnpm|yarn|bun|turbo|mise|just|make|rake|nx|task)(?: -\S+(?: \S+)?)*(?: run| -r)* \S*(?:build|lint|typecheck|type-check|check-types|types|tsc|fmt|format|check|vet|verify|compile)\S*|tsc|eslint|prettier|biome|ruff|mypy|pyright|flake8|black|pylint|pre-commit|cmake --build|gradlew? (?:build|check|assemble)|mvn (?:compile|package)|dotnet build|swift build|zig build|python3? -m (?:py_compile|compileall|mypy|ruff|flake8)|make(?:$|\s)";
    regex(&format!(r"^(?:{programs})(?:$|\s)"))
});

/// A program or a task that brings code into form.
static FORMATS: LazyLock<Regex> = LazyLock::new(|| {
    let tasks =
        r"(?:npm|pnpm|yarn|bun|turbo|mise|just|make|rake|nx|task)\b.*?[\s:_-](?:fmt|format|prettier)(?:[\s:_-]|$)";
    regex(&format!(r"\bcargo (?:\+\S+ )?fmt\b|\bgofmt\b|\bprettier\b|\bblack\b|\bruff format\b|{tasks}"))
});

/// A formatter that only says what it would do: `--check`, `format:check`, `gofmt -l`.
static ONLY_CHECKS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"--(?:check|diff|list-different|dry-?run)\b|\b(?:prettier|gofmt)\b.*\s-[lcd]+(?:\s|$)|(?:fmt|format|prettier)[:_-]check|check[:_-](?:fmt|format|prettier)",
    )
});

static WRITES: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|\s)--(?:write|apply|apply-unsafe)\b"));

/// A command is not read further than this, in bytes.
const MOST_BYTES: usize = 4096;

/// What a call of this kind with this command can show. A run that only says what it would do shows nothing, and a
/// formatter that writes always agrees with itself.
pub fn of(kind: CallKind, command: Option<&str>) -> Option<Check> {
    let acts = command.map(|text| acts(super::text::head(text, MOST_BYTES)));
    let builds = acts.iter().flatten().any(shows).then_some(Check::Build);
    match kind {
        CallKind::Test => match acts {
            Some(acts) if !acts.iter().any(Act::is_test) && acts.iter().any(Act::only_says) => builds,
            Some(_) | None => Some(Check::Tests),
        },
        CallKind::Shell | CallKind::Read | CallKind::Other => builds,
        CallKind::Edit | CallKind::Search | CallKind::Web | CallKind::Plan | CallKind::Delegate | CallKind::Wait => {
            None
        }
    }
}

fn shows(act: &Act<'_>) -> bool {
    let text = act.text();
    let writes = WRITES.is_match(&text) || FORMATS.is_match(&text) && !ONLY_CHECKS.is_match(&text);
    BUILDS.is_match(&text) && !act.only_says() && !writes
}

/// `3 failed`, `FAILED`, `--- FAIL`, `error[E0308]`: at the start of a line, or with a number.
static FAILED: LazyLock<Regex> = LazyLock::new(|| {
    let lines =
        r"(?m)^\s*(?:--- FAIL|FAIL\b|FAILED\b|not ok \d|error(?:\[E\d+\])?: |make(?:\[\d+\])?: \*\*\* |ERROR in )";
    let counts = r"\b[1-9]\d* (?:tests? )?(?:failed|failures?|failing)\b|test result: FAILED";
    regex(&format!("{lines}|{counts}"))
});

/// How a check ended; nothing for other calls. What it printed counts where a pipe hides its exit code.
pub fn outcome(call: &Call) -> Option<Outcome> {
    call.check?;
    let hides = call.command.as_deref().is_some_and(|command| command.contains(['|', ';']));
    let failed = !call.is_ok() || hides && FAILED.is_match(&call.output);
    Some(if failed { Outcome::Failed } else { Outcome::Passed })
}

/// `12 passed`, `12 tests passed`, `12/14 passing`.
static PASSED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b(\d{1,7})(?:/\d{1,7})? (?:unit |integration )?(?:tests? )?pass(?:ed|ing|es)?\b";
    regex(pattern)
});

/// The numbers of passed tests that a text gives.
pub fn passed(text: &str) -> Vec<u64> {
    PASSED.captures_iter(text).filter_map(|found| found.get(1)?.as_str().parse().ok()).collect()
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
        ] {
            assert_eq!(of(CallKind::Shell, Some(command)), Some(Check::Build), "{command}");
        }
        for command in [
            "git commit -m 'a; cargo build'", "cat Makefile", "git push", "mkdir build", "cat <<E\ncargo build\nE",
            "# make",
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
    fn numbers_of_passed_tests_are_read() {
        assert_eq!(passed("ok: 12 passed; 0 failed, 3/4 tests passed"), [12, 3]);
        assert!(passed("99999999999999999999 passed").is_empty());
    }

    #[test]
    fn a_failure_is_told_from_its_words() {
        for text in ["--- FAIL: TestX", "2 failed, 3 passed", "error[E0308]: mismatched", "test result: FAILED. 1"] {
            assert!(FAILED.is_match(text), "{text}");
        }
        for text in ["0 failed", "no error: fine", "test result: ok. 3 passed; 0 failed", "ok  x 0.3s"] {
            assert!(!FAILED.is_match(text), "{text}");
        }
    }
}
