//! Goes through the files below a folder, as git would: without what it is told to ignore.
//!
//! Holds each folder open while it reads it, and follows no link, so it cannot leave. In the order of names. Passes over `.git`
//! and the record, wherever they are.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{AtFlags, Dir, Mode, OFlags, openat, statat};

use crate::beneath::{About, Beneath, Kind, NotReached, WRITING};
use crate::name::{self, MOST_DEPTH, is_gits};

/// More of a `.gitignore` is not read.
const MOST_RULES: u64 = 1 << 20;

/// Which files are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Those that a `.gitignore` names, or the rules given.
    Ignored,
    /// The same, but for a `.gitignore` that names itself: it could hide all that lies beside it.
    IgnoredButRules,
    /// None.
    Nothing,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// From where paths start.
    pub path: PathBuf,
    pub about: About,
}

/// Rules that hold below a folder.
struct Rules {
    matcher: Gitignore,
    /// How many names lead to that folder.
    depth: usize,
}

/// A walk on its way.
struct Walk<'w> {
    passing: Passing,
    rules: Vec<Rules>,
    names: Vec<OsString>,
    root: &'w Beneath,
    /// Folders that were not read: too deep, or closed to us.
    unread: usize,
    /// Where a name is git's, the record's or ours.
    kept: Vec<PathBuf>,
    visit: &'w mut dyn FnMut(Found) -> ControlFlow<()>,
}

/// Calls `visit` with all below `from` that is no folder, and with folders; returns how many folders could not be read.
/// `rules` are lines as in a `.gitignore`, of less weight than those of the folders.
pub(crate) fn walk(
    root: &Beneath,
    from: &Path,
    passing: Passing,
    rules: &str,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Result<usize, NotReached> {
    let mut walk = Walk::new(root, passing, rules, visit);
    walk.from(from)?;
    Ok(walk.unread)
}

/// What is passed over, whatever is asked for: each outermost thing whose name is git's, the record's or ours.
pub(crate) fn kept(root: &Beneath) -> Result<Vec<PathBuf>, NotReached> {
    let mut visit = |_| ControlFlow::Continue(());
    let mut walk = Walk::new(root, Passing::Nothing, "", &mut visit);
    walk.from(Path::new("."))?;
    Ok(walk.kept)
}

/// All below a folder, folders among it. What could not be read is not there.
pub(crate) fn all(root: &Beneath, passing: Passing, rules: &str) -> Result<BTreeMap<PathBuf, About>, NotReached> {
    let mut all = BTreeMap::new();
    walk(root, Path::new("."), passing, rules, &mut |found| {
        all.insert(found.path, found.about);
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

/// The path of a folder; of the root `.`.
fn here(names: &[OsString]) -> PathBuf {
    if names.is_empty() { PathBuf::from(".") } else { name::joined(names) }
}

impl<'w> Walk<'w> {
    fn new(
        root: &'w Beneath,
        passing: Passing,
        rules: &str,
        visit: &'w mut dyn FnMut(Found) -> ControlFlow<()>,
    ) -> Self {
        let rules = vec![Rules::of(rules, 0)];
        Self { passing, rules, names: Vec::new(), root, unread: 0, kept: Vec::new(), visit }
    }

    fn from(&mut self, from: &Path) -> Result<(), NotReached> {
        let (names, whole) = (self.root.names(from)?, self.root.clone().starting_at(Path::new("")));
        for (depth, name) in names.iter().enumerate() {
            let folder = whole.folder(&here(&names[..depth]))?;
            self.read_rules(&folder);
            self.names.push(name.clone());
        }
        let folder = whole.folder(&here(&names))?;
        // Stopping early is no failure.
        let _: ControlFlow<()> = self.folder(&folder);
        Ok(())
    }

    fn folder(&mut self, folder: &OwnedFd) -> ControlFlow<()> {
        let rules = self.rules.len();
        self.read_rules(folder);
        let Some(names) = list(folder) else {
            self.unread += 1;
            return ControlFlow::Continue(());
        };
        let mut flow = ControlFlow::Continue(());
        for name in names {
            if flow.is_break() {
                break;
            }
            self.names.push(name);
            flow = self.entry(folder);
            self.names.pop();
        }
        self.rules.truncate(rules);
        flow
    }

    fn entry(&mut self, folder: &OwnedFd) -> ControlFlow<()> {
        let name = self.names.last().expect("BUG: an entry has a name").clone();
        // It may be gone meanwhile.
        let Ok(stat) = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { return ControlFlow::Continue(()) };
        let about = About::of(&stat);
        if is_gits(&name) || is_ours(&name) || self.root.is_left_out(&self.names) {
            self.kept.push(self.root.path_of(&self.names));
            return ControlFlow::Continue(());
        }
        if self.is_ignored(about.kind) {
            return ControlFlow::Continue(());
        }
        (self.visit)(Found { path: self.root.path_of(&self.names), about })?;
        if about.kind != Kind::Folder {
            return ControlFlow::Continue(());
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(folder, &name, flags, Mode::empty()) {
            Ok(inner) if self.names.len() < MOST_DEPTH => self.folder(&inner),
            Ok(_) | Err(_) => {
                self.unread += 1;
                ControlFlow::Continue(())
            }
        }
    }

    /// The deepest rule that says something is the one that counts.
    fn is_ignored(&self, kind: Kind) -> bool {
        if self.passing == Passing::Nothing {
            return false;
        }
        let is_folder = kind == Kind::Folder;
        let is_rules = self.names.last().is_some_and(|name| name == ".gitignore");
        let is_own = |rules: &&Rules| rules.depth + 1 == self.names.len();
        let skips_own = self.passing == Passing::IgnoredButRules && is_rules;
        let said = self.rules.iter().rev().filter(|rules| !skips_own || !is_own(rules)).find_map(|rules| {
            let said = rules.matcher.matched(name::joined(&self.names[rules.depth..]), is_folder);
            (!said.is_none()).then_some(said.is_ignore())
        });
        said.unwrap_or(false)
    }

    fn read_rules(&mut self, folder: &OwnedFd) {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let is_plain = statat(folder, ".gitignore", AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| About::of(&stat).kind == Kind::File);
        if self.passing == Passing::Nothing || !is_plain {
            return;
        }
        let Ok(file) = openat(folder, ".gitignore", flags, Mode::empty()) else { return };
        let mut bytes = Vec::new();
        if std::fs::File::from(file).take(MOST_RULES).read_to_end(&mut bytes).is_ok() {
            self.rules.push(Rules::of(&String::from_utf8_lossy(&bytes), self.names.len()));
        }
    }
}

impl Rules {
    /// A line that cannot be read says nothing.
    fn of(text: &str, depth: usize) -> Self {
        let mut rules = GitignoreBuilder::new("");
        for line in text.lines() {
            rules.add_line(None, line).ok();
        }
        Self { matcher: rules.build().unwrap_or_else(|_| Gitignore::empty()), depth }
    }
}

/// Whether a file is one that is just being written.
fn is_ours(name: &OsStr) -> bool {
    name.as_bytes().starts_with(WRITING.as_bytes())
}

/// The names in a folder, in order.
fn list(folder: &OwnedFd) -> Option<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder).ok()? {
        let name = entry.ok()?.file_name().to_bytes().to_vec();
        if !matches!(&name[..], b"." | b"..") {
            names.push(OsString::from_vec(name));
        }
    }
    names.sort_by(|a: &OsString, b| OsStr::as_bytes(a).cmp(b.as_bytes()));
    Some(names)
}
