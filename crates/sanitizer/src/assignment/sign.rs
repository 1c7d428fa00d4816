//! What stands between a name and its value.

use std::ops::Range;

use super::{MOST_ESCAPES, WIDEST_GAP, apart, declared, wide_sign};
use crate::bytes::{blanks, is_blank, is_quote, is_word, run, run_before};
use crate::name::is_bare_name;

/// A sign, or a gap, that joins a name and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    start: usize,
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
    /// The `:` or `=` of a member of its own, which holds the value of the name: `name: X`, and below `value: x`.
    Member,
    /// `<name>value<`.
    Element,
    /// `'name', 'value'`: both in quotes.
    Comma,
    /// `--name value`.
    Flag,
    /// `name value`.
    Space,
    /// `name("value`.
    Call,
}

/// How long the attributes of an element may be.
const LONGEST_ATTRIBUTES: usize = 120;

/// `setPassword`, `.password`, `with_api_key`: a function that is given nothing else.
fn takes_a_secret(name: &[u8]) -> bool {
    let name = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let joined: Vec<u8> = name.iter().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase).collect();
    let given = joined.strip_prefix(b"set").or_else(|| joined.strip_prefix(b"with")).unwrap_or(&joined);
    is_bare_name(given)
}

/// `<password`, `<ns:password`.
fn opens_tag(text: &[u8], name: &Range<usize>) -> bool {
    let prefix = run_before(text, name.start, 20, |byte| is_word(byte) || byte == b':');
    let has_prefix = prefix == 0 || text[name.start - 1] == b':';
    let before = &text[..name.start - prefix];
    // `(?P<secret>.*)` names a group of an expression.
    has_prefix && before.ends_with(b"<") && !before.ends_with(b"?P<") && !before.ends_with(b"?<")
}

/// `<property name="password"`.
fn names_a_tag(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[..name.start];
    before.ends_with(b"=\"") || before.ends_with(b"='") || before.ends_with(b"=\\\"")
}

impl Sign {
    pub(super) fn after(text: &[u8], name: &Range<usize>) -> Option<Self> {
        // `**Password**: x` in Markdown.
        let is_strong = text[..name.start].ends_with(b"*");
        let is_closing = |byte: u8| is_quote(byte) || matches!(byte, b'\\' | b']' | b')') || is_strong && byte == b'*';
        let closed = name.end + run(text, name.end, MOST_ESCAPES, is_closing);
        let is_closed = text[name.end..closed].iter().any(|byte| is_quote(*byte));
        let mut at = closed + blanks(text, closed, WIDEST_GAP);
        if is_closed && text[at..].starts_with(b"value") {
            // `<add key="Password" value="…"/>`, also with blanks around the sign.
            let sign = at + b"value".len() + blanks(text, at + b"value".len(), WIDEST_GAP);
            at = if text.get(sign) == Some(&b'=') { sign } else { at };
        }
        if let Some(sign) = apart::sign(text, name, closed) {
            return Some(sign);
        }
        if let Some(sign) = declared::sign(text, name) {
            return Some(sign);
        }
        if let 1.. = wide_sign(text, at) {
            return Some(Self { start: at, end: at + wide_sign(text, at), form: Form::Operator });
        }
        if !is_closed
            && text[at..].starts_with(b"(")
            && takes_a_secret(&text[name.clone()])
            && text.get(at + 1).is_some_and(|byte| is_quote(*byte))
        {
            return Some(Self { start: at, end: at + 1, form: Form::Call });
        }
        if let Some(sign) = Self::behind_as(text, at).filter(|_| at > name.end) {
            return Some(sign);
        }
        let end = at + run(text, at, 3, |byte| b"=:>|?,".contains(&byte));
        let opens_tag = opens_tag(text, name);
        let form = match &text[at..end] {
            b"" if opens_tag && at > closed => return Self::behind_attributes(text, at),
            b"" if at > closed && !is_closed => Self::gap(text, name),
            b"" => return None,
            sign if sign.starts_with(b"::") => return None,
            b"=" if at == name.end => Form::Equals,
            b">" if opens_tag || is_closed && names_a_tag(text, name) => Form::Element,
            b"," if is_closed => Form::Comma,
            sign if sign.contains(&b'=') || sign.contains(&b':') => Form::Operator,
            b"||" => Form::Operator,
            b"??" if text.get(end + blanks(text, end, WIDEST_GAP)).is_some_and(|byte| is_quote(*byte)) => {
                Form::Operator
            }
            b">" if is_closed => Form::Operator,
            _ => return None,
        };
        Some(Self { start: at, end, form })
    }

    /// A sign between two places.
    pub(super) fn of(start: usize, end: usize, form: Form) -> Self {
        Self { start, end, form }
    }

    pub(super) fn is_colon(self, text: &[u8]) -> bool {
        &text[self.range()] == b":"
    }

    pub(super) fn is_equals(self, text: &[u8]) -> bool {
        &text[self.range()] == b"="
    }

    /// The sign itself, without the blanks around it.
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// `password As String = "…"`, as Basic declares it.
    fn behind_as(text: &[u8], at: usize) -> Option<Self> {
        let declares = text.get(at..at + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"as "));
        let word = at + 3 + run(text, at + 3, WIDEST_GAP, is_word);
        let sign = word + blanks(text, word, WIDEST_GAP);
        let is_sign = declares && sign > word && text.get(sign) == Some(&b'=');
        is_sign.then_some(Self { start: sign, end: sign + 1, form: Form::Operator })
    }

    /// `<password type="plain">value<`.
    fn behind_attributes(text: &[u8], at: usize) -> Option<Self> {
        let length = run(text, at, LONGEST_ATTRIBUTES, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
        let closes = text.get(at + length) == Some(&b'>') && !text[..at + length].ends_with(b"/");
        (length > 0 && closes).then_some(Self { start: at, end: at + length + 1, form: Form::Element })
    }

    fn gap(text: &[u8], name: &Range<usize>) -> Form {
        // In "`N`-token input" the dash joins words.
        let joins_words = name.start >= 2 && text[name.start - 1] == b'`' && !is_blank(text[name.start - 2]);
        let is_flag = (text[..name.start].ends_with(b"-") || text[name.start] == b'-') && !joins_words;
        if is_flag { Form::Flag } else { Form::Space }
    }

    /// The `=` behind a type, as in `name: String = `.
    pub(super) fn after_type(self, text: &[u8]) -> Option<Self> {
        let is_type = |byte: u8| is_word(byte) || b" &<>.:[]?'|".contains(&byte);
        let at = self.end + run(text, self.end, WIDEST_GAP, is_type);
        let is_spaced = at > self.end && is_blank(text[at - 1]) && text.get(at + 1).is_some_and(|byte| is_blank(*byte));
        (is_spaced && text[at] == b'=').then_some(Self { start: at, end: at + 1, form: self.form })
    }
}
