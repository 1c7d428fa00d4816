//! Contradictions, with whose words they are, where they were learnt, and what canon and the rules say.
//!
//! Looks only.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::cli::shell::Shell;
use crate::domain::canon::claims;
use crate::domain::canon::event::ClaimConflict;
use crate::domain::knowledge::promote::author;
use crate::domain::knowledge::settle::{
    OpposedSide, SettledPair, Unsettled, WordObserved, contradictions as opposed, verdict,
};
use crate::domain::knowledge::{KnowledgeDecay, KnowledgeEntry, KnowledgeKind, KnowledgeSource};
use crate::engine::Engine;
use crate::engine::own_word::OwnWords;
use crate::kernel::actor::USER;
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::time::Timestamp;
use crate::world::World;

/// Two entries that contradict each other, the older first.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FoundContradiction {
    pub first: KnownSide,
    pub second: KnownSide,
    pub verdict: Standpoint,
}

/// A side of a contradiction.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct KnownSide {
    pub entry: EntryId,
    pub kind: KnowledgeKind,
    pub content: Box<str>,
    pub by: AgentId,
    /// Whose word it is: who proposed it, where another accepted it.
    pub author: AgentId,
    pub at: Timestamp,
    pub source: KnowledgeSource,
    #[serde(flatten)]
    pub word: WordObserved,
    pub strength: f64,
    pub helpful: u64,
    pub harmful: u64,
    /// What canon says against it.
    pub canon: Option<String>,
}

/// What is to be said of a contradiction.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Standpoint {
    /// A rule settles it.
    Settled(SettledPair),
    /// Canon contradicts one of them, and not the other.
    AgainstCanon {
        /// That one.
        ends: EntryId,
        /// What canon says.
        canon: String,
    },
    /// It is the user's to say.
    Open(Unsettled),
}

/// What is looked at of an entry, before its sources are read.
struct Opposed {
    id: EntryId,
    entry: KnowledgeEntry,
    is_own: bool,
    author: AgentId,
    strength: f64,
    canon: Option<String>,
}

impl FoundContradiction {
    pub(super) fn entries(&self) -> [EntryId; 2] {
        [self.first.entry, self.second.entry]
    }

    pub(super) fn words(&self) -> [WordObserved; 2] {
        [self.first.word, self.second.word]
    }
}

/// All contradictions between entries that are kept.
pub(super) fn contradictions(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<FoundContradiction>> {
    let (at, own) = (shell.now(engine)?, engine.own_words()?);
    let pairs = shell.ask(engine, |world| {
        let (room, settings) = (&world.rooms.knowledge, &world.rooms.config.settings);
        let side = |id: EntryId| Some(Opposed::of(world, &own, id, room.entry(id)?, at));
        let pairs = opposed(room, settings, at).into_iter();
        pairs.filter_map(|(one, other)| Some((side(one)?, side(other)?))).collect::<Vec<_>>()
    })?;
    let sessions = sessions(engine, &pairs)?;
    Ok(pairs.into_iter().map(|(one, other)| found(one, other, &sessions)).collect())
}

fn found(one: Opposed, other: Opposed, sessions: &BTreeMap<EntryId, SessionId>) -> FoundContradiction {
    let (first, second) = (one.word(sessions), other.word(sessions));
    let by_rule = match (&one.canon, &other.canon) {
        (Some(canon), None) => Standpoint::AgainstCanon { ends: one.id, canon: canon.clone() },
        (None, Some(canon)) => Standpoint::AgainstCanon { ends: other.id, canon: canon.clone() },
        (None, None) | (Some(_), Some(_)) => match verdict(&one.side(first), &other.side(second)) {
            Ok(settled) => Standpoint::Settled(settled),
            Err(open) => Standpoint::Open(open),
        },
    };
    FoundContradiction { first: one.told(first), second: other.told(second), verdict: by_rule }
}

impl Opposed {
    fn of(world: &World, own: &OwnWords, id: EntryId, entry: &KnowledgeEntry, at: Timestamp) -> Self {
        let against = world.rooms.canon.contradicted(&claims::extract(&entry.said.content));
        let says = |one: &ClaimConflict| format!("{}@{}: {}", one.key, one.version, one.value);
        Self {
            id,
            is_own: own.has(id, std::slice::from_ref(&entry.said.content)),
            author: author(&world.rooms.knowledge, id, entry),
            strength: KnowledgeDecay::of(&world.rooms.config.settings).strength(entry, at),
            canon: against.first().map(says),
            entry: entry.clone(),
        }
    }

    /// Sessions in which a person said what a rule found there. What an entry names by itself as its source proves nothing.
    fn word(&self, sessions: &BTreeMap<EntryId, SessionId>) -> WordObserved {
        let source = &self.entry.said.source;
        let found = source.entries.iter().filter(|_| source.rule.is_some()).filter_map(|id| sessions.get(id));
        let different: BTreeSet<&SessionId> = found.collect();
        WordObserved { own: self.is_own, sessions: u32::try_from(different.len()).unwrap_or(u32::MAX) }
    }

    fn side(&self, word: WordObserved) -> OpposedSide<'_> {
        OpposedSide { id: self.id, entry: &self.entry, word }
    }

    fn told(self, word: WordObserved) -> KnownSide {
        let KnowledgeEntry { said, by, extracted_at, evidence, .. } = self.entry;
        KnownSide {
            entry: self.id,
            kind: said.kind,
            content: said.content,
            by,
            author: self.author,
            at: extracted_at,
            source: said.source,
            word,
            strength: self.strength,
            helpful: evidence.helpful,
            harmful: evidence.harmful,
            canon: self.canon,
        }
    }
}

/// The sessions of those sources that are words of a person.
fn sessions(engine: &Engine, pairs: &[(Opposed, Opposed)]) -> anyhow::Result<BTreeMap<EntryId, SessionId>> {
    let sides = pairs.iter().flat_map(|(one, other)| [one, other]);
    let ids: BTreeSet<EntryId> = sides.flat_map(|side| side.entry.said.source.entries.iter().copied()).collect();
    let by_id = engine.reader()?.by_id(ids, EntryId::MAX)?;
    let all = by_id.into_values().flatten().map(|found| found.entry);
    Ok(all.filter(is_of_a_person).map(|entry| (entry.id, entry.session_id)).collect())
}

fn is_of_a_person(entry: &HistoryEntry) -> bool {
    let is_user = entry.provenance.agent_id.as_ref().is_none_or(|agent| agent.as_str() == USER);
    entry.operation.kind == OperationType::UserInput && is_user
}
