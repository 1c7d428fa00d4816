//! How the checks among the steps of a session ended, and how many tests they say passed. `kernel::call` knows which calls
//! are checks.

use std::sync::LazyLock;

use regex::Regex;

use super::step::Call;
use crate::text::regex;
use annals_kernel::call::check;
pub use annals_kernel::call::check::{Check, CheckOutcome, error_of, is_checked_commit, of, runs};
use annals_kernel::envelope::Ending;

/// How a check ended; nothing for other calls.
pub fn outcome(call: &Call) -> Option<CheckOutcome> {
    call.check?;
    let ending = if call.is_ok() { Ending::Succeeded } else { Ending::Failed };
    Some(check::outcome(call.command.as_deref(), ending, &call.output))
}

/// Whether a check was ended by a clock, and nothing that it had printed by then says that something failed: it may be one
/// that ends by itself only after its work is done.
pub fn ran_out_of_time(call: &Call) -> bool {
    failed_with(call, &["timed out after", "exit code 124"]) && !check::says_failed(&call.output)
}

/// Whether a check could not run, as its program is not there.
pub fn is_missing(call: &Call) -> bool {
    failed_with(call, &["command not found", "exit code 127", "not recognized as"])
}

/// Whether a call failed, and its error or what it printed has one of these words.
fn failed_with(call: &Call, words: &[&str]) -> bool {
    let says = |text: &str| words.iter().any(|word| text.contains(word));
    call.error.as_deref().is_some_and(|error| says(error) || says(&call.output))
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
    fn numbers_of_passed_tests_are_read() {
        assert_eq!(passed("ok: 12 passed; 0 failed, 3/4 tests passed"), [12, 3]);
        assert!(passed("99999999999999999999 passed").is_empty());
    }
}
