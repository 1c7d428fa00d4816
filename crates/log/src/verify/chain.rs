//! What is kept of a chained line, and one writer's lines by their counts.
//!
//! Judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use annals_kernel::annals::LineHash;
use annals_kernel::id::{EntryId, WriterId};

/// A place in the history: the number of a segment in the listing, and a line of it, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChainSpot {
    pub(super) segment: u32,
    pub(super) line: u32,
}

/// A chained line: all that is kept of it, 64 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: EntryId,
    pub(super) hash: LineHash,
    pub(super) previous: LineHash,
    pub(super) count: u64,
    pub(super) spot: ChainSpot,
}

/// Hashes that scrubbed lines had before, by their present hash.
#[derive(Debug, Clone, Default)]
pub(super) struct Formers(pub(super) BTreeMap<LineHash, Vec<LineHash>>);

impl Formers {
    /// Whether a line has a hash, or had it before it was scrubbed.
    pub(super) fn is(&self, row: &Row, hash: LineHash) -> bool {
        row.hash == hash || self.of(row.hash).contains(&hash)
    }

    /// What a line's hash was before.
    pub(super) fn of(&self, hash: LineHash) -> &[LineHash] {
        self.0.get(&hash).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a line stands behind another one of its writer.
    pub(super) fn follows(&self, row: &Row, before: &Row) -> bool {
        self.is(before, row.previous)
    }
}

/// The hashes that lines have, or had before they were scrubbed: many lines are compared with many at once, for whoever
/// makes thousands of one count would else have each compared with each.
pub(super) struct LineHashes<'f> {
    formers: &'f Formers,
    hashes: BTreeSet<LineHash>,
}

impl<'f> LineHashes<'f> {
    pub(super) fn of<'r>(formers: &'f Formers, rows: impl IntoIterator<Item = &'r Row>) -> Self {
        let mut names = Self { formers, hashes: BTreeSet::new() };
        rows.into_iter().for_each(|row| names.add(row));
        names
    }

    pub(super) fn add(&mut self, row: &Row) {
        self.hashes.insert(row.hash);
        self.hashes.extend(self.formers.of(row.hash));
    }

    /// Whether one of the lines has a hash, or had it.
    pub(super) fn has(&self, hash: LineHash) -> bool {
        self.hashes.contains(&hash)
    }

    /// Whether a line is one of them, before or after a scrub, or after another scrub of the same.
    pub(super) fn has_one(&self, row: &Row) -> bool {
        self.has(row.hash) || self.formers.of(row.hash).iter().any(|hash| self.has(*hash))
    }
}

/// The lines of one writer.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    pub(super) writer: WriterId,
    /// As they were read; by count when `sort` was called.
    pub(super) rows: Vec<Row>,
    /// Segments in which a line stands behind one of a higher count.
    pub(super) disordered: BTreeSet<u32>,
}

impl Chain {
    /// Adds the next line that was read.
    pub(super) fn push(&mut self, row: Row) {
        if self.rows.last().is_some_and(|last| last.spot.segment == row.spot.segment && last.count > row.count) {
            self.disordered.insert(row.spot.segment);
        }
        self.rows.push(row);
    }

    /// Puts the lines in the order of their counts.
    pub(super) fn sort(&mut self) {
        let key = |row: &Row| (row.count, row.hash, row.spot);
        if !self.rows.is_sorted_by_key(key) {
            self.rows.sort_unstable_by_key(key);
        }
    }

    /// The lines of a count: one, if all is well.
    pub(super) fn versions(&self, count: u64) -> &[Row] {
        let start = self.rows.partition_point(|row| row.count < count);
        let behind = self.rows[start..].partition_point(|row| row.count == count);
        &self.rows[start..start + behind]
    }

    /// The highest count.
    pub(super) fn last(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.count)
    }

    /// The counts that are missing, first and last of each gap.
    pub(super) fn gaps(&self) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut before = 0;
        for row in &self.rows {
            if row.count > before + 1 {
                gaps.push((before + 1, row.count - 1));
            }
            before = row.count;
        }
        gaps
    }

    /// The lines of each count with those of the count before it, where they are there.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&[Row], &[Row])> {
        let groups = self.rows.chunk_by(|left, right| left.count == right.count);
        let mut before: &[Row] = &[];
        groups.map(move |group| {
            let is_next = before.first().is_some_and(|row| row.count + 1 == group[0].count);
            let pair = (if is_next { before } else { &[] }, group);
            before = group;
            pair
        })
    }
}
