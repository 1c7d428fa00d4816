//! Passwords at their place among the arguments of a call: `mysqli_connect("h", "u", "x")`, `auth=("u", "x")`; and the
//! address of a database as Go's driver writes it: `root:x@tcp(h:3306)/db`.

use std::ops::Range;

use super::bytes::{in_quotes, is_quote, is_word, run, run_before};
use super::class::Class;
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::Kind;

/// Calls with their opening brackets, and which of their arguments is the password, counted from nought.
const CALLS: &[(&str, usize)] = &[
    ("networkcredential(", 1),
    ("mysqli_connect(", 2),
    ("mysqli(", 2),
    ("mysql_connect(", 2),
    ("new pdo(", 2),
    ("drivermanager.getconnection(", 2),
    ("dbi->connect(", 2),
    ("httpbasicauth(", 1),
    ("setbasicauth(", 1),
    ("auth=(", 1),
    ("wifi.begin(", 1),
    ("smtp.login(", 1),
    ("imap.login(", 1),
    ("ftp.login(", 1),
    ("mail.login(", 1),
    ("server.login(", 1),
    ("usernamepasswordcredentials(", 1),
    ("create_superuser(", 2),
];

/// The calls, and what stands behind a password in an address.
#[rustfmt::skip] // A list of words, as text.
pub(super) const KEYWORDS: &[&str] = &[
    "networkcredential(", "mysqli_connect(", "mysqli(", "mysql_connect(", "new pdo(", "drivermanager.getconnection(",
    "dbi->connect(", "httpbasicauth(", "setbasicauth(", "auth=(", "wifi.begin(", "smtp.login(", "imap.login(", "ftp.login(", "mail.login(",
    "server.login(", "usernamepasswordcredentials(", "create_superuser(", "@tcp(", "@unix(",
];

/// How long all arguments before the password, or an address, may be.
const LONGEST: usize = 256;

/// The edit for the password of the call or the address at `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>) -> Option<Edit> {
    let range = if text[hit.start] == b'@' { of_address(text, hit) } else { of_call(text, hit) }?;
    let fits = is_secret(Kind::Password, &text[range.clone()], Manner::Quoted);
    fits.then(|| Edit::new(range, "call-password", Class::Password))
}

/// Behind the user and a colon: `root:x@tcp(`.
fn of_address(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let is_inside = |byte: u8| !byte.is_ascii_whitespace() && !is_quote(byte);
    let start = hit.start - run_before(text, hit.start, LONGEST, is_inside);
    let address = &text[start..hit.start];
    let colon = address.iter().position(|byte| *byte == b':').filter(|at| *at > 0)?;
    (colon + 1 < address.len()).then_some(start + colon + 1..hit.start)
}

/// The argument that is the password, if it is a text in quotes and ends the argument.
fn of_call(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let (_, index) = CALLS.iter().find(|(call, _)| text[hit.clone()].eq_ignore_ascii_case(call.as_bytes()))?;
    let is_whole = hit.start == 0 || !is_word(text[hit.start - 1]);
    let end = text.len().min(hit.end + LONGEST);
    let mut at = hit.end;
    for _ in 0..*index {
        at = behind_argument(&text[..end], at)?;
    }
    is_whole.then(|| argument(&text[..end], at)).flatten()
}

/// Where the next argument begins.
fn behind_argument(text: &[u8], at: usize) -> Option<usize> {
    let start = skip_blanks(text, at);
    let start = argument(text, start).map_or(start, |inside| inside.end + 1);
    let length = run(text, start, LONGEST, |byte| !b",();\n{}".contains(&byte));
    (text.get(start + length) == Some(&b',')).then_some(start + length + 1)
}

/// What stands in the quotes that open here, behind which a comma or a bracket comes.
fn argument(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (inside, quote) = in_quotes(text, skip_blanks(text, at), LONGEST)?;
    let closed = inside.end + run(text, inside.end, 16, |byte| byte == quote || byte == b'\\');
    matches!(text.get(skip_blanks(text, closed)), Some(b',' | b')')).then_some(inside)
}

/// Blanks and ends of lines.
fn skip_blanks(text: &[u8], at: usize) -> usize {
    at + run(text, at, LONGEST, |byte| byte.is_ascii_whitespace())
}
