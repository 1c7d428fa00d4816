//! What was found out about a citation, in words; and how one is written.
//!
//! Does not print.

use crate::kernel::grounding::{Checked, Escape, FileReference, Lines};

/// Reads `src/a.rs`, `src/a.rs:12` or `src/a.rs:12-20`, with what stands there.
pub fn reference(text: &str, quote: Option<&str>) -> FileReference {
    let quote = quote.map(Into::into);
    match text.rsplit_once(':').and_then(|(path, lines)| Some((path, read_lines(lines)?))) {
        Some((path, lines)) => FileReference { path: path.into(), lines: Some(lines), quote },
        None => FileReference { path: text.into(), lines: None, quote },
    }
}

/// A number that is too large for a line is no part of a name either.
fn read_lines(text: &str) -> Option<Lines> {
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u32::MAX))
    };
    match text.split_once('-') {
        Some((start, end)) => Some(Lines { start: number(start)?, end: Some(number(end)?) }),
        None => Some(Lines { start: number(text)?, end: None }),
    }
}

/// A place in a file, as `reference` reads it.
pub fn place(reference: &FileReference) -> String {
    match reference.lines {
        Some(lines) => format!("{}:{lines}", reference.path),
        None => reference.path.to_string(),
    }
}

/// Why a citation is not verified, or how well it is.
pub fn finding(checked: &Checked) -> String {
    let alike = |thousandths: u32| format!("{}.{} % of the quote stand there", thousandths / 10, thousandths % 10);
    if let Some(escape) = checked.escape {
        return escaped(escape).to_owned();
    }
    match (checked.exists, checked.lines_valid, checked.similarity) {
        (false, _, _) => "there is no such file".to_owned(),
        (true, false, _) => "the file has no such lines".to_owned(),
        (true, true, Some(_)) if !checked.quote_matches() => {
            format!("{}, which is not more than 80 %", alike(checked.similarity.unwrap_or_default()))
        }
        (true, true, Some(1000)) => "it stands there to the letter".to_owned(),
        (true, true, Some(thousandths)) => alike(thousandths),
        (true, true, None) => "it is there; nothing was quoted".to_owned(),
    }
}

fn escaped(escape: Escape) -> &'static str {
    match escape {
        Escape::Absolute => "the path begins at the root: give one of the project",
        Escape::Parent => "the path goes up: give one that does not",
        Escape::LinkOut => "a link leads out of the project",
        Escape::OwnRecord => "it is the record of what was said, and cannot prove it",
        Escape::NotAText => "it is no text of 16 MiB or less",
        Escape::Malformed => "it cannot be a path",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_is_read_as_it_is_written() {
        let lines = |start, end| Some(Lines { start, end });
        for (text, path, expected) in [
            ("src/a.rs", "src/a.rs", None),
            ("src/a.rs:7", "src/a.rs", lines(7, None)),
            ("src/a.rs:7-9", "src/a.rs", lines(7, Some(9))),
            ("a:b:0", "a:b", lines(0, None)),
            ("a:b", "a:b", None),
            ("a:7-", "a:7-", None),
            ("a:-7", "a:-7", None),
            ("a:", "a:", None),
        ] {
            let read = reference(text, Some("x"));
            assert_eq!(read, FileReference { path: path.into(), lines: expected, quote: Some("x".into()) });
            assert_eq!(place(&read), text);
        }
        assert_eq!(reference("a:99999999999", None).lines, lines(u32::MAX, None));
    }
}
