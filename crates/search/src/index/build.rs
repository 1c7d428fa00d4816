//! Reads stretches of segments block by block: which bytes stand in their texts, and which entities they name.
//!
//! Does not write files; `store` does.

use std::sync::atomic::{AtomicBool, Ordering};

use annals_engine::{Engine, EngineError};
use annals_log::LogError;
use annals_log::batch::Batch;
use annals_log::blob::BlobRef;
use annals_log::read::{self, Flow};
use annals_log::segment::{Packing, Segment};

use super::edges::Edges;
use super::gram::Signature;
use crate::scan::{Opened, ScanTask, large_text, side_by_side, whole_lines};
use crate::texts;

/// A block ends with the line that reaches this.
const BLOCK_BYTES: usize = 64 << 10;

/// What a thread takes at a time.
pub(super) const PIECE_BYTES: u64 = 2 << 20;

/// What is made of each entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Its texts and its entities.
    Whole,
    /// Its entities alone.
    Edges,
}

/// What a stretch of a segment came to.
#[derive(Debug)]
pub(super) struct Piece {
    pub segment: Segment,
    pub from: u64,
    /// Where each block ends.
    pub ends: Vec<u64>,
    pub signatures: Vec<Signature>,
    pub edges: Edges,
}

/// Reads the lines that begin in some stretches, on as many threads as there are cores; in their order.
pub(super) fn read_all(engine: &Engine, tasks: &[ScanTask], depth: Depth) -> Result<Vec<Piece>, EngineError> {
    side_by_side(tasks, |task, opened| read(engine, task, depth, opened))
}

fn read(engine: &Engine, task: &ScanTask, depth: Depth, opened: &mut Opened) -> Result<Piece, EngineError> {
    let (ends, signatures) = (Vec::new(), Vec::new());
    let mut piece = Piece { segment: task.segment.clone(), from: task.from, ends, signatures, edges: Edges::default() };
    let history = engine.place().history();
    match task.segment.packing() {
        Packing::Plain => {
            let path = history.join(&task.segment.name);
            let read = whole_lines(opened.open(engine, &path)?, task).map_err(LogError::at("read", &path))?;
            let bytes = &read.bytes[read.skip..];
            // A stretch may begin within a line, which belongs to the one before it.
            piece.from = read.base + read.skip as u64;
            // A line without its end may go on.
            let whole = memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1);
            let mut at = 0;
            for newline in memchr::memchr_iter(b'\n', &bytes[..whole]) {
                let end = newline + 1;
                if end - at >= BLOCK_BYTES || end == whole {
                    let base = read.base + (read.skip + at) as u64;
                    piece.block(engine, &Batch::decode(bytes[at..end].to_vec(), base), depth);
                    at = end;
                }
            }
        }
        Packing::Zstd => {
            let stretch = read::Stretch { segment: task.segment.clone(), from: 0 };
            read::read(&**engine.disk(), history, &[stretch], &mut |_, batch| {
                piece.block(engine, &batch, depth);
                Flow::More
            })?;
        }
    }
    Ok(piece)
}

impl Piece {
    fn block(&mut self, engine: &Engine, batch: &Batch, depth: Depth) {
        let mut signature = Signature::default();
        let is_partly_read = AtomicBool::new(!batch.troubles.is_empty());
        let large = |blob: &BlobRef| {
            let text = large_text(engine, blob);
            if text.is_none() {
                is_partly_read.store(true, Ordering::Relaxed);
            }
            text
        };
        for placed in batch.entries() {
            self.edges.see(&placed.envelope);
            if depth == Depth::Whole {
                texts::each(&placed.envelope, &large, &mut |_, text| signature.add(text));
            }
        }
        if is_partly_read.into_inner() {
            signature.fill();
        }
        self.ends.push(batch.end);
        if depth == Depth::Whole {
            self.signatures.push(signature);
        }
    }
}
