//! The line around a match, cut to what fits on a screen, and where in it the match stands.
//!
//! Does not escape what a terminal would obey; whoever prints does.

use std::ops::Range;

use annals_kernel::cut::head;
use schemars::JsonSchema;
use serde::Serialize;

/// How much of a line is shown, in bytes; a little more where a letter ends later.
const MOST_BYTES: usize = 240;

/// Of that so much before the match.
const BEFORE_BYTES: usize = 60;

/// So many marks are shown at most.
const MOST_MARKS: usize = 16;

/// A piece of text and the stretches in it that were looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Excerpt {
    /// The text, `…` where it was cut.
    pub text: String,
    /// Where in it, in bytes: from, and behind the end.
    pub marks: Vec<[usize; 2]>,
}

impl Excerpt {
    /// A whole text without marks.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), marks: Vec::new() }
    }

    /// The line of `text` in which the first match stands; `found` are places of matches, in any order.
    pub(crate) fn around(text: &str, found: &[Range<usize>]) -> Self {
        let Some(first) = found.iter().min_by_key(|range| range.start) else { return Self::plain("") };
        let line = line_at(text, first);
        let from = floor(text, first.start.saturating_sub(BEFORE_BYTES).max(line.start));
        let from = if first.start - line.start <= BEFORE_BYTES { line.start } else { from };
        let until = floor(text, (from + MOST_BYTES).max(first.end.min(from + 2 * MOST_BYTES)).min(line.end));
        let ends = [from > line.start, until < line.end].map(|is_cut| if is_cut { "…" } else { "" });
        let shift = |at: usize| at - from + ends[0].len();
        let mut marks: Vec<_> = found.iter().filter(|range| range.start >= from && range.end <= until).collect();
        marks.sort_by_key(|range| (range.start, range.end));
        let mut apart: Vec<[usize; 2]> = Vec::new();
        for range in marks {
            let [start, end] = [shift(range.start), shift(range.end)];
            if apart.last().is_none_or(|last| last[1] <= start) && apart.len() < MOST_MARKS {
                apart.push([start, end]);
            }
        }
        Self { text: format!("{}{}{}", ends[0], &text[from..until], ends[1]), marks: apart }.one_line()
    }

    /// Without the blanks at its ends, and with one blank for each tab, so that marks stay where they are.
    fn one_line(self) -> Self {
        let text = self.text.replace(['\t', '\r', '\n'], " ");
        let cut = text.len() - text.trim_start().len();
        let text = text.trim().to_owned();
        let marks = self.marks.into_iter().map(|[start, end]| {
            let fits = |at: usize| at.saturating_sub(cut).min(text.len());
            [fits(start), fits(end)]
        });
        let marks = marks.filter(|[start, end]| start < end).collect();
        Self { text, marks }
    }

    /// Its pieces in turn: plain, marked, plain, …; any of them may be empty.
    pub fn pieces(&self) -> Vec<&str> {
        let (mut pieces, mut at) = (Vec::new(), 0);
        for [start, end] in &self.marks {
            pieces.push(self.text.get(at..*start).unwrap_or_default());
            pieces.push(self.text.get(*start..*end).unwrap_or_default());
            at = *end;
        }
        pieces.push(self.text.get(at..).unwrap_or_default());
        pieces
    }
}

/// The line in which a stretch begins, with more where the stretch goes on.
fn line_at(text: &str, stretch: &Range<usize>) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..stretch.start]).map_or(0, |newline| newline + 1);
    let behind = stretch.end.max(stretch.start);
    let end = memchr::memchr(b'\n', &text.as_bytes()[behind..]).map_or(text.len(), |newline| behind + newline);
    start..end
}

/// The beginning of the letter at a place.
fn floor(text: &str, at: usize) -> usize {
    head(text, at).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, sought: &str) -> String {
        let found: Vec<_> = text.match_indices(sought).map(|(at, found)| at..at + found.len()).collect();
        let excerpt = Excerpt::around(text, &found);
        let pieces = excerpt.pieces();
        pieces
            .iter()
            .enumerate()
            .map(|(at, piece)| if at % 2 == 1 { format!("[{piece}]") } else { (*piece).to_owned() })
            .collect()
    }

    #[test]
    fn the_line_of_the_match_is_shown_with_its_marks() {
        assert_eq!(shown("one\n\ttwo words two\nthree", "two"), "[two] words [two]");
        assert_eq!(shown("Größe: 7 äpfel", "äpfel"), "Größe: 7 [äpfel]");
        assert_eq!(shown("a\nb", "a\nb"), "[a b]");
        assert_eq!(shown("nothing", "here"), "");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_and_never_within_a_letter() {
        for before in 0..70 {
            let text = format!("{}{}needle{}", "x".repeat(before), "ä".repeat(4000), "ö".repeat(4000));
            let shown = shown(&text, "needle");
            assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("[needle]"), "{shown}");
            assert!(shown.len() < 2 * MOST_BYTES);
        }
    }
}
