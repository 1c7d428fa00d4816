//! `local/mark`: whether `local/` is this clone's own, or came with a repository.
//!
//! The mark names the folder that it stands in by its number and the moment of its birth, which nobody who fills a
//! repository can know. Where it names another folder, nothing in `local/` is believed: checkpoint, marks, bookmark,
//! waiting calls and payloads. Does not know git; whoever asks brings what the index says of folders without a mark.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::disk::{Disk, Facts, Safety, Shut};
use super::folders::{GITIGNORE, IGNORE_ALL};
use super::place::Place;

/// A longer file is no mark.
const MOST_BYTES: u64 = 4096;

/// What was set aside stands in a folder whose name begins so.
const ASIDE: &[u8] = b"set-aside-";

/// Whose `local/` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloneStanding {
    /// There is none.
    Missing,
    /// It has this clone's mark.
    Ours,
    /// It has none: an earlier version made it, or it came with a repository.
    Unmarked,
    /// It has the mark of another folder: it was copied, or came with a repository.
    Anothers,
}

/// What stands in the mark.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Tells this clone from every other.
    pub clone: String,
    number: u64,
    born_ns: Option<u64>,
    /// What git's index looked like when it was last asked whether it has anything of `local/`.
    index: Option<u64>,
}

impl Mark {
    /// Whether git's index looks as it did when it was last asked.
    pub fn has_seen(&self, index: u64) -> bool {
        self.index == Some(index)
    }

    fn is_of(&self, folder: &Facts) -> bool {
        // Who fills a repository can choose neither. Both stay when the project moves on its disk; a copy has others.
        (self.number, self.born_ns) == (folder.number, folder.born_ns)
    }
}

fn path(place: &Place) -> PathBuf {
    place.local().join("mark")
}

/// The mark, whoever set it.
pub fn read(disk: &dyn Disk, place: &Place) -> io::Result<Option<Mark>> {
    let bytes = disk.read_at_most(&path(place), MOST_BYTES)?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Whose `local/` is.
pub fn standing(disk: &dyn Disk, place: &Place) -> io::Result<CloneStanding> {
    let facts = match disk.facts(place.local()) {
        Ok(None) => return Ok(CloneStanding::Missing),
        Ok(Some(facts)) => facts,
        // A link in its place is nobody's `local/`, either.
        Err(error) if Shut::is_in(&error) => return Ok(CloneStanding::Anothers),
        Err(error) => return Err(error),
    };
    Ok(match read(disk, place) {
        Ok(None) => CloneStanding::Unmarked,
        Ok(Some(mark)) if mark.is_of(&facts) => CloneStanding::Ours,
        Ok(Some(_)) => CloneStanding::Anothers,
        Err(error) if Shut::is_in(&error) => CloneStanding::Anothers,
        // A file in its place holds nothing; whoever wants to write is told of it.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => CloneStanding::Missing,
        Err(error) => return Err(error),
    })
}

/// Sets the mark of this clone.
pub fn set(disk: &dyn Disk, place: &Place, chance: u128) -> io::Result<()> {
    let Some(facts) = disk.facts(place.local())? else { return Ok(()) };
    let mark = Mark { clone: format!("{chance:032x}"), number: facts.number, born_ns: facts.born_ns, index: None };
    disk.replace(&place.local().join(GITIGNORE), IGNORE_ALL.as_bytes(), Safety::Cached)?;
    write(disk, place, &mark, Safety::Synced)
}

fn write(disk: &dyn Disk, place: &Place, mark: &Mark, safety: Safety) -> io::Result<()> {
    disk.replace(&path(place), &serde_json::to_vec(mark).map_err(io::Error::other)?, safety)
}

/// Remembers in a mark what git's index looks like.
pub fn set_looked_at(disk: &dyn Disk, place: &Place, mark: Mark, index: u64) -> io::Result<()> {
    // Lost in a power cut, it costs one more question to the index.
    write(disk, place, &Mark { index: Some(index), ..mark }, Safety::Cached)
}

/// Whether a file of `local/` does no harm, whoever wrote it: the mark, which names this folder where it is believed at
/// all; one without content, as locks are; the rule that we would write ourselves; what was set aside, and what is gone.
pub fn is_harmless(disk: &dyn Disk, place: &Place, file: &Path) -> bool {
    let below = file.strip_prefix(place.local()).unwrap_or(file);
    let is_aside = below.components().next().is_some_and(|first| first.as_os_str().as_bytes().starts_with(ASIDE));
    if is_aside || file == path(place) {
        return true;
    }
    match disk.look(file) {
        Ok(Some(look)) if look.len == 0 => true,
        Ok(Some(_)) if below == Path::new(GITIGNORE) => {
            let bytes = disk.read_at_most(file, MOST_BYTES);
            bytes.is_ok_and(|bytes| bytes.as_deref() == Some(IGNORE_ALL.as_bytes()))
        }
        Ok(Some(_) | None) | Err(_) => false,
    }
}

/// Every file below a folder of `local/`.
pub fn files(disk: &dyn Disk, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<_> = disk.list(folder)?.into_iter().map(|file| folder.join(file.name)).collect();
    for name in disk.folders(folder)? {
        files.extend(self::files(disk, &folder.join(name))?);
    }
    Ok(files)
}

/// Puts single files of `local/` into a folder of their own, where nobody reads them; returns where they are.
pub fn set_files_aside(disk: &dyn Disk, place: &Place, chance: u128, files: &[PathBuf]) -> io::Result<PathBuf> {
    let to = place.local().join(format!("set-aside-{:08x}", chance & 0xffff_ffff));
    disk.create_folder(&to)?;
    for (file, count) in files.iter().zip(1..) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        disk.rename(file, &to.join(format!("{count}-{name}")))?;
    }
    Ok(to)
}

