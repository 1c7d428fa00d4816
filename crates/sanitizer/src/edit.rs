//! What is to be replaced in a text, and replacing it.

use std::cmp::Reverse;
use std::ops::Range;

use super::class::Class;
use super::{Finding, rules, service};

/// One replacement. A text full of secrets has one for every few bytes, so that what few of them have stands apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub range: Range<usize>,
    pub class: Class,
    rule: &'static str,
    own: Option<Box<Own>>,
}

/// What a pattern of the configuration, or a place in JSON, adds to an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Own {
    rule: Option<String>,
    replacement: Option<String>,
    /// Where in the JSON value; empty for a text.
    path: String,
}

impl Edit {
    pub(super) fn new(range: Range<usize>, rule: &'static str, class: Class) -> Self {
        Self { range, class, rule, own: None }
    }

    /// An edit of a pattern with a name and a replacement of its own.
    pub(super) fn custom(range: Range<usize>, rule: &str, replacement: &str) -> Self {
        let own = Own { rule: Some(rule.to_owned()), replacement: Some(replacement.to_owned()), path: String::new() };
        Self { own: Some(Box::new(own)), ..Self::new(range, "", Class::Custom) }
    }

    /// The same edit in the JSON around its text: there its replacement is written otherwise, and keys lead to it.
    pub(super) fn within(mut self, range: Range<usize>, path: String, write: impl Fn(&str) -> String) -> Self {
        let own = self.own.get_or_insert_default();
        // A marker has no letter that JSON writes otherwise.
        own.replacement = own.replacement.as_deref().map(write);
        own.path = match (path.is_empty(), own.path.is_empty()) {
            (_, true) => path,
            (true, false) => std::mem::take(&mut own.path),
            (false, false) => format!("{path}.{}", own.path),
        };
        Self { range, ..self }
    }

    /// What is written in the place of the range.
    pub(super) fn replacement(&self) -> &str {
        let own = self.own.as_ref().and_then(|own| own.replacement.as_deref());
        own.unwrap_or(self.class.marker())
    }

    /// What is said of it when it is done.
    pub(super) fn into_finding(self) -> Finding {
        let Own { rule, path, .. } = self.own.map(|own| *own).unwrap_or_default();
        Finding { rule: rule.map_or(self.rule.into(), Into::into), class: self.class, path }
    }
}

/// Puts edits in order; of those that overlap, the longest names what is found, and all of it goes.
/// Of two for the same range, that of a service or of a mere beginning comes last.
pub(super) fn in_order(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by(|one, other| {
        let place = |edit: &Edit| (edit.range.start, Reverse(edit.range.end));
        place(one).cmp(&place(other)).then_with(|| knows_little(one).cmp(&knows_little(other)))
    });
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
        cleaned.push_str(edit.replacement());
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
