//! What is known of the log itself, and who said so.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::command::{Acknowledge, Command, MendClock, Observed};
use super::event::Event;
use annals_kernel::annals::LineHash;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId, WriterId};
use annals_kernel::time::Timestamp;

/// What is known of the log itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Holes that the user knows of.
    pub holes: Vec<DecisionRecord<Acknowledge>>,
    /// By id, every line that was said to count.
    pub settled: BTreeMap<EntryId, Vec<DecisionRecord<LineHash>>>,
    /// Clocks that were wrong.
    pub mended: Vec<DecisionRecord<MendClock>>,
    /// Ids of several lines that say different things, with the hashes of these lines: as the log was read, not decided.
    pub conflicts: BTreeMap<EntryId, BTreeSet<LineHash>>,
}

/// What was decided, when and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord<T> {
    /// The entry that records it.
    pub by_entry: EntryId,
    /// When.
    pub at: Timestamp,
    /// Who asked.
    pub actor: AgentId,
    /// What was decided.
    pub what: T,
}

impl State {
    /// Whether the user knows that lines of a writer are lost, up to a line with this count and hash.
    pub fn is_acknowledged(&self, writer: &WriterId, n: u64, hash: LineHash) -> bool {
        let is_it = |hole: &Acknowledge| hole.writer == *writer && hole.n == n && hole.hash == hash;
        self.counted(&self.holes).any(|record| is_it(&record.what))
    }

    /// The holes that the user knows of.
    pub fn acknowledged(&self) -> impl Iterator<Item = &DecisionRecord<Acknowledge>> {
        self.counted(&self.holes)
    }

    /// The line that counts, by the id of those that say different things: the last that the user named.
    pub fn settlements(&self) -> BTreeMap<EntryId, LineHash> {
        let last = |records: &Vec<DecisionRecord<LineHash>>| {
            self.counted(records).max_by_key(|record| record.by_entry).map(|record| record.what)
        };
        self.settled.iter().filter_map(|(id, records)| Some((*id, last(records)?))).collect()
    }

    /// What the user named to count of the lines with an id, the last word last.
    pub fn words_on(&self, id: EntryId) -> Vec<&DecisionRecord<LineHash>> {
        let records = self.settled.get(&id).map(Vec::as_slice).unwrap_or_default();
        let mut words: Vec<_> = self.counted(records).collect();
        words.sort_by_key(|record| record.by_entry);
        words
    }

    /// Clocks that were wrong, those that were mended first, first.
    pub fn mends(&self) -> Vec<MendClock> {
        self.mend_records().into_iter().map(|record| record.what.clone()).collect()
    }

    /// The same, with who said so.
    pub fn mend_records(&self) -> Vec<&DecisionRecord<MendClock>> {
        let mut records: Vec<_> = self.counted(&self.mended).collect();
        records.sort_by_key(|record| record.by_entry);
        records
    }

    /// What is recorded by an entry of several versions never counts here, settled or not: else two such entries could
    /// each decide which version of the other counts, and what holds would depend on which was read first.
    fn counted<'s, T>(&'s self, records: &'s [DecisionRecord<T>]) -> impl Iterator<Item = &'s DecisionRecord<T>> {
        records.iter().filter(|record| !self.conflicts.contains_key(&record.by_entry))
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Acknowledged(hole) => self.holes.push(DecisionRecord::by(cause, hole.clone())),
            Event::Settled(settled) => {
                self.settled.entry(settled.id).or_default().push(DecisionRecord::by(cause, settled.hash));
            }
            Event::Mended(mended) => self.mended.push(DecisionRecord::by(cause, mended.clone())),
        }
    }
}

impl<T> DecisionRecord<T> {
    fn by(cause: &Cause<'_, Command, Observed>, what: T) -> Self {
        Self { by_entry: cause.id, at: cause.at, actor: cause.actor.clone(), what }
    }
}
