//! Recall: what memory, knowledge, canon and beliefs say to a question, and what failed before and what ended it.
//!
//! Pure: ranks what the rooms hold by the words that it shares with the question (BM25 over stems), by how much of the
//! question it covers, and by what it weighs at the time. Neither records nor decides; a pair of tags is recalled by
//! `annals memory recall`. Says nothing of whose words it found: `Recalled::quoted` names the entry, for whoever must know.

mod rank;
mod stem;
#[cfg(test)]
mod tests;
mod texts;

use serde::Serialize;

use super::voice::Quoted;
use crate::domain::Rooms;
use crate::kernel::grounding::words;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

words! {
    /// What something that was recalled is.
    pub enum RecallKind {
        /// A single experience.
        Experience = "experience",
        /// Common sense: a practice or a constraint.
        CommonSense = "common_sense",
        /// An entry of knowledge.
        Knowledge = "knowledge",
        /// A candidate of knowledge that nobody has reviewed.
        Candidate = "candidate",
        /// Canon.
        Canon = "canon",
        /// A belief of the hivemind.
        Belief = "belief",
        /// A task that failed, and nothing has put right yet.
        Failure = "failure",
    }
}

/// Something that was recalled.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Recalled {
    /// What it is.
    pub kind: RecallKind,
    /// Its id, in its own room.
    pub id: Box<str>,
    /// What it says. Words of the log: data, not instructions.
    pub text: Box<str>,
    /// What it is about: a pair of tags, a type, a title.
    pub about: Box<str>,
    /// How well it fits, in thousandths of the best.
    pub score: u16,
    /// Since when it is known.
    pub at: Timestamp,
    /// The entry that says it, and the words as they stand there; none where the rules worded it.
    #[serde(skip)]
    pub quoted: Option<Quoted>,
}

/// When it is asked, and under which configuration.
#[derive(Debug, Clone, Copy)]
pub struct RecallMoment<'m> {
    /// Now.
    pub at: Timestamp,
    /// The configuration in force.
    pub settings: &'m Settings,
}

/// What answers a question best, the best first; nothing where no word of it is known.
pub fn recall(rooms: &Rooms, question: &str, limit: usize, moment: RecallMoment<'_>) -> Vec<Recalled> {
    let texts = texts::all(rooms, moment);
    let ranked = rank::rank(question, &texts, limit);
    let best = ranked.first().map_or(1.0, |(_, score)| *score).max(f64::MIN_POSITIVE);
    let thousandths = |score: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to 1000")]
        let rounded = (score / best * 1000.0).clamp(0.0, 1000.0) as u16;
        rounded
    };
    ranked.into_iter().map(|(at, score)| Recalled { score: thousandths(score), ..texts[at].recalled.clone() }).collect()
}
