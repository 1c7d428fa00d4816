//! Pasts that are not just "everything before": those of decisions that a late line or a merge came between.
//!
//! Keeps the place of every line, and folds the lines of a past when a decision needs it. Decisions of one writer see
//! more and more, so that its pasts are folded on, not anew, unless a late line came in.

use std::collections::BTreeMap;

use super::Differed;
use super::clock::VectorClock;
use crate::{Engine, EngineError};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, SessionId};
use annals_log::LogError;
use annals_log::batch::{Batch, Placed};
use annals_log::mending::Mending;
use annals_log::read::{Flow, Stretch, read};
use annals_log::segment::{Packing, Segment};
use annals_rules::world::World;
use annals_rules::world::otherwise::StandIn;
use annals_rules::world::replay::{Difference, PassedOver, ReplayVerdict};

/// A decision that waits to be replayed.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) id: EntryId,
    /// Its turn in the fold.
    turn: EntryId,
    pub(super) session: SessionId,
    pub(super) command: String,
    pub(super) segment: String,
    pub(super) number: u64,
    writer: String,
    count: u64,
}

impl Line {
    pub(super) fn of(placed: &Placed<'_>, segment: &str) -> Self {
        let entry = &placed.envelope;
        let (writer, count) = entry.writer().unwrap_or_default();
        Self {
            id: entry.id(),
            turn: placed.turn,
            session: SessionId::from(entry.session().as_ref()),
            command: entry.name().into_owned(),
            segment: segment.to_owned(),
            number: placed.line,
            writer: writer.into_owned(),
            count,
        }
    }

    /// As a decision that comes out otherwise.
    pub(super) fn differed(&self, difference: Difference) -> Differed {
        Differed {
            entry: self.id,
            session: self.session.clone(),
            command: self.command.clone(),
            segment: self.segment.clone(),
            line: self.number,
            difference,
        }
    }
}

/// How a past takes a line in.
pub(super) type Fold<'f> = dyn Fn(&mut World, &Envelope<'_>) + 'f;

/// So many pasts are kept, of the writers that decided last: with more of them, some are folded again.
const MOST_PASTS: usize = 4;

/// Decisions in the order in which their pasts grow.
pub(super) fn by_writer(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|left, right| (&left.writer, left.count).cmp(&(&right.writer, right.count)));
    lines
}

/// Where a line is.
#[derive(Debug, Clone)]
struct Place {
    /// In the order of the fold.
    rank: (EntryId, EntryId),
    segment: u32,
    offset: u64,
    length: u32,
    /// Writer and count of each line for which it stands; none for a line without a chain.
    links: Vec<(u32, u64)>,
}

/// The place of every line, in the order of ids.
#[derive(Debug, Default)]
pub(super) struct KnownPlaces {
    places: Vec<Place>,
    segments: Vec<String>,
    writers: Vec<String>,
    /// What a writer's line says of others.
    seen: BTreeMap<(u32, u64), Vec<(u32, u64)>>,
    /// By writer.
    pasts: BTreeMap<String, Past>,
    /// Lines that stand in the place of others, by index.
    stand_ins: BTreeMap<usize, StandIn>,
    mending: Mending,
    /// Bytes of the packed segment that was read last.
    unpacked: Option<(u32, Vec<u8>)>,
}

/// A past, folded.
#[derive(Debug, Default)]
struct Past {
    included: Vec<bool>,
    last: (EntryId, EntryId),
    world: World,
}

