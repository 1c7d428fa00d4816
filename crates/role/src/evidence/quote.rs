//! A quote, looked for in what tools gave: to the letter but for white space (artoo R4a, evidence grounding).
//!
//! Whether a quote shows what it is said to show is not known here; that it was not made up is.

use super::call::{input_text, input_texts};
use super::cut::{first_chars, one_line};
use super::fence::plain;
use super::speech;
use crate::tool::{ToolCall, ToolName};

/// Fewer characters stand everywhere; they count where they have a number or are a whole line.
const LEAST_CHARS: usize = 8;
/// A longer quote is no quote.
pub const MOST_CHARS: usize = 2000;
/// Characters of a quote that are kept with a verdict.
const SHOWN_CHARS: usize = 300;
/// Fewer letters and digits show nothing but what is asked for by them.
const SHORT_CHARS: usize = 4;

/// What a model says it read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralQuote(String);

impl LiteralQuote {
    /// Nothing where there is no letter or digit in it, or more than anybody quotes.
    pub fn of(text: &str) -> Option<Self> {
        if first_chars(text, MOST_CHARS).len() < text.len() {
            return None;
        }
        let words = folded(text);
        let bare = words.trim_matches(['"', '\'', '`', ' ']);
        bare.contains(char::is_alphanumeric).then(|| Self(bare.to_owned()))
    }

    /// What a model may have meant to quote: what it said, and that without the numbers that tools put before lines. Either
    /// counts only where it stands in what was there, and what it said in what it saw.
    pub fn forms_of(text: &str) -> Vec<Self> {
        let bare: Vec<_> = text.trim_matches(['"', '\'', '`', ' ']).lines().map(without_number).collect();
        let mut forms: Vec<_> = Self::of(text).into_iter().chain(Self::of(&bare.join("\n"))).collect();
        forms.dedup();
        forms
    }

    /// Whether a text holds it, between the borders of words, and it is no scrap that every text holds.
    pub fn is_in(&self, text: &str) -> bool {
        (self.is_telling() || self.is_line_of(text)) && self.stands_in(&folded(text))
    }

    /// Whether it is a whole line of a text.
    pub fn is_line_of(&self, text: &str) -> bool {
        text.lines().any(|line| folded(unnumbered(line)) == self.0)
    }

    /// Whether it has so few letters and digits that it stands in most texts.
    pub fn is_short(&self) -> bool {
        self.0.chars().filter(|letter| letter.is_alphanumeric()).count() < SHORT_CHARS
    }

    /// Its words.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a call gave it.
    pub fn is_given_by(&self, call: &ToolCall) -> bool {
        self.is_in(&given(call))
    }

    /// As it is kept.
    pub fn shown(&self) -> String {
        one_line(&self.0, SHOWN_CHARS)
    }

    fn is_telling(&self) -> bool {
        self.0.chars().count() >= LEAST_CHARS || self.0.contains(|letter: char| letter.is_ascii_digit())
    }

    pub(super) fn stands_in(&self, words: &str) -> bool {
        let borders = |at: usize| {
            let before = words[..at].chars().next_back();
            let after = words[at + self.0.len()..].chars().next();
            is_border(before, self.0.chars().next()) && is_border(self.0.chars().next_back(), after)
        };
        words.match_indices(self.0.as_str()).any(|(at, _)| borders(at))
    }
}

/// What a call gave that it was not told itself: `echo tests pass` shows nothing, and neither does a content that was
/// written. What was searched for and found is there.
pub fn given(call: &ToolCall) -> String {
    match call.request.tool {
        ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Fetch => call.output.clone(),
        ToolName::Shell if !speech::tells(input_text(&call.request, "command")) => String::new(),
        ToolName::Shell | ToolName::Write | ToolName::Edit => {
            let input = input_texts(&call.request);
            let told = folded(&input);
            let is_given = |line: &&str| !told.contains(&folded(line)) && !speech::says(&input, line);
            call.output.lines().filter(is_given).collect::<Vec<_>>().join("\n")
        }
    }
}

/// What stood there: what a tool gave, without the numbers that `read` puts before lines.
pub fn bare(tool: ToolName, given: &str) -> String {
    match tool {
        ToolName::Read => given.lines().map(unnumbered).collect::<Vec<_>>().join("\n"),
        ToolName::Find
        | ToolName::Glob
        | ToolName::Search
        | ToolName::Write
        | ToolName::Edit
        | ToolName::Shell
        | ToolName::Fetch => given.to_owned(),
    }
}

/// A line as `read` shows it, without its number.
fn unnumbered(line: &str) -> &str {
    let text = line.split_once('\t').filter(|(number, _)| number.trim().bytes().all(|byte| byte.is_ascii_digit()));
    text.map_or(line, |(_, text)| text)
}

/// A line of a quote, without the number before it.
fn without_number(line: &str) -> &str {
    let bare = line.trim_start();
    let text = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = text.len() < bare.len() && text.starts_with([' ', '\t']);
    if is_numbered { text } else { line }
}

/// Whether no word goes on from one character to the next.
fn is_border(left: Option<char>, right: Option<char>) -> bool {
    let is_of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    !(is_of_word(left) && is_of_word(right))
}

/// As a model saw it, one blank between words.
pub fn folded(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
