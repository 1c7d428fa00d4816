//! Private keys as blocks: PEM, OpenSSH, PGP, `PuTTY`; over several lines, or in one with `\n` written out; also the end of one
//! whose beginning was cut off.

use std::ops::Range;

use memchr::memmem;

use super::assignment::is_elided;
use super::bytes::{is_blank, is_escape_letter, run, run_before};
use super::class::Class;
use super::edit::Edit;

pub(super) const KEYWORDS: &[&str] = &["-----begin", "---- begin", "private-lines:", "-----end"];

/// A key of 16,384 bits has about 13 KiB.
const LONGEST: usize = 32 * 1024;

/// Fewer letters are no key but a word about one.
const SHORTEST: usize = 24;

/// A key that is left out but for fewer letters, `MIIEpQIBAAKCAQEA…`, is shown as an example.
const SHORTEST_CUT: usize = 64;

/// How long a line's number and the path before it are.
const LONGEST_MARGIN: usize = 200;

/// How much may stand between a header and the key: `Proc-Type: 4,ENCRYPTED` and the like.
const LONGEST_PREFACE: usize = 200;

/// The edit for the block that begins at `hit`, or that ends there and has no beginning.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    if text[hit.clone()].eq_ignore_ascii_case(b"-----end") {
        return find_end(text, hit);
    }
    let rest = &text[hit.end..text.len().min(hit.end + LONGEST)];
    let next = memmem::find(rest, b"-----BEGIN").unwrap_or(rest.len());
    let rest = &rest[..next];
    let is_putty = text[hit.clone()].ends_with(b":");
    let (body, end, start) =
        if is_putty { (0, key_letters(rest, 0).1, hit.end) } else { (header(rest)?, block(rest)?, hit.start) };
    let (letters, letters_end) = key_letters(rest, body);
    let is_shown = letters < SHORTEST_CUT && is_elided(rest, letters_end);
    (letters >= SHORTEST && !is_shown).then(|| Edit::new(start..hit.end + end, "private-key", Class::PrivateKey))
}

/// The edit for the lines of a key before a footer, where no header stands before them.
fn find_end(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let footer = hit.end + header(&text[hit.end..])?;
    let from = hit.start.saturating_sub(LONGEST);
    let from = memmem::rfind(&text[from..hit.start], b"-----END").map_or(from, |end| from + end);
    // That block is found by its header.
    if memmem::rfind(&text[from..hit.start], b"-----BEGIN").is_some() {
        return None;
    }
    let (letters, start) = key_lines_before(text, from, hit.start);
    (letters >= SHORTEST).then(|| Edit::new(start..footer, "private-key", Class::PrivateKey))
}

/// How many letters of base64 stand in the lines that end at `end`, and where the first of these lines begins.
fn key_lines_before(text: &[u8], from: usize, end: usize) -> (usize, usize) {
    let (mut count, mut start, mut at, mut is_long) = (0, end, end, false);
    loop {
        let (begin, before) = line_start(text, from, at);
        let inner = begin + margin(&text[begin..at]);
        match base64_alone(&text[inner..at]) {
            // The margin of the footer, or its sign in a diff.
            Some([] | [b'+']) if count == 0 => {}
            Some(letters) if letters.len() >= 16 || !is_long && is_last_line(letters) => {
                is_long |= letters.len() >= 16;
                (count, start) = (count + letters.len(), inner);
            }
            Some(_) | None => return (count, start),
        }
        match before {
            Some(before) => at = before,
            None => return (count, start),
        }
    }
}

/// Where the line begins that ends at `at`, and where the one before it ends: at a line end as it is or written out.
fn line_start(text: &[u8], from: usize, at: usize) -> (usize, Option<usize>) {
    let real = memchr::memrchr(b'\n', &text[from..at]).map(|end| from + end);
    let begin = real.map_or(from, |end| end + 1);
    let written = memmem::rfind(&text[begin..at], b"\\n").map(|end| begin + end);
    written.map_or((begin, real), |end| (end + 2, Some(end)))
}

