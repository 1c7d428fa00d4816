//! Entries by question: each once, in the order of the fold, without reading more than the question needs.
//!
//! Segments that cannot hold an answer are not opened, lines that cannot be one are not decoded. Does not print.

pub mod expand;
pub mod filter;
pub mod follow;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use self::filter::Filter;
use super::amend::amendments;
use super::{Engine, EngineError};
use crate::domain::session::Session;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::EntryId;
use crate::log::amend::Amendments;
use crate::log::batch::Placed;
use crate::log::blob::{self, BlobRef};
use crate::log::marks::{Mark, Marks};
use crate::log::order::{At, Notices, Ordered, Part, Taker};
use crate::log::read::Flow;
use crate::log::segment::Segment;

/// What can be read at one moment.
pub struct Reader<'e> {
    engine: &'e Engine,
    marks: Marks,
    amendments: Amendments,
    /// What was noticed while reading.
    pub notices: Notices,
}

/// An entry, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Segment and line.
    pub at: At,
    /// The bytes as they stand there.
    pub original: Vec<u8>,
    /// The entry.
    pub entry: HistoryEntry,
}

/// A segment, and the ids that may be in it.
#[derive(Debug)]
struct Reach {
    first: EntryId,
    last: EntryId,
    segment: Segment,
}

impl Engine {
    /// Everything that is there now, for reading.
    pub fn reader(&self) -> Result<Reader<'_>, EngineError> {
        let live = self.current()?;
        let live = live.as_ref().expect("BUG: the world was just folded");
        let (marks, amendments) = (live.marks().clone(), amendments(&live.world().rooms));
        Ok(Reader { engine: self, marks, amendments, notices: Notices::default() })
    }
}

impl Engine {
    /// What was noticed while the state was folded; what was folded before and stored is not read again.
    pub fn noticed(&self) -> Result<Notices, EngineError> {
        Ok(self.current()?.as_ref().map(|live| live.notices.clone()).unwrap_or_default())
    }
}

