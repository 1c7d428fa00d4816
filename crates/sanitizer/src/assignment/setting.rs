//! Whether a value without quotes is text, as in files of settings and in queries, or code, where a word is a name.

use std::ops::Range;

use super::sign::Form;
use super::{listed, margin};
use crate::bytes::{is_blank, is_quote, is_word, run, run_before};
use crate::name::kind_of;
use crate::placeholder::template;

/// How long a value is that somebody types.
const LONGEST_VALUE: usize = 256;

/// How long the margins and words before a name are.
const LONGEST_LEAD: usize = 120;

/// How long a line of settings is.
const LONGEST_LINE: usize = 512;

/// Words that may stand before the name of a setting.
#[rustfmt::skip] // A list of words, as text.
const LEADS: &[&[u8]] = &[
    b"-", b"*", b"#", b"//", b";", b"export", b"set", b"setx", b"env", b"arg", b"local", b"declare", b"readonly", b"-e",
    b"--env", b"--set", b"-d", b"$", b"%", b">", b"!", b"[",
];

/// Words that begin a line of code.
#[rustfmt::skip] // A list of words, as text.
const KEYWORDS: &[&[u8]] = &[
    b"async", b"await", b"class", b"const", b"def", b"elif", b"else", b"except", b"fn", b"for", b"from", b"func", b"function",
    b"if", b"impl", b"import", b"interface", b"let", b"match", b"package", b"private", b"pub", b"public", b"raise", b"return", b"self", b"static",
    b"struct", b"switch", b"try", b"type", b"use", b"var", b"while", b"with", b"yield", b"@", b"```py", b"```rust", b"```js",
    b"```ts", b"```java", b"```go", b"```c", b"```rb", b"```ruby", b"```php",
];

/// Where the value ends that begins at `start`, if it is a text.
pub(super) fn end(text: &[u8], name: &Range<usize>, sign: Range<usize>, start: usize, form: Form) -> Option<usize> {
    // `[password] => x`, as PHP prints a list.
    let is_printed = text[name.end..].starts_with(b"] => ") && text[..name.start].ends_with(b" [");
    let is_plain_sign = text[sign.clone()].iter().filter(|byte| !is_blank(**byte)).count() == 1
        || text[sign.start] >= 0x80
        || is_printed;
    if !is_plain_sign {
        return None;
    }
    if is_member(&text[name.clone()]) {
        return None;
    }
    let parameter = (form == Form::Equals).then(|| parameter(text, name, start)).flatten();
    let listed = || listed::end(text, name, start);
    let end = parameter.or_else(listed).or_else(|| own_line(text, name, start))?;
    if is_minified(text, name, start..end) {
        return None;
    }
    // `$(openssl rand)` and `{{ name }}` go on behind their blanks.
    let is_cut = template(&text[start..]).is_some_and(|length| start + length > end);
    (!is_cut).then_some(end)
}

/// `password: value`, alone on its line, and no line of code before or behind it.
fn own_line(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let end = start + run(text, start, LONGEST_VALUE, |byte| !byte.is_ascii_whitespace());
    let rest = end + run(text, end, LONGEST_LINE, is_blank);
    let ends_line = matches!(text.get(rest), None | Some(b'\n' | b'\r')) || rest > end && text[rest] == b'#';
    let is_open = |byte: &u8| b",;{([".contains(byte);
    if !ends_line || end == start || is_open(&text[end - 1]) {
        return None;
    }
    let line = name.start - run_before(text, name.start, LONGEST_LEAD, |byte| byte != b'\n');
    let is_spaced_equals = text[name.end] == b' ' && text[..start].trim_ascii_end().ends_with(b"=");
    let is_name_of_code = is_spaced_equals && is_chain(&text[start..end]);
    let begins_line = line == 0 || text[line - 1] == b'\n';
    let fits = !is_name_of_code && begins_line && leads(margin::behind(&text[line..name.start]));
    (fits && !is_among_code(text, line, rest)).then_some(end)
}

/// `self.token`, `this.password`: code.
fn is_member(name: &[u8]) -> bool {
    name.starts_with(b"self.") || name.starts_with(b"this.")
}

/// `;t.password=n}return`, `,a.Credentials=a.inherit(a`, `return t.auth=h,t`: a member of an object of one letter, as
/// tools name them, behind another statement. At the beginning of a line it is a setting.
fn is_minified(text: &[u8], name: &Range<usize>, value: Range<usize>) -> bool {
    let is_member = matches!(&text[name.clone()], [object, b'.', ..] if object.is_ascii_alphabetic());
    let before = &text[..name.start];
    let is_behind = before.last().is_some_and(|byte| b";,{}(&|!?:=".contains(byte)) || before.ends_with(b"return ");
    is_member && is_behind && text[value].iter().any(|byte| b"(){},=".contains(byte))
}

/// `Keyword.Pseudo`, `next_token`, `f(x)`: what stands behind `=` in a language without semicolons.
fn is_chain(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| part.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_') && !part.is_empty();
    let names_a_secret = value.contains(&b'_') && kind_of(value).is_some();
    value.contains(&b'.') && value.split(|byte| *byte == b'.').all(is_name)
        || names_a_secret && is_name(value)
        || value.iter().any(|byte| b"([".contains(byte)) && value.iter().any(|byte| b")]".contains(byte))
}

