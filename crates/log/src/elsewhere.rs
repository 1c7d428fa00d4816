//! Lines that are not here because another branch has them, or a sparse checkout leaves their files out: no hole (decision 43).
//!
//! Asks the tips of branches, tags and remote branches, by a process; only where lines are missing. A partial clone may not
//! have what they hold: then nobody can say. Does not say what is missing; `verify` does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::LogError;
use super::batch::Batch;
use super::git::{BlobId, GitError, HeldPaths, Repository, Tracked};
use super::second::RESTORED;
use super::segment::{Packing, SegmentOwner};
use super::tail::Repair;
use super::taken::{Asks, Git, below};
use super::unpack::{Allowance, each_batch};
use super::writer::Log;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::WriterId;

/// Lines of one writer, by their counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WriterStretch {
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
    pub stretch: WriterStretch,
    /// By which hashes some of them are known: each holds that of the line before it.
    pub known: Vec<Head>,
}

/// Lines of other contents than the work tree's: by writer and count.
#[derive(Debug, Default)]
struct ElsewhereLines(BTreeMap<(WriterId, u64), Vec<ElsewhereLine>>);

#[derive(Debug)]
struct ElsewhereLine {
    hash: LineHash,
    previous: LineHash,
    /// What it says it was before scrubs.
    formers: Vec<LineHash>,
}

impl ElsewhereLines {
    fn add(&mut self, batch: &Batch) {
        for entry in batch.entries() {
            if let Some(link) = entry.envelope.link() {
                let (hash, formers) = (LineHash::of(entry.original), entry.envelope.scrubbed());
                let line = ElsewhereLine { hash, previous: link.previous, formers };
                self.0.entry((link.writer, link.count)).or_default().push(line);
            }
        }
    }

    /// Whether all of some lines are among these: those that are known by a hash, and behind each all before it.
    fn have(&self, Missing { stretch, known }: &Missing) -> bool {
        known.iter().any(|head| head.count == stretch.last) && known.iter().all(|head| self.lead_back(stretch, *head))
    }

    fn lead_back(&self, stretch: &WriterStretch, head: Head) -> bool {
        // Writer and count are claims that a merged line can make of anything; only hashes that lead from line to
        // line prove that a branch holds the very lines which are missing here.
        let mut wanted = head.hash;
        (stretch.first..=head.count).rev().all(|count| {
            let line = self.find(&stretch.writer, count, wanted);
            wanted = line.map_or(wanted, |line| line.previous);
            line.is_some()
        })
    }

    fn find(&self, writer: &WriterId, count: u64, hash: LineHash) -> Option<&ElsewhereLine> {
        let lines = self.0.get(&(writer.clone(), count))?;
        let is_it = |line: &&ElsewhereLine| line.hash == hash;
        lines.iter().find(is_it).or_else(|| lines.iter().find(|line| line.formers.contains(&hash)))
    }

    /// Whether some of them are among these, but for the counts that stand here after all.
    fn have_one_of(
        &self,
        WriterStretch { writer, first, last }: &WriterStretch,
        here: &BTreeSet<(WriterId, u64)>,
    ) -> bool {
        let mut counts = self.0.range((writer.clone(), *first)..=(writer.clone(), *last));
        counts.any(|(count, _)| !here.contains(count))
    }

    fn take(&mut self, others: Self) {
        for (count, lines) in others.0 {
            self.0.entry(count).or_default().extend(lines);
        }
    }
}

/// Where lines are that are missing here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Elsewhere {
    /// Other branches hold them whole, and this one never had them.
    pub branches: BTreeSet<WriterStretch>,
    /// Files of this branch hold them, which a sparse checkout leaves out of the work tree.
    pub left_out: BTreeSet<WriterStretch>,
    /// Nobody can say: files that may hold them were not fetched into this partial clone.
    pub unfetched: BTreeSet<WriterStretch>,
}

