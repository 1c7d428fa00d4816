//! Whether a person keeps coming back with the same trouble.
//!
//! By words: what comes back, and whether it is spoken of as failing. Three orders in a row for one screen are no
//! trouble. Words of failing are English; in other languages only what is said again word by word is seen.

use std::collections::BTreeSet;

use super::agent_context::{AgentContext, TurnRole};
use super::limits::HomeostasisLimits;
use super::wording::{content_words, is_alike, words};

/// A turn of more content words than this, said again as it was, is trouble whatever it says.
const TOO_LONG_TO_REPEAT: usize = 2;

const FAILING: &[&str] = &[
    "broken", "crash", "crashed", "crashes", "crashing", "error", "errors", "fail", "failed", "failing", "fails",
    "still", "stuck", "wrong",
];

const NEGATION: &[&str] = &["cannot", "cant", "didnt", "doesnt", "isnt", "never", "no", "not", "wasnt", "wont"];

const WORKING: &[&str] =
    &["fix", "fixed", "fixes", "help", "helped", "helps", "solve", "solved", "work", "worked", "working", "works"];

/// Whether the person's last turns, the message included, go round in a circle.
pub(super) fn is_stuck(context: &AgentContext, limits: &HomeostasisLimits) -> bool {
    let said = context.history.iter().filter(|turn| turn.role == TurnRole::User).map(|turn| turn.text.as_str());
    let mut turns: Vec<&str> = said.collect();
    let is_new = !context.is_quiet() && turns.last() != Some(&context.message.as_str());
    turns.extend(is_new.then_some(context.message.as_str()));
    let most = limits.stuck_turns.max(2);
    if turns.len() < most {
        return false;
    }
    let recent = &turns[turns.len() - most..];
    let topics: Vec<_> = recent.iter().map(|turn| content_words(turn)).collect();
    is_said_again(&topics) || is_failing(recent, limits) && comes_back(&topics, limits)
}

fn is_said_again(topics: &[BTreeSet<String>]) -> bool {
    topics.iter().all(|topic| topic.len() > TOO_LONG_TO_REPEAT && *topic == topics[0])
}

fn is_failing(turns: &[&str], limits: &HomeostasisLimits) -> bool {
    turns.iter().filter(|turn| speaks_of_failing(turn)).count() >= limits.failing_turns
}

fn speaks_of_failing(turn: &str) -> bool {
    let said = words(turn);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    has(FAILING) || has(NEGATION) && has(WORKING)
}

/// Enough words stand in two of the turns, or one in all of them.
fn comes_back(topics: &[BTreeSet<String>], limits: &HomeostasisLimits) -> bool {
    let mut repeated = 0;
    let mut seen: Vec<&str> = Vec::new();
    for word in topics.iter().flatten() {
        if seen.iter().any(|other| is_alike(word, other)) {
            continue;
        }
        seen.push(word);
        let turns = topics.iter().filter(|topic| topic.iter().any(|other| is_alike(word, other))).count();
        if turns == topics.len() {
            return true;
        }
        repeated += usize::from(turns > 1);
    }
    repeated >= limits.repeated_words
}
