//! Keys without a shape of their own, beside the name of the service that they belong to.
//!
//! `heroku_key = 8ebb…`, `discord: "95cb…"`, `flickr SECRET io3l…`. Which names there are, stands in `names`.

mod names;

use std::ops::Range;

use super::assignment::is_elided;
use super::bytes::{is_escape_letter, is_word, run};
use super::class::Class;
use super::edit::Edit;
use super::judge::{is_described, is_name, is_one_piece, is_random, is_uuid};
use super::placeholder::{is_illustration, is_number, is_placeholder};
pub(super) use names::{NAMES, WORDS};

/// The name of the rule.
pub(super) const RULE: &str = "service-key";

/// How far a key may stand from the name.
const REACH: usize = 56;

/// How much longer a text can be in JSON: a line end takes two bytes, and longer escapes are seen as such.
const ESCAPED: usize = 2;

/// No service makes shorter keys.
const SHORTEST: usize = 16;

/// What is as long as this and random is a key beside an ordinary word, too.
const LONG: usize = 20;

const LONGEST: usize = 256;

/// Names up to this length stand in other words by chance.
const SHORT_NAME: usize = 4;

/// What is longer is no word of a name.
const LONGEST_WORD: usize = 20;

/// Words that say that a key follows.
const CREDENTIALS: &[&[u8]] = &[b"secret", b"token", b"key", b"access", b"private", b"passw", b"auth", b"cred"];

/// Words that say that what follows is no secret.
const PUBLIC: &[&[u8]] = &[
    b"_id", b"-id", b"id\"", b"id'", b"sha", b"commit", b"hash", b"version", b"verif", b"signature", b"digest",
    b"etag", b"integrity", b"public",
];

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
    let (key, link) = candidate(text, hit.end, REACH)?;
    let link = &text[hit.end..link];
    let found = &text[key.clone()];
    let says_enough = name == Name::Own || found.len() >= LONG && is_one_piece(found);
    if link.starts_with(b"::") || is_urn(link) {
        return None;
    }
    let is_linked = names_a_credential(link) || says_enough && has_sign(link) && !is_typed(found);
    (is_linked && !is_elided(text, key.end) && is_key(found, link)).then(|| Edit::new(key, RULE, Class::ApiKey))
}

/// Whether there is anything like a key at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>, name: Name) -> bool {
    let near = &text[hit.end..text.len().min(hit.end + REACH * ESCAPED)];
    if !near.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()) {
        return false;
    }
    let begins = name == Name::Own || begins_word(text, hit.start);
    !is_within_a_word(text, hit)
        && is_written_as_one_word(&text[hit.clone()])
        && candidate(text, hit.end, REACH * ESCAPED)
            .is_some_and(|(key, _)| (begins || key.len() >= LONG) && is_key_like(&text[key]))
}

/// `meraki`, `Meraki` and `MERAKI`; not the middle of `CameraKit`.
fn is_written_as_one_word(name: &[u8]) -> bool {
    let rest = &name[1..];
    let is_lower = !rest.iter().any(u8::is_ascii_uppercase);
    let is_upper = !name.iter().any(u8::is_ascii_lowercase);
    is_lower || is_upper || name.iter().any(|byte| !byte.is_ascii_alphabetic())
}

/// The `lob` of `globals`: a short name in the middle of a word in small letters.
fn is_within_a_word(text: &[u8], name: &Range<usize>) -> bool {
    let around = name.start.checked_sub(1).and_then(|before| text.get(before..=name.end));
    name.len() <= SHORT_NAME && around.is_some_and(|around| around.iter().all(u8::is_ascii_lowercase))
}

fn begins_word(text: &[u8], at: usize) -> bool {
    at == 0 || !text[at - 1].is_ascii_alphanumeric() || is_escape_letter(text, at - 1)
}

/// The first run of letters that is long enough for a key and has digits in it; and where the link to it ends.
fn candidate(text: &[u8], from: usize, reach: usize) -> Option<(Range<usize>, usize)> {
    let limit = text.len().min(from + reach);
    let mut at = from;
    while at < limit {
        let length = run(text, at, LONGEST, is_key_byte);
        let key = at + skip_name(&text[at..at + length], Run::of(at, from))..at + length;
        if key.len() >= SHORTEST && key.start < limit && may_be_random(&text[key.clone()]) {
            return Some((key.clone(), key.start));
        }
        at += length;
        at += run(text, at, reach, |byte| !is_key_byte(byte) && byte != b'\n' && byte != b'/');
        if at < limit && matches!(text[at], b'\n' | b'/') {
            return None;
        }
    }
    None
}

