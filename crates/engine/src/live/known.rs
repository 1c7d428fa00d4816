//! How far the segments were read, and which of them a fold has to look at.
//!
//! In a history of many segments that is kept track of by what the folders look like (`survey`). A line that somebody
//! changes in place, in a segment that nobody writes to any more, is noticed there by the next full look: after a commit,
//! with `--fresh`, in `verify`. Does not read segments.

use std::collections::BTreeMap;

use super::amend::amendments_of;
use super::survey::{Outside, Since, Survey};
use super::{Cache, Live, Said};
use crate::EngineError;
use crate::checkpoint::BadLayer;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_log::disk::Look;
use annals_log::order::UnreadPart;
use annals_log::position::line_at;
use annals_log::segment::{Packing, Segment};
use annals_log::watermarks::{Change, Watermark, Watermarks};

/// So many segments are looked at one by one in little time.
// At 20,000 segments each looked at twice a list of sessions took 118 ms; with the survey 7.7 ms (docs/MEASURED.md).
const MANY_SEGMENTS: usize = 1000;

/// So many segments that are known otherwise than in the stored state make a new one worth its while.
const STORE_SEGMENTS: usize = 64;

/// How far each segment was read.
#[derive(Debug, Default)]
pub(super) struct KnownSegments {
    pub(super) marks: Watermarks,
    /// What the stored state knows of segments that are known otherwise by now.
    since: Since,
    /// What the history looked like before all segments were looked at, the last time.
    seen: Option<Outside>,
    /// When all segments were listed, by the clock of the file system, or before: this clone's last line is as old.
    listed_ns: i64,
    extent: Extent,
}

/// Of which segments it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Extent {
    #[default]
    All,
    /// Of those that have changed since the state was stored; the others are as it says.
    Changed,
}

impl KnownSegments {
    /// As a stored state has it.
    pub(super) fn of(marks: Watermarks) -> Self {
        Self { marks, ..Self::default() }
    }

    /// As a survey has it.
    fn surveyed(seen: Outside, since: Since) -> Self {
        let marks = since.iter().filter_map(|(name, mark)| Some((name.clone(), mark.clone()?))).collect();
        Self { marks, since, seen: Some(seen), listed_ns: i64::MIN, extent: Extent::Changed }
    }

    /// How far a segment was read, where that is known.
    pub(super) fn mark_of_plain(&self, name: &str) -> Option<&Watermark> {
        self.marks.get(name).filter(|_| Packing::of(name) == Packing::Plain)
    }

    /// Segments were read so far.
    pub(super) fn take_over(&mut self, marks: &Watermarks) {
        for (name, mark) in marks.iter() {
            self.remember(name);
            *self.marks.entry(name) = mark.clone();
        }
    }

    fn forget(&mut self, name: &str) {
        self.remember(name);
        self.marks.forget(name);
    }

    fn remember(&mut self, name: &str) {
        if !self.since.contains_key(name) {
            self.since.insert(name.to_owned(), self.marks.get(name).cloned());
        }
    }

    /// The state was stored.
    pub(super) fn stored(&mut self) {
        self.since.clear();
    }

    /// Whether enough lines or segments came since the state was stored.
    pub(super) fn is_much(&self, lines: u64) -> bool {
        let now = |name| self.marks.get(name).map_or(0, |mark| mark.lines);
        let new =
            self.since.iter().map(|(name, mark)| now(name).saturating_sub(mark.as_ref().map_or(0, |mark| mark.lines)));
        self.since.len() >= STORE_SEGMENTS || new.sum::<u64>() >= lines
    }

    /// What the next command wants to know, after a look at many segments.
    fn take_survey(&mut self) -> Option<(Outside, Since)> {
        if self.extent == Extent::Changed || self.marks.count() <= MANY_SEGMENTS || self.since.len() > STORE_SEGMENTS {
            return None;
        }
        let (seen, mut since) = (self.seen.take()?, self.since.clone());
        if let Some(written) = seen.written_to().filter(|name| !since.contains_key(*name)) {
            since.insert(written.to_owned(), self.marks.get(written).cloned());
        }
        Some((seen, since))
    }
}

impl Live {
    /// Begins at the newest stored state, and at what a survey knows of the segments since.
    pub(super) fn begin(&mut self) {
        let is_current = self.until == EntryId::MAX && self.cache == Cache::Used && self.said == Said::InTheFold;
        if is_current && self.begin_surveyed() {
            return;
        }
        let (world, marks, amendments) = self.said.newest_state(&self.shelf);
        (self.world, self.known, self.amendments) = (world, KnownSegments::of(marks), amendments);
    }

    fn begin_surveyed(&mut self) -> bool {
        let Some(layer) = self.shelf.newest_file() else { return false };
        let Some((seen, since)) = Survey::read(&*self.disk, &self.place, &layer) else { return false };
        let world = self.shelf.newest_world();
        let amendments = amendments_of(&world);
        // A damaged state was dropped, and the survey is not about the one below; where a clock was mended, what a new line
        // changes depends on all segments.
        let is_of_use = self.shelf.newest_file().as_ref() == Some(&layer) && amendments.mending.is_empty();
        if is_of_use {
            (self.world, self.known, self.amendments) = (world, KnownSegments::surveyed(seen, since), amendments);
        }
        is_of_use
    }

