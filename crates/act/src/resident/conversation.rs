//! A conversation in turns, and how far a recorded summary goes in it.
//!
//! Chooses no messages: `gather` knows which are of one conversation.

use annals_kernel::id::EntryId;
use annals_role::resident::context::{ContextMessage, ContextRole};
use annals_rules::domain::resident::{ConversationSummary, InboxMessage, ToldPart};

/// A turn, and of which message it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConversationTurn {
    message: EntryId,
    part: ToldPart,
    /// What was said.
    pub(super) said: ContextMessage,
}

/// What was said before, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Conversation {
    /// Turn by turn.
    pub(super) turns: Vec<ConversationTurn>,
    /// The last summary of its beginning.
    pub(super) summary: Option<ConversationSummary>,
}

impl Conversation {
    /// Of messages that were answered.
    pub(super) fn of(messages: &[(EntryId, InboxMessage)]) -> Self {
        let summary = messages.iter().rev().find_map(|(_, message)| message.summary.clone());
        Self { turns: messages.iter().flat_map(|(id, message)| turns(*id, message)).collect(), summary }
    }

    /// The place of the first turn that a summary does not tell of. What it tells of may be too long ago to be here.
    pub(super) fn place_behind(&self, summary: &ConversationSummary) -> usize {
        let is_last = |turn: &ConversationTurn| turn.message == summary.upto && turn.part == summary.part;
        self.turns.iter().position(is_last).map_or(0, |place| place + 1)
    }

    /// A summary of what stands before a place, as it is recorded.
    pub(super) fn summary_before(&self, place: usize, text: &str) -> Option<ConversationSummary> {
        let last = self.turns.get(place.checked_sub(1)?)?;
        Some(ConversationSummary { upto: last.message, part: last.part, text: text.into() })
    }
}

fn turns(message: EntryId, of: &InboxMessage) -> impl Iterator<Item = ConversationTurn> + use<> {
    let turn = |part, role, text: &str| ConversationTurn { message, part, said: ContextMessage::new(role, text) };
    let answer = of.answer.as_deref().map(|text| turn(ToldPart::Answer, ContextRole::Assistant, text));
    std::iter::once(turn(ToldPart::Question, ContextRole::User, &of.content)).chain(answer)
}