/// Puts another's `local/` into a new one of our own, where git ignores it and nobody reads it; returns where it is.
pub fn set_aside(disk: &dyn Disk, place: &Place, chance: u128) -> io::Result<PathBuf> {
    const MOST_TRIES: u32 = 1000;
    let names = (0..MOST_TRIES).map(|count| format!("set-aside-{:08x}-{count}", chance & 0xffff_ffff));
    let mut free = names.map(|name| (place.context().join(format!(".local-{name}")), place.local().join(&name)));
    let Some((between, to)) = free.find(|(between, to)| is_free(disk, between) && is_free(disk, to)) else {
        return Err(io::ErrorKind::AlreadyExists.into());
    };
    // A folder cannot be moved into itself, so it waits beside `local/` until the new one has its mark; after a crash
    // on the way it stands where nobody believes it.
    disk.rename(place.local(), &between)?;
    disk.create_folder(place.local())?;
    set(disk, place, chance)?;
    disk.rename(&between, &to)?;
    Ok(to)
}

fn is_free(disk: &dyn Disk, path: &Path) -> bool {
    // Below a link in the place of `local/` nothing is looked at; and nothing is there once the link is away.
    match disk.look(path) {
        Ok(look) => look.is_none(),
        Err(_) => true,
    }
}

/// Folders in `local/` that were set aside.
pub fn set_aside_before(disk: &dyn Disk, local: &Path) -> io::Result<Vec<String>> {
    let mut names = disk.folders(local)?;
    names.retain(|name| name.starts_with("set-aside-"));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::Arc;

    use super::*;
    use crate::disk::RealDisk;

    fn stage() -> (tempfile::TempDir, Place, Arc<dyn Disk>) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("c/local/spool")).expect("made");
        let context = folder.path().join("c");
        let (place, disk) = (Place::new(&context), Arc::new(RealDisk).below(&context));
        (folder, place, disk)
    }

    #[test]
    fn a_folder_is_ours_once_it_is_marked_and_stays_so_when_the_project_moves() {
        let (folder, place, disk) = stage();
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Unmarked);
        set(&*disk, &place, 7).expect("marked");
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Ours);
        let moved = folder.path().join("moved");
        fs::rename(place.context(), &moved).expect("moved");
        let (place, disk) = (Place::new(&moved), Arc::new(RealDisk).below(&moved));
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Ours);
    }

    #[test]
    fn a_mark_that_came_with_the_folder_is_anothers() {
        let (folder, place, disk) = stage();
        set(&*disk, &place, 7).expect("marked");
        let clone = folder.path().join("clone");
        fs::create_dir_all(clone.join("local")).expect("made");
        fs::copy(place.local().join("mark"), clone.join("local/mark")).expect("copied");
        let (place, disk) = (Place::new(&clone), Arc::new(RealDisk).below(&clone));
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Anothers);
    }

    #[test]
    fn a_mark_that_guesses_the_number_but_not_the_birth_is_anothers() {
        let (_folder, place, disk) = stage();
        set(&*disk, &place, 7).expect("marked");
        let mark = read(&*disk, &place).expect("read").expect("a mark");
        if let Some(born_ns) = mark.born_ns {
            let guessed = Mark { born_ns: Some(born_ns + 1), ..mark };
            fs::write(place.local().join("mark"), serde_json::to_vec(&guessed).expect("JSON")).expect("written");
            assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Anothers);
        }
    }

    #[test]
    fn what_is_set_aside_is_kept_whole_and_where_git_ignores_it() {
        let (_folder, place, disk) = stage();
        fs::write(place.local().join("spool/one.json"), "{}").expect("written");
        let to = set_aside(&*disk, &place, 7).expect("set aside");
        assert!(to.starts_with(place.local()) && to.join("spool/one.json").exists());
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Ours);
        assert_eq!(set_aside_before(&*disk, place.local()).expect("listed").len(), 1);
        assert_eq!(fs::read_dir(place.context()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_link_in_its_place_is_set_aside_itself() {
        let (folder, place, disk) = stage();
        fs::create_dir(folder.path().join("out")).expect("made");
        fs::remove_dir_all(place.local()).expect("removed");
        symlink("../out", place.local()).expect("linked");
        assert_eq!(standing(&*disk, &place).expect("looked"), CloneStanding::Anothers);
        let to = set_aside(&*disk, &place, 7).expect("set aside");
        assert!(to.is_symlink() && place.local().is_dir() && !place.local().is_symlink());
        assert_eq!(fs::read_dir(folder.path().join("out")).expect("a folder").count(), 0);
    }
}
