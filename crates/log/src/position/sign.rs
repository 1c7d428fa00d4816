//! As which writer a clone goes on, and what its next line tells of the others.
//!
//! Does not read files and does not write lines.

use std::collections::BTreeMap;

use super::Position;
use super::own::OwnSegments;
use crate::LogError;
use crate::begun::Begun;
use crate::bookmark::Bookmark;
use crate::watermarks::Watermark;
use annals_kernel::annals::{Absent, Head, Link};
use annals_kernel::id::WriterId;

/// A line that this clone remembers and the log does not hold (decision 43).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// The line.
    pub line: Absent,
    /// The segment that held it.
    pub segment: String,
    /// The number of that file.
    pub number: u64,
    /// What became of it.
    pub fate: AbsenceFate,
}

/// What became of a line that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbsenceFate {
    /// No branch holds it.
    Lost,
    /// Another branch holds it; or nobody has asked, because a hook starts no process.
    Left,
}

impl Position {
    /// Goes on as the writer of the bookmark, if the log holds just what that writer remembers; as a new one otherwise
    /// (another branch was checked out, the folder was copied, a crash came between line and bookmark).
    pub fn sign_as(
        &mut self,
        new: impl FnOnce() -> WriterId,
        begun: impl FnOnce() -> Result<Begun, LogError>,
    ) -> Result<(), LogError> {
        let remembers = |bookmark: &Bookmark| {
            bookmark.lock == self.lock && self.heads.get(&bookmark.writer) == Some(&bookmark.head)
        };
        match &self.bookmark {
            Some(bookmark) if remembers(bookmark) => {}
            Some(_) | None if self.writer_is_fresh() => {}
            Some(_) | None => {
                self.absent = self.absence();
                self.remember_former(&begun()?);
                // Going on as the old writer would put two lines with one count into the log once the other branch is
                // merged, which is a fork.
                self.writer = new();
                self.own = OwnSegments { git: self.own.git.take(), ..OwnSegments::default() };
                // Nobody has heard of the new writer's past yet: its first line tells of all others.
                self.stored.told.clear();
            }
        }
        Ok(())
    }

    /// The line that the bookmark names, where the log does not hold its writer's lines that far.
    pub fn absence(&self) -> Option<Absence> {
        let Bookmark { writer, head, segment, look, .. } = self.bookmark.as_ref()?;
        let is_held = self.heads.get(writer).is_some_and(|known| known.count >= head.count);
        let line = Absent { writer: writer.clone(), count: head.count, hash: head.hash };
        (!is_held).then(|| Absence { line, segment: segment.clone(), number: look.number, fate: AbsenceFate::Left })
    }

    /// The line before its first one that a new writer will name.
    pub fn absent(&self) -> Option<&Absence> {
        self.absent.as_ref()
    }

    /// Says what became of that line; `None` where nothing says that it ever counted.
    pub fn settle_absence(&mut self, fate: Option<AbsenceFate>) {
        let absent = self.absent.take().zip(fate);
        self.absent = absent.map(|(absence, fate)| Absence { fate, ..absence });
    }

    /// Whether a writer was named already and has not written yet.
    fn writer_is_fresh(&self) -> bool {
        !self.writer.as_str().is_empty()
            && !self.heads.contains_key(&self.writer)
            && self.bookmark.as_ref().is_none_or(|bookmark| bookmark.writer != self.writer)
    }

    /// How many lines the writer will have written with the next one.
    pub fn next_count(&self) -> u64 {
        self.heads.get(&self.writer).map_or(0, |head| head.count) + 1
    }

    /// The link of the next line.
    pub fn next_link(&self) -> Link {
        let head = self.heads.get(&self.writer);
        Link {
            writer: self.writer.clone(),
            count: self.next_count(),
            previous: head.map(|head| head.hash).unwrap_or_default(),
            seen: self.news().map(|(writer, head)| (writer.clone(), *head)).collect(),
            lost: self.absent_if(AbsenceFate::Lost),
            left: self.absent_if(AbsenceFate::Left),
        }
    }

    fn absent_if(&self, fate: AbsenceFate) -> Option<Absent> {
        self.absent.as_ref().filter(|absence| absence.fate == fate).map(|absence| absence.line.clone())
    }

    /// The segments in which some heads stand.
    pub fn segments_of<'p>(&'p self, heads: &'p BTreeMap<WriterId, Head>) -> impl Iterator<Item = &'p str> {
        let holds = |mark: &Watermark| heads.iter().any(|(writer, head)| mark.heads.get(writer) == Some(head));
        self.stored.marks.iter().filter(move |(_, mark)| holds(mark)).map(|(name, _)| name)
    }

    /// Whether others have written what neither our last line nor the bookmark tells.
    pub(super) fn has_untold(&self) -> bool {
        let minted = self.bookmark.as_ref().map(|bookmark| bookmark.minted);
        minted != Some(self.minted) || self.news().next().is_some()
    }

    /// Other writers' heads that our chain has not told of.
    fn news(&self) -> impl Iterator<Item = (&WriterId, &Head)> {
        let others = self.heads.iter().filter(|(writer, _)| **writer != self.writer);
        others.filter(|(writer, head)| self.stored.told.get(*writer) != Some(head))
    }
}
