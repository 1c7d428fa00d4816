//! Lines that are not here because another branch has them: no hole (decision 43).
//!
//! Asks the tips of branches, tags and remote branches, by a process; only where lines are missing. Does not say what is
//! missing; `verify` does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::LogError;
use super::batch::Batch;
use super::git::{BlobId, GitError, Repository, Tracked};
use super::second::RESTORED;
use super::segment::{Owner, Packing};
use super::tail::Repair;
use super::taken::{Asks, Git};
use super::unpack::{Allowance, each_batch};
use super::writer::Log;
use crate::kernel::annals::{Head, LineHash};
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

/// Lines that are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Which.
    pub stretch: Stretch,
    /// By which hashes some of them are known: each holds that of the line before it.
    pub known: Vec<Head>,
}

/// Lines of other contents than the work tree's: by writer and count.
#[derive(Debug, Default)]
struct Lines(BTreeMap<(WriterId, u64), Vec<Line>>);

#[derive(Debug)]
struct Line {
    hash: LineHash,
    previous: LineHash,
    /// What it says it was before scrubs.
    formers: Vec<LineHash>,
}

impl Lines {
    fn add(&mut self, batch: &Batch) {
        for entry in batch.entries() {
            if let Some(link) = entry.envelope.link() {
                let (hash, formers) = (LineHash::of(entry.original), entry.envelope.scrubbed());
                let line = Line { hash, previous: link.previous, formers };
                self.0.entry((link.writer, link.count)).or_default().push(line);
            }
        }
    }

    /// Whether all of some lines are among these: those that are known by a hash, and behind each all before it.
    fn have(&self, Missing { stretch, known }: &Missing) -> bool {
        known.iter().any(|head| head.count == stretch.last) && known.iter().all(|head| self.lead_back(stretch, *head))
    }

    fn lead_back(&self, stretch: &Stretch, head: Head) -> bool {
        let mut wanted = head.hash;
        (stretch.first..=head.count).rev().all(|count| {
            let line = self.find(&stretch.writer, count, wanted);
            wanted = line.map_or(wanted, |line| line.previous);
            line.is_some()
        })
    }

    fn find(&self, writer: &WriterId, count: u64, hash: LineHash) -> Option<&Line> {
        let lines = self.0.get(&(writer.clone(), count))?;
        let is_it = |line: &&Line| line.hash == hash;
        lines.iter().find(is_it).or_else(|| lines.iter().find(|line| line.formers.contains(&hash)))
    }

    fn have_one_of(&self, Stretch { writer, first, last }: &Stretch) -> bool {
        self.0.range((writer.clone(), *first)..=(writer.clone(), *last)).next().is_some()
    }
}

impl Log {
    /// Those of some stretches that other branches hold whole, and this one never had; none where nobody can be asked.
    pub fn elsewhere(&self, missing: &[Missing]) -> Result<BTreeSet<Stretch>, LogError> {
        let Some(Git { known: Some(known), asks: Asks::Branches }) = &self.git else { return Ok(BTreeSet::new()) };
        let held = self.held(missing, |writers| on_branches(&known.repository, writers))?;
        let there: Vec<_> = missing.iter().filter(|gap| held.have(gap)).cloned().collect();
        let dropped = self.held(&there, |writers| dropped(&known.repository, writers))?;
        Ok(there.into_iter().map(|gap| gap.stretch).filter(|stretch| !dropped.have_one_of(stretch)).collect())
    }

    /// The lines of some files, where something is missing.
    fn held(
        &self,
        missing: &[Missing],
        files: impl Fn(&BTreeSet<&WriterId>) -> Result<BTreeMap<BlobId, String>, GitError>,
    ) -> Result<Lines, LogError> {
        let mut lines = Lines::default();
        let (Some(known), false) = (self.known(), missing.is_empty()) else { return Ok(lines) };
        let asked = |error: GitError| self.unasked(&error);
        let files = files(&missing.iter().map(|gap| &gap.stretch.writer).collect()).map_err(asked)?;
        let mut allowance = Allowance::of_many();
        for (id, bytes) in known.repository.contents(&files.keys().cloned().collect()).map_err(asked)? {
            self.each_batch(&files[&id], bytes, &mut allowance, &mut |batch| lines.add(&batch));
        }
        Ok(lines)
    }

    /// Hands over the lines of a segment of a branch, piece by piece. Whoever can be told is told of what is packed so that
    /// it cannot be read: it counts as not there.
    fn each_batch(&self, path: &str, bytes: Vec<u8>, allowance: &mut Allowance, take: &mut dyn FnMut(Batch)) {
        if let Some(problem) = each_batch(Packing::of(path), bytes, allowance, take) {
            (self.tell)(&Repair::LeftPacked { path: path.to_owned(), problem });
        }
    }

    pub(super) fn unasked(&self, error: &GitError) -> LogError {
        let source = io::Error::other(error.to_string());
        LogError::Io { doing: "ask the branches about", path: self.place.context().to_owned(), source }
    }
}

/// Segments of other branches. What this branch has, and the work tree has not, is missing all the same.
fn on_branches(repository: &Repository, writers: &BTreeSet<&WriterId>) -> Result<BTreeMap<BlobId, String>, GitError> {
    let index = repository.index()?;
    let held = repository.held_below("history")?;
    let is_other = |(path, _): &(String, _)| is_of(path, writers) && index.tracks(path) == Tracked::No;
    let others = held.blobs.into_iter().filter(is_other);
    Ok(others.flat_map(|(path, ids)| ids.into_iter().map(move |id| (id, path.clone()))).collect())
}

/// Segments that a commit of this branch took away or changed, as they were before. The one of a day that everybody
/// wrote into, in older logs, was changed by every commit: only where it is gone.
fn dropped(repository: &Repository, writers: &BTreeSet<&WriterId>) -> Result<BTreeMap<BlobId, String>, GitError> {
    let index = repository.index()?;
    let is_asked = |path: &str| is_of(path, writers) && (is_own(path) || index.tracks(path) == Tracked::No);
    let dropped = repository.dropped_below("history")?;
    Ok(dropped.into_iter().filter(|(_, path)| is_asked(path)).collect())
}

/// Whether one writer alone writes a file.
fn is_own(path: &str) -> bool {
    let owner = path.strip_prefix("history/").and_then(Owner::of);
    matches!(owner, Some((_, Owner::Writer { .. })))
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
