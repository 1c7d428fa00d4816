//! Values that stand beside a secret's name: `password = "…"`, `--token …`, `FOO_SECRET=…`, `"api_key": "…"`.
//!
//! Works on any text: source code, shell, YAML, headers, connection strings, and JSON that is escaped once or more.

mod apart;
mod block;
mod declared;
mod excuse;
mod fallback;
mod given;
mod listed;
mod margin;
mod setting;
mod sign;
mod value;

use std::ops::Range;

use self::sign::{Form, Sign};
use self::value::NamedValue;
use super::bytes::{is_blank, is_escape_letter, is_word, run, run_before};
use super::edit::Edit;
use super::judge::{Manner, is_secret};
use super::name::{Kind, Tongue, kind_in, words};

/// How long a name can be; what is longer is no name.
const LONGEST_NAME: usize = 128;

/// How far what belongs together may stand apart.
const WIDEST_GAP: usize = 40;

/// How many backslashes may stand before a quote: JSON in JSON in JSON doubles them each time.
const MOST_ESCAPES: usize = 1024;

/// The edit for the value that belongs to the name around `hit`.
pub(super) fn find(text: &[u8], hit: &Range<usize>, tongue: Tongue) -> Option<Edit> {
    let name = name_around(text, hit)?;
    let kind = kind_in(tongue, &text[name.clone()]).filter(|_| !is_part_of_a_path(text, &name))?;
    let value = value_of(text, &name).filter(|_| !is_choice(text, &name))?;
    let found = &text[value.range.clone()];
    let is_cut = found.ends_with(b"...") || found.ends_with("…".as_bytes());
    let is_elided = kind != Kind::Password && (is_cut || is_elided(text, value.range.end));
    let fits = !is_excused(kind, text, &name, &value) && !is_elided && is_secret(kind, found, value.manner);
    fits.then(|| Edit::new(value.range, rule(kind), kind.class()))
}

/// Whether what stands around a value says that it is none of a secret.
fn is_excused(kind: Kind, text: &[u8], name: &Range<usize>, value: &NamedValue) -> bool {
    let (names, found) = (&text[name.clone()], &text[value.range.clone()]);
    value.manner == Manner::Bare && is_same_member(names, found)
        || is_written_alike(kind, names, found)
        || is_mentioned(text, value)
        || is_type_asked(text, name)
        || is_badge(text, name)
        || is_number_of_an_error(names, found)
        || is_call(&text[value.range.start..])
        || is_constant(text, name, found)
        || excuse::is_no_secret(kind, text, name, value)
}

/// `password = self.password`, `self._password1 = password1`: code that hands a value on.
fn is_same_member(name: &[u8], value: &[u8]) -> bool {
    let object = name.strip_suffix(value).unwrap_or_default();
    value.ends_with(name) || object.ends_with(b".") || object.ends_with(b"._")
}

/// `typeof options.password === 'function'`.
fn is_type_asked(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b"typeof ") || text[..name.start].ends_with(b"typeof(")
}

/// `ER_MUST_CHANGE_PASSWORD = 1820`, `INCORRECT_PASSWORD: "390100"`: what a server answers.
fn is_number_of_an_error(name: &[u8], value: &[u8]) -> bool {
    let names_an_error = |word: &Vec<u8>| ERROR_WORDS.iter().any(|other| other.as_bytes() == word);
    let member = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    value.iter().all(u8::is_ascii_digit) && words(member).iter().any(names_an_error)
}

/// `const RAW_SECRET: &'static str = "TRUNCATE"`, `"2.5.4.35"`: a name or a number of an interface, as crates declare it.
fn is_constant(text: &[u8], name: &Range<usize>, value: &[u8]) -> bool {
    let is_named = value.iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'.');
    text[name.end..].starts_with(b": &") && is_named && !value.iter().any(u8::is_ascii_lowercase)
}

/// `DB_PASSWORD=os.environ["X"]`, `API_KEY=config.get("x")`, `PASSWORD=str(self.password)`, `"{}'s password: ".format(x)`:
/// a chain of names that is called with a text or a member.
fn is_call(text: &[u8]) -> bool {
    let chain = run(text, 0, LONGEST_NAME, |byte| is_word(byte) || byte == b'.');
    let Some(b'(' | b'[') = text.get(chain) else { return false };
    let argument = &text[chain + 1..];
    let member = run(argument, 0, LONGEST_NAME, is_word);
    let is_member = member > 0 && matches!(argument.get(member), Some(b'.' | b'('));
    let is_text = matches!(argument.first(), Some(b'"' | b'\''));
    let is_method = chain > 1 && text[0] == b'.';
    !text[0].is_ascii_digit() && (is_method || chain > 0 && (is_text || is_member))
}

