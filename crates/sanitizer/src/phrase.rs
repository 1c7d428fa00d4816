//! Passwords that a fixed phrase of a language or of a server announces: `IDENTIFIED WITH plugin BY 'x'`,
//! `IDENTIFIED BY x`, `requirepass x`.

use std::ops::Range;

use super::bytes::{blanks, in_quotes, is_blank, is_quote, is_word, run, run_before};
use super::class::Class;
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::Kind;

/// The phrases.
pub(super) const KEYWORDS: &[&str] = &[
    "identified with", "identified by ", "requirepass ", "masterauth ", "-storepass ", "-keypass ",
    "convertto-securestring ",
];

/// How far before a phrase its statement begins, and how long a password is.
const LONGEST: usize = 256;

/// The edit for the password that the phrase at `hit` announces.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let (password, manner) = match text[hit.clone()].to_ascii_lowercase().as_slice() {
        b"identified with" => (behind_plugin(text, hit.end)?, Manner::Quoted),
        b"identified by " => (bare_in_statement(text, hit)?, Manner::Argument),
        b"convertto-securestring " => (given_as_text(text, hit.end)?, Manner::Argument),
        b"-storepass " | b"-keypass " => (word(text, hit.end)?, Manner::Argument),
        _ => (of_server(text, hit)?, Manner::Argument),
    };
    let fits = is_secret(Kind::Password, &text[password.clone()], manner);
    fits.then(|| Edit::new(password, "phrase-password", Class::Password))
}

/// `IDENTIFIED WITH mysql_native_password BY 'x'`: the plugin may stand in quotes.
fn behind_plugin(text: &[u8], at: usize) -> Option<Range<usize>> {
    let plugin = at + run(text, at, LONGEST, |byte| is_blank(byte) || is_quote(byte));
    let behind = plugin + run(text, plugin, LONGEST, |byte| is_word(byte) || is_quote(byte));
    let by = behind + blanks(text, behind, 4);
    let is_by = text.get(by..by + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"by "));
    let (password, _) = in_quotes(text, by + 3 + blanks(text, by + 3, 4), LONGEST).filter(|_| is_by)?;
    (!password.is_empty() && password.end < text.len()).then_some(password)
}

/// `CREATE USER scott IDENTIFIED BY tiger`, as Oracle takes it. In a sentence, things are identified by much else.
fn bare_in_statement(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let before = run_before(text, hit.start, LONGEST, |byte| byte != b'\n' && byte != b';');
    let statement = text[hit.start - before..hit.start].to_ascii_lowercase();
    let is_statement = STATEMENTS.iter().any(|verb| memchr::memmem::find(&statement, verb).is_some());
    let end = hit.end + run(text, hit.end, LONGEST, |byte| is_word(byte) || b"#$!-.".contains(&byte));
    (is_statement && hit.end < end).then_some(hit.end..end)
}

/// `requirepass x`, alone on its line; `--requirepass x` and `CONFIG SET requirepass x` anywhere.
fn of_server(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let before = &text[hit.start - run_before(text, hit.start, LONGEST, |byte| byte != b'\n')..hit.start];
    let is_set = before.ends_with(b"--") || before.to_ascii_lowercase().ends_with(b"config set ");
    let value = word(text, hit.end)?;
    let quote = usize::from(text.get(value.end).is_some_and(|byte| is_quote(*byte)));
    let is_alone = matches!(text.get(value.end + quote), None | Some(b'\n' | b'\r')) && before.trim_ascii().is_empty();
    (is_set || is_alone).then_some(value)
}

/// A word, in quotes or not.
fn word(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + run(text, at, 8, |byte| is_blank(byte) || is_quote(byte));
    let end = start + run(text, start, LONGEST, |byte| !byte.is_ascii_whitespace() && !is_quote(byte) && byte != b'\\');
    (start < end).then_some(start..end)
}

/// The option before the text.
const OPTION: &[u8] = b"-string ";

/// `ConvertTo-SecureString -String "x" -AsPlainText`: a text in quotes.
fn given_as_text(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_option = text.get(at..at + OPTION.len()).is_some_and(|word| word.eq_ignore_ascii_case(OPTION));
    let option = if is_option { OPTION.len() } else { 0 };
    let (inside, quote) = in_quotes(text, at + option, LONGEST)?;
    (text.get(inside.end) == Some(&quote) && !inside.is_empty()).then_some(inside)
}

/// How a statement begins that gives somebody a password.
const STATEMENTS: &[&[u8]] = &[b"create user ", b"alter user ", b"create role ", b"alter role ", b"grant "];
