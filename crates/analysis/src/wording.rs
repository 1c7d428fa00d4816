//! Whether an edit changes what a program does, or only its words and values: texts, numbers, comments, the prose of a page.
//!
//! By what is left when those are taken out. Knows no language: a sign that opens a text in one may mean something else in
//! another, and then both sides of an edit are read in the same wrong way.

use crate::edit::{Before, Edit};

/// Without any of these a text is prose.
const OF_CODE: [char; 9] = ['(', ')', '{', '}', '[', ']', ';', '=', '|'];

/// Fewer words may be the names of something.
const LEAST_WORDS: usize = 3;

/// Whether more is changed than words and values.
pub fn changes_code(edit: &Edit) -> bool {
    if edit.before == Before::New || edit.old.is_empty() {
        return true;
    }
    let is_prose = |text: &str| !text.contains(OF_CODE) && text.split_whitespace().count() >= LEAST_WORDS;
    let is_only_prose = is_prose(&edit.old) && is_prose(&edit.new);
    !is_only_prose && skeleton(&edit.old) != skeleton(&edit.new)
}

/// A text without blanks, quoted texts, numbers, comments, and the words between two tags.
fn skeleton(text: &str) -> String {
    let mut left = String::new();
    for line in text.lines() {
        let mut rest = line.trim();
        while let Some(sign) = rest.chars().next().filter(|_| !is_comment(rest, &left)) {
            let end = word_end(rest, sign);
            let word = &rest[..end];
            match sign {
                '"' | '\'' | '`' => left.push('"'),
                '>' if end > 1 => left.push_str("><"),
                _ if sign.is_whitespace() || sign.is_ascii_digit() || sign == '#' => {}
                _ => left.push_str(word),
            }
            rest = &rest[end..];
        }
    }
    left
}

/// A comment runs to the end of its line.
fn is_comment(rest: &str, before: &str) -> bool {
    rest.starts_with("//") && !before.ends_with(':')
        || ["/*", "* ", "# ", "<!--", "-- "].iter().any(|start| rest.starts_with(start))
}

/// Where the part that begins a text ends: a quoted text, the words up to the next tag, a name or a number, or one sign.
fn word_end(rest: &str, sign: char) -> usize {
    let behind = &rest[sign.len_utf8()..];
    match sign {
        '"' | '\'' | '`' => behind.find(sign).map_or(sign.len_utf8(), |at| at + 2),
        '>' => behind.find('<').filter(|at| !behind[..*at].contains(OF_CODE)).map_or(1, |at| at + 2),
        _ if sign.is_alphanumeric() || sign == '_' || sign == '#' => {
            let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '%');
            behind.find(|letter| !inside(letter)).map_or(rest.len(), |at| at + sign.len_utf8())
        }
        _ => sign.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(old: &str, new: &str) -> bool {
        let (old, new) = (old.to_owned(), new.to_owned());
        changes_code(&Edit { file: "a.tsx".to_owned(), old, new, first_line: None, before: Before::There })
    }

    #[test]
    fn words_and_values_are_no_code() {
        for (old, new) in [
            ("A page — with a dash", "A page, with a dash"),
            ("<p>Made by us</p>", "<p>Made for you</p>"),
            ("const MODEL = \"small\";", "const MODEL = \"large\";"),
            ("const STOPS = [0.2, 0.5];", "const STOPS = [0.1, 0.75];"),
            ("color: #fff;", "color: #1a2b3c;"),
            ("call(); // it waits", "call(); // it does not wait"),
            ("  a: 'x',\n  b: 1,", "    a: 'y',\n    b: 20,"),
        ] {
            assert!(!changes(old, new), "{old} / {new}");
        }
    }

    #[test]
    fn what_is_done_otherwise_is_code() {
        for (old, new) in [
            ("if a < 2 {", "if a <= 2 {"),
            ("call(a)", "call(b)"),
            ("let x = 1;", ""),
            ("", "x()"),
            ("a + 1;", "a - 1;"),
            ("a", "b"),
            ("return \"a\";", "return name(\"a\");"),
            ("import { a } from 'x'", "import { b } from 'x'"),
        ] {
            assert!(changes(old, new), "{old} / {new}");
        }
        let new =
            Edit { file: "a.rs".into(), old: String::new(), new: "x".into(), first_line: None, before: Before::New };
        assert!(changes_code(&new));
    }
}
