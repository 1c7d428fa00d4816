//! JSON strings: decoding one, and finding in its writing what was found in its text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

/// Where a text in JSON has escapes that hide what they stand for, or change what stands beside them; of a run of them,
/// the first.
pub(super) fn hiding(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    const LENGTH: usize = 6;
    let follows = |at: usize| at >= LENGTH && text[at - LENGTH..].starts_with(br"\u");
    let codes = memmem::find_iter(text, br"\u").filter(move |at| !follows(*at)).map(|at| at..at + 2);
    codes.chain(memmem::find_iter(text, br":\/\/").map(|at| at..at + 5))
}

/// One step through the inside of a JSON string.
struct Step {
    /// How many bytes of the writing.
    written: usize,
    /// What they mean; a lone surrogate means U+FFFD.
    meaning: char,
}

/// The text that the inside of a JSON string means; `None` if it is no such inside.
pub(super) fn decode(written: &str) -> Option<Cow<'_, str>> {
    let Some(first) = memchr(b'\\', written.as_bytes()) else { return Some(Cow::Borrowed(written)) };
    let mut text = String::with_capacity(written.len());
    text.push_str(&written[..first]);
    let mut rest = &written[first..];
    while !rest.is_empty() {
        let step = escape(rest.as_bytes())?;
        text.push(step.meaning);
        rest = &rest[step.written..];
        let plain = memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        text.push_str(&rest[..plain]);
        rest = &rest[plain..];
    }
    Some(Cow::Owned(text))
}

/// An escape at the beginning.
fn escape(written: &[u8]) -> Option<Step> {
    let meaning = match written.get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(written),
        _ => return None,
    };
    Some(Step { written: 2, meaning })
}

fn unicode(written: &[u8]) -> Option<Step> {
    let high = code(written)?;
    if let Some(meaning) = char::from_u32(high) {
        return Some(Step { written: 6, meaning });
    }
    let low = written.get(6..).filter(|rest| rest.starts_with(b"\\u")).and_then(code);
    match low {
        Some(low @ 0xdc00..=0xdfff) if high < 0xdc00 => {
            let meaning = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?;
            Some(Step { written: 12, meaning })
        }
        Some(_) | None => Some(Step { written: 6, meaning: char::REPLACEMENT_CHARACTER }),
    }
}

/// The number in `\u0041`.
fn code(written: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(written.get(2..6)?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Walks through the writing beside its text, and so finds ranges of the text in it. Ranges come in order.
pub(super) struct Places<'a> {
    written: &'a str,
    at_written: usize,
    at_text: usize,
}

impl<'a> Places<'a> {
    /// At the beginning of a string that `decode` could read.
    pub(super) fn new(written: &'a str) -> Self {
        Self { written, at_written: 0, at_text: 0 }
    }

    /// Where a range of the text is written.
    pub(super) fn find(&mut self, range: Range<usize>) -> Range<usize> {
        let start = self.go_to(range.start);
        start..self.go_to(range.end)
    }

    fn go_to(&mut self, text: usize) -> usize {
        while self.at_text < text {
            let rest = &self.written.as_bytes()[self.at_written..];
            let most = rest.len().min(text - self.at_text);
            let plain = memchr(b'\\', &rest[..most]).unwrap_or(most);
            self.at_written += plain;
            self.at_text += plain;
            if plain == 0 {
                let step = escape(rest).expect("BUG: an escape that was decoded before");
                self.at_written += step.written;
                self.at_text += step.meaning.len_utf8();
            }
        }
        self.at_written
    }
}

/// A text as the inside of a JSON string.
pub(super) fn encode(text: &str) -> String {
    let quoted = serde_json::to_string(text).expect("BUG: a string does not serialize");
    quoted[1..quoted.len() - 1].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded_as_json_says() {
        let cases = [
            ("plain ü", Some("plain ü")),
            (r#"a\n\"b\"\\\/\t"#, Some("a\n\"b\"\\/\t")),
            (r"\u0041\u00fc\ud83d\ude00!", Some("Aü😀!")),
            (r"\ud83d-\ude00", Some("\u{fffd}-\u{fffd}")),
            (r"\ud83d\u0041", Some("\u{fffd}A")),
            (r"\x", None),
            (r"\u00g0", None),
            (r"\u+041", None),
            ("\\", None),
        ];
        for (written, expected) in cases {
            assert_eq!(decode(written).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn ranges_of_the_text_are_found_in_the_writing() {
        let written = r"a\u00fcb\n\ud83d\ude00cd";
        let text = decode(written).expect("a string");
        let mut places = Places::new(written);
        let b = text.find('b').expect("b");
        assert_eq!(&written[places.find(b..b + 2)], r"b\n");
        let c = text.find('c').expect("c");
        assert_eq!(&written[places.find(c..text.len())], "cd");
    }
}
