//! Private keys as blocks: PEM, OpenSSH, PGP, `PuTTY`; over several lines, or in one with `\n` written out.

use std::ops::Range;

use memchr::memmem;

use super::assignment::is_elided;
use super::bytes::run;
use super::class::Class;
use super::edit::Edit;

pub(super) const KEYWORDS: &[&str] = &["-----begin", "---- begin", "private-lines:"];

/// A key of 16,384 bits has about 13 KiB.
const LONGEST: usize = 32 * 1024;

/// Fewer letters are no key but a word about one.
const SHORTEST: usize = 24;

/// A key that is left out but for fewer letters, `MIIEpQIBAAKCAQEA…`, is shown as an example.
const SHORTEST_CUT: usize = 64;

/// How much may stand between a header and the key: `Proc-Type: 4,ENCRYPTED` and the like.
const LONGEST_PREFACE: usize = 200;

/// The edit for the block that begins at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
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

/// How many letters of base64 follow, over line ends of any writing, and where they end.
fn key_letters(rest: &[u8], from: usize) -> (usize, usize) {
    let (mut at, mut count, mut end) = (from, 0, from);
    while at < rest.len() && !rest[at..].starts_with(b"-----") {
        let letters = run(rest, at, LONGEST, |byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        if letters >= 16 {
            count += letters;
            end = at + letters;
        } else if letters > 2 && count > 0 {
            break;
        }
        let between = run(rest, at + letters, 64, |byte| byte.is_ascii_whitespace() || b"\\\"'+,>|".contains(&byte));
        if letters + between == 0 && (count > 0 || at - from > LONGEST_PREFACE) {
            break;
        }
        at += (letters + between).max(1);
    }
    (count, end)
}
