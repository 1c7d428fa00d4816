//! What follows `Bearer` and `Basic`, in a header or out of it.

use std::ops::Range;

use super::bytes::{base64, blanks, is_blank, is_escape_letter, is_token, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::{Manner, is_described, is_made_by_machine};
use super::placeholder::is_placeholder;

pub(super) const KEYWORDS: &[&str] = &["bearer", "basic"];

const LONGEST: usize = 8192;

/// The edit for the value behind the word at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let value = value(text, hit)?;
    let found = &text[value.clone()];
    if text[hit.clone()].eq_ignore_ascii_case(b"basic") {
        return is_user_and_password(found).then(|| Edit::new(value, "basic-authorization", Class::Password));
    }
    let is_long = found.len() >= 32 && !is_described(found);
    let fits = !is_placeholder(found) && (is_long || is_made_by_machine(found, Manner::Spaced));
    fits.then(|| Edit::new(value, "bearer-authorization", Class::Token))
}

/// Whether a value follows at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    value(text, hit).is_some_and(|value| value.len() >= 8)
}

fn value(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let follows = text.get(hit.end).is_some_and(|byte| is_blank(*byte) || *byte == b':');
    let begins =
        hit.start == 0 || !text[hit.start - 1].is_ascii_alphanumeric() || is_escape_letter(text, hit.start - 1);
    if !follows || !begins {
        return None;
    }
    let colon = hit.end + usize::from(text.get(hit.end) == Some(&b':'));
    let start = colon + blanks(text, colon, 4);
    let end = start + run(text, start, LONGEST, |byte| is_token(byte) || byte == b':');
    let trimmed = end - text[start..end].iter().rev().take_while(|byte| !is_word(**byte) && **byte != b'=').count();
    (start < trimmed).then_some(start..trimmed)
}

/// Base64 of `user:password`, in printable letters.
fn is_user_and_password(value: &[u8]) -> bool {
    let decoded = base64(value);
    let colon = decoded.iter().position(|byte| *byte == b':');
    let is_text = std::str::from_utf8(&decoded).is_ok_and(|text| !text.chars().any(char::is_control));
    colon.is_some_and(|colon| colon > 0 || decoded.len() > 1)
        && is_text
        && decoded
            .split(|byte| *byte == b':')
            .nth(1)
            .is_some_and(|password| password.len() >= 3 && !is_placeholder(password))
}
