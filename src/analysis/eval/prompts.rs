//! What stands in a prompt, counted (AFS 5.2.1).

use std::sync::LazyLock;

use regex::Regex;

use super::{Prompt, Vague};
use crate::analysis::step::Step;
use crate::analysis::text;
use crate::kernel::counted::count;
use crate::kernel::share::Share;

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: a pattern of ours")
}

static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:add|say|print|reply|fix|make|create|write|update|remove|delete|change|implement|refactor|rename|move|run|test|check|review|explain|show|list|find|investigate|look|use|replace|convert|set|get|build|deploy|commit|push|merge|revert|undo|document|evaluate|analy[sz]e|improve|generate|read|switch|install|extract|split|try|continue|evaluate|compare|summari[sz]e|open|close|help|tell|give|ensure|verify|debug|bump|port|migrate|clean|simplify|reproduce|solve|complete|should|need|want|can you|could you|please|let's|why|how|what|where|when|which|who|does|is)\b",
    )
});
static NAMES: LazyLock<[(Regex, &str); 5]> = LazyLock::new(|| {
    [
        (
            regex(
                r"(?:[\w@.-]+/)+[\w@.\[\]()-]+|\b[\w-]+\.(?:rs|py|js|ts|tsx|jsx|go|rb|java|c|h|cpp|cs|php|md|json|ya?ml|toml|html|css|sh|sql|txt|lock|svelte|vue|kt|swift)\b",
            ),
            "files",
        ),
        (
            regex(
                r"`[^`\n]+`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\w+\(\)|--[a-z][\w-]+|\b\w+::\w+",
            ),
            "names of code",
        ),
        (regex(r"#\d+|\b\d+(?:\.\d+)*\b"), "numbers"),
        (regex("\"[^\"\n]{2,}\"|“[^”\n]{2,}”|(?:^|\\s)'[^'\n]{2,}'"), "quotes"),
        (regex(r"https?://\S+"), "addresses"),
    ]
});
static CONTEXT: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    [
        (regex(r"(?i)\b(?:because|since|so that|in order to|the reason|due to|otherwise|which means)\b"), "a reason"),
        (
            regex(
                r"(?i)\b(?:currently|right now|today|at the moment|i (?:see|get|got|noticed|tried|ran|have)|it (?:is|does|shows|says|fails|looks|seems)|when i|error|exception|fails?|traceback|showing|already|there (?:is|are))\b",
            ),
            "what is observed",
        ),
        (regex(r"(?i)\b(?:should|expect(?:ed)?|instead|want|need|must|goal|result|so it|rather)\b"), "what is wanted"),
        (
            regex(
                r"(?i)\b(?:only|don't|don’t|do not|without|must not|except|keep|at most|no more|never|just|avoid|unless|but)\b",
            ),
            "a limit",
        ),
    ]
});
static BARE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)^\W*(?:\w+ ){0,3}?(it|this|that|these|those|them)\b"));

/// So many names make a prompt as specific as it can be.
const NAMES_FOR_ALL: u64 = 4;

/// Whether a text gives a reason.
pub(super) fn says_why(text: &str) -> bool {
    CONTEXT[0].0.is_match(text)
}

/// Whether a text names a file.
pub(super) fn names_files(text: &str) -> bool {
    NAMES[0].0.is_match(text)
}

fn of_all(some: u64, all: u64) -> Share {
    Share::of_count(some, all).unwrap_or_default()
}

/// What stands in a prompt.
pub(super) fn prompt(step: &Step, prompt: &str, vague: &[String]) -> Prompt {
    let own = text::own_words(prompt, 4000);
    let prose = if own.trim().is_empty() { prompt.to_owned() } else { own };
    let ambiguous = ambiguous(&prose, vague);
    let words = text::words(&prose).count() as u64;
    let asks = ASKS.is_match(&prose);
    let sentences = prose.split(['.', '?', '!', '\n']).filter(|part| !part.trim().is_empty());
    let longest = sentences.map(|part| part.split_whitespace().count()).max().unwrap_or_default();
    // Three parts: it asks for something; no sentence runs over 40 words; few of its words are vague.
    let plain = 1000_u64.saturating_sub((ambiguous.len() as u64).saturating_mul(4000) / words.max(1));
    let parts =
        [if asks { 1000 } else { 0 }, if longest <= 40 { 1000 } else { 500 }, if words == 0 { 0 } else { plain }];
    let clarity = of_all(parts.iter().sum(), 3000);
    let named: Vec<_> =
        NAMES.iter().map(|(names, what)| (names.find_iter(prompt).take(100).count() as u64, *what)).collect();
    let specificity = of_all(named.iter().map(|(count, _)| *count).sum::<u64>().min(NAMES_FOR_ALL), NAMES_FOR_ALL);
    let context: Vec<_> = CONTEXT.iter().filter(|(sign, _)| sign.is_match(prompt)).map(|(_, what)| *what).collect();
    let context_sufficiency = of_all(context.len() as u64, CONTEXT.len() as u64);
    let counts = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {}", if *count == 1 { one(what) } else { what }));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let of = format!(
        "{}{}; names {}; gives {}",
        count(usize::try_from(words).unwrap_or(usize::MAX), "word", "words"),
        if asks { "" } else { ", asks for nothing" },
        if counts.is_empty() { "nothing" } else { &counts },
        if context.is_empty() { "no context".to_owned() } else { context.join(", ") },
    );
    Prompt { entry: step.id, clarity, specificity, context_sufficiency, ambiguous, of }
}

fn one(many: &'static str) -> &'static str {
    match many {
        "files" => "file",
        "names of code" => "name of code",
        "numbers" => "number",
        "quotes" => "quote",
        "addresses" => "address",
        other => other,
    }
}

/// Vague words, and a pronoun that stands before anything it could stand for.
fn ambiguous(prose: &str, vague: &[String]) -> Vec<Vague> {
    let mut places = text::Places::new(prose);
    let bare = BARE.captures(prose).and_then(|found| found.get(1)).map(|found| found.range());
    let mut found: Vec<_> = words_with_places(prose)
        .filter(|(at, word)| {
            vague.contains(&word.to_lowercase()) || bare.as_ref().is_some_and(|bare| bare.start == *at)
        })
        .collect();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(at, word)| Vague { text: word.to_owned(), position: places.character(at) }).collect()
}

fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"\w+"));
    WORD.find_iter(text).map(|word| (word.start(), word.as_str()))
}
