//! Which failed calls are no trouble: a search that finds nothing says so by its exit code.

use std::sync::LazyLock;

use regex::Regex;

use super::step::Call;
use crate::analysis::text::regex;
use crate::kernel::call::CallKind;

/// A program that searches, where its exit code can be that of the whole command: last, or before `&&`.
static SEARCHES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:^|[;&|(\n])\s*(?:command |sudo )?(?:[ef]?grep|rg|ag|ack|git grep|pgrep)\s[^;&|\n]*(?:\d?>&?\S*\s*)?(?:&&|\z)",
    )
});

/// An exit code of 1 at the end, as several tools write it; nothing stands behind it.
static EXIT_ONE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)exit code:? 1(?:, stdout: , stderr:)?\s*\z"));

/// What a program prints that went wrong.
static WENT_WRONG: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?im)^\s*(?:\S+: )*(?:error|fatal|panic|traceback|usage)\b|no such file|not found|unmatched|cannot|can't|permission denied|syntax error|invalid",
    )
});

/// Whether a call failed only because it found nothing: exit code 1 of a search, and nothing printed that says otherwise.
pub(super) fn is_empty_search(call: &Call, error: &str) -> bool {
    let command = call.command.as_deref().unwrap_or_default();
    let is_alone = call.kind == CallKind::Search && !command.contains([';', '&', '|', '\n']);
    let is_search = is_alone || SEARCHES.is_match(command.trim());
    // Some tools write what was printed below the exit code.
    let (first, rest) = error.split_once('\n').unwrap_or((error, ""));
    is_search && EXIT_ONE.is_match(first) && ![rest, &call.output].iter().any(|text| says_wrong(text))
}

/// The tool's own line about the exit code does not count.
fn says_wrong(printed: &str) -> bool {
    printed.lines().any(|line| WENT_WRONG.is_match(line) && !EXIT_ONE.is_match(line))
}

#[cfg(test)]
mod tests {
    use crate::analysis::step::Step;
    use crate::analysis::testing::{broke, failed, session};
    use serde_json::{Value, json};

    fn is_trouble(step: Value) -> bool {
        session(&[step]).steps.iter().find_map(Step::call).expect("a call").is_trouble()
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_trouble() {
        for quiet in [
            failed("Grep", json!({ "pattern": "x" }), "exit code 1"),
            broke("rg pear orchard", "exit code 1"),
            broke("cd orchard && git ls-tree main | grep pear", "exit code 1"),
            broke("git ls-tree main | grep -i pear && echo there", "exit code 1"),
            broke("rg pear", "failed in sandbox: denied exec error, exit code: 1, stdout: , stderr: "),
            broke("grep pear list", "Exit code 1\n=== pears ==="),
        ] {
            assert!(!is_trouble(quiet.clone()), "{quiet}");
        }
        for loud in [
            broke("rg pear orchard", "exit code 2"),
            broke("grep pear list; make pie", "exit code 1"),
            broke("make pie", "exit code 1"),
            broke("cd nowhere && grep pear list", "Exit code 1\ncd: nowhere: No such file or directory"),
        ] {
            assert!(is_trouble(loud.clone()), "{loud}");
        }
    }
}
