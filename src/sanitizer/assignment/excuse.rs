//! Values beside a secret's name that mean something else there: sizes, kinds of tokens, names of things at a service.

use std::ops::Range;

use super::value::Value;
use crate::sanitizer::bytes::{is_word, run, run_before};
use crate::sanitizer::judge::Manner;
use crate::sanitizer::name::{Kind, kind_of};

/// How far back a command or a neighbour stands.
const NEAR: usize = 160;

/// What lexers call their tokens.
#[rustfmt::skip] // A list of words, as text.
const TOKENS: &[&[u8]] = &[
    b"comma", b"comment", b"delimiter", b"eof", b"ident", b"identifier", b"integer", b"keyword", b"literal", b"newline", b"number", b"operator",
    b"punct", b"punctuation", b"string", b"symbol", b"whitespace", b"word",
];

/// Units behind a number.
const UNITS: &[&[u8]] = &[b"", b"%", b"ms", b"ns", b"px", b"s", b"us", b"w", b"kw", b"W", b"kW"];

/// Whether what a value is, or what stands around it, says that it is none of a secret.
pub(super) fn is_no_secret(kind: Kind, text: &[u8], name: &Range<usize>, value: &Value) -> bool {
    let (names, found) = (&text[name.clone()], &text[value.range.clone()]);
    kind == Kind::Token && TOKENS.contains(&found)
        || value.manner != Manner::Quoted && is_measure(text, names, value)
        || is_substituted(text, name, found)
        || is_name_of_a_secret(text, name, found)
}

/// `pw=1920 ph=1080`, `pass1: 12ms`, `pw: 3.5`: a width, a time, a power. Whole numbers alone are passwords.
fn is_measure(text: &[u8], name: &[u8], value: &Value) -> bool {
    let is_short = matches!(name.to_ascii_lowercase().as_slice(), b"pw" | b"pass1" | b"pass2" | b"pw1" | b"pw2");
    let found = &text[value.range.clone()];
    let digits = run(found, 0, found.len(), |byte| byte.is_ascii_digit() || byte == b'.');
    let is_whole = !found[..digits].contains(&b'.') && digits == found.len();
    let behind = text[value.range.end..].strip_prefix(b" ").unwrap_or_default();
    let is_pair = behind.starts_with(b"ph=") || behind.starts_with(b"ph:");
    is_short && digits > 0 && UNITS.contains(&&found[digits..]) && (!is_whole || is_pair)
}

/// `s/password=.*/password=/`: what is looked for in an expression of `sed`.
fn is_substituted(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    let before = &text[..name.start];
    let is_sought = before.ends_with(b"s/") || before.ends_with(b"s|") || before.ends_with(b"s#");
    let is_sign = |byte: &u8| b".*^[]+\\/|#$()".contains(byte);
    is_sought && value.iter().take(2).all(is_sign) && value.iter().skip(1).any(|byte| b"/|#".contains(byte))
}

/// `gcloud secrets versions access latest --secret=db-password`: which secret is meant.
fn is_name_of_a_secret(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    let line = &text[name.start - run_before(text, name.start, NEAR, |byte| byte != b'\n')..name.start];
    let is_command = memchr::memmem::find(line, b"gcloud ").is_some();
    is_command
        && text[name.clone()].ends_with(b"--secret")
        && value.iter().all(|byte| is_word(*byte) || *byte == b'-')
        && kind_of(value).is_some()
}
