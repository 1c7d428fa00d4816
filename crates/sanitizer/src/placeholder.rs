//! Values that stand where a secret would stand and are none (decision 49).
//!
//! Only a whole value can be one: a word or a first letter inside of it excuses nothing.

mod reference;
mod vocabulary;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::name;
pub(super) use reference::{is_reference, template};
use vocabulary::{FILLERS, GUESTS, MARKERS, PUBLISHED, RULES, STANDARDS, TYPES, WHOLE};

/// Longer values are no placeholders that anybody writes.
const LONGEST: usize = 256;

/// What is longer is no run of words that ask for a value.
const LONGEST_PHRASE: usize = 64;

/// Whether a value only stands for a secret, or is something else that is known.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    if value.len() > LONGEST {
        return is_run(value) || is_published(value);
    }
    is_run(value)
        || is_listed(value)
        || is_reference(value)
        || is_type(value)
        || is_published(value)
        || is_flag(value)
        || is_rules(value)
}

/// `required|string|min:8`: what a value has to be, as Laravel writes it.
fn is_rules(value: &[u8]) -> bool {
    let name = |rule: &[u8]| rule.iter().take_while(|byte| **byte != b':').count();
    let is_rule = |rule: &[u8]| RULES.iter().any(|other| other.as_bytes() == &rule[..name(rule)]);
    value.contains(&b'|') && value.split(|byte| *byte == b'|').all(is_rule)
}

/// `0x40`: a constant of a program, of four bytes at most.
fn is_flag(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"0x").unwrap_or_default();
    (1..=8).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit)
}

/// One character again and again, as in `xxxxx`, `****` and `00000000-0000`.
pub(super) fn is_run(value: &[u8]) -> bool {
    let is_separator = |letter: &char| matches!(letter, '-' | '_' | '.' | ':' | ' ');
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let mut letters = text.chars().filter(|letter| !is_separator(letter));
    let Some(first) = letters.next() else { return true };
    text.chars().nth(2).is_some() && letters.all(|letter| letter.eq_ignore_ascii_case(&first))
}

/// An illustration of a token: a few letters of a vendor and then a mask, as in `hf_xxxxxxxx`; one group again and
/// again; or the end that AWS gives its examples. Nobody chooses a password so, but a password may look so.
pub(super) fn is_illustration(value: &[u8]) -> bool {
    let letters = value.trim_ascii_end().strip_suffix(b"=").unwrap_or(value);
    let last = letters.last().copied().unwrap_or_default();
    let run = letters.iter().rev().take_while(|byte| **byte == last).count();
    let is_masked = run >= 8 || run >= 3 && b"xX*.#".contains(&last) && letters.len() - run <= 16;
    let groups: Vec<&[u8]> = value.split(|byte| *byte == b'-').collect();
    let is_repeated =
        groups.windows(3).any(|three| three[0].len() >= 3 && three[0] == three[1] && three[1] == three[2]);
    let is_elided = value.windows(3).any(|window| window == b"..." || window == "…".as_bytes());
    is_masked || is_repeated || is_elided || ends_as_example(value)
}

/// Whether documentation ends its examples so, as AWS does.
pub(super) fn ends_as_example(value: &[u8]) -> bool {
    value.ends_with(b"EXAMPLE") || value.ends_with(b"EXAMPLEKEY")
}

/// A number as programs write it: `4096`, `36i32`, `0x8004170B_u32`.
pub(super) fn is_number(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let hex = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    let end = value.iter().rposition(|byte| matches!(byte, b'u' | b'i' | b'f')).unwrap_or(value.len());
    let (digits, suffix) = value.split_at(end);
    let is_suffix = matches!(suffix.get(1..), None | Some(b"8" | b"16" | b"32" | b"64" | b"128" | b"size"));
    let is_digits = digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_');
    let is_hex =
        |hex: &[u8]| hex.len() <= 20 && hex.iter().all(|byte| byte.is_ascii_hexdigit() || b"_ui".contains(byte));
    is_suffix && is_digits && !digits.is_empty() || hex.is_some_and(is_hex) || is_count(value) || is_fraction(value)
}

/// `1.9721522630525295e-31`.
fn is_fraction(value: &[u8]) -> bool {
    let (mantissa, exponent) = match value.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&value[..at], &value[at + 1..]),
        None => (value, &b"0"[..]),
    };
    let exponent = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
    let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let mut parts = mantissa.splitn(2, |byte| *byte == b'.');
    let is_whole = parts.next().is_some_and(is_digits);
    is_whole && parts.next().is_some_and(is_digits) && is_digits(exponent)
}

/// Digits that count up or down, as everybody types them.
pub(super) fn is_count(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_digit) && value.windows(2).all(|pair| matches!((pair[1] + 10 - pair[0]) % 10, 1 | 9))
}

