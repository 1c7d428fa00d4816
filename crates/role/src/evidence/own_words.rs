//! What an attempt wrote itself: read back it shows that it was written, and nothing of the world.
//!
//! What stands in a file counts for what is said of that file: that is known by its name. Reads texts; knows no file.

use annals_kernel::call::acts;

use super::call::{input_text, input_texts};
use super::quote::{LiteralQuote, folded};
use crate::tool::{ToolCall, ToolName};

/// Shorter lines are in every file.
const LEAST_CHARS: usize = 8;

/// A text that was written, and where to.
#[derive(Debug, Clone)]
struct WrittenText {
    /// Empty where that is not known.
    files: Vec<String>,
    /// One blank between words.
    words: String,
    lines: Vec<String>,
}

/// All that was written.
#[derive(Debug, Clone, Default)]
pub struct OwnWords(Vec<WrittenText>);

impl OwnWords {
    /// By these calls, whether they worked or not.
    pub fn of<'c>(calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        Self(calls.into_iter().filter_map(WrittenText::of).collect())
    }

    /// Whether a quote was written by the attempt itself, into nothing that is spoken of.
    pub fn hold(&self, quote: &LiteralQuote, spoken_of: &str) -> bool {
        self.elsewhere(spoken_of).any(|text| quote.is_in(&text.words))
    }

    /// The lines of an output that hold none of what was written into anything but what is spoken of.
    pub fn without(&self, output: &str, spoken_of: &str) -> String {
        let foreign: Vec<_> = self.elsewhere(spoken_of).flat_map(|text| &text.lines).collect();
        let is_others = |line: &&str| {
            let line = folded(line);
            !foreign.iter().any(|own| line.contains(own.as_str()))
        };
        output.lines().filter(is_others).collect::<Vec<_>>().join("\n")
    }

    fn elsewhere(&self, spoken_of: &str) -> impl Iterator<Item = &WrittenText> {
        let is_named = |file: &String| names(spoken_of, file);
        self.0.iter().filter(move |text| !text.files.iter().any(is_named))
    }
}

impl WrittenText {
    fn of(call: &ToolCall) -> Option<Self> {
        let request = &call.request;
        let path = || vec![input_text(request, "path").to_owned()];
        let (files, text) = match request.tool {
            ToolName::Write => (path(), input_text(request, "content").to_owned()),
            ToolName::Edit => (path(), input_text(request, "new").to_owned()),
            ToolName::Shell => {
                let acts = acts(input_text(request, "command"));
                let outputs = acts.iter().flat_map(|act| act.outputs().map(str::to_owned));
                (outputs.collect(), input_texts(request))
            }
            ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Fetch => return None,
        };
        let lines = text.lines().map(folded).filter(|line| line.chars().count() >= LEAST_CHARS).collect();
        Some(Self { files, words: folded(&text), lines })
    }
}

/// Whether a text names a file: its path, or the last part of it, as a word.
fn names(text: &str, file: &str) -> bool {
    let file = file.trim_start_matches("./");
    let last = file.rsplit('/').next().unwrap_or(file);
    let is_edge =
        |letter: char| letter.is_whitespace() || matches!(letter, '`' | '"' | '\'' | '(' | ')' | ',' | ';' | ':');
    let mut words = text.split(is_edge).map(|word| word.trim_end_matches(['.', '!', '?']).trim_start_matches("./"));
    !file.is_empty() && words.any(|word| word == file || word == last)
}

/// Whether a text names any file.
pub fn names_a_file(text: &str) -> bool {
    text.split(char::is_whitespace).any(|word| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '/');
        let dotted = word.split_once('.').is_some_and(|(name, end)| is_word(name) && is_word(end));
        word.len() > 1 && (dotted || word.contains('/'))
    })
}

fn is_word(part: &str) -> bool {
    part.contains(char::is_alphabetic)
}
