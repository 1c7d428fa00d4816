//! Values beside a secret's name that mean something else there: sizes, kinds of tokens, names of things at a service.

use std::ops::Range;

use super::value::NamedValue;
use crate::bytes::{is_word, run, run_before};
use crate::judge::Manner;
use crate::name::{Kind, kind_of};

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
pub(super) fn is_no_secret(kind: Kind, text: &[u8], name: &Range<usize>, value: &NamedValue) -> bool {
    let (names, found) = (&text[name.clone()], &text[value.range.clone()]);
    kind == Kind::Token && TOKENS.contains(&found)
        || value.manner != Manner::Quoted && is_measure(text, names, value)
        || is_substituted(text, name, found)
        || is_name_of_a_secret(text, name, found)
        || is_kept_elsewhere(text, name, found)
        || is_verdict(text, name, found)
        || is_tag(text, value)
        || names.ends_with(b"-pass") && names.windows(4).any(|word| word == b"ask-")
}

/// `existingSecret: postgres-credentials`, `secret "my-app" deleted`, `--set-secrets=DB_PASSWORD=db-pass:latest`: what a
/// cluster or a service knows a secret by.
fn is_kept_elsewhere(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    let (names, behind) = (&text[name.clone()], text.get(name.end..name.end + NEAR).unwrap_or(&text[name.end..]));
    let is_label = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte);
    let is_object = value.iter().all(is_label);
    let end = names.len().saturating_sub(b"existingSecret".len());
    let is_reference = names[end..].eq_ignore_ascii_case(b"existingSecret");
    let is_told = names == b"secret"
        && behind.starts_with(b" \"")
        && DONE.iter().any(|done| behind[2..].strip_prefix(value).is_some_and(|rest| rest.starts_with(done)));
    let is_mounted = text[..name.start].ends_with(b"-secrets=") && is_version(value);
    is_object && (is_reference || is_told) || is_mounted
}

/// What `kubectl` says of a secret that it names.
const DONE: &[&[u8]] = &[b"\" created", b"\" deleted", b"\" configured", b"\" unchanged", b"\" patched"];

/// `db-pass:latest`, `api-key:2`.
fn is_version(value: &[u8]) -> bool {
    let sign = value.iter().rposition(|byte| *byte == b':');
    sign.is_some_and(|at| &value[at + 1..] == b"latest" || value[at + 1..].iter().all(u8::is_ascii_digit))
}

/// `PASS: tests/login.test.ts`, `PASS: test_foo`: a test that passed, at the beginning of a line.
fn is_verdict(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    if &text[name.clone()] != b"PASS" {
        return false;
    }
    let line = &text[name.start - run_before(text, name.start, NEAR, |byte| byte != b'\n')..name.start];
    let is_first = line.iter().all(u8::is_ascii_whitespace) && text[name.end..].starts_with(b": ");
    let is_test = TESTS.iter().any(|begins| value.starts_with(begins))
        || SUFFIXES.iter().any(|ends| value.ends_with(ends) && value.len() > ends.len() + 2);
    is_first && is_test
}

/// How names of tests begin.
const TESTS: &[&[u8]] = &[b"test_", b"test-", b"tests/", b"tests_", b"test/", b"t/", b"spec/", b"check-", b"check_"];

/// How they end.
const SUFFIXES: &[&[u8]] = &[
    b".sh", b".py", b".ts", b".js", b".rb", b".pl", b".php", b".go", b".rs", b".lua", b".t", b".test", b".exp",
    b"_test", b"-test", b"-tests", b"_tests",
];

/// `!Ref DBPassword`, `!vault |`: what stands behind a tag is named, or sealed, not said.
fn is_tag(text: &[u8], value: &NamedValue) -> bool {
    let before = text[..value.range.start].trim_ascii_end();
    let tag = before.len() - run_before(before, before.len(), NEAR, |byte| is_word(byte) || b"!:".contains(&byte));
    REFERENCES.contains(&&before[tag..]) || REFERENCES.contains(&&text[value.range.clone()])
}

/// Tags of references, and of what is sealed.
const REFERENCES: &[&[u8]] = &[
    b"!Ref", b"!Sub", b"!GetAtt", b"!ImportValue", b"!vault", b"!secret", b"!env", b"!ENV", b"!env_var", b"!reference",
];

/// `pw=1920 ph=1080`, `pass1: 12ms`, `pw: 3.5`: a width, a time, a power. Whole numbers alone are passwords.
fn is_measure(text: &[u8], name: &[u8], value: &NamedValue) -> bool {
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
    if !text[name.clone()].ends_with(b"--secret") {
        return false;
    }
    let line = &text[name.start - run_before(text, name.start, NEAR, |byte| byte != b'\n')..name.start];
    let is_of = |program: &&[u8]| memchr::memmem::find(line, program).is_some();
    let is_name = value.iter().all(|byte| is_word(*byte) || b"-=:".contains(byte));
    is_name && (is_of(&&b"gcloud "[..]) && kind_of(value).is_some() || NAMING.iter().any(is_of))
}

/// Programs that are given the name of a secret, and not what it is, behind `--secret`.
const NAMING: &[&[u8]] = &[b"docker ", b"podman ", b"buildah ", b"nerdctl ", b"pulumi config set "];