fn number_of(names: &mut Vec<String>, name: &str) -> u32 {
    let place = names.iter().rposition(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    u32::try_from(place).expect("BUG: more than 4 billion names")
}

impl KnownPlaces {
    pub(super) fn new(mending: Mending) -> Self {
        Self { mending, ..Self::default() }
    }

    pub(super) fn add(&mut self, placed: &Placed<'_>, segment: &str) {
        let own = if placed.copies.is_empty() { placed.envelope.writer() } else { None };
        let mut links: Vec<_> =
            own.iter().map(|(writer, count)| (number_of(&mut self.writers, writer), *count)).collect();
        let told = own.and_then(|_| if placed.envelope.has_seen() { placed.envelope.link() } else { None });
        for link in told.iter().chain(placed.copies) {
            let writer = number_of(&mut self.writers, link.writer.as_str());
            let seen = link.seen.iter().map(|(name, head)| (number_of(&mut self.writers, name.as_str()), head.count));
            let seen: Vec<_> = seen.collect();
            if !seen.is_empty() {
                self.seen.insert((writer, link.count), seen);
            }
            if !links.contains(&(writer, link.count)) {
                links.push((writer, link.count));
            }
        }
        self.places.push(Place {
            rank: (placed.turn, placed.envelope.id()),
            segment: number_of(&mut self.segments, segment),
            offset: placed.offset,
            length: u32::try_from(placed.original.len()).expect("BUG: a line of 4 GiB"),
            links,
        });
    }

    /// Puts another line in the place of the last one that was added.
    pub(super) fn replace_last(&mut self, stand_in: StandIn) {
        if stand_in != StandIn::Itself {
            self.stand_ins.insert(self.places.len() - 1, stand_in);
        }
    }

    /// Calls `judge` with the past of a decision and the decision itself.
    pub(super) fn with_past(
        &mut self,
        engine: &Engine,
        line: &Line,
        judge: impl FnOnce(&mut World, &Envelope<'_>) -> ReplayVerdict,
    ) -> Result<ReplayVerdict, EngineError> {
        let mut past = self.past(engine, line, &|world, entry| world.apply(entry))?;
        let own = self.places.binary_search_by_key(&(line.turn, line.id), |place| place.rank);
        let own = own.expect("BUG: a decision that was read has no place");
        let mut verdict = None;
        self.with_line(engine, own, |entry| verdict = Some(judge(&mut past.world, entry)))?;
        self.pasts.insert(line.writer.clone(), past);
        Ok(verdict.unwrap_or(ReplayVerdict::PassedOver(PassedOver::Moved)))
    }

    /// Calls `judge` with the past of a decision, taken in by `fold`.
    pub(super) fn with_folded<T>(
        &mut self,
        engine: &Engine,
        line: &Line,
        fold: &Fold<'_>,
        judge: impl FnOnce(&mut World) -> T,
    ) -> Result<T, EngineError> {
        let mut past = self.past(engine, line, fold)?;
        let judged = judge(&mut past.world);
        self.pasts.insert(line.writer.clone(), past);
        Ok(judged)
    }

    /// Takes the past of a decision out, folded; the past of its writer's last decision is folded on where it can be.
    fn past(&mut self, engine: &Engine, line: &Line, fold: &Fold<'_>) -> Result<Past, EngineError> {
        let clock = self.clock(line);
        let included: Vec<bool> = self.places.iter().map(|place| self.belongs(place, &clock, line)).collect();
        let mut past = self.pasts.remove(&line.writer).unwrap_or_default();
        while self.pasts.len() >= MOST_PASTS {
            self.pasts.pop_first();
        }
        let new = |past: &Past, index: usize| included[index] && !past.included.get(index).is_some_and(|was| *was);
        let grows = |past: &Past| {
            let only_more = past.included.iter().zip(&included).all(|(was, is)| *is || !was);
            let first_new = (0..included.len()).find(|index| new(past, *index));
            only_more && first_new.is_none_or(|index| self.places[index].rank > past.last)
        };
        if !grows(&past) {
            past = Past::default();
        }
        let wanted: Vec<usize> = (0..included.len()).filter(|index| new(&past, *index)).collect();
        for index in wanted {
            self.with_line(engine, index, |entry| fold(&mut past.world, entry))?;
            past.last = self.places[index].rank;
        }
        past.included = included;
        Ok(past)
    }

    fn clock(&self, line: &Line) -> VectorClock {
        let mut clock = VectorClock::default();
        let name = |writer: u32| self.writers[writer as usize].as_str();
        if let Some(writer) = self.writers.iter().position(|known| *known == line.writer) {
            let writer = u32::try_from(writer).expect("BUG: more than 4 billion writers");
            for (_, seen) in self.seen.range((writer, 0)..=(writer, line.count)) {
                clock.see(seen.iter().map(|(other, count)| (name(*other), *count)));
            }
        }
        clock.set(&line.writer, line.count.saturating_sub(1));
        clock
    }

    fn belongs(&self, place: &Place, clock: &VectorClock, decision: &Line) -> bool {
        let has = |(writer, count): &(u32, u64)| clock.has(&self.writers[*writer as usize], *count);
        // An id above its own was no past of the decision, whoever had seen it (decision 45).
        place.rank < (decision.turn, decision.id) && (place.links.is_empty() || place.links.iter().any(has))
    }

    fn with_line(
        &mut self,
        engine: &Engine,
        index: usize,
        then: impl FnOnce(&Envelope<'_>),
    ) -> Result<(), EngineError> {
        let Place { segment, offset, length, .. } = self.places[index].clone();
        let bytes = match self.stand_ins.get(&index) {
            None | Some(StandIn::Itself) => self.bytes(engine, segment, offset, length as usize)?,
            Some(StandIn::Line(line)) => line.clone().into_bytes(),
            Some(StandIn::Nothing) => return Ok(()),
        };
        let batch = Batch::decode([&bytes, &b"\n"[..]].concat(), offset).mended(&self.mending);
        if let Some(entry) = batch.entries().next() {
            then(&entry.envelope);
        }
        Ok(())
    }

    fn bytes(&mut self, engine: &Engine, number: u32, offset: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        let name = self.segments[number as usize].clone();
        let path = engine.place().history().join(&name);
        let disk = engine.disk();
        if Packing::of(&name) == Packing::Plain {
            let mut bytes = vec![0; length];
            let file = disk.open(&path).map_err(LogError::at("open", &path))?;
            file.read_at(&mut bytes, offset).map_err(LogError::at("read", &path))?;
            return Ok(bytes);
        }
        if self.unpacked.as_ref().is_none_or(|(known, _)| *known != number) {
            let look = disk.look(&path).map_err(LogError::at("look at", &path))?.unwrap_or_default();
            let stretch = Stretch { segment: Segment { name, look }, from: 0 };
            let mut bytes = Vec::new();
            read(&**disk, engine.place().history(), &[stretch], &mut |_, batch| {
                bytes.extend_from_slice(batch.bytes());
                Flow::More
            })?;
            self.unpacked = Some((number, bytes));
        }
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.unpacked.as_ref().map(|(_, bytes)| bytes.as_slice()).unwrap_or_default();
        Ok(bytes.get(start..start + length).unwrap_or_default().to_vec())
    }
}
