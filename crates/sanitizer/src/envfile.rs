//! What stands in a file that is known to be secret: there, every value is.

use super::bytes::{is_blank, is_quote, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::is_random;
use super::placeholder::{is_number, is_placeholder};

/// Edits for all values of a `.env` file, also when a tool has put numbers before its lines.
pub(super) fn find(text: &[u8], edits: &mut Vec<Edit>) {
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        edits.extend(value(line).map(|(from, to)| Edit::new(start + from..start + to, "secret-file", Class::Secret)));
        start += line.len();
    }
}

/// Where the value of a line stands.
fn value(line: &[u8]) -> Option<(usize, usize)> {
    let end = line.trim_ascii_end().len();
    let line = &line[..end];
    let start = skip_export(line, skip_number(line));
    let name = run(line, start, line.len(), |byte| is_word(byte) || matches!(byte, b'.' | b'-'));
    let sign = start + name + run(line, start + name, line.len(), is_blank);
    let (from, to) = match line.get(sign) {
        Some(b'=' | b':') if name > 0 && line.get(sign + 1) != Some(&b'/') => unquoted(line, sign + 1),
        _ if is_random(&line[start..]) => (start, end),
        _ => return None,
    };
    (from < to && is_worth_hiding(&line[from..to])).then_some((from, to))
}

/// `    12→` and `    12\t`, as tools number lines.
fn skip_number(line: &[u8]) -> usize {
    let blanks = run(line, 0, line.len(), is_blank);
    let digits = run(line, blanks, line.len(), |byte| byte.is_ascii_digit());
    let after = blanks + digits;
    let arrow = "→".as_bytes();
    match line.get(after..) {
        Some(rest) if digits > 0 && rest.starts_with(arrow) => after + arrow.len(),
        Some(rest) if digits > 0 && (rest.starts_with(b"\t") || rest.starts_with(b":")) => after + 1,
        _ => blanks,
    }
}

fn skip_export(line: &[u8], at: usize) -> usize {
    let at = at + run(line, at, line.len(), is_blank);
    let word = b"export ";
    let at = at + if line[at..].starts_with(word) { word.len() } else { 0 };
    at + run(line, at, line.len(), is_blank)
}

/// The value without its quotes and without a comment.
fn unquoted(line: &[u8], at: usize) -> (usize, usize) {
    let from = at + run(line, at, line.len(), is_blank);
    if let Some(quote) = line.get(from).copied().filter(|byte| is_quote(*byte)) {
        let length = run(line, from + 1, line.len(), |byte| byte != quote);
        return (from + 1, from + 1 + length);
    }
    let comment = line[from..].windows(2).position(|pair| pair == b" #");
    let end = comment.map_or(line.len(), |comment| from + comment);
    (from, from + line[from..end].trim_ascii_end().len())
}

/// Whether a value that is secret by its place says anything.
fn is_worth_hiding(value: &[u8]) -> bool {
    !is_placeholder(value) && !is_number(value)
}
