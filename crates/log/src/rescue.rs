//! Puts back what vanished from the history and no branch holds (decision 42), from its second name.
//!
//! Done by commands, not by hooks: branches are asked by a process. What lives on another branch is left there.

mod adopt;
mod branches;
mod content;
mod moved;
mod number;
mod packed;
mod recorded;
mod scrubbed;
mod shelter;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use self::content::{hash_at, is_segment};
pub use self::moved::Stray;
use self::number::RescueNames;
use super::LogError;
use super::begun::Begun;
use super::disk::{Listed, Lock, Look, ReadAt, Safety, Sequential, is_at_rest};
use super::git::GitStamp;
use super::position::{AbsenceFate, Position};
use super::sealed::{seal, unseal};
use super::tail::Repair;
use super::taken::{Asks, Git, Known, below};
use super::writer::Log;
use annals_kernel::json::sha256_hex;

/// What things looked like when nothing was missing that could be put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CheckedFolder {
    history: Option<Look>,
    archive: Option<Look>,
    /// The hash of what the folders of large values and those of git's refs and work trees looked like: what is removed in
    /// one of them changes no folder above it.
    folders: String,
    git: GitStamp,
    /// When the last of them changed, in nanoseconds since 1970.
    changed_ns: i64,
}

/// Where git keeps refs: with a branch goes what it held.
const OF_REFS: [&str; 3] = ["refs/heads", "refs/tags", "refs/remotes"];

/// Where it keeps them packed, and work trees: with one of these goes whose second names it had, and what its head held.
const ELSE_OF_GIT: [&str; 4] = ["packed-refs", "reftable/tables.list", "worktrees", "annals/worktrees"];

/// A file that has lost its first name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Vanished {
    /// Its path below `.context`.
    path: String,
    /// Whether something else stands there now.
    now: Now,
}

/// What the second names tell of the first ones.
#[derive(Debug, Default)]
struct FoundNames {
    vanished: Vec<Vanished>,
    /// The paths of files that are others now, and hold all of ours: they count, as after a scrub that another clone brought.
    replaced: Vec<String>,
    /// The paths of files without a second name.
    bare: Vec<String>,
}

/// What stands where a file stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Now {
    Nothing,
    /// Its beginning, of so many bytes: git brought back what it had taken of it.
    Beginning(usize),
    /// What has lines of its own, and not all of ours.
    Another,
    /// Nothing; and a branch holds its beginning, of so many bytes.
    OnBranch(usize),
}

/// The folders of the history that have second names.
fn of_history() -> impl Iterator<Item = String> {
    let blobs = (0..=255u8).map(|prefix| format!("history/blobs/{prefix:02x}"));
    ["history", "history/archive"].map(str::to_owned).into_iter().chain(blobs)
}

impl Log {
    /// Puts back what vanished, if anything did since the last look; says so. Where branches may not be asked, nothing.
    pub fn put_back(&self) -> Result<(), LogError> {
        let (Some(known), Some(Asks::Branches)) = (self.known(), self.git.as_ref().map(|git| git.asks)) else {
            return Ok(());
        };
        // Taken before anything is looked for: what git takes away meanwhile, the next command finds.
        let checked = self.checked(known)?;
        // While git holds its index, files go and come back: when it is done is early enough.
        if checked.git.locked || self.last_checked().as_ref() == Some(&checked) {
            return Ok(());
        }
        let FoundNames { vanished, replaced, bare } = self.found(known)?;
        // A file without a second name is one that git could take for good with its next move, so it gets one before
        // anything else.
        self.shelter(known, &bare);
        let others = || Ok::<_, LogError>(!self.orphans(known)?.is_empty() || !self.moved_here(known)?.is_empty());
        if !(vanished.is_empty() && replaced.is_empty()) || others()? {
            let _lock = self.adopt_all(known)?;
            // Asked again under the lock: between the first look and this, another command may have put the same
            // files back.
            let FoundNames { vanished, replaced, .. } = self.found(known)?;
            for path in replaced {
                self.take_second_name(known, &path)?;
            }
            if let Some(repair) = self.put_back_those(known, vanished)? {
                (self.tell)(&repair);
                // It looked so when something was missing: when it looks so again, something may be again.
                return Ok(());
            }
        }
        if let Ok(text) = serde_json::to_string(&checked) {
            // A cache: without it the next command looks again.
            let _ = self.disk.replace(&self.checked_path(), seal(&text).as_bytes(), Safety::Cached);
        }
        Ok(())
    }

