//! Where in a text something may be found at all: one pass over it for all keywords together.
//!
//! Works on JSON as it is written, too, where it is right to say yes too often.

use std::ops::Range;
use std::sync::LazyLock;

use super::crowd::{Crowd, REACH};
use super::edit::Edit;
use super::name::Tongue;
use super::rules::RULES;
use super::service::{self, Name};
use super::words::Words;
use super::{
    assignment, call, command, cookie, escape, hook, lens, manifest, name, pem, phrase, piped, scheme, token, url,
};

/// What a keyword may belong to.
#[derive(Debug, Clone, Copy)]
enum Probe {
    /// A token of this rule.
    Token(u16),
    /// The name of a secret.
    Named(Tongue),
    /// The name of a service.
    Service(Name),
    /// `://`.
    Url,
    /// `Bearer`, `Basic`.
    Scheme,
    /// The beginning of a key block.
    Pem,
    /// A command that takes passwords.
    Command,
    /// A command that takes passwords without an option.
    Piped,
    /// A phrase that announces a password.
    Phrase,
    /// A call with a password among its arguments.
    Call,
    /// The path of a webhook.
    Hook,
    /// A header of cookies.
    Cookie,
    /// A manifest of secrets.
    Manifest,
    /// A sign that stands for another, or for none: the text has to be seen through a lens.
    Cloud,
    /// A letter written as `\u0041`, or `:\/\/`: what it belongs to shows only when it is decoded.
    Escape,
}

/// All keywords, and what they may belong to.
struct Keywords {
    words: Words,
    probes: Vec<Probe>,
}

static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let (words, probes): (Vec<&str>, Vec<Probe>) = keywords().into_iter().unzip();
    Keywords { words: Words::new(words), probes }
});

fn keywords() -> Vec<(&'static str, Probe)> {
    let with = |words: &'static [&'static str], probe: Probe| words.iter().map(move |word| (*word, probe));
    let tokens = RULES.iter().zip(0..).flat_map(|(shape, rule)| with(shape.keywords, Probe::Token(rule)));
    tokens
        .chain(with(name::KEYWORDS, Probe::Named(Tongue::English)))
        .chain(name::foreign_keywords().map(|word| (word, Probe::Named(Tongue::Other))))
        .chain(with(service::NAMES, Probe::Service(Name::Own)))
        .chain(with(service::WORDS, Probe::Service(Name::Ordinary)))
        .chain(with(&["://"], Probe::Url))
        .chain(with(scheme::KEYWORDS, Probe::Scheme))
        .chain(with(pem::KEYWORDS, Probe::Pem))
        .chain(with(command::KEYWORDS, Probe::Command))
        .chain(with(piped::KEYWORDS, Probe::Piped))
        .chain(with(phrase::KEYWORDS, Probe::Phrase))
        .chain(with(call::KEYWORDS, Probe::Call))
        .chain(with(hook::KEYWORDS, Probe::Hook))
        .chain(with(cookie::KEYWORDS, Probe::Cookie))
        .chain(with(manifest::KEYWORDS, Probe::Manifest))
        .chain(with(lens::KEYWORDS, Probe::Cloud))
        .collect()
}

/// A keyword in a text, and what it may belong to. Small: a text can have one for every few bytes.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    /// Where the keyword stands.
    pub range: Range<usize>,
    word: Option<u16>,
    probe: Probe,
}

/// The places where it is worth to look closer, in order.
pub(super) fn hits(text: &[u8]) -> Vec<Hit> {
    let mut hits = Vec::new();
    collect(text, Writing::Plain, &mut hits);
    hits.sort_by_key(|hit| hit.range.start);
    hits
}

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    Plain,
    Json,
}

/// The same in JSON as it is written, where an escape is a place, too.
pub(super) fn hits_in_json(text: &[u8]) -> Vec<Hit> {
    let mut hits: Vec<Hit> = escape::hiding(text).map(|range| Hit::of_no_word(range, Probe::Escape)).collect();
    collect(text, Writing::Json, &mut hits);
    hits.sort_by_key(|hit| hit.range.start);
    hits
}

