//! The judgement under way: what was read, what was found, and which lines are known to be wrong already.
//!
//! Each step of the judgement is a file of its own; this one only keeps what they share.

use std::collections::BTreeSet;

use super::chain::{ChainSpot, LineHashes, Row};
use super::finding::{Finding, Link, What};
use super::survey::Survey;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// What the steps of the judgement share.
pub(super) struct Case {
    pub(super) survey: Survey,
    pub(super) findings: Vec<Finding>,
    /// Lines that are known to be wrong: what they say of others does not count.
    pub(super) blamed: BTreeSet<ChainSpot>,
    /// Counts of chains whose line is not lost, but broken or under another name.
    pub(super) filled: BTreeSet<(usize, u64)>,
}

impl Case {
    pub(super) fn new(mut survey: Survey) -> Self {
        for chain in &mut survey.chains {
            chain.sort();
        }
        Self { survey, findings: Vec::new(), blamed: BTreeSet::new(), filled: BTreeSet::new() }
    }

    /// Takes lines out of their chains, all at once: a log may be damaged all over.
    pub(super) fn take_out(&mut self, gone: &BTreeSet<ChainSpot>) {
        if !gone.is_empty() {
            self.survey.chains.iter_mut().for_each(|chain| chain.rows.retain(|row| !gone.contains(&row.spot)));
        }
    }

    /// Which line of which writer.
    pub(super) fn link(&self, chain: usize, count: u64) -> Link {
        Link { writer: self.survey.chains[chain].writer.clone(), count }
    }

    /// Something is wrong with a line.
    pub(super) fn find(&mut self, spot: ChainSpot, entry: Option<EntryId>, what: What) {
        let at = self.survey.at(spot);
        self.findings.push(Finding { file: Some(at.segment), line: Some(at.line), entry, what });
    }

    /// Something is wrong with what a line says.
    pub(super) fn blame(&mut self, row: &Row, what: What) {
        self.blamed.insert(row.spot);
        self.find(row.spot, Some(row.id), what);
    }

    /// The lines of a count that do not stand behind any of those before them, which are there, or are a writer's first.
    pub(super) fn unlinked<'r>(&self, group: &'r [Row], before: &[Row]) -> Vec<&'r Row> {
        // Nearly every count has one line: for these no set of hashes is built.
        if let [] | [_] = before {
            return group.iter().filter(|row| !self.follows_something(row, before)).collect();
        }
        let names = LineHashes::of(&self.survey.formers, before);
        group.iter().filter(|row| !names.has(row.previous)).collect()
    }

    /// Those of some lines of one count that no line behind them knows.
    pub(super) fn unfollowed(&self, chain: usize, rows: &[&Row]) -> Vec<Row> {
        let Some(first) = rows.first() else { return Vec::new() };
        let next = self.survey.chains[chain].versions(first.count + 1);
        let known: BTreeSet<_> = next.iter().map(|next| next.previous).collect();
        let formers = |row: &Row| self.survey.formers.of(row.hash).iter().any(|hash| known.contains(hash));
        let rows = rows.iter().filter(|row| !known.contains(&row.hash) && !formers(row));
        rows.map(|row| **row).collect()
    }

    /// Whether the line behind it knows a line.
    pub(super) fn is_followed(&self, chain: usize, row: &Row) -> bool {
        let next = self.survey.chains[chain].versions(row.count + 1);
        next.iter().any(|next| self.survey.formers.follows(next, row))
    }

    /// Whether a line stands behind one that is there, or is a writer's first.
    pub(super) fn follows_something(&self, row: &Row, before: &[Row]) -> bool {
        if row.count == 1 {
            return row.previous == LineHash::default();
        }
        before.iter().any(|before| self.survey.formers.follows(row, before))
    }
}
