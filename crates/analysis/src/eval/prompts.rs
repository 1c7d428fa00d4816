//! What stands in a prompt, counted (AFS 5.2.1).

use std::sync::LazyLock;

use regex::Regex;

use super::names::Names;
use super::{EvaluatedPrompt, Vague};
use crate::step::Step;
use crate::text::regex;
use crate::{pasted, text};
use annals_kernel::counted::count;
use annals_kernel::share::Share;

static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:add|say|print|reply|fix|make|create|write|update|remove|delete|change|implement|refactor|rename|move|run|test|check|review|explain|show|list|find|investigate|look|use|replace|convert|set|get|build|deploy|commit|push|merge|revert|undo|document|evaluate|analy[sz]e|improve|generate|read|switch|install|extract|split|try|continue|compare|summari[sz]e|open|close|help|tell|give|ensure|verify|debug|bump|port|migrate|clean|simplify|reproduce|solve|complete|catch|rebase|ignore|squash|configure|apply|restore|drop|retry|rerun|spawn|invoke|rank|start|stop|should|need|want|can you|could you|are you|do you|did you|have you|will you|would you|please|let's|lets|why|how|what|where|when|which|who|does|is)\b|\bcan be (?:further|more|made|better|\w+ed)\b|\?|(?:^|[.!?:;,\n]\s*|\b(?:and|then|also|please|now|yes|to) )(?:link|connect|order|resolve|wrap|pass|put|finish|do|draw|cache|accept|call|handle|go ahead|protect|log|don't|don’t|keep|leave|let|have|sort|store|send|format|parse|turn|enable|disable|allow|prevent|avoid|include|exclude|load|save|download|upload|count|pull)\b",
    )
});
static CONTEXT: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    [
        (regex(r"(?i)\b(?:because|since|so that|in order to|the reason|due to|otherwise|which means)\b"), "a reason"),
        (
            regex(
                r"(?i)\b(?:currently|right now|today|at the moment|i (?:see|get|got|noticed|tried|ran|have)|it (?:is|does|shows|says|fails|looks|seems)|when i|errors?|exceptions?|fail(?:s|ed|ing|ures?)?|traceback|showing|already|there (?:is|are))\b",
            ),
            OBSERVED,
        ),
        (regex(r"(?i)\b(?:should|expect(?:ed)?|instead|want|need|must|goal|result|so it|rather)\b"), "what is wanted"),
        (
            regex(
                r"(?i)\b(?:only|don't|don’t|do not|without|must not|except|keep|at most|no more|never|avoid|unless|but)\b|(?:^|[.!?,;:\n]|\b(?:please|it's|it’s|is|we|can you|and|so))\s*just (?:a |an |the )?\w",
            ),
            "a limit",
        ),
    ]
});
const OBSERVED: &str = "what is observed";

/// So many names make a prompt as specific as it can be.
// Ours: AFS 5.2.1 names the figure, and gives no measure of it.
const NAMES_FOR_ALL: u64 = 4;

/// Whether a text gives a reason.
pub(super) fn says_why(text: &str) -> bool {
    CONTEXT[0].0.is_match(text)
}

fn of_all(some: u64, all: u64) -> Share {
    Share::of_count(some, all).unwrap_or_default()
}

/// What of a prompt is read: what its writer said, and a document that it brings.
struct Parts {
    /// What the writer said; all of it where that is nothing.
    said: String,
    /// With names of code, which a request is full of; without what a terminal printed.
    named: String,
    /// Words of the document behind it.
    document: usize,
    /// Whether the writer said anything.
    is_own: bool,
    /// Whether it asks for something.
    asks: bool,
}

impl Parts {
    fn of(prompt: &str) -> Self {
        let own = text::own_words(prompt, OWN_CHARACTERS);
        let document = prompt.get(text::own_end(prompt)..).unwrap_or_default();
        let is_own = !own.trim().is_empty();
        let said = if is_own { own } else { text::prose(prompt) };
        let (asks, document) = (ASKS.is_match(&said), text::words(document).count());
        Self { said, named: pasted::without_output(prompt), document, is_own, asks }
    }

    fn told(&self) -> String {
        let words = count(text::words(&self.said).count(), "word", "words");
        match (self.is_own, self.document) {
            (true, 0) => words,
            (true, more) => format!("{words} and a document of {more}"),
            (false, 0) => "no words beside code and pastes".to_owned(),
            (false, _) => format!("a document of {words}"),
        }
    }
}

/// No more of what a writer said is read.
const OWN_CHARACTERS: usize = 4000;

/// What stands in a prompt.
pub(super) fn prompt(step: &Step, prompt: &str, vague: &[String]) -> EvaluatedPrompt {
    let parts = Parts::of(prompt);
    let ambiguous = ambiguous(&parts.said, vague);
    let words = text::words(&parts.said).count() as u64;
    let clarity = clarity(&parts, words, ambiguous.len() as u64);
    let names = Names::of(&parts.named);
    let specificity = of_all(names.sum().min(NAMES_FOR_ALL), NAMES_FOR_ALL);
    // What a terminal printed is what is observed, whatever it says.
    let observed = |what: &str| what == OBSERVED && pasted::has_output(prompt);
    let signs = CONTEXT.iter().filter(|(sign, what)| sign.is_match(&parts.named) || observed(what));
    let context: Vec<_> = signs.map(|(_, what)| *what).collect();
    let context_sufficiency = of_all(context.len() as u64, CONTEXT.len() as u64);
    let of = format!(
        "{}{}; names {}; gives {}",
        parts.told(),
        if parts.asks { "" } else { ", asks for nothing" },
        names.told(),
        if context.is_empty() { "no context".to_owned() } else { context.join(", ") },
    );
    EvaluatedPrompt { entry: step.id, clarity, specificity, context_sufficiency, ambiguous, of }
}

