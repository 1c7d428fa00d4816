//! Changes below the folder: whole files at once, links, removals; never through a link.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, RawMode, fchmod, mkdirat, openat, renameat, symlinkat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::way::{self, Links, Spot};
use super::{Beneath, Kind, NotReached};
use crate::name::BadPath;

/// Behind this stands a number: a file that is being written.
pub(crate) const WRITING: &str = ".annals-writing-";

/// What a file is to hold.
pub(crate) enum Content<'c> {
    Bytes(&'c [u8]),
    /// All of another one.
    Of(&'c mut File),
}

impl Content<'_> {
    fn write(self, to: &mut File) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => to.write_all(bytes),
            Self::Of(file) => io::copy(file, to).map(drop),
        }
    }
}

impl Beneath {
    /// Puts a file in the place of what was there, at once; folders on the way are made. Without a mode it has the one of
    /// the file that was there, or what is usual. Its owner is us, and other names of the old file keep the old content.
    pub(crate) fn put(&self, path: &Path, content: Content<'_>, mode: Option<u32>) -> Result<(), NotReached> {
        self.put_over(path, content, mode, OldLink::Refused)
    }

    /// The same, also in the place of a link: that one is gone then, and what it leads to is left alone.
    pub(crate) fn put_for_link(&self, path: &Path, content: Content<'_>, mode: Option<u32>) -> Result<(), NotReached> {
        self.put_over(path, content, mode, OldLink::Replaced)
    }

    fn put_over(&self, path: &Path, content: Content<'_>, mode: Option<u32>, old: OldLink) -> Result<(), NotReached> {
        let at = |error: io::Error| NotReached::io(path, error);
        let spot = way::make(self, path, &self.names(path)?)?;
        let mode = match spot.about().map(|about| (about.kind, about.mode)) {
            Ok((Kind::File, known)) => Some(mode.unwrap_or(known)),
            Ok((Kind::Link, _)) if old == OldLink::Replaced => mode,
            Ok((Kind::Link, _)) => return Err(NotReached::LinkInTheWay { path: path.to_owned() }),
            Ok((kind @ (Kind::Folder | Kind::Other(_)), _)) => {
                return Err(NotReached::NotAFile { path: path.to_owned(), kind: kind.name() });
            }
            Err(Errno::NOENT) => mode,
            Err(error) => return Err(at(error.into())),
        };
        let (name, mut file) = spot.create_beside(mode.unwrap_or(0o666)).map_err(at)?;
        step();
        let written = content.write(&mut file).and_then(|()| {
            // What is usual is what the person's mask leaves.
            mode.map_or(Ok(()), |mode| fchmod(&file, raw(mode)))?;
            step();
            Ok(renameat(&spot.folder, &name, &spot.folder, &spot.name)?)
        });
        written.map_err(|error| {
            unlinkat(&spot.folder, &name, AtFlags::empty()).ok();
            at(error)
        })
    }

    /// Puts a file where nothing is; faster than `put`, and not at once.
    pub(crate) fn create(&self, path: &Path, content: Content<'_>, mode: u32) -> Result<(), NotReached> {
        let spot = way::make(self, path, &self.names(path)?)?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let created = openat(&spot.folder, &spot.name, flags, raw(mode)).map_err(io::Error::from).and_then(|file| {
            let mut file = File::from(file);
            content.write(&mut file)?;
            Ok(fchmod(&file, raw(mode))?)
        });
        created.map_err(|error| NotReached::io(path, error))
    }

    /// Makes a link where nothing is.
    pub(crate) fn put_link(&self, path: &Path, target: &Path) -> Result<(), NotReached> {
        let spot = way::make(self, path, &self.names(path)?)?;
        symlinkat(target, &spot.folder, &spot.name).map_err(|error| NotReached::io(path, error))
    }