impl Reader<'_> {
    /// Hands over every entry that is asked for, the oldest first.
    pub fn each(&mut self, filter: &Filter, take: &mut dyn FnMut(Found) -> Flow) -> Result<(), EngineError> {
        for group in self.groups(filter)? {
            let mut each =
                |placed: &Placed<'_>, segment: &str| Raw::of(placed, segment).found().map_or(Flow::More, &mut *take);
            if self.read(group, filter, &mut each)? == Flow::Enough {
                break;
            }
        }
        Ok(())
    }

    /// All entries that are asked for, the oldest first.
    pub fn all(&mut self, filter: &Filter) -> Result<Vec<Found>, EngineError> {
        let mut all = Vec::new();
        self.each(filter, &mut |found| {
            all.push(found);
            Flow::More
        })?;
        Ok(all)
    }

    /// The last so many entries that are asked for, the oldest of them first.
    pub fn newest(&mut self, filter: &Filter, count: usize) -> Result<Vec<Found>, EngineError> {
        let mut newest: VecDeque<Raw> = VecDeque::new();
        for group in self.groups(filter)?.into_iter().rev() {
            let wanted = count - newest.len();
            if wanted == 0 {
                break;
            }
            let mut here = VecDeque::new();
            self.read(group, filter, &mut |placed, segment| {
                here.push_back(Raw::of(placed, segment));
                if here.len() > wanted {
                    here.pop_front();
                }
                Flow::More
            })?;
            here.append(&mut newest);
            newest = here;
        }
        Ok(newest.into_iter().filter_map(Raw::found).collect())
    }

    /// Segments that may hold an answer, those that overlap together, the oldest first.
    fn groups(&self, filter: &Filter) -> Result<Vec<Vec<Part>>, EngineError> {
        let (since, until) = self.ids(filter)?;
        let reaches = self.marks.iter().filter_map(|(name, mark)| Reach::of(name, mark));
        let mut reaches: Vec<_> = reaches.filter(|reach| reach.first <= until && reach.last >= since).collect();
        reaches.sort_by_key(|reach| reach.first);
        let mut groups: Vec<Vec<Part>> = Vec::new();
        let mut end = None;
        for reach in reaches {
            let part = Part::whole(reach.segment);
            match groups.last_mut().filter(|_| end.is_some_and(|end| reach.first <= end)) {
                Some(group) => group.push(part),
                None => groups.push(vec![part]),
            }
            end = end.max(Some(reach.last));
        }
        Ok(groups)
    }

    /// The range of ids that a filter leaves: a session has a first and a last entry.
    fn ids(&self, filter: &Filter) -> Result<(EntryId, EntryId), EngineError> {
        let (since, until) = filter.ids();
        let Some(id) = &filter.session else { return Ok((since, until)) };
        let ends = |session: &Session| (session.first, session.last);
        let known = self.engine.ask(|world| world.rooms.session.session(id).map(ends))?;
        let nothing = (EntryId::MAX, EntryId::MIN);
        let (first, last) = known.unwrap_or(nothing);
        Ok((since.max(first), until.min(last)))
    }

    fn read(&mut self, group: Vec<Part>, filter: &Filter, take: &mut Taker<'_>) -> Result<Flow, EngineError> {
        let sieve = filter.sieve();
        let blobs = |blob: &BlobRef| self.engine.blob(blob).ok();
        let mut flow = Flow::More;
        let mut ordered = Ordered::new(&**self.engine.disk(), self.engine.place().history(), &self.amendments);
        ordered.sieved(group, &sieve, &mut |placed, segment| {
            if filter.fits(&placed.envelope, &blobs) {
                flow = take(placed, segment);
            }
            flow
        })?;
        self.notices.add(ordered.notices);
        Ok(flow)
    }

    /// How many lines each segment has, by its name: a day, mostly.
    pub fn lines_by_segment(&self) -> impl Iterator<Item = (&str, u64)> {
        self.marks.iter().map(|(name, mark)| (name, mark.lines))
    }
}

impl Engine {
    /// The text of a blob.
    pub fn blob(&self, blob: &BlobRef) -> Result<String, EngineError> {
        Ok(blob::load_of(&**self.disk(), &self.place().blobs(), blob)?)
    }
}

/// An entry that is not decoded yet: of most of them only the last few are wanted.
struct Raw {
    at: At,
    original: Vec<u8>,
    /// The entry in our own shape, where it has another one.
    line: Option<Vec<u8>>,
}

impl Raw {
    fn of(placed: &Placed<'_>, segment: &str) -> Self {
        let line = placed.envelope.line();
        Self {
            at: At { segment: segment.to_owned(), line: placed.line },
            original: placed.original.to_owned(),
            line: (line != placed.original).then(|| line.to_owned()),
        }
    }

    fn found(self) -> Option<Found> {
        let text = std::str::from_utf8(self.line.as_deref().unwrap_or(&self.original)).ok()?;
        let entry = HistoryEntry::read(text).ok()?;
        Some(Found { at: self.at, original: self.original, entry })
    }
}

impl Reach {
    /// `None` for a segment without entries.
    fn of(name: &str, mark: &Mark) -> Option<Self> {
        let segment = Segment { name: name.to_owned(), look: mark.look };
        let is_finished = mark.end >= mark.look.len || mark.look.len == 0;
        if is_finished {
            return (mark.first <= mark.last).then_some(Self { first: mark.first, last: mark.last, segment });
        }
        // Behind the last newline there may be an entry that the mark does not know; the name promises its day.
        let (first, last) = segment.days().map_or((EntryId::MIN, EntryId::MAX), |days| {
            let (start, end) = (days.start().start(), days.end().plus(1).start());
            (EntryId::new(start, 0), EntryId::new(end, 0))
        });
        Some(Self { first: mark.first.min(first), last: mark.last.max(last), segment })
    }
}
