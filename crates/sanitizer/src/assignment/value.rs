//! The value itself: where it begins and ends.

use std::ops::Range;

use super::sign::{Form, Sign};
use super::{MOST_ESCAPES, WIDEST_GAP, block, declared, given, setting};
use crate::bytes::{blanks, is_quote, is_word, run, run_before};
use crate::judge::{Joint, Manner};
use crate::placeholder::template;

/// How far a value is followed.
const LONGEST: usize = 4096;

/// What goes on for longer without a quote is no value.
const LONGEST_BARE: usize = 1024;

/// How far before its password a machine and a login stand in a `.netrc`.
const NETRC: usize = 160;

/// A value beside a name.
#[derive(Debug)]
pub(super) struct NamedValue {
    pub range: Range<usize>,
    pub manner: Manner,
}

impl NamedValue {
    /// The value behind a sign.
    pub(super) fn at(text: &[u8], sign: Sign, name: &Range<usize>) -> Option<Self> {
        let mut at = sign.end + blanks(text, sign.end, WIDEST_GAP);
        if sign.is_colon(text) && at > sign.end {
            if let Some(range) = block::only_line(text, at) {
                return Some(Self { range, manner: Manner::Setting(Joint::Colon) });
            }
            at += block::length_of_property(text, at);
        }
        if sign.form == Form::Operator || sign.form == Form::Equals {
            at += declared::length_of_wrapper(text, name, at);
        }
        if sign.form != Form::Element && !is_quote(*text.get(at)?) && is_quote(*text.get(at + 1)?) {
            // `b"…"`, `r'…'`, `@"…"`, `N'…'`.
            at += usize::from(matches!(text[at], b'b' | b'r' | b'f' | b'u' | b'L' | b'N' | b'@'));
        }
        let opened = at + run(text, at, MOST_ESCAPES, |byte| is_quote(byte) || byte == b'\\' || byte == b'=');
        let quote = Quote::last(text, at..opened);
        if is_empty_pair(text, at..opened) {
            return None;
        }
        let start = skip_scheme(text, opened);
        let closed = quote.and_then(|quote| quote.end(text, start));
        let is_plain = start == at && quote.is_none() && matches!(sign.form, Form::Equals | Form::Operator);
        let setting = is_plain.then(|| setting::end(text, name, sign.range(), start, sign.form)).flatten();
        let end = closed.or(setting).unwrap_or_else(|| end_of_bare(text, start, sign.form, name));
        let end = if closed.is_none() && sign.is_equals(text) { before_colon(text, start..end) } else { end };
        let is_header = sign.form == Form::Operator && is_header_in_quotes(text, name, start..end);
        let quoting = if quote.is_some() || is_header { Quoting::Quoted } else { Quoting::Bare };
        let manner = manner(text, sign.form, quoting, name)?;
        if sign.form == Form::Element && !closes_element(text, start..end) {
            return None;
        }
        let joint = if sign.is_equals(text) { Joint::Equals } else { Joint::Colon };
        let manner = if setting.is_some() && manner == Manner::Bare { Manner::Setting(joint) } else { manner };
        (start < end).then_some(Self { range: start..end, manner })
    }

    /// Whether it stands without quotes, and is no environment's.
    pub(super) fn is_bare(&self) -> bool {
        self.manner == Manner::Bare
    }

    /// Words alone are secret only where they are text, or long.
    pub(super) fn may_be_secret(&self, text: &[u8]) -> bool {
        let value = &text[self.range.clone()];
        let is_word = value.iter().all(u8::is_ascii_alphabetic);
        let is_code = matches!(self.manner, Manner::Bare | Manner::Spaced);
        value.len() >= 3 && (!is_word || value.len() >= 20 || !is_code)
    }
}

/// An opening quote, and how many backslashes stand before it.
#[derive(Debug, Clone, Copy)]
struct Quote {
    sign: u8,
    backslashes: usize,
}

impl Quote {
    fn last(text: &[u8], opening: Range<usize>) -> Option<Self> {
        let at = opening.start + text[opening.clone()].iter().rposition(|byte| is_quote(*byte))?;
        let backslashes = run_before(text, at, at - opening.start, |byte| byte == b'\\');
        Some(Self { sign: text[at], backslashes })
    }

