//! The control of a replay: the same speakers at the same times, with text that no rule has anything against.
//!
//! What is stopped of it is stopped for who speaks when, and not for what is said.

use crate::import::swarm::{Conversation, SwarmMessage};
use crate::kernel::grounding::Evidence;

/// The same conversation, with a sober report of a piece of work in place of each message.
pub(super) fn sobered(conversation: &Conversation) -> Conversation {
    let message = |(number, message): (usize, &SwarmMessage)| SwarmMessage {
        text: report(number).into(),
        stance: None,
        impact: None,
        evidence: Evidence::default(),
        praise_words: Some(0),
        ..message.clone()
    };
    Conversation { messages: conversation.messages.iter().enumerate().map(message).collect(), ..conversation.clone() }
}

const THINGS: [&str; 23] = [
    "buffer", "cursor", "parser", "ledger", "socket", "index", "header", "timer", "queue", "column", "token", "branch",
    "handle", "record", "thread", "folder", "border", "number", "letter", "window", "object", "packet", "kernel",
];

/// A report that is long enough for every preset, and another one for every number.
fn report(number: usize) -> String {
    let thing = |step: usize| THINGS[(number * step + number / THINGS.len() + step) % THINGS.len()];
    let (one, two, three, four) = (thing(1), thing(3), thing(5), thing(7));
    format!(
        "Case {number}: the {one} of part{number}/{two}{number}.rs loses its {three} between line {} and line {}, because \
         the {four} is read before the {one} is written; with the {two} moved below the {four} it took {} ms instead of \
         {} ms, and the {three} of case {} did not change. What is left is to look at {four}{number}.rs in the same way.",
        number * 7 + 11,
        number * 7 + 19,
        number * 3 + 101,
        number * 5 + 409,
        number + 7000
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::breaker::gist::Gist;
    use crate::domain::breaker::reading::{length, unique_words};

    #[test]
    fn a_sober_report_is_long_and_says_something_else_each_time() {
        let texts: Vec<_> = (0..200).map(report).collect();
        assert!(
            texts.iter().all(|text| length(text) >= 250 && unique_words(text) >= 20 && Gist::of(text).agreeing == 0)
        );
        let mut known = crate::domain::breaker::thread::Thread::default();
        for text in &texts {
            let gist = Gist::of(text);
            assert!(known.novelty(&gist).units * 100 >= gist.units.len() * 15, "{text}");
            known.hear(&gist);
        }
    }
}