    /// Takes over what other folders of second names left to this one; the lock of writers is held from then on.
    fn adopt_all(&self, known: &Known) -> Result<Box<dyn Lock>, LogError> {
        self.make_folders()?;
        let lock = self.disk.lock(&self.place.lock()).map_err(LogError::at("lock", self.place.lock()))?;
        self.adopt(known)?;
        self.adopt_moved(known)?;
        Ok(lock)
    }

    /// What vanished and would be put back, as paths below `.context`.
    pub fn forgettable(&self) -> Result<Vec<String>, LogError> {
        let Some(known) = self.known() else { return Ok(Vec::new()) };
        let _lock = self.adopt_all(known)?;
        Ok(self.found(known)?.vanished.into_iter().map(|one| one.path).collect())
    }

    /// Drops the second names of files, so that nobody puts them back.
    pub fn forget(&self, paths: &[String]) -> Result<(), LogError> {
        let Some(known) = self.known() else { return Ok(()) };
        for path in paths {
            let second = known.seconds.root().join(path);
            self.disk.remove(&second).map_err(LogError::at("remove", &second))?;
        }
        Ok(())
    }

    /// Whether git changes the work tree just now: nothing of what is missing then is known to be gone.
    pub(super) fn is_git_at_work(&self) -> bool {
        self.git.as_ref().is_some_and(|git| git.stamp().locked)
    }

    fn checked_path(&self) -> PathBuf {
        self.place.local().join("checked")
    }

    fn checked(&self, known: &Known) -> Result<CheckedFolder, LogError> {
        let look = |path: &Path| self.disk.look(path).map_err(LogError::at("look at", path));
        let mut paths = self.places_of_refs(known.repository.common_dir())?;
        paths.extend(self.folders_in(&self.place.blobs())?);
        let (history, archive) = (look(self.place.history())?, look(&self.place.archive())?);
        let newest = |look: Option<Look>| look.map_or(0, |look| look.changed_ns);
        let (mut folders, mut changed_ns) = (String::new(), newest(history).max(newest(archive)));
        // The folder may have moved, or another of this repository, which left its second names behind.
        let gone = self.gone(known)?;
        for root in gone.iter().map(|gone| gone.root.as_path()).chain([known.seconds.root()]) {
            folders.extend([root.display().to_string(), "\n".to_owned()]);
        }
        for path in paths {
            let look = look(&path)?;
            changed_ns = changed_ns.max(newest(look));
            folders.extend([path.display().to_string(), format!(" {look:?}\n")]);
        }
        let git = self.git.as_ref().map(Git::stamp).unwrap_or_default();
        Ok(CheckedFolder { history, archive, folders: sha256_hex(folders.as_bytes()), git, changed_ns })
    }

    /// What changes with a ref or a work tree: names of branches may have folders of any depth.
    fn places_of_refs(&self, common: &Path) -> Result<Vec<PathBuf>, LogError> {
        let mut paths: Vec<_> = OF_REFS.iter().chain(&ELSE_OF_GIT).map(|name| common.join(name)).collect();
        let mut folders: Vec<_> = OF_REFS.iter().map(|name| common.join(name)).collect();
        while let Some(folder) = folders.pop() {
            let inner = self.folders_in(&folder)?;
            paths.extend(inner.iter().cloned());
            folders.extend(inner);
        }
        let trees = self.folders_in(&common.join("worktrees"))?;
        paths.extend(trees.into_iter().map(|tree| tree.join("HEAD")));
        Ok(paths)
    }

    fn folders_in(&self, folder: &Path) -> Result<Vec<PathBuf>, LogError> {
        let names = self.disk.folders(folder).map_err(LogError::at("list", folder))?;
        Ok(names.into_iter().map(|name| folder.join(name)).collect())
    }

