//! The names of what is put back: none comes again, in this clone or in another.
//!
//! Moves nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::LogError;
use crate::disk::Safety;
use crate::second::RESTORED;
use crate::segment::SegmentOwner;
use crate::taken::{Known, below};
use crate::writer::Log;
use annals_kernel::id::WriterId;
use annals_kernel::json::sha256_hex;

/// Gives names to what is put back: a stash, another branch or another work tree may hold a name that stands nowhere now,
/// and would refuse to bring it again; a branch of another clone may bring a name that this one gave.
pub(super) struct RescueNames {
    /// Stands for the writer: that of this clone's git directory alone, which nobody else's name has.
    owner: WriterId,
    /// The highest number that any name had here.
    last: u64,
    counter: PathBuf,
}

impl Log {
    /// The names that follow those that stand somewhere here, or stood at some paths below `.context`.
    pub(super) fn names(&self, git: &Known, paths: &BTreeSet<String>) -> Result<RescueNames, LogError> {
        let common = git.repository.common_dir();
        let counter = counter(git);
        let text = self.disk.read(&counter).map_err(LogError::at("read", &counter))?.unwrap_or_default();
        let last = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok());
        let mut names: BTreeSet<String> =
            paths.iter().filter_map(|path| path.strip_prefix("history/")).map(str::to_owned).collect();
        for folder in [self.place.history().to_owned(), git.seconds.history()] {
            let files = self.disk.list(&folder).map_err(LogError::at("list", folder))?;
            names.extend(files.into_iter().map(|file| file.name));
        }
        let ordinals = names.iter().filter_map(|name| match SegmentOwner::of(name)?.1 {
            SegmentOwner::Writer { ordinal, .. } => Some(ordinal),
            SegmentOwner::Everybody => None,
        });
        // The counter alone is not enough: it may be lost with the git directory's copy, and then the names that
        // stand here say how far it came.
        let last = ordinals.chain(last).max().unwrap_or(1);
        Ok(RescueNames { owner: self.restorer(common)?, last, counter })
    }

    /// Keeps how far the numbers came.
    pub(super) fn keep_names(&self, names: &RescueNames) -> Result<(), LogError> {
        let written = self.disk.replace(&names.counter, format!("{}\n", names.last).as_bytes(), Safety::Synced);
        written.map_err(LogError::at("write", &names.counter))
    }

    /// By the number and the birth of the git directory: another clone's differs, and so does a copy's.
    fn restorer(&self, common: &Path) -> Result<WriterId, LogError> {
        let facts = self.disk.facts(common).map_err(LogError::at("look at", common))?;
        let about = facts.map(|facts| (facts.number, facts.born_ns));
        Ok(format!("{RESTORED}{}", &sha256_hex(format!("{about:?}").as_bytes())[..8]).as_str().into())
    }
}

impl RescueNames {
    /// Goes on to the next one.
    pub(super) fn advance(&mut self) {
        self.last += 1;
    }

    /// The path below `.context` for what stood at another one.
    pub(super) fn of(&self, path: &str) -> String {
        let segment = path.strip_prefix("history/").and_then(SegmentOwner::of);
        if let Some((stem, _)) = segment {
            return below(&SegmentOwner::Writer { writer: self.owner.clone(), ordinal: self.last }.file(stem));
        }
        // A packed segment and a large value are named by a hash, which stays.
        let (folder, name) = path.rsplit_once('/').unwrap_or_default();
        let hash = name.split('.').next().unwrap_or_default();
        let end = if name.ends_with(".jsonl.zst") { "jsonl.zst" } else { "zst" };
        format!("{folder}/{hash}.{}.{}.{end}", self.owner, self.last)
    }
}

/// Where the highest number stands: work trees share stashes.
fn counter(git: &Known) -> PathBuf {
    git.repository.common_dir().join("annals").join("last-number")
}
