//! What `grep -n` and its like put before a line, without a blank: `7:password: x`, `src/a.yml-12-password: x`.

use std::ops::Range;

use crate::bytes::{is_blank, is_word, run, run_before};

/// How long the path of a file and the number of its line are.
const LONGEST: usize = 200;

/// Whether the name stands behind `7:`, `src/a.yml:7:` or `src/a.yml:`, so that the colons on both sides make no path.
pub(super) fn is_before(text: &[u8], name: &Range<usize>) -> bool {
    let line = name.start - run_before(text, name.start, LONGEST, |byte| byte != b'\n');
    let lead = text[line..name.start].trim_ascii_start();
    let Some(lead) = lead.strip_suffix(b":") else { return false };
    let digits = run_before(lead, lead.len(), LONGEST, |byte| byte.is_ascii_digit());
    let file = &lead[..lead.len() - digits];
    let is_followed = text.get(name.end + 1).is_some_and(|byte| is_blank(*byte));
    match file.strip_suffix(b":") {
        Some(file) if digits > 0 => is_file(without_number(file)),
        _ => digits > 0 && file.is_empty() || is_followed && is_file(lead),
    }
}

/// What stands behind the margin of `docker compose logs` (`web-1  | `) or `git blame` (`1a2b3c4d (Ann 2026-01-01 12) `).
pub(super) fn behind(line: &[u8]) -> &[u8] {
    let word = run(line, 0, LONGEST, |byte| is_word(byte) || b"-.".contains(&byte));
    let bar = word + run(line, word, LONGEST, is_blank);
    if word > 0 && bar > word && line[bar..].starts_with(b"| ") {
        return &line[bar + 2..];
    }
    let sign = usize::from(line.starts_with(b"^"));
    let commit = run(line, sign, LONGEST, |byte| byte.is_ascii_hexdigit());
    let is_behind_digit = |at: &usize| *at > 0 && line[*at - 1].is_ascii_digit();
    let closed = line.iter().rposition(|byte| *byte == b')').filter(is_behind_digit);
    closed.filter(|_| commit >= 7 && line.get(sign + commit) == Some(&b' ')).map_or(line, |at| &line[at + 1..])
}

/// The column of a match stands behind its line: `src/a.yml:12` of `src/a.yml:12:3`.
fn without_number(file: &[u8]) -> &[u8] {
    let digits = run_before(file, file.len(), LONGEST, |byte| byte.is_ascii_digit());
    file[..file.len() - digits].strip_suffix(b":").filter(|_| digits > 0).unwrap_or(file)
}

/// `src/a.yml`, `.env`: neither `arn:aws:iam` nor a word.
fn is_file(path: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"./".contains(byte);
    path.iter().any(is_sign) && !path.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b':')
}

/// `conf/app.ini:`, as `grep -r` writes it: a file of settings.
pub(super) fn is_of_settings(word: &[u8]) -> bool {
    let Some(path) = word.strip_suffix(b":") else { return false };
    is_file(path) && SETTINGS.iter().any(|ending| path.ends_with(ending))
}

/// How the names of files end that hold settings, and no code.
const SETTINGS: &[&[u8]] =
    &[b".cfg", b".cnf", b".conf", b".env", b".ini", b".properties", b".toml", b".txt", b".yaml", b".yml"];

/// How much of a name is the margin of a line around a match: `a.yml-12-` of `a.yml-12-password`. A number alone, as in
/// `12-password`, may stay: in `2-token peek` it belongs to the word.
pub(super) fn length_in(text: &[u8], lead: Range<usize>) -> usize {
    let lead = &text[lead];
    let ends = (0..lead.len()).rev().find(|at| {
        let digits = run_before(lead, *at, LONGEST, |byte| byte.is_ascii_digit());
        let before = &lead[..*at - digits];
        lead[*at] == b'-' && digits > 0 && before.ends_with(b"-") && before.contains(&b'.')
    });
    ends.map_or(0, |at| at + 1)
}
