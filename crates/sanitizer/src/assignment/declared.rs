//! Values that a language wraps, or before which it puts a type behind the name: `var password string = "x"`,
//! `char pass[32] = "x"`, `String::from("x")`.

use std::ops::Range;

use super::sign::{Form, Sign};
use crate::bytes::{blanks, is_blank, is_quote, is_word, run, run_before};
use crate::name::{Kind, kind_of};

/// How long a type, or what wraps a value, is.
const LONGEST: usize = 64;

/// Calls that give back the text that they are given.
#[rustfmt::skip] // A list of words, as text.
const WRAPPERS: &[&[u8]] = &[
    b"", b"Box::from", b"Buffer.from", b"Cow::from", b"Just", b"Ok", b"Option.of", b"Optional.of", b"QByteArray", b"QLatin1String",
    b"QString", b"QStringLiteral", b"Secret", b"Secret::new", b"SecretStr", b"SecretString::from", b"SecretString::new",
    b"SecretValue.plainText", b"SecretValue.unsafePlainText", b"Some", b"String", b"String::from", b"StringValue", b"TEXT", b"_T",
    b"[]byte", b"aws.String", b"bytes", b"lit", b"new Buffer", b"new String", b"pulumi.String", b"secrecy::Secret::new",
    b"std::string", b"str", b"string",
];

/// The sign before the value of a name that a type or its length stands behind, and text in quotes behind the sign.
pub(super) fn sign(text: &[u8], name: &Range<usize>) -> Option<Sign> {
    // `password{"x"}`, as C++ begins a variable.
    if text[name.end..].starts_with(b"{\"") {
        let inside = run(text, name.end + 2, LONGEST, |byte| byte != b'"' && byte != b'\n');
        let closes = text[name.end + 2 + inside..].starts_with(b"\"}");
        return closes.then(|| Sign::of(name.end, name.end + 1, Form::Call));
    }
    let is_index =
        |byte: u8| byte.is_ascii_digit() || b"[]".contains(&byte) || byte.is_ascii_uppercase() || byte == b'_';
    let index = if text.get(name.end) == Some(&b'[') { run(text, name.end, LONGEST, is_index) } else { 0 };
    let behind = name.end + index;
    let typed = behind + run(text, behind, LONGEST, is_blank);
    let kind = run(text, typed, LONGEST, |byte| is_word(byte) || b".*[]<>?".contains(&byte));
    let at = typed + kind + run(text, typed + kind, LONGEST, is_blank);
    let is_declared = kind > 0 && typed > behind && at > typed + kind || index > 1;
    let is_attribute = name.start > 0 && text[name.start - 1] == b'=';
    let is_sign = text.get(at) == Some(&b'=') && text.get(at + 1) != Some(&b'=');
    let value = at + 1 + blanks(text, at + 1, LONGEST);
    let is_text = text.get(value).is_some_and(|byte| is_quote(*byte) || *byte == b'\\');
    (is_declared && is_sign && is_text && !is_attribute).then(|| Sign::of(at, at + 1, Form::Operator))
}

/// How long the wrapper is that stands here before a text in quotes, which it holds alone: `Some("x")`, `["x"]`.
pub(super) fn length_of_wrapper(text: &[u8], name: &Range<usize>, at: usize) -> usize {
    let word = run(text, at, LONGEST, |byte| is_word(byte) || b":. []".contains(&byte));
    let (word, close) = match text.get(at..at + 2) {
        Some([b'[', b'"' | b'\'' | b'\\']) => (0, b']'),
        _ => (word, b')'),
    };
    let opened = at + word + 1;
    let is_open = matches!(text.get(at + word), Some(b'(')) || close == b']';
    if !is_open || !WRAPPERS.contains(&&text[at..at + word]) {
        return 0;
    }
    // Under other names lists are common: `"auth": ["basic"]`.
    if close == b']' && kind_of(&text[name.clone()]) != Some(Kind::Password) {
        return 0;
    }
    let quote = opened + run(text, opened, LONGEST, |byte| byte == b'\\');
    let Some(sign) = text.get(quote).filter(|byte| is_quote(**byte)) else { return 0 };
    let end = quote + 1 + run(text, quote + 1, 4 * LONGEST, |byte| byte != *sign && byte != b'\n');
    let is_only =
        text.get(end + 1) == Some(&close) && run_before(text, end, end - quote, |byte| byte == b'\\') == quote - opened;
    if is_only { opened - at } else { 0 }
}
