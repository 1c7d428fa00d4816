//! Sessions in `Cookie:` and `Set-Cookie:` headers.

use std::ops::Range;

use super::bytes::{is_blank, is_token, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::{is_described, is_random, is_uuid};
use super::placeholder::{is_number, is_placeholder};

pub(super) const KEYWORDS: &[&str] = &["cookie:"];

/// How long a header may be.
const LONGEST: usize = 8192;

/// Shorter values are settings: `theme=dark`.
const SHORTEST: usize = 16;

/// Edits for the values of the header at `hit` that are random.
pub(super) fn find(text: &[u8], hit: &Range<usize>, edits: &mut Vec<Edit>) {
    let mut at = hit.end;
    while at < text.len().min(hit.end + LONGEST) {
        let name = at + run(text, at, LONGEST, is_blank);
        let sign = name + run(text, name, LONGEST, |byte| is_word(byte) || matches!(byte, b'-' | b'.'));
        if text.get(sign) != Some(&b'=') {
            return;
        }
        let end = sign + 1 + run(text, sign + 1, LONGEST, |byte| is_token(byte) || matches!(byte, b'%' | b':'));
        let value = &text[sign + 1..end];
        let is_session = is_uuid(value) || is_random(value) && !is_described(value);
        if value.len() >= SHORTEST && is_session && !is_placeholder(value) && !is_number(value) {
            edits.push(Edit::new(sign + 1..end, "cookie", Class::Token));
        }
        if text.get(end) != Some(&b';') {
            return;
        }
        at = end + 1;
    }
}
