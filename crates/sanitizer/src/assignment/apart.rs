//! Signs that stand apart from the name, in a member of their own: `- name: DB_PASSWORD`, and on the next line
//! `  value: x`; `<key>password</key><string>x</string>`; `variable "db_password" { default = "x" }`.

use std::ops::Range;

use super::sign::{Form, Sign};
use crate::bytes::{is_blank, is_quote, is_word, run, run_before};

/// How far the name and its value may be apart.
const WIDEST: usize = 240;

/// How long the key before a name is, with what stands around it.
const LONGEST_KEY: usize = 24;

/// The sign before the value of a name that ends, with its quotes, at `closed`.
pub(super) fn sign(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let next = *text.get(closed)?;
    match next {
        b'<' => of_property_list(text, name, closed).or_else(|| of_cell(text, name, closed)),
        b',' if closed > name.end => of_value_member(text, name, closed).or_else(|| of_option(text, name, closed)),
        b',' | b'\n' | b'\r' | b'\\' | b'n' => {
            of_value_member(text, name, closed).or_else(|| of_form_data(text, name, closed))
        }
        b' ' | b':' if closed > name.end => of_block(text, name, closed),
        b':' => of_value_below(text, name, closed),
        b'=' if closed > name.end => of_dump(text, closed),
        _ => None,
    }
}

/// Where the next letter stands behind blanks and ends of lines, also where those are written out.
fn skip_lines(text: &[u8], at: usize) -> usize {
    let is_gap = |place: &usize| {
        let is_escaped = *place > 0 && text[place - 1] == b'\\' && matches!(text[*place], b'n' | b'r' | b't');
        text[*place].is_ascii_whitespace() || text[*place] == b'\\' || is_escaped
    };
    at + (at..text.len().min(at + WIDEST)).take_while(is_gap).count()
}

/// `<key>password</key>`, and on the same or the next line `<string>x`.
fn of_property_list(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let is_key = text[..name.start].ends_with(b"<key>") && text[closed..].starts_with(b"</key>");
    let at = skip_lines(text, closed + b"</key>".len());
    (is_key && text[at..].starts_with(b"<string>")).then(|| Sign::of(closed, at + b"<string>".len(), Form::Element))
}

/// `<td>Password</td><td>x</td>`, `<dt>Password</dt> <dd>x</dd>`.
fn of_cell(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let [open, close, next] = CELLS
        .iter()
        .find(|[open, close, _]| text[..name.start].ends_with(open) && text[closed..].starts_with(close))?;
    debug_assert!(!open.is_empty(), "BUG: a cell without a tag");
    let at = skip_lines(text, closed + close.len());
    text[at..].starts_with(next).then(|| Sign::of(closed, at + next.len(), Form::Element))
}

/// How the cell of a name opens and closes, and how the one of its value opens.
const CELLS: &[[&[u8]; 3]] =
    &[[b"<td>", b"</td>", b"<td>"], [b"<th>", b"</th>", b"<td>"], [b"<dt>", b"</dt>", b"<dd>"]];

/// `"--password", default="x"`, `fill_in "Password", with: "x"`: the text behind the key, in the same call.
fn of_option(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let key: &[u8] = if text[name.start] == b'-' { b"default" } else { b"with" };
    let near = &text[closed..text.len().min(closed + WIDEST)];
    let near = &near[..near.iter().position(|byte| b"()".contains(byte)).unwrap_or(near.len())];
    let begins = |at: &usize| b" ,\n\t".contains(&near[at - 1]);
    let at = memchr::memmem::find_iter(near, key).filter(|at| *at > 0).find(begins)?;
    let is_first = key == b"default" || near[..at].iter().all(|byte| b", ".contains(byte));
    let sign = member(text, closed + at, key).filter(|_| is_first)?;
    text.get(sign.end + run(text, sign.end, 1, is_blank)).is_some_and(|byte| is_quote(*byte)).then_some(sign)
}

/// `name="password"` of a form in parts, an empty line, and a line with the value.
fn of_form_data(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let before = text[..name.start].trim_ascii_end();
    let before = &before[..before.len() - run_before(before, before.len(), 4, |byte| is_quote(byte) || byte == b'\\')];
    let is_part = before.ends_with(b"; name=");
    let back = run_before(text, closed, 1, |byte| byte == b'\\');
    let ends = [&b"\r\n\r\n"[..], b"\n\n", b"\\r\\n\\r\\n", b"\\n\\n"];
    let length = ends.iter().find(|end| text[closed - back..].starts_with(end))?.len();
    is_part.then(|| Sign::of(closed, closed - back + length, Form::Member))
}

