//! Whether a value that stands where a secret may stand is one.
//!
//! Does not find values; `assignment`, `service` and `json` do.

use super::bytes::{is_token, is_word, run};
use super::entropy::centibits;
use super::name::Kind;
use super::placeholder::{is_count, is_illustration, is_number, is_placeholder, is_reference, is_vocabulary};

/// How a value stands beside its name: the first five are texts, in the others a word may be a name of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A whole JSON string.
    Whole,
    /// `NAME=value` in an environment.
    Environment,
    /// After a sign, in quotes.
    Quoted,
    /// `name: value` alone on a line of settings, `name=value&` in a query.
    Setting(Joint),
    /// `--name value`, `login ann password value`.
    Argument,
    /// `name=value`, `name: value` anywhere.
    Bare,
    /// Only a space between name and value.
    Spaced,
}

/// What joins the name and the value of a setting. Behind a colon a word may be a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Equals,
    Colon,
}

impl Manner {
    fn is_code(self) -> bool {
        matches!(self, Self::Bare | Self::Spaced)
    }
}

/// Longer values are not what anybody types or pastes as one secret.
const LONGEST: usize = 8192;

/// Shorter values are no passwords that protect anything.
const SHORTEST: usize = 3;

/// A key that somebody made up is at least so long.
const SHORTEST_KEY: usize = 6;

/// Whether the value is taken out.
pub(super) fn is_secret(kind: Kind, value: &[u8], manner: Manner) -> bool {
    if value.iter().any(u8::is_ascii_whitespace) {
        let may_be_phrase = kind == Kind::Password && matches!(manner, Manner::Whole | Manner::Quoted);
        return may_be_phrase && is_passphrase(value);
    }
    // The whole value is a placeholder, or it goes (decision 49): a word inside one excuses nothing, because
    // `example7` and `test-me` are passwords.
    if value.len() > LONGEST || is_placeholder(value) || is_path(value) {
        return false;
    }
    if kind != Kind::Password
        && (is_illustration(value) || is_repetition(value) || value.len() < 20 && is_number(value))
    {
        return false;
    }
    match kind {
        Kind::Password => is_password(value, manner),
        Kind::Secret => is_chosen_key(value, manner, SHORTEST + 1) || is_key(value, manner),
        Kind::Credential => is_key(value, manner),
        Kind::ApiKey | Kind::AccessToken => {
            let is_text = manner != Manner::Setting(Joint::Colon);
            is_text && is_chosen_key(value, manner, SHORTEST_KEY) || is_made_by_machine(value, manner)
        }
        Kind::Token => {
            let is_text = matches!(manner, Manner::Environment | Manner::Setting(Joint::Equals) | Manner::Argument);
            is_text && is_chosen_key(value, manner, SHORTEST + 1) || is_made_by_machine(value, manner)
        }
        Kind::Key => manner != Manner::Spaced && is_surely_random(value),
    }
}

/// `1*tchar`: how often something stands in a grammar of a standard (RFC 5234).
fn is_repetition(value: &[u8]) -> bool {
    let digits = run(value, 0, 3, |byte| byte.is_ascii_digit());
    let name = value[digits..].strip_prefix(b"*").unwrap_or_default();
    digits > 0 && name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'(')
}

/// A key that a person put where a machine's belongs: `secret: "keyboardcat"`, `API_KEY=dev-key`.
fn is_chosen_key(value: &[u8], manner: Manner, shortest: usize) -> bool {
    let is_member = value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_name);
    !manner.is_code()
        && !is_member
        && value.len() >= shortest
        && !is_number(value)
        && !is_label(value)
        && !is_vocabulary(value)
}

/// Made by a machine, or letters and digits that are no words.
fn is_key(value: &[u8], manner: Manner) -> bool {
    is_made_by_machine(value, manner) || value.len() >= 8 && is_mixed(value, manner)
}

