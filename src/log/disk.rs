//! The few things that the log asks of a file system, so that tests can put another one in its place.
//!
//! Does not know what a file holds.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs2::FileExt as _;
use serde::{Deserialize, Serialize};

/// What a file looks like from outside; where all of it is as it was, so is the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Look {
    /// Length in bytes.
    pub len: u64,
    /// Last change, in nanoseconds since 1970.
    pub changed_ns: i64,
    /// The number of the file: another one after the file was replaced.
    pub number: u64,
}

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, without the folder.
    pub name: String,
    /// What it looks like.
    pub look: Look,
}

/// Whether a change must outlast a power cut before it counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// Yes.
    Synced,
    /// No: what is lost can be made again.
    Cached,
}

/// An open file that can be read at any place.
pub trait ReadAt: Send + Sync {
    /// Fills as much of `buffer` as there is from `offset` on; returns how many bytes that were.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// An open file that is written at its end.
pub trait Append: Send + Sync {
    /// Writes all bytes with as few calls as the system takes.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts the file.
    fn truncate(&self, len: u64) -> io::Result<()>;
    /// Returns when the content is on the disk.
    fn sync(&self) -> io::Result<()>;
    /// What the file looks like now.
    fn look(&self) -> io::Result<Look>;
}

/// A lock that ends with its value.
pub trait Lock: Send {}

/// A file system.
pub trait Disk: Send + Sync {
    /// The files of a folder, by name; a folder that is not there has none. Folders in it are left out.
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>>;
    /// The names of the folders in a folder, sorted; a folder that is not there has none.
    fn folders(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// What a file or folder looks like; `None` where there is none.
    fn look(&self, path: &Path) -> io::Result<Option<Look>>;
    /// Opens a file for reading.
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>>;
    /// Opens a file for writing at its end, and makes it where it is not there.
    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>>;
    /// Puts a file in place at once: a reader sees the old one or the new one, whole.
    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()>;
    /// Changes the first bytes of a file in place, without a sync; makes it where it is not there.
    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file a second name, which must be free. Where a hard link cannot be (another file system, one that has
    /// none, too many of them) the second name gets a synced copy. Neither name is followed if it is a link.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file; it may be gone already.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes a folder and those above it.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Returns when the names in a folder are on the disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Waits for the exclusive lock that a file stands for.
    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>>;
    /// Takes the lock if nobody has it.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>>;
}

impl dyn Disk + '_ {
    /// A whole file; `None` where there is none.
    pub fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let Some(look) = self.look(path)? else { return Ok(None) };
        let mut bytes = vec![0; usize::try_from(look.len).map_err(io::Error::other)?];
        let length = match self.open(path) {
            Ok(file) => file.read_at(&mut bytes, 0)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        bytes.truncate(length);
        Ok(Some(bytes))
    }
}

/// The file system of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

fn look_of(metadata: &fs::Metadata) -> Look {
    let changed_ns = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
    Look { len: metadata.len(), changed_ns, number: metadata.ino() }
}

fn some_if_found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match FileExt::read_at(self, &mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Append for File {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        (&*self).write_all(bytes)
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn look(&self) -> io::Result<Look> {
        self.metadata().map(|metadata| look_of(&metadata))
    }
}

impl Lock for File {}

impl Disk for RealDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        let Some(entries) = some_if_found(fs::read_dir(folder))? else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            let Some(metadata) = some_if_found(entry.metadata())?.filter(fs::Metadata::is_file) else { continue };
            files.push(Listed { name: entry.file_name().to_string_lossy().into_owned(), look: look_of(&metadata) });
        }
        files.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(files)
    }

