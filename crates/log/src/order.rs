//! Entries in the order of the fold: by id, each once, whatever the order and number of their lines. Those of a clock that
//! was mended stand where their ids would with the right time.
//!
//! Reads a day at a time; only what overlaps in time is held in memory together, and not even that where it is large.
//! Does not fold.

mod line;
mod part;

use std::path::Path;

pub use self::part::UnreadPart;
use super::amend::Amendments;
use super::batch::{Batch, Placed};
use super::disk::{Disk, Look};
use super::large::{self, EntrySpot, Opened};
pub use super::notices::{LineAt, Notices};
use super::prefilter::Prefilter;
use super::prepare::Prepare;
use super::read::{Flow, Means, ReadError, Stretch, read_by};
use super::segment::Segment;
use super::versions::choose;
use super::watermarks::{Watermark, Watermarks};
use annals_kernel::id::EntryId;

/// Reads segments and hands over their entries by id.
pub struct Ordered<'d> {
    disk: &'d dyn Disk,
    history: &'d Path,
    amendments: &'d Amendments,
    /// What was noticed so far.
    pub notices: Notices,
    /// How far the segments were read.
    pub marks: Watermarks,
    /// Place and id of the last entry.
    last: Option<(EntryId, EntryId)>,
    most_bytes: u64,
    prepare: Option<&'d Prepare<'d>>,
}

/// What came of reading in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Everything was handed over, or the taker had enough.
    Done,
    /// An entry came after a later one: the segments do not hold the days that their names promise.
    OutOfOrder,
    /// The prefilter passed over a line with the id of one that it let through: which of them counts is not known.
    Hidden,
}

/// What the next entry looks like, and in which segment and line it stands.
pub type Taker<'t> = dyn FnMut(&Placed<'_>, &str) -> Flow + 't;

impl<'d> Ordered<'d> {
    /// Prepares to read.
    pub fn new(disk: &'d dyn Disk, history: &'d Path, amendments: &'d Amendments) -> Self {
        Self {
            disk,
            history,
            amendments,
            notices: Notices::default(),
            marks: Watermarks::default(),
            last: None,
            most_bytes: large::MOST_BYTES,
            prepare: None,
        }
    }

    /// Has the threads that decode make something of each entry, for the taker.
    #[must_use]
    pub fn preparing(self, prepare: &'d Prepare<'d>) -> Self {
        Self { prepare: Some(prepare), ..self }
    }

