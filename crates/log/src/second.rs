//! Second names of what must not be lost, below the clone's git directory (decision 42): git removes names of a work
//! tree, and what has another one is still there.
//!
//! Only says which files have one and where. `Kept` gives and takes them, `rescue` puts back what vanished.

#![expect(clippy::case_sensitive_file_extension_comparisons, reason = "these files are named by us")]

mod another;
mod name;

use std::io;
use std::path::{Component, Path, PathBuf};

pub use self::another::writer_of;
pub(crate) use self::another::{is_rest, origins};
use self::name::{BEFORE, escaped, place_of};
use super::disk::Disk;
use super::git::{Repository, path_of};

/// What stands for the writer in the name of a segment that was put back begins with this.
pub(crate) const RESTORED: &str = "restored-";

const PRIVATE: &str = "private";

/// Where the second names of one `.context` folder are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondNames {
    context: PathBuf,
    root: PathBuf,
    private: PathBuf,
    tree: Option<PathBuf>,
}

/// Another `.context` folder of the repository, and its second names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// The folder, in this work tree.
    pub context: PathBuf,
    /// The same as seen from the top of the work tree.
    pub prefix: Vec<u8>,
    /// Where its second names are.
    pub root: PathBuf,
    /// Whether the folder is there.
    pub presence: Presence,
}

/// Whether a folder is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is, or nobody can tell.
    There,
    /// Its history is, and nothing else that belongs to a `.context`: git has moved what it tracks to another place.
    Half,
    /// It was, when it got second names; another may stand there now.
    Gone,
}

impl SecondNames {
    /// Those of a `.context` folder, below a folder that is this work tree's alone.
    pub fn new(context: &Path, root: &Path) -> Self {
        Self { context: context.to_owned(), root: root.to_owned(), private: root.join(PRIVATE), tree: None }
    }

    /// Those of the `.context` folder of a work tree, in the directory that all work trees of the repository share:
    /// `git worktree remove` takes the work tree's own away.
    pub fn within(context: &Path, repository: &Repository) -> Self {
        let (name, ours) = (escaped(repository.prefix()), repository.common_dir().join("annals"));
        let private = ours.join(PRIVATE).join(&name);
        let tree = Some(repository.root().to_owned());
        Self { private, tree, ..Self::new(context, &ours.join(tree_of(repository)).join(name)) }
    }

    /// Makes room for this folder's second names where those of another one are, which stood here before: they wait beside
    /// for the folder that it is now.
    pub(crate) fn make_room(&self, disk: &dyn Disk) -> io::Result<()> {
        const MOST_TRIES: u32 = 1000;
        if !self.are_anothers(disk, &self.root)? {
            return Ok(());
        }
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        let free = (1..MOST_TRIES).map(|number| self.root.with_file_name(format!("{name}{BEFORE}{number}")));
        // One that is not free refuses: it is never empty.
        let mut tried = free.map(|beside| disk.rename(&self.root, &beside));
        tried.find(Result::is_ok).unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
    }

    /// Whether second names, which were kept for a folder at this one's path, are those of another one.
    pub(crate) fn are_anothers(&self, disk: &dyn Disk, root: &Path) -> io::Result<bool> {
        self.tree.as_ref().map_or(Ok(false), |tree| another::is_anothers(disk, tree, &self.context, root))
    }

    /// The paths of folders whose history stays out of git in every work tree of the clone, as seen from its top.
    pub(crate) fn private_paths(&self, disk: &dyn Disk) -> io::Result<Vec<Vec<u8>>> {
        let names = disk.list(self.private.parent().unwrap_or(&self.private))?;
        Ok(names.iter().filter_map(|mark| Some(place_of(&mark.name)?.0)).collect())
    }

    /// The folders of second names of this `.context` that belonged to work trees that are gone.
    pub fn orphans(&self, disk: &dyn Disk, repository: &Repository) -> io::Result<Vec<PathBuf>> {
        let (trees, name) = (repository.common_dir().join("annals").join("worktrees"), escaped(repository.prefix()));
        let names = disk.folders(&trees)?;
        let gone = names.iter().filter_map(|tree| {
            let is_there = disk.look(&repository.common_dir().join("worktrees").join(tree));
            matches!(is_there, Ok(None)).then(|| trees.join(tree).join(&name))
        });
        Ok(gone.collect())
    }

    /// Those of other `.context` folders, which had them in this work tree or in one that is gone.
    pub fn beside(&self, disk: &dyn Disk, repository: &Repository) -> io::Result<Vec<Beside>> {
        let own = repository.common_dir().join("annals").join(tree_of(repository));
        let gone = self.orphans(disk, repository)?.into_iter().filter_map(|orphan| Some(orphan.parent()?.to_owned()));
        let mut found = Vec::new();
        for tree in std::iter::once(own).chain(gone) {
            let names = disk.folders(&tree)?;
            for (name, (prefix, stands)) in names.iter().filter_map(|name| Some((name, place_of(name)?))) {
                let (context, root) = (repository.root().join(path_of(&prefix)), tree.join(name));
                if self.root.file_name() != root.file_name() {
                    let presence = match stands {
                        Presence::Gone => Presence::Gone,
                        Presence::There | Presence::Half => presence(disk, repository, &context, &root),
                    };
                    found.push(Beside { context, prefix, root, presence });
                }
            }
        }
        Ok(found)
    }

