//! What the files of a task say, before and after; and how many lines they lost: what is only added to keeps them.
//!
//! A line with more in it is there still. Binary files and large ones are not looked into.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use annals_kernel::grown::is_grown;

use super::Workspace;
use super::changes::{FileChange, Modes, Version};
use super::error::WorkspaceError;
use crate::beneath::Beneath;
use crate::walk::Passing;

/// A larger file is not looked into.
const MOST_BYTES: u64 = 4 << 20;
/// So many pairs of lines are held against each other for what was put between; where there are more, only whole lines count.
const MOST_PAIRS: usize = 1_000_000;

/// A file that was changed, as a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedText {
    /// Which.
    pub path: PathBuf,
    /// What it said; nothing where it was not there, or was no text.
    pub before: Option<String>,
    /// What it says; nothing where it is gone.
    pub after: Option<String>,
}

impl ChangedText {
    fn lost(self) -> Option<LostLines> {
        let (before, after) = (self.before?, self.after.unwrap_or_default());
        let (old, new) = (said(&before), said(&after));
        let loss = LostLines { path: self.path, lost: lost(&old, &new), of: old.len(), left: new.len() };
        (loss.lost > 0).then_some(loss)
    }
}

/// What a file lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostLines {
    /// Which.
    pub path: PathBuf,
    /// So many lines that said something are not there any more.
    pub lost: usize,
    /// Of so many.
    pub of: usize,
    /// So many say something now.
    pub left: usize,
}

impl LostLines {
    /// Whether more are gone than stayed.
    pub fn is_most(&self) -> bool {
        self.lost * 2 > self.of
    }

    /// Whether half of them are gone, and no more than half as many are there.
    pub fn is_cut(&self) -> bool {
        self.lost * 2 >= self.of && self.left * 2 <= self.of
    }
}

/// A file that is there no more, or of which half is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoneFile {
    /// It is there no more.
    Removed(PathBuf),
    /// It is there, and nothing is in it: so much is seen of what is no text, and of large files.
    Emptied(PathBuf),
    /// Half of it is gone.
    Cut(LostLines),
}

impl GoneFile {
    /// Which.
    pub fn path(&self) -> &Path {
        match self {
            Self::Removed(path) | Self::Emptied(path) | Self::Cut(LostLines { path, .. }) => path,
        }
    }
}

impl Workspace {
    /// The texts that the task changed, in the order of their paths. What is no text now is none of them.
    pub fn changed_texts(&self) -> Result<Vec<ChangedText>, WorkspaceError> {
        let changes = self.changes(Passing::Ignored, Modes::Executable)?;
        Ok(changes.files.iter().filter_map(|change| self.texts_of(change)).collect())
    }

    /// The files that lost lines, in the order of their paths.
    pub fn losses(&self) -> Result<Vec<LostLines>, WorkspaceError> {
        Ok(self.changed_texts()?.into_iter().filter_map(ChangedText::lost).collect())
    }

    /// The files that are there no more, or of which half is gone, in the order of their paths.
    pub fn gone(&self) -> Result<Vec<GoneFile>, WorkspaceError> {
        let cut = |change: &FileChange| self.texts_of(change)?.lost().filter(LostLines::is_cut).map(GoneFile::Cut);
        let held = |change: &FileChange| matches!(change.before, Some(Version::File { bytes: 1.., .. }));
        let of = |change: &FileChange| match change.after {
            None => Some(GoneFile::Removed(change.path.clone())),
            Some(Version::File { bytes: 0, .. }) if held(change) => Some(GoneFile::Emptied(change.path.clone())),
            Some(_) => cut(change),
        };
        Ok(self.changes(Passing::Ignored, Modes::Executable)?.files.iter().filter_map(of).collect())
    }

    fn texts_of(&self, change: &FileChange) -> Option<ChangedText> {
        let before = text(self.base.copies(), &change.path, change.before.as_ref());
        let after = text(&self.root, &change.path, change.after.as_ref());
        // What cannot be looked into now may hold all of it; what is gone holds none.
        let is_seen = after.is_some() || change.after.is_none();
        is_seen.then(|| ChangedText { path: change.path.clone(), before, after })
    }
}

fn text(from: &Beneath, path: &Path, version: Option<&Version>) -> Option<String> {
    let Some(Version::File { bytes, .. }) = version else { return None };
    let bytes = (*bytes <= MOST_BYTES).then(|| from.bytes(path, MOST_BYTES).ok()).flatten()?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// The lines that say something, without what stands around them.
fn said(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn lost(old: &[&str], new: &[&str]) -> usize {
    let (known, there): (BTreeSet<_>, BTreeSet<_>) = (old.iter().collect(), new.iter().collect());
    let gone: Vec<_> = old.iter().filter(|line| !there.contains(line)).collect();
    let added: Vec<_> = new.iter().filter(|line| !known.contains(line)).collect();
    if gone.len().saturating_mul(added.len()) > MOST_PAIRS {
        return gone.len();
    }
    gone.iter().filter(|line| !added.iter().any(|more| is_grown(line, more))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_more_in_it_is_there_still() {
        for (old, new, expected) in [
            ("def f(a):\n    return a\n", "def f(a, b=1):\n    return a\n\ndef g(): pass\n", 0),
            ("def upper(s):\n    return s.upper()\n", "def lower(s):\n    return s.lower()\n", 2),
            ("print(1)\n", "try:\n    print(1)\nexcept OSError:\n    pass\n", 0),
            ("Hello\n", "Hello!\n", 0),
            ("one\n\ntwo\n", "two\none\n", 0),
            ("one\ntwo\nthree\n", "one\n", 2),
            ("one\n", "", 1),
            ("", "one\n", 0),
        ] {
            assert_eq!(lost(&said(old), &said(new)), expected, "{old:?} -> {new:?}");
        }
    }
}
