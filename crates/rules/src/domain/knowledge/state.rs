//! All that is known, and all that may be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::command::{Command, Observed, UseEnding};
use super::decay::KnowledgeDecay;
use super::event::{self, Added, Crossing, Event, Proposed, Retrieved};
use super::index::{Posting, names_of, words_of};
use super::row::{Archived, Candidate, KnowledgeEntry, KnowledgeKind, Review, Superseded};
use super::{entity, text};
use annals_kernel::decision::Cause;
use annals_kernel::id::EntryId;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Entries by type, whatever became of them.
    pub entries: BTreeMap<KnowledgeKind, u64>,
    /// Entries in whose place another holds.
    pub superseded: u64,
    /// Entries that were put away by hand.
    pub archived: u64,
    /// Different names.
    pub entities: u64,
    /// Candidates that wait for a review.
    pub waiting: u64,
    /// Retrievals.
    pub retrievals: u64,
    /// Those for which nothing came.
    pub empty_retrievals: u64,
    /// When it was last announced what has faded.
    pub announced_at: Option<Timestamp>,
}

impl Totals {
    /// All entries.
    pub fn all(&self) -> u64 {
        self.entries.values().sum()
    }
}

/// From when on an entry fades: what is looked through for those that have faded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// From then on.
    pub since: Timestamp,
    /// From what on.
    pub confidence: Share,
    /// When it would have faded by the document's own curve: its place among the others, and nothing more.
    pub fades_at: Timestamp,
    /// Whether nothing took its place and nobody put it away.
    pub is_kept: bool,
    /// Whether it is a rule, which by default never fades.
    pub is_rule: bool,
    /// Whether it was announced that it has faded.
    pub is_announced: bool,
}

impl Clock {
    /// Whether it may yet be announced that the entry has faded.
    pub fn is_open(&self) -> bool {
        self.is_kept && !self.is_announced
    }
}

impl Ranked for Clock {
    /// What fades first comes first, rules behind; then what need not be looked at.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 48;
        let tier: i64 = if self.is_open() { 1 + i64::from(!self.is_rule) } else { 0 };
        let most = (1_i64 << MILLIS_BITS) - 1;
        tier << MILLIS_BITS | (most - self.fades_at.millis().clamp(0, most))
    }
}

