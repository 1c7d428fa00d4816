//! A line with words in colours: what stands in it is text from anywhere, its colours are ours.
//!
//! Is not printed here; `output` does, and makes it harmless and wraps it before.

use std::fmt::Display;

use crate::view::escape;
use crate::view::width::{end, width};

/// How a word looks on a terminal. What a colour says is also said in words or signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As everything else.
    Plain,
    /// A heading, a person.
    Bold,
    /// What the eye may pass over.
    Dim,
    /// A failure.
    Red,
    /// An agent.
    Green,
    /// Somebody said no.
    Yellow,
    /// A tool.
    Cyan,
}

impl Style {
    /// Its number in a terminal's sequence.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Red => "31",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Cyan => "36",
        }
    }
}

/// A line, piece by piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    spans: Vec<(Style, String)>,
}

impl Line {
    /// It begins with a text in a style.
    pub(super) fn of(style: Style, text: impl Display) -> Self {
        Self::default().and(style, text)
    }

    /// It begins with a text as everything else.
    pub(super) fn plain(text: impl Display) -> Self {
        Self::of(Style::Plain, text)
    }

    /// A text in a style follows.
    #[must_use]
    pub(super) fn and(mut self, style: Style, text: impl Display) -> Self {
        self.spans.push((style, text.to_string()));
        self
    }

    /// A text as everything else follows.
    #[must_use]
    pub(super) fn then(self, text: impl Display) -> Self {
        self.and(Style::Plain, text)
    }

    /// Another line follows in the same line.
    #[must_use]
    pub(super) fn join(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// Its pieces, without white space at the end.
    pub(super) fn spans(&self) -> impl Iterator<Item = (Style, &str)> {
        let last = self.spans.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        let spans = self.spans.iter().enumerate().take(last.map_or(0, |last| last + 1));
        let trimmed = move |at, text: &'_ String| if Some(at) == last { text.trim_end().len() } else { text.len() };
        let shown = spans.map(move |(at, (style, text))| (*style, &text[..trimmed(at, text)]));
        shown.filter(|(_, text)| !text.is_empty())
    }

    /// As it may be shown.
    #[must_use]
    pub(super) fn escaped(&self) -> Self {
        Self { spans: self.spans().map(|(style, text)| (style, escape::line(text).into_owned())).collect() }
    }

    /// In one line that fits so many columns, with `…` at its end where something is missing.
    #[must_use]
    pub(super) fn cut(self, columns: usize) -> Self {
        if self.width() <= columns {
            return self;
        }
        let (mut shown, mut left) = (Self::default(), columns.saturating_sub(1));
        for (style, text) in self.spans {
            let end = end(&text, left);
            left -= width(&text[..end]).min(left);
            shown = shown.and(style, &text[..end]);
            if end < text.len() {
                break;
            }
        }
        shown.then("…")
    }

    fn width(&self) -> usize {
        self.spans.iter().map(|(_, text)| width(text)).sum()
    }

    /// In lines that fit so many columns of a terminal: it goes on below, set in, where a word would not fit any more. A
    /// word that alone is too wide is broken.
    pub(super) fn wrapped(self, columns: usize) -> Vec<Self> {
        if self.width() <= columns {
            return vec![self];
        }
        let mut wrapping = Wrapping::new(&self, columns);
        for (style, text) in &self.spans {
            text.split_inclusive(' ').for_each(|word| wrapping.take(*style, word));
        }
        wrapping.done
    }
}

/// A line that is being wrapped.
struct Wrapping {
    done: Vec<Line>,
    columns: usize,
    /// How far what goes on below is set in.
    indent: usize,
    /// The columns of the last line that are taken.
    taken: usize,
}

impl Wrapping {
    fn new(line: &Line, columns: usize) -> Self {
        const FURTHER: usize = 2;
        let whole: String = line.spans.iter().map(|(_, text)| text.as_str()).collect();
        let indent = whole.len() - whole.trim_start_matches(' ').len() + FURTHER;
        // A line that is set in far would otherwise have no room for words below.
        Self { done: vec![Line::default()], columns, indent: indent.min(columns / 2), taken: 0 }
    }

    fn take(&mut self, style: Style, word: &str) {
        let (mut rest, letters) = (word, word.trim_end_matches(' '));
        if letters.is_empty() && self.taken >= self.columns {
            return;
        }
        if self.taken + width(letters) > self.columns && self.has_words() {
            self.go_on_below();
        }
        while self.taken + width(rest.trim_end_matches(' ')) > self.columns {
            let first = end(rest, self.columns - self.taken).max(rest.chars().next().map_or(0, char::len_utf8));
            self.put(style, &rest[..first]);
            rest = &rest[first..];
            self.go_on_below();
        }
        self.put(style, rest);
    }

    fn has_words(&self) -> bool {
        self.done.last().is_some_and(|line| line.spans.iter().any(|(_, text)| !text.trim().is_empty()))
    }

    fn go_on_below(&mut self) {
        self.done.push(Line::plain(" ".repeat(self.indent)));
        self.taken = self.indent;
    }

    fn put(&mut self, style: Style, text: &str) {
        self.taken += width(text);
        let line = self.done.last_mut().expect("BUG: a line that is being wrapped has a last one");
        line.spans.push((style, text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(line: Line, columns: usize) -> Vec<String> {
        let lines = line.wrapped(columns).into_iter();
        lines.map(|line| line.spans().map(|(_, text)| text).collect()).collect()
    }

    #[test]
    fn words_that_do_not_fit_go_on_below() {
        for (text, columns, expected) in [
            ("one two three", 13, &["one two three"][..]),
            ("one two three", 9, &["one two", "  three"]),
            ("  one two three", 9, &["  one two", "    three"]),
            ("漢字 漢字 漢字", 10, &["漢字 漢字", "  漢字"]),
            ("a-word-too-long", 8, &["a-word-t", "  oo-lon", "  g"]),
            ("a a-word-too-long", 8, &["a", "  a-word", "  -too-l", "  ong"]),
        ] {
            assert_eq!(wrapped(Line::plain(text), columns), expected, "{text} in {columns}");
        }
    }

    #[test]
    fn a_line_is_cut_where_its_columns_end() {
        let line = || Line::of(Style::Red, "漢字").and(Style::Dim, " and more").then("!");
        let cut = |columns| line().cut(columns).spans;
        let span = |style, text: &str| (style, text.to_owned());
        assert_eq!(cut(14), line().spans);
        let expected = [span(Style::Red, "漢字"), span(Style::Dim, " and"), span(Style::Plain, "…")];
        assert_eq!(cut(9), expected);
        assert_eq!(cut(4), [span(Style::Red, "漢"), span(Style::Plain, "…")]);
    }

    #[test]
    fn a_word_keeps_its_style_below() {
        let line = Line::of(Style::Bold, "bold words ").and(Style::Red, "red words");
        let span = |style, text: &str| (style, text.to_owned());
        let expected = [
            vec![span(Style::Bold, "bold "), span(Style::Bold, "words ")],
            vec![span(Style::Plain, "  "), span(Style::Red, "red "), span(Style::Red, "words")],
        ];
        assert_eq!(line.wrapped(11).into_iter().map(|line| line.spans).collect::<Vec<_>>(), expected);
    }
}