    /// Holds segments in memory together only up to so many bytes.
    #[must_use]
    pub fn within(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Hands over every entry of the parts, in order. If they overlap although their names promise otherwise, everything
    /// is read as one group, from the beginning: `restart` is called before that. Where a clock was mended, no name says
    /// when its lines count: all is one group at once.
    pub fn each(
        &mut self,
        parts: Vec<UnreadPart>,
        restart: &mut dyn FnMut(),
        take: &mut Taker<'_>,
    ) -> Result<(), ReadError> {
        let groups = if self.amendments.mending.is_empty() { groups(parts.clone()) } else { vec![parts.clone()] };
        if self.read_groups(&groups, None, take)? == Reading::Done {
            return Ok(());
        }
        restart();
        (self.notices, self.marks, self.last) = (Notices::default(), Watermarks::default(), None);
        let reading = self.read_groups(&[parts], None, take)?;
        debug_assert_eq!(reading, Reading::Done, "BUG: one group is always in order");
        Ok(())
    }

    /// Hands over every entry of the parts, in order, whatever days their names promise.
    pub fn together(&mut self, parts: Vec<UnreadPart>, take: &mut Taker<'_>) -> Result<(), ReadError> {
        self.read_groups(&[parts], None, take).map(drop)
    }

    /// The same, without the lines that a prefilter passes over; what came before does not matter for the order.
    pub fn prefiltered(
        &mut self,
        parts: Vec<UnreadPart>,
        prefilter: &Prefilter<'_>,
        take: &mut Taker<'_>,
    ) -> Result<(), ReadError> {
        let groups = [parts];
        let before = self.notices.clone();
        self.last = None;
        if self.read_groups(&groups, Some(prefilter), take)? == Reading::Hidden {
            self.notices = before;
            self.read_groups(&groups, None, take)?;
        }
        Ok(())
    }

    fn read_groups(
        &mut self,
        groups: &[Vec<UnreadPart>],
        prefilter: Option<&Prefilter<'_>>,
        take: &mut Taker<'_>,
    ) -> Result<Reading, ReadError> {
        let most_bytes = self.most_bytes;
        // A prefilter leaves little of what is large.
        let is_large =
            |group: &[UnreadPart]| prefilter.is_none() && group.iter().map(UnreadPart::bytes).sum::<u64>() > most_bytes;
        for run in groups.chunk_by(|left, right| !is_large(left) && !is_large(right)) {
            let (reading, flow) = if is_large(&run[0]) {
                self.read_large(&run[0], take)?
            } else {
                self.read_small(run, prefilter, take)?
            };
            if (reading, flow) != (Reading::Done, Flow::More) {
                return Ok(reading);
            }
        }
        Ok(Reading::Done)
    }

    /// The threads that decode work on while a group is folded: all stretches are read in one go.
    fn read_small(
        &mut self,
        groups: &[Vec<UnreadPart>],
        prefilter: Option<&Prefilter<'_>>,
        take: &mut Taker<'_>,
    ) -> Result<(Reading, Flow), ReadError> {
        let parts: Vec<(usize, &UnreadPart)> =
            groups.iter().enumerate().flat_map(|(group, parts)| parts.iter().map(move |part| (group, part))).collect();
        let stretches = self.begin(parts.iter().map(|(_, part)| *part));
        let mut gathered = Gathered::default();
        let mut result = (Reading::Done, Flow::More);
        let means = Means { prefilter, ..self.means() };
        read_by(self.disk, self.history, &stretches, &means, &mut |index, batch| {
            let (group, part) = parts[index];
            if group != gathered.group {
                result = self.hand_over(&mut gathered, take);
                gathered.group = group;
            }
            if result == (Reading::Done, Flow::More) {
                self.gather(&mut gathered, part, batch);
                Flow::More
            } else {
                Flow::Enough
            }
        })?;
        if result == (Reading::Done, Flow::More) {
            result = self.hand_over(&mut gathered, take);
        }
        Ok(result)
    }

    /// What does not fit into memory is read twice: once to see where every entry stands, once in the order of ids.
    fn read_large(&mut self, parts: &[UnreadPart], take: &mut Taker<'_>) -> Result<(Reading, Flow), ReadError> {
        let spots = self.survey(parts)?;
        let means = self.means();
        let opened = Opened::new(self.disk, self.history, parts.iter().map(|part| &part.segment), means)?;
        let names: Vec<_> = parts.iter().map(|part| (part.segment.name.clone(), 0)).collect();
        let mut rest = spots.as_slice();
        let mut result = (Reading::Done, Flow::More);
        while !rest.is_empty() && result == (Reading::Done, Flow::More) {
            let (window, behind) = rest.split_at(large::window(rest, self.most_bytes / 8));
            let mut gathered = Gathered { group: 0, segments: names.clone(), batches: opened.read(window)? };
            result = self.hand_over(&mut gathered, take);
            rest = behind;
        }
        Ok(result)
    }

    /// Where every entry of the parts stands, in order.
    fn survey(&mut self, parts: &[UnreadPart]) -> Result<Vec<EntrySpot>, ReadError> {
        let stretches = self.begin(parts.iter());
        let mut before: Vec<_> = parts.iter().map(|part| part.mark.lines).collect();
        let mut spots = Vec::new();
        // Nothing is handed over here, so that nothing need be prepared.
        let means = Means { prepare: None, ..self.means() };
        read_by(self.disk, self.history, &stretches, &means, &mut |index, batch| {
            self.notice(&parts[index], before[index], &batch);
            spots.extend(large::spots(index, before[index], &batch));
            before[index] += batch.line_count;
            Flow::More
        })?;
        large::sort(&mut spots);
        Ok(spots)
    }

    fn means(&self) -> Means<'d> {
        Means { mending: Some(&self.amendments.mending), prepare: self.prepare, ..Means::default() }
    }

    fn begin<'p>(&mut self, parts: impl Iterator<Item = &'p UnreadPart>) -> Vec<Stretch> {
        let begin = |part: &UnreadPart| {
            *self.marks.entry(&part.segment.name) = Watermark { look: part.segment.look, ..part.mark.clone() };
            Stretch { segment: part.segment.clone(), from: part.mark.end }
        };
        parts.map(begin).collect()
    }

    fn notice(&mut self, part: &UnreadPart, before: u64, batch: &Batch) {
        let segment = &part.segment.name;
        self.marks.entry(segment).see(batch);
        for trouble in &batch.troubles {
            self.notices.trouble(segment, before, trouble);
        }
        self.notices.lines += batch.line_count;
        self.notices.bytes += batch.end - batch.start;
    }

    fn gather(&mut self, gathered: &mut Gathered, part: &UnreadPart, batch: Batch) {
        let segment = &part.segment.name;
        if gathered.segments.last().is_none_or(|(name, _)| name != segment) {
            gathered.segments.push((segment.clone(), part.mark.lines));
        }
        let index = gathered.segments.len() - 1;
        let before = gathered.segments[index].1;
        self.notice(part, before, &batch);
        gathered.segments[index].1 += batch.line_count;
        gathered.batches.push((index, before, batch));
    }

    fn hand_over(&mut self, gathered: &mut Gathered, take: &mut Taker<'_>) -> (Reading, Flow) {
        let Gathered { segments, batches, .. } = std::mem::take(gathered);
        let order = sorted(&batches, self.amendments);
        if is_hidden(&order, &batches) {
            return (Reading::Hidden, Flow::Enough);
        }
        let entry_at = |(batch, entry): (u32, u32)| {
            let (segment, before, batch) = &batches[batch as usize];
            let placed = batch.entry(entry as usize);
            (Placed { line: placed.line + before, ..placed }, segments[*segment].0.as_str())
        };
        let mut rest = order.as_slice();
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|ranked| ranked.id == first.id).count();
            let (group, behind) = rest.split_at(same);
            rest = behind;
            let Ranked { turn, id, at } = first;
            let mut copies = Vec::new();
            let chosen = if same == 1 && !self.amendments.touches(*id) {
                Some(entry_at(*at))
            } else {
                let versions: Vec<_> = group.iter().map(|ranked| entry_at(ranked.at)).collect();
                copies.extend(versions.iter().filter_map(|(placed, _)| placed.envelope.link()));
                choose(&versions, self.amendments, &mut self.notices)
            };
            // Of lines that say different things none may count, and others with their id may stand in another group.
            if chosen.is_none() && !self.notices.conflicts.contains_key(id) {
                continue;
            }
            if chosen.is_none() && turn != id {
                self.notices.turns.insert(*id, *turn);
            }
            if self.last.is_some_and(|last| last >= (*turn, *id)) {
                return (Reading::OutOfOrder, Flow::Enough);
            }
            self.last = Some((*turn, *id));
            let Some((placed, segment)) = chosen else { continue };
            let placed = Placed { turn: *turn, copies: &copies, ..placed };
            if take(&placed, segment) == Flow::Enough {
                return (Reading::Done, Flow::Enough);
            }
        }
        (Reading::Done, Flow::More)
    }
}