    /// What it looked like, where that was written when all of it had come to rest.
    fn last_checked(&self) -> Option<CheckedFolder> {
        let written_ns = self.disk.look(&self.checked_path()).ok()??.changed_ns;
        let bytes = self.disk.read(&self.checked_path()).ok()??;
        let checked: CheckedFolder = serde_json::from_str(unseal(&bytes)?).ok()?;
        is_at_rest(checked.changed_ns, written_ns).then_some(checked)
    }

    /// Every second name whose first one is gone, or is another file's; and every file without one.
    fn found(&self, git: &Known) -> Result<FoundNames, LogError> {
        let mut found = FoundNames::default();
        for (folder, firsts) in self.folders()? {
            let mut firsts: BTreeMap<_, _> = firsts.iter().map(|first| (first.name.as_str(), first.look)).collect();
            let second = git.seconds.root().join(&folder);
            for Listed { name, look } in self.disk.list(&second).map_err(LogError::at("list", &second))? {
                let path = format!("{folder}/{name}");
                let now = match firsts.remove(name.as_str()) {
                    Some(first) if first.number == look.number => continue,
                    Some(_) => self.compare(git, &path)?,
                    None => Some(Now::Nothing),
                };
                match now {
                    Some(now) => found.vanished.push(Vanished { path, now }),
                    None => found.replaced.push(path),
                }
            }
            let bare = firsts.into_keys().map(|name| format!("{folder}/{name}"));
            found.bare.extend(bare.filter(|path| git.seconds.of(&self.place.context().join(path)).is_some()));
        }
        Ok(found)
    }

    /// The folders that have second names, and what stands in them.
    fn folders(&self) -> Result<Vec<(String, Vec<Listed>)>, LogError> {
        let list = |folder: String| {
            let path = self.place.context().join(&folder);
            Ok((folder, self.disk.list(&path).map_err(LogError::at("list", path))?))
        };
        of_history().map(list).collect()
    }

    /// Another file stands there: the beginning of ours, something else, or, where this is none of them, what holds all of
    /// ours.
    fn compare(&self, git: &Known, path: &str) -> Result<Option<Now>, LogError> {
        let now = self.bytes(&self.place.context().join(path))?;
        let ours = self.bytes(&git.seconds.root().join(path))?;
        Ok(if is_segment(path) && now.len() < ours.len() && ours.starts_with(&now) {
            Some(Now::Beginning(now.len()))
        } else {
            (!self.holds_all_of(path, &now, &ours)?).then_some(Now::Another)
        })
    }