    /// Whether nothing has changed since all segments were listed: a look at each of them is enough where the folders were at
    /// rest then. A list, with the bookmark and the archive, takes four times as long.
    pub(super) fn is_current(&self) -> bool {
        let (disk, history) = (&*self.disk, self.place.history());
        self.world.last != EntryId::MIN
            && self.known.extent == Extent::All
            && self.known.marks.count() <= MANY_SEGMENTS
            && self.known.seen.as_ref().is_some_and(|seen| seen.stands(disk, &self.place, self.known.listed_ns))
            && self.known.marks.iter().all(|(name, mark)| disk.glance(&history.join(name)) == Some(mark.look))
    }

    fn outside(&self) -> Result<Outside, EngineError> {
        let history = self.place.history();
        Ok(Outside::now(&*self.disk, &self.place).map_err(LogError::at("look at", history))?)
    }

    /// What was never folded. Where something that was folded is not there any more as it was, goes back to the newest
    /// state without it.
    pub(super) fn news(&mut self) -> Result<Vec<UnreadPart>, EngineError> {
        loop {
            let segments = self.segments()?;
            let changes = self.changes(&segments);
            let is_other = |change: &Change| matches!(change, Change::Replaced | Change::Gone);
            let others: Vec<_> = changes.iter().filter(|(_, change)| is_other(change)).map(|(name, _)| name).collect();
            if self.known.extent == Extent::Changed && !others.is_empty() {
                self.know_all_or_nothing();
                continue;
            }
            let firsts = others.iter().filter_map(|name| self.known.marks.get(name)).map(|mark| mark.first);
            // Where a clock was mended, a mark does not say how early its lines count.
            let is_mended = !self.amendments.mending.is_empty();
            let first = firsts.min().map(|first| if is_mended { EntryId::MIN } else { first });
            if let Some(first) = first.filter(|first| *first <= self.world.last) {
                self.go_before(first);
                continue;
            }
            for name in others {
                self.known.forget(name);
            }
            let changed = segments.into_iter().filter(|segment| changes.contains_key(&segment.name));
            return Ok(changed.map(|segment| self.rest_of(segment)).collect());
        }
    }

    /// Every segment; where none came, went or was replaced since all were looked at, those that may have grown.
    fn segments(&mut self) -> Result<Vec<Segment>, EngineError> {
        let now = self.outside()?;
        if self.known.extent == Extent::Changed && self.known.seen.as_ref() != Some(&now) {
            self.know_all_or_nothing();
        }
        let written = now.written_to().map(str::to_owned);
        self.known.seen = Some(now);
        let history = self.place.history();
        match self.known.extent {
            Extent::All => {
                let segments = Segment::list(&*self.disk, history).map_err(LogError::at("list", history))?;
                let written = segments.iter().find(|segment| Some(&segment.name) == written.as_ref());
                self.known.listed_ns = written.map_or(i64::MIN, |segment| segment.look.changed_ns);
                Ok(segments)
            }
            Extent::Changed => self.known.since.keys().filter_map(|name| self.segment(name).transpose()).collect(),
        }
    }

    fn segment(&self, name: &str) -> Result<Option<Segment>, EngineError> {
        let path = self.place.history().join(name);
        let look: Option<Look> = self.disk.look(&path).map_err(LogError::at("look at", path))?;
        Ok(look.map(|look| Segment { name: name.to_owned(), look }))
    }

    fn changes(&self, segments: &[Segment]) -> BTreeMap<String, Change> {
        let line_is = |segment: &Segment, offset, hash: LineHash| {
            line_at(&*self.disk, &self.place, segment, offset) == Some(hash)
        };
        self.known.marks.changes(segments, line_is)
    }

    fn rest_of(&self, segment: Segment) -> UnreadPart {
        match self.known.marks.get(&segment.name) {
            Some(mark) => UnreadPart::rest(segment, mark.clone()),
            None => UnreadPart::whole(segment),
        }
    }

    /// Brings the marks of the segments that have not changed.
    fn know_all(&mut self) -> Result<(), BadLayer> {
        if self.known.extent == Extent::Changed {
            let changed = std::mem::replace(&mut self.known.marks, self.shelf.marks()?);
            for (name, mark) in changed.iter() {
                *self.known.marks.entry(name) = mark.clone();
            }
            self.known.extent = Extent::All;
        }
        Ok(())
    }

    /// Where the stored ones are damaged, everything is folded anew.
    fn know_all_or_nothing(&mut self) {
        if self.know_all().is_err() {
            self.go_before(EntryId::MIN);
        }
    }

    /// How far each segment was read.
    pub fn marks(&mut self) -> Result<&Watermarks, EngineError> {
        if self.know_all().is_err() {
            self.rebuild(EntryId::MIN)?;
        }
        Ok(&self.known.marks)
    }

    /// Leaves what the next command wants to know of many segments. It is a cache: where it cannot be written, all are
    /// looked at again.
    pub(super) fn leave_survey(&mut self) {
        if self.cache == Cache::Used
            && self.until == EntryId::MAX
            && let Some(layer) = self.shelf.newest_file()
            && let Some((outside, since)) = self.known.take_survey()
        {
            let _ = Survey::write(&*self.disk, &self.place, &layer, outside, since);
        }
    }
}
