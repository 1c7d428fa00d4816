//! Values that stand beside a secret's name: `password = "…"`, `--token …`, `FOO_SECRET=…`, `"api_key": "…"`.
//!
//! Works on any text: source code, shell, YAML, headers, connection strings, and JSON that is escaped once or more.

use std::ops::Range;

use super::bytes::{is_blank, is_escape_letter, is_quote, is_word, run, run_before};
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::{Kind, kind_of};
use super::placeholder::is_placeholder;

/// How far a value may stand from its name.
const WIDEST_GAP: usize = 40;

/// How many backslashes may stand before a quote: JSON in JSON in JSON doubles them each time.
const MOST_ESCAPES: usize = 1024;

/// How long a name can be; what is longer is no name.
const LONGEST_NAME: usize = 128;

/// How far a value is followed.
const LONGEST_VALUE: usize = 8192;

/// The edit for the value that belongs to the name around `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let name = name_around(text, hit)?;
    let kind = kind_of(&text[name.clone()])?;
    let value = Sign::after(text, &name)?.value(text, &name)?;
    let found = &text[value.range.clone()];
    let is_same_name = found.ends_with(&text[name.clone()]);
    (!is_same_name && !is_elided(text, value.range.end) && is_secret(kind, found, value.manner)).then(|| Edit::new(value.range, rule(kind), kind.class()))
}

/// Whether the rest of a value was left out, as in `ghp_abc…`.
pub(super) fn is_elided(text: &[u8], end: usize) -> bool {
    text[end..].starts_with(b"...") || text[end..].starts_with("…".as_bytes())
}

pub(super) fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::Password => "named-password",
        Kind::Secret => "named-secret",
        Kind::ApiKey => "named-api-key",
        Kind::Token => "named-token",
        Kind::Key => "named-key",
    }
}

/// Whether a value may follow at all; cheap, and true too often rather than too seldom.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    let Some(name) = name_around(text, hit) else { return false };
    if kind_of(&text[name.clone()]).is_none() {
        return false;
    }
    let Some(sign) = Sign::after(text, &name) else { return false };
    let is_list = text[sign.end..].trim_ascii_start().first() == Some(&b'[');
    is_list || labels_a_value(text, sign) || sign.value(text, &name).is_some_and(|value| value.may_be_secret(text))
}

/// `"name": "API_KEY", "value": …`: `json` sees that they belong together.
fn labels_a_value(text: &[u8], sign: Sign) -> bool {
    let next = &text[sign.end..text.len().min(sign.end + WIDEST_GAP)];
    sign.form == Form::Comma && next.windows(5).any(|word| word.eq_ignore_ascii_case(b"value"))
}

/// The whole name that a keyword is part of.
fn name_around(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let is_inside = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.');
    let mut start = hit.start - run_before(text, hit.start, LONGEST_NAME, is_inside);
    if start < hit.start && is_escape_letter(text, start) {
        start += 1;
    }
    // A keyword may end in a sign ("pass="), which is no part of the name.
    let letters = run_before(text, hit.end, hit.len(), |byte| !is_inside(byte));
    let mut end = hit.end - letters;
    end += run(text, end, LONGEST_NAME, is_inside);
    while end > start && matches!(text[end - 1], b'.' | b'-') {
        end -= 1;
    }
    (start < end && end - start <= LONGEST_NAME).then_some(start..end)
}

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sign {
    /// Where it ends.
    end: usize,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
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
    fn after(text: &[u8], name: &Range<usize>) -> Option<Self> {
        if is_part_of_a_path(text, name) {
            return None;
        }
        let closed = name.end + run(text, name.end, MOST_ESCAPES, |byte| is_quote(byte) || matches!(byte, b'\\' | b']' | b')'));
        let is_closed = text[name.end..closed].iter().any(|byte| is_quote(*byte));
        let mut at = closed + run(text, closed, WIDEST_GAP, is_blank);
        if is_closed && text[at..].starts_with(b"value=") {
            // `<add key="Password" value="…"/>`.
            at += b"value".len();
        }
        let length = run(text, at, 3, |byte| b"=:>|?,".contains(&byte));
        let end = at + length;
        let form = match &text[at..end] {
            b"" if at > closed && !is_closed => {
                if text[..name.start].ends_with(b"-") || text[name.start] == b'-' { Form::Flag } else { Form::Space }
            }
            b"" => return None,
            b"=" if at == name.end => Form::Equals,
            b">" if is_element(text, name) => Form::Element,
            b"," if is_closed => Form::Comma,
            sign if sign.contains(&b'=') || sign.contains(&b':') || sign == b"||" || is_closed && sign == b">" => {
                Form::Operator
            }
            _ => return None,
        };
        Some(Self { end, form })
    }

    fn value(self, text: &[u8], name: &Range<usize>) -> Option<Value> {
        let value = Value::at(text, self, name)?;
        if self.form == Form::Operator && value.manner == Manner::Bare {
            // `let key: String = "…"`: what follows the first sign is a type.
            if let Some(sign) = assignment_after_type(text, self.end) {
                return Value::at(text, Self { end: sign, form: Form::Operator }, name);
            }
        }
        Some(value)
    }
}

/// `arn:…:secret:…`, `AWS::IAM::AccessKey`, `/etc/passwd`.
fn is_part_of_a_path(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[..name.start];
    let after = text.get(name.end).copied();
    before.ends_with(b"::") || before.ends_with(b":") && after == Some(b':') || before.ends_with(b"/") && after != Some(b'=')
}

