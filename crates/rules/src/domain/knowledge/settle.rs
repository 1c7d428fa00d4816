//! Which of two entries that say the opposite holds, where what is on record says so; else it is the person's to say
//! (Galatea, Phase F).
//!
//! By whose words they are. Feedback, confidence and retrievals decide nothing: agents give them. Compares words; whether
//! two sentences contradict each other in fact, nobody here knows.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alike::{WordSet, are_opposed, set, telling};
use super::command::{Observed, Settle};
use super::decide::{Decided, holding};
use super::event::Superseded;
use super::promote::kept;
use super::refusal::Refusal;
use super::row::{KnowledgeEntry, KnowledgeKind};
use super::state::State;
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

words! {
    /// What says which of two entries holds.
    pub enum SettledBy {
        /// It is the user's own word, or was accepted by them; the other is not.
        OwnWord = "own_word",
        /// Both are; it is the later one, and corrects something.
        Correction = "correction",
        /// Both are; it is the later one, and was said in more sessions: twice as many, and two at least.
        Agreement = "agreement",
    }
}

words! {
    /// Why nothing on record says which holds.
    pub enum Unsettled {
        /// Neither is the user's own word.
        NobodysWord = "nobodys_word",
        /// Both are, and nothing else tells them apart.
        BothOwn = "both_own",
    }
}

/// What was found out of the words of an entry.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordObserved {
    /// This clone's user said or accepted them.
    #[serde(default)]
    pub own: bool,
    /// In so many sessions a person said what it was learnt from.
    #[sparse]
    pub sessions: u32,
}

/// The one of two that holds, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettledPair {
    /// It holds.
    pub holds: EntryId,
    /// It does not.
    pub ends: EntryId,
    /// Why.
    pub because: SettledBy,
}

/// A side of a contradiction.
#[derive(Debug, Clone, Copy)]
pub struct OpposedSide<'e> {
    /// The entry.
    pub id: EntryId,
    /// What it says.
    pub entry: &'e KnowledgeEntry,
    /// What was found out of its words.
    pub word: WordObserved,
}

/// Kept entries that say the opposite of each other, each pair once, the older first.
pub fn contradictions(state: &State, settings: &Settings, now: Timestamp) -> Vec<(EntryId, EntryId)> {
    let kept: Vec<(EntryId, WordSet)> = kept(state, settings, now)
        .into_iter()
        .map(|(id, entry)| (id, telling(entry.said.kind, &entry.said.content)))
        .collect();
    let mut pairs = Vec::new();
    for (at, (one, words)) in kept.iter().enumerate() {
        let others = kept[at + 1..].iter().filter(|(_, other)| are_opposed(words, other));
        pairs.extend(others.map(|(other, _)| (*one, *other)));
    }
    pairs
}

/// Which of two holds.
pub fn verdict(one: &OpposedSide<'_>, other: &OpposedSide<'_>) -> Result<SettledPair, Unsettled> {
    let settled = |holds: &OpposedSide<'_>, ends: &OpposedSide<'_>, because| SettledPair {
        holds: holds.id,
        ends: ends.id,
        because,
    };
    match (one.word.own, other.word.own) {
        (true, false) => return Ok(settled(one, other, SettledBy::OwnWord)),
        (false, true) => return Ok(settled(other, one, SettledBy::OwnWord)),
        (false, false) => return Err(Unsettled::NobodysWord),
        (true, true) => {}
    }
    let (earlier, later) = if (one.entry.extracted_at, one.id) < (other.entry.extracted_at, other.id) {
        (one, other)
    } else {
        (other, one)
    };
    if later.entry.said.kind == KnowledgeKind::Correction {
        return Ok(settled(later, earlier, SettledBy::Correction));
    }
    let (before, after) = (earlier.word.sessions, later.word.sessions);
    // Of what was said more often before, the later word may be a change of mind.
    let is_agreed = after >= 2 && after >= before.saturating_mul(2);
    if is_agreed { Ok(settled(later, earlier, SettledBy::Agreement)) } else { Err(Unsettled::BothOwn) }
}

/// The user has a contradiction settled by rule: where no rule settles it, nothing is.
pub(super) fn settled(state: &State, settle: &Settle, observed: &Observed, moment: &Moment<'_>) -> Decided {
    if moment.standing != Standing::User {
        return Err(Refusal::NotAReviewer { actor: moment.actor.clone(), what: "settle_what_contradicts" });
    }
    let Settle { entry, other } = *settle;
    let side = |id, word: Option<WordObserved>| {
        holding(state, id).map(|entry| OpposedSide { id, entry, word: word.unwrap_or_default() })
    };
    let (one, two) = (side(entry, observed.entry)?, side(other, observed.other)?);
    if !are_opposed(&set(&one.entry.said.content), &set(&two.entry.said.content)) {
        return Err(Refusal::NotOpposed { entry, other });
    }
    let SettledPair { holds, ends, because } =
        verdict(&one, &two).map_err(|why| Refusal::Unsettled { entry, other, why })?;
    Ok(Outcome::of(Superseded { entry: ends, by: holds, because: Some(because) }))
}