/// Digits, or capitals among small letters.
fn may_be_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    digits >= 2 || value.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase)
}

/// What keys are made of, except `/`: a key with it is rarer than a path.
fn is_key_byte(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.' | b'=' | b'+' | b'~' | b'|')
}

/// Where a run of letters stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    /// Directly behind the name of the service, so that it may be a part of a longer name.
    Attached,
    /// Anywhere else.
    Apart,
}

impl Run {
    fn of(at: usize, name_end: usize) -> Self {
        if at == name_end { Self::Attached } else { Self::Apart }
    }
}

/// How much at the beginning of a run is still a name: `_token=`; or, behind the service, `-secret-` and `KEY.`.
fn skip_name(run: &[u8], place: Run) -> usize {
    let is_name = |at: &usize| run.len() - at > SHORTEST && is_described(&run[..*at]);
    let at = match run.iter().position(|byte| *byte == b'=').filter(is_name) {
        Some(equals) => equals + 1,
        None if place == Run::Attached => skip_words(run),
        None => 0,
    };
    at + run[at..].iter().take_while(|byte| matches!(byte, b'=' | b'|')).count()
}

/// How many letters the words take that have a sign behind them.
fn skip_words(run: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let word = run[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let is_followed = at + word + 1 < run.len() && !run[at + word].is_ascii_alphanumeric();
        if word > LONGEST_WORD || !is_followed {
            return at;
        }
        at += word + 1;
    }
}

fn names_a_credential(link: &[u8]) -> bool {
    CREDENTIALS.iter().any(|word| link.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)))
}

/// `spotify:track:…`: the name of a thing at the service.
fn is_urn(link: &[u8]) -> bool {
    let kind = link.strip_prefix(b":").and_then(|rest| rest.strip_suffix(b":")).unwrap_or_default();
    !kind.is_empty() && kind.iter().all(u8::is_ascii_lowercase) && !names_a_credential(kind)
}

/// `=`, `:`, `>`, `,` or `||`, and nothing that makes it a path or a sentence.
fn has_sign(link: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"=:>,|".contains(byte);
    let words = link.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    link.iter().any(is_sign) && words <= 20 && !link.iter().any(|byte| b"/(){}[]@".contains(byte))
}

/// Mostly in the order of the alphabet or of the keyboard's digits, as nothing random is.
fn is_typed(value: &[u8]) -> bool {
    value.windows(2).filter(|pair| pair[1] == pair[0].wrapping_add(1)).count() * 2 > value.len()
}

fn is_key(value: &[u8], link: &[u8]) -> bool {
    let is_public = PUBLIC.iter().any(|word| link.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word)));
    is_key_like(value) && !is_public && !is_placeholder(value) && !is_number(value) && !is_illustration(value)
}

fn is_key_like(value: &[u8]) -> bool {
    // `attempt=0|variant=a|trace=9f86` is a list of names and values.
    let is_list = value.contains(&b'=') && value.contains(&b'|');
    !is_list
        && !is_host(value)
        && !is_member(value)
        && !is_alternatives(value)
        && (is_uuid(value) || is_random(value) && !is_name(value))
}

/// `n8n_workflow_1.SEND_AND_WAIT`: names of code, one of which is put together from words.
fn is_member(value: &[u8]) -> bool {
    let is_phrase = |part: &[u8]| part.split(|byte| *byte == b'_').filter(|word| word.len() >= 3).count() >= 2;
    let mut parts = value.split(|byte| *byte == b'.');
    value.contains(&b'.') && parts.clone().all(is_name) && parts.any(is_phrase)
}

/// `Int8Array|Uint8Array|stream.Stream`: names of types.
fn is_alternatives(value: &[u8]) -> bool {
    value.contains(&b'|') && value.split(|byte| b"|.".contains(byte)).all(is_name)
}

/// `d111111abcdef8.cloudfront.net`, at the end of a sentence, too.
fn is_host(value: &[u8]) -> bool {
    let value = value.strip_suffix(b".").unwrap_or(value);
    let last = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    last.len() < value.len() && DOMAINS.iter().any(|domain| last.eq_ignore_ascii_case(domain))
}

/// The last parts of names of hosts.
const DOMAINS: &[&[u8]] =
    &[b"com", b"net", b"org", b"io", b"dev", b"app", b"cloud", b"local", b"internal", b"localhost"];
