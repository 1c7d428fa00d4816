//! Keys without a shape of their own, beside the name of the service that they belong to.
//!
//! `heroku_key = 8ebb…`, `discord: "95cb…"`, `flickr SECRET io3l…`. Which names there are, stands in `names`.

mod names;

use std::ops::Range;

use super::bytes::{is_escape_letter, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::entropy::centibits;
use super::judge::{is_described, is_uuid};
use super::placeholder::is_placeholder;
pub(super) use names::{NAMES, WORDS};

/// How far a key may stand from the name.
const REACH: usize = 56;

/// No service makes shorter keys.
const SHORTEST: usize = 16;

const LONGEST: usize = 512;

/// Words that say that a key follows.
const CREDENTIALS: &[&[u8]] = &[b"secret", b"token", b"key", b"access", b"private", b"passw", b"auth", b"cred"];

/// Whether the name of a service says enough by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// It does.
    Own,
    /// It is an ordinary word: a word for a key has to stand beside it.
    Ordinary,
}

/// The edit for the key beside the name at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>, name: Name) -> Option<Edit> {
    if !is_likely(text, hit, name) {
        return None;
    }
    let (key, link) = candidate(text, hit.end)?;
    let link = &text[hit.end..link];
    let is_linked = names_a_credential(link) || name == Name::Own && has_sign(link);
    let found = &text[key.clone()];
    (is_linked && is_key(found, link)).then(|| Edit::new(key, "service-key", Class::ApiKey))
}

/// Whether there is anything like a key at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>, name: Name) -> bool {
    let begins = name == Name::Own || begins_word(text, hit.start);
    begins && is_written_as_one_word(&text[hit.clone()]) && candidate(text, hit.end).is_some()
}

/// `meraki`, `Meraki` and `MERAKI`; not the middle of `CameraKit`.
fn is_written_as_one_word(name: &[u8]) -> bool {
    let rest = &name[1..];
    let is_lower = !rest.iter().any(u8::is_ascii_uppercase);
    let is_upper = !name.iter().any(u8::is_ascii_lowercase);
    is_lower || is_upper || name.iter().any(|byte| !byte.is_ascii_alphabetic())
}

fn begins_word(text: &[u8], at: usize) -> bool {
    at == 0 || !text[at - 1].is_ascii_alphanumeric() || is_escape_letter(text, at - 1)
}

/// The first run of letters that is long enough for a key and has digits in it; and where the link to it ends.
fn candidate(text: &[u8], from: usize) -> Option<(Range<usize>, usize)> {
    let limit = text.len().min(from + REACH);
    let mut at = from;
    while at < limit {
        let length = run(text, at, LONGEST, is_key_byte);
        let key = at + skip_name(&text[at..at + length])..at + length;
        if key.len() >= SHORTEST && key.start < limit && text[key.clone()].iter().filter(|b| b.is_ascii_digit()).count() >= 2 {
            return Some((key.clone(), key.start));
        }
        at += length;
        at += run(text, at, REACH, |byte| !is_key_byte(byte) && byte != b'\n' && byte != b'/');
        if at < limit && matches!(text[at], b'\n' | b'/') {
            return None;
        }
    }
    None
}

/// What keys are made of, except `/`: a key with it is rarer than a path.
fn is_key_byte(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.' | b'=' | b'+' | b'~' | b'|')
}

/// How much at the beginning of a run is still the name: `_token=`, `-secret-`, `KEY.`.
fn skip_name(run: &[u8]) -> usize {
    let words = |at: usize| {
        let word = run[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let sign = run.get(at + word).filter(|byte| !byte.is_ascii_alphanumeric())?;
        (word <= 12 && !(word == 0 && *sign == b'.')).then_some(at + word + 1)
    };
    // The last `=` of a name and its value, or the words before the first digit.
    let equals = run.iter().position(|byte| *byte == b'=').filter(|at| run.len() - at > SHORTEST).map_or(0, |at| at + 1);
    let mut at = equals;
    if equals == 0 {
        while let Some(next) = words(at).filter(|next| *next < run.len()) {
            at = next;
        }
    }
    at + run[at..].iter().take_while(|byte| **byte == b'=').count()
}

fn names_a_credential(link: &[u8]) -> bool {
    CREDENTIALS.iter().any(|word| link.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)))
}

/// `=`, `:`, `>`, `,` or `||`, and nothing that makes it a path or a sentence.
fn has_sign(link: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"=:>,|".contains(byte);
    let words = link.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    link.iter().any(is_sign) && words <= 20 && !link.iter().any(|byte| b"/(){}[]@".contains(byte))
}

fn is_key(value: &[u8], link: &[u8]) -> bool {
    let says_id = [&b"_id"[..], b"-id", b"Id\"", b"Id'", b"sha", b"commit", b"hash", b"version"]
        .iter()
        .any(|word| link.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)));
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let fits = is_uuid(value) || letters >= 2 && !is_described(value) && centibits(value) >= 270;
    fits && !says_id && !is_placeholder(value)
}