fn is_element(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b"<")
}

/// Where the `=` ends that follows the name of a type.
fn assignment_after_type(text: &[u8], at: usize) -> Option<usize> {
    let is_type = |byte: u8| is_word(byte) || b" &<>.:[]?'|".contains(&byte);
    let end = at + run(text, at, WIDEST_GAP, is_type);
    (end > at && text.get(end) == Some(&b'=') && is_blank(text[end - 1]) && text.get(end + 1).is_some_and(|b| is_blank(*b)))
        .then_some(end + 1)
}

struct Value {
    range: Range<usize>,
    manner: Manner,
}

impl Value {
    fn at(text: &[u8], sign: Sign, name: &Range<usize>) -> Option<Self> {
        let mut at = sign.end + run(text, sign.end, WIDEST_GAP, is_blank);
        if sign.form != Form::Element && !is_quote(*text.get(at)?) && is_quote(*text.get(at + 1)?) {
            // `b"…"`, `r'…'`, `@"…"`.
            at += usize::from(matches!(text[at], b'b' | b'r' | b'f' | b'u' | b'L' | b'@'));
        }
        let open = at + run(text, at, MOST_ESCAPES, |byte| is_quote(byte) || byte == b'\\' || byte == b'=');
        let quote = text[at..open].iter().copied().rev().find(|byte| is_quote(*byte));
        let open = skip_scheme(text, open);
        let closed = quote.and_then(|quote| end_of_quoted(text, open, quote));
        let range = open..closed.unwrap_or_else(|| end_of_bare(text, open, sign.form, name));
        let header = if sign.form == Form::Operator { header_quote(text, name) } else { None };
        let manner = manner(text, sign.form, quote.or(header), name)?;
        (!range.is_empty()).then_some(Self { range, manner })
    }
}

/// The quote before the name, as in `-H "X-Api-Key: …"`: it stands around the value, too.
fn header_quote(text: &[u8], name: &Range<usize>) -> Option<u8> {
    let before = name.start.checked_sub(1).map(|at| text[at]).filter(|byte| is_quote(*byte));
    before.filter(|_| text.get(name.end) == Some(&b':'))
}

impl Value {
    /// Words alone are secret only where they are long or stand in an environment.
    fn may_be_secret(&self, text: &[u8]) -> bool {
        let value = &text[self.range.clone()];
        let is_word = value.iter().all(u8::is_ascii_alphabetic);
        value.len() >= 4 && (!is_word || value.len() >= 20 || self.manner == Manner::Environment)
    }
}

fn manner(text: &[u8], form: Form, quote: Option<u8>, name: &Range<usize>) -> Option<Manner> {
    match (form, quote) {
        (Form::Comma, None) => None,
        // `pass "x"` and `key "x"` are sentences.
        (Form::Space, _) if run_before(text, name.end, name.len(), is_word) <= 4 => None,
        (Form::Comma, Some(_)) => Some(Manner::Spaced),
        (Form::Operator | Form::Flag | Form::Space, Some(_)) | (Form::Element, _) => Some(Manner::Quoted),
        (Form::Equals, _) if is_environment(&text[name.clone()]) => Some(Manner::Environment),
        (Form::Equals, Some(_)) => Some(Manner::Quoted),
        (Form::Equals | Form::Operator | Form::Flag, None) => Some(Manner::Bare),
        (Form::Space, None) => Some(Manner::Spaced),
    }
}

/// `DB_PASSWORD`, not `dbPassword`.
fn is_environment(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `Authorization: Bearer …`: the first word only says what follows.
fn skip_scheme(text: &[u8], at: usize) -> usize {
    for scheme in [&b"bearer "[..], b"basic ", b"token ", b"apikey ", b"digest "] {
        if text.get(at..at + scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) {
            return at + scheme.len();
        }
    }
    at
}

/// The closing quote on the same line; the backslashes before it belong to it.
fn end_of_quoted(text: &[u8], at: usize, quote: u8) -> Option<usize> {
    let end = at + run(text, at, LONGEST_VALUE, |byte| byte != quote && !matches!(byte, b'\n' | b'\r'));
    let backslashes = run_before(text, end, end - at, |byte| byte == b'\\');
    (text.get(end) == Some(&quote)).then_some(end - backslashes)
}

fn end_of_bare(text: &[u8], at: usize, form: Form, name: &Range<usize>) -> usize {
    let is_generous = form == Form::Equals && is_environment(&text[name.clone()]);
    let ends = |byte: u8| {
        byte.is_ascii_whitespace()
            || is_quote(byte)
            || matches!(byte, b';' | b'&' | b'<' | b'>' | b'\\')
            || !is_generous && matches!(byte, b',' | b')' | b']' | b'}' | b'|')
    };
    let mut end = at + run(text, at, LONGEST_VALUE, |byte| !ends(byte));
    while end > at && matches!(text[end - 1], b',' | b'.' | b')' | b']' | b'}' | b':') {
        end -= 1;
    }
    end
}

/// Whether a value that is known to be secret by its place is worth hiding.
pub(super) fn is_worth_hiding(value: &[u8]) -> bool {
    !is_placeholder(value) && !value.eq_ignore_ascii_case(b"true") && !value.eq_ignore_ascii_case(b"false")
}