#[derive(Default)]
struct Gathered {
    group: usize,
    /// Names, and how many lines were before the batch to come.
    segments: Vec<(String, u64)>,
    /// Index of the segment, lines before, batch.
    batches: Vec<(usize, u64, Batch)>,
}

/// An entry among others: its turn in the fold, its id, its batch and where it stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    turn: EntryId,
    id: EntryId,
    at: (u32, u32),
}

/// Every entry in order; those with equal ids in the order of their lines.
fn sorted(batches: &[(usize, u64, Batch)], amendments: &Amendments) -> Vec<Ranked> {
    let number = |index: usize| u32::try_from(index).expect("BUG: more than 4 billion entries in memory");
    let count = batches.iter().map(|(_, _, batch)| batch.entries().len()).sum();
    let mut order = Vec::with_capacity(count);
    for (index, (_, _, batch)) in batches.iter().enumerate() {
        order.extend(batch.entries().enumerate().map(|(line, entry)| Ranked {
            turn: entry.turn,
            id: entry.envelope.id(),
            at: (number(index), number(line)),
        }));
    }
    if !amendments.mending.is_empty() {
        order.sort_unstable_by_key(|ranked| (ranked.id, ranked.turn));
        order.chunk_by_mut(|left, right| left.id == right.id).for_each(share_turn);
    }
    if !order.is_sorted() {
        order.sort_unstable();
    }
    order
}

/// Lines with one id have one turn, the first of theirs, whichever of them counts and whosever clock was mended.
fn share_turn(same: &mut [Ranked]) {
    let first = same[0].turn;
    for ranked in same {
        ranked.turn = first;
    }
}

/// Whether a line that a prefilter passed over has the id of one that it let through.
fn is_hidden(order: &[Ranked], batches: &[(usize, u64, Batch)]) -> bool {
    if batches.iter().all(|(_, _, batch)| batch.passed_over.is_empty()) {
        return false;
    }
    let mut ids: Vec<_> = order.iter().map(|ranked| ranked.id).collect();
    if !ids.is_sorted() {
        ids.sort_unstable();
    }
    let mut passed_over = batches.iter().flat_map(|(_, _, batch)| &batch.passed_over);
    passed_over.any(|id| ids.binary_search(id).is_ok())
}

/// Segments whose names promise overlapping days are read together. One that promises nothing joins all.
fn groups(mut parts: Vec<UnreadPart>) -> Vec<Vec<UnreadPart>> {
    if parts.iter().any(|part| part.segment.days().is_none()) {
        return vec![parts];
    }
    let days = |part: &UnreadPart| part.segment.days().map(std::ops::RangeInclusive::into_inner);
    parts.sort_by_key(|part| days(part).map(|(first, _)| first));
    let mut groups: Vec<Vec<UnreadPart>> = Vec::new();
    let mut end = None;
    for part in parts {
        let (first, last) = days(&part).expect("BUG: all parts have days");
        match groups.last_mut().filter(|_| end.is_some_and(|end| first <= end)) {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
        end = end.max(Some(last));
    }
    groups
}

/// Whether what stands behind the last entry that is wanted need not be read: an entry of a day that its segment does not
/// promise says nothing of the segments behind it. Of mended clocks all is read together, and in order.
pub fn behind(id: EntryId, segment: &str) -> Flow {
    let segment = Segment { name: segment.to_owned(), look: Look::default() };
    let is_in_place = segment.days().is_some_and(|days| days.contains(&id.time().day()));
    if is_in_place { Flow::Enough } else { Flow::More }
}

#[cfg(test)]
mod tests;
