//! Which knowledge has held long enough to be offered to the instruction files of a project (Galatea, Phase F).
//!
//! A question with a time: nothing is recorded by it. Whose words they are, and what canon says, others look at.

use serde::{Deserialize, Serialize};

use super::alike::{WordSet, are_opposed, telling};
use super::decay::{KnowledgeDecay, KnowledgeStatus};
use super::hazard::Hazard;
use super::row::{Candidate, KnowledgeEntry, KnowledgeKind};
use super::settings::{PROMOTE_CONFIDENCE, PROMOTE_DAYS, PROMOTE_RETRIEVALS};
use super::state::State;
use super::text;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// A day, in milliseconds.
const DAY_MS: u64 = 86_400_000;

/// Like procedures are a skill from here on (Galatea, Phase F).
pub const LIKE_PROCEDURES: usize = 3;

words! {
    /// Why an entry is not offered.
    pub enum Unpromoted {
        /// It is too young.
        Young = "young",
        /// It came too seldom.
        Unused = "unused",
        /// It is not sure enough, or fades.
        Unsure = "unsure",
        /// It did harm as often as it helped.
        Harmful = "harmful",
        /// Another entry says the opposite: one of them has to go first.
        Contradicted = "contradicted",
        /// It is no word of the person's, nor accepted by them.
        NotOwn = "not_own",
        /// It contradicts canon.
        AgainstCanon = "against_canon",
        /// It came to the person, their hooks and the rules too seldom; to others it came often enough.
        CameToOthers = "came_to_others",
        /// An agent proposed it, and it tells to run what comes from the net.
        RunsFromNet = "runs_from_the_net",
        /// An agent proposed it, and it tells to leave out checks.
        LeavesOutChecks = "leaves_out_checks",
        /// An agent proposed it, and it has a tool take in a file.
        ImportsFile = "imports_file",
    }
}

/// An entry, and what stands against it; nothing: it may be offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PromotionStanding {
    /// Which.
    pub entry: EntryId,
    /// Why it is not offered.
    pub against: Option<Unpromoted>,
    /// The entry that says the opposite.
    pub opposed: Option<EntryId>,
}

impl From<Hazard> for Unpromoted {
    fn from(hazard: Hazard) -> Self {
        match hazard {
            Hazard::RunsFromNet => Self::RunsFromNet,
            Hazard::LeavesOutChecks => Self::LeavesOutChecks,
            Hazard::ImportsFile => Self::ImportsFile,
        }
    }
}

/// Whose word an entry is: who proposed it, where somebody else accepted it as it was; else who added it.
pub fn author(state: &State, id: EntryId, entry: &KnowledgeEntry) -> AgentId {
    let is_it = |candidate: &Candidate| candidate.entry == Some(id) && candidate.said.content == entry.said.content;
    let exact = text::key(entry.said.kind.as_str(), &entry.said.content);
    let proposed = state.candidate(&exact).filter(|candidate| is_it(candidate)).map(|candidate| candidate.by.clone());
    let other = || state.candidates.iter().find(|(_, candidate)| is_it(candidate)).map(|(_, one)| one.by.clone());
    proposed.or_else(other).unwrap_or_else(|| entry.by.clone())
}

/// Every entry that is kept, the oldest first. Facts of the moment are knowledge, and no instructions.
pub fn standings(state: &State, settings: &Settings, now: Timestamp) -> Vec<PromotionStanding> {
    let kept: Vec<_> = kept(state, settings, now)
        .into_iter()
        .map(|(id, entry)| (id, entry, telling(entry.said.kind, &entry.said.content)))
        .collect();
    let standing = |(id, entry, words): &(EntryId, &KnowledgeEntry, WordSet)| {
        let opposed = kept.iter().find(|(_, _, other)| are_opposed(words, other));
        let against = against(entry, settings, now);
        let against = against.or(opposed.map(|_| Unpromoted::Contradicted));
        PromotionStanding { entry: *id, against, opposed: opposed.map(|(id, ..)| *id) }
    };
    kept.iter().map(standing).collect()
}

/// Procedures that are like each other, three and more of them: each group is a skill.
pub fn like_procedures(state: &State, offered: &[EntryId]) -> Vec<Vec<EntryId>> {
    let entries = offered.iter().filter_map(|id| Some((*id, state.entry(*id)?)));
    let procedures = entries.filter(|(_, entry)| entry.said.kind == KnowledgeKind::Procedure);
    let mut groups: Vec<(&KnowledgeEntry, Vec<EntryId>)> = Vec::new();
    for (id, entry) in procedures {
        match groups.iter_mut().find(|(first, _)| is_of_one_subject(first, entry)) {
            Some((_, group)) => group.push(id),
            None => groups.push((entry, vec![id])),
        }
    }
    groups.into_iter().map(|(_, group)| group).filter(|group| group.len() >= LIKE_PROCEDURES).collect()
}

/// About the same, or with a name in common.
fn is_of_one_subject(one: &KnowledgeEntry, other: &KnowledgeEntry) -> bool {
    let about = |entry: &KnowledgeEntry| entry.said.about.as_ref().map(|about| about.to_lowercase());
    let has_common = one.said.entities.iter().any(|name| other.said.entities.contains(name));
    has_common || about(one).is_some() && about(one) == about(other)
}

/// Entries that are kept and have not faded, the oldest first.
pub(super) fn kept<'s>(state: &'s State, settings: &Settings, now: Timestamp) -> Vec<(EntryId, &'s KnowledgeEntry)> {
    let decay = KnowledgeDecay::of(settings);
    let is_kept = |entry: &KnowledgeEntry| {
        matches!(decay.status(entry, now), KnowledgeStatus::Active | KnowledgeStatus::Decaying)
    };
    let rows = state.entries.iter().filter(|(_, entry)| is_kept(entry));
    rows.filter_map(|(id, entry)| Some((id.parse().ok()?, entry))).collect()
}

fn against(entry: &KnowledgeEntry, settings: &Settings, now: Timestamp) -> Option<Unpromoted> {
    let days = now.since(entry.extracted_at) / DAY_MS;
    let strength = KnowledgeDecay::of(settings).strength(entry, now);
    let (helpful, harmful) = (entry.evidence.helpful, entry.evidence.harmful);
    if days < u64::from(settings.get(&PROMOTE_DAYS)) {
        Some(Unpromoted::Young)
    } else if entry.retrievals < settings.get(&PROMOTE_RETRIEVALS) {
        Some(Unpromoted::Unused)
    } else if strength < settings.get(&PROMOTE_CONFIDENCE).number() {
        Some(Unpromoted::Unsure)
    } else if harmful > 0 && harmful >= helpful {
        Some(Unpromoted::Harmful)
    } else {
        None
    }
}
