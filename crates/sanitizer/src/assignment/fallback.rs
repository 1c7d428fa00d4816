//! What is taken where a variable has no value: `${DB_PASSWORD:-x}`, `{{ password | default("x") }}`,
//! `environ.get("DB_PASSWORD") or "x"`.

use std::ops::Range;

use crate::bytes::{in_quotes, is_blank, is_quote, run};

/// How long a default is, and what stands before it.
const LONGEST: usize = 256;

/// How many signs close what is around a name.
const MOST_CLOSING: usize = 8;

/// The default behind a name: of a variable of a shell, a filter of a template, or an operator of code.
pub(super) fn behind(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    of_variable(text, name).or_else(|| of_filter(text, name)).or_else(|| of_operator(text, name))
}

/// The default in a value that is one template: `${X:-x}`, `${X-x}`, `${X:x}`, `{{ x | default("x") }}`.
pub(super) fn within(text: &[u8], value: &Range<usize>) -> Option<Range<usize>> {
    let found = &text[value.clone()];
    if found.starts_with(b"${") && found.ends_with(b"}") {
        let name = value.start + 2..value.start + 2 + run(found, 2, LONGEST, is_of_variable);
        let sign = length_of_sign(text, name.end).or_else(|| (text.get(name.end) == Some(&b'-')).then_some(1))?;
        return up_to_brace(text, name.end + sign).filter(|inner| inner.end + 1 == value.end);
    }
    let at = memchr::memmem::find(found, b"|").filter(|_| found.starts_with(b"{{"))?;
    filter(text, value.start + at).filter(|inner| inner.end < value.end)
}

fn is_of_variable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.".contains(&byte)
}

/// `${DB_PASSWORD:-x}`, `${env:DB_PASSWORD:=x}`, `${db.password:x}`.
fn of_variable(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let before = &text[..name.start];
    let is_opened = before.ends_with(b"${") || before.ends_with(b"${env:");
    // `${secret:db}` names a store, and what is in it.
    let is_store = !text[name.clone()].iter().any(|byte| b"._".contains(byte)) && text[name.end..].starts_with(b":");
    let is_plain = is_store && !matches!(text.get(name.end + 1), Some(b'-' | b'='));
    let sign = length_of_sign(text, name.end).filter(|_| is_opened && !is_plain)?;
    up_to_brace(text, name.end + sign)
}

/// `:-`, `:=`, `:`, `=`; behind `:?` an error stands, and behind `:+` what is taken otherwise.
fn length_of_sign(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b':', b'-' | b'=', ..] => Some(2),
        [b':', b'?' | b'+', ..] => None,
        [b':' | b'=', ..] => Some(1),
        _ => None,
    }
}

/// Up to the brace that closes; another variable has a name of its own.
fn up_to_brace(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + run(text, at, 1, is_quote);
    let end = start + run(text, start, LONGEST, |byte| byte != b'}' && !is_quote(byte) && byte != b'\n');
    let closed = end + usize::from(start > at);
    let is_other = matches!(text.get(start), Some(b'$' | b'{'));
    (start < end && text.get(closed) == Some(&b'}') && !is_other).then_some(start..end)
}

/// Where the signs end that close what is around a name: `')`, `"]`.
fn closed(text: &[u8], at: usize) -> usize {
    at + run(text, at, MOST_CLOSING, |byte| is_quote(byte) || b")]\\".contains(&byte))
}

/// `password | default("x")`, `lookup("env", "DB_PASSWORD") | default("x", true)`, `.Values.password | default "x"`.
fn of_filter(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let at = closed(text, name.end);
    let bar = at + run(text, at, MOST_CLOSING, is_blank);
    (text.get(bar) == Some(&b'|')).then(|| filter(text, bar)).flatten()
}

fn filter(text: &[u8], bar: usize) -> Option<Range<usize>> {
    let word = bar + 1 + run(text, bar + 1, MOST_CLOSING, is_blank);
    let rest = text[word..].strip_prefix(b"default")?;
    let opened = word + b"default".len() + run(rest, 0, MOST_CLOSING, |byte| is_blank(byte) || byte == b'(');
    quoted(text, opened).map(|(inside, _)| inside)
}

/// `get("DB_PASSWORD") or "x"`, `env["DB_PASSWORD"] || "x"`, `fetch("DB_PASSWORD") { "x" }`.
fn of_operator(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let at = closed(text, name.end);
    let is_taken_out = text[name.end..at].iter().any(|byte| b")]".contains(byte));
    let operator = at + run(text, at, MOST_CLOSING, is_blank);
    let length = [&b"or "[..], b"{ "].iter().find(|word| text[operator..].starts_with(word))?.len();
    let (inside, behind) = quoted(text, operator + length).filter(|_| is_taken_out)?;
    // `"x" in y` is asked, not taken.
    let next = behind + run(text, behind, MOST_CLOSING, is_blank);
    let fits = if text[operator] == b'{' { text.get(next) == Some(&b'}') } else { !text[next..].starts_with(b"in ") };
    fits.then_some(inside)
}

/// What stands in the quotes here, and where those end.
fn quoted(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let (inside, quote) = in_quotes(text, at, LONGEST)?;
    let behind = inside.end + run(text, inside.end, MOST_CLOSING, |byte| byte == b'\\');
    (text.get(behind) == Some(&quote) && !inside.is_empty()).then_some((inside, behind + 1))
}
