//! Credentials in URLs: `scheme://user:password@host` and `https://token@host`.

use std::ops::Range;

use super::bytes::{is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::is_random;
use super::placeholder::is_placeholder;

/// How far the `@` may be.
const LONGEST: usize = 512;

/// The edit for the credentials of the URL whose `://` is at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let at = last_at(text, hit.end)?;
    let user = &text[hit.end..at];
    match user.iter().position(|byte| *byte == b':') {
        Some(colon) if user[colon + 1..].iter().all(u8::is_ascii_alphabetic) && is_example_host(text, at + 1) => None,
        Some(colon) => {
            password(user, colon).then(|| Edit::new(hit.end + colon + 1..at, "url-password", Class::Password))
        }
        None => token(user).then(|| Edit::new(hit.end..at, "url-token", Class::Token)),
    }
}

/// Whether there may be credentials at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    last_at(text, hit.end).is_some()
}

/// The last `@` before the host.
fn last_at(text: &[u8], start: usize) -> Option<usize> {
    let is_authority = |byte: u8| is_word(byte) || byte >= 0x80 || b":@.-~!$&*+,;=%^|#".contains(&byte);
    let length = run(text, start, LONGEST, is_authority);
    text[start..start + length].iter().rposition(|byte| *byte == b'@').map(|at| start + at).filter(|at| *at > start)
}

/// A password that is neither made up nor the same as the name, as in the defaults of databases.
fn password(user: &[u8], colon: usize) -> bool {
    let (name, password) = (&user[..colon], &user[colon + 1..]);
    let is_format = password.starts_with(b"%") && password.len() <= 3;
    password.len() >= 3 && !is_format && !is_placeholder(password) && !name.eq_ignore_ascii_case(password)
}

fn token(user: &[u8]) -> bool {
    user.len() >= 20 && !is_placeholder(user) && is_random(user)
}

/// A host that is set aside for documentation (RFC 2606).
fn is_example_host(text: &[u8], start: usize) -> bool {
    let host = &text[start..start + run(text, start, LONGEST, |byte| is_word(byte) || byte == b'-' || byte == b'.')];
    [&b"example.com"[..], b"example.org", b"example.net", b".example", b".test", b".invalid"]
        .iter()
        .any(|end| host.ends_with(end))
}
