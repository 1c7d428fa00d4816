//! The same input in another spelling, and words that are only words.

use super::super::spelling::Spelling;

fn takes(text: &str, target: &str) -> bool {
    Spelling::of(text).takes(&Spelling::of(target))
}

fn uses(text: &str, target: &str) -> bool {
    Spelling::of(text).uses(&Spelling::of(target))
}

#[test]
fn another_spelling_of_a_path_is_the_same_path() {
    for text in [
        "src/a.rs", "./src/a.rs", "src//a.rs", "src/./a.rs", "src/../src/a.rs", "x/../src/a.rs", "SRC/A.RS",
        "src\\a.rs", "\"src/a.rs\"", "src/'a'.rs", "src/a\\.rs", "src/a.rs/", "ｓｒｃ/ａ.ｒｓ", "s\u{200b}rc/a.rs",
        "/home/me/work/src/a.rs", "~/work/src/a.rs", "$PWD/src/a.rs", "file:///w/src/a.rs", "(src/a.rs)", "src/a.rs.",
    ] {
        assert!(takes(text, "src/a.rs"), "{text}");
        assert!(uses(&format!("Look into {text}, please"), "src/a.rs"), "{text}");
        assert!(takes("src/a.rs", text), "{text}, the other way round");
    }
    for text in
        ["$(pwd)/src/a.rs", "--file=src/a.rs", "src/a.rs:12", "C:\\w\\src\\a.rs", "cat <src/a.rs|sort", "@src/a.rs"]
    {
        assert!(takes(text, "src/a.rs"), "{text}");
        assert!(uses(&format!("Look into {text}, please"), "src/a.rs"), "{text}");
    }
    for text in ["src/b.rs", "a.rs", "src/a.rs.bak", "src/a.rst", "lib/src/a.rs", "src/a-rs", "src", "src/a/rs", ""] {
        assert!(!takes(text, "src/a.rs"), "{text}");
        assert!(!uses(&format!("Look into {text}, please"), "src/a.rs"), "{text}");
    }
}

#[test]
fn prose_uses_inputs_wherever_it_names_them() {
    for (text, target) in [
        ("context: src/a.rs was broken", "src/a.rs"),
        ("读取src/a.rs文件", "src/a.rs"),
        ("call it with `cargo  test`.", "cargo test"),
        ("Fetch https://example.com/x?y=1", "http://example.com/x"),
        ("Search for \"error\" in the log", "error"),
        ("Search the log for error lines", "error"),
        ("Read Makefile", "Makefile"),
        ("read the file makefile", "Makefile"),
        ("look for “错误”", "错误"),
        ("use '=>' as the pattern", "=>"),
    ] {
        assert!(uses(text, target), "{text} / {target}");
    }
}

#[test]
fn a_word_in_prose_is_no_input() {
    for (text, target) in [
        ("Handle the error where it comes up", "error"),
        ("The makefile is fine", "Makefile"),
        ("a => b", "="),
        ("x. y. z.", "."),
        ("Handle it", ""),
        ("cargo build, then test", "cargo test"),
        ("处理错误", "错误"),
    ] {
        assert!(!uses(text, target), "{text} / {target}");
    }
}

#[test]
fn a_command_line_takes_its_words_as_inputs_but_not_its_program() {
    for (line, target) in
        [("grep error log.txt", "error"), ("cat Makefile", "makefile"), ("ls", "ls"), ("npm test -- -w", "npm test")]
    {
        assert!(takes(line, target), "{line} / {target}");
    }
    for (line, target) in [("ls src", "ls"), ("make; ls src", "ls"), ("npm run build", "npm test"), ("", "error")] {
        assert!(!takes(line, target), "{line} / {target}");
    }
}

#[test]
fn clauses_begin_behind_punctuation_and_behind_words_that_call_for_a_verb() {
    let opening = |text: &str| {
        let spelling = Spelling::of(text);
        let words = spelling.words().iter().filter(|word| word.opens).map(|word| word.text.clone());
        words.collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("Run it. Then stop", "run then stop"),
        ("Open the file and read it", "open read"),
        ("1. run it\n- test it", "1 run test"),
        ("the tests run well", "the"),
    ] {
        assert_eq!(opening(text), expected, "{text}");
    }
}
