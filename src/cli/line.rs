//! A line with words in colours: what stands in it is text from anywhere, its colours are ours.
//!
//! Is not printed and not made harmless here; `output` does both.

use std::fmt::Display;

/// How a word looks on a terminal. What a colour says is also said in words or signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
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
    pub fn code(self) -> &'static str {
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
pub struct Line {
    spans: Vec<(Style, String)>,
}

impl Line {
    /// It begins with a text in a style.
    pub fn of(style: Style, text: impl Display) -> Self {
        Self::default().and(style, text)
    }

    /// It begins with a text as everything else.
    pub fn plain(text: impl Display) -> Self {
        Self::of(Style::Plain, text)
    }

    /// A text in a style follows.
    #[must_use]
    pub fn and(mut self, style: Style, text: impl Display) -> Self {
        self.spans.push((style, text.to_string()));
        self
    }

    /// A text as everything else follows.
    #[must_use]
    pub fn then(self, text: impl Display) -> Self {
        self.and(Style::Plain, text)
    }

    /// Another line follows in the same line.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// Its pieces, without white space at the end.
    pub fn spans(&self) -> impl Iterator<Item = (Style, &str)> {
        let last = self.spans.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        let spans = self.spans.iter().enumerate().take(last.map_or(0, |last| last + 1));
        let trimmed = move |at, text: &'_ String| if Some(at) == last { text.trim_end().len() } else { text.len() };
        let shown = spans.map(move |(at, (style, text))| (*style, &text[..trimmed(at, text)]));
        shown.filter(|(_, text)| !text.is_empty())
    }
}
