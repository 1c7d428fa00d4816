//! Passwords that a command is given without an option: through a pipe, as a word in its place, in a file of its own.

use std::ops::Range;

use super::bytes::{is_blank, is_quote, run, run_before};
use super::class::Class;
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::Kind;

/// Commands that read a password, or `user:password`, from a pipe; `htpasswd`; and the line of a `.pgpass`.
#[rustfmt::skip] // A list of words, as text.
pub(super) const KEYWORDS: &[&str] = &[
    "chpasswd", "passwd --stdin", "--password-stdin", "sudo -s", "htpasswd -", ":5432:", ":*:*:", "| passwd", "| sudo passwd", "| kinit",
    "| smbpasswd", "| sudo smbpasswd", "rabbitmqctl add_user ", "rabbitmqctl change_password ", "wpa_passphrase ",
];

/// How many letters the options of `htpasswd` have.
const MOST_FLAGS: usize = 16;

/// How long the line before the pipe is.
const LONGEST: usize = 256;

/// The edit for the password of the command at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let password = match &text[hit.clone()] {
        b":5432:" | b":*:*:" => of_pgpass(text, hit),
        keyword if keyword.eq_ignore_ascii_case(b"htpasswd -") => of_htpasswd(text, hit),
        keyword if keyword.ends_with(b" ") => second_word(text, hit.end),
        _ => of_pipe(text, hit),
    }?;
    let fits = is_secret(Kind::Password, &text[password.clone()], Manner::Argument);
    fits.then(|| Edit::new(password, "piped-password", Class::Password))
}

/// `echo 'ann:hunter' | chpasswd`: the last word before the pipe.
fn of_pipe(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let line = hit.start - run_before(text, hit.start, LONGEST, |byte| byte != b'\n');
    let pipe = line + text[line..=hit.start].iter().rposition(|byte| *byte == b'|')?;
    let echo = &text[line..pipe];
    let is_said = [&b"echo "[..], b"printf "].iter().any(|word| memchr::memmem::find(echo, word).is_some());
    let end = line + echo.trim_ascii_end().len();
    let end = end - usize::from(end > line && is_quote(text[end - 1]));
    let start = end - run_before(text, end, end - line, |byte| !is_blank(byte) && !is_quote(byte));
    let end = if text[start..end].ends_with(b"\\n") { end - 2 } else { end };
    let names_a_user = text[hit.clone()].eq_ignore_ascii_case(b"chpasswd");
    let user = text[start..end].iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    let start = if names_a_user { start + user } else { start };
    (is_said && start < end).then_some(start..end)
}

/// `rabbitmqctl add_user ann x`: the word behind the user or the network.
fn second_word(text: &[u8], at: usize) -> Option<Range<usize>> {
    let user = at + run(text, at, LONGEST, |byte| !byte.is_ascii_whitespace());
    let start = user + run(text, user, LONGEST, |byte| is_blank(byte) || is_quote(byte));
    let end = start + run(text, start, LONGEST, |byte| !byte.is_ascii_whitespace() && !is_quote(byte));
    (user > at && start > user && end > start).then_some(start..end)
}

/// `htpasswd -bc FILE USER PASSWORD`, `htpasswd -b -c FILE USER PASSWORD`.
fn of_htpasswd(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let mut at = hit.end - 1;
    while text.get(at) == Some(&b'-') && at < hit.end + MOST_FLAGS {
        at += run(text, at, MOST_FLAGS, |byte| !byte.is_ascii_whitespace());
        at += run(text, at, LONGEST, is_blank);
    }
    let flags = &text[hit.end..at];
    let words = if flags.contains(&b'n') { 1 } else { 2 };
    flags.contains(&b'b').then_some(())?;
    for _ in 0..words {
        at += run(text, at, LONGEST, |byte| !byte.is_ascii_whitespace());
        at += run(text, at, LONGEST, is_blank);
    }
    at += run(text, at, LONGEST, is_quote);
    let end = at + run(text, at, LONGEST, |byte| !byte.is_ascii_whitespace() && !is_quote(byte));
    (at < end).then_some(at..end)
}

/// `host:5432:database:user:password`, alone on its line.
fn of_pgpass(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let start = hit.start - run_before(text, hit.start, LONGEST, |byte| !byte.is_ascii_whitespace());
    let end = hit.end + run(text, hit.end, LONGEST, |byte| !byte.is_ascii_whitespace());
    let is_alone = start == 0 || text[start - 1] == b'\n';
    let fields = text[start..end].split(|byte| *byte == b':').count();
    let last = text[start..end].iter().rposition(|byte| *byte == b':')?;
    (is_alone && fields == 5 && matches!(text.get(end), None | Some(b'\n' | b'\r'))).then_some(start + last + 1..end)
}
