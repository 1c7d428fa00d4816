//! What is to be replaced in a text, and replacing it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::class::Class;
use super::{rules, service};

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub range: Range<usize>,
    pub rule: Cow<'static, str>,
    pub class: Class,
    pub replacement: Cow<'static, str>,
    /// Where in the JSON value; empty for a text.
    pub path: String,
}

impl Edit {
    pub(super) fn new(range: Range<usize>, rule: &'static str, class: Class) -> Self {
        Self { range, rule: rule.into(), class, replacement: class.marker().into(), path: String::new() }
    }
}

/// Puts edits in order; of those that overlap, the longest names what is found, and all of it goes.
/// Of two for the same range, that of a service or of a mere beginning comes last.
pub(super) fn in_order(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end), knows_little(edit)));
    let mut kept: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match kept.last_mut() {
            Some(last) if edit.range.start < last.range.end => merge(last, edit),
            _ => kept.push(edit),
        }
    }
    kept
}

/// What only the beginning or the name of a service tells says less than a shape of its own.
fn knows_little(edit: &Edit) -> bool {
    edit.rule == service::RULE || edit.rule == rules::VENDOR
}

fn merge(last: &mut Edit, edit: Edit) {
    let end = last.range.end.max(edit.range.end);
    if edit.range.len() > last.range.len() {
        let start = last.range.start;
        *last = edit;
        last.range.start = start;
    }
    last.range.end = end;
}

/// The text with its edits, which are in order.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        cleaned.push_str(&text[at..edit.range.start]);
        cleaned.push_str(&edit.replacement);
        at = edit.range.end;
    }
    cleaned.push_str(&text[at..]);
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_edits_become_one() {
        let edits = vec![
            Edit::new(8..12, "c", Class::Token),
            Edit::new(2..4, "a", Class::Password),
            Edit::new(3..8, "b", Class::Secret),
        ];
        let edits = in_order(edits);
        assert_eq!(edits, [Edit::new(2..8, "b", Class::Secret), Edit::new(8..12, "c", Class::Token)]);
        assert_eq!(apply("01234567890123", &edits), "01[REDACTED_SECRET][REDACTED_TOKEN]23");
    }
}