impl Elsewhere {
    /// Whether lines that are missing are no hole, as far as can be said here.
    pub fn has(&self, stretch: &WriterStretch) -> bool {
        [&self.branches, &self.left_out, &self.unfetched].into_iter().any(|all| all.contains(stretch))
    }
}

/// Contents of git's by their ids, with the path that each has.
type BlobFiles = BTreeMap<BlobId, String>;

/// What files that are not in the work tree hold.
#[derive(Debug, Default)]
struct Contents {
    lines: ElsewhereLines,
    /// Files and folders that are not here, in a partial clone, where nothing is wrong with that. A folder has a slash at its
    /// end; the empty one is `.context`.
    unfetched: BTreeSet<String>,
}

impl Contents {
    /// Whether lines of a writer may stand in what is not here.
    fn may_have(&self, writer: &WriterId) -> bool {
        let writers = BTreeSet::from([writer]);
        let is_folder = |path: &str| path.is_empty() || path.ends_with('/') && !path.starts_with("history/blobs/");
        self.unfetched.iter().any(|path| is_folder(path) || is_of(path, &writers))
    }
}

/// What is asked about missing lines.
struct Witnesses {
    /// Files of this branch that a sparse checkout leaves out; the lines in them are among those of the branches.
    own: Contents,
    here: BTreeSet<(WriterId, u64)>,
    branches: Contents,
    /// What commits of this branch took away; `None` where its past was not fetched into this partial clone.
    dropped: Option<Contents>,
}

impl Witnesses {
    /// Puts missing lines where they are, if they are anywhere. What this branch took away is missing, whoever else has it;
    /// where the files that it took were not fetched, nothing else that was not fetched excuses it.
    fn place(&self, gap: &Missing, found: &mut Elsewhere) {
        let (stretch, is_there) = (&gap.stretch, self.branches.lines.have(gap));
        let is_dropped = |dropped: &Contents| dropped.lines.have_one_of(stretch, &self.here);
        let may_be_dropped = |dropped: &Contents| dropped.may_have(&stretch.writer);
        let may_be_there = self.branches.may_have(&stretch.writer);
        let place = match &self.dropped {
            Some(dropped) if is_dropped(dropped) => None,
            Some(dropped) if is_there && !may_be_dropped(dropped) => Some(&mut found.branches),
            Some(_) | None if is_there || self.own.may_have(&stretch.writer) => Some(&mut found.unfetched),
            Some(dropped) if may_be_dropped(dropped) => None,
            Some(_) | None => may_be_there.then_some(&mut found.unfetched),
        };
        if let Some(place) = place {
            place.insert(stretch.clone());
        }
    }
}

impl Log {
    /// Where some stretches are instead of here; nowhere where nobody can be asked. What must be here is looked for only in
    /// files of this branch that a sparse checkout leaves out.
    pub fn elsewhere(
        &self,
        missing: &[Missing],
        must_be_here: impl Fn(&WriterStretch) -> bool,
    ) -> Result<Elsewhere, LogError> {
        let mut found = Elsewhere::default();
        let Some(repository) = self.asked().filter(|_| !missing.is_empty()) else { return Ok(found) };
        let left_out = self.left_out_of(repository)?;
        let own = self.contents(repository, left_out.files.clone(), left_out.unfetched.clone())?;
        let (there, missing): (Vec<_>, Vec<_>) = missing.iter().partition(|gap| own.lines.have(gap));
        found.left_out = there.into_iter().map(|gap| gap.stretch.clone()).collect();
        let missing: Vec<_> = missing.into_iter().filter(|gap| !must_be_here(&gap.stretch)).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let witnesses = self.witnesses(repository, own, &left_out, &missing)?;
        for gap in missing {
            witnesses.place(gap, &mut found);
        }
        Ok(found)
    }