/// What a person chose: where it is a text, anything; in code, anything but a word, an expression or a description.
fn is_password(value: &[u8], manner: Manner) -> bool {
    if !manner.is_code() {
        return value.len() >= SHORTEST && !is_label(value);
    }
    if is_expression(value) || is_number(value) || is_type_name(value, 3) {
        return false;
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_one_piece = value.iter().all(u8::is_ascii_alphanumeric) && digits < value.len();
    if manner == Manner::Spaced {
        return value.len() >= 8 && digits >= 2 && !is_described(value);
    }
    value.len() >= 4
        && (digits > 0 && (is_one_piece || !is_described(value)) || has_inner_sign(value) || is_hyphenated(value))
}

/// `tiger-lily`: words joined as no name of code is. Of those that prose joins, the first is short or no word of its own.
fn is_hyphenated(value: &[u8]) -> bool {
    let is_word = |word: &[u8]| word.len() >= 4 && word.iter().all(u8::is_ascii_lowercase);
    value.contains(&b'-') && value.split(|byte| *byte == b'-').all(is_word)
}

/// What a form shows beside a field, or what a program names: `Password:`, `#password`, `users.password`.
fn is_label(value: &[u8]) -> bool {
    value.ends_with(b":") || value.starts_with(b"--") || value.windows(2).any(|pair| pair == b"::" || pair == b"\\x")
}

/// Three small words or more, and none that a sentence about passwords has.
fn is_passphrase(value: &[u8]) -> bool {
    let mut words = value.split(|byte| *byte == b' ');
    let count = words.clone().count();
    let is_small =
        |word: &[u8]| word.len() >= 3 && word.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (3..=8).contains(&count)
        && words.all(|word| is_small(word) && !SENTENCE_WORDS.iter().any(|other| other.as_bytes() == word))
}

/// Words of sentences about passwords, which passphrases have not.
#[rustfmt::skip] // A list of words, as text.
const SENTENCE_WORDS: &[&str] = &[
    "and", "any", "are", "account", "are", "auth", "been", "can", "cannot", "does", "empty", "enter", "error", "failed",
    "field", "for", "from", "has", "have", "incorrect", "invalid", "key", "length", "match", "missing", "must", "need", "new", "not", "optional",
    "password", "passwords", "provided", "required", "reset", "secret", "set", "short", "should", "the", "this", "token", "too", "use", "used", "user", "valid",
    "value", "was", "weak", "when", "will", "with", "wrong", "you", "your",
];

/// A sign between the first and the last letter; one at the end is more often a label's: `Password*`.
fn has_inner_sign(value: &[u8]) -> bool {
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or_default();
    value.len() >= 6 && inner.iter().any(|byte| b"!@#$%^&*+=?~".contains(byte))
}

/// Letters and digits that are more than words with numbers, or a sign between letters.
fn is_mixed(value: &[u8], manner: Manner) -> bool {
    let has_escapes = value.windows(2).any(|pair| pair == b"\\x" || pair == b"\\u");
    if manner.is_code() || has_escapes {
        return false;
    }
    value.iter().any(u8::is_ascii_digit) && !is_described(value) || has_inner_sign(value)
}

/// Random: hexadecimal, a UUID, or letters and digits that make no words.
pub(super) fn is_made_by_machine(value: &[u8], manner: Manner) -> bool {
    let shortest = match manner {
        Manner::Whole | Manner::Environment | Manner::Quoted | Manner::Setting(_) | Manner::Argument => 10,
        Manner::Bare => 14,
        Manner::Spaced => 16,
    };
    let is_written_so = |byte: &u8| is_token(*byte) || b":%@!".contains(byte);
    if value.len() < shortest || !value.iter().all(is_written_so) {
        return false;
    }
    is_uuid(value) || is_random(value) && !(manner == Manner::Bare && is_code(value))
}

/// Random, and too long for the key of a map; a UUID is more often one of those.
fn is_surely_random(value: &[u8]) -> bool {
    let is_plain = value.iter().all(|byte| is_word(*byte) || b"-+/=".contains(byte));
    value.len() >= 24 && is_plain && is_one_piece(value) && is_random(value)
}

/// Not put together from words and numbers, as `linux-x64-9f86d0` is; nor a UUID.
pub(super) fn is_one_piece(value: &[u8]) -> bool {
    let words = value.split(|byte| *byte == b'-').filter(|segment| is_word_or_number(segment)).count();
    words <= 1 && !is_uuid(value)
}

/// Letters and digits that make no words.
pub(super) fn is_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters == 0 {
        return digits >= 20 && centibits(value) >= 300;
    }
    let least = if value.len() < 20 { 270 } else { 300 };
    centibits(value) >= least && (digits >= 2 && !is_described(value) || is_shuffled(value)) && !is_type_name(value, 2)
}