    /// What holds all of ours takes the second name: by a name of its own first, because git may take it away meanwhile, or
    /// put another in its place.
    fn take_second_name(&self, git: &Known, path: &str) -> Result<(), LogError> {
        let (at, kept) = (self.place.context().join(path), git.seconds.root().join(path));
        let fresh = kept.with_file_name(format!("fresh-{}", kept.file_name().unwrap_or_default().to_string_lossy()));
        let remove = |path: &Path| self.disk.remove(path).map_err(LogError::at("remove", path));
        // One that a crash left behind holds nothing that another name does not hold.
        remove(&fresh)?;
        let is_linked = self.disk.link(&at, &fresh).is_ok();
        if !is_linked || !self.holds_all_of(path, &self.bytes(&fresh)?, &self.bytes(&kept)?)? {
            return remove(&fresh);
        }
        remove(&kept)?;
        self.disk.rename(&fresh, &kept).map_err(LogError::at("rename", &fresh))
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, LogError> {
        Ok(self.disk.read(path).map_err(LogError::at("read", path))?.unwrap_or_default())
    }

    fn put_back_those(&self, git: &Known, vanished: Vec<Vanished>) -> Result<Option<Repair>, LogError> {
        if vanished.is_empty() {
            return Ok(None);
        }
        let paths: BTreeSet<_> = vanished.iter().map(|one| one.path.clone()).collect();
        let vanished = self.left(git, vanished, &paths)?;
        if vanished.is_empty() {
            return Ok(None);
        }
        let mut names = self.names(git, &paths)?;
        let (mut segments, mut values) = (Vec::new(), 0);
        for one in &vanished {
            match self.put_back_one(git, one, &mut names)? {
                Some(segment) => segments.push(segment),
                None => values += 1,
            }
        }
        self.keep_names(&names)?;
        let folder = self.place.history();
        self.disk.sync_folder(folder).map_err(LogError::at("sync", folder))?;
        Ok(Some(Repair::PutBack { segments, values }))
    }

    /// Puts one file back under a new name, so that git can bring the old one again: `git stash pop` refuses to where
    /// something stands. Returns the new name of a segment.
    fn put_back_one(&self, git: &Known, one: &Vanished, names: &mut RescueNames) -> Result<Option<String>, LogError> {
        names.advance();
        let to = names.of(&one.path);
        let path = self.place.context().join(&to);
        let folder = path.parent().unwrap_or(self.place.history());
        self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
        let bring = || self.bring(git, one, &to);
        if hash_at(&to).is_some() {
            return bring().map(|()| None);
        }
        let name = to.strip_prefix("history/").unwrap_or(&to);
        Begun::around(&*self.disk, &self.place, name, bring)?;
        Ok(Some(name.to_owned()))
    }

    /// Brings what vanished from its second name to a path below `.context`. What git brought to the old one keeps a second
    /// name of its own.
    fn bring(&self, git: &Known, one: &Vanished, to: &str) -> Result<(), LogError> {
        let (first, second) = (self.place.context().join(&one.path), git.seconds.root().join(&one.path));
        let path = self.place.context().join(to);
        match one.now {
            Now::Nothing | Now::Another => {
                self.disk.link(&second, &path).map_err(LogError::at("link", &path))?;
                self.disk.remove(&second).map_err(LogError::at("remove", &second))?;
                match self.disk.link(&first, &second) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(LogError::at("link", &second)(error)),
                    Ok(()) | Err(_) => Ok(()),
                }
            }
            Now::Beginning(length) | Now::OnBranch(length) => {
                // Open, it can still be read when its name is another file's.
                let file = self.disk.open(&second).map_err(LogError::at("open", &second))?;
                let ours = read_from(&*file, 0).map_err(LogError::at("read", &second))?;
                let (beginning, rest) = ours.split_at(length.min(ours.len()));
                let kept = git.seconds.root().join(to);
                let replace = |path: &Path, bytes: &[u8]| {
                    self.disk.replace(path, bytes, Safety::Synced).map_err(LogError::at("write", path))
                };
                // The new second name comes before the first one: a file that has only its first is lost when git
                // cleans in between.
                replace(&kept, rest)?;
                self.disk.link(&kept, &path).map_err(LogError::at("link", &path))?;
                replace(&second, beginning)?;
                let grown = read_from(&*file, ours.len() as u64).map_err(LogError::at("read", &second))?;
                self.add(&kept, &grown).map_err(LogError::at("write to", &kept))
            }
        }
    }

    /// Adds what somebody wrote meanwhile who does not know the lock: a program without a second name for it.
    fn add(&self, path: &Path, grown: &[u8]) -> io::Result<()> {
        if grown.is_empty() {
            return Ok(());
        }
        let file = self.disk.append_to(path)?;
        file.append(grown).and_then(|()| file.sync())
    }

    /// Says what became of a line that this clone remembers and the log does not hold.
    pub(super) fn settle_absence(&self, position: &mut Position) {
        let Some(absence) = position.absent() else { return };
        // Where the file is still there, or where there is no git to take it away, a crash came before the line counted.
        let there = self.disk.look(&self.place.history().join(&absence.segment)).ok().flatten();
        let fate = match &self.git {
            None => None,
            Some(_) if there.is_some_and(|look| look.number == absence.number) => None,
            Some(Git { known: Some(known), asks: Asks::Branches }) => {
                let held = known.repository.held(&BTreeSet::from([below(&absence.segment)]));
                let is_lost = held.is_ok_and(|held| held.blobs.is_empty());
                Some(if is_lost { AbsenceFate::Lost } else { AbsenceFate::Left })
            }
            // Who cannot ask says the milder word: a hole is a finding, and must not be claimed on a guess.
            Some(Git { known: _, asks: Asks::Branches | Asks::Nobody }) => Some(AbsenceFate::Left),
        };
        position.settle_absence(fate);
    }
}

fn read_from(file: &dyn ReadAt, offset: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Sequential::new(file, offset).read_to_end(&mut bytes)?;
    Ok(bytes)
}
