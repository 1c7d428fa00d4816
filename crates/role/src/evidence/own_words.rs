//! What an attempt wrote itself: read back it shows that it was written, and nothing of the world.
//!
//! What stands in a file counts for what is said of that file: that is known by its name. Reads texts; knows no file.

use annals_kernel::call::acts;

use super::call::{input_text, input_texts};
use super::looks::is_effectful;
use super::quote::{LiteralQuote, folded};
use super::speech::disguises;
use crate::tool::{ToolCall, ToolName};
use crate::wanted::file_name;

/// Shorter lines are in every file.
const LEAST_CHARS: usize = 8;

/// Words of a criterion that speaks of what a text says.
const SAYING: &[&str] = &[
    "comment", "contain", "contains", "content", "explains", "greeting", "heading", "hold", "holds", "include",
    "includes", "line", "lines", "list", "lists", "mention", "mentions", "message", "names", "read", "reads", "say",
    "says", "sentence", "text", "title", "word", "words", "written",
];
/// Words that say nothing by themselves.
const FILLING: &[&str] = &[
    "all", "and", "any", "are", "been", "der", "die", "das", "each", "every", "for", "from", "had", "has", "have",
    "into", "ist", "its", "now", "that", "the", "there", "this", "was", "were", "will", "wird", "with",
];

/// A text that was written, and where to.
#[derive(Debug, Clone, PartialEq)]
struct WrittenText {
    /// Empty where that is not known.
    files: Vec<String>,
    /// One blank between words.
    words: String,
    lines: Vec<String>,
    /// As it stands, of a command line that says anything in another form.
    disguise: Option<String>,
}

/// All that was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnWords(Vec<WrittenText>);

impl OwnWords {
    /// Before anything was written.
    pub const fn nothing() -> Self {
        Self(Vec::new())
    }

    /// By these calls, whether they worked or not.
    pub fn of<'c>(calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        Self(calls.into_iter().filter_map(WrittenText::of).collect())
    }

    /// With what these calls wrote, too: what only looks writes nothing.
    pub fn add(&mut self, calls: &[ToolCall]) {
        self.0.extend(calls.iter().filter(|call| is_effectful(&call.request)).filter_map(WrittenText::of));
    }

    /// Whether a quote was written, and into nothing that is spoken of.
    pub fn hold_only_elsewhere(&self, quote: &LiteralQuote, spoken_of: &str) -> bool {
        let is_there =
            |text: &WrittenText| text.files.iter().any(|file| names(spoken_of, file)) && quote.is_in(&text.words);
        self.hold(quote, spoken_of) && !self.0.iter().any(is_there)
    }

    /// Whether a call reads, beside what is spoken of, what was written in another form than it stands there.
    pub fn disguise(&self, call: &ToolCall, spoken_of: &str) -> bool {
        let input = input_texts(&call.request);
        let is_edge = |letter: char| letter.is_whitespace() || "\"'`()<>|;&=,".contains(letter);
        let files: Vec<_> = input.split(is_edge).filter(|word| word.contains(['.', '/'])).collect();
        let is_read = |line: &str| files.iter().any(|file| names(line, file) && !names(spoken_of, file));
        self.0.iter().filter_map(|text| text.disguise.as_deref()).any(is_read)
    }

    /// Whether a quote is a claim that was written: it says what a criterion says that speaks of no text.
    pub fn claim(&self, quote: &LiteralQuote, criterion: &str) -> bool {
        self.0.iter().any(|text| quote.is_in(&text.words)) && restates(quote.text(), criterion)
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
        let disguise = Some(text.clone()).filter(|line| request.tool == ToolName::Shell && disguises(line));
        Some(Self { files, words: folded(&text), lines, disguise })
    }
}

/// Whether most of what a criterion says stands in a text, and it does not speak of what a text says.
fn restates(text: &str, criterion: &str) -> bool {
    let (said, wanted) = (telling(text), telling(criterion));
    let is_said = |word: &&String| said.iter().any(|one| is_alike(one, word));
    let speaks = wanted.iter().any(|word| SAYING.contains(&word.as_str()));
    !speaks && !wanted.is_empty() && wanted.iter().filter(is_said).count() * 2 > wanted.len()
}

/// Words that say something.
fn telling(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| word.chars().count() > 2 && !FILLING.contains(word)).map(str::to_owned).collect()
}

/// The same word, or another form of it: `test`, `tests`; `pass`, `passed`.
fn is_alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    long.starts_with(short) && long.len() <= short.len() + 3
}

/// Whether a text names a file: its path, or the last part of it, as a word.
fn names(text: &str, file: &str) -> bool {
    let file = file.trim_start_matches("./");
    let last = file_name(file);
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