/// The letters of a line that has, but for quotes and the like at its ends, nothing else; `None` for any other line.
fn base64_alone(line: &[u8]) -> Option<&[u8]> {
    let is_side = |byte: &u8| byte.is_ascii_whitespace() || b"\\\"',>|".contains(byte);
    let line = line.strip_suffix(b"\\r").unwrap_or(line);
    let first = line.iter().position(|byte| !is_side(byte)).unwrap_or(line.len());
    let last = line.iter().rposition(|byte| !is_side(byte)).map_or(first, |last| last + 1);
    let letters = &line[first..last];
    letters.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte)).then_some(letters)
}

/// Where the header ends, if it is one of a private key.
fn header(rest: &[u8]) -> Option<usize> {
    let dashes = memmem::find(&rest[..rest.len().min(80)], b"----")?;
    let is_private = memmem::find(&rest[..dashes], b"PRIVATE KEY").is_some();
    is_private.then(|| dashes + run(rest, dashes, 8, |byte| byte == b'-'))
}

/// How long the block is behind its first word: to the end of its footer or, if that was cut off, of its letters.
fn block(rest: &[u8]) -> Option<usize> {
    let body = header(rest)?;
    let (_, letters_end) = key_letters(rest, body);
    let Some(footer) = memmem::find(&rest[body..], b"---- END").or_else(|| memmem::find(&rest[body..], b"-----END"))
    else {
        return Some(letters_end);
    };
    let footer = body + footer;
    let words = footer + 5 + memmem::find(&rest[footer + 5..], b"----")?;
    Some(words + run(rest, words, 8, |byte| byte == b'-'))
}

/// How many letters of base64 follow, over line ends of any writing and margins, and where they end.
fn key_letters(rest: &[u8], from: usize) -> (usize, usize) {
    let (mut at, mut count, mut end) = (from, 0, from);
    while at < rest.len() && !rest[at..].starts_with(b"-----") {
        let letters = run(rest, at, LONGEST, |byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        if letters >= 16 || count > 0 && is_last_line(&rest[at..at + letters]) {
            count += letters;
            end = at + letters;
        } else if letters > 2 && count > 0 {
            break;
        }
        let between = between(rest, at + letters);
        if letters + between == 0 && (count > 0 || at - from > LONGEST_PREFACE) {
            break;
        }
        at += (letters + between).max(1);
    }
    (count, end)
}

/// The short last line of a key is no word: it has digits among its letters, or signs.
fn is_last_line(letters: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| letters.iter().any(class);
    letters.len() > 2 && has(u8::is_ascii_alphabetic) && has(|byte| byte.is_ascii_digit() || b"+/=".contains(byte))
}

/// How much stands between two lines of a key: line ends, quotes, and the margin of the second.
fn between(rest: &[u8], at: usize) -> usize {
    let mut end = at + run(rest, at, 64, |byte| byte.is_ascii_whitespace() || b"\\\"'+,>|".contains(&byte));
    let is_written_out = end < rest.len() && end > at && is_escape_letter(rest, end);
    end += usize::from(is_written_out);
    let ends_line = is_written_out || rest[at..end].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    if ends_line { end + margin(&rest[end..]) - at } else { end - at }
}

/// How long the margin of a line is: `12:`, `12-`, `12\t`, `12→`, ` 12 |`, `keys/a.pem:12:`, or the sign of a diff.
fn margin(line: &[u8]) -> usize {
    if line.starts_with(b"-----") {
        return 0;
    }
    let start = run(line, 0, LONGEST_MARGIN, is_blank);
    let word = run(line, start, LONGEST_MARGIN, |byte| !byte.is_ascii_whitespace());
    let is_joint = |byte: u8| matches!(byte, b':' | b'-');
    // Base64 has neither sign, so that the last of them ends the margin.
    let joint = line[start..start + word].iter().rposition(|byte| is_joint(*byte)).map(|at| start + at);
    let numbered = joint.filter(|at| run_before(line, *at, 8, |byte| byte.is_ascii_digit()) > 0);
    if let Some(at) = numbered {
        return at + 1;
    }
    let digits = run(line, start, 8, |byte| byte.is_ascii_digit());
    let sign = run(line, start + digits, 8, |byte| is_blank(byte) || byte == b'|' || byte >= 0x80);
    if digits > 0 && sign > 0 {
        return start + digits + sign;
    }
    start + run(line, start, 1, |byte| byte == b'-')
}
