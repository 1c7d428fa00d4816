//! Which calls did not fail by themselves: a person stopped them, or another one beside them failed.
//!
//! What a person decides is no failure of anybody. A shell that ends with 130 was interrupted at the keyboard.

/// Whether a call with this error was stopped.
pub fn was_stopped(error: &str) -> bool {
    const STOPPED: [&str; 3] = ["interrupted", "[Request interrupted", "aborted by user"];
    const BESIDE: [&str; 2] = ["Sibling tool call", "Cancelled: parallel tool call"];
    let code = error.strip_prefix("exit code ").or_else(|| error.strip_prefix("Exit code "));
    let is_interrupt =
        code.is_some_and(|code| code.split(|letter: char| !letter.is_ascii_digit()).next() == Some("130"));
    is_interrupt
        || STOPPED.iter().any(|stopped| error.starts_with(stopped))
        || BESIDE.iter().any(|beside| error.contains(beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_was_stopped_did_not_fail_by_itself() {
        for error in [
            "interrupted",
            "[Request interrupted by user for tool use]",
            "aborted by user after 3.2s",
            "Exit code 130\n^C",
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            "<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>",
        ] {
            assert!(was_stopped(error), "{error}");
        }
        for error in ["exit code 1", "exit code 1300", "Interrupted system call (os error 4)", ""] {
            assert!(!was_stopped(error), "{error}");
        }
    }
}
