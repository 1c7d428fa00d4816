//! Names that the word before them gives a text, where nothing else would tell it from code:
//! `define('DB_PASSWORD', 'x')`, `ENV DB_PASSWORD x`, `-passin pass:x`.

use std::ops::Range;

use super::value::is_environment;
use crate::bytes::{is_blank, is_quote, is_word, run_before};

/// How long the word and what belongs to it are.
const LONGEST: usize = 64;

/// Functions that take the name of a variable, and its value or a default: `env('DB_PASSWORD', 'x')`.
#[rustfmt::skip] // A list of words, as text.
const FUNCTIONS: &[&[u8]] = &[
    b"config", b"define", b"env", b"environ", b"fetch", b"get", b"get_env", b"getenv", b"putenv", b"set", b"setdefault",
    b"setenv",
];

/// Functions that are given a name and a text, whatever the name looks like: `props.put("password", "x")`.
#[rustfmt::skip] // A list of words, as text.
const KEEPERS: &[&[u8]] = &[
    b"addheader", b"addparameter", b"addproperty", b"fill", b"getordefault", b"header", b"put", b"putstring", b"queryparam", b"set",
    b"setattribute", b"setheader", b"setitem", b"setparameter", b"setproperty", b"setrequestheader", b"setvalue", b"string", b"stringvar",
    b"type", b"withproperty",
];

/// What stands in the names of things that keep messages: `errors.put("password", "weak")`.
const MESSAGES: &[&[u8]] = &[b"err", b"i18n", b"label", b"message", b"schema", b"translat", b"type", b"violation"];

/// Words of shells and Dockerfiles behind which a name and its value stand: `ENV DB_PASSWORD x`.
const SETTERS: &[&[u8]] = &[b"ENV", b"setenv", b"setx"];

/// Options of `openssl` whose argument says first where the password is from: `-passin pass:x`.
const OPTIONS: &[&[u8]] = &[b"-pass", b"-passin", b"-passout"];

/// Whether the name is the first argument of a function that takes variables by their names.
pub(super) fn is_to_function(text: &[u8], name: &Range<usize>) -> bool {
    let is_opening = |byte: u8| is_quote(byte) || is_blank(byte) || b"\\#".contains(&byte);
    let opened = name.start - run_before(text, name.start, LONGEST, is_opening);
    let Some(call) = behind_target(&text[..opened]).strip_suffix(b"(") else { return false };
    let function = &call[call.len() - run_before(call, call.len(), LONGEST, is_word)..];
    let is = |word: &&[u8]| function.eq_ignore_ascii_case(word);
    is_environment(&text[name.clone()]) && FUNCTIONS.iter().any(is)
        || KEEPERS.iter().any(is) && !keeps_messages(&call[..call.len() - function.len()])
}

/// What stands before the variable that a flag is put in: `flag.StringVar(&password, "password", "x", "…")`.
fn behind_target(call: &[u8]) -> &[u8] {
    let Some(target) = call.strip_suffix(b",") else { return call };
    let length = run_before(target, target.len(), LONGEST, |byte| is_word(byte) || b"&.".contains(&byte));
    if target[target.len() - length..].starts_with(b"&") { &target[..target.len() - length] } else { call }
}

/// Whether the object that a function belongs to keeps what is said about a field.
fn keeps_messages(object: &[u8]) -> bool {
    let length = run_before(object, object.len(), LONGEST, |byte| is_word(byte) || b".()".contains(&byte));
    let object = object[object.len() - length..].to_ascii_lowercase();
    MESSAGES.iter().any(|word| memchr::memmem::find(&object, word).is_some())
}

/// Whether the line sets the variable: `ENV NAME x`, `setenv NAME x`, `set -gx NAME x`.
pub(super) fn is_to_shell(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[name.start - run_before(text, name.start, LONGEST, |byte| byte != b'\n')..name.start];
    let mut words = before.split(|byte| is_blank(*byte)).rev().filter(|word| !word.is_empty());
    let Some(last) = words.next().filter(|_| is_environment(&text[name.clone()])) else { return false };
    let is_set = is_export(last) && words.next() == Some(b"set");
    let begins = run_before(before, before.len(), LONGEST, |byte| byte != b'"' && byte != b'\'') == before.len();
    begins && (is_set || SETTERS.contains(&last))
}

/// `-x`, `-gx`, `-Ux`, as the shell `fish` exports.
fn is_export(option: &[u8]) -> bool {
    let letters = option.strip_prefix(b"-").unwrap_or_default();
    letters.contains(&b'x') && letters.iter().all(|letter| b"gUlx".contains(letter))
}

/// Whether `pass` only says that the password stands here, as in `-passin pass:x`.
pub(super) fn is_to_openssl(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[..name.start - run_before(text, name.start, 4, |byte| is_quote(byte) || is_blank(byte))];
    let option = &before[before.len() - run_before(before, before.len(), LONGEST, |byte| byte.is_ascii_graphic())..];
    &text[name.clone()] == b"pass" && OPTIONS.contains(&option)
}
