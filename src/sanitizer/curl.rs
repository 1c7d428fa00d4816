//! `curl -u user:password`.

use std::ops::Range;

use memchr::memmem;

use super::bytes::{is_blank, is_quote, run};
use super::class::Class;
use super::edit::Edit;
use super::placeholder::is_placeholder;

pub(super) const KEYWORDS: &[&str] = &["curl", "wget"];

/// How far behind the command its option may stand.
const LONGEST: usize = 600;

/// The edit for the password in the options of the command at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let (start, quote) = option(text, hit)?;
    let ends = |byte: u8| match quote {
        Some(quote) => byte == quote || byte == b'\n',
        None => byte.is_ascii_whitespace() || is_quote(byte),
    };
    let value = start..start + run(text, start, LONGEST, |byte| !ends(byte));
    let colon = text[value.clone()].iter().position(|byte| *byte == b':')?;
    let password = start + colon + 1..value.end;
    let (user, secret) = (&text[start..start + colon], &text[password.clone()]);
    let fits = secret.len() >= 3 && !is_placeholder(secret) && user != secret && !secret.contains(&b' ');
    (fits && !secret.starts_with(b"//")).then(|| Edit::new(password, "curl-password", Class::Password))
}

/// Whether the option is there at all.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>) -> bool {
    option(text, hit).is_some()
}

/// Where the value of `-u` begins, and its quote.
fn option(text: &[u8], hit: &Range<usize>) -> Option<(usize, Option<u8>)> {
    let command = command(&text[hit.end..text.len().min(hit.end + LONGEST)]);
    let flag = ["--proxy-user", "--user", "-u", "-U"].iter().find_map(|flag| {
        let begins = |at: &usize| *at > 0 && is_blank(command[at - 1]) && is_flag(flag, &command[at + flag.len()..]);
        memmem::find_iter(command, flag).find(begins).map(|at| at + flag.len())
    })?;
    let at = flag + run(command, flag, 4, |byte| is_blank(byte) || byte == b'=');
    let open = at + run(command, at, 3, |byte| is_quote(byte) || byte == b'\\');
    let quote = command[at..open].iter().copied().rfind(|byte| is_quote(*byte));
    Some((hit.end + open, quote))
}

/// A long flag ends at its value's blank or sign; a short one may be written together with it.
fn is_flag(flag: &str, rest: &[u8]) -> bool {
    let Some(next) = rest.first() else { return false };
    is_blank(*next) || *next == b'=' || is_quote(*next) || flag.len() == 2 && next.is_ascii_alphanumeric()
}

/// Up to the end of the line, or of all its continuations, or to the next command.
fn command(rest: &[u8]) -> &[u8] {
    let ends = |at: &usize| match rest[*at] {
        b'\n' => !rest[..*at].trim_ascii_end().ends_with(b"\\"),
        b'|' | b';' => rest[..*at].ends_with(b" "),
        _ => false,
    };
    let end = (0..rest.len()).find(ends).unwrap_or(rest.len());
    &rest[..end]
}
