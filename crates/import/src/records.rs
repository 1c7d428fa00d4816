//! Records out of a JSONL source, however it was mangled on its way.
//!
//! Takes glued objects apart, strips BOM, CR and NUL padding, decodes bytes that are not UTF-8 with a mark. Does not
//! look into the records.

use std::io::{self, BufRead};

use serde_json::value::RawValue;

use super::PassedOver;
use super::common::decoded;

/// A line longer than this is passed over, so that memory stays bounded.
const MAX_LINE_BYTES: usize = 64 << 20;

/// One finding in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A JSON object, as it was written.
    Record {
        /// The line that it stands on, from 1.
        line: u64,
        /// The object.
        text: String,
    },
    /// Something else.
    Other {
        /// The line that it stands on, from 1.
        line: u64,
        /// What is wrong with it.
        reason: PassedOver,
    },
}

/// Calls `take` for everything that stands in a source.
pub fn each_record<E: From<io::Error>>(
    input: &mut dyn BufRead,
    mut take: impl FnMut(Found) -> Result<(), E>,
) -> Result<(), E> {
    let mut bytes = Vec::new();
    let mut line = 0;
    loop {
        line += 1;
        match read_line(input, &mut bytes)? {
            NextLine::End => return Ok(()),
            NextLine::TooLong => take(Found::Other { line, reason: PassedOver::TooLong })?,
            NextLine::Whole => split(&bytes, line, &mut take)?,
        }
    }
}

/// What the next line is.
pub(super) enum NextLine {
    /// It is in the buffer, without its newline.
    Whole,
    /// It was read and let go.
    TooLong,
    /// There is none.
    End,
}

/// Reads up to the next newline; what is too long is read and let go.
pub(super) fn read_line(input: &mut dyn BufRead, bytes: &mut Vec<u8>) -> io::Result<NextLine> {
    bytes.clear();
    let mut length = 0;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(if length == 0 { NextLine::End } else { finished(length) });
        }
        let newline = memchr::memchr(b'\n', buffer);
        let piece = newline.unwrap_or(buffer.len());
        if length + piece <= MAX_LINE_BYTES {
            bytes.extend_from_slice(&buffer[..piece]);
        }
        length += piece;
        input.consume(piece + usize::from(newline.is_some()));
        if newline.is_some() {
            return Ok(finished(length));
        }
    }
}

fn finished(length: usize) -> NextLine {
    if length > MAX_LINE_BYTES { NextLine::TooLong } else { NextLine::Whole }
}

fn split<E>(bytes: &[u8], line: u64, take: &mut impl FnMut(Found) -> Result<(), E>) -> Result<(), E> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let start = bytes.iter().position(|byte| !padding(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !padding(byte)).map_or(start, |last| last + 1);
    if start == end {
        // Nothing, or NUL bytes only: a blank line is no finding, a run of NUL is what a crash leaves behind.
        return if bytes.contains(&0) { take(Found::Other { line, reason: PassedOver::Damaged }) } else { Ok(()) };
    }
    let text = decoded(&bytes[start..end]);
    for value in serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>() {
        take(match value {
            Ok(value) if value.get().starts_with('{') => Found::Record { line, text: value.get().to_owned() },
            Ok(_) => Found::Other { line, reason: PassedOver::NotAnObject },
            Err(_) => Found::Other { line, reason: PassedOver::Damaged },
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Vec<(u64, Result<String, PassedOver>)> {
        let mut all = Vec::new();
        let taken = each_record(&mut &*bytes, |found| {
            all.push(match found {
                Found::Record { line, text } => (line, Ok(text)),
                Found::Other { line, reason } => (line, Err(reason)),
            });
            Ok::<(), io::Error>(())
        });
        taken.expect("memory can be read");
        all
    }

    fn object(line: u64, text: &str) -> (u64, Result<String, PassedOver>) {
        (line, Ok(text.to_owned()))
    }

    #[test]
    fn glued_objects_come_apart() {
        let expected = [object(1, r#"{"a":1}"#), object(1, r#"{"b":"}{"}"#), object(2, r#"{"c":3}"#)];
        assert_eq!(found(b"{\"a\":1}{\"b\":\"}{\"}\n{\"c\":3}"), expected);
    }

    #[test]
    fn bom_crlf_blank_lines_and_padding_are_no_findings() {
        assert_eq!(
            found(b"\xEF\xBB\xBF{\"a\":1}\r\n\r\n\n  {\"b\":2}\0\0\0\n"),
            [object(1, r#"{"a":1}"#), object(4, r#"{"b":2}"#)]
        );
    }

    #[test]
    fn what_is_not_an_object_is_named() {
        use PassedOver::{Damaged, NotAnObject};
        let expected = [
            (1, Err(NotAnObject)),
            (2, Err(NotAnObject)),
            (3, Err(Damaged)),
            (4, Err(Damaged)),
            (5, Ok("{}".to_owned())),
        ];
        assert_eq!(found(b"null\n42\n{\"a\":\"cut\n\0\0\0\n{}"), expected);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_marked() {
        assert_eq!(found(b"{\"a\":\"\xFF\"}\n"), [object(1, "{\"a\":\"\u{FFFD}\"}")]);
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(found(deep.as_bytes()), [object(1, &deep)]);
    }
}
