//! What YAML puts between a sign and its value: a tag, an anchor, or the header of a block.

use crate::bytes::{is_blank, is_word, run};

/// How long a tag, an anchor or an indentation is.
const LONGEST: usize = 64;

/// Words of Rust that stand behind `&` and are no anchors.
const TYPES: &[&[u8]] = &[b"&dyn", b"&mut", b"&self", b"&str"];

/// How long the tag or the anchor is before a value, with the blank behind it: `!!str x`, `&a x`.
pub(super) fn length_of_property(text: &[u8], at: usize) -> usize {
    let sign = run(text, at, 2, |byte| b"!&".contains(&byte));
    let end = at + sign + run(text, at + sign, LONGEST, is_word);
    let blanks = run(text, end, LONGEST, is_blank);
    let is_followed = text.get(end + blanks).is_some_and(|byte| !b"=,;){\n\r\\".contains(byte));
    let is_type = TYPES.contains(&&text[at..end]);
    if sign > 0 && end > at + sign && blanks > 0 && is_followed && !is_type { end + blanks - at } else { 0 }
}

/// Where the only line of a block begins and ends whose header stands here: `|`, `>-`, `|2`, and a line below `x`.
pub(super) fn only_line(text: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let header = run(text, at, 3, |byte| b"|>+-".contains(&byte) || byte.is_ascii_digit());
    let is_header = matches!(text.get(at), Some(b'|' | b'>'));
    let line = at + header + run(text, at + header, LONGEST, is_blank);
    let line_end = end_of_line(text, line).filter(|_| is_header)?;
    let start = line_end + run(text, line_end, LONGEST, is_blank);
    let end = start + run(text, start, LONGEST, |byte| !byte.is_ascii_whitespace() && byte != b'\\');
    let next = end_of_line(text, end).unwrap_or(end);
    let indent = run(text, next, LONGEST, is_blank);
    let is_only = next == text.len() || indent < start - line_end;
    (start > line_end && end > start && (next > end || end == text.len()) && is_only).then_some(start..end)
}

/// Where the next line begins, if one ends here; its end may be written out.
fn end_of_line(text: &[u8], at: usize) -> Option<usize> {
    let is_end = |rest: &[u8]| {
        [&b"\r\n"[..], b"\n", b"\\r\\n", b"\\n"].iter().find(|end| rest.starts_with(end)).map(|end| end.len())
    };
    text.get(at..).and_then(is_end).map(|length| at + length)
}
