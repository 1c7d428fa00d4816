//! The random last segments of webhook URLs: whoever knows one may write.

use std::ops::Range;

use super::bytes::{is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::{is_random, is_uuid};
use super::placeholder::{is_illustration, is_placeholder};

pub(super) const KEYWORDS: &[&str] = &["/hooks/", "/webhook/", "/webhooks/", "/webhookb2/", "/incoming-webhook/"];

/// How far the URL goes on.
const LONGEST: usize = 512;

/// Shorter segments are names.
const SHORTEST: usize = 12;

/// The edit from the first random segment behind the word at `hit` to the end of the path.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let length = run(text, hit.end, LONGEST, |byte| is_word(byte) || b"-/@.~".contains(&byte));
    let path = &text[hit.end..hit.end + length];
    let mut at = 0;
    for segment in path.split(|byte| *byte == b'/') {
        if is_key(segment) {
            let end = hit.end + path.trim_ascii_end().len() - usize::from(path.ends_with(b"."));
            return Some(Edit::new(hit.end + at..end, "webhook", Class::Secret));
        }
        at += segment.len() + 1;
    }
    None
}

/// Whether a segment is long enough at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    let length = run(text, hit.end, LONGEST, |byte| is_word(byte) || b"-/@".contains(&byte));
    text[hit.end..hit.end + length].split(|byte| *byte == b'/').any(|segment| segment.len() >= SHORTEST)
}

fn is_key(segment: &[u8]) -> bool {
    let is_random = is_uuid(segment) || is_random(segment);
    segment.len() >= SHORTEST && is_random && !is_placeholder(segment) && !is_illustration(segment)
}
