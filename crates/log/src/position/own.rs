//! The segments of this clone's own in a git work tree: which one is open, and when a new one begins (decision 41).
//!
//! Does not ask git; `taken` does.

use super::Position;
use crate::bookmark::Bookmark;
use crate::git::GitStamp;
use crate::segment::SegmentOwner;

/// What this clone knows of the segments that its writer has made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OwnSegments {
    pub(super) made: u64,
    /// The first so many are closed for good: git knew one of them, or may have.
    pub(super) closed: u64,
    pub(super) git: Option<GitStamp>,
}

impl OwnSegments {
    pub(super) fn of(bookmark: &Bookmark) -> Self {
        Self { made: bookmark.made, closed: bookmark.closed, git: bookmark.git }
    }
}

/// How segments are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// One for everybody, where there is no git.
    Shared,
    /// Each writer its own, and another one each time git took the last.
    Own,
}

impl Position {
    /// The segment that takes the next line, by what its name begins with; `None` where none is open, or where only
    /// everything would tell.
    pub fn open_segment(&self, stem: &str, naming: Naming) -> Option<String> {
        match naming {
            Naming::Shared => {
                let name = SegmentOwner::Everybody.file(stem);
                let is_known = self.extent == super::Extent::Whole || self.last_segment() == Some(&name);
                is_known.then_some(name)
            }
            Naming::Own => self.open_segments().rfind(|(of, _)| *of == stem).map(|(_, name)| name.to_owned()),
        }
    }

    /// What the names of this writer's open segments begin with, and the names.
    pub fn open_segments(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.stored.marks.iter().filter_map(|(name, _)| match SegmentOwner::of(name)? {
            (stem, SegmentOwner::Writer { writer, ordinal }) if writer == self.writer && ordinal > self.own.closed => {
                Some((stem, name))
            }
            (_, SegmentOwner::Writer { .. } | SegmentOwner::Everybody) => None,
        })
    }

    /// A name that this writer never used.
    pub fn new_segment(&mut self, stem: &str) -> String {
        self.own.made += 1;
        SegmentOwner::Writer { writer: self.writer.clone(), ordinal: self.own.made }.file(stem)
    }

    /// Nothing is added any more to the segments that there are. Behind a crash one may have a higher ordinal than the last
    /// that this writer remembers.
    pub fn close_segments(&mut self) {
        let highest = self.open_segments().filter_map(|(_, name)| ordinal(name)).max().unwrap_or_default();
        self.own.made = self.own.made.max(highest);
        self.own.closed = self.own.made;
    }

    /// What git looked like when it was last looked into.
    pub fn git(&self) -> Option<&GitStamp> {
        self.own.git.as_ref()
    }

    /// Whether git looks as it did then.
    pub fn is_looked_into(&self, stamp: &GitStamp) -> bool {
        self.git().is_some_and(|known| known.index == stamp.index) && self.has_head(stamp)
    }

    /// Whether git's HEAD is where it was then.
    pub fn has_head(&self, stamp: &GitStamp) -> bool {
        self.git().is_some_and(|known| known.head == stamp.head)
    }

    /// Git was looked into.
    pub fn looked_into_git(&mut self, stamp: GitStamp) {
        self.own.git = Some(stamp);
    }

    /// The last segment, where it is the only one that is open.
    pub fn only_open_segment(&self) -> Option<&str> {
        self.last_segment().filter(|_| self.own.closed + 1 == self.own.made)
    }
}

fn ordinal(name: &str) -> Option<u64> {
    match SegmentOwner::of(name)?.1 {
        SegmentOwner::Writer { ordinal, .. } => Some(ordinal),
        SegmentOwner::Everybody => None,
    }
}
