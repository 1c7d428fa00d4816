//! What the person's own words forbid: files and tools that they name behind "do not", "never", "without", "leave … alone".
//!
//! By rule, in English and German, and only where a name stands right beside the prohibition: "do not change the output of
//! calc.py" does not forbid calc.py. What is forbidden in other words a model reads in the words themselves; sentences that
//! forbid are shown to it also where long words are cut.

use std::str::FromStr;

use super::spelling::without_detours;
use crate::evidence::call::input_text;
use crate::evidence::{is_effectful, sentence};
use crate::tool::{ToolName, ToolRequest};
use crate::wanted::file_name;

/// So many words may stand between a prohibition and what it forbids to do: "do not ever again touch".
const GAP: usize = 3;

/// What denies what comes next.
const DENIES: &[&str] = &[
    "not", "never", "don't", "dont", "mustn't", "shouldn't", "cannot", "can't", "without", "avoid", "nicht", "nie",
    "niemals", "ohne",
];
/// Those that come behind what is denied.
const GERMAN: &[&str] = &["nicht", "nie", "niemals"];
/// Beginnings of what one does to a file.
const DEEDS: &[&str] = &[
    "touch", "chang", "modif", "edit", "alter", "delet", "remov", "overwrit", "renam", "mov", "writ", "rewrit",
    "anfass", "fass", "änder", "veränder", "bearbeit", "lösch", "entfern", "überschreib", "umbenenn", "verschieb",
];
/// Beginnings of what one does with a tool.
const USES: &[&str] = &["us", "run", "call", "invok", "benutz", "verwend", "nutz"];
/// What leaves a file as it is, where one of `UNTOUCHED` follows the name.
const LEAVES: &[&str] = &["leave", "keep", "lass", "lasse", "lassen"];
const UNTOUCHED: &[&str] = &["alone", "untouched", "unchanged", "as", "intact", "unverändert", "unberührt", "so", "in"];
/// What may stand before a name.
const BEFORE_NAMES: &[&str] = &[
    "the", "a", "any", "all", "file", "files", "folder", "directory", "tool", "tools", "anything", "in", "under", "to",
    "ever", "again", "please", "be", "my", "our", "of", "command", "commands", "die", "der", "das", "den", "datei",
    "dateien", "ordner", "zu",
];
/// Files that go by a name without an ending, or with any.
const NAMES: &[&str] = &[
    "AUTHORS", "BUILD", "CHANGELOG", "CODEOWNERS", "CONTRIBUTING", "COPYING", "Dockerfile", "Gemfile", "Jenkinsfile",
    "Justfile", "LICENCE", "LICENSE", "Makefile", "NOTICE", "Procfile", "README", "Rakefile", "TODO", "VERSION",
    "Vagrantfile",
];
const ARTICLES: &[&str] = &["the", "die", "der", "das", "den", "my", "our"];
/// What goes on with names.
const JOINS: &[&str] = &["and", "or", "nor", "und", "oder", "noch", "&"];

/// What is forbidden, each once, as it was named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forbidden {
    /// Files, and folders with a slash behind them.
    pub files: Vec<String>,
    /// Tools.
    pub tools: Vec<ToolName>,
}

impl Forbidden {
    /// By these words.
    pub fn by(words: &str) -> Self {
        let mut forbidden = Self::default();
        sentences(words).for_each(|sentence| forbidden.read(&tokens(sentence)));
        forbidden
    }

    /// What of it a call would do, in words; nothing where it may be made. What only looks may.
    pub fn broken_by(&self, request: &ToolRequest) -> Option<String> {
        if let Some(tool) = self.tools.iter().find(|tool| **tool == request.tool) {
            return Some(format!("the tool {tool}, which the person forbade"));
        }
        if !is_effectful(request) {
            return None;
        }
        let text = |name| input_text(request, name);
        let uses = |file: &&String| match request.tool {
            ToolName::Write | ToolName::Edit => covers(file, text("path")),
            ToolName::Shell => text("command").split(is_shell_edge).any(|word| covers(file, word)),
            ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Read | ToolName::Fetch => false,
        };
        self.files.iter().find(uses).map(|file| format!("{file}, which the person forbade to change"))
    }

    fn read(&mut self, tokens: &[String]) {
        for (at, word) in tokens.iter().enumerate() {
            if DENIES.contains(&word.as_str()) {
                self.denied(tokens, at);
            } else if LEAVES.contains(&word.as_str()) {
                let (names, end) = names_from(tokens, at + 1);
                if tokens.get(end).is_some_and(|next| UNTOUCHED.contains(&next.as_str())) {
                    self.add_files(names);
                }
            }
        }
    }

    /// "never touch a and b", "a must not be changed", "a nicht ändern".
    fn denied(&mut self, tokens: &[String], at: usize) {
        let begins = |word: &String, with: &[&str]| with.iter().any(|stem| word.starts_with(stem));
        let next = tokens.iter().enumerate().skip(at + 1).take(GAP);
        if let Some((deed, _)) = next.clone().find(|(_, word)| begins(word, DEEDS)) {
            self.add_first([names_from(tokens, deed + 1).0, names_from(tokens, at + 1).0, names_before(tokens, at)]);
        } else if let Some((used, _)) = next.clone().find(|(_, word)| begins(word, USES)) {
            let (names, end) = names_from(tokens, used + 1);
            self.add_files(names);
            self.tools.extend(
                tools_from(tokens, used + 1, end).filter(|tool| !self.tools.contains(tool)).collect::<Vec<_>>(),
            );
        } else if GERMAN.contains(&tokens[at].as_str())
            && tokens[..at].iter().rev().take(GAP).any(|word| begins(word, DEEDS))
        {
            // "lösche nicht a", "fasse a nicht an".
            self.add_first([names_from(tokens, at + 1).0, names_before(tokens, at)]);
        } else if let Some((end, _)) = tokens.iter().enumerate().skip(at + 1).find(|(_, word)| begins(word, DEEDS)) {
            // "ohne a.txt zu ändern": what stands between is the name alone.
            let (names, behind) = names_from(tokens, at + 1);
            if behind == end {
                self.add_files(names);
            }
        }
    }

