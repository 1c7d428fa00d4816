//! One sign that stands for another, or for none.

/// How much of a source means what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub length: usize,
    /// `None` where it only moves a cursor or changes a colour, or joins two lines.
    pub meaning: Option<char>,
}

/// How long a title or a link in a terminal sequence may be.
const LONGEST_COMMAND: usize = 2048;

/// How many digits and signs a colour may have.
const LONGEST_COLOUR: usize = 32;

/// How escapes of programs write the escape sign.
const WRITTEN: &[&str] = &["x1b", "x1B", "u001b", "u001B", "u{1b}", "u{1B}", "033", "e"];

/// How a marker begins: what stands for a secret is never part of a colour.
const MARKER: &[u8] = b"[REDACTED_";

const REFERENCES: &[(&str, char)] = &[
    ("quot;", '"'),
    ("apos;", '\''),
    ("amp;", '&'),
    ("lt;", '<'),
    ("gt;", '>'),
    ("nbsp;", ' '),
    ("colon;", ':'),
    ("equals;", '='),
];

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    /// `=41` is a letter, as mails have it; in any other text it is the end of a setting.
    QuotedPrintable,
}

impl Encoding {
    pub(super) fn of(source: &str) -> Self {
        let is_quoted = memchr::memmem::find(source.as_bytes(), b"=3D").is_some();
        if is_quoted { Self::QuotedPrintable } else { Self::Plain }
    }
}

/// The unit that begins here.
pub(super) fn unit_at(source: &str, at: usize, encoding: Encoding) -> Option<Unit> {
    let rest = source.get(at..)?;
    match rest.as_bytes()[0] {
        b'\x1b' => Some(Unit { length: sequence(rest.as_bytes()), meaning: None }),
        b'^' => colour(rest.as_bytes(), "^[".len()).filter(|_| rest.starts_with("^[[")),
        b'&' => reference(rest),
        b'%' => percent(rest),
        b'\\' => escape(rest),
        b'=' if encoding == Encoding::QuotedPrintable => quoted_printable(rest),
        _ => None,
    }
}

/// How long the terminal sequence is: a colour, a title, or one more sign; a marker of ours is part of none.
fn sequence(rest: &[u8]) -> usize {
    match rest.get(1) {
        // Taken for a colour, the marker would lose its first letters with the next cleaning, and cleaning twice must
        // change nothing.
        Some(b'[') if rest[1..].starts_with(MARKER) => 1,
        Some(b'[') => colour(rest, 1).map_or(2, |unit| unit.length),
        Some(b']') => {
            let body = &rest[..rest.len().min(LONGEST_COMMAND)];
            let end = body.iter().skip(2).position(|byte| matches!(byte, 7 | 0x1b));
            end.map_or(2, |end| {
                3 + end + usize::from(body.get(end + 2) == Some(&0x1b) && body.get(end + 3) == Some(&b'\\'))
            })
        }
        Some(b'(' | b')') if rest.get(2).is_some_and(u8::is_ascii) => 3,
        Some(byte) if byte.is_ascii() => 2,
        Some(_) | None => 1,
    }
}

/// `[1;31m` behind an escape sign of some length.
fn colour(rest: &[u8], sign: usize) -> Option<Unit> {
    (rest.get(sign) == Some(&b'[') && !rest[sign..].starts_with(MARKER)).then_some(())?;
    let digits = rest[sign + 1..].iter().take(LONGEST_COLOUR).take_while(|byte| matches!(byte, b' '..=b'?')).count();
    let ends = rest.get(sign + 1 + digits).is_some_and(|byte| matches!(byte, b'@'..=b'~'));
    ends.then_some(Unit { length: sign + digits + 2, meaning: None })
}

/// Whether a character reference begins here, as far as a glance tells.
pub(super) fn is_reference(rest: &[u8]) -> bool {
    rest.get(1) == Some(&b'#') || REFERENCES.iter().any(|(name, _)| rest[1..].starts_with(name.as_bytes()))
}

/// `&quot;`, `&#34;`, `&#x22;`.
fn reference(rest: &str) -> Option<Unit> {
    let body = &rest[1..];
    if let Some((name, meaning)) = REFERENCES.iter().find(|(name, _)| body.starts_with(name)) {
        return Some(Unit { length: 1 + name.len(), meaning: Some(*meaning) });
    }
    let number = body.strip_prefix('#')?;
    let end = number.as_bytes().iter().take(8).position(|byte| *byte == b';')?;
    let number = &number[..end];
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    let meaning = char::from_u32(code.ok()?).filter(|letter| !letter.is_control())?;
    Some(Unit { length: end + 3, meaning: Some(meaning) })
}

/// `%3D`, and letters outside of ASCII of several.
fn percent(rest: &str) -> Option<Unit> {
    let bytes = rest.as_bytes();
    let first = hex(bytes, 1, b'%', 0)?;
    let count = match first {
        0x20..=0x7e => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let decoded: Option<Vec<u8>> = (0..count).map(|index| hex(bytes, 1, b'%', index)).collect();
    let meaning = std::str::from_utf8(&decoded?).ok()?.chars().next()?;
    Some(Unit { length: 3 * count, meaning: Some(meaning) })
}

/// The byte that two digits give behind a sign, the `index`th such.
fn hex(bytes: &[u8], skip: usize, sign: u8, index: usize) -> Option<u8> {
    let at = index * (2 + skip);
    (bytes.get(at) == Some(&sign)).then_some(())?;
    let digits = bytes.get(at + skip..at + skip + 2)?;
    let value = |digit: u8| (digit as char).to_digit(16);
    let (high, low) = (value(digits[0])?, value(digits[1])?);
    u8::try_from(high * 16 + low).ok()
}

/// `\u003c`, `\x41`, a colour of a terminal written out; a run of backslashes belongs to it.
fn escape(rest: &str) -> Option<Unit> {
    let bytes = rest.as_bytes();
    // JSON in a string of JSON doubles them each time.
    let backslashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    let body = &rest[backslashes..];
    let written = WRITTEN.iter().find(|written| body.starts_with(**written));
    if let Some(unit) = written.and_then(|written| colour(bytes, backslashes + written.len())) {
        return Some(unit);
    }
    let (digits, count) = match body.as_bytes() {
        [b'u', rest @ ..] => (rest, 4),
        [b'x', rest @ ..] => (rest, 2),
        _ => return None,
    };
    let digits = std::str::from_utf8(digits.get(..count)?).ok()?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
    let meaning = char::from_u32(code).filter(|letter| !letter.is_control() && *letter != '\\')?;
    Some(Unit { length: backslashes + 1 + count, meaning: Some(meaning) })
}

/// `=3D`, and `=` before the end of a line.
fn quoted_printable(rest: &str) -> Option<Unit> {
    if rest.starts_with("=\n") || rest.starts_with("=\r\n") {
        return Some(Unit { length: 1 + rest[1..].find('\n')? + 1, meaning: None });
    }
    let code = hex(rest.as_bytes(), 1, b'=', 0).filter(|code| matches!(code, 0x20..=0x7e))?;
    Some(Unit { length: 3, meaning: Some(code as char) })
}