/// All that is known, and all that may be.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Entries by id.
    pub entries: Rows<Box<str>, KnowledgeEntry>,
    /// From when on each fades, by id.
    pub clocks: Rows<Box<str>, Clock>,
    /// Entries by word.
    pub words: Rows<Box<str>, Posting>,
    /// Entries by name.
    pub entities: Rows<Box<str>, Posting>,
    /// Kept entries by type and text.
    pub texts: Rows<Box<str>, Posting>,
    /// Candidates by type and text.
    pub candidates: Rows<Box<str>, Candidate>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// An entry by its id.
    pub fn entry(&self, id: EntryId) -> Option<&KnowledgeEntry> {
        self.entries.get(&id.to_string())
    }

    /// A candidate by its id.
    pub fn candidate(&self, id: &str) -> Option<&Candidate> {
        self.candidates.get(id)
    }

    /// The entries that a name is known by, the oldest first.
    pub fn named(&self, name: &str) -> Option<&Posting> {
        self.entities.get(&entity::key(name))
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Added(added) => self.added(added, cause),
            Event::Superseded(superseded) => self.superseded(superseded, cause),
            Event::Retrieved(retrieved) => self.retrieved(retrieved, cause),
            Event::Archived(archived) => {
                let by = Archived { at: cause.at, by: cause.actor.clone(), reason: archived.reason.clone() };
                self.change(archived.entry, |entry| entry.archived = entry.archived.take().or(Some(by)));
            }
            Event::Restored(restored) => self.change(restored.entry, |entry| {
                entry.archived = None;
                entry.last_retrieved_at = Some(entry.touched_at().max(cause.at));
            }),
            Event::Faded(faded) => {
                self.totals.announced_at = self.totals.announced_at.max(Some(cause.at));
                faded.entries.iter().for_each(|crossing| self.announced(crossing));
            }
            Event::Given(given) => self.change(given.entry, |entry| {
                let evidence = &mut entry.evidence;
                evidence.exposed += 1;
                evidence.helpful += u64::from(given.result == UseEnding::Success);
                evidence.harmful += u64::from(given.result == UseEnding::Failed);
            }),
            Event::Proposed(proposed) => self.proposed(proposed, cause),
            Event::Accepted(accepted) => {
                self.review(&accepted.candidate, Review::Accepted, cause);
                if let Some(candidate) = self.candidates.get_mut(&accepted.candidate) {
                    candidate.entry.get_or_insert(accepted.entry);
                }
            }
            Event::Rejected(rejected) => {
                self.review(&rejected.candidate, Review::Rejected, cause);
                if let Some(candidate) = self.candidates.get_mut(&rejected.candidate)
                    && candidate.review == Review::Rejected
                {
                    candidate.reason.clone_from(&rejected.reason);
                }
            }
        }
    }

    fn added(&mut self, added: &Added, cause: &Why<'_>) {
        let id = added.entry.to_string();
        if self.entries.get(&id).is_some() {
            return;
        }
        let entry = KnowledgeEntry {
            said: added.said.clone(),
            by: cause.actor.clone(),
            extracted_at: cause.at,
            last_retrieved_at: None,
            retrievals: 0,
            superseded_by: None,
            archived: None,
            evidence: super::row::Evidence::default(),
        };
        *self.totals.entries.entry(added.said.kind).or_default() += 1;
        for word in words_of(&added.said) {
            self.words.entry(&word, Posting::default).add(added.entry);
        }
        for name in names_of(&added.said) {
            let posting = self.entities.entry(&entity::key(&name), Posting::default);
            self.totals.entities += u64::from(posting.name.is_none());
            posting.name.get_or_insert(name);
            posting.add(added.entry);
        }
        self.texts.entry(&text_key(&entry), Posting::default).add(added.entry);
        self.entries.entry(&id, || entry);
        self.rewind(added.entry);
    }

    /// Changes an entry, and what is counted and listed of it.
    fn change(&mut self, id: EntryId, change: impl FnOnce(&mut KnowledgeEntry)) {
        let Some(entry) = self.entries.get_mut(&id.to_string()) else { return };
        let before = (entry.superseded_by.is_some(), entry.archived.is_some(), entry.is_kept(), entry.touched_at());
        change(entry);
        let after = (entry.superseded_by.is_some(), entry.archived.is_some(), entry.is_kept(), entry.touched_at());
        if before == after {
            return;
        }
        let key = text_key(entry);
        count(&mut self.totals.superseded, [before.0, after.0]);
        count(&mut self.totals.archived, [before.1, after.1]);
        match (before.2, after.2) {
            (true, false) => self.texts.entry(&key, Posting::default).remove(id),
            (false, true) => self.texts.entry(&key, Posting::default).add(id),
            (true, true) | (false, false) => {}
        }
        self.rewind(id);
    }

    /// Writes anew from when on an entry fades; what was announced before holds for that time only.
    fn rewind(&mut self, id: EntryId) {
        let name = id.to_string();
        let Some(entry) = self.entries.get(&name) else { return };
        let (since, is_kept, confidence) = (entry.touched_at(), entry.is_kept(), entry.said.confidence);
        let is_rule = entry.said.kind == KnowledgeKind::Rule;
        // By the document's curve, whatever is configured: a stored rank must not change with the configuration.
        let fades_at = KnowledgeDecay::documented().crossing(confidence, since).unwrap_or(since);
        let clock = self.clocks.entry(&name, Clock::default);
        let is_announced = clock.is_announced && clock.since == since;
        *clock = Clock { since, confidence, fades_at, is_kept, is_rule, is_announced };
    }

    /// The entry that is named later holds: where branches have put each in the other's place, the chain is cut there.
    fn superseded(&mut self, superseded: &event::Superseded, cause: &Why<'_>) {
        let event::Superseded { entry: id, by, because } = *superseded;
        if id == by || self.entry(by).is_none() {
            return;
        }
        if self.leads_to(by, id) {
            self.change(by, |entry| entry.superseded_by = None);
        }
        self.change(id, |entry| entry.superseded_by = Some(Superseded { at: cause.at, by, because }));
    }

    /// Whether what holds in the place of an entry is, at last, another.
    fn leads_to(&self, from: EntryId, to: EntryId) -> bool {
        const LONGEST: usize = 64;
        let next = |id: &EntryId| Some(self.entry(*id)?.superseded_by.as_ref()?.by);
        std::iter::successors(Some(from), next).take(LONGEST).any(|id| id == to)
    }

    fn retrieved(&mut self, retrieved: &Retrieved, cause: &Why<'_>) {
        self.totals.retrievals += 1;
        self.totals.empty_retrievals += u64::from(retrieved.entries.is_empty());
        for id in &retrieved.entries {
            self.change(*id, |entry| {
                entry.retrievals += 1;
                entry.last_retrieved_at = Some(entry.touched_at().max(cause.at));
            });
        }
    }

    fn announced(&mut self, crossing: &Crossing) {
        let clock = self.clocks.get_mut(&crossing.entry.to_string());
        if let Some(clock) = clock.filter(|clock| clock.since == crossing.since) {
            clock.is_announced = true;
        }
    }

    fn proposed(&mut self, proposed: &Proposed, cause: &Why<'_>) {
        if let Some(known) = self.candidates.get_mut(&proposed.candidate) {
            known.seen += 1;
            known.said.source.add(&proposed.said.source);
            known.said.confidence = known.said.confidence.max(proposed.said.confidence);
            known.supersedes.extend(&proposed.supersedes);
            known.supersedes.sort_unstable();
            known.supersedes.dedup();
            if known.review != Review::Waiting && !proposed.supersedes.is_empty() {
                (known.review, known.reviewed, known.reason) = (Review::Waiting, None, None);
                self.totals.waiting += 1;
            }
            return;
        }
        self.totals.waiting += 1;
        self.candidates.entry(&proposed.candidate, || Candidate {
            said: proposed.said.clone(),
            by: cause.actor.clone(),
            at: cause.at,
            seen: 1,
            supersedes: proposed.supersedes.clone(),
            review: Review::Waiting,
            reviewed: None,
            entry: None,
            reason: None,
        });
    }

    /// Of two branches that reviewed it, one who accepts wins: nothing that counts is lost.
    fn review(&mut self, id: &str, review: Review, cause: &Why<'_>) {
        let Some(candidate) = self.candidates.get_mut(id) else { return };
        self.totals.waiting -= u64::from(candidate.review == Review::Waiting).min(self.totals.waiting);
        if candidate.review != Review::Accepted {
            candidate.review = review;
            candidate.reviewed = Some((cause.actor.clone(), cause.at));
        }
    }
}

/// What an entry is known by among those of the same text.
pub(crate) fn text_key(entry: &KnowledgeEntry) -> Box<str> {
    text::key(entry.said.kind.as_str(), &entry.said.content)
}

/// Counts something that was so or not, and is so or not now.
fn count(total: &mut u64, is_so: [bool; 2]) {
    match is_so {
        [false, true] => *total += 1,
        [true, false] => *total = total.saturating_sub(1),
        [true, true] | [false, false] => {}
    }
}
