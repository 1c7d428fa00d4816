//! Secrets in Kubernetes manifests: the values below `data:` and `stringData:` of a `kind: Secret`.

use std::ops::Range;

use super::bytes::{is_blank, is_quote, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::placeholder::{is_number, is_placeholder};

pub(super) const KEYWORDS: &[&str] = &["kind: secret", "kind: \"secret\"", "kind: 'secret'"];

/// How long one manifest may be, on either side of its kind.
const REACH: usize = 16 * 1024;

/// No manifest is so short that the kind of the one before it stands within.
const NEAR: usize = 32;

/// Edits for the values of the manifest whose kind stands at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>, edits: &mut Vec<Edit>) {
    if text.get(hit.end).is_some_and(|byte| is_word(*byte)) {
        return;
    }
    // One manifest has one kind; a text of kinds is none, and is not read for each of them.
    let near = &text[hit.start.saturating_sub(NEAR)..hit.start];
    if memchr::memmem::find(near, &text[hit.clone()]).is_some() {
        return;
    }
    let (from, to) = manifest(text, hit);
    let is_second = memchr::memmem::find(&text[from..hit.start], &text[hit.clone()]).is_some();
    if is_second {
        return;
    }
    let mut section = None;
    let mut start = from;
    for line in text[from..to].split_inclusive(|byte| *byte == b'\n') {
        let indent = run(line, 0, line.len(), is_blank);
        let body = line.trim_ascii();
        match section {
            _ if matches!(body, b"data:" | b"stringData:") => section = Some(indent),
            Some(outer) if indent > outer => edits.extend(value(line, start)),
            Some(_) if !body.is_empty() => section = None,
            Some(_) | None => {}
        }
        start += line.len();
    }
}

/// From one `---` to the next.
fn manifest(text: &[u8], hit: &Range<usize>) -> (usize, usize) {
    let low = hit.start.saturating_sub(REACH);
    let high = text.len().min(hit.end + REACH);
    let from = memchr::memmem::rfind(&text[low..hit.start], b"\n---").map_or(low, |at| low + at + 4);
    let to = memchr::memmem::find(&text[hit.end..high], b"\n---").map_or(high, |at| hit.end + at);
    (from, to)
}

fn value(line: &[u8], start: usize) -> Option<Edit> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let from = colon + 1 + run(line, colon + 1, line.len(), |byte| is_blank(byte) || is_quote(byte));
    let length = run(line, from, line.len(), |byte| !byte.is_ascii_whitespace() && !is_quote(byte));
    let found = &line[from..from + length];
    let fits = length >= 4
        && !is_placeholder(found)
        && !is_number(found)
        && !found.starts_with(b"|")
        && !found.starts_with(b">");
    fits.then(|| Edit::new(start + from..start + from + length, "kubernetes-secret", Class::Secret))
}
