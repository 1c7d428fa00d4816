//! What a tick keeps of its prompt: the summary that stood for the beginning of a conversation, and what there was no room
//! for.
//!
//! Data only.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;

words! {
    /// How far a summary goes in the last message that it tells of.
    pub enum ToldPart {
        /// To what was asked.
        Question = "question",
        /// To what was answered.
        Answer = "answer",
    }
}

/// What stands for the beginning of a conversation, so that the next tick need not ask for it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationSummary {
    /// The last message that it tells of.
    pub upto: EntryId,
    /// How far in that one.
    pub part: ToldPart,
    /// What it says.
    pub text: Box<str>,
}

/// What a prompt had no room for.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// So many facts.
    #[sparse]
    pub facts: u64,
    /// So many turns of the conversation; a summary may tell of them.
    #[sparse]
    pub turns: u64,
    /// So many characters of the message.
    #[sparse]
    pub characters: u64,
}
