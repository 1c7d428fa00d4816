//! Which line of an entry counts: what a scrub suppressed, what a conflict leaves open and what a more redacted copy of the
//! same record takes back is not shown, as no other command shows it.
//!
//! Looks at the few entries that are to be shown, not at all that were found. Does not rank.

use std::collections::{BTreeMap, BTreeSet};

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::EntryId;
use annals_kernel::json::sha256_hex;
use annals_log::LogError;
use annals_log::blob::BlobRef;
use annals_log::find::find_line;
use annals_log::segment::Packing;
use annals_log::watermarks::Watermarks;

use crate::facts::EntryFacts;
use crate::judge::judge;
use crate::query::Pattern;
use crate::scan::{EntryHit, large_text};

/// Tells which line of an entry counts.
pub(crate) struct Confirm<'c> {
    pub engine: &'c Engine,
    pub marks: &'c Watermarks,
    pub filter: &'c Filter,
}

impl Confirm<'_> {
    /// The hits that count, in their order; those of whose entry another line counts are judged by that one.
    pub(crate) fn all(&self, pattern: &Pattern, hits: Vec<EntryHit>) -> Result<Vec<EntryHit>, EngineError> {
        let doubtful = self.doubtful(&hits)?;
        if doubtful.is_empty() {
            return Ok(hits);
        }
        let lines = self.lines_that_count(&doubtful)?;
        let judged = hits.into_iter().filter_map(|hit| match lines.get(&hit.facts.id) {
            Some(line) => self.judged(pattern, &hit, line),
            None if doubtful.contains(&hit.facts.id) => None,
            None => Some(hit),
        });
        Ok(judged.collect())
    }

    /// Those whose line may not be the one that counts.
    fn doubtful(&self, hits: &[EntryHit]) -> Result<BTreeSet<EntryId>, EngineError> {
        let ids: Vec<_> = hits.iter().map(|hit| hit.facts.id).collect();
        let mut doubtful: BTreeSet<_> = self.engine.ask(|world| {
            let (history, scrubs) = (&world.rooms.history, &world.rooms.erasure.scrubs);
            let is_doubtful = |id: &&EntryId| {
                !history.mended.is_empty() || scrubs.contains_key(id) || history.conflicts.contains_key(id)
            };
            ids.iter().filter(is_doubtful).copied().collect::<BTreeSet<_>>()
        })?;
        for hit in hits {
            if hit.is_doubled || self.has_another_line(hit)? {
                doubtful.insert(hit.facts.id);
            }
        }
        Ok(doubtful)
    }

    /// Whether a segment that overlaps in time holds another line with the id of a hit.
    fn has_another_line(&self, hit: &EntryHit) -> Result<bool, EngineError> {
        let (id, history) = (hit.facts.id, self.engine.place().history());
        for (name, mark) in self.marks.iter().filter(|(_, mark)| (mark.first..=mark.last).contains(&id)) {
            if *name == *hit.segment.name {
                continue;
            }
            // A packed one is not entered; what counts is asked of the reader.
            if Packing::of(name) == Packing::Zstd {
                return Ok(true);
            }
            let path = history.join(name);
            let file = self.engine.disk().open(&path).map_err(LogError::at("open", &path))?;
            let line = find_line(&*file, mark.end, id).map_err(LogError::at("read", &path))?;
            if line.is_some_and(|line| *sha256_hex(&line) != *hit.hash) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// In our own shape, by id.
    fn lines_that_count(&self, ids: &BTreeSet<EntryId>) -> Result<BTreeMap<EntryId, String>, EngineError> {
        let found = self.engine.reader()?.by_id(ids.clone(), EntryId::MAX)?;
        let line = |(id, all): (EntryId, Vec<annals_engine::query::Found>)| Some((id, all.first()?.entry.to_line()));
        Ok(found.into_iter().filter_map(line).collect())
    }

    fn judged(&self, pattern: &Pattern, hit: &EntryHit, line: &str) -> Option<EntryHit> {
        let span = Span::scan(line.as_bytes())?;
        let entry = Envelope::new(line.as_bytes(), &span);
        let blobs = |blob: &BlobRef| large_text(self.engine, blob);
        if !self.filter.fits(&entry, &blobs) {
            return None;
        }
        let judged = judge(pattern, &entry, &blobs)?;
        Some(EntryHit { facts: EntryFacts::of(&entry), judged, ..hit.clone() })
    }
}
