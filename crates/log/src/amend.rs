//! What people's entries say about lines, read before the fold: what was scrubbed, which line of several counts, and
//! which clocks were wrong.
//!
//! Does not read those entries: the engine gathers them from the world, and folds anew where they change.

use std::collections::BTreeMap;

use super::mending::Mending;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// What people's entries say about lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amendments {
    /// By entry, every scrub of its line: a copy that a merge brings back does not count.
    pub scrubs: BTreeMap<EntryId, Vec<Rewrite>>,
    /// By id, which of several lines with it counts.
    pub settled: BTreeMap<EntryId, LineHash>,
    /// Which clocks were wrong.
    pub mending: Mending,
}

/// A line that was changed by a scrub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rewrite {
    /// The hash of the line as it was.
    pub before: LineHash,
    /// The hash of the line as it is.
    pub after: LineHash,
}

impl Amendments {
    /// Whether a line with this id may not count although it is the only one.
    pub fn touches(&self, id: EntryId) -> bool {
        self.scrubs.contains_key(&id)
    }

    /// Whether a line is one that was scrubbed since.
    pub fn is_gone(&self, id: EntryId, hash: LineHash) -> bool {
        self.rewrites(id).any(|scrub| scrub.before == hash)
    }

    /// Whether a line is what a scrub has left.
    pub fn is_left(&self, id: EntryId, hash: LineHash) -> bool {
        self.rewrites(id).any(|scrub| scrub.after == hash)
    }

    /// The hashes of the line that counts of several: as it was named, and as scrubs have left it since.
    pub fn named(&self, id: EntryId) -> Vec<LineHash> {
        self.settled.get(&id).map(|hash| self.left_of(id, *hash)).unwrap_or_default()
    }

    /// The hash of a line, and what scrubs have made of it since.
    pub fn left_of(&self, id: EntryId, hash: LineHash) -> Vec<LineHash> {
        let scrubs: Vec<_> = self.rewrites(id).map(|scrub| (scrub.before, scrub.after)).collect();
        hash.left_by(&scrubs)
    }

    /// The first entry that counts otherwise under other amendments.
    pub fn first_difference(&self, other: &Self) -> Option<EntryId> {
        // Where a mended line stood, and where it stands now, only a fold of everything knows.
        if self.mending != other.mending {
            return Some(EntryId::MIN);
        }
        let scrubs = first_difference(&self.scrubs, &other.scrubs);
        let settled = first_difference(&self.settled, &other.settled);
        scrubs.into_iter().chain(settled).min()
    }

    fn rewrites(&self, id: EntryId) -> impl Iterator<Item = &Rewrite> {
        self.scrubs.get(&id).into_iter().flatten()
    }
}

fn first_difference<T: PartialEq>(left: &BTreeMap<EntryId, T>, right: &BTreeMap<EntryId, T>) -> Option<EntryId> {
    let differs = |id: &&EntryId| left.get(*id) != right.get(*id);
    left.keys().chain(right.keys()).filter(differs).min().copied()
}
