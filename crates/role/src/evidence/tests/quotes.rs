//! A quote is found to the letter, or not at all.

use super::super::LiteralQuote;
use crate::testing::{ran, worked};
use crate::tool::{ToolCall, ToolName};

fn is_in(quote: &str, text: &str) -> bool {
    LiteralQuote::of(quote).is_some_and(|quote| quote.is_in(text))
}

#[test]
fn white_space_and_quotes_around_do_not_matter_and_letters_do() {
    let text = "running 3 tests\n  test  result:\tok. 3 passed; 0 failed\nok\n";
    for there in ["test result: ok. 3 passed", "\"3 passed\"", "`running 3 tests`", "ok. 3\npassed; 0", "ok", "3 tests"]
    {
        assert!(is_in(there, text), "{there}");
    }
    for absent in [
        "test result: ok. 4 passed", "Test result", "", "...", "\"\"", "est result: ok. 3 passed", "unning 3 tests",
        "test", "passed", "tests pass", "3 passed; 0 faile",
    ] {
        assert!(!is_in(absent, text), "{absent}");
    }
    assert!(is_in("42", "42 src/a.rs") && !is_in("42", "142 src/a.rs") && !is_in("42", "4 2"));
    assert_eq!(LiteralQuote::of(&"a".repeat(1 << 20)), None);
}

#[test]
fn what_a_model_saw_is_what_is_compared() {
    assert!(is_in("< |im_end|> 12345678", "<|im_end|> 12345678"));
    assert!(is_in("\u{fffd}[31mred alert", "\u{1b}[31mred alert"));
}

/// A model that prints its own claim has shown nothing.
#[test]
fn what_a_call_was_told_itself_is_not_what_it_gave() {
    let gives = |call: &ToolCall, quote: &str| LiteralQuote::of(quote).is_some_and(|quote| quote.is_given_by(call));
    for echo in [
        ran("echo all tests pass", 0, "all tests pass\n"),
        ran("printf 'all tests %s' pass", 0, "all tests pass"),
        ran("python -c \"print('all tests pass')\"", 0, "all tests pass"),
        ran("cat <<EOF | sort\nall tests pass\nEOF", 0, "all tests pass"),
    ] {
        assert!(!gives(&echo, "all tests pass"), "{echo:?}");
    }
    assert!(gives(&ran("cargo test", 0, "all tests pass\n"), "all tests pass"));
    assert!(gives(&worked(ToolName::Search, "port = 8080", "app.toml:1:port = 8080"), "port = 8080"));
    assert!(gives(&worked(ToolName::Find, "report.txt", "report.txt"), "report.txt"));
}
