//! What of a message and of the facts a prompt has room for, and what is left of it for the conversation.
//!
//! The message goes before the facts, and both leave room for each other and for the turns before; what is left out is
//! counted. Reads no conversation: `context` shortens that.

use annals_rules::domain::resident::LeftOut;

use super::context::TokenCounter;
use super::reply::{ReplyOrder, fact_line, message_line};
use crate::quote::{Shortened, shortened};

/// The message takes at most this part of the room, in fourths.
const MESSAGE_FOURTHS: u64 = 3;

/// The notes of what is left out, and what a template puts around a question.
const AROUND: u64 = 64;

/// A question needs so much room beside the rules it is answered by.
const LEAST_ROOM: u64 = 64;

/// What there is room for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedMaterial {
    /// The message, shortened where it is too long.
    pub message: String,
    /// So many of the facts, from the first on.
    pub facts: usize,
    /// What there is no room for.
    pub left_out: LeftOut,
    /// The tokens that are left for the conversation.
    pub left: u64,
}

/// Fits message and facts into the tokens of a whole prompt; none where they hold no more than the rules.
pub fn fitted(order: &ReplyOrder<'_>, budget: u64, counter: &dyn TokenCounter) -> Option<FittedMaterial> {
    let room = budget.checked_sub(counter.text(&order.system()).saturating_add(AROUND))?;
    if room < LEAST_ROOM {
        return None;
    }
    let tokens = |message: &str| counter.text(&message_line(order.from, message));
    let Shortened { text: message, left_out: characters } = within(order.message, room * MESSAGE_FOURTHS / 4, tokens);
    let left = room.saturating_sub(tokens(&message));
    let mut of_facts = left / 2;
    let mut fits = |content: &str| {
        let after = of_facts.checked_sub(counter.text(&fact_line(content)));
        of_facts = after.unwrap_or(of_facts);
        after.is_some()
    };
    let facts = order.facts.iter().take_while(|fact| fits(&fact.content)).count();
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let left_out = LeftOut { facts: count(order.facts.len() - facts), turns: 0, characters: count(characters) };
    let left = left - left / 2 + of_facts;
    Some(FittedMaterial { message, facts, left_out, left })
}

/// As much of the beginning and the end of a text as costs at most so many tokens.
pub fn within(text: &str, most: u64, tokens: impl Fn(&str) -> u64) -> Shortened {
    let length = text.chars().count();
    let of = |chars: usize| shortened(text, chars);
    if tokens(text) <= most {
        return of(length);
    }
    let (mut fits, mut too_many) = (0, length);
    while fits + 1 < too_many {
        let middle = usize::midpoint(fits, too_many);
        if tokens(&of(middle).text) <= most { fits = middle } else { too_many = middle }
    }
    of(fits)
}