    /// The files below `.context` that a sparse checkout leaves out of the work tree; `None` where git cannot say.
    pub fn left_out_files(&self) -> Option<BTreeSet<String>> {
        let Some(repository) = self.asked() else { return Some(BTreeSet::new()) };
        let is_gone = |path: &String| matches!(self.disk.look(&self.place.context().join(path)), Ok(None));
        Some(repository.left_out_below("").ok()?.into_keys().filter(is_gone).collect())
    }

    /// The repository, where it may be asked by a process.
    fn asked(&self) -> Option<&Repository> {
        match &self.git {
            Some(Git { known: Some(known), asks: Asks::Branches }) => Some(&known.repository),
            Some(Git { known: None, .. } | Git { asks: Asks::Nobody, .. }) | None => None,
        }
    }

    fn witnesses(
        &self,
        repository: &Repository,
        mut own: Contents,
        left_out: &Unread,
        missing: &[&Missing],
    ) -> Result<Witnesses, LogError> {
        let writers = missing.iter().map(|gap| &gap.stretch.writer).collect();
        let others = on_branches(repository, &writers, left_out).map_err(|error| self.unasked(&error))?;
        let mut branches = self.contents(repository, others.files, others.unfetched)?;
        let here = own.lines.0.keys().cloned().collect();
        branches.lines.take(std::mem::take(&mut own.lines));
        // Only then: a look through every commit takes 2.5 s for 23,000 of them (docs/VERIFY.md).
        if !missing.iter().all(|gap| branches.lines.have(gap)) {
            branches.lines.take(self.in_other_places(repository, &writers)?);
        }
        // What a shallow clone does not know of its past may have taken away everything.
        let unknown = BTreeSet::from([String::new()]).into_iter().filter(|_| repository.is_shallow()).collect();
        let dropped = match dropped(repository, &writers) {
            Ok(files) => Some(self.contents(repository, files, unknown)?),
            // Without its trees nobody knows the past of a branch, as in a shallow clone.
            Err(GitError::Failed { .. }) if repository.is_partial() => None,
            Err(error) => return Err(self.unasked(&error)),
        };
        Ok(Witnesses { own, here, branches, dropped })
    }

    /// Lines of some writers that branches hold in folders of other names: there this one stood when they were written, or has
    /// moved since. Where a partial clone has no past, none is known.
    fn in_other_places(
        &self,
        repository: &Repository,
        writers: &BTreeSet<&WriterId>,
    ) -> Result<ElsewhereLines, LogError> {
        let is_asked = |name: &str| is_of(&below(name), writers) && is_own(&below(name));
        let places = match repository.other_places(is_asked) {
            Ok(places) => places,
            Err(GitError::Failed { .. }) if repository.is_partial() => return Ok(ElsewhereLines::default()),
            Err(error) => return Err(self.unasked(&error)),
        };
        let mut lines = ElsewhereLines::default();
        for place in places {
            let held = repository.with_prefix(&place).held_below("history").map_err(|error| self.unasked(&error))?;
            let files = held.blobs.into_iter().filter(|(path, _)| is_of(path, writers));
            let files = files.flat_map(|(path, ids)| ids.into_iter().map(move |id| (id, path.clone()))).collect();
            lines.take(self.contents(repository, files, BTreeSet::new())?.lines);
        }
        Ok(lines)
    }

    /// Segments of this branch that a sparse checkout leaves out, and that are not in the work tree.
    fn left_out_of(&self, repository: &Repository) -> Result<Unread, LogError> {
        let left_out = match repository.left_out_below("history") {
            Ok(left_out) => left_out,
            Err(GitError::Failed { .. }) if repository.is_partial() => {
                return Ok(Unread { unfetched: BTreeSet::from([String::new()]), ..Unread::default() });
            }
            Err(error) => return Err(self.unasked(&error)),
        };
        let is_gone = |path: &str| matches!(self.disk.look(&self.place.context().join(path)), Ok(None));
        let tracked = left_out.keys().cloned().collect();
        let files = left_out.into_iter().filter(|(path, _)| is_segment(path) && is_gone(path));
        Ok(Unread { files: files.map(|(path, id)| (id, path)).collect(), tracked, unfetched: BTreeSet::new() })
    }

