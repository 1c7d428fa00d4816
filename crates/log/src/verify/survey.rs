//! What was read of a history, put together from sheets: one chain a writer, and what belongs to none.
//!
//! Judges nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;

use super::blobs::{self, BlobUse, CheckedBlobs};
use super::chain::{Chain, ChainSpot, Formers, Row};
use super::raw::RawLink;
use super::sheet::{Claimed, Fault, Loose, SeenHead, Sheet};
use super::signed::Stated;
use crate::LogError;
use crate::disk::Disk;
use crate::order::LineAt;
use crate::segment::Segment;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::time::Day;

/// What was read of a history.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub(super) segments: Vec<ReadPart>,
    pub(super) chains: Vec<Chain>,
    index: BTreeMap<WriterId, usize>,
    pub(super) formers: Formers,
    pub(super) seen: Vec<SeenBy>,
    pub(super) loose: Vec<Loose>,
    pub(super) loose_ids: Vec<(EntryId, LineHash, ChainSpot)>,
    pub(super) faults: Vec<Fault>,
    pub(super) signed: Vec<Stated>,
    pub(super) blobs: Vec<BlobUse>,
    pub(super) claimed: Vec<Claimed>,
    /// What is wrong with large values, if they were read.
    pub(super) checked: Option<CheckedBlobs>,
    /// Large values that are left out of this work tree on purpose.
    pub(super) left_out: BTreeSet<Box<str>>,
    /// Decisions, by name.
    pub decisions: BTreeMap<Box<str>, u64>,
    /// What was counted on the way.
    pub totals: Totals,
}

/// What was counted while reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Segments.
    pub segments: u64,
    /// Bytes, unpacked.
    pub bytes: u64,
    /// Lines, blank and broken ones included.
    pub lines: u64,
    /// Entries.
    pub entries: u64,
    /// Entries with a link.
    pub chained: u64,
    /// Blobs that were read.
    pub blobs: u64,
}

/// A segment, and how much of it was read.
#[derive(Debug, Clone)]
pub(super) struct ReadPart {
    pub(super) segment: Segment,
    /// The days that its name promises.
    pub(super) days: Option<RangeInclusive<Day>>,
    pub(super) lines: u64,
    /// Whether its last line has no newline.
    pub(super) unfinished: Option<u32>,
}

/// A line of a chain that says how far another chain had come.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeenBy {
    pub(super) by: usize,
    pub(super) by_count: u64,
    pub(super) spot: ChainSpot,
    /// The chain that it is about.
    pub(super) chain: usize,
    pub(super) head: Head,
}

impl Survey {
    /// A survey of segments of which nothing was read yet.
    pub fn new(segments: Vec<Segment>) -> Self {
        let totals = Totals { segments: segments.len() as u64, ..Totals::default() };
        let part = |segment: Segment| ReadPart { days: segment.days(), segment, lines: 0, unfinished: None };
        Self { segments: segments.into_iter().map(part).collect(), totals, ..Self::default() }
    }

    /// Adds what was kept of the next batch of a segment, given by its place in the listing.
    pub fn add(&mut self, segment: usize, sheet: Sheet) {
        let place = Shift { segment: number(segment), before: number(self.segments[segment].lines) };
        let part = &mut self.segments[segment];
        part.lines += sheet.lines;
        part.unfinished = sheet.unfinished.map(|line| place.line(line));
        self.totals.bytes += sheet.bytes;
        self.totals.lines += sheet.lines;
        self.totals.entries += sheet.entries;
        self.totals.chained += sheet.rows.len() as u64;
        self.chained(&sheet, place);
        self.formers.0.extend(sheet.formers);
        self.faults.extend(sheet.faults.into_iter().map(|fault| Fault { spot: place.spot(fault.spot), ..fault }));
        self.signed.extend(sheet.signed.into_iter().map(|one| Stated { spot: place.spot(one.spot), ..one }));
        self.blobs.extend(sheet.blobs.into_iter().map(|blob| BlobUse { spot: place.spot(blob.spot), ..blob }));
        self.claimed.extend(sheet.claimed.into_iter().map(|one| Claimed { spot: place.spot(one.spot), ..one }));
        let loose = sheet.loose_ids.into_iter().map(|(id, hash, spot)| (id, hash, place.spot(spot)));
        self.loose_ids.extend(loose);
        for run in sheet.loose {
            self.loose(Loose { first: place.spot(run.first), last: place.spot(run.last), ..run });
        }
        for (name, count) in sheet.decisions {
            *self.decisions.entry(name).or_default() += count;
        }
    }

