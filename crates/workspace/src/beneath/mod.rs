//! Everything below one folder that a stranger may have filled, and nothing else.
//!
//! A path is looked up name by name, each in the folder before it, which is held open: whatever is moved or linked meanwhile,
//! the way cannot leave. Links are followed where they stay inside, or not at all. Only plain files are opened, so no device
//! acts and no pipe waits. Works on each Unix, with or without Landlock.

mod change;
mod way;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, open, openat, readlinkat, statat};
use rustix::io::Errno;
use thiserror::Error;

pub(crate) use self::change::{Content, WRITING};
use self::way::{Links, Spot};
use crate::name::{self, BadPath};

/// Why something below the folder was not reached.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotReached {
    /// The path leads elsewhere.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// Nothing is changed through a link.
    #[error("a link stands in the way to {path:?}")]
    LinkInTheWay {
        /// Where to.
        path: PathBuf,
    },
    /// It is a folder, a pipe, a device, …
    #[error("{path:?} is no plain file, but a {kind}")]
    NotAFile {
        /// What was asked for.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The file is larger than may be read at once.
    #[error("{path:?} has {bytes} bytes, more than the {most} that are read at once")]
    TooLarge {
        /// Which.
        path: PathBuf,
        /// How large it is.
        bytes: u64,
        /// The most.
        most: u64,
    },
    /// The disk said no.
    #[error("{path:?}: {said}")]
    Io {
        /// What was asked for.
        path: PathBuf,
        /// What it said; it stands in the words already.
        said: io::Error,
    },
}

impl NotReached {
    pub(crate) fn io(path: &Path, said: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), said: said.into() }
    }

    /// Whether there is nothing at that path.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Io { said, .. } if matches!(said.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
    }
}

/// What lies at a path, without following a link there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket, a device.
    Other(&'static str),
}

impl Kind {
    fn of(file_type: FileType) -> Self {
        match file_type {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Other("pipe"),
            FileType::Socket => Self::Other("socket"),
            FileType::CharacterDevice | FileType::BlockDevice => Self::Other("device"),
            FileType::Unknown => Self::Other("thing that has no name"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Other(name) => name,
        }
    }
}

/// What lies somewhere, and who may do what with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct About {
    pub kind: Kind,
    /// The lowest nine bits.
    pub mode: u32,
    pub bytes: u64,
    /// When it last changed, by the clock of the disk, in nanoseconds since 1970. Nobody can set it.
    pub changed: i128,
}

impl About {
    pub(crate) fn of(stat: &Stat) -> Self {
        let kind = Kind::of(FileType::from_raw_mode(stat.st_mode));
        // Neither is negative.
        let bytes = u64::try_from(stat.st_size).unwrap_or_default();
        #[cfg_attr(target_os = "linux", expect(clippy::useless_conversion, reason = "elsewhere it has 16 bits"))]
        let mode = u32::from(stat.st_mode) & 0o777;
        let changed = i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec);
        Self { kind, mode, bytes, changed }
    }
}

/// How a folder is opened that is only passed through.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// What is done about folders that miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Making {
    Folders,
    Nothing,
}

/// The folder.
#[derive(Debug, Clone)]
pub(crate) struct Beneath {
    root: Arc<OwnedFd>,
    path: PathBuf,
    /// The names that lead to the record; none: it is not below this folder.
    record: Vec<OsString>,
    /// The folder below it from which paths go; none: itself.
    start: PathBuf,
}