fn collect(text: &[u8], writing: Writing, hits: &mut Vec<Hit>) {
    let Keywords { words, probes } = &*KEYWORDS;
    let mut crowd = Crowd::new(text);
    // In a text one sign says it; in JSON each string has to show its own.
    let most = if writing == Writing::Plain { 1 } else { usize::MAX };
    hits.extend(lens::signs(text).take(most).map(|range| Hit::of_no_word(range, Probe::Cloud)));
    let mut is_said = writing == Writing::Plain && !hits.is_empty();
    let mut last_name = 0..0;
    words.find(text, |word, range| {
        let probe = probes[word];
        // `_key` and `key=` share letters, and so belong to one name; `api key` and `key=` do not.
        if matches!(probe, Probe::Named(Tongue::English)) && !text[range.clone()].contains(&b' ') {
            let last = std::mem::replace(&mut last_name, range.clone());
            // A megabyte of `api_key=3Dhunter2` had two hits a line for one name, and each was paid for again.
            if range.start < last.end && last.start < range.end {
                return;
            }
        }
        if matches!(probe, Probe::Cloud) && std::mem::replace(&mut is_said, writing == Writing::Plain) {
            return;
        }
        // Windows of kilobytes behind each keyword made a text of keywords cost microseconds a byte; cheap questions
        // come first.
        let near = &text[..text.len().min(range.end + REACH)];
        let hit = Hit { range, probe, word: u16::try_from(word).ok() };
        if crowd.is_likely(word, hit.range.start, || hit.is_likely(near, writing)) {
            hits.push(hit);
        }
    });
}

/// How far behind a name its value is looked for before it is known to be worth it.
const GLANCE: usize = 256;

impl Hit {
    fn of_no_word(range: Range<usize>, probe: Probe) -> Self {
        Self { range, word: None, probe }
    }

    /// Which keyword it is, if it is one.
    pub(super) fn word(&self) -> Option<usize> {
        self.word.map(usize::from)
    }

    fn is_likely(&self, text: &[u8], writing: Writing) -> bool {
        match self.probe {
            Probe::Token(rule) => token::is_likely(text, &self.range, rule.into()),
            Probe::Named(tongue) => {
                let near = &text[..text.len().min(self.range.end + GLANCE)];
                match writing {
                    Writing::Plain => assignment::is_likely(near, &self.range, tongue),
                    Writing::Json => assignment::is_likely_in_json(near, &self.range, tongue),
                }
            }
            Probe::Service(name) => service::is_likely(text, &self.range, name),
            Probe::Url => url::is_likely(text, &self.range),
            Probe::Scheme => scheme::is_likely(text, &self.range),
            Probe::Command => command::is_likely(text, &self.range),
            Probe::Hook => hook::is_likely(text, &self.range),
            Probe::Piped
            | Probe::Phrase
            | Probe::Call
            | Probe::Pem
            | Probe::Cookie
            | Probe::Manifest
            | Probe::Cloud
            | Probe::Escape => true,
        }
    }

    /// Whether it may be the beginning of a token, whose letters end where those around it end.
    pub(super) fn may_be_token(&self) -> bool {
        matches!(self.probe, Probe::Token(_))
    }

    /// Whether it shows that the text is not what it means.
    pub(super) fn clouds(&self) -> bool {
        matches!(self.probe, Probe::Cloud)
    }

    /// Looks closer: adds edits for what is secret here.
    pub(super) fn resolve(&self, text: &[u8], edits: &mut Vec<Edit>) {
        let edit = match self.probe {
            Probe::Token(rule) => token::find(text, &self.range, rule.into()),
            Probe::Named(tongue) => assignment::find(text, &self.range, tongue),
            Probe::Service(name) => service::find(text, &self.range, name),
            Probe::Url => url::find(text, &self.range),
            Probe::Scheme => scheme::find(text, &self.range),
            Probe::Pem => pem::find(text, &self.range),
            Probe::Command => command::find(text, &self.range),
            Probe::Piped => piped::find(text, &self.range),
            Probe::Phrase => phrase::find(text, &self.range),
            Probe::Call => call::find(text, &self.range),
            Probe::Hook => hook::find(text, &self.range),
            Probe::Cookie => return cookie::find(text, &self.range, edits),
            Probe::Manifest => return manifest::find(text, &self.range, edits),
            Probe::Cloud | Probe::Escape => None,
        };
        edits.extend(edit);
    }
}