/// Three parts: it asks for something; no sentence runs over 40 words; few of its words are vague.
fn clarity(parts: &Parts, words: u64, ambiguous: u64) -> Share {
    let sentences = parts.said.split(['.', '?', '!', '\n']).filter(|part| !part.trim().is_empty());
    let longest = sentences.map(|part| part.split_whitespace().count()).max().unwrap_or_default();
    // Four times, so that a prompt of which a quarter is vague gets nothing for this part.
    let plain = 1000_u64.saturating_sub(ambiguous.saturating_mul(4000) / words.max(1));
    let parts =
        [if parts.asks { 1000 } else { 0 }, if longest <= 40 { 1000 } else { 500 }, if words == 0 { 0 } else { plain }];
    of_all(parts.iter().sum(), 3000)
}

/// Vague words, and a pronoun that stands before anything it could stand for.
fn ambiguous(prose: &str, vague: &[String]) -> Vec<Vague> {
    let mut places = text::Places::new(prose);
    let bare = bare(prose);
    let found = words_with_places(prose)
        .filter(|(at, word)| Some(*at) == bare || vague.contains(&word.to_lowercase()))
        .map(|(at, word)| Vague { text: word.to_owned(), position: places.character(at) });
    found.collect()
}

fn words_with_places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"\w+"));
    WORD.find_iter(text).map(|word| (word.start(), word.as_str()))
}

/// Where a pronoun stands among the first four words of a prompt; `this issue` and `an agent that bakes` have their noun.
fn bare(prose: &str) -> Option<usize> {
    static GOES_ON: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)^(?:\s*(?:[.,;:!?)]|$)|['’]|\s+(?:is|are|was|were|do|does|did|don't|doesn't|didn't|isn't|aren't|has|have|had|should|must|will|would|can|can't|could|may|might|needs?|works?|worked|fails?|failed|looks?|seems?|means|still|also|again|now|please|and|or|but|so|in|on|at|for|to|with|from|as|by|up|down|out|off|when|if|because|since|more|better|properly|correctly|all|too|instead|yet|already|not|done|ok|okay|right|correct|wrong|fixed|ready)\b)",
        )
    });
    static LEADS: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)^(?:do|does|did|is|are|was|were|will|would|can|could|should|has|have|and|but|ok|okay|now|then|no|yes|of|for|with|from|about|to|on|in|at|by|like|fix|make|undo|revert|remove|delete|change|update|run|try|test|check|explain|show|use|move|rename|add|keep|put|commit|push|merge|get|doing|why|how|what|when)$",
        )
    });
    let mut before = "";
    // Further in, a pronoun mostly has something before it to stand for.
    for (at, word) in words_with_places(prose).take(4) {
        let lower = word.to_ascii_lowercase();
        let goes_on = || GOES_ON.is_match(prose.get(at + word.len()..).unwrap_or_default());
        let is_bare = match lower.as_str() {
            "it" | "them" => true,
            "this" | "these" | "those" => goes_on(),
            // Behind a noun it begins a clause.
            "that" => (before.is_empty() || LEADS.is_match(before)) && goes_on(),
            _ => false,
        };
        if is_bare {
            return Some(at);
        }
        before = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pronoun_with_its_noun_is_not_bare() {
        for text in [
            "Is this issue stale?", "Find the ones that are old", "Run an agent that bakes", "Look at these pears",
            "The oven is hot, so it bakes",
        ] {
            assert_eq!(bare(text), None, "{text}");
        }
        for (text, at) in [
            ("fix it now", 4),
            ("That is wrong", 0),
            ("Why does this fail?", 9),
            ("undo that", 5),
            ("Is this done?", 3),
        ] {
            assert_eq!(bare(text), Some(at), "{text}");
        }
    }

    #[test]
    fn what_was_said_is_told_from_a_document_and_from_a_paste() {
        let told = |text: &str| Parts::of(text).told();
        assert_eq!(told("Bake it."), "2 words");
        assert_eq!(told("Bake this:\n# A pie\nPeel three pears."), "2 words and a document of 5");
        assert_eq!(told("# A pie\nPeel three pears."), "a document of 5 words");
        assert_eq!(told("$ bake\nno pears"), "no words beside code and pastes");
        assert_eq!(told("`src/pie.rs`"), "no words beside code and pastes");
    }

    #[test]
    fn more_ways_to_ask_are_known() {
        for text in [
            "are you confident in it", "catch NoPears, not NoFruit", "rebase to main before we begin",
            "ignore last message", "the recipe can be further simplified", "no pears?", "yes do that",
            "in the oven, call it with pears",
        ] {
            assert!(ASKS.is_match(text), "{text}");
        }
        assert!(!ASKS.is_match("pears and apples in order"));
    }

    #[test]
    fn a_limit_is_no_word_of_time() {
        let limits = |text: &str| CONTEXT[3].0.is_match(text);
        assert!(limits("just fix the oven") && limits("please just look") && limits("we just need pears"));
        assert!(!limits("I just did an update") && !limits("I've just reset"));
    }
}
