//! The one door to everything below a folder that strangers may have filled: no link in it is followed.
//!
//! The folder itself may be a link, which is its person's own; below it a path is plain names, each looked up in the
//! folder before it. Does not open files; `spot` does.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use super::shut::Shut;
use super::spot::{FileOwner, From, Spot, Way, wide};

/// How a folder is opened that is only passed through.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// The same where there is no such way.
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To open what is there.
    Open,
    /// To do something with its name.
    Name,
}

/// The way to everything below one folder.
#[derive(Debug)]
pub(super) struct Door {
    path: PathBuf,
    root: Mutex<Option<Arc<Root>>>,
    /// Whether each folder on the way is opened by itself: where the kernel cannot be asked to follow no link.
    steps: AtomicBool,
}

/// The folder, open.
#[derive(Debug)]
struct Root {
    folder: Arc<OwnedFd>,
    /// Device and number.
    number: (u64, u64),
    owner: Option<FileOwner>,
}

impl Door {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), root: Mutex::default(), steps: AtomicBool::new(!cfg!(target_os = "linux")) }
    }

    /// A door that opens each folder on the way by itself.
    #[cfg(test)]
    pub(super) fn by_steps(path: &Path) -> Self {
        Self { steps: AtomicBool::new(true), ..Self::new(path) }
    }

    /// The folder behind which it guards everything.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What follows the folder in a path; `None` where the path is the folder itself or elsewhere.
    pub(super) fn below<'p>(&self, path: &'p Path) -> io::Result<Option<&'p Path>> {
        let Some(rest) = self.rest(path) else { return Ok(None) };
        if rest.as_os_str().is_empty() {
            return Ok(None);
        }
        let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
        if is_plain { Ok(Some(rest)) } else { Err(Shut::NotPlain { path: path.to_owned() }.into()) }
    }

    fn rest<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        // Almost every path was joined to this very folder: its bytes tell so, and parts need not be compared one by one,
        // which took a tenth of the instructions of a record.
        let folder = Some(self.path.as_os_str().as_bytes()).filter(|folder| !folder.is_empty());
        let behind = folder.and_then(|folder| path.as_os_str().as_bytes().strip_prefix(folder));
        match behind {
            Some([b'/', rest @ ..]) if !matches!(rest, [] | [b'/' | b'.', ..]) => {
                Some(Path::new(OsStr::from_bytes(rest)))
            }
            _ => path.strip_prefix(&self.path).ok(),
        }
    }

    /// The place of a path, whether it is below the folder or elsewhere.
    pub(super) fn spot<'p>(&self, path: &'p Path, reach: Reach) -> io::Result<Spot<'p>> {
        let Some(rest) = self.below(path)? else { return Ok(Spot::free(path)) };
        let root = self.root()?;
        let (parent, name) = split(rest);
        let (folder, name, way) = if parent.as_os_str().is_empty() {
            (Arc::clone(&root.folder), name, Way::Name)
        } else if reach == Reach::Open && !self.steps.load(Ordering::Relaxed) && self.asks_kernel(&root) {
            (Arc::clone(&root.folder), rest, Way::Beneath)
        } else {
            (self.pass(&root, parent, path)?, name, Way::Name)
        };
        Ok(Spot { from: From::Folder(folder), name, way, owner: root.owner, path })
    }

    /// The same without a step on the way: nothing may be opened or changed there.
    pub(super) fn way<'p>(&self, path: &'p Path) -> io::Result<Spot<'p>> {
        let Some(rest) = self.below(path)? else { return Ok(Spot::free(path)) };
        let root = self.root()?;
        Ok(Spot { from: From::Folder(Arc::clone(&root.folder)), name: rest, way: Way::Name, owner: root.owner, path })
    }

    /// Opens a folder below to do something in it.
    fn pass(&self, root: &Root, parent: &Path, path: &Path) -> io::Result<Arc<OwnedFd>> {
        let opened = if !self.steps.load(Ordering::Relaxed) && self.asks_kernel(root) {
            open_beneath(&root.folder, parent, PASSING, Mode::empty())
        } else {
            by_steps(root, parent)
        };
        opened.map(Arc::new).map_err(|errno| self.blame(root, parent, errno, path))
    }

    fn blame(&self, root: &Root, parent: &Path, errno: Errno, path: &Path) -> io::Error {
        let is_in_the_way = matches!(errno, Errno::LOOP | Errno::NOTDIR | Errno::MLINK);
        let above: PathBuf = path.ancestors().nth(1).unwrap_or(&self.path).to_owned();
        let shut = is_in_the_way.then(|| obstacle(&root.folder, parent, &above)).flatten();
        shut.map_or_else(|| errno.into(), Into::into)
    }

    /// Whether the kernel knows how to follow no link; asked once a door. A sandbox may forbid to ask.
    fn asks_kernel(&self, root: &Root) -> bool {
        use std::sync::OnceLock;
        // Once for all doors: each engine has several, and a kernel does not change its mind.
        static KNOWS: OnceLock<bool> = OnceLock::new();
        let knows = *KNOWS.get_or_init(|| open_beneath(&root.folder, Path::new("."), PASSING, Mode::empty()).is_ok());
        self.steps.store(!knows, Ordering::Relaxed);
        knows
    }

    fn root(&self) -> io::Result<Arc<Root>> {
        let mut kept = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = &*kept {
            return Ok(Arc::clone(root));
        }
        let root = Arc::new(Root::open(&self.path)?);
        *kept = Some(Arc::clone(&root));
        Ok(root)
    }

    /// Whether another folder has the path by now; it is opened anew, then.
    pub(super) fn was_replaced(&self) -> bool {
        let mut kept = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        let number = kept.as_ref().map(|root| root.number);
        let now = std::fs::metadata(&self.path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
        let is_another = number.is_some() && number != now;
        if is_another {
            *kept = None;
        }
        is_another
    }

    /// Makes every folder on the way to one below.
    pub(super) fn make_folders(&self, rest: &Path) -> io::Result<()> {
        let root = self.root()?;
        let (mut folder, mut path) = (Arc::clone(&root.folder), self.path.clone());
        for name in rest.components() {
            let name = Path::new(name.as_os_str());
            path.push(name);
            let spot = Spot { from: From::Folder(folder), name, way: Way::Name, owner: root.owner, path: &path };
            spot.make_folder()?;
            let opened = openat(&spot.from, name, PASSING | OFlags::NOFOLLOW, Mode::empty());
            folder = Arc::new(opened.map_err(|errno| {
                let shut = obstacle(&spot.from, name, &path);
                shut.map_or_else(|| errno.into(), io::Error::from)
            })?);
        }
        Ok(())
    }
}