/// Words in the names of errors.
const ERROR_WORDS: &[&str] =
    &["er", "err", "error", "expired", "incorrect", "invalid", "mismatch", "missing", "must", "wrong"];

/// `badge.svg?token=…`: made to be shown in a manual that everybody reads.
fn is_badge(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b"badge.svg?")
}

/// `SET_PASSWORD = 'SetPassword'`, `"siteSecret": "my_siteSecret"`, `TYPE_DB_SECRET = "db_secret"`: the value is the
/// name in another writing, behind a word of examples, the end of it, or the beginning of it (`BearerToken =
/// BearerTokenGenerator`). `my_password` is a password, and so is `dbPasswordProd`: there, the name has to have three
/// words and the rest two more (`forceChangePassword === 'forceChangePasswordNextSignIn'`).
fn is_written_alike(kind: Kind, name: &[u8], value: &[u8]) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let of_example = EXAMPLE_WORDS.iter().find_map(|word| value.strip_prefix(*word)).unwrap_or(value);
    let (long, short) = (letters(name), letters(value));
    let is_end = value.iter().any(|byte| b"_-".contains(byte)) && long.ends_with(&short);
    let member = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_longer = value.strip_prefix(member).is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_uppercase) && rest.iter().all(u8::is_ascii_alphabetic)
    });
    let is_example = kind != Kind::Password && (is_end || is_longer || of_example.eq_ignore_ascii_case(name));
    let is_phrase = is_longer && words(member).len() >= 3 && words(&value[member.len()..]).len() >= 2;
    is_example || is_phrase || long == short
}

/// What stands before a name where it is its own example.
const EXAMPLE_WORDS: &[&[u8]] = &[b"my_", b"my-", b"your_", b"your-", b"some_", b"some-", b"example_", b"example-"];

/// `the --password flag`, `secret 'mine' is`: a sentence about it.
fn is_mentioned(text: &[u8], value: &NamedValue) -> bool {
    let found = &text[value.range.clone()];
    value.manner == Manner::Argument && SENTENCE_WORDS.iter().any(|word| word.as_bytes() == found)
}

/// Words that stand behind an option where somebody writes about it.
#[rustfmt::skip] // A list of words, as text.
const SENTENCE_WORDS: &[&str] = &[
    "allows", "and", "arg", "argument", "arguments", "as", "can", "cannot", "field", "flag", "flags", "for", "from", "has", "if", "in",
    "instead", "is", "may", "must", "needs", "nor", "not", "option", "options", "or", "parameter", "requires", "should", "takes", "that", "the", "to",
    "was", "when", "which", "will", "with", "without",
];

/// What a finding is called.
pub(super) fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::Password => "named-password",
        Kind::Secret | Kind::Credential => "named-secret",
        Kind::ApiKey => "named-api-key",
        Kind::AccessToken | Kind::Token => "named-token",
        Kind::Key => "named-key",
    }
}

/// Whether a value may follow at all; cheap, and true too often rather than too seldom.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>, tongue: Tongue) -> bool {
    let Some((name, sign)) = joined(text, hit, tongue) else { return false };
    let is_list = text[sign.end..].trim_ascii_start().first() == Some(&b'[');
    is_list || labels_a_value(text, sign) || value_of(text, &name).is_some_and(|value| value.may_be_secret(text))
}

/// The same in JSON as it is written: there `\n` ends a line, so that what a value is shows when it is decoded.
pub(super) fn is_likely_in_json(text: &[u8], hit: &Range<usize>, tongue: Tongue) -> bool {
    // A key ends at its quote; its value is judged by itself.
    let is_key = |name: &Range<usize>| text.get(name.end) == Some(&b'"');
    is_label(text, hit, tongue)
        || joined(text, hit, tongue).is_some_and(|(name, _)| !is_key(&name))
        || is_likely(text, hit, tongue)
}

/// `"name": "DB_PASSWORD"}`: the last member of an object, before which its value may stand.
fn is_label(text: &[u8], hit: &Range<usize>, tongue: Tongue) -> bool {
    let Some(name) = name_around(text, hit).filter(|name| text[name.end..].starts_with(b"\"")) else { return false };
    let behind = name.end + 1 + run(text, name.end + 1, WIDEST_GAP, |byte| byte.is_ascii_whitespace());
    let key = text[..name.start].strip_suffix(b"\"").unwrap_or_default().trim_ascii_end();
    let key = key.strip_suffix(b":").unwrap_or_default().trim_ascii_end();
    let is_name = [&b"ame\""[..], b"ey\""].iter().any(|end| key.ends_with(end));
    is_name && matches!(text.get(behind), Some(b'}' | b',')) && kind_in(tongue, &text[name]).is_some()
}

