//! How far each segment was read and what it looked like, so that the next reader reads only what is new.
//!
//! Does not read; `read` does, and tells `Watermarks` what it saw.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::batch::{Batch, Placed};
use super::disk::Look;
use super::segment::{Packing, Segment};
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::{EntryId, WriterId};

/// What was seen of one segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watermark {
    /// What it looked like.
    pub look: Look,
    /// The offset behind the last newline that was seen.
    pub end: u64,
    /// Lines up to there.
    pub lines: u64,
    /// Whether its name is known to be on the disk.
    pub is_named: bool,
    /// The lowest id.
    pub first: EntryId,
    /// The highest id.
    pub last: EntryId,
    /// The highest id that was minted from a clock, not derived from an imported record.
    pub minted: EntryId,
    /// Offset and hash of the last line that is an entry.
    pub last_line: Option<(u64, LineHash)>,
    /// The last line of each writer, among the lines of this segment.
    pub heads: BTreeMap<WriterId, Head>,
}

impl Watermark {
    /// A segment of which nothing was seen.
    pub fn unseen() -> Self {
        Self {
            look: Look::default(),
            end: 0,
            lines: 0,
            is_named: false,
            first: EntryId::MAX,
            last: EntryId::MIN,
            minted: EntryId::MIN,
            last_line: None,
            heads: BTreeMap::new(),
        }
    }

    /// Adds what stands in a batch. The last line counts only when it has its newline.
    pub fn see(&mut self, batch: &Batch) {
        let mut highest: BTreeMap<String, (u64, usize)> = BTreeMap::new();
        let mut last = None;
        for (index, entry) in batch.entries().enumerate() {
            if entry.offset >= batch.end {
                break;
            }
            last = Some(index);
            self.see_id(&entry);
            if let Some((writer, count)) = entry.envelope.writer() {
                match highest.get_mut(writer.as_ref()) {
                    Some(best) if best.0 < count => *best = (count, index),
                    Some(_) => {}
                    None => drop(highest.insert(writer.into_owned(), (count, index))),
                }
            }
        }
        for (writer, (count, index)) in highest {
            self.see_head(&writer, Head { count, hash: LineHash::of(batch.entry(index).original) });
        }
        if let Some(entry) = last.map(|index| batch.entry(index)) {
            self.last_line = Some((entry.offset, LineHash::of(entry.original)));
        }
        self.end = batch.end;
        self.lines += batch.finished_lines();
    }

    fn see_id(&mut self, entry: &Placed<'_>) {
        let id = entry.envelope.id();
        self.first = self.first.min(id);
        self.last = self.last.max(id);
        // An imported record has the time of its transcript, perhaps of next year by a wrong clock: it must not push
        // the ids of this log ahead.
        if !entry.envelope.has_source() {
            self.minted = self.minted.max(id);
        }
    }

    /// A writer has come as far as this.
    pub(crate) fn see_head(&mut self, writer: &str, head: Head) {
        match self.heads.get_mut(writer) {
            Some(known) if known.count < head.count => *known = head,
            Some(_) => {}
            None => drop(self.heads.insert(writer.into(), head)),
        }
    }
}

/// What was seen of every segment, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Watermarks(BTreeMap<String, Watermark>);

impl FromIterator<(String, Watermark)> for Watermarks {
    fn from_iter<M: IntoIterator<Item = (String, Watermark)>>(marks: M) -> Self {
        Self(marks.into_iter().collect())
    }
}

/// How a segment differs from what was seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is longer; everything up to here was seen.
    Grown {
        /// Where to read on.
        from: u64,
    },
    /// It was never seen.
    New,
    /// It is another file, or its content changed.
    Replaced,
    /// It is no longer there.
    Gone,
}

impl Watermarks {
    /// What was seen of a segment.
    pub fn get(&self, name: &str) -> Option<&Watermark> {
        self.0.get(name)
    }

    /// What was seen of a segment, to be changed; new where nothing was.
    pub fn entry(&mut self, name: &str) -> &mut Watermark {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Watermark::unseen());
        }
        self.0.get_mut(name).expect("BUG: the mark was just made")
    }

    /// Forgets a segment.
    pub fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Names and marks.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Watermark)> {
        self.0.iter().map(|(name, mark)| (name.as_str(), mark))
    }

    /// Every writer's last line over all segments.
    pub fn heads(&self) -> BTreeMap<WriterId, Head> {
        let mut all = Watermark::unseen();
        for (writer, head) in self.0.values().flat_map(|mark| &mark.heads) {
            all.see_head(writer.as_str(), *head);
        }
        all.heads
    }

    /// The highest id that was minted from a clock.
    pub(crate) fn last_minted(&self) -> EntryId {
        self.0.values().map(|mark| mark.minted).max().unwrap_or_default()
    }

    /// How many segments there are of which something was seen.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// How many lines were seen.
    pub fn lines(&self) -> u64 {
        self.0.values().map(|mark| mark.lines).sum()
    }

    /// What differs from a listing. A segment that has grown is taken for the old one and more only if
    /// `is_still_there` finds its last line where it was.
    pub fn changes(
        &self,
        segments: &[Segment],
        mut is_still_there: impl FnMut(&Segment, u64, LineHash) -> bool,
    ) -> BTreeMap<String, Change> {
        let mut changes = BTreeMap::new();
        for segment in segments {
            let Some(mark) = self.get(&segment.name) else {
                changes.insert(segment.name.clone(), Change::New);
                continue;
            };
            if mark.look == segment.look {
                continue;
            }
            // A file that git replaced has another number; one that was cut and written anew may have the same, so
            // that its last line is asked for as well.
            let same_file = mark.look.number == segment.look.number && segment.look.len >= mark.end;
            let prefix = |(offset, hash)| is_still_there(segment, offset, hash);
            let grown = same_file && segment.packing() == Packing::Plain && mark.last_line.is_none_or(prefix);
            let change = if grown { Change::Grown { from: mark.end } } else { Change::Replaced };
            changes.insert(segment.name.clone(), change);
        }
        let there: BTreeSet<_> = segments.iter().map(|segment| segment.name.as_str()).collect();
        let gone = self.0.keys().filter(|name| !there.contains(name.as_str()));
        changes.extend(gone.map(|name| (name.clone(), Change::Gone)));
        changes
    }
}
