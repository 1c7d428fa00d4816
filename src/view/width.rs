//! How many columns of a terminal a text takes, and texts cut to so many: wide letters take two, combining marks none.
//!
//! Measures what is shown, so texts come here behind `escape`. `gist::cut` counts characters, for texts that are recorded.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text in at most so many columns, with `…` at its end where something is missing. No letter is taken apart.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if width(text) <= most {
        return Cow::Borrowed(text);
    }
    let Some(room) = most.checked_sub(1) else { return Cow::Borrowed("") };
    Cow::Owned(format!("{}…", text[..end(text, room)].trim_end()))
}

/// A text behind which blanks fill so many columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Where the last letter ends that fits into so many columns.
///
/// Letters are measured one by one: some scripts join two of them into a narrower one, never into a wider.
pub fn end(text: &str, columns: usize) -> usize {
    let (mut end, mut taken) = (0, 0);
    // By what a reader takes for a letter: cut between a letter and its accent, the accent would stand on the `…`.
    for letter in text.graphemes(true) {
        taken += width(letter);
        if taken > columns {
            break;
        }
        end += letter.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_cut_whole_and_by_the_columns_that_they_take() {
        for (text, most, expected) in [
            ("plain", 5, "plain"),
            ("plain", 4, "pla…"),
            ("漢字漢字", 8, "漢字漢字"),
            ("漢字漢字", 7, "漢字漢…"),
            ("漢字漢字", 6, "漢字…"),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("👨\u{200d}👩\u{200d}👧 family", 3, "👨\u{200d}👩\u{200d}👧…"),
            ("two words", 5, "two…"),
            ("plain", 1, "…"),
            ("plain", 0, ""),
        ] {
            assert_eq!(cut(text, most), expected, "{text} in {most}");
        }
    }

    #[test]
    fn blanks_fill_up_to_the_column() {
        assert_eq!([padded("漢", 4), padded("e\u{301}", 2), padded("long", 2)], ["漢  ", "e\u{301} ", "long"]);
    }
}
