//! What stands between a name and its value.

use std::ops::Range;

use super::{MOST_ESCAPES, WIDEST_GAP};
use crate::sanitizer::bytes::{blanks, is_blank, is_quote, is_word, run};

/// A sign, or a gap, that joins a name and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    /// Where it ends.
    pub end: usize,
    pub form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `=`, directly behind the name.
    Equals,
    /// `:`, `=`, `:=`, `=>` and the like, with or without blanks.
    Operator,
    /// `<name>value<`.
    Element,
    /// `'name', 'value'`: both in quotes.
    Comma,
    /// `--name value`.
    Flag,
    /// `name value`.
    Space,
}

impl Sign {
    pub(super) fn after(text: &[u8], name: &Range<usize>) -> Option<Self> {
        let is_closing = |byte: u8| is_quote(byte) || matches!(byte, b'\\' | b']' | b')');
        let closed = name.end + run(text, name.end, MOST_ESCAPES, is_closing);
        let is_closed = text[name.end..closed].iter().any(|byte| is_quote(*byte));
        let mut at = closed + blanks(text, closed, WIDEST_GAP);
        if is_closed && text[at..].starts_with(b"value=") {
            // `<add key="Password" value="…"/>`.
            at += b"value".len();
        }
        let end = at + run(text, at, 3, |byte| b"=:>|?,".contains(&byte));
        let form = match &text[at..end] {
            b"" if at > closed && !is_closed => Self::gap(text, name),
            b"" => return None,
            b"=" if at == name.end => Form::Equals,
            b">" if text[..name.start].ends_with(b"<") => Form::Element,
            b"," if is_closed => Form::Comma,
            sign if sign.contains(&b'=') || sign.contains(&b':') => Form::Operator,
            b"||" => Form::Operator,
            b">" if is_closed => Form::Operator,
            _ => return None,
        };
        Some(Self { end, form })
    }

    fn gap(text: &[u8], name: &Range<usize>) -> Form {
        let is_flag = text[..name.start].ends_with(b"-") || text[name.start] == b'-';
        if is_flag { Form::Flag } else { Form::Space }
    }

    /// The `=` behind a type, as in `name: String = `.
    pub(super) fn after_type(self, text: &[u8]) -> Option<Self> {
        let is_type = |byte: u8| is_word(byte) || b" &<>.:[]?'|".contains(&byte);
        let at = self.end + run(text, self.end, WIDEST_GAP, is_type);
        let is_spaced = at > self.end && is_blank(text[at - 1]) && text.get(at + 1).is_some_and(|byte| is_blank(*byte));
        (is_spaced && text[at] == b'=').then_some(Self { end: at + 1, form: self.form })
    }
}
