//! What is kept of a batch for the judgement: made by the threads that read, small, without the lines themselves.
//!
//! Checks each line by itself. What takes more than one line is judged later.

use std::collections::BTreeMap;

use super::blobs::{BlobUse, Blobs};
use super::chain::{ChainSpot, Row};
use super::raw::RawLink;
use super::shape;
use super::signed::Stated;
use crate::batch::{Batch, Placed, Trouble, TroubleKind};
use annals_kernel::annals::{Head, LineHash, Link, RULES_VERSION};
use annals_kernel::envelope::Span;
use annals_kernel::id::{EntryId, WriterId};

/// What is kept of a batch. Lines are counted from the first of the batch.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    pub(super) entries: u64,
    /// Writers of the batch.
    pub(super) writers: Vec<WriterId>,
    /// Chained lines, each with the index of its writer.
    pub(super) rows: Vec<(u32, Row)>,
    /// What chained lines say of other writers.
    pub(super) seen: Vec<SeenHead>,
    /// Hashes that scrubbed lines had before.
    pub(super) formers: Vec<(LineHash, Vec<LineHash>)>,
    /// Entries without a link.
    pub(super) loose: Vec<Loose>,
    /// Each of them by its id.
    pub(super) loose_ids: Vec<(EntryId, LineHash, ChainSpot)>,
    pub(super) faults: Vec<Fault>,
    /// A last line without its newline.
    pub(super) unfinished: Option<u32>,
    /// Decisions, by name.
    pub(super) decisions: BTreeMap<Box<str>, u64>,
    /// Signed heads.
    pub(super) signed: Vec<Stated>,
    pub(super) blobs: Vec<BlobUse>,
    /// Decisions under rules that this program does not know.
    pub(super) claimed: Vec<Claimed>,
}

/// A decision, and the rules that it says it was made under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claimed {
    pub(super) spot: ChainSpot,
    pub(super) id: EntryId,
    pub(super) rules: u64,
}

/// A writer's head, as a line of another writer saw it.
#[derive(Debug, Clone)]
pub(super) struct SeenHead {
    /// The writer that saw it, in the list of the sheet.
    pub(super) by: u32,
    pub(super) by_count: u64,
    pub(super) spot: ChainSpot,
    pub(super) writer: WriterId,
    pub(super) head: Head,
}

/// Entries without a link: a run of them, or one that may have had a link once.
#[derive(Debug, Clone)]
pub(super) struct Loose {
    pub(super) id: EntryId,
    pub(super) first: ChainSpot,
    pub(super) last: ChainSpot,
    pub(super) raw: Option<RawLink>,
}

/// A line that cannot be read, or not wholly.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) spot: ChainSpot,
    pub(super) id: Option<EntryId>,
    pub(super) problem: String,
    /// What is left of its link, where the line gave no chained entry.
    pub(super) raw: Option<RawLink>,
}

fn spot(line: u64) -> ChainSpot {
    ChainSpot { segment: 0, line: u32::try_from(line).unwrap_or(u32::MAX) }
}

impl Sheet {
    /// Checks the lines of a batch, each by itself.
    pub fn of(batch: &Batch, blobs: Blobs) -> Self {
        let mut sheet = Self { lines: batch.line_count, bytes: batch.end - batch.start, ..Self::default() };
        for placed in batch.entries() {
            sheet.entry(&placed, blobs);
            sheet.surroundings(batch, &placed);
        }
        sheet.troubles(batch);
        sheet
    }

    fn entry(&mut self, placed: &Placed<'_>, blobs: Blobs) {
        self.entries += 1;
        let entry = &placed.envelope;
        // What was not in our own shape was read whole, and is whole.
        if std::ptr::eq(placed.original, entry.line())
            && let Err(problem) = shape::check(entry.line())
        {
            self.faults.push(Fault { spot: spot(placed.line), id: Some(entry.id()), problem, raw: None });
        }
        if let Some(rules) = entry.rules() {
            // Replay passes over decisions of rules that it does not know: a version that never was would be a way
            // around it.
            if !(1..=u64::from(RULES_VERSION)).contains(&rules) {
                self.claimed.push(Claimed { spot: spot(placed.line), id: entry.id(), rules });
            }
            *self.decisions.entry(entry.name().into()).or_default() += 1;
        }
        let link = entry.link().filter(|link| link.count > 0);
        self.signed.extend(Stated::of(placed, link.as_ref(), spot(placed.line)));
        match link {
            Some(link) => self.chained(placed, link),
            None => self.loose(placed),
        }
        if blobs == Blobs::Check {
            self.blobs.extend(BlobUse::of(placed, spot(placed.line)));
        }
    }