    fn folders(&self, folder: &Path) -> io::Result<Vec<String>> {
        let Some(entries) = some_if_found(fs::read_dir(folder))? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        Ok(some_if_found(fs::metadata(path))?.as_ref().map(look_of))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        Ok(Box::new(File::open(path)?))
    }

    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
        Ok(Arc::new(OpenOptions::new().create(true).append(true).open(path)?))
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        let temporary = temporary_beside(path);
        let written = write_temporary(&temporary, bytes, safety).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // What cannot be removed is swept by the next writer of the same process; the first error says more.
            let _ = fs::remove_file(&temporary);
        }
        written?;
        match safety {
            Safety::Synced => self.sync_folder(path.parent().unwrap_or(Path::new("."))),
            Safety::Cached => Ok(()),
        }
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        OpenOptions::new().create(true).write(true).truncate(false).open(path)?.write_all_at(bytes, 0)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::hard_link(from, to) {
            Err(error) if is_no_place_for_links(&error) => copy(from, to),
            done => done,
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        some_if_found(fs::remove_file(path)).map(drop)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
        loop {
            let file = open_lock(path)?;
            file.lock_exclusive()?;
            if is_still_there(&file, path)? {
                return Ok(Box::new(file));
            }
        }
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        let file = open_lock(path)?;
        match file.try_lock_exclusive() {
            Ok(()) if is_still_there(&file, path)? => Ok(Some(Box::new(file))),
            Ok(()) => Ok(None),
            Err(error) if error.kind() == fs2::lock_contended_error().kind() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)
}

/// Whether a locked file is still the one at its path: whoever deleted the folder meanwhile took the lock with it.
fn is_still_there(file: &File, path: &Path) -> io::Result<bool> {
    let here = file.metadata()?;
    let there = some_if_found(fs::metadata(path))?;
    Ok(there.is_some_and(|there| (there.dev(), there.ino()) == (here.dev(), here.ino())))
}

/// Whether the file system refuses a hard link where it would take a copy.
fn is_no_place_for_links(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let refusals = [Errno::XDEV, Errno::PERM, Errno::MLINK, Errno::OPNOTSUPP, Errno::NOSYS];
    error.raw_os_error().is_some_and(|code| refusals.iter().any(|refusal| refusal.raw_os_error() == code))
}

/// The copy is whole and on the disk before it has its name.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(from)?.is_file() {
        return Err(io::Error::other(format!("{} is no file", from.display())));
    }
    if some_if_found(fs::symlink_metadata(to))?.is_some() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let temporary = temporary_beside(to);
    let copied = fs::copy(from, &temporary)
        .and_then(|_| File::open(&temporary)?.sync_all())
        .and_then(|()| fs::rename(&temporary, to));
    if copied.is_err() {
        // What cannot be removed carries a temporary's name; the first error says more.
        let _ = fs::remove_file(&temporary);
    }
    copied
}

/// A name that no other thread and no other process uses at the same time.
fn temporary_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{count}.tmp", std::process::id()))
}

fn write_temporary(path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    match safety {
        Safety::Synced => file.sync_all(),
        Safety::Cached => Ok(()),
    }
}

/// Reads an open file from the beginning, for whoever wants `Read`.
pub struct Sequential<'d> {
    file: &'d dyn ReadAt,
    offset: u64,
}

impl<'d> Sequential<'d> {
    /// Starts at an offset.
    pub fn new(file: &'d dyn ReadAt, offset: u64) -> Self {
        Self { file, offset }
    }
}

impl Read for Sequential<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_name_is_the_same_file_and_outlasts_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&first, "one").expect("written");
        RealDisk.link(&first, &second).expect("linked");
        assert_eq!(RealDisk.look(&first).expect("looked"), RealDisk.look(&second).expect("looked"));
        RealDisk.remove(&first).expect("removed");
        assert_eq!(fs::read(&second).expect("read"), b"one");
    }

    #[test]
    fn a_second_name_that_is_taken_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&first, "one").expect("written");
        fs::write(&second, "two").expect("written");
        for linked in [RealDisk.link(&first, &second), copy(&first, &second)] {
            assert_eq!(linked.expect_err("taken").kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(fs::read(&second).expect("read"), b"two");
    }

    #[test]
    fn a_copy_where_links_cannot_be_is_whole_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&first, "one").expect("written");
        copy(&first, &second).expect("copied");
        assert_eq!(fs::read(&second).expect("read"), b"one");
        let names: Vec<_> = RealDisk.list(folder.path()).expect("listed").into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn folders_are_listed_by_name_and_files_are_not_among_them() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b", "a"] {
            fs::create_dir(folder.path().join(name)).expect("made");
        }
        fs::write(folder.path().join("c"), "").expect("written");
        assert_eq!(RealDisk.folders(folder.path()).expect("listed"), ["a", "b"]);
        assert_eq!(RealDisk.folders(&folder.path().join("none")).expect("none"), [""; 0]);
    }
}
