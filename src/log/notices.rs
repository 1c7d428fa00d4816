//! What is noticed while the history is read, beside the entries.
//!
//! Counts everything and lists the first of each kind. Judges nothing; `verify` does.

use std::fmt;

use super::batch::Trouble;
use crate::kernel::id::EntryId;

/// A place in the history: a segment and a line of it, from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The segment.
    pub segment: String,
    /// The line.
    pub line: u64,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.segment, self.line)
    }
}

/// What was noticed on the way, beside the entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notices {
    /// What is wrong with lines; the first thousand.
    pub troubles: Vec<(At, String)>,
    /// How many lines have something wrong with them.
    pub trouble_count: u64,
    /// Lines that are there again, byte for byte.
    pub repeated: u64,
    /// Lines that differ only in their chain: the same import, made in two clones.
    pub copies: u64,
    /// Lines whose scrubbed form is there too, or whose value was scrubbed: they do not count.
    pub suppressed: u64,
    /// Entries that are there with different content; the first thousand ids.
    pub conflicts: Vec<EntryId>,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// How many of a kind are listed; the others are counted.
pub(super) const LISTED: usize = 1000;

impl Notices {
    /// Adds what was noticed while reading more.
    pub fn add(&mut self, more: Self) {
        let room = LISTED.saturating_sub(self.troubles.len());
        self.troubles.extend(more.troubles.into_iter().take(room));
        let room = LISTED.saturating_sub(self.conflicts.len());
        self.conflicts.extend(more.conflicts.into_iter().take(room));
        self.trouble_count += more.trouble_count;
        self.repeated += more.repeated;
        self.copies += more.copies;
        self.suppressed += more.suppressed;
        self.lines += more.lines;
        self.bytes += more.bytes;
    }

    pub(super) fn trouble(&mut self, segment: &str, before: u64, trouble: &Trouble) {
        self.trouble_count += 1;
        if self.troubles.len() < LISTED {
            let at = At { segment: segment.to_owned(), line: before + trouble.line };
            self.troubles.push((at, trouble.kind.to_string()));
        }
    }
}