impl Beneath {
    /// Opens it; the folder itself may be named through a link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let root = open(path, PASSING, Mode::empty())?;
        Ok(Self { root: Arc::new(root), path: path.to_owned(), record: Vec::new(), start: PathBuf::new() })
    }

    /// The same without what lies at this path.
    pub(crate) fn without(self, record: &Path) -> Self {
        Self { record: record.iter().map(OsStr::to_owned).collect(), ..self }
    }

    /// The same with paths that go from a folder below it. They may lead up from there, and still not out.
    pub(crate) fn starting_at(self, start: &Path) -> Self {
        Self { start: start.to_owned(), ..self }
    }

    /// The names of a path, from the folder itself on.
    pub(crate) fn names(&self, path: &Path) -> Result<Vec<OsString>, BadPath> {
        if path.as_os_str().is_empty() { Err(BadPath::Malformed) } else { name::names(&self.start.join(path)) }
    }

    /// The path of names, as it is given from where paths start.
    pub(crate) fn path_of(&self, names: &[OsString]) -> PathBuf {
        let common = self.start.iter().zip(names).take_while(|(start, name)| start == name).count();
        let up = self.start.iter().skip(common).map(|_| OsString::from(".."));
        name::joined(&up.chain(names[common..].iter().cloned()).collect::<Vec<_>>())
    }

    /// Whether names lead to what is left out.
    pub(crate) fn is_left_out(&self, names: &[OsString]) -> bool {
        name::is_of_record(names, &self.record)
    }

    /// A folder below it, which is made where it misses and `making` says so. A path is checked as a whole beforehand.
    pub(crate) fn below(&self, folder: &Path, making: Making) -> Result<Self, NotReached> {
        if folder.as_os_str().is_empty() {
            return Ok(self.clone());
        }
        let inner = folder.join("x");
        let spot = match making {
            Making::Folders => way::make(self, &inner, &self.names(&inner)?)?,
            Making::Nothing => self.spot(&inner, Links::Refused)?,
        };
        Ok(Self {
            root: Arc::new(spot.folder),
            path: self.path.join(folder),
            record: Vec::new(),
            start: PathBuf::new(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What lies at a path; a link as a link.
    pub(crate) fn about(&self, path: &Path) -> Result<About, NotReached> {
        let spot = self.spot(path, Links::Refused)?;
        spot.about().map_err(|error| NotReached::io(path, error))
    }

    /// The same of what a link leads to.
    pub(crate) fn about_followed(&self, path: &Path) -> Result<About, NotReached> {
        let spot = self.spot(path, Links::Followed)?;
        spot.about().map_err(|error| NotReached::io(path, error))
    }

    /// Opens a plain file to read it; links that stay inside are followed.
    pub(crate) fn file(&self, path: &Path) -> Result<File, NotReached> {
        self.spot(path, Links::Followed)?.file(path)
    }

    /// The same where no link may stand in the way.
    pub(crate) fn own_file(&self, path: &Path) -> Result<File, NotReached> {
        self.spot(path, Links::Refused)?.file(path)
    }

    /// All of a plain file, where it is not larger than `most`.
    pub(crate) fn bytes(&self, path: &Path, most: u64) -> Result<Vec<u8>, NotReached> {
        let file = self.file(path)?;
        let mut bytes = Vec::new();
        // It can grow while it is read.
        file.take(most + 1).read_to_end(&mut bytes).map_err(|error| NotReached::io(path, error))?;
        if bytes.len() as u64 > most {
            let bytes = self.about_followed(path)?.bytes;
            return Err(NotReached::TooLarge { path: path.to_owned(), bytes, most });
        }
        Ok(bytes)
    }

    /// Where a link leads to.
    pub(crate) fn link(&self, path: &Path) -> Result<PathBuf, NotReached> {
        let spot = self.spot(path, Links::Refused)?;
        spot.link().map_err(|error| NotReached::io(path, error))
    }

    /// Opens a folder to list it.
    pub(crate) fn folder(&self, path: &Path) -> Result<OwnedFd, NotReached> {
        let spot = self.spot(path, Links::Refused)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(&spot.folder, spot.name_or_self(), flags, Mode::empty());
        opened.map_err(|error| NotReached::io(path, error))
    }

    fn spot(&self, path: &Path, links: Links) -> Result<Spot, NotReached> {
        way::find(self, path, &self.names(path)?, links)
    }
}

impl Spot {
    fn name_or_self(&self) -> &OsStr {
        if self.name.is_empty() { OsStr::new(".") } else { &self.name }
    }

    fn about(&self) -> Result<About, Errno> {
        statat(&self.folder, self.name_or_self(), AtFlags::SYMLINK_NOFOLLOW).map(|stat| About::of(&stat))
    }

    fn link(&self) -> Result<PathBuf, Errno> {
        use std::os::unix::ffi::OsStringExt;
        let target = readlinkat(&self.folder, self.name_or_self(), Vec::new())?;
        Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
    }

    /// Looked at before it is opened, for opening some devices acts, and after, for it may have been exchanged.
    fn file(&self, path: &Path) -> Result<File, NotReached> {
        let require_plain = |kind: Kind| match kind {
            Kind::File => Ok(()),
            Kind::Link => Err(NotReached::LinkInTheWay { path: path.to_owned() }),
            Kind::Folder | Kind::Other(_) => Err(NotReached::NotAFile { path: path.to_owned(), kind: kind.name() }),
        };
        let at = |error: Errno| NotReached::io(path, error);
        require_plain(self.about().map_err(at)?.kind)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&self.folder, self.name_or_self(), flags, Mode::empty()).map_err(at)?;
        require_plain(About::of(&fstat(&file).map_err(at)?).kind)?;
        Ok(File::from(file))
    }
}

/// A folder of ours that is passed through, whatever is in the way to it.
fn pass(folder: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(folder, name, PASSING | OFlags::NOFOLLOW, Mode::empty())
}

/// Another handle of the same folder.
fn again(folder: &OwnedFd) -> Result<OwnedFd, Errno> {
    openat(folder, ".", PASSING, Mode::empty())
}
