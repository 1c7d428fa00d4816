//! The files of the index: read with distrust, written one after the other, each at once.
//!
//! What cannot be written is left: the next search tries again.

use std::ops::Range;
use std::path::PathBuf;

use annals_engine::{Engine, EngineError};
use annals_kernel::json::sha256_hex;
use annals_log::disk::{ReadAt, Safety};
use annals_log::sealed::{seal, unseal};
use annals_log::segment::{Packing, Segment};

use super::build::{Depth, PIECE_BYTES, Piece, read_all};
use super::edges::Edges;
use super::gram::Signature;
use super::layer;
use super::manifest::{Covered, LayerEntry, Manifest, VERSION};
use crate::scan::ScanTask;

/// A layer has no more blocks: 128 MiB of lines.
const MOST_BLOCKS: usize = 2048;

/// Fewer bytes than these are not worth a file.
const LEAST_BYTES: u64 = 2 << 20;

/// Pieces that are read before their blocks are written.
const PIECES_AT_ONCE: usize = 16;

/// No file of ours is longer.
const MOST_FILE_BYTES: u64 = 1 << 30;

/// So many bytes before the end of a stretch tell whether it is still the same.
const TAIL_BYTES: u64 = 4096;

/// How far the index has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexState {
    /// Bytes of lines that it has taken in now.
    pub taken: u64,
    /// Bytes of lines that it has not.
    pub left: u64,
}

fn folder(engine: &Engine) -> PathBuf {
    engine.place().local().join("search")
}

/// The segments as they were when the log was folded.
pub(super) fn segments(engine: &Engine) -> Result<Vec<Segment>, EngineError> {
    let marks = engine.marks()?;
    Ok(marks.iter().map(|(name, mark)| Segment { name: name.to_owned(), look: mark.look }).collect())
}

/// What is written there; nothing of another version or a damaged one.
pub(super) fn manifest(engine: &Engine) -> Manifest {
    let read = || {
        let bytes = engine.disk().read_at_most(&folder(engine).join("manifest"), MOST_FILE_BYTES).ok()??;
        let manifest: Manifest = serde_json::from_str(unseal(&bytes)?).ok()?;
        let is_plain = |layer: &LayerEntry| layer.name.bytes().all(|byte| byte.is_ascii_hexdigit());
        (manifest.version == VERSION && manifest.layers.iter().all(is_plain)).then_some(manifest)
    };
    read().unwrap_or_default()
}

pub(super) fn rows(engine: &Engine, name: &str) -> Option<Box<dyn ReadAt>> {
    engine.disk().open(&folder(engine).join(format!("{name}.rows"))).ok()
}

pub(super) fn edges(engine: &Engine, name: &str) -> Option<Edges> {
    Edges::read(&engine.disk().read_at_most(&folder(engine).join(format!("{name}.edges")), MOST_FILE_BYTES).ok()??)
}

/// A hash of the bytes before an offset of a segment.
pub(super) fn tail(engine: &Engine, segment: &Segment, at: u64) -> Option<u64> {
    let file = engine.disk().open(&engine.place().history().join(&segment.name)).ok()?;
    let from = at.saturating_sub(TAIL_BYTES);
    let mut bytes = vec![0; usize::try_from(at - from).ok()?];
    (file.read_at(&mut bytes, from).ok()? == bytes.len()).then(|| hash(&bytes))
}

fn hash(bytes: &[u8]) -> u64 {
    u64::from_str_radix(&sha256_hex(bytes)[..16], 16).unwrap_or_default()
}

/// What of a segment lies behind an offset, in pieces.
pub(super) fn rest(segment: &Segment, end: u64) -> Vec<ScanTask> {
    if end >= segment.look.len || segment.packing() == Packing::Zstd && end > 0 {
        return Vec::new();
    }
    let mut tasks = ScanTask::steps(segment, end, segment.look.len);
    tasks.reverse();
    tasks.chunks(usize::try_from(PIECE_BYTES >> 20).unwrap_or(1)).map(joined).collect()
}

fn joined(steps: &[ScanTask]) -> ScanTask {
    let to = steps.last().map_or(0, |last| last.to);
    ScanTask { to, ..steps[0].clone() }
}

/// Takes in what the index does not have, up to so many bytes, the newest segments first. Nothing where that is too little.
pub fn update(engine: &Engine, most_bytes: u64) -> Result<IndexState, EngineError> {
    update_within(engine, LEAST_BYTES..most_bytes)
}

