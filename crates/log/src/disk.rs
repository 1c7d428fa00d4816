//! The few things that the log asks of a file system, so that tests can put another one in its place.
//!
//! Does not know what a file holds.

mod door;
mod real;
mod shut;
mod spot;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

pub use self::real::RealDisk;
pub use self::shut::{Shut, Special};
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

/// What changed less than this before a moment may have changed again and look the same: times of files are coarse, in some
/// file systems as coarse as this, in nanoseconds.
const COARSE_NS: i64 = 2_000_000_000;

/// Whether whatever changed at one moment had come to rest at another, both in nanoseconds since 1970: a change after that
/// one looks different.
pub fn is_at_rest(changed_ns: i64, at_ns: i64) -> bool {
    at_ns.saturating_sub(changed_ns) >= COARSE_NS
}

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name, without the folder.
    pub name: String,
    /// What it looks like.
    pub look: Look,
}

/// What a file or folder is beside its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its number.
    pub number: u64,
    /// How many names it has.
    pub names: u64,
    /// When it was made, in nanoseconds since 1970, where the file system knows: nobody can choose it.
    pub born_ns: Option<u64>,
    /// Who may do what with it, as in `chmod`.
    pub mode: u32,
    /// The user that it belongs to.
    pub owner: u32,
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
    fn look(&self) -> io::Result<Look> {
        Ok(self.seen()?.look)
    }
    /// The same, and whether it has a name still: what is written to a file without one is gone when nobody has it open.
    fn seen(&self) -> io::Result<SeenFile>;
}

/// What an open file looks like, by one question to the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenFile {
    /// From outside.
    pub look: Look,
    /// Whether it has a name.
    pub is_named: bool,
}

/// A lock that ends with its value.
pub trait Lock: Send {
    /// The number of the file that is locked.
    fn number(&self) -> io::Result<u64>;
}

/// The file of a lock, open while nobody need hold it, so that the lock is taken again without a way through folders.
///
/// Whether its path still names this file must be asked after it was taken.
pub trait Latch: Send {
    /// The number of the file.
    fn number(&self) -> io::Result<u64>;
    /// Waits for the lock.
    fn take(&self) -> io::Result<()>;
    /// Takes the lock if nobody has it.
    fn try_take(&self) -> io::Result<bool>;
    /// Gives the lock back. The file that is closed gives it back, too.
    fn give_back(&self) -> io::Result<()>;
}

/// An open file that is read, and changed in place.
pub trait InPlace: ReadAt {
    /// The number of the file.
    fn number(&self) -> io::Result<u64>;
    /// Changes its first bytes, without a sync.
    fn overwrite(&self, bytes: &[u8]) -> io::Result<()>;
}

/// A file system.
pub trait Disk: Send + Sync {
    /// What is in a folder, by name, but for folders; a folder that is not there has nothing. Where the folder is guarded,
    /// links and pipes are in the list, too, so that whoever opens one is told what it is.
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>>;
    /// The names of the folders in a folder, sorted; a folder that is not there has none.
    fn folders(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// What a file or folder looks like; `None` where there is none.
    fn look(&self, path: &Path) -> io::Result<Option<Look>>;
    /// The same, only to be compared with a look that is known: the way is not opened step by step, so that what is seen may
    /// stand behind a link. `None` where nothing can be seen.
    fn glance(&self, path: &Path) -> Option<Look> {
        self.look(path).ok().flatten()
    }
    /// What a file or folder is beside its content; `None` where there is none.
    fn facts(&self, path: &Path) -> io::Result<Option<Facts>>;
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
    /// Moves a file, a folder or a link itself to a name that must be free.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
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
    /// Opens the file of a lock; `None` where the lock is more than this file.
    fn latch(&self, _path: &Path) -> io::Result<Option<Box<dyn Latch>>> {
        Ok(None)
    }
    /// Opens a file that is there; `None` where changing it in place is more than that.
    fn open_in_place(&self, _path: &Path) -> io::Result<Option<Box<dyn InPlace>>> {
        Ok(None)
    }
    /// The same disk with a guard before a folder that strangers may have filled: below it nothing is read, written,
    /// listed or removed through a link, and no pipe or device is taken for a file (`Shut`).
    fn below(self: Arc<Self>, folder: &Path) -> Arc<dyn Disk>;
}

impl dyn Disk + '_ {
    /// A whole file; `None` where there is none.
    pub fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.read_at_most(path, u64::MAX)
    }

    /// A whole file that should be small; `None` where there is none.
    pub fn read_at_most(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(look) = self.look(path)? else { return Ok(None) };
        if look.len > most {
            return Err(Shut::TooLarge { path: path.to_owned(), bytes: look.len, most }.into());
        }
        self.read_from(path, 0, look.len)
    }

    /// The end of a file; `None` where there is none.
    pub fn read_end(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(look) = self.look(path)? else { return Ok(None) };
        self.read_from(path, look.len.saturating_sub(most), look.len.min(most))
    }

    fn read_from(&self, path: &Path, offset: u64, length: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        // Git may take the file away between the look and this, which is the same as if there never was one.
        let length = match self.open(path) {
            Ok(file) => file.read_at(&mut bytes, offset)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        bytes.truncate(length);
        Ok(Some(bytes))
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
        // `fdatasync` brings bytes and length to the disk, all that reading a line needs; the times of the file are
        // not waited for.
        self.sync_data()
    }

    fn seen(&self) -> io::Result<SeenFile> {
        let metadata = self.metadata()?;
        Ok(SeenFile { look: spot::look_of_open(&metadata), is_named: metadata.nlink() > 0 })
    }
}

impl InPlace for File {
    fn number(&self) -> io::Result<u64> {
        Ok(self.metadata()?.ino())
    }

    fn overwrite(&self, bytes: &[u8]) -> io::Result<()> {
        self.write_all_at(bytes, 0)
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