impl Root {
    fn open(path: &Path) -> io::Result<Self> {
        let folder = openat(CWD, path, PASSING, Mode::empty())?;
        let stat = fstat(&folder)?;
        // Root in a container must not leave files that the project's person cannot write (decision 52).
        let is_anothers = stat.st_uid != 0 && rustix::process::geteuid().is_root();
        let owner = is_anothers.then_some(FileOwner { user: stat.st_uid, group: stat.st_gid });
        Ok(Self { folder: Arc::new(folder), number: (wide(stat.st_dev), wide(stat.st_ino)), owner })
    }
}

fn split(rest: &Path) -> (&Path, &Path) {
    let name = rest.file_name().map_or(rest, Path::new);
    (rest.parent().unwrap_or(Path::new("")), name)
}

/// Opens something below a folder; the kernel follows no link on the way.
#[cfg(target_os = "linux")]
pub(super) fn open_beneath(folder: impl AsFd, rest: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(folder, rest, flags, mode, resolve)
}

/// There is no such call here, and `Door` never asks for it.
#[cfg(not(target_os = "linux"))]
pub(super) fn open_beneath(_: impl AsFd, _: &Path, _: OFlags, _: Mode) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

fn by_steps(root: &Root, parent: &Path) -> Result<OwnedFd, Errno> {
    let mut folder: Option<OwnedFd> = None;
    for name in parent.components() {
        let name = name.as_os_str();
        let flags = PASSING | OFlags::NOFOLLOW;
        folder = Some(match &folder {
            Some(folder) => openat(folder, name, flags, Mode::empty())?,
            None => openat(&root.folder, name, flags, Mode::empty())?,
        });
    }
    folder.ok_or(Errno::NOENT)
}

/// The first thing on a way that is not passed: a link, a pipe. `path` is where the way ends, for whoever is told.
pub(super) fn obstacle(folder: impl AsFd, way: &Path, path: &Path) -> Option<Shut> {
    let parts: Vec<_> = way.ancestors().zip(path.ancestors()).collect();
    for (part, shown) in parts.into_iter().rev().filter(|(part, _)| !part.as_os_str().is_empty()) {
        let stat = statat(&folder, part, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let shut = Shut::by_type(FileType::from_raw_mode(stat.st_mode), shown);
        if shut.is_some() {
            return shut;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_below_is_that_of_the_parts_of_the_path() {
        let folders = ["/a/b", "/a/b/", "/a//b", "a", ".", "/", ""];
        let tails = ["", "/", "/c", "//c", "/c/d", "/c//d", "/./c", "/../c", "x", "x/c", "/c/", "c"];
        let paths = folders.iter().flat_map(|folder| tails.map(|tail| format!("{folder}{tail}")));
        for (folder, path) in folders.iter().flat_map(|folder| paths.clone().map(move |path| (folder, path))) {
            let rest = Path::new(&path).strip_prefix(folder).ok();
            let door = Door::new(Path::new(folder));
            assert_eq!(door.rest(Path::new(&path)), rest, "{path} below {folder}");
        }
    }
}
