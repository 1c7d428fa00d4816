//! What the files of a task say, before and after; and how many lines they lost: what is only added to keeps them.
//!
//! A line with more in it is there still. Binary files and large ones are not looked into.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use annals_kernel::grown::is_grown;
use annals_kernel::script::is_unspaced;

use super::Workspace;
use super::changes::{FileChange, Modes, Version};
use super::definitions::undefined;
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
    /// What of it is gone, where it is cut down, has become another, or holds less: beside all texts that were changed.
    fn gone(&self, all: &[Self]) -> Option<GoneFile> {
        let loss = self.lost()?;
        if loss.is_cut() {
            return Some(GoneFile::Cut(loss));
        }
        let words = loss.is_all().then(|| LostWords::of(self)).flatten();
        words.filter(LostWords::is_most).map(GoneFile::Rewritten).or_else(|| {
            let names = undefined(self, all);
            (!names.is_empty()).then(|| GoneFile::Undefined(LostNames { path: self.path.clone(), names }))
        })
    }

    fn lost(&self) -> Option<LostLines> {
        let (before, after) = (self.before.as_deref()?, self.after.as_deref().unwrap_or_default());
        let (old, new) = (said(before), said(after));
        let loss = LostLines { path: self.path.clone(), lost: lost(&old, &new), of: old.len(), left: new.len() };
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

    /// Whether there were several, and all are gone.
    fn is_all(&self) -> bool {
        self.of > 1 && self.lost == self.of
    }
}

/// What a file lost of its words, each counted once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostWords {
    /// Which.
    pub path: PathBuf,
    /// So many of its words are not there any more.
    pub lost: usize,
    /// Of so many.
    pub of: usize,
}

impl LostWords {
    fn of(text: &ChangedText) -> Option<Self> {
        let (old, new) = (words(text.before.as_deref()?), words(text.after.as_deref()?));
        Some(Self { path: text.path.clone(), lost: old.difference(&new).count(), of: old.len() })
    }

    /// Whether more than two of three are gone.
    fn is_most(&self) -> bool {
        self.lost * 3 > self.of * 2
    }
}

/// What a file defined or set, and no file that was changed does now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostNames {
    /// Which.
    pub path: PathBuf,
    /// The names.
    pub names: Vec<String>,
}

/// A file that is there no more, or of which too little is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoneFile {
    /// It is there no more.
    Removed(PathBuf),
    /// It is there, and nothing is in it: so much is seen of what is no text, and of large files.
    Emptied(PathBuf),
    /// Half of it is gone.
    Cut(LostLines),
    /// It had several lines, of which none is there, and few of their words: it is another file now.
    Rewritten(LostWords),
    /// It is there, perhaps with more in it, but for something that it defined.
    Undefined(LostNames),
}

impl GoneFile {
    /// Which.
    pub fn path(&self) -> &Path {
        match self {
            Self::Removed(path)
            | Self::Emptied(path)
            | Self::Cut(LostLines { path, .. })
            | Self::Rewritten(LostWords { path, .. })
            | Self::Undefined(LostNames { path, .. }) => path,
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
        Ok(self.changed_texts()?.iter().filter_map(ChangedText::lost).collect())
    }

    /// The files that are there no more, or of which too little is, in the order of their paths.
    pub fn gone(&self) -> Result<Vec<GoneFile>, WorkspaceError> {
        let changes = self.changes(Passing::Ignored, Modes::Executable)?;
        let texts: Vec<_> = changes.files.iter().filter_map(|change| self.texts_of(change)).collect();
        let held = |change: &FileChange| matches!(change.before, Some(Version::File { bytes: 1.., .. }));
        let of = |change: &FileChange| match change.after {
            None => Some(GoneFile::Removed(change.path.clone())),
            Some(Version::File { bytes: 0, .. }) if held(change) => Some(GoneFile::Emptied(change.path.clone())),
            Some(_) => texts[texts.binary_search_by(|text| text.path.cmp(&change.path)).ok()?].gone(&texts),
        };
        Ok(changes.files.iter().filter_map(of).collect())
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

/// The words of a text in small letters. Of writing that parts no words each letter is one.
fn words(text: &str) -> BTreeSet<String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    let apart = |part: &str| -> Vec<String> {
        if part.chars().any(is_unspaced) { part.chars().map(String::from).collect() } else { vec![part.to_lowercase()] }
    };
    parts.flat_map(apart).collect()
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

    /// Seen with a small model: of a function that was to be mended nothing was left, and the file was longer than before.
    #[test]
    fn a_file_that_became_another_is_told_from_one_that_was_changed() {
        let is_even = "def is_even(n):\n    return n % 2 == 1\n";
        for (old, new, is_another) in [
            (is_even, "import glob\n\n# even numbers of a file\nfound = glob.glob('*.py')\n", true),
            (is_even, "def is_even(n):\n    return n % 2 == 0\n", false),
            (is_even, "def is_even(number: int) -> bool:\n    return number % 2 == 0\n", false),
            ("mia\nben\n", "MIA\nBEN\n", false),
            ("mia\nben\n", "1. Mia;\n2. Ben;\n", false),
            ("# Shopp\n\nA list of prices.\n", "# Shop\n\nOne list with all prices.\n", false),
            ("# Shopp\n\nA list of prices.\n", "Hello!\n\nWorld\n", true),
            ("1.4.2\n", "2.0.0\n", false),
            ("价格清单\n面包三元\n", "价目清单。\n面包四元。\n", false),
        ] {
            let text = ChangedText { path: "a".into(), before: Some(old.to_owned()), after: Some(new.to_owned()) };
            let found = text.gone(std::slice::from_ref(&text));
            assert_eq!(matches!(found, Some(GoneFile::Rewritten(_))), is_another, "{old:?} -> {new:?}: {found:?}");
        }
    }

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