    /// All others of the clone: those of this `.context` in the other work trees, with the names that git gives these, and
    /// those of other folders, with their paths.
    pub fn others(&self, disk: &dyn Disk) -> Vec<(String, PathBuf)> {
        let (Some(own), Some(ours)) = (self.private.file_name(), self.private.ancestors().nth(2)) else {
            return Vec::new();
        };
        let linked = disk.folders(&ours.join("worktrees")).unwrap_or_default();
        let linked = linked.into_iter().map(|tree| (tree.clone(), ours.join("worktrees").join(tree)));
        let mut others = Vec::new();
        for (tree, folder) in std::iter::once(("main".to_owned(), ours.join("main"))).chain(linked) {
            for name in disk.folders(&folder).unwrap_or_default() {
                let is_own = own.to_str() == Some(&*name);
                let path =
                    place_of(&name).map_or_else(|| name.clone(), |(path, _)| path_of(&path).display().to_string());
                others.push((if is_own { tree.clone() } else { format!("{tree}: {path}") }, folder.join(name)));
            }
        }
        others.retain(|(_, folder)| *folder != self.root);
        others
    }

    /// The `.context` folder.
    pub fn context(&self) -> &Path {
        &self.context
    }

    /// The folder that has them, laid out as `.context` is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Is there where nothing of the history goes into git, in no work tree of the clone (decision 51).
    pub fn private(&self) -> &Path {
        &self.private
    }

    /// The segments among them.
    pub fn history(&self) -> PathBuf {
        self.root.join("history")
    }

    /// The second name of a file; `None` where it needs none.
    pub fn of(&self, path: &Path) -> Option<PathBuf> {
        let relative = path.strip_prefix(&self.context).ok()?;
        is_kept(relative).then(|| self.root.join(relative))
    }
}

/// The folder of a work tree: `main`, or one named as git names a linked one.
fn tree_of(repository: &Repository) -> PathBuf {
    let linked = repository.git_dir().strip_prefix(repository.common_dir().join("worktrees"));
    linked.map_or_else(|_| PathBuf::from("main"), |name| Path::new("worktrees").join(name))
}

/// Git leaves `local/`, which it ignores, behind where it moves a folder: that alone is no folder of ours.
fn presence(disk: &dyn Disk, repository: &Repository, folder: &Path, root: &Path) -> Presence {
    let is_rest = is_rest(disk, folder);
    let has_history = !matches!(disk.look(&folder.join("history")), Ok(None));
    if is_rest && !has_history || another::is_anothers(disk, repository.root(), folder, root).unwrap_or_default() {
        Presence::Gone
    } else if is_rest {
        Presence::Half
    } else {
        Presence::There
    }
}

/// Whether a file of `.context` has a second name: lines and large values, and of `local/` what a cache is not.
fn is_kept(relative: &Path) -> bool {
    let names: Option<Vec<&str>> = relative
        .components()
        .map(|component| match component {
            Component::Normal(name) => name.to_str().filter(|name| !name.starts_with('.')),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    match names.as_deref() {
        Some(["history", segment]) => segment.ends_with(".jsonl"),
        Some(["history", "archive", segment]) => segment.ends_with(".jsonl.zst"),
        Some(["history", "blobs", _, blob]) => blob.ends_with(".zst"),
        Some(["local", "calls" | "spool", waiting]) => waiting.ends_with(".json"),
        Some(["local", name]) => LOCAL.contains(name),
        Some(_) | None => false,
    }
}

/// What this clone remembers of itself: which writer it is and how far that came. (The mark of `local/` names the folder,
/// and of another folder in its place it says nothing.)
const LOCAL: [&str; 2] = ["bookmark", "lock"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_large_values_and_what_waits_have_second_names_and_caches_have_none() {
        let seconds = SecondNames::new(Path::new("/p/.context"), Path::new("/p/.git/annals/main"));
        let kept = [
            "history/2026-11-21.k3f9x2ab.1.jsonl",
            "history/2026-11-21.jsonl",
            "history/archive/2026-11-01-0a1b2c.jsonl.zst",
            "history/blobs/0a/0a1b.zst",
            "local/bookmark",
            "local/lock",
            "local/calls/a-b.json",
            "local/spool/0001-00.json",
        ];
        for name in kept {
            let second = seconds.of(&Path::new("/p/.context").join(name));
            assert_eq!(second, Some(Path::new("/p/.git/annals/main").join(name)), "{name}");
        }
        let others = [
            "config.toml", "canon/a.md", "history/.torn/x", "history/.2026-11-21.jsonl.1-0.tmp",
            "history/../local/lock", "local/marks", "local/checkpoint/session",
        ];
        for name in others {
            assert_eq!(seconds.of(&Path::new("/p/.context").join(name)), None, "{name}");
        }
        assert_eq!(seconds.of(Path::new("/q/history/2026-11-21.jsonl")), None);
    }
}