/// A member of the list, or words of which all are the vocabulary of placeholders: `<your-api-key>`, `INSERT_TOKEN_HERE`.
fn is_listed(value: &[u8]) -> bool {
    let is_frame = |byte: &u8| b"<>[]{}()*_.-\"'` ".contains(byte);
    let start = value.iter().position(|byte| !is_frame(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_frame(byte)).map_or(start, |at| at + 1);
    let inner = &value[start..end];
    if inner.len() > LONGEST_PHRASE {
        return false;
    }
    let is_joint = |byte: &u8| b"-_. /".contains(byte);
    let joined: Vec<u8> = inner.iter().filter(|byte| !is_joint(byte)).map(u8::to_ascii_lowercase).collect();
    LISTED.contains(joined.as_slice()) || name::is_bare_name(&joined) || is_phrase(&joined)
}

static LISTED: LazyLock<BTreeSet<&[u8]>> = LazyLock::new(|| WHOLE.iter().map(|word| word.as_bytes()).collect());

/// A word of a phrase, and whether it asks for a value.
type PhraseWord = (&'static [u8], bool);

/// The words of a phrase by their first letter, and whether one asks for a value.
static PHRASE_WORDS: LazyLock<[Vec<PhraseWord>; 256]> = LazyLock::new(|| {
    let mut words = [const { Vec::new() }; 256];
    let all = MARKERS.iter().map(|word| (word, true)).chain(FILLERS.iter().map(|word| (word, false)));
    for (word, marks) in all {
        words[usize::from(word.as_bytes()[0])].push((word.as_bytes(), marks));
    }
    words
});

/// Whether a value is made of three words or more that name a secret, and nothing else: `aws_secret_access_key`,
/// `AWSAccessKeyId`.
pub(super) fn is_vocabulary(value: &[u8]) -> bool {
    let is_name = value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    let words = if is_name { name::words(value) } else { Vec::new() };
    words.len() >= 3 && words.iter().all(|word| FILLERS.iter().any(|filler| filler.as_bytes() == word.as_slice()))
}

/// Whether the letters can be cut into words of the vocabulary, one of which asks for a value.
fn is_phrase(joined: &[u8]) -> bool {
    // For each place: whether words end there, without and with a marker among them.
    let mut ends = [(false, false); LONGEST_PHRASE + 1];
    ends[0].0 = true;
    for at in 0..joined.len() {
        let (plain, marked) = ends[at];
        if !plain && !marked {
            continue;
        }
        let words = &PHRASE_WORDS[usize::from(joined[at])];
        for &(word, marks) in words.iter().filter(|(word, _)| joined[at..].starts_with(word)) {
            let end = &mut ends[at + word.len()];
            end.0 |= plain && !marks;
            end.1 |= marked || marks;
        }
    }
    ends[joined.len()].1
}

/// A type of a language: `String`, `Option<String>`, `string | null`, `&'a str`.
fn is_type(value: &[u8]) -> bool {
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_<>[](), |&?*':.".contains(byte);
    value.iter().all(is_inside)
        && value.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).all(|word| {
            let is_lifetime = word.len() == 1 || word == b"static";
            is_lifetime && value.contains(&b'\'') || TYPES.iter().any(|name| name.as_bytes() == word)
        })
        && value.iter().any(u8::is_ascii_alphabetic)
}

/// Ids, checksums and keys that are made to be published, by their whole shape.
fn is_published(value: &[u8]) -> bool {
    let begins_so = PUBLISHED.iter().any(|(prefix, least)| {
        value.strip_prefix(prefix.as_bytes()).is_some_and(|rest| {
            rest.len() >= *least && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-.:@ ".contains(byte))
        })
    });
    begins_so
        || STANDARDS.iter().any(|example| example.as_bytes() == value)
        || GUESTS.iter().any(|guest| guest.as_bytes().eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_that_stand_for_a_secret_are_known() {
        let made_up = [
            "",
            "****",
            "xxxxxxxx",
            "00000000-0000",
            "•••••",
            "$TOKEN",
            "${TOKEN}",
            "${TOKEN:-none}",
            "$(pass show x)",
            "{{ token }}",
            "<your-key>",
            "%PASSWORD%",
            "%(password)s",
            "%s",
            "{}",
            "{0}",
            "{password}",
            "[PASSWORD]",
            "process.env.KEY",
            "os.environ['KEY']",
            "getenv(\"KEY\")",
            "env::var(\"KEY\")",
            "your-api-key",
            "YOUR_TOKEN_HERE",
            "insert token here",
            "changeme",
            "CHANGE_ME",
            "change-it",
            "null",
            "None",
            "undefined",
            "String",
            "Option<String>",
            "&'a str",
            "-wget@",
            "ieuser@",
            "(.*?)",
            r#"([^"]+)"#,
            r"^\[([^\]]+)\]$",
            "[0-9a-f]{40}",
            "oauth2:${opts.token}",
            ":${credentials.apiKey}",
            "string | null",
            "MY_API_KEY",
            "apiKey",
            "client_secret",
            "toolu_01Kbn7HBAJVw4adez8qfEo7G",
            "sha512-mNAgZ1GmyNhD7AuqnTG3lKUnmEc1LeZYS3QAA",
            "[REDACTED_TOKEN]",
            "vault:secret/data/db#password",
            "op://vault/item/password",
            "<%= password %>",
            "...",
            "required|string|min:8|confirmed",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP",
        ];
        for value in made_up {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_part_of_a_value_excuses_nothing() {
        let real = [
            "hunter2", "super$ecret", "correct-horse", "9f86d081884c7d659a2f", "P@ss,w0rd", "kX9$mQ2", "changeme123",
            "test123", "secret!", "12345678", "letmein", "admin", "my-example-1", "xxxsummer", "<3you4ever",
            "$ummer24", "{curly", "akia1969", "vault:7", "config9", "password1", "mypassword", "пароль7", "!@#$%",
            "ssh-hunter", "your-summer", "todo-list-9", "sk-live-1", "#1fan", "annals@", "wget@", "(.*)ab", "$$$$.!",
            "a.*b", "required|hunter2", "{8}horse", "ann:hunter${x}", "%percent", "[bracket", "toolu_1",
        ];
        for value in real {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