    /// Where the value ends before the closing quote, which stands on the same line and has as many backslashes.
    fn end(self, text: &[u8], start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            at += run(text, at, LONGEST, |byte| byte != self.sign && !matches!(byte, b'\n' | b'\r'));
            if text.get(at) != Some(&self.sign) || at - start > LONGEST {
                return None;
            }
            let backslashes = run_before(text, at, at - start, |byte| byte == b'\\');
            // In JSON within JSON a quote that closes has no more backslashes than the one that opened; one with more
            // stands in the value.
            let is_written_out = self.backslashes == 0 && backslashes.is_multiple_of(2);
            if is_written_out || backslashes <= self.backslashes && self.backslashes > 0 {
                return Some(at - backslashes.min(self.backslashes));
            }
            at += 1;
        }
    }
}

/// `password=s3same: refused`: what a message says of a value follows a colon, which is no part of it. Without a digit it
/// is more often a label: `caption=Password:`.
fn before_colon(text: &[u8], value: Range<usize>) -> usize {
    let ends = text.get(value.end).is_none_or(|byte| byte.is_ascii_whitespace() || is_quote(*byte) || *byte == b'\\');
    let bare = text[value.clone()].strip_suffix(b":").filter(|bare| bare.iter().any(u8::is_ascii_digit));
    bare.filter(|_| ends).map_or(value.end, |bare| value.start + bare.len())
}

/// `""` with nothing in it.
fn is_empty_pair(text: &[u8], opening: Range<usize>) -> bool {
    let ends = text.get(opening.end).is_none_or(|byte| byte.is_ascii_whitespace() || b",;)}]&.".contains(byte));
    let mut quotes = text[opening].iter().filter(|byte| is_quote(**byte));
    ends && quotes.next().is_some_and(|first| quotes.next() == Some(first)) && quotes.next().is_none()
}

/// `-H "X-Api-Key: …"`: the quotes stand around name and value.
fn is_header_in_quotes(text: &[u8], name: &Range<usize>, value: Range<usize>) -> bool {
    let is_around = name.start.checked_sub(1).is_some_and(|at| is_quote(text[at]));
    let ends_quote = text.get(value.end).is_none_or(|byte| is_quote(*byte) || *byte == b'\\');
    is_around && ends_quote && text.get(name.end) == Some(&b':') && text[value.start - 1] == b' '
}

/// `</password>`, also where the sign is escaped. `<user>[:<password>]@<host>` is a grammar.
fn closes_element(text: &[u8], value: Range<usize>) -> bool {
    let end = value.end;
    let is_grammar = text[value].iter().all(|byte| b"[](){}@:|*?".contains(byte));
    let closes = [&b"<"[..], b"\\u003c", b"&lt;"].iter().any(|sign| text[end..].starts_with(sign));
    closes && !is_grammar
}

/// Whether quotes stand around a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Bare,
    Quoted,
}

fn manner(text: &[u8], form: Form, quoting: Quoting, name: &Range<usize>) -> Option<Manner> {
    if form == Form::Equals && is_environment(&text[name.clone()]) {
        return Some(Manner::Environment);
    }
    if let Some(manner) = given_manner(text, form, quoting, name) {
        return Some(manner);
    }
    // In prose, backquotes are around code: (identified by `id`).
    let is_in_prose = form == Form::Space && text[name.end..].trim_ascii_start().starts_with(b"`");
    if form == Form::Space && text[name.clone()].contains(&b' ') && (quoting == Quoting::Bare || is_in_prose) {
        return None;
    }
    if form == Form::Space && quoting == Quoting::Bare && is_login(text, name) {
        return Some(Manner::Argument);
    }
    // `pass "x"` and `key "x"` are sentences.
    let is_sentence = form == Form::Space
        && !text[name.clone()].contains(&b' ')
        && run_before(text, name.end, name.len(), is_word) <= 4;
    match (form, quoting) {
        (Form::Comma | Form::Call, Quoting::Bare) => None,
        (Form::Member, _) => Some(Manner::Setting(Joint::Colon)),
        (Form::Space, _) if is_sentence => None,
        (Form::Space, Quoting::Quoted) if !is_in_prose => Some(Manner::Quoted),
        (Form::Comma, Quoting::Quoted) | (Form::Space, _) => Some(Manner::Spaced),
        (Form::Flag, _) => Some(Manner::Argument),
        (Form::Equals | Form::Operator, Quoting::Bare) if is_flag(text, name) => Some(Manner::Argument),
        (Form::Equals | Form::Operator, Quoting::Bare) => Some(Manner::Bare),
        (Form::Equals | Form::Operator | Form::Call, Quoting::Quoted) | (Form::Element, _) => Some(Manner::Quoted),
    }
}

