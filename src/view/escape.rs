//! Text from the log as it may be shown (decision 48): what would move a cursor, change a title, hide or reorder letters
//! is written out as `\u{1b}`, in JSON as `\u001b`.
//!
//! Does not print and knows no colours; `cli::output` and `render` pass everything through here. Shown as they are:
//! combining marks; one selector of emoji (U+FE0E, U+FE0F) behind a letter beyond ASCII, or in a keycap; and one U+200C or
//! U+200D between two letters beyond ASCII, where Persian, Indic scripts and families of emoji need them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text that stands in one line: line breaks and tabs are written out, too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, TextLayout::Line)
}

/// A text of many lines: line breaks and tabs stay.
pub fn page(text: &str) -> Cow<'_, str> {
    escaped(text, TextLayout::Page)
}

/// A document of JSON: a parser gives back what it would have given before.
pub fn json(document: &str) -> Cow<'_, str> {
    escaped(document, TextLayout::Json)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextLayout {
    Line,
    Page,
    Json,
}

fn escaped(text: &str, layout: TextLayout) -> Cow<'_, str> {
    let Some(first) = suspect(text.as_bytes(), 0) else { return Cow::Borrowed(text) };
    let (mut shown, mut plain, mut next) = (String::new(), 0, Some(first));
    while let Some(at) = next {
        let letter = text[at..].chars().next().expect("BUG: a letter that may be escaped begins here");
        let end = at + letter.len_utf8();
        if goes(text, at, letter, layout) {
            shown.push_str(&text[plain..at]);
            plain = end;
            write_out(&mut shown, letter, layout);
        }
        next = suspect(text.as_bytes(), end);
    }
    if plain == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[plain..]);
    Cow::Owned(shown)
}

/// Where the next letter begins that may have to be escaped. Most texts are ASCII, of which many bytes are looked at at
/// once.
fn suspect(bytes: &[u8], from: usize) -> Option<usize> {
    const CHUNK: usize = 32;
    let mut at = from;
    while let Some(chunk) = bytes.get(at..at + CHUNK) {
        // Without a branch in it the compiler compares the bytes of a chunk all at once.
        if chunk.iter().fold(0, |seen, byte| seen | u8::from(byte.wrapping_sub(0x20) >= 0x5f)) == 0 {
            at += CHUNK;
        } else if let Some(found) = chunk.iter().position(|byte| is_suspect(*byte)) {
            return Some(at + found);
        } else {
            at += CHUNK;
        }
    }
    bytes[at..].iter().position(|byte| is_suspect(*byte)).map(|found| at + found)
}

/// A control character of ASCII, or the first byte of a letter that may be one of those below.
// What is not in this list is never looked at: a test goes through Unicode's class of ignorable letters, so that a
// later range is noticed.
fn is_suspect(byte: u8) -> bool {
    matches!(byte, 0..0x20 | 0x7f | 0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf0 | 0xf3)
}

fn goes(text: &str, at: usize, letter: char, layout: TextLayout) -> bool {
    match letter {
        '\n' => layout == TextLayout::Line,
        '\t' => layout != TextLayout::Page,
        // In JSON always, because a parser gives them back as they were.
        '\u{200c}' | '\u{200d}' => layout == TextLayout::Json || !joins(text, at, letter),
        '\u{fe0e}' | '\u{fe0f}' => !selects(text, at, letter),
        letter => letter.is_control() || deceives(letter),
    }
}

/// Whether a joiner stands between two letters beyond ASCII: in a word of ASCII, or in a run, it only hides there.
fn joins(text: &str, at: usize, joiner: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + joiner.len_utf8()..].chars().next();
    before.is_some_and(|before| is_foreign(before) || matches!(before, '\u{fe0e}' | '\u{fe0f}'))
        && after.is_some_and(is_foreign)
}

/// Whether a selector of emoji has a letter to select a form of: one beyond ASCII, or that of a keycap.
fn selects(text: &str, at: usize, selector: char) -> bool {
    match text[..at].chars().next_back() {
        Some('0'..='9' | '#' | '*') => text[at + selector.len_utf8()..].starts_with('\u{20e3}'),
        before => before.is_some_and(is_foreign),
    }
}

/// Whether it is a letter beyond ASCII that is seen.
fn is_foreign(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_control() && !deceives(letter) && !is_between(letter)
}

