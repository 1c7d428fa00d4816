//! The file system of the machine: as it is, and with a folder in it that is guarded.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

use fs2::FileExt as _;
use rustix::fs::OFlags;

use super::door::{Door, Reach};
use super::spot::Spot;
use super::{Append, Disk, Facts, InPlace, Latch, Listed, Lock, Look, ReadAt, Safety};

/// The file system of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

/// The same, where nothing below a folder is reached through a link.
#[derive(Debug)]
struct Guarded(Door);

/// Who finds the place of a path.
trait Finds: Send + Sync {
    /// Does something at a path.
    fn at<T>(&self, path: &Path, reach: Reach, work: impl Fn(&Spot<'_>) -> io::Result<T>) -> io::Result<T>;
    /// What is seen at a path in one step; nothing is done there.
    fn glance(&self, path: &Path) -> Option<Look>;
    /// Makes a folder and those above it.
    fn make_folders(&self, path: &Path) -> io::Result<()>;
}

impl Finds for RealDisk {
    fn at<T>(&self, path: &Path, _: Reach, work: impl Fn(&Spot<'_>) -> io::Result<T>) -> io::Result<T> {
        work(&Spot::free(path))
    }

    fn glance(&self, path: &Path) -> Option<Look> {
        Spot::free(path).glance()
    }

    fn make_folders(&self, path: &Path) -> io::Result<()> {
        // Prompts and outputs of tools stand below: no other user of the machine may read them (decision 52).
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }
}

impl Finds for Guarded {
    /// Where the folder was deleted and made again meanwhile, the new one counts.
    fn at<T>(&self, path: &Path, reach: Reach, work: impl Fn(&Spot<'_>) -> io::Result<T>) -> io::Result<T> {
        let attempt = || self.0.spot(path, reach).and_then(|spot| work(&spot));
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.0.was_replaced() => attempt(),
            done => done,
        }
    }

    fn glance(&self, path: &Path) -> Option<Look> {
        self.0.way(path).ok()?.glance()
    }

    fn make_folders(&self, path: &Path) -> io::Result<()> {
        let Some(rest) = self.0.below(path)? else {
            RealDisk.make_folders(path)?;
            return if path == self.0.path() { keep_owner(path) } else { Ok(()) };
        };
        match self.0.make_folders(rest) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.0.was_replaced();
                self.make_folders(self.0.path())?;
                self.0.make_folders(rest)
            }
            done => done,
        }
    }
}

/// A folder that root makes in another's project is that other's.
fn keep_owner(folder: &Path) -> io::Result<()> {
    let Some(parent) = folder.parent().filter(|_| rustix::process::geteuid().is_root()) else { return Ok(()) };
    let (above, here) = (fs::metadata(parent)?, fs::metadata(folder)?);
    if above.uid() == 0 || here.uid() != 0 {
        return Ok(());
    }
    std::os::unix::fs::chown(folder, Some(above.uid()), Some(above.gid()))
}

fn some_if_found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a lock. Where nobody may write it, it is locked all the same: for that it need not be written.
fn open_lock(spot: &Spot<'_>) -> io::Result<File> {
    match spot.open(OFlags::RDWR | OFlags::CREATE) {
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            spot.open(OFlags::RDONLY).map_err(|_| error)
        }
        opened => opened,
    }
}

impl Latch for File {
    fn number(&self) -> io::Result<u64> {
        Ok(self.metadata()?.ino())
    }

    fn take(&self) -> io::Result<()> {
        self.lock_exclusive()
    }