/// `SensitiveString2048`, `Schema$CloudV1p1beta1_VideoSegment`: so many words, each with a capital, make up most of it.
/// In random letters hardly any three look like such a word, and digits stand alone.
fn is_type_name(value: &[u8], least_words: usize) -> bool {
    let (mut at, mut words, mut covered, mut numbers) = (0, 0, 0, 0);
    while at < value.len() {
        let digits = run(value, at, value.len(), |byte| byte.is_ascii_digit());
        let capital = usize::from(value[at].is_ascii_uppercase());
        let small = run(value, at + capital, value.len(), |byte| byte.is_ascii_lowercase());
        let begins = capital == 1 || at == 0 || !value[at - 1].is_ascii_alphanumeric();
        let has_vowel = value[at..at + capital + small].iter().any(|byte| b"aeiouyAEIOUY".contains(byte));
        if begins && small >= 2 && has_vowel {
            words += 1;
            covered += capital + small;
        }
        numbers += usize::from(digits > 0);
        at += (capital + small).max(digits).max(1);
    }
    let rest = value.iter().filter(|byte| !byte.is_ascii_digit()).count();
    value.iter().all(|byte| is_word(*byte) || b"$.[]".contains(byte))
        && value.iter().any(u8::is_ascii_uppercase)
        && words >= least_words.max(numbers)
        && covered * 4 >= rest * 3
}

/// Long, without digits, and changing between capitals and small letters all the time.
fn is_shuffled(value: &[u8]) -> bool {
    let changes = value.windows(2).filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase()).count();
    value.len() >= 20
        && value.iter().all(|byte| is_word(*byte) || b"+/=-".contains(byte))
        && changes * 5 >= value.len() * 2
}

/// Made of words and numbers, as names and versions are: `rc0.13.0-SNAPSHOT`, `my-key-2`.
pub(super) fn is_described(value: &[u8]) -> bool {
    value.split(|byte| !byte.is_ascii_alphanumeric()).all(is_word_or_number)
}

fn is_word_or_number(segment: &[u8]) -> bool {
    let letters = segment.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, digits) = segment.split_at(letters);
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let is_ordinal = word.is_empty() && digits.len() <= 4 && !digits.is_empty();
    let is_short = word.len() <= 20 || digits.is_empty();
    is_number
        && is_short
        && (digits.len() <= if word.is_empty() { 13 } else { 3 } || is_count(digits))
        && !(word.len() >= 20 && is_shuffled(word))
        || is_ordinal
}

/// `8-4-4-4-12` letters and digits.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    let mut groups = value.split(|byte| *byte == b'-');
    let fits = [8, 4, 4, 4, 12].into_iter().all(|length| {
        groups.next().is_some_and(|group| group.len() == length && group.iter().all(u8::is_ascii_alphanumeric))
    });
    fits && groups.next().is_none()
}

/// A path, or a URL: what is secret in a URL, `url` finds.
fn is_path(value: &[u8]) -> bool {
    let starts = [&b"/"[..], b"./", b"../", b"~/", b"http:", b"https:", b"C:\\"];
    let has_scheme = value.windows(3).any(|window| window == b"://");
    let slashes = memchr::memchr_iter(b'/', value).count();
    let from_variable = value.starts_with(b"$") && value.split(|byte| *byte == b'/').next().is_some_and(is_reference);
    has_scheme
        || from_variable && slashes > 0
        || slashes >= 2
            && value.split(|byte| *byte == b'/').all(|part| part.len() < 40 && is_described(part))
            && !value.contains(&b'=')
        || starts[1..].iter().any(|start| value.starts_with(start))
        || value.starts_with(b"/")
            && (slashes >= 2 || is_described(value))
            && !value.ends_with(b"=")
            && value.iter().all(|byte| is_word(*byte) || b"/.-".contains(byte))
            && value.split(|byte| *byte == b'/').all(|part| part.len() < 20)
}

/// A name, a chain of names or a call: `config.token2`, `getToken()`, `a::b`, `p->q`, `!!rule.token`, `t.A=t.B=void`.
fn is_code(value: &[u8]) -> bool {
    is_expression(value) || is_name(value)
}

fn is_expression(value: &[u8]) -> bool {
    let has_operator = value.windows(2).any(|pair| pair == b"::" || pair == b"->");
    let asked = &value[run(value, 0, 2, |byte| byte == b'!')..];
    let is_name_or_member = |part: &[u8]| !part.is_empty() && part.split(|byte| *byte == b'.').all(is_name);
    let is_chain = asked.contains(&b'.') && asked.split(|byte| *byte == b'=').all(is_name_or_member);
    has_operator || is_chain || value.iter().any(|byte| b"()[]{}".contains(byte))
}

/// Few digits, and those at the ends of words, as in names that programmers choose.
pub(super) fn is_name(part: &[u8]) -> bool {
    part.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && part.iter().all(|byte| is_word(*byte))
        && part.split(|byte| *byte == b'_').all(|word| {
            let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
            let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
            // `nl80211_pattern_support` has a standard's number in it.
            changes <= 3 && (digits <= 3 || changes == 1 && digits <= 5 && part.contains(&b'_'))
        })
}
