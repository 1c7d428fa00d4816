//! Entries by question: each once, in the order of the fold, without reading more than the question needs.
//!
//! Segments that cannot hold an answer are not opened, lines that cannot be one are not decoded. Does not print.

pub mod expand;
pub mod filter;
pub(crate) mod follow;
#[cfg(test)]
mod tests;
mod whole;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use self::filter::Filter;
use super::amend::amendments;
use super::{Engine, EngineError};
use annals_kernel::call::written;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::report::Report;
use annals_kernel::time::Timestamp;
use annals_log::amend::Amendments;
use annals_log::batch::Placed;
use annals_log::blob::{self, BlobRef};
use annals_log::mending::Mending;
use annals_log::order::{LineAt, Notices, Ordered, Taker, UnreadPart};
use annals_log::read::Flow;
use annals_log::segment::Segment;
use annals_log::watermarks::{Watermark, Watermarks};
use annals_rules::domain::Rooms;
use annals_rules::domain::session::Session;

/// What can be read at one moment.
pub struct Reader<'e> {
    engine: &'e Engine,
    marks: Watermarks,
    amendments: Amendments,
    /// What was noticed while reading.
    pub notices: Notices,
}

/// An entry, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Segment and line.
    pub at: LineAt,
    /// The bytes as they stand there.
    pub original: Vec<u8>,
    /// The entry, with the right time where a clock was mended.
    pub entry: HistoryEntry,
}

/// A segment, the ids that may be in it, and the turns in the fold that they may have.
#[derive(Debug)]
struct Reach {
    ids: IdRange,
    turns: IdRange,
    segment: Segment,
}

/// Ids, or turns in the fold, from one to another.
#[derive(Debug, Clone, Copy)]
struct IdRange {
    first: EntryId,
    last: EntryId,
}

impl IdRange {
    fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    fn contains(self, id: EntryId) -> bool {
        (self.first..=self.last).contains(&id)
    }
}

impl Reader<'_> {
    /// Whose history it reads.
    pub(crate) fn engine(&self) -> &Engine {
        self.engine
    }
}

impl Engine {
    /// Everything that is there now, for reading.
    pub fn reader(&self) -> Result<Reader<'_>, EngineError> {
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        let (marks, amendments) = (live.marks()?.clone(), amendments(&live.world().rooms));
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
        let filter = &self.placed(filter)?;
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

    /// The entries of these ids up to a turn, by id, found in one pass over the log.
    pub fn by_id(
        &mut self,
        ids: BTreeSet<EntryId>,
        until: EntryId,
    ) -> Result<BTreeMap<EntryId, Vec<Found>>, EngineError> {
        let mut by_id: BTreeMap<_, Vec<_>> = BTreeMap::new();
        if !ids.is_empty() {
            for found in self.all(&Filter { ids, until: Some(until), ..Filter::default() })? {
                by_id.entry(found.entry.id).or_default().push(found);
            }
        }
        Ok(by_id)
    }

    /// What the entries that are asked for come to, folded by themselves.
    pub fn counted(&mut self, filter: &Filter) -> Result<Rooms, EngineError> {
        Ok(self.counted_by(filter, |_| ())?.into_values().next().unwrap_or_default())
    }