    /// Blanks around an entry are in no hash, and nobody who writes lines puts them there.
    fn surroundings(&mut self, batch: &Batch, placed: &Placed<'_>) {
        let is_trouble = |trouble: &Trouble| trouble.line == placed.line && trouble.kind != TroubleKind::Unfinished;
        if !batch.is_alone(placed) && !batch.troubles.iter().any(is_trouble) {
            let problem = "blanks around the entry".to_owned();
            self.faults.push(Fault { spot: spot(placed.line), id: Some(placed.envelope.id()), problem, raw: None });
        }
    }

    fn chained(&mut self, placed: &Placed<'_>, link: Link) {
        let writer = self.writer(link.writer);
        let spot = spot(placed.line);
        let absent = link.lost.into_iter().chain(link.left).map(|absent| (absent.writer.clone(), absent.head()));
        let seen = link.seen.into_iter().chain(absent);
        self.seen.extend(seen.map(|(other, head)| SeenHead {
            by: writer,
            by_count: link.count,
            spot,
            writer: other,
            head,
        }));
        let (id, hash) = (placed.envelope.id(), LineHash::of(placed.original));
        let formers = placed.envelope.scrubbed();
        if !formers.is_empty() {
            self.formers.push((hash, formers));
        }
        self.rows.push((writer, Row { id, hash, previous: link.previous, count: link.count, spot }));
    }

    fn writer(&mut self, writer: WriterId) -> u32 {
        // From the end, because lines of one writer mostly follow one another.
        let known = self.writers.iter().rposition(|known| *known == writer);
        let index = known.unwrap_or_else(|| {
            self.writers.push(writer);
            self.writers.len() - 1
        });
        u32::try_from(index).expect("BUG: a batch has fewer lines than that")
    }

    fn loose(&mut self, placed: &Placed<'_>) {
        let spot = spot(placed.line);
        let raw = RawLink::at_end_of(placed.original);
        self.loose_ids.push((placed.envelope.id(), LineHash::of(placed.original), spot));
        match self.loose.last_mut() {
            Some(run) if raw.is_none() && run.raw.is_none() && run.last.line + 1 == spot.line => run.last = spot,
            Some(_) | None => self.loose.push(Loose { id: placed.envelope.id(), first: spot, last: spot, raw }),
        }
    }

    /// Troubles of one line become one fault. They come in the order of their lines.
    fn troubles(&mut self, batch: &Batch) {
        let groups = batch.troubles.chunk_by(|left, right| left.line == right.line);
        let mut lines = batch.raw_lines().zip(1..);
        for group in groups {
            let number = group[0].line;
            let line = lines.by_ref().find(|(_, line)| *line == number).map_or(&b""[..], |(line, _)| line);
            let problems = group.iter().filter(|trouble| trouble.kind != TroubleKind::Unfinished);
            let problems: Vec<_> = problems.map(|trouble| trouble.kind.to_string()).collect();
            if problems.len() < group.len() {
                self.unfinished = Some(spot(number).line);
            }
            if !problems.is_empty() {
                self.fault(number, line, problems.join("; "));
            }
        }
    }

    fn fault(&mut self, number: u64, line: &[u8], problem: String) {
        let spot = spot(number);
        let row = self.rows.iter().find(|(_, row)| row.spot == spot).map(|(_, row)| row.id);
        let raw = if row.is_none() { RawLink::anywhere_in(line) } else { None };
        self.faults.push(Fault { spot, id: row.or_else(|| Span::scan_id(line)), problem, raw });
    }
}