    fn chained(&mut self, sheet: &Sheet, place: Shift) {
        let chains: Vec<_> = sheet.writers.iter().map(|writer| self.chain(writer)).collect();
        for (writer, row) in &sheet.rows {
            self.chains[chains[*writer as usize]].push(Row { spot: place.spot(row.spot), ..*row });
        }
        for SeenHead { by, by_count, spot, writer, head } in &sheet.seen {
            let chain = self.chain(writer);
            let by = chains[*by as usize];
            self.seen.push(SeenBy { by, by_count: *by_count, spot: place.spot(*spot), chain, head: *head });
        }
    }

    /// The number of a writer's chain; an empty one where nothing of it was read yet.
    pub(super) fn chain(&mut self, writer: &WriterId) -> usize {
        if let Some(chain) = self.index.get(writer) {
            return *chain;
        }
        self.index.insert(writer.clone(), self.chains.len());
        self.chains.push(Chain { writer: writer.clone(), ..Chain::default() });
        self.chains.len() - 1
    }

    /// The number of a writer's chain, if a line of it was read or seen.
    pub(super) fn find_chain(&self, writer: &WriterId) -> Option<usize> {
        self.index.get(writer).copied()
    }

    /// Joins runs of lines without a link across batches.
    fn loose(&mut self, next: Loose) {
        let joins = |last: &Loose| {
            last.raw.is_none()
                && next.raw.is_none()
                && (last.last.segment, last.last.line + 1) == (next.first.segment, next.first.line)
        };
        match self.loose.last_mut().filter(|last| joins(last)) {
            Some(last) => last.last = next.last,
            None => self.loose.push(next),
        }
    }

    /// A segment could not be read any further.
    pub fn failed(&mut self, segment: usize, error: &std::io::Error) {
        let line = number(self.segments[segment].lines + 1);
        let spot = ChainSpot { segment: number(segment), line };
        let problem = format!("cannot be read from here on: {error}");
        self.faults.push(Fault { spot, id: None, problem, raw: None::<RawLink> });
    }

    /// Ids of which lines with different hashes are there: where each of these lines stands.
    pub fn twins(&self) -> BTreeMap<EntryId, BTreeMap<LineHash, Vec<LineAt>>> {
        let chained = self.chains.iter().flat_map(|chain| &chain.rows).map(|row| (row.id, row.hash, row.spot));
        let mut lines: Vec<_> = chained.chain(self.loose_ids.iter().copied()).collect();
        lines.sort_unstable();
        let mut twins: BTreeMap<EntryId, BTreeMap<LineHash, Vec<LineAt>>> = BTreeMap::new();
        for group in
            lines.chunk_by(|left, right| left.0 == right.0).filter(|group| group[0].1 != group[group.len() - 1].1)
        {
            for (id, hash, spot) in group {
                twins.entry(*id).or_default().entry(*hash).or_default().push(self.at(*spot));
            }
        }
        twins
    }

    /// Reads the large values.
    pub(crate) fn check_blobs(&mut self, disk: &dyn Disk, folder: &Path) -> Result<(), LogError> {
        let checked = blobs::check(disk, folder)?;
        self.totals.blobs = checked.len() as u64;
        self.checked = Some(checked);
        Ok(())
    }

    /// Large values that a sparse checkout leaves out are not missing.
    pub fn leave_out(&mut self, values: BTreeSet<Box<str>>) {
        self.left_out = values;
    }

    /// Whether a line says that it was scrubbed.
    pub fn has_scrubs(&self) -> bool {
        !self.formers.0.is_empty()
    }

    /// Where a line stands, for people.
    pub(super) fn at(&self, spot: ChainSpot) -> LineAt {
        LineAt { segment: self.segments[spot.segment as usize].segment.name.clone(), line: u64::from(spot.line) }
    }
}

/// From lines of a batch to lines of its segment.
#[derive(Clone, Copy)]
struct Shift {
    segment: u32,
    before: u32,
}

impl Shift {
    fn line(self, line: u32) -> u32 {
        self.before.saturating_add(line)
    }

    fn spot(self, spot: ChainSpot) -> ChainSpot {
        ChainSpot { segment: self.segment, line: self.line(spot.line) }
    }
}

/// Four billion segments or lines are more than a listing or a file has.
fn number(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
