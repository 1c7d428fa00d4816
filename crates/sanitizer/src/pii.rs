//! E-mail addresses and phone numbers, where the configuration asks for them.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::bytes::is_word;
use super::class::Class;
use super::edit::Edit;

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    let shape = r"(?-u)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.[A-Za-z]{2,18}";
    Regex::new(shape).expect("BUG: a built-in shape does not compile")
});

/// International with `+`, or North American with its separators; bare digits are as often ids.
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    let international = r"\+[1-9][0-9]{0,2}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{2,4}(?:[ .-]?[0-9]{2,4}){1,4}";
    let north_american = r"(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-.])[2-9][0-9]{2}[-.][0-9]{4}";
    Regex::new(&format!("(?-u)(?:{international}|{north_american})")).expect("BUG: a built-in shape does not compile")
});

/// Edits for all that is found.
pub(super) fn find(text: &[u8], edits: &mut Vec<Edit>) {
    let alone = |found: &regex::bytes::Match<'_>| {
        let before = found.start().checked_sub(1).map(|at| text[at]);
        let after = text.get(found.end()).copied();
        !before.is_some_and(|byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'/')) && !after.is_some_and(is_word)
    };
    let remote = |found: &regex::bytes::Match<'_>| {
        // `git@host:path` is where code lives, not a person.
        found.as_bytes().starts_with(b"git@")
            || text[..found.start()].ends_with(b"://")
            || text[..found.start()].ends_with(b":") && text.get(found.end()) == Some(&b'/')
    };
    let emails = EMAIL.find_iter(text).filter(|found| !remote(found));
    edits.extend(emails.map(|found| Edit::new(found.range(), "email", Class::Email)));
    let is_long = |found: &regex::bytes::Match<'_>| found.as_bytes().iter().filter(|b| b.is_ascii_digit()).count() >= 8;
    let phones = PHONE.find_iter(text).filter(|found| alone(found) && is_long(found));
    edits.extend(phones.map(|found| Edit::new(found.range(), "phone", Class::Phone)));
}