    /// Puts a link in the place of a file or a link, at once, or where nothing is.
    pub(crate) fn put_link_for(&self, path: &Path, target: &Path) -> Result<(), NotReached> {
        let at = |error: Errno| NotReached::io(path, error);
        let spot = way::make(self, path, &self.names(path)?)?;
        let name = loop {
            let name = next_name();
            match symlinkat(target, &spot.folder, &name) {
                Ok(()) => break name,
                Err(Errno::EXIST) => {}
                Err(error) => return Err(at(error)),
            }
        };
        step();
        renameat(&spot.folder, &name, &spot.folder, &spot.name).map_err(|error| {
            unlinkat(&spot.folder, &name, AtFlags::empty()).ok();
            at(error)
        })
    }

    /// Removes from a folder what processes left there that were ended while they wrote, and what is of this one, which
    /// writes nothing there now. Nothing is said of what cannot be removed: it is of no use, and in nobody's way.
    pub(crate) fn sweep(&self, folder: &Path) {
        let Ok(folder) = self.folder(folder) else { return };
        let Ok(entries) = Dir::read_from(&folder) else { return };
        for entry in entries.flatten().filter(|entry| is_left(entry.file_name().to_bytes())) {
            unlinkat(&folder, entry.file_name(), AtFlags::empty()).ok();
        }
    }

    /// Makes a folder, and those on the way to it; one that is there is left as it is.
    pub(crate) fn put_folder(&self, path: &Path) -> Result<(), NotReached> {
        let spot = way::make(self, path, &self.names(path)?)?;
        step();
        match mkdirat(&spot.folder, &spot.name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) if spot.about().is_ok_and(|about| about.kind == Kind::Folder) => Ok(()),
            Err(error) => Err(NotReached::io(path, error)),
        }
    }

    /// Removes a file, a link, or a folder that is empty.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), NotReached> {
        let spot = self.spot_of_own(path)?;
        let at = |error: Errno| NotReached::io(path, error);
        let flags = match spot.about().map_err(at)?.kind {
            Kind::Folder => AtFlags::REMOVEDIR,
            Kind::File | Kind::Link | Kind::Other(_) => AtFlags::empty(),
        };
        step();
        unlinkat(&spot.folder, &spot.name, flags).map_err(at)
    }

    /// Changes who may do what with a file or a folder.
    pub(crate) fn set_mode(&self, path: &Path, mode: u32) -> Result<(), NotReached> {
        let spot = self.spot_of_own(path)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(&spot.folder, &spot.name, flags, Mode::empty());
        step();
        let set = opened.and_then(|file| fchmod(&file, raw(mode)));
        set.map_err(|error| NotReached::io(path, error))
    }

    fn spot_of_own(&self, path: &Path) -> Result<Spot, NotReached> {
        let names = self.names(path)?;
        if names.is_empty() {
            return Err(BadPath::Malformed.into());
        }
        way::find(self, path, &names, Links::Refused)
    }
}

impl Spot {
    fn create_beside(&self, mode: u32) -> io::Result<(String, File)> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            let name = next_name();
            match openat(&self.folder, &name, flags, raw(mode)) {
                Ok(file) => return Ok((name, File::from(file))),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// What is done where a link is in the place of what is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OldLink {
    Refused,
    Replaced,
}

/// Whether it is a file that was being written by a process that is no more, or by this one.
fn is_left(name: &[u8]) -> bool {
    let name = std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix(WRITING));
    let number = name.and_then(|rest| rest.split_once('-')).and_then(|(process, _)| process.parse().ok());
    let Some(process) = number.and_then(Pid::from_raw) else { return false };
    process == rustix::process::getpid() || test_kill_process(process) == Err(Errno::SRCH)
}

/// Where a test ends the work in the middle, as a kill would.
#[cfg(not(test))]
fn step() {}

#[cfg(test)]
use crate::tests::killed::step;

fn next_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{WRITING}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn raw(mode: u32) -> Mode {
    // Nine bits fit in each kind of mode.
    Mode::from_raw_mode((mode & 0o777) as RawMode)
}