/// `DB_PASSWORD:`, and below it, further in, `value: x`.
fn of_value_below(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let line = run_before(text, name.start, WIDEST, |byte| byte != b'\n');
    let lead = &text[name.start - line..name.start];
    let rest = text[closed + 1..].strip_prefix(b"\n")?;
    let indent = run(rest, 0, WIDEST, is_blank);
    let is_below = lead.iter().all(|byte| is_blank(*byte)) && indent > lead.len();
    is_below.then(|| member(text, closed + 2 + indent, b"value")).flatten()
}

/// `["password"]=>`, and below it `string(7) "x"`, as PHP dumps a list.
fn of_dump(text: &[u8], closed: usize) -> Option<Sign> {
    text[closed..].starts_with(b"=>").then_some(())?;
    let at = skip_lines(text, closed + 2);
    let rest = text[at..].strip_prefix(b"string(")?;
    let digits = run(rest, 0, 8, |byte| byte.is_ascii_digit());
    rest[digits..].starts_with(b") \"").then(|| Sign::of(closed, at + b"string() ".len() + digits, Form::Operator))
}

/// `name: DB_PASSWORD`, and behind it `value: x`, in YAML or JSON.
fn of_value_member(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let before = &text[name.start - run_before(text, name.start, LONGEST_KEY, |byte| byte != b'\n')..name.start];
    let is_sign = |byte: &u8| is_quote(*byte) || is_blank(*byte) || *byte == b'\\';
    let key = before.iter().rposition(|byte| !is_sign(byte)).filter(|at| before[*at] == b':')?;
    let key = before[..key].iter().rposition(|byte| !is_sign(byte)).map(|at| &before[..=at])?;
    let names = key.len() - run_before(key, key.len(), LONGEST_KEY, is_word);
    let is_name = key[names..].eq_ignore_ascii_case(b"name") || key[names..].ends_with(b"nname");
    let back = run_before(text, closed, 2, |byte| byte == b'\\');
    let at = skip_lines(text, closed - back + usize::from(text[closed] == b','));
    is_name.then(|| member(text, at, b"value")).flatten()
}

/// The sign behind a key that stands here, in quotes or not.
fn member(text: &[u8], at: usize, key: &[u8]) -> Option<Sign> {
    let at = at + run(text, at, 8, |byte| is_quote(byte) || byte == b'\\');
    let end = at + key.len();
    let is_key = text.get(at..end).is_some_and(|word| word.eq_ignore_ascii_case(key));
    let sign = end + run(text, end, 16, |byte| is_quote(byte) || byte == b'\\' || is_blank(byte));
    let is_sign = matches!(text.get(sign), Some(b':' | b'='));
    (is_key && is_sign).then(|| Sign::of(sign, sign + 1, Form::Member))
}

/// `variable "db_password" {`, and in the block `default = "x"`; `"db_password": {`, and in it `"sensitive"` and
/// `"value": "x"`, as `terraform` writes them.
fn of_block(text: &[u8], name: &Range<usize>, closed: usize) -> Option<Sign> {
    let opened = closed + run(text, closed, 8, |byte| is_blank(byte) || byte == b':');
    let block = text.get(opened..text.len().min(opened + WIDEST)).filter(|block| block.starts_with(b"{"))?;
    let block = &block[..block.iter().position(|byte| *byte == b'}').unwrap_or(block.len())];
    let before = text[..name.start].trim_ascii_end();
    let before = &before[..before.len() - run_before(before, before.len(), 8, |byte| is_quote(byte) || byte == b'\\')];
    let is_output = memchr::memmem::find(block, b"sensitive").is_some();
    let key: &[u8] = if before.trim_ascii_end().ends_with(b"variable") { b"default" } else { b"value" };
    if !is_output && key == b"value" {
        return None;
    }
    let begins = |at: &usize| !is_word(block[at - 1]) || block[*at - 1] == b'n';
    let mut places = memchr::memmem::find_iter(block, key).filter(begins);
    places.find_map(|at| member(&text[..opened + block.len()], opened + at, key))
}