    /// What they come to, for each key by itself.
    pub fn counted_by<K: Ord>(
        &mut self,
        filter: &Filter,
        key: impl Fn(&Envelope<'_>) -> K,
    ) -> Result<BTreeMap<K, Rooms>, EngineError> {
        let mut counted: BTreeMap<K, Rooms> = BTreeMap::new();
        self.each_envelope(filter, |entry| {
            let rooms = counted.entry(key(entry)).or_default();
            rooms.observe(entry, &written(entry), Report::of(entry));
        })?;
        Ok(counted)
    }

    /// The sessions of the entries that are asked for.
    pub fn sessions(&mut self, filter: &Filter) -> Result<BTreeSet<SessionId>, EngineError> {
        let mut sessions = BTreeSet::new();
        self.each_envelope(filter, |entry| {
            if !sessions.contains(entry.session().as_ref()) {
                sessions.insert(SessionId::from(entry.session().as_ref()));
            }
        })?;
        Ok(sessions)
    }

    fn each_envelope(&mut self, filter: &Filter, mut take: impl FnMut(&Envelope<'_>)) -> Result<(), EngineError> {
        let filter = &self.placed(filter)?;
        for group in self.groups(filter)? {
            self.read(group, filter, &mut |placed, _| {
                take(&placed.envelope);
                Flow::More
            })?;
        }
        Ok(())
    }

    /// The last so many entries that are asked for, the oldest of them first.
    pub fn newest(&mut self, filter: &Filter, count: usize) -> Result<Vec<Found>, EngineError> {
        let filter = &self.placed(filter)?;
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
    fn groups(&self, filter: &Filter) -> Result<Vec<Vec<UnreadPart>>, EngineError> {
        let turns = self.turns(filter)?;
        let mending = &self.amendments.mending;
        let reaches = self.marks.iter().filter_map(|(name, mark)| Reach::of(name, mark, mending));
        let named = |reach: &Reach| {
            filter.named.is_none_or(|(first, last)| reach.ids.overlaps(IdRange { first, last }))
                && (filter.ids.is_empty() || filter.ids.iter().any(|id| reach.ids.contains(*id)))
        };
        let (mut reaches, others): (Vec<_>, Vec<_>) =
            reaches.filter(named).partition(|reach| reach.turns.overlaps(turns));
        if !mending.is_empty() {
            return Ok(vec![with_versions(reaches, others)]);
        }
        reaches.sort_by_key(|reach| reach.turns.first);
        let mut groups: Vec<Vec<UnreadPart>> = Vec::new();
        let mut end = None;
        for Reach { turns: IdRange { first, last }, segment, .. } in reaches {
            let part = UnreadPart::whole(segment);
            match groups.last_mut().filter(|_| end.is_some_and(|end| first <= end)) {
                Some(group) => group.push(part),
                None => groups.push(vec![part]),
            }
            end = end.max(Some(last));
        }
        Ok(groups)
    }

    /// The range of turns that a filter leaves: a session has a first and a last entry.
    fn turns(&self, filter: &Filter) -> Result<IdRange, EngineError> {
        let (since, until) = filter.turns();
        // The ids of a session do not say when it was where a clock was mended.
        let Some(id) = filter.session.as_ref().filter(|_| self.amendments.mending.is_empty()) else {
            return Ok(IdRange { first: since, last: until });
        };
        let ends = |session: &Session| (session.first, session.last);
        let known = self.engine.ask(|world| world.rooms.session.session(id).map(ends))?;
        let nothing = (EntryId::MAX, EntryId::MIN);
        let (first, last) = known.unwrap_or(nothing);
        Ok(IdRange { first: since.max(first), last: until.min(last) })
    }

    /// The turn of an entry in the fold: its id, but where a clock was mended.
    pub fn turn_of(&mut self, id: EntryId) -> Result<EntryId, EngineError> {
        if self.amendments.mending.is_empty() {
            return Ok(id);
        }
        let filter = Filter { named: Some((id, id)), ..Filter::default() };
        let mut turn = id;
        for group in self.groups(&filter)? {
            self.read(group, &filter, &mut |placed, _| {
                turn = placed.turn;
                Flow::More
            })?;
        }
        Ok(turn)
    }

    /// How many lines count as of another time than they say.
    pub fn mended(&mut self) -> Result<u64, EngineError> {
        let mut count = 0;
        let filter = Filter::default();
        for group in self.groups(&filter)? {
            self.read(group, &filter, &mut |placed, _| {
                count += u64::from(placed.envelope.shift() != 0);
                Flow::More
            })?;
        }
        Ok(count)
    }

    /// A filter that ends with an entry ends with its turn.
    fn placed(&mut self, filter: &Filter) -> Result<Filter, EngineError> {
        let until = filter.until.map(|until| self.turn_of(until)).transpose()?;
        Ok(Filter { until, ..filter.clone() })
    }

    fn read(&mut self, group: Vec<UnreadPart>, filter: &Filter, take: &mut Taker<'_>) -> Result<Flow, EngineError> {
        let prefilter = filter.prefilter();
        let blobs = |blob: &BlobRef| self.engine.blob(blob).ok();
        let mut flow = Flow::More;
        let mut ordered = Ordered::new(&**self.engine.disk(), self.engine.place().history(), &self.amendments);
        ordered.prefiltered(group, &prefilter, &mut |placed, segment| {
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
    at: LineAt,
    original: Vec<u8>,
    /// The entry in our own shape, where it has another one.
    line: Option<Vec<u8>>,
    /// When it happened, by the right time.
    time: Timestamp,
}

impl Raw {
    fn of(placed: &Placed<'_>, segment: &str) -> Self {
        let line = placed.envelope.line();
        Self {
            at: LineAt { segment: segment.to_owned(), line: placed.line },
            original: placed.original.to_owned(),
            line: (line != placed.original).then(|| line.to_owned()),
            time: placed.envelope.at(),
        }
    }

    fn found(self) -> Option<Found> {
        let text = std::str::from_utf8(self.line.as_deref().unwrap_or(&self.original)).ok()?;
        let entry = HistoryEntry { timestamp: self.time, ..HistoryEntry::read(text).ok()? };
        Some(Found { at: self.at, original: self.original, entry })
    }
}

impl Reach {
    /// `None` for a segment without entries.
    fn of(name: &str, mark: &Watermark, mending: &Mending) -> Option<Self> {
        let segment = Segment { name: name.to_owned(), look: mark.look };
        let is_finished = mark.end >= mark.look.len || mark.look.len == 0;
        let ids = if is_finished {
            (mark.first <= mark.last).then_some(IdRange { first: mark.first, last: mark.last })?
        } else {
            // Behind the last newline there may be an entry that the mark does not know; the name promises its day.
            let (first, last) = segment.days().map_or((EntryId::MIN, EntryId::MAX), |days| {
                let (start, end) = (days.start().start(), days.end().plus(1).start());
                (EntryId::new(start, 0), EntryId::new(end, 0))
            });
            IdRange { first: mark.first.min(first), last: mark.last.max(last) }
        };
        let shifts = mark.heads.iter().flat_map(|(writer, head)| mending.shifts_up_to(writer, head.count));
        let (least, most) = shifts.fold((0, 0), |(least, most), shift| (shift.min(least), shift.max(most)));
        let turns = IdRange { first: ids.first.shifted(least), last: ids.last.shifted(most) };
        Some(Self { ids, turns, segment })
    }
}

/// Segments, and those others that may hold lines with the same ids: of such lines one counts, wherever they stand.
fn with_versions(wanted: Vec<Reach>, others: Vec<Reach>) -> Vec<UnreadPart> {
    let ids: Vec<_> = wanted.iter().map(|reach| reach.ids).collect();
    let also = others.into_iter().filter(|other| ids.iter().any(|ids| ids.overlaps(other.ids)));
    wanted.into_iter().chain(also).map(|reach| UnreadPart::whole(reach.segment)).collect()
}