    /// The names of the first place that has any.
    fn add_first<const PLACES: usize>(&mut self, places: [Vec<String>; PLACES]) {
        self.add_files(places.into_iter().find(|names| !names.is_empty()).unwrap_or_default());
    }

    fn add_files(&mut self, names: Vec<String>) {
        for name in names {
            if !self.files.contains(&name) {
                self.files.push(name);
            }
        }
    }
}

/// The sentences that forbid anything, as they stand.
pub fn forbidding(words: &str) -> impl Iterator<Item = &str> {
    sentences(words).map(str::trim).filter(|sentence| {
        let tokens = tokens(sentence);
        tokens
            .iter()
            .any(|word| DENIES.contains(&word.as_str()) || matches!(word.as_str(), "only" | "nur" | "leave" | "keep"))
    })
}

/// Whether a file is the forbidden one, in whatever folder, or lies below it; a `*` stands for anything.
pub fn covers(forbidden: &str, file: &str) -> bool {
    let [forbidden, file] = [forbidden, file].map(without_detours);
    let mut folders = file.match_indices('/').map(|(at, _)| &file[..at]).chain([file.as_str()]);
    folders.any(|path| {
        let name = file_name(path);
        let has_any_ending = NAMES.contains(&forbidden.as_str())
            && name.strip_prefix(&forbidden).is_some_and(|ending| ending.starts_with('.'));
        is_like(&forbidden, path) || is_like(&forbidden, name) || has_any_ending
    })
}

fn is_like(pattern: &str, text: &str) -> bool {
    let Some((before, behind)) = pattern.split_once('*') else { return pattern == text };
    let ends = |rest: &str| rest.char_indices().map(|(at, _)| at).chain([rest.len()]).collect::<Vec<_>>();
    let rest = text.strip_prefix(before);
    rest.is_some_and(|rest| ends(rest).into_iter().any(|at| is_like(behind, &rest[at..])))
}

fn is_shell_edge(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ';' | '&' | '|' | '<' | '>' | '\'' | '"' | '(' | ')' | ',' | '=' | '`')
}

/// Names right behind a place, and where they end.
fn names_from(tokens: &[String], from: usize) -> (Vec<String>, usize) {
    let (mut names, mut at) = (Vec::new(), from);
    while let Some(word) = tokens.get(at) {
        let is_name = is_file_name(word);
        if is_name {
            names.push(word.clone());
        }
        let goes_on = if names.is_empty() { BEFORE_NAMES } else { JOINS };
        // A comma is gone: "the LICENSE, the NOTICE".
        let is_next = || ARTICLES.contains(&word.as_str()) && tokens.get(at + 1).is_some_and(|next| is_file_name(next));
        if !is_name && !goes_on.contains(&word.as_str()) && !is_next() {
            break;
        }
        at += 1;
    }
    (names, at)
}

/// Names right before "must not be changed".
fn names_before(tokens: &[String], at: usize) -> Vec<String> {
    let behind = tokens[..at]
        .iter()
        .rev()
        .skip_while(|word| matches!(word.as_str(), "must" | "may" | "should" | "is" | "are" | "do" | "bitte"));
    let names = behind.take_while(|word| is_file_name(word) || JOINS.contains(&word.as_str()));
    names.filter(|word| is_file_name(word)).cloned().collect()
}

fn tools_from(tokens: &[String], from: usize, upto: usize) -> impl Iterator<Item = ToolName> {
    let near = tokens.iter().enumerate().skip(from);
    let near = near.take_while(move |(at, word)| {
        *at < upto || BEFORE_NAMES.contains(&word.as_str()) || JOINS.contains(&word.as_str()) || tool(word).is_some()
    });
    near.filter_map(|(_, word)| tool(word))
}

fn tool(word: &str) -> Option<ToolName> {
    match word {
        "bash" | "terminal" => Some(ToolName::Shell),
        _ => ToolName::from_str(word).ok(),
    }
}

/// A path, or a name with an ending; no number, and no abbreviation.
fn is_file_name(word: &str) -> bool {
    if NAMES.contains(&word) {
        return true;
    }
    let is_part =
        |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '*' | '.'));
    let parts_are =
        !word.contains("//") && word.trim_end_matches('/').split('/').all(|part| !part.is_empty() && is_part(part));
    let has_ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        ending.contains(char::is_alphabetic) && (ending.chars().count() > 1 || name.chars().count() > 2)
    });
    word.contains(char::is_alphabetic)
        && parts_are
        && (word.contains('/') || has_ending || word.starts_with('.') && word.len() > 2)
}

fn sentences(words: &str) -> impl Iterator<Item = &str> {
    sentence::sentences(words, &['.', '!', '?', ';'])
}

/// Words in lower case but for names, without marks around them; a comma goes on like "and".
fn tokens(sentence: &str) -> Vec<String> {
    let bare = |word: &str| {
        let word = word.trim_matches(|letter: char| {
            matches!(letter, ',' | ':' | ';' | '!' | '?' | '"' | '`' | '\'' | '(' | ')' | '[' | ']' | '“' | '”')
        });
        let word = word.trim_end_matches('.').replace('’', "'");
        if is_file_name(&word) { word } else { word.to_lowercase() }
    };
    sentence.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}
