//! Why something below a guarded folder is not opened.
//!
//! Says it; does not look.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

/// What stands where a file or a folder should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Shut {
    /// A link; whoever put it there chose where it leads.
    #[error("{} is a symbolic link, and nothing here is opened through one: look where it leads, then remove it", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A pipe, a socket or a device.
    #[error("{} is a {kind} and no file: remove it", path.display())]
    Special {
        /// Where.
        path: PathBuf,
        /// What it is.
        kind: Special,
    },
    /// A path with `..` or the like in it.
    #[error("{} is not made of plain names", path.display())]
    NotPlain {
        /// The path.
        path: PathBuf,
    },
    /// A small file that is not small.
    #[error("{} has {bytes} bytes, and a file of its kind at most {most}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The largest that is read.
        most: u64,
    },
}

/// What is neither file, folder nor link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pipe => "named pipe",
            Self::Socket => "socket",
            Self::Device => "device",
        })
    }
}

impl From<Shut> for io::Error {
    fn from(shut: Shut) -> Self {
        Self::other(shut)
    }
}

impl Shut {
    /// Why something of a type is not opened, if it is not.
    pub(super) fn by_type(kind: FileType, path: &Path) -> Option<Self> {
        let special = |kind| Some(Self::Special { path: path.to_owned(), kind });
        match kind {
            FileType::Symlink => Some(Self::Link { path: path.to_owned() }),
            FileType::Fifo => special(Special::Pipe),
            FileType::Socket => special(Special::Socket),
            FileType::CharacterDevice | FileType::BlockDevice => special(Special::Device),
            FileType::RegularFile | FileType::Directory | FileType::Unknown => None,
        }
    }

    /// What is not opened.
    pub fn path(&self) -> &Path {
        match self {
            Self::Link { path }
            | Self::Special { path, .. }
            | Self::NotPlain { path }
            | Self::TooLarge { path, .. } => path,
        }
    }

    /// The one that an error is about, if it is.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref().and_then(|inner| inner.downcast_ref())
    }

    /// Whether an error is one of these.
    pub fn is_in(error: &io::Error) -> bool {
        Self::of(error).is_some()
    }
}
