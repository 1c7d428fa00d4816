//! What can be asked of knowledge.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::{Effect, KnowledgeKind, KnowledgeSource};
use super::settle::WordObserved;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of knowledge.
    pub enum Command {
        /// Say that something is known.
        Add = "knowledge.entry.add" {
            /// What sort.
            kind: KnowledgeKind,
            /// The statement, one sentence.
            content: Box<str>,
            /// A name in it, beside those that are found in the text.
            entities: Vec<Box<str>>,
            /// Whom or what it is about.
            about: Option<Box<str>>,
            /// How sure one may be, 0 to 1 [default: as configured].
            confidence: Option<Share>,
            /// How much hangs on it.
            impact: Option<Effect>,
            /// Where it was learnt.
            #[sparse]
            source: KnowledgeSource,
            /// The entry of knowledge that it takes the place of.
            supersedes: Option<EntryId>,
        },
        /// Say that another entry holds instead.
        Supersede = "knowledge.entry.supersede" derive(Copy) {
            /// The entry that holds no more: its id, or the end of it.
            entry: EntryId,
            /// The one that holds instead.
            by: EntryId,
        },
        /// Have the rules say which of two entries holds that say the opposite of each other.
        Settle = "knowledge.contradiction.settle" derive(Copy) {
            /// The one: its id, or the end of it.
            entry: EntryId,
            /// The other.
            other: EntryId,
        },
        /// Ask what is known: a read that counts (decision 22).
        Retrieve = "knowledge.entry.retrieve" derive(Default) {
            /// A question, or a few words.
            #[sparse]
            query: Box<str>,
            /// Names that it is about, beside those that are found in the query.
            entities: Vec<Box<str>>,
            /// Only of this type.
            kind: Option<KnowledgeKind>,
            /// How many at most; none: as is configured.
            limit: Option<usize>,
        },
        /// Put an entry away.
        Archive = "knowledge.entry.archive" {
            /// Which entry: its id, or the end of it.
            entry: EntryId,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Bring an entry back that was put away, or has faded.
        Restore = "knowledge.entry.restore" {
            /// Which entry: its id, or the end of it.
            entry: EntryId,
        },
        /// Announce what has faded since.
        Expire = "knowledge.entry.expire" derive(Default) {},
        /// Propose that entries which say the same become one.
        Consolidate = "knowledge.entry.consolidate" derive(Default) {},
        /// Say what came of working with an entry.
        Give = "knowledge.feedback.give" {
            /// Which entry: its id, or the end of it.
            entry: EntryId,
            /// What came of it.
            result: UseEnding,
        },
        /// Propose something; it does not count yet.
        Propose = "knowledge.candidate.propose" {
            /// What sort.
            kind: KnowledgeKind,
            /// The statement, one sentence.
            content: Box<str>,
            /// A name in it, beside those that are found in the text.
            entities: Vec<Box<str>>,
            /// Whom or what it is about.
            about: Option<Box<str>>,
            /// How sure one may be, 0 to 1 [default: as configured for what is extracted].
            confidence: Option<Share>,
            /// How much hangs on it.
            impact: Option<Effect>,
            /// Where it was learnt.
            #[sparse]
            source: KnowledgeSource,
        },
        /// Propose what was found in the record, all at once; for the rules alone.
        Gather = "knowledge.record.gather" {
            /// What was found.
            #[always]
            found: Vec<Propose>,
        },
        /// Let a candidate count.
        Accept = "knowledge.candidate.accept" derive(Default) {
            /// Which.
            candidate: Box<str>,
            /// What is known, in better words.
            content: Option<Box<str>>,
            /// Of another type.
            kind: Option<KnowledgeKind>,
            /// With another confidence.
            confidence: Option<Share>,
            /// With another impact.
            impact: Option<Effect>,
        },
        /// Turn a candidate down.
        Reject = "knowledge.candidate.reject" derive(Default) {
            /// Which.
            candidate: Box<str>,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
    }
}

words! {
    /// What came of working with an entry.
    pub enum UseEnding {
        /// It helped.
        Success = "success",
        /// It did harm.
        Failed = "failed",
        /// Neither.
        Neutral = "neutral",
    }
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `settle`: whose words those of the one entry are.
    pub entry: Option<WordObserved>,
    /// And those of the other.
    pub other: Option<WordObserved>,
}
