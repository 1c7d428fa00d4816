//! Values in lists that are text whatever stands around them: fields of a form, options of a mount, what a program prints.

use std::ops::Range;

use crate::bytes::{is_quote, is_word, run, run_before};
use crate::name::{Kind, kind_of};

/// How long a list is before a name, and how long a value.
const LONGEST: usize = 256;

/// Where the value ends that begins at `start`, if it is a member of such a list.
pub(super) fn end(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let is_password = || kind_of(&text[name.clone()]) == Some(Kind::Password);
    let found = of_option(text, name, start)
        .or_else(|| of_pairs(text, name, start))
        .or_else(|| of_form(text, name, start))
        .or_else(|| of_print(text, name, start));
    found.filter(|end| *end > start && is_password())
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || is_quote(byte) || b"&,;<>()\\".contains(&byte)
}

/// The word that ends before a place.
fn word_before(text: &[u8], at: usize) -> &[u8] {
    &text[at - run_before(text, at, LONGEST, |byte| !byte.is_ascii_whitespace() && !is_quote(byte))..at]
}

/// `--from-literal=password=x`, `--set=db.password=x`.
fn of_option(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let option = word_before(text, name.start).strip_suffix(b"=")?.strip_prefix(b"--")?;
    let is_option = !option.is_empty() && option.iter().all(|byte| is_word(*byte) || *byte == b'-');
    let end = start + run(text, start, LONGEST, |byte| !ends_word(byte));
    (is_option && start == name.end + 1 && text[name.end] == b'=').then_some(end)
}

/// `username=a,password=x`, and no code behind it.
fn of_pairs(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let pairs = word_before(text, name.start).strip_suffix(b",")?;
    let is_pair = |pair: &[u8]| {
        let name = run(pair, 0, pair.len(), |byte| is_word(byte) || b"-.".contains(&byte));
        name > 0 && pair.get(name) == Some(&b'=') && !pair[name + 1..].iter().any(|byte| b"()[]{}=;".contains(byte))
    };
    let end = start + run(text, start, LONGEST, |byte| !ends_word(byte));
    let next = text.get(end).copied().unwrap_or(b' ');
    let goes_on = next == b',' && text.get(end + 1).is_some_and(|byte| is_word(*byte));
    let is_list = pairs.split(|byte| *byte == b',').all(is_pair);
    (is_list && start == name.end + 1 && (goes_on || next.is_ascii_whitespace() || is_quote(next))).then_some(end)
}

/// `user[password]=x`, alone, in a query or in the body of a form.
fn of_form(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let object = text[..name.start].strip_suffix(b"[")?;
    let word = run_before(object, object.len(), LONGEST, |byte| is_word(byte) || b"[]".contains(&byte));
    let before = object.len().checked_sub(word + 1).map_or(b' ', |at| text[at]);
    let is_field = text[name.end..].starts_with(b"]=") && start == name.end + 2;
    let begins = word > 0 && (before.is_ascii_whitespace() || is_quote(before) || b"?&".contains(&before));
    let end = start + run(text, start, LONGEST, |byte| !ends_word(byte));
    let next = text.get(end).copied().unwrap_or(b' ');
    let ends = next.is_ascii_whitespace() && before != b'"' || next == b'&' || is_quote(next);
    (is_field && begins && ends).then_some(end)
}

/// `map[password:x user:ann]`, `{User:ann Password:x}`, as Go prints them.
fn of_print(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let length = run_before(text, name.start, LONGEST, |byte| !b"[{\n\"',;()".contains(&byte));
    let opened = &text[..name.start - length];
    let is_map = opened.ends_with(b"map[");
    let is_object = opened.ends_with(b"{")
        && !opened.ends_with(b"${")
        && text.get(opened.len()).is_some_and(u8::is_ascii_uppercase);
    let is_pair =
        |pair: &[u8]| pair.iter().position(|byte| *byte == b':').is_some_and(|at| at > 0 && at + 1 < pair.len());
    let pairs = text[opened.len()..name.start].trim_ascii_end();
    let are_pairs = pairs.is_empty() || pairs.split(|byte| *byte == b' ').all(is_pair);
    let end = start + run(text, start, LONGEST, |byte| !byte.is_ascii_whitespace() && !b"]}\"',;(){}".contains(&byte));
    let rest = text.get(end..)?;
    let goes_on = rest.first() == Some(&b' ') && rest.get(1 + run(rest, 1, LONGEST, is_word)) == Some(&b':');
    let ends = goes_on || matches!(rest.first(), Some(b']' | b'}'));
    let is_one_of_many = goes_on || !pairs.is_empty();
    ((is_map || is_object && is_one_of_many) && are_pairs && ends && start == name.end + 1 && text[name.end] == b':')
        .then_some(end)
}
