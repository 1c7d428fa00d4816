//! Classes of bytes, and steps over them.

use std::ops::Range;

use annals_kernel::base64::sextet;

/// A byte of a name or of a token's body.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A byte that some kind of token may have in it. A look into a table: runs of such bytes are followed to their ends.
pub(super) fn is_token(byte: u8) -> bool {
    TOKEN[usize::from(byte)]
}

const TOKEN: [bool; 256] = {
    let (mut table, signs, mut byte) = ([false; 256], b"-./+=~|$", 0u8);
    while byte < 128 {
        table[byte as usize] = is_word(byte);
        byte += 1;
    }
    let mut sign = 0;
    while sign < signs.len() {
        table[signs[sign] as usize] = true;
        sign += 1;
    }
    table
};

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// How many bytes from `at` on belong to a class, counted no further than `most`.
pub(super) fn run(bytes: &[u8], at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take(most).take_while(|byte| class(**byte)).count()
}

/// How many bytes just before `at` belong to a class, counted no further than `most`.
pub(super) fn run_before(bytes: &[u8], at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
    bytes[..at].iter().rev().take(most).take_while(|byte| class(**byte)).count()
}

/// Whether the byte at `at` is the letter of an escape, as in `\n`.
pub(super) fn is_escape_letter(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1] == b'\\' && matches!(bytes[at], b'n' | b't' | b'r' | b'b' | b'f')
}

/// How many bytes of blanks follow, no more than `most`; a tab may be written as `\t`.
pub(super) fn blanks(bytes: &[u8], at: usize, most: usize) -> usize {
    let is_gap = |place: &usize| {
        let opens_tab = bytes[*place] == b'\\' && bytes.get(place + 1) == Some(&b't');
        let closes_tab = *place > 0 && bytes[place - 1] == b'\\' && bytes[*place] == b't';
        is_blank(bytes[*place]) || opens_tab || closes_tab
    };
    (at..bytes.len().min(at + most)).take_while(is_gap).count()
}

/// What stands in the quotes that open at `at`, up to the closing one, a backslash or the end of the line, and no further than
/// `most`. The quotes may be escaped.
pub(super) fn in_quotes(bytes: &[u8], at: usize, most: usize) -> Option<(Range<usize>, u8)> {
    let at = at + run(bytes, at, MOST_ESCAPES, |byte| byte == b'\\');
    let quote = *bytes.get(at).filter(|byte| is_quote(**byte))?;
    let inside = run(bytes, at + 1, most, |byte| byte != quote && byte != b'\\' && byte != b'\n');
    Some((at + 1..at + 1 + inside, quote))
}

/// Backslashes before a quote.
const MOST_ESCAPES: usize = 8;

/// Standard or URL-safe base64, decoded as far as it goes.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for value in text.iter().map_while(|byte| sextet(*byte)) {
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count & 0xff) as u8);
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_up_to_its_end() {
        assert_eq!(base64(b"dXNlcjpwYXNz"), b"user:pass");
        assert_eq!(base64(b"dXNlcjpwYXM= tail"), b"user:pas");
        assert_eq!(base64(b"*"), b"");
    }
}