/// A joiner or a selector, which says something of the letters beside it alone.
fn is_between(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// What reorders letters, or is not seen and makes two texts look alike.
fn deceives(letter: char) -> bool {
    matches!(letter,
        // Soft hyphen, grapheme joiner, Arabic letter mark, fillers and selectors of Hangul, Khmer and Mongolian.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        // Zero width space; marks of direction; line and paragraph separators and bidi embeddings; operators that are
        // not seen, isolates and what came before them.
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Fillers; selectors of variants other than of emoji; the byte order mark; marks of annotations.
        | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        // Joiners of hieroglyphs, of shorthand and of musical notation.
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags and the selectors behind them: whole texts hide in these.
        | '\u{e0000}'..='\u{e0fff}')
}

fn write_out(shown: &mut String, letter: char, layout: TextLayout) {
    let written = match (layout, letter) {
        // In JSON these stand between tokens only, where they mean nothing.
        (TextLayout::Json, '\0'..' ') => write!(shown, " "),
        (TextLayout::Json, letter) => {
            letter.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(shown, "\\u{unit:04x}"))
        }
        (TextLayout::Line, '\n') => write!(shown, "\\n"),
        (TextLayout::Line, '\t') => write!(shown, "\\t"),
        (TextLayout::Line | TextLayout::Page, '\r') => write!(shown, "\\r"),
        (TextLayout::Line | TextLayout::Page, letter) => write!(shown, "\\u{{{:x}}}", u32::from(letter)),
    };
    written.expect("BUG: a string takes all that is written to it");
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\x1b]0;pwned\x07\x1b[2J\u{202e}\u{9b}31m\u{7f}\u{feff}\r\n\tb";

    #[test]
    fn what_moves_a_cursor_is_written_out() {
        assert_eq!(line(HOSTILE), r"a\u{1b}]0;pwned\u{7}\u{1b}[2J\u{202e}\u{9b}31m\u{7f}\u{feff}\r\n\tb");
        assert_eq!(page(HOSTILE), "a\\u{1b}]0;pwned\\u{7}\\u{1b}[2J\\u{202e}\\u{9b}31m\\u{7f}\\u{feff}\\r\n\tb");
    }

    #[test]
    fn json_means_what_it_meant() {
        let value = serde_json::json!({ "k\u{9b}": [HOSTILE, "\u{e0041}\u{200d}", "é \\u{1b} ü"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).expect("JSON")] {
            let shown = json(&format!("{text}\r\n")).into_owned();
            assert!(
                !shown.chars().any(|letter| (letter.is_control() && letter != '\n') || deceives(letter)),
                "{shown}"
            );
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON"), value);
        }
    }

    #[test]
    fn every_letter_that_goes_is_found_by_its_first_byte_wherever_it_stands() {
        for letter in (char::MIN..=char::MAX).filter(|letter| letter.is_control() || deceives(*letter)) {
            for before in [0, 1, 31, 32, 70] {
                let text = format!("{}{letter}end", "x".repeat(before));
                let shown = line(&text);
                assert!(!shown.contains(letter) && shown.ends_with("end"), "{letter:?} behind {before}");
            }
        }
    }

    /// Unicode's own list of what is not seen where a font does not know it.
    #[test]
    fn what_is_not_seen_is_written_out_wherever_it_says_nothing_of_its_neighbours() {
        let unseen = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").expect("a class");
        let letters = (char::MIN..=char::MAX).filter(|letter| unseen.is_match(letter.encode_utf8(&mut [0; 4])));
        let mut count = 0;
        for letter in letters {
            count += 1;
            assert!(deceives(letter) || is_between(letter), "{letter:?}");
            for text in [format!("a{letter}b"), format!("{letter}é"), format!("1{letter}2"), format!("é{letter}")] {
                let is_shown = text.starts_with('é') && matches!(letter, '\u{fe0e}' | '\u{fe0f}');
                assert_eq!(line(&text).contains(letter), is_shown, "{text:?}");
            }
            for run in
                [format!("é{letter}{letter}é"), format!("é\u{fe0f}{letter}\u{fe0f}é"), format!("é\u{200d}{letter}é")]
            {
                assert_ne!(line(&run), run, "{run:?}");
            }
        }
        assert!(count > 4000, "{count}");
    }

    #[test]
    fn runs_of_selectors_and_of_joiners_hide_no_text() {
        assert_eq!(line("A\u{fe0e}\u{fe0f}B 7\u{fe0f}"), r"A\u{fe0e}\u{fe0f}B 7\u{fe0f}");
        assert_eq!(line("❤\u{fe0f}\u{fe0e}\u{fe0f}"), "❤\u{fe0f}\\u{fe0e}\\u{fe0f}");
        assert_eq!(line("é\u{200d}\u{200c}é"), r"é\u{200d}\u{200c}é");
        assert_eq!(line("x\u{1d173}\u{1bca0}\u{13430}"), r"x\u{1d173}\u{1bca0}\u{13430}");
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        let texts = [
            "",
            "plain",
            "ü ß 漢字 한국어 ❤️ 🏽",
            "می\u{200c}خواهم",
            "👨\u{200d}👩\u{200d}👧",
            "👁️\u{200d}🗨️ #️⃣ 1️⃣ ☎︎",
            "e\u{301}",
            r"\u{1b}",
        ];
        for text in texts {
            assert_eq!((line(text), page(text)), (Cow::Borrowed(text), Cow::Borrowed(text)));
            assert!(matches!(line(text), Cow::Borrowed(_)), "{text}");
        }
        assert_eq!(line("pass\u{200d}word"), r"pass\u{200d}word");
    }
}