/// The name of a secret, and the sign behind it.
fn joined(text: &[u8], hit: &Range<usize>, tongue: Tongue) -> Option<(Range<usize>, Sign)> {
    let name = name_around(text, hit)?;
    kind_in(tongue, &text[name.clone()])?;
    let behind = |range: Range<usize>| Sign::of(range.start, range.start, Form::Operator);
    let sign = Sign::after(text, &name).or_else(|| fallback::behind(text, &name).map(behind))?;
    (!names_the_next(text, &name, sign)).then_some((name, sign))
}

/// `password=password=…`: what follows is not a value but the same name once more.
fn names_the_next(text: &[u8], name: &Range<usize>, sign: Sign) -> bool {
    let pair = &text[name.start..sign.end];
    let behind =
        &text[sign.end + run(text, sign.end, WIDEST_GAP, |byte| is_blank(byte) || b"{[(\"'".contains(&byte))..];
    behind.starts_with(pair)
}

/// Whether the rest of a value was left out, as in `ghp_abc…`.
pub(super) fn is_elided(text: &[u8], end: usize) -> bool {
    text[end..].starts_with(b"...") || text[end..].starts_with("…".as_bytes())
}

fn value_of(text: &[u8], name: &Range<usize>) -> Option<NamedValue> {
    let fallback = |range| NamedValue { range, manner: Manner::Argument };
    if let Some(range) = fallback::behind(text, name) {
        return Some(fallback(range));
    }
    let value = plain_value_of(text, name)?;
    Some(fallback::within(text, &value.range).map_or(value, fallback))
}

/// The value behind a sign, whatever it is.
fn plain_value_of(text: &[u8], name: &Range<usize>) -> Option<NamedValue> {
    let sign = Sign::after(text, name)?;
    let value = NamedValue::at(text, sign, name);
    let may_be_type = sign.form == Form::Operator && value.as_ref().is_none_or(NamedValue::is_bare);
    // `let key: &str = "…"`: what follows the first sign is a type, which may look like no value at all.
    match sign.after_type(text).filter(|_| may_be_type) {
        Some(sign) => NamedValue::at(text, sign, name),
        None => value,
    }
}

/// The whole name that a keyword is part of.
fn name_around(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    // Letters outside of ASCII belong to names of such letters only: `12→password` begins with a margin.
    let is_foreign = !text[hit.clone()].is_ascii();
    let is_inside = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.') || is_foreign && byte >= 0x80;
    let mut start = hit.start - run_before(text, hit.start, LONGEST_NAME, is_inside);
    if start < hit.start && is_escape_letter(text, start) {
        start += 1;
    }
    // The dash of the keyword "-pass" may be the margin's last.
    start += margin::length_in(text, start..hit.start + usize::from(text[hit.start] == b'-'));
    // A keyword may end in a sign ("pass="), which is no part of the name.
    let mut end = hit.end - run_before(text, hit.end, hit.len(), |byte| !is_inside(byte));
    let most = end + LONGEST_NAME;
    while end < most && text.get(end).is_some_and(|byte| is_inside(*byte)) && wide_sign(text, end) == 0 {
        end += 1;
    }
    while end > start && matches!(text[end - 1], b'.' | b'-') {
        end -= 1;
    }
    (start < end && end - start <= LONGEST_NAME).then_some(start..end)
}

/// How many bytes the wide colon or equals sign takes that stands here, as Chinese and Japanese write them.
fn wide_sign(text: &[u8], at: usize) -> usize {
    let is_wide = ["：", "＝"].iter().any(|sign| text[at..].starts_with(sign.as_bytes()));
    if is_wide { "：".len() } else { 0 }
}

/// `arn:…:secret:…`, `AWS::IAM::AccessKey`, `/etc/passwd`.
fn is_part_of_a_path(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[..name.start];
    let after = text.get(name.end).copied();
    before.ends_with(b"::")
        || before.ends_with(b":") && after == Some(b':') && !margin::is_before(text, name)
        || before.ends_with(b"/") && after != Some(b'=') && !(before.ends_with(b" /") && after == Some(b':'))
}

/// `passed ? 'pass' : 'fail'`: both are values.
fn is_choice(text: &[u8], name: &Range<usize>) -> bool {
    let before = text[..name.start].trim_ascii_end();
    let unquoted = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    unquoted.trim_ascii_end().ends_with(b"?") && text[name.end..].iter().take(3).any(u8::is_ascii_whitespace)
}

/// `"name": "API_KEY", "value": …`: `json` sees that they belong together.
fn labels_a_value(text: &[u8], sign: Sign) -> bool {
    let next = &text[sign.end..text.len().min(sign.end + WIDEST_GAP)];
    sign.form == Form::Comma && next.windows(5).any(|word| word.eq_ignore_ascii_case(b"value"))
}
