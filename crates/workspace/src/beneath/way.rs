//! The way to a path, name by name.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, mkdirat, readlinkat};
use rustix::io::Errno;

use super::{Beneath, NotReached, again, pass};
use crate::name::{BadPath, MOST_DEPTH, is_gits, kept};

/// More links than this on one way are a circle.
const MOST_LINKS: u32 = 40;

/// What is done where a link stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// It is followed as long as it stays inside.
    Followed,
    /// A folder that is a link is refused; a link at the end is what is asked for.
    Refused,
}

/// A name in a folder that is held open.
#[derive(Debug)]
pub(super) struct Spot {
    pub folder: OwnedFd,
    /// Empty: the folder itself.
    pub name: OsString,
}

/// Folders passed on the way, so that `..` of a link goes back the way that was come.
struct Way<'b> {
    root: &'b Beneath,
    passed: Vec<OwnedFd>,
    /// The names of those.
    names: Vec<OsString>,
    links: u32,
}

impl<'b> Way<'b> {
    fn new(root: &'b Beneath) -> Self {
        Way { root, passed: Vec::new(), names: Vec::new(), links: 0 }
    }

    fn go(&mut self, folder: OwnedFd, name: OsString, path: &Path) -> Result<(), NotReached> {
        if self.passed.len() == MOST_DEPTH {
            return Err(NotReached::io(path, Errno::NAMETOOLONG));
        }
        self.passed.push(folder);
        self.names.push(name);
        Ok(())
    }

    /// Where a link went up and out, it ends here.
    fn back(&mut self, path: &Path) -> Result<(), NotReached> {
        self.names.pop();
        self.passed.pop().map(drop).ok_or_else(|| BadPath::LinkOut { path: path.to_owned() }.into())
    }

    /// Neither git's nor the record, also where a link led there.
    fn require_open(&mut self, name: &OsString, path: &Path) -> Result<(), NotReached> {
        self.names.push(name.clone());
        let is_closed = is_gits(name) || self.root.is_left_out(&self.names);
        self.names.pop();
        if is_closed { Err(kept(path, name).into()) } else { Ok(()) }
    }

    fn here(&self) -> &OwnedFd {
        self.passed.last().unwrap_or(&self.root.root)
    }

    /// The names that a link stands for; it must not lead to the root.
    fn link(&mut self, name: &OsString, path: &Path, left: &mut VecDeque<OsString>) -> Result<(), NotReached> {
        use std::os::unix::ffi::OsStringExt;
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(NotReached::io(path, Errno::LOOP));
        }
        let target = readlinkat(self.here(), name, Vec::new()).map_err(|error| NotReached::io(path, error))?;
        let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
        for part in target.components().rev() {
            match part {
                Component::Normal(name) => left.push_front(name.to_owned()),
                Component::ParentDir => left.push_front("..".into()),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => {
                    return Err(BadPath::LinkOut { path: path.to_owned() }.into());
                }
            }
        }
        Ok(())
    }

    fn is_link(&self, name: &OsString) -> bool {
        readlinkat(self.here(), name, Vec::new()).is_ok()
    }

    fn end(mut self, name: OsString) -> Result<Spot, Errno> {
        let folder = match self.passed.pop() {
            Some(folder) => folder,
            None => again(&self.root.root)?,
        };
        Ok(Spot { folder, name })
    }
}

/// Finds it; what is at the end need not exist.
pub(super) fn find(root: &Beneath, path: &Path, names: &[OsString], links: Links) -> Result<Spot, NotReached> {
    let at = |error: Errno| NotReached::io(path, error);
    let mut way = Way::new(root);
    let mut left: VecDeque<OsString> = names.iter().cloned().collect();
    while let Some(name) = left.pop_front() {
        if name == ".." {
            way.back(path)?;
            continue;
        }
        way.require_open(&name, path)?;
        if left.is_empty() {
            if links == Links::Followed && way.is_link(&name) {
                way.link(&name, path, &mut left)?;
                continue;
            }
            return way.end(name).map_err(at);
        }
        match pass(way.here(), &name) {
            Ok(folder) => way.go(folder, name, path)?,
            Err(_) if way.is_link(&name) => match links {
                Links::Followed => way.link(&name, path, &mut left)?,
                Links::Refused => return Err(NotReached::LinkInTheWay { path: path.to_owned() }),
            },
            Err(error) => return Err(at(error)),
        }
    }
    way.end(OsString::new()).map_err(at)
}

/// The same, with the folders on the way made where they miss; no link is followed.
pub(super) fn make(root: &Beneath, path: &Path, names: &[OsString]) -> Result<Spot, NotReached> {
    let at = |error: Errno| NotReached::io(path, error);
    let Some((name, folders)) = names.split_last() else { return Err(BadPath::Malformed.into()) };
    let mut way = Way::new(root);
    for folder in folders {
        way.require_open(folder, path)?;
        match mkdirat(way.here(), folder, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(at(error)),
        }
        let next = pass(way.here(), folder).map_err(|error| {
            if way.is_link(folder) { NotReached::LinkInTheWay { path: path.to_owned() } } else { at(error) }
        })?;
        way.go(next, folder.clone(), path)?;
    }
    way.require_open(name, path)?;
    way.end(name.clone()).map_err(at)
}