    /// Reads some files. Only a partial clone may be without a content.
    fn contents(
        &self,
        repository: &Repository,
        files: BlobFiles,
        mut unfetched: BTreeSet<String>,
    ) -> Result<Contents, LogError> {
        // One bound for all: three archives of 30 KB, unpacked whole, took 2 GB of memory and half a minute.
        let (mut lines, mut allowance) = (ElsewhereLines::default(), Allowance::of_many());
        let mut contents =
            repository.contents(&files.keys().cloned().collect()).map_err(|error| self.unasked(&error))?;
        for (id, path) in files {
            match contents.remove(&id) {
                Some(bytes) => self.each_batch(&path, bytes, &mut allowance, &mut |batch| lines.add(&batch)),
                None if repository.is_partial() => {
                    unfetched.insert(path);
                }
                None => {}
            }
        }
        Ok(Contents { lines, unfetched })
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

/// Files that are not in the work tree.
#[derive(Debug, Default)]
struct Unread {
    files: BlobFiles,
    /// All that this branch has in their folders, there or not.
    tracked: BTreeSet<String>,
    /// Folders that are not here, in a partial clone.
    unfetched: BTreeSet<String>,
}

/// Segments of other branches. What this branch has, and the work tree has not, is missing all the same.
fn on_branches(repository: &Repository, writers: &BTreeSet<&WriterId>, left_out: &Unread) -> Result<Unread, GitError> {
    let index = repository.index()?;
    let HeldPaths { blobs, unfetched, .. } = repository.held_below("history")?;
    // A folder that a sparse checkout leaves out covers every name in it, and has some of them.
    let is_tracked = |path: &String| match index.tracks(path) {
        Tracked::No => false,
        Tracked::Covered => {
            !index.leaves_out(path) || !left_out.unfetched.is_empty() || left_out.tracked.contains(path)
        }
        Tracked::Yes(_) => true,
    };
    let others = blobs.into_iter().filter(|(path, _)| is_of(path, writers) && !is_tracked(path));
    let files = others.flat_map(|(path, ids)| ids.into_iter().map(move |id| (id, path.clone()))).collect();
    Ok(Unread { files, unfetched, ..Unread::default() })
}

/// Segments that a commit of this branch took away or changed, as they were before. The one of a day that everybody
/// wrote into, in older logs, was changed by every commit: only where it is gone.
fn dropped(repository: &Repository, writers: &BTreeSet<&WriterId>) -> Result<BlobFiles, GitError> {
    let index = repository.index()?;
    let is_asked = |path: &str| is_of(path, writers) && (is_own(path) || index.tracks(path) == Tracked::No);
    let dropped = repository.dropped_below("history")?;
    Ok(dropped.into_iter().filter(|(_, path)| is_asked(path)).collect())
}

/// Whether a file below `.context` is one that lines are read from.
fn is_segment(path: &str) -> bool {
    let name = path.strip_prefix("history/");
    name.is_some_and(|name| SegmentOwner::of(name).is_some() || Packing::of(name) == Packing::Zstd)
}

/// Whether one writer alone writes a file.
fn is_own(path: &str) -> bool {
    let owner = path.strip_prefix("history/").and_then(SegmentOwner::of);
    matches!(owner, Some((_, SegmentOwner::Writer { .. })))
}

/// Whether a file of a branch may hold lines of some writers.
fn is_of(path: &str, writers: &BTreeSet<&WriterId>) -> bool {
    let Some(name) = path.strip_prefix("history/") else { return false };
    match SegmentOwner::of(name) {
        // A segment that was put back has the name of who did so, and may hold lines of any writer.
        Some((_, SegmentOwner::Writer { writer, .. })) => {
            writers.contains(&writer) || writer.as_str().starts_with(RESTORED)
        }
        Some((_, SegmentOwner::Everybody)) => true,
        None => Packing::of(name) == Packing::Zstd,
    }
}
