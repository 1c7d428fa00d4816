//! What branches hold of what vanished, and what of it is needed here all the same.
//!
//! Asks git; moves nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::content::{claims, hash_at, holds_all, is_segment, named, named_in};
use super::{Now, Vanished};
use crate::LogError;
use crate::blob::{check_packed, hash_of};
use crate::git::{BlobId, GitError, Tracked};
use crate::segment::Segment;
use crate::taken::{Known, below};
use crate::unpack::Allowance;
use crate::writer::Log;

impl Log {
    /// What of it no branch holds; and those large values that one holds, but lines name which no branch brought here.
    pub(super) fn left(
        &self,
        git: &Known,
        all: Vec<Vanished>,
        paths: &BTreeSet<String>,
    ) -> Result<Vec<Vanished>, LogError> {
        let held = git.repository.held(paths).map_err(|error| self.unasked(&error))?.blobs;
        let (mut left, mut values) = (Vec::new(), Vec::new());
        for one in all {
            match (one.now, held.get(&one.path)) {
                (Now::Nothing | Now::Another, Some(ids)) => match self.behind_branches(git, &one, ids)? {
                    Some(now) => left.push(Vanished { now, ..one }),
                    None if is_segment(&one.path) || self.has_copy(&one.path)? => {}
                    None => values.push(one),
                },
                (Now::Nothing | Now::Another | Now::Beginning(_) | Now::OnBranch(_), _) => left.push(one),
            }
        }
        let left = self.not_packed(git, left)?;
        let mut left = self.not_scrubbed(git, left)?;
        if !values.is_empty() {
            let named = self.named_here(git, &left)?;
            self.take_named(git, &mut values, named, &mut left)?;
        }
        Ok(left)
    }

    /// What branches do not hold of a file that has its name on some: nothing, what lies behind the longest beginning that
    /// one holds, or all of it. A content that has all lines of ours was scrubbed there, and counts.
    pub(super) fn behind_branches(
        &self,
        git: &Known,
        one: &Vanished,
        ids: &BTreeSet<BlobId>,
    ) -> Result<Option<Now>, LogError> {
        let ours = self.bytes(&git.seconds.root().join(&one.path))?;
        // By the id first, for which git need not give a content.
        if git.repository.hash().blob_id(&ours).is_some_and(|id| ids.contains(&id)) {
            return Ok(None);
        }
        let contents = git.repository.contents(ids).map_err(|error| self.unasked(&error))?;
        for content in contents.values().filter(|content| holds_all(&one.path, content, &ours)) {
            if self.are_recorded_somewhere(git, &claims(&one.path, content, &ours))? {
                return Ok(None);
            }
        }
        let beginnings = contents.values().filter(|content| is_segment(&one.path) && ours.starts_with(content));
        let longest = beginnings.map(Vec::len).max().filter(|_| one.now == Now::Nothing);
        Ok(Some(longest.map_or(one.now, Now::OnBranch)))
    }

    /// Whether the large value of a path stands here under another name.
    fn has_copy(&self, path: &str) -> Result<bool, LogError> {
        let folder = self.place.context().join(path).parent().map_or_else(|| self.place.blobs(), Path::to_owned);
        let files = self.disk.list(&folder).map_err(LogError::at("list", folder))?;
        Ok(files.iter().any(|file| hash_of(&file.name).is_some() && hash_of(&file.name) == hash_at(path)))
    }

    /// The large values that are named in lines which git does not track here, or which are about to be put back.
    fn named_here(&self, git: &Known, left: &[Vanished]) -> Result<BTreeSet<String>, LogError> {
        let index = git.repository.index().map_err(|error: GitError| self.unasked(&error))?;
        let history = self.place.history();
        let segments = Segment::list(&*self.disk, history).map_err(LogError::at("list", history))?;
        let untracked = segments.iter().filter(|segment| index.tracks(&below(&segment.name)) == Tracked::No);
        self.named_in(untracked.map(|segment| history.join(&segment.name)).chain(seconds_of(git, left)))
    }

    /// The large values that some files name, packed or not.
    pub(super) fn named_in(&self, files: impl IntoIterator<Item = PathBuf>) -> Result<BTreeSet<String>, LogError> {
        let mut found = BTreeSet::new();
        for file in files {
            found.extend(named_in(&file.to_string_lossy(), self.bytes(&file)?, &mut Allowance::of_one()));
        }
        Ok(found)
    }

    /// Takes those of some large values that are named, and those that are named in them.
    pub(super) fn take_named(
        &self,
        git: &Known,
        values: &mut Vec<Vanished>,
        mut named_so_far: BTreeSet<String>,
        left: &mut Vec<Vanished>,
    ) -> Result<(), LogError> {
        let hash = |one: &Vanished| hash_at(&one.path).map(str::to_owned);
        while let Some(at) = values.iter().position(|one| hash(one).is_some_and(|hash| named_so_far.contains(&hash))) {
            let one = values.swap_remove(at);
            let packed = self.bytes(&git.seconds.root().join(&one.path))?;
            let inner = hash(&one).and_then(|hash| check_packed(packed.as_slice(), &hash).ok()?.text);
            named_so_far.extend(named(inner.unwrap_or_default().as_bytes()));
            left.push(one);
        }
        Ok(())
    }
}

/// The second names of the segments among what is about to be put back.
pub(super) fn seconds_of(git: &Known, left: &[Vanished]) -> impl Iterator<Item = PathBuf> {
    left.iter().filter(|one| hash_at(&one.path).is_none()).map(|one| git.seconds.root().join(&one.path))
}