    fn try_take(&self) -> io::Result<bool> {
        match self.try_lock_exclusive() {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == fs2::lock_contended_error().kind() => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn give_back(&self) -> io::Result<()> {
        fs2::FileExt::unlock(self)
    }
}

/// A lock that is held.
///
/// It is given back, and not only closed: a child that another thread starts has the open file, too, until it is another
/// program, and a lock that is closed meanwhile would still be held.
struct HeldFile(File);

impl Lock for HeldFile {
    fn number(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.ino())
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        // Where that fails, the file is closed all the same.
        let _ = self.0.give_back();
    }
}

fn locked<F: Finds>(disk: &F, path: &Path) -> io::Result<HeldFile> {
    disk.at(path, Reach::Name, |spot| {
        loop {
            let file = open_lock(spot)?;
            file.lock_exclusive()?;
            // Whoever deleted the folder meanwhile took the lock with it.
            if spot.is(&file)? {
                return Ok(HeldFile(file));
            }
        }
    })
}

fn locked_if_free<F: Finds>(disk: &F, path: &Path) -> io::Result<Option<HeldFile>> {
    disk.at(path, Reach::Name, |spot| {
        let file = open_lock(spot)?;
        if !file.try_take()? {
            return Ok(None);
        }
        let held = HeldFile(file);
        Ok(spot.is(&held.0)?.then_some(held))
    })
}

/// Both disks do the same, each at its own places.
macro_rules! disk_by_finding {
    () => {
        fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
            Ok(some_if_found(self.at(folder, Reach::Open, |spot| spot.list()))?.unwrap_or_default())
        }

        fn folders(&self, folder: &Path) -> io::Result<Vec<String>> {
            Ok(some_if_found(self.at(folder, Reach::Open, |spot| spot.folders()))?.unwrap_or_default())
        }

        fn look(&self, path: &Path) -> io::Result<Option<Look>> {
            some_if_found(self.at(path, Reach::Name, |spot| spot.look()))
        }

        fn glance(&self, path: &Path) -> Option<Look> {
            Finds::glance(self, path)
        }

        fn facts(&self, path: &Path) -> io::Result<Option<Facts>> {
            some_if_found(self.at(path, Reach::Name, |spot| spot.facts()))
        }

        fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
            Ok(Box::new(self.at(path, Reach::Open, |spot| spot.open(OFlags::RDONLY))?))
        }

        fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND;
            Ok(Arc::new(self.at(path, Reach::Open, |spot| spot.open(flags))?))
        }

        fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
            self.at(path, Reach::Name, |spot| spot.replace(bytes, safety))
        }

        fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            let file = self.at(path, Reach::Open, |spot| spot.open(OFlags::WRONLY | OFlags::CREATE))?;
            std::os::unix::fs::FileExt::write_all_at(&file, bytes, 0)
        }

        fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.at(from, Reach::Name, |from| self.at(to, Reach::Name, |to| from.link(to)))
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.at(from, Reach::Name, |from| self.at(to, Reach::Name, |to| from.rename(to)))
        }

        fn remove(&self, path: &Path) -> io::Result<()> {
            some_if_found(self.at(path, Reach::Name, |spot| spot.remove())).map(drop)
        }

        fn create_folder(&self, path: &Path) -> io::Result<()> {
            self.make_folders(path)
        }

        fn sync_folder(&self, path: &Path) -> io::Result<()> {
            self.at(path, Reach::Open, |spot| spot.sync_folder())
        }

        fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
            Ok(Box::new(locked(self, path)?))
        }

        fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
            Ok(locked_if_free(self, path)?.map(|held| Box::new(held) as Box<dyn Lock>))
        }

        fn latch(&self, path: &Path) -> io::Result<Option<Box<dyn Latch>>> {
            Ok(Some(Box::new(self.at(path, Reach::Name, open_lock)?)))
        }

        fn open_in_place(&self, path: &Path) -> io::Result<Option<Box<dyn InPlace>>> {
            Ok(Some(Box::new(self.at(path, Reach::Open, |spot| spot.open(OFlags::RDWR))?)))
        }

        fn below(self: Arc<Self>, folder: &Path) -> Arc<dyn Disk> {
            Arc::new(Guarded(Door::new(folder)))
        }
    };
}

impl Disk for RealDisk {
    disk_by_finding!();
}

impl Disk for Guarded {
    disk_by_finding!();
}

#[cfg(test)]
mod tests;