/// The same, from so many bytes on.
pub(super) fn update_within(engine: &Engine, bounds: Range<u64>) -> Result<IndexState, EngineError> {
    let index = super::Index::open(engine)?;
    let (mut tasks, bytes) = index.unknown();
    if bytes < bounds.start {
        return Ok(IndexState { taken: 0, left: bytes });
    }
    // Within a segment from its beginning on, because what is known of it has no gap.
    let last = |name: &str| engine.marks().ok().and_then(|marks| marks.get(name).map(|mark| mark.last));
    let order: std::collections::BTreeMap<_, _> =
        index.segments.iter().map(|segment| (segment.name.clone(), last(&segment.name))).collect();
    tasks.sort_by(|left, right| {
        let of = |task: &ScanTask| order.get(&task.segment.name).copied().flatten();
        of(right).cmp(&of(left)).then_with(|| (&left.segment.name, left.from).cmp(&(&right.segment.name, right.from)))
    });
    let mut manifest = kept(&index);
    let mut state = IndexState { taken: 0, left: bytes };
    let Some(mut growing) = Growing::open(engine, &mut manifest) else { return Ok(state) };
    for tasks in tasks.chunks(PIECES_AT_ONCE) {
        if state.taken >= bounds.end {
            break;
        }
        for piece in read_all(engine, tasks, Depth::Whole)? {
            let to = piece.ends.last().copied().unwrap_or(piece.from);
            state.taken +=
                if piece.segment.packing() == Packing::Zstd { piece.segment.look.len } else { to - piece.from };
            growing.take(piece);
            if growing.signatures.len() >= MOST_BLOCKS {
                manifest.layers.extend(growing.write());
                growing = Growing::new(engine);
            }
        }
    }
    manifest.layers.extend(growing.write());
    manifest.version = VERSION;
    state.left = bytes.saturating_sub(state.taken);
    write_manifest(engine, &manifest);
    Ok(state)
}

/// The manifest without what counts no more. A layer of which nothing counts goes.
fn kept(index: &super::Index<'_>) -> Manifest {
    let known = index.manifest.known(&index.segments, &|segment, at| tail(index.engine, segment, at));
    let is_known = |number: usize| known.values().flatten().any(|spot| spot.layer == number);
    let layers = index.manifest.layers.iter().enumerate().filter(|(number, _)| is_known(*number));
    Manifest { version: VERSION, layers: layers.map(|(_, layer)| layer.clone()).collect() }
}

fn write_manifest(engine: &Engine, manifest: &Manifest) {
    let (disk, folder) = (engine.disk(), folder(engine));
    let Ok(text) = serde_json::to_string(manifest) else { return };
    if disk.replace(&folder.join("manifest"), seal(&text).as_bytes(), Safety::Cached).is_err() {
        return;
    }
    let is_named =
        |file: &str| manifest.layers.iter().any(|layer| file.starts_with(&*layer.name) && !layer.name.is_empty());
    for file in disk.list(&folder).unwrap_or_default() {
        if file.name != "manifest" && !is_named(&file.name) {
            // Another search may have written it; then that one writes it again.
            let _ = disk.remove(&folder.join(&file.name));
        }
    }
}

/// A layer that grows.
struct Growing<'e> {
    engine: &'e Engine,
    covered: Vec<Covered>,
    signatures: Vec<Signature>,
    edges: Edges,
}

impl<'e> Growing<'e> {
    fn new(engine: &'e Engine) -> Self {
        Self { engine, covered: Vec::new(), signatures: Vec::new(), edges: Edges::default() }
    }

    /// Goes on with the last layer, where it has room; `None` where nothing can be written.
    fn open(engine: &'e Engine, manifest: &mut Manifest) -> Option<Self> {
        engine.disk().create_folder(&folder(engine)).ok()?;
        let Some(last) = manifest.layers.last().filter(|last| last.blocks() < MOST_BLOCKS) else {
            return Some(Self::new(engine));
        };
        let path = folder(engine).join(format!("{}.rows", last.name));
        let bytes = engine.disk().read_at_most(&path, MOST_FILE_BYTES).ok().flatten();
        let signatures = bytes.and_then(|bytes| layer::read(&bytes, last.blocks()));
        let last = manifest.layers.pop().unwrap_or_default();
        // What cannot be read is left out, and taken in another time.
        Some(match signatures.zip(edges(engine, &last.name)) {
            Some((signatures, edges)) => Self { engine, covered: last.covered, signatures, edges },
            None => Self::new(engine),
        })
    }

    fn take(&mut self, piece: Piece) {
        let Piece { segment, from, ends, signatures, edges } = piece;
        let Some(end) = ends.last().copied() else { return };
        self.signatures.extend(signatures);
        self.edges.join(&edges);
        let tail = match segment.packing() {
            Packing::Plain => tail(self.engine, &segment, end).unwrap_or_default(),
            Packing::Zstd => 0,
        };
        match self.covered.last_mut() {
            Some(last) if last.segment == segment.name && last.end() == from => {
                last.ends.extend(ends);
                (last.tail, last.look) = (tail, segment.look);
            }
            Some(_) | None => {
                self.covered.push(Covered { segment: segment.name, look: segment.look, from, ends, tail });
            }
        }
    }

    /// Writes it; nothing where there is nothing, or where it cannot be written.
    fn write(self) -> Option<LayerEntry> {
        if self.signatures.is_empty() {
            return None;
        }
        let rows = layer::write(&self.signatures);
        let name = sha256_hex(&rows)[..16].to_owned();
        let write = |ending: &str, bytes: &[u8]| {
            let path = folder(self.engine).join(format!("{name}.{ending}"));
            self.engine.disk().replace(&path, bytes, Safety::Cached).ok()
        };
        write("rows", &rows)?;
        write("edges", &self.edges.write())?;
        Some(LayerEntry { name, covered: self.covered })
    }
}
