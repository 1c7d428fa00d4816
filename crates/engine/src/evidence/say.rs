//! A place in a file, as it is written.
//!
//! Does not look whether it is there.

use annals_kernel::grounding::{FileReference, Lines};

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
