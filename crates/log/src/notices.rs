//! What is noticed while the history is read, beside the entries.
//!
//! Counts everything and lists the first of each kind. Judges nothing; `verify` does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::batch::Trouble;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// A place in the history: a segment and a line of it, from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineAt {
    /// The segment.
    pub segment: String,
    /// The line.
    pub line: u64,
}

impl fmt::Display for LineAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.segment, self.line)
    }
}

/// What was noticed on the way, beside the entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notices {
    /// What is wrong with lines; the first thousand.
    pub troubles: Vec<(LineAt, String)>,
    /// How many lines have something wrong with them.
    pub trouble_count: u64,
    /// Lines that are there again, byte for byte.
    pub repeated: u64,
    /// Lines beside the one that counts of a record that was imported in two clones, or of a line that was scrubbed in two.
    pub copies: u64,
    /// Lines whose scrubbed form is there too, or whose value was scrubbed: they do not count.
    pub suppressed: u64,
    /// Ids of lines that say different things, with the hashes of the lines.
    pub conflicts: BTreeMap<EntryId, BTreeSet<LineHash>>,
    /// Of these ids those whose turn is another, since a clock was mended.
    pub turns: BTreeMap<EntryId, EntryId>,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// How many of a kind are listed; the others are counted.
// A broken log may have trouble in each of a million lines, and nobody reads more than the first.
const LISTED: usize = 1000;

impl Notices {
    /// Adds what was noticed while reading more.
    pub fn add(&mut self, more: Self) {
        let room = LISTED.saturating_sub(self.troubles.len());
        self.troubles.extend(more.troubles.into_iter().take(room));
        for (id, versions) in more.conflicts {
            self.conflicts.entry(id).or_default().extend(versions);
        }
        self.turns.extend(more.turns);
        self.trouble_count += more.trouble_count;
        self.repeated += more.repeated;
        self.copies += more.copies;
        self.suppressed += more.suppressed;
        self.lines += more.lines;
        self.bytes += more.bytes;
    }

    /// The turn of an id of several lines that say different things.
    pub fn turn_of(&self, id: EntryId) -> EntryId {
        self.turns.get(&id).copied().unwrap_or(id)
    }

    pub(super) fn trouble(&mut self, segment: &str, before: u64, trouble: &Trouble) {
        self.trouble_count += 1;
        if self.troubles.len() < LISTED {
            let at = LineAt { segment: segment.to_owned(), line: before + trouble.line };
            self.troubles.push((at, trouble.kind.to_string()));
        }
    }
}