/// Whether nothing but margins and words of settings stands before the name.
fn leads(before: &[u8]) -> bool {
    before.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).all(|word| {
        let word = word.strip_suffix(b"\"").or_else(|| word.strip_suffix(b"**")).unwrap_or(word);
        LEADS.iter().any(|lead| word.eq_ignore_ascii_case(lead)) || is_margin(word)
    })
}

/// `+`, `12:`, `12-`, `12→`, `|`, `src/a.yml:12:`.
fn is_margin(word: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"+-<>:|".contains(byte) || *byte >= 0x80;
    let number = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_numbered = word[number..].iter().all(is_sign);
    let ends_with_two = |sign: u8| word.last() == Some(&sign) && memchr::memchr_iter(sign, word).count() >= 2;
    let names_a_line = ends_with_two(b':') || ends_with_two(b'-');
    is_numbered
        || names_a_line && word.iter().any(u8::is_ascii_digit)
        || word.starts_with(b"//") && word.ends_with(b"/:")
        || word.starts_with(b"$env:")
        || margin::is_of_settings(word)
}

fn is_among_code(text: &[u8], line: usize, end: usize) -> bool {
    let before = text[line.saturating_sub(LONGEST_LINE)..line].trim_ascii_end();
    let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let behind = text[end..text.len().min(end + LONGEST_LINE)].trim_ascii_start();
    let behind = behind.split(|byte| *byte == b'\n').next().unwrap_or_default();
    is_code(before) || is_code(behind)
}

fn is_code(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"+").or_else(|| line.strip_prefix(b"-")).unwrap_or(line).trim_ascii_start();
    let is_comment = line.starts_with(b"#") || line.starts_with(b"//");
    let closes = line.last().is_some_and(|byte| b";{}(),".contains(byte));
    let calls = line.windows(2).any(|pair| is_word(pair[0]) && pair[1] == b'(');
    let begins = KEYWORDS.iter().any(|word| {
        line.starts_with(word)
            && (!is_word(word[word.len() - 1]) || line.get(word.len()).is_none_or(|next| !is_word(*next)))
    });
    !is_comment && !line.starts_with(b"@@") && (closes || calls || begins)
}

/// `a=b&password=value&`, `Password=value;`, `user=a password=value `: a list of names and values.
fn parameter(text: &[u8], name: &Range<usize>, start: usize) -> Option<usize> {
    let ends = |byte: u8| byte.is_ascii_whitespace() || is_quote(byte) || matches!(byte, b'&' | b';' | b'<' | b'\\');
    let end = start + run(text, start, LONGEST_VALUE, |byte| !ends(byte));
    let opens = name.start.checked_sub(1).map(|at| text[at]);
    let is_list = match text.get(end) {
        Some(b'&') => is_pair(&text[end + 1..text.len().min(end + LONGEST_LINE)]),
        Some(b';') => is_pair(&text[end + 1..text.len().min(end + LONGEST_LINE)]) || opens == Some(b';'),
        _ => false,
    };
    let is_in_list = matches!(opens, Some(b'?' | b'&' | b';')) && !text[..name.start].ends_with(b"&&");
    let is_word_apart = opens.is_none_or(|byte| byte.is_ascii_whitespace() || is_quote(byte) || byte == b'#');
    let value = &text[start..end];
    let opens_bracket = [b"()", b"[]"].iter().any(|pair| value.contains(&pair[0]) && !value.contains(&pair[1]));
    let is_closed = end > start && b",)]}([".contains(&text[end - 1]) || opens_bracket;
    let ends_word = text.get(end).is_none_or(|byte| byte.is_ascii_whitespace() || opens == Some(*byte));
    let is_code = continues_code(text, end) || opens_expression(value, &text[end..text.len().min(end + LONGEST_LINE)]);
    let is_logged = is_word_apart && ends_word && !is_closed && !is_code;
    (end > start && (is_list || is_in_list || is_logged)).then_some(end)
}

/// `Database=shop;` and the like.
fn is_pair(text: &[u8]) -> bool {
    let name = run(text, 0, 64, |byte| is_word(byte) || is_blank(byte));
    name == 0 && text.is_empty()
        || text.get(name) == Some(&b'=')
        || matches!(text.first(), None | Some(b'"' | b'\'' | b'\n'))
}

/// `lambda x: token`, `await fetch()`: a word of code, and what it is about. Behind a value, another name and value come.
fn opens_expression(word: &[u8], behind: &[u8]) -> bool {
    let next = run(behind, 1, LONGEST_LINE, is_word);
    OPENERS.contains(&word) && next > 0 && behind[0] == b' ' && behind.get(1 + next) != Some(&b'=')
}

/// Words that begin an expression.
const OPENERS: &[&[u8]] = &[b"async", b"await", b"function", b"lambda", b"new", b"not", b"typeof", b"yield"];

/// A bracket or an operator behind the value: `f(password=word\n)`.
fn continues_code(text: &[u8], end: usize) -> bool {
    let behind = text[end..text.len().min(end + LONGEST_LINE)].trim_ascii_start();
    behind.first().is_some_and(|byte| b")]}.+?=".contains(byte))
        || [&b"if "[..], b"else ", b"for ", b"or ", b"and ", b"is ", b"not ", b"in "]
            .iter()
            .any(|word| behind.starts_with(word))
}