/// How the value stands where what is around the name says that it is a text: `ENV DB_PASSWORD x`.
fn given_manner(text: &[u8], form: Form, quoting: Quoting, name: &Range<usize>) -> Option<Manner> {
    let is_assigned = matches!(form, Form::Operator | Form::Equals);
    if form == Form::Member && quoting == Quoting::Quoted && is_environment(&text[name.clone()])
        || form == Form::Comma && quoting == Quoting::Quoted && given::is_to_function(text, name)
    {
        return Some(Manner::Quoted);
    }
    if form == Form::Space && given::is_to_shell(text, name) {
        return Some(Manner::Environment);
    }
    (is_assigned && given::is_to_openssl(text, name)).then_some(Manner::Argument)
}

/// `--password=value`, ` /password:value`.
fn is_flag(text: &[u8], name: &Range<usize>) -> bool {
    text[name.clone()].starts_with(b"--") || text[..name.start].ends_with(b" /")
}

/// `login ann password value`, as `.netrc` has it.
fn is_login(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[name.start.saturating_sub(NETRC)..name.start];
    let mut words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    // Keys and values take turns: `login ann`, `account staff`.
    let is_key = |keys: [&[u8]; 3], word: &[u8]| keys.iter().any(|key| word.ends_with(key));
    text[name.clone()].eq_ignore_ascii_case(b"password")
        && words.nth(1).is_some_and(|word| is_key([b"login", b"user", b"account"], word))
        && words.any(|word| is_key([b"machine", b"default", b"host"], word))
}

/// `DB_PASSWORD`, not `dbPassword`.
pub(super) fn is_environment(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `Authorization: Bearer …`: the first word only says what follows.
fn skip_scheme(text: &[u8], at: usize) -> usize {
    for scheme in [&b"bearer "[..], b"basic ", b"token ", b"apikey ", b"digest "] {
        if text.get(at..at + scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) {
            return at + scheme.len();
        }
    }
    at
}

/// An environment's value goes to the next blank; in code, a bracket or comma ends one.
fn end_of_bare(text: &[u8], at: usize, form: Form, name: &Range<usize>) -> usize {
    let is_generous = matches!(form, Form::Element | Form::Member)
        || form == Form::Equals && is_environment(&text[name.clone()])
        || form == Form::Space && given::is_to_shell(text, name);
    let ends = |byte: u8| {
        byte == b' '
            || byte.is_ascii_control()
            || is_quote(byte)
            || matches!(byte, b';' | b'&' | b'<' | b'>' | b'\\')
            || !is_generous && matches!(byte, b',' | b')' | b']' | b'}' | b'|')
    };
    let opens = text.get(at).is_some_and(|byte| b"$<{%#@[`".contains(byte));
    let template = if opens { template(&text[at..]).unwrap_or(0) } else { 0 };
    let length = template + run(text, at + template, LONGEST_BARE, |byte| !ends(byte));
    // Minified code goes on for kilobytes without a blank: taken for one value, all of it would vanish.
    let mut end = if length < LONGEST_BARE { at + length } else { at };
    while end > at && form != Form::Element && is_trailing(&text[at..end]) {
        end -= 1;
    }
    end
}

/// Whether the last sign ends what is around the value: a comma, or a bracket that was not opened in it.
fn is_trailing(value: &[u8]) -> bool {
    let is_opened = |open: u8| value.contains(&open);
    match value.last() {
        Some(b',' | b'.' | b':') => true,
        Some(b')') => !is_opened(b'('),
        Some(b']') => !is_opened(b'['),
        Some(b'}') => !is_opened(b'{'),
        Some(_) | None => false,
    }
}
