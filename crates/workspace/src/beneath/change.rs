//! Changes below the folder: whole files at once, links, removals; never through a link.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, RawMode, fchmod, mkdirat, openat, renameat, symlinkat, unlinkat};
use rustix::io::Errno;

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
        let at = |error: io::Error| NotReached::io(path, error);
        let spot = way::make(self, path, &self.names(path)?)?;
        let mode = match spot.about().map(|about| (about.kind, about.mode)) {
            Ok((Kind::File, known)) => Some(mode.unwrap_or(known)),
            Ok((Kind::Link, _)) => return Err(NotReached::LinkInTheWay { path: path.to_owned() }),
            Ok((kind @ (Kind::Folder | Kind::Other(_)), _)) => {
                return Err(NotReached::NotAFile { path: path.to_owned(), kind: kind.name() });
            }
            Err(Errno::NOENT) => mode,
            Err(error) => return Err(at(error.into())),
        };
        let (name, mut file) = spot.create_beside(mode.unwrap_or(0o666)).map_err(at)?;
        let written = content.write(&mut file).and_then(|()| {
            // What is usual is what the person's mask leaves.
            mode.map_or(Ok(()), |mode| fchmod(&file, raw(mode)))?;
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

    /// Makes a folder, and those on the way to it; one that is there is left as it is.
    pub(crate) fn put_folder(&self, path: &Path) -> Result<(), NotReached> {
        let spot = way::make(self, path, &self.names(path)?)?;
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
        unlinkat(&spot.folder, &spot.name, flags).map_err(at)
    }

    /// Changes who may do what with a file or a folder.
    pub(crate) fn set_mode(&self, path: &Path, mode: u32) -> Result<(), NotReached> {
        let spot = self.spot_of_own(path)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(&spot.folder, &spot.name, flags, Mode::empty());
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

fn next_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{WRITING}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn raw(mode: u32) -> Mode {
    // Nine bits fit in each kind of mode.
    Mode::from_raw_mode((mode & 0o777) as RawMode)
}
