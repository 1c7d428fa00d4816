//! Lines that are not here because another branch has them: no hole (decision 43).
//!
//! Asks the tips of branches, tags and remote branches, by a process; only where lines are missing. Does not say what is
//! missing; `verify` does.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};

use super::LogError;
use super::batch::Batch;
use super::git::{GitError, Tracked};
use super::second::RESTORED;
use super::segment::{Owner, Packing};
use super::taken::{Asks, Git, Known};
use super::writer::Log;
use crate::kernel::id::WriterId;

/// Lines of one writer, by their counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// The writer.
    pub writer: WriterId,
    /// The count of the first.
    pub first: u64,
    /// The count of the last.
    pub last: u64,
}

/// Unpacked, a segment of a branch is read up to so many bytes.
const MOST_BYTES: u64 = 1 << 30;

impl Log {
    /// Those of some stretches that other branches hold whole; none where nobody can be asked.
    pub fn elsewhere(&self, missing: &BTreeSet<Stretch>) -> Result<BTreeSet<Stretch>, LogError> {
        let Some(Git { known: Some(known), asks: Asks::Branches }) = &self.git else { return Ok(BTreeSet::new()) };
        if missing.is_empty() {
            return Ok(BTreeSet::new());
        }
        let counts = self.counts_of_branches(known, missing)?;
        let is_held = |stretch: &&Stretch| {
            let counts = counts.get(&stretch.writer);
            counts.is_some_and(|counts| (stretch.first..=stretch.last).all(|count| counts.contains(&count)))
        };
        Ok(missing.iter().filter(is_held).cloned().collect())
    }

    /// Which lines of these writers stand in segments of other branches. What this branch has, and the work tree has not,
    /// is missing all the same.
    fn counts_of_branches(
        &self,
        known: &Known,
        missing: &BTreeSet<Stretch>,
    ) -> Result<BTreeMap<WriterId, BTreeSet<u64>>, LogError> {
        let writers: BTreeSet<_> = missing.iter().map(|stretch| &stretch.writer).collect();
        let asked = |error: GitError| self.unasked(&error);
        let index = known.repository.index().map_err(asked)?;
        let held = known.repository.held_below("history").map_err(asked)?;
        let is_other = |path: &&String| is_of(path, &writers) && index.tracks(path) == Tracked::No;
        let paths = held.blobs.keys().filter(is_other);
        let ids: BTreeMap<_, _> =
            paths.flat_map(|path| held.blobs[path].iter().map(move |id| (id.clone(), path))).collect();
        let contents = known.repository.contents(&ids.keys().cloned().collect()).map_err(asked)?;
        let mut counts: BTreeMap<WriterId, BTreeSet<u64>> = BTreeMap::new();
        for (id, bytes) in contents {
            for entry in Batch::decode(unpacked(ids[&id], bytes), 0).entries() {
                if let Some((writer, count)) = entry.envelope.writer() {
                    counts.entry(writer.as_ref().into()).or_default().insert(count);
                }
            }
        }
        Ok(counts)
    }

    pub(super) fn unasked(&self, error: &GitError) -> LogError {
        let source = io::Error::other(error.to_string());
        LogError::Io { doing: "ask the branches about", path: self.place.context().to_owned(), source }
    }
}

/// Whether a file of a branch may hold lines of some writers.
fn is_of(path: &str, writers: &BTreeSet<&WriterId>) -> bool {
    let Some(name) = path.strip_prefix("history/") else { return false };
    match Owner::of(name) {
        Some((_, Owner::Writer { writer, .. })) => writers.contains(&writer) || writer.as_str().starts_with(RESTORED),
        Some((_, Owner::Everybody)) => true,
        None => Packing::of(name) == Packing::Zstd,
    }
}

/// The lines of a segment; none where a packed one cannot be read.
pub(super) fn unpacked(path: &str, bytes: Vec<u8>) -> Vec<u8> {
    match Packing::of(path) {
        Packing::Plain => bytes,
        Packing::Zstd => {
            let mut lines = Vec::new();
            let decoder = zstd::stream::read::Decoder::new(bytes.as_slice());
            let read = decoder.and_then(|decoder| decoder.take(MOST_BYTES).read_to_end(&mut lines));
            if read.is_ok() { lines } else { Vec::new() }
        }
    }
}
