//! What people's decisions have recorded of lines, and where these decisions and those lines stand.
//!
//! What was recorded is handed in: the log does not know decisions. Judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::ChainSpot;
use super::scrubs::Scrubs;
use super::survey::Survey;
use crate::mending::Mend;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// What decisions have recorded of lines. A decision of which several versions are there is not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// What was scrubbed.
    pub scrubs: Scrubs,
    /// By id, which of several lines counts.
    pub settled: BTreeMap<EntryId, Settlements>,
    /// Clocks that were mended, by entries in the order of their ids.
    pub mends: Vec<(EntryId, Mend)>,
    /// The entries that take note of holes.
    pub holes: BTreeSet<EntryId>,
}

/// What was said of the lines with one id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settlements {
    /// The hashes of the lines that say different things.
    pub versions: BTreeSet<LineHash>,
    /// Who said which counts, in the order of their ids: the last holds.
    pub words: Vec<Word>,
}

/// Says which of several lines with one id counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The entry of the decision.
    pub by: EntryId,
    /// The hash of the line that counts, and what scrubs have made of it since.
    pub names: Vec<LineHash>,
}

impl Recorded {
    fn ids(&self) -> BTreeSet<EntryId> {
        let words = self.settled.values().flat_map(|settled| &settled.words).map(|word| word.by);
        let scrubs = self.scrubs.values().flatten().map(|scrub| scrub.by);
        let mends = self.mends.iter().map(|(by, _)| *by);
        let decisions = words.chain(scrubs).chain(mends).chain(self.holes.iter().copied());
        decisions.chain(self.settled.keys().copied()).chain(self.scrubs.keys().copied()).collect()
    }
}

impl From<Scrubs> for Recorded {
    fn from(scrubs: Scrubs) -> Self {
        Self { scrubs, ..Self::default() }
    }
}

/// A line, with the place in a chain that it claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClaimedLine {
    pub(super) hash: LineHash,
    pub(super) spot: ChainSpot,
    pub(super) place: Option<(usize, u64)>,
}

/// The lines that decisions speak of, and those of the decisions, by id: as they were read, whatever is found of them.
#[derive(Debug, Default)]
pub(super) struct ClaimedLines(BTreeMap<EntryId, Vec<ClaimedLine>>);

impl ClaimedLines {
    pub(super) fn of(survey: &Survey, recorded: &Recorded) -> Self {
        let wanted = recorded.ids();
        let mut lines: BTreeMap<EntryId, Vec<ClaimedLine>> = BTreeMap::new();
        if wanted.is_empty() {
            return Self(lines);
        }
        let chains = survey.chains.iter().enumerate();
        let rows = chains.flat_map(|(chain, rows)| rows.rows.iter().map(move |row| (chain, row)));
        for (chain, row) in rows.filter(|(_, row)| wanted.contains(&row.id)) {
            let line = ClaimedLine { hash: row.hash, spot: row.spot, place: Some((chain, row.count)) };
            lines.entry(row.id).or_default().push(line);
        }
        for (id, hash, spot) in survey.loose_ids.iter().filter(|(id, ..)| wanted.contains(id)) {
            lines.entry(*id).or_default().push(ClaimedLine { hash: *hash, spot: *spot, place: None });
        }
        Self(lines)
    }

    /// The lines with an id.
    pub(super) fn with(&self, id: EntryId) -> &[ClaimedLine] {
        self.0.get(&id).map(Vec::as_slice).unwrap_or_default()
    }
}
