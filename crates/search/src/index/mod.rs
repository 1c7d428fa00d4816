//! `local/search/`: which blocks of the segments may hold a word, and which sessions name which files, errors, tools and
//! issues, so that a question about a long log reads a few rows of bits and a few blocks.
//!
//! A cache of this clone: where it is missing, damaged, or does not fit a segment, the segment is read. It is brought up to
//! date after an answer was told. Does not say what is found.

mod build;
mod edges;
mod gram;
mod layer;
mod manifest;
mod store;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use annals_engine::{Engine, EngineError};
use annals_log::segment::{Packing, Segment};

use self::build::Depth;
pub(crate) use self::edges::{Edge, EdgeKey, Edges, Entity};
use self::layer::Left;
use self::manifest::{BlockSpot, Manifest};
pub use self::store::{IndexState, update};
use crate::hit::HitKind;
use crate::query::Pattern;
use crate::scan::ScanTask;

/// Behind the index so many bytes of lines are read for the entities that they name; of more nothing is known until the
/// index has them.
const MOST_UNINDEXED: u64 = 4 << 20;

/// What is known of the segments of a log.
pub(crate) struct Index<'e> {
    engine: &'e Engine,
    manifest: Manifest,
    segments: Vec<Segment>,
    edges: OnceCell<Vec<Edges>>,
}

impl<'e> Index<'e> {
    /// What there is; nothing where it cannot be read.
    pub(crate) fn open(engine: &'e Engine) -> Result<Self, EngineError> {
        let segments = store::segments(engine)?;
        Ok(Self { engine, manifest: store::manifest(engine), segments, edges: OnceCell::new() })
    }

    /// Which stretches may hold what is looked for.
    pub(crate) fn candidates(&self, pattern: &Pattern) -> Candidates<'_> {
        let known = self.manifest.known(&self.segments, &|segment, at| store::tail(self.engine, segment, at));
        let bits = gram::wanted(pattern);
        let layers: BTreeSet<_> = known.values().flatten().map(|spot| spot.layer).collect();
        let left = |layer: usize| {
            let entry = &self.manifest.layers[layer];
            let left = if bits.is_empty() {
                Some(Left::all(entry.blocks()))
            } else {
                store::rows(self.engine, &entry.name)
                    .and_then(|file| layer::with_all(&*file, entry.blocks(), &bits).ok())
            };
            Some((layer, left?))
        };
        Candidates { left: layers.into_iter().filter_map(left).collect(), known }
    }

    /// The edges of the graph, those of each layer by themselves; then those behind the index, where that is little.
    pub(crate) fn edges(&self) -> Result<&[Edges], EngineError> {
        if self.edges.get().is_none() {
            let mut all: Vec<_> =
                self.manifest.layers.iter().filter_map(|layer| store::edges(self.engine, &layer.name)).collect();
            let (tasks, bytes) = self.unknown();
            if bytes <= MOST_UNINDEXED {
                all.extend(build::read_all(self.engine, &tasks, Depth::Edges)?.into_iter().map(|piece| piece.edges));
            }
            let _ = self.edges.set(all);
        }
        Ok(self.edges.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// The files that entries name.
    pub(crate) fn files(&self) -> Result<BTreeSet<&str>, EngineError> {
        let entities = self.edges()?.iter().flat_map(|edges| edges.entities.keys());
        Ok(entities.filter(|entity| entity.kind == HitKind::File).map(|entity| &*entity.name).collect())
    }

    /// Stretches that no layer covers, and how many bytes they have.
    fn unknown(&self) -> (Vec<ScanTask>, u64) {
        let known = self.manifest.known(&self.segments, &|segment, at| store::tail(self.engine, segment, at));
        let mut tasks = Vec::new();
        for segment in &self.segments {
            let end =
                known.get(segment.name.as_str()).and_then(|spots| spots.last()).map_or(0, |last| last.covered.end());
            tasks.extend(store::rest(segment, end));
        }
        let bytes = tasks.iter().map(|task| task.to - task.from).sum();
        (tasks, bytes)
    }
}

/// Which stretches may hold what is looked for.
pub(crate) struct Candidates<'i> {
    known: BTreeMap<&'i str, Vec<BlockSpot<'i>>>,
    left: BTreeMap<usize, Left>,
}

impl Candidates<'_> {
    /// Those of a segment, the last one first.
    pub(crate) fn tasks(&self, segment: &Segment) -> Vec<ScanTask> {
        let Some(spots) = self.known.get(segment.name.as_str()) else {
            return ScanTask::steps(segment, 0, segment.look.len);
        };
        if segment.packing() == Packing::Zstd {
            let is_possible = spots.iter().any(|spot| !self.stretches(*spot).is_empty());
            return if is_possible { ScanTask::steps(segment, 0, segment.look.len) } else { Vec::new() };
        }
        let end = spots.last().map_or(0, |last| last.covered.end());
        let mut tasks = ScanTask::steps(segment, end, segment.look.len);
        for spot in spots.iter().rev() {
            let stretches = self.stretches(*spot);
            tasks.extend(stretches.into_iter().rev().flat_map(|[from, to]| ScanTask::steps(segment, from, to)));
        }
        tasks
    }

    /// Blocks that are left, neighbours together; all of a layer that cannot be read.
    fn stretches(&self, spot: BlockSpot<'_>) -> Vec<[u64; 2]> {
        let BlockSpot { layer, first, covered } = spot;
        let left = self.left.get(&layer);
        let mut stretches: Vec<[u64; 2]> = Vec::new();
        let mut from = covered.from;
        for (number, end) in covered.ends.iter().enumerate() {
            if left.is_none_or(|left| left.has(first + number)) {
                match stretches.last_mut() {
                    Some(last) if last[1] == from => last[1] = *end,
                    Some(_) | None => stretches.push([from, *end]),
                }
            }
            from = *end;
        }
        stretches
    }
}
