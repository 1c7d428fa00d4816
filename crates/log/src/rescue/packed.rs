//! What vanished because somebody packed it, and git brought that: its lines stand in the archive here, or in a branch's.
//!
//! Puts nothing back. Where the archive is here, it gets second names, and what was packed loses its own.

use std::collections::{BTreeMap, BTreeSet};

use super::content::ContentLines;
use super::{Now, Vanished};
use crate::LogError;
use crate::segment::SegmentOwner;
use crate::taken::Known;
use crate::unpack::Allowance;
use crate::writer::Log;

/// Packed lines, by what the names of their segments begin with.
type Packed = BTreeMap<String, ContentLines>;

impl Log {
    /// All but the segments whose lines are packed, here or on a branch.
    pub(super) fn not_packed(&self, git: &Known, all: Vec<Vanished>) -> Result<Vec<Vanished>, LogError> {
        let is_whole = |one: &Vanished| one.now == Now::Nothing && day_of(&one.path).is_some();
        let (segments, mut left): (Vec<_>, Vec<_>) = all.into_iter().partition(is_whole);
        let days: BTreeSet<_> = segments.iter().filter_map(|one| day_of(&one.path)).map(str::to_owned).collect();
        if days.is_empty() {
            return Ok(left);
        }
        let (here, files) = self.packed_here(&days)?;
        let mut on_branches = None;
        // Git may have brought one back meanwhile: then it did not vanish, and is no other that holds its lines.
        for one in segments.into_iter().filter(|one| !files.contains(&one.path)) {
            let lines = self.lines_at(git, &one)?;
            if holds(&here, &one, &lines) && self.pass_on(git, &one, &files, &lines)? {
                continue;
            }
            let packed = match on_branches.take() {
                Some(packed) => packed,
                None => self.packed_on_branches(git, &days)?,
            };
            if !holds(&packed, &one, &lines) {
                left.push(one);
            }
            on_branches = Some(packed);
        }
        Ok(left)
    }

    fn lines_at(&self, git: &Known, one: &Vanished) -> Result<ContentLines, LogError> {
        Ok(ContentLines::of(&one.path, self.bytes(&git.seconds.root().join(&one.path))?))
    }

    /// What stands in the archive of some days, and in which files.
    fn packed_here(&self, days: &BTreeSet<String>) -> Result<(Packed, Vec<String>), LogError> {
        let (mut packed, mut files) = (Packed::new(), Vec::new());
        let archive = self.place.archive();
        for file in self.disk.list(&archive).map_err(LogError::at("list", &archive))? {
            let path = format!("{ARCHIVE}/{}", file.name);
            if let Some(day) = day_of(&path).filter(|day| days.contains(*day)) {
                let lines = ContentLines::of(&path, self.bytes(&archive.join(&file.name))?);
                packed.entry(day.to_owned()).or_default().add(lines);
                files.push(path);
            }
        }
        Ok((packed, files))
    }

    /// The same of what branches hold.
    fn packed_on_branches(&self, git: &Known, days: &BTreeSet<String>) -> Result<Packed, LogError> {
        let asked = |error| self.unasked(&error);
        let held = git.repository.held_below(ARCHIVE).map_err(asked)?.blobs;
        let (mut packed, mut allowance) = (Packed::new(), Allowance::of_many());
        for (path, ids) in held {
            let Some(day) = day_of(&path).filter(|day| days.contains(*day)) else { continue };
            for bytes in git.repository.contents(&ids).map_err(asked)?.into_values() {
                packed.entry(day.to_owned()).or_default().read(&path, bytes, &mut allowance);
            }
        }
        Ok(packed)
    }

    /// From now on the archive is what must not be lost, if what has second names of it holds the lines: git may have taken
    /// it away meanwhile.
    fn pass_on(&self, git: &Known, one: &Vanished, files: &[String], lines: &ContentLines) -> Result<bool, LogError> {
        let mut kept = ContentLines::default();
        for path in files.iter().filter(|path| day_of(path) == day_of(&one.path)) {
            let (first, second) = (self.place.context().join(path), git.seconds.root().join(path));
            let folder = second.parent().unwrap_or(git.seconds.root());
            self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
            // Where there is one already, or the file is gone, this is not done.
            let _ = self.disk.link(&first, &second);
            kept.add(ContentLines::of(path, self.bytes(&second)?));
        }
        if !kept.hold_all(lines) || !self.are_recorded(&kept.claims(lines))? {
            return Ok(false);
        }
        let second = git.seconds.root().join(&one.path);
        self.disk.remove(&second).map_err(LogError::at("remove", second))?;
        Ok(true)
    }
}

const ARCHIVE: &str = "history/archive";

/// What the name of a segment begins with, packed or not.
fn day_of(path: &str) -> Option<&str> {
    let Some(name) = path.strip_prefix("history/archive/") else {
        return Some(SegmentOwner::of(path.strip_prefix("history/")?)?.0);
    };
    Some(name.split('.').next()?.rsplit_once('-')?.0)
}

fn holds(packed: &Packed, one: &Vanished, lines: &ContentLines) -> bool {
    let of_day = day_of(&one.path).and_then(|day| packed.get(day));
    // A file of which nothing can be read holds "all" of nothing: without this its second name, the last copy, would
    // go.
    !lines.is_empty() && of_day.is_some_and(|packed| packed.hold_all(lines))
}
