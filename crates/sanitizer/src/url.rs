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
    if let Some(colon) = user.iter().position(|byte| *byte == b':') {
        return password(user, colon).then(|| Edit::new(hit.end + colon + 1..at, "url-password", Class::Password));
    }
    let fits = token(user) && !names_by_public_key(&text[..hit.start]);
    fits.then(|| Edit::new(hit.end..at, "url-token", Class::Token))
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

/// `enrtree://AKA3…@nodes.example.org`, `enode://6f8a…@10.3.58.6:30303`: lists and nodes of Ethereum are named by the
/// public keys that they sign with (EIP-1459).
fn names_by_public_key(scheme: &[u8]) -> bool {
    scheme.ends_with(b"enrtree") || scheme.ends_with(b"enode")
}

/// A password that stands for no other.
fn password(user: &[u8], colon: usize) -> bool {
    let password = &user[colon + 1..];
    password.len() >= 3 && !is_placeholder(password)
}

fn token(user: &[u8]) -> bool {
    user.len() >= 20 && !is_placeholder(user) && is_random(user)
}
