//! One place in the file system, as a folder that is open and what to open from there; and what is done at it.
//!
//! What is made is for its owner alone: files 0600, folders 0700 (decision 52). Does not choose the place; `door` does.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Dir, DirEntry, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::fs::{fchmod, fchown, linkat, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::shut::Shut;
use super::{Facts, Listed, Look, Safety, door};

/// What a new file may be used for: by its owner, for reading and writing.
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// The same for a folder.
const FOLDER_MODE: Mode = Mode::RWXU;

/// How a folder is opened to be listed or synced.
const LISTING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How something is opened that is neither read nor followed.
#[cfg(target_os = "linux")]
const ITSELF: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// The same where there is no such way.
#[cfg(not(target_os = "linux"))]
const ITSELF: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// From where a name is looked up.
#[derive(Debug, Clone)]
pub(super) enum From {
    /// Wherever the process stands.
    Here,
    /// An open folder.
    Folder(Arc<OwnedFd>),
}

impl AsFd for From {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Here => CWD,
            Self::Folder(fd) => fd.as_fd(),
        }
    }
}

/// How far links are followed on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As the system does: nobody guards this path.
    Free,
    /// It is one plain name, and if that is a link, it is not followed.
    Name,
    /// It is several plain names, and the kernel is asked to follow no link at any.
    Beneath,
}

/// Who a new file belongs to, where we might be another.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileOwner {
    pub(super) user: u32,
    pub(super) group: u32,
}

impl FileOwner {
    fn take(self, file: impl AsFd) -> io::Result<()> {
        Ok(fchown(file, Some(Uid::from_raw(self.user)), Some(Gid::from_raw(self.group)))?)
    }
}

/// A place.
#[derive(Debug, Clone)]
pub(super) struct Spot<'p> {
    pub(super) from: From,
    pub(super) name: &'p Path,
    pub(super) way: Way,
    pub(super) owner: Option<FileOwner>,
    /// For whoever must be told.
    pub(super) path: &'p Path,
}

impl<'p> Spot<'p> {
    /// A path that nobody guards.
    pub(super) fn free(path: &'p Path) -> Self {
        Self { from: From::Here, name: path, way: Way::Free, owner: None, path }
    }

    /// Opens a file. A pipe does not hold anybody up, and is refused.
    pub(super) fn open(&self, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mode = if flags.contains(OFlags::CREATE) { FILE_MODE } else { Mode::empty() };
        let opened = match self.way {
            Way::Free => openat(&self.from, self.name, flags, mode),
            Way::Name => openat(&self.from, self.name, flags | OFlags::NOFOLLOW, mode),
            Way::Beneath => door::open_beneath(&self.from, self.name, flags, mode),
        };
        let file = File::from(opened.map_err(|errno| self.blame(errno))?);
        let metadata = file.metadata()?;
        let kind = FileType::from_raw_mode(metadata.mode());
        if kind == FileType::Directory {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if let Some(shut) = Shut::by_type(kind, self.path) {
            return Err(shut.into());
        }
        if let Some(owner) = self.owner.filter(|owner| mode == FILE_MODE && metadata.uid() != owner.user) {
            owner.take(&file)?;
        }
        Ok(file)
    }

    /// What stands here, without following it where the place is guarded.
    fn stat(&self) -> Result<Stat, Errno> {
        let flags = if self.way == Way::Free { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        statat(&self.from, self.name, flags)
    }

    /// What a refusal of the system means: it does not say which name on the way was a link.
    fn blame(&self, errno: Errno) -> io::Error {
        let is_in_the_way = matches!(errno, Errno::LOOP | Errno::NOTDIR | Errno::NXIO | Errno::MLINK);
        let shut = is_in_the_way.then(|| door::obstacle(&self.from, self.name, self.path)).flatten();
        shut.filter(|_| self.way != Way::Free).map_or_else(|| errno.into(), Into::into)
    }

    pub(super) fn look(&self) -> io::Result<Look> {
        let stat = self.stat().map_err(|errno| self.blame(errno))?;
        match Shut::by_type(FileType::from_raw_mode(stat.st_mode), self.path) {
            Some(shut @ Shut::Link { .. }) => Err(shut.into()),
            Some(_) | None => Ok(look_of(&stat)),
        }
    }

    /// What is seen here, if anything is.
    pub(super) fn glance(&self) -> Option<Look> {
        self.stat().ok().map(|stat| look_of(&stat))
    }

    /// What is known of the thing itself.
    pub(super) fn facts(&self) -> io::Result<Facts> {
        let opened = match self.way {
            Way::Free => return Ok(facts_of(&fs::metadata(self.path)?)),
            Way::Name | Way::Beneath => openat(&self.from, self.name, ITSELF, Mode::empty()),
        };
        let metadata = File::from(opened.map_err(|errno| self.blame(errno))?).metadata()?;
        match Shut::by_type(FileType::from_raw_mode(metadata.mode()), self.path) {
            Some(shut @ Shut::Link { .. }) => Err(shut.into()),
            Some(_) | None => Ok(facts_of(&metadata)),
        }
    }

    /// Whether an open file is the one that has this name.
    pub(super) fn is(&self, file: &File) -> io::Result<bool> {
        let here = file.metadata()?;
        match self.stat() {
            Ok(there) => Ok((wide(there.st_dev), wide(there.st_ino)) == (here.dev(), here.ino())),
            Err(Errno::NOENT) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }

    fn open_folder(&self) -> io::Result<OwnedFd> {
        let opened = match self.way {
            Way::Free => openat(&self.from, self.name, LISTING, Mode::empty()),
            Way::Name => openat(&self.from, self.name, LISTING | OFlags::NOFOLLOW, Mode::empty()),
            Way::Beneath => door::open_beneath(&self.from, self.name, LISTING, Mode::empty()),
        };
        opened.map_err(|errno| self.blame(errno))
    }

    /// All but the folders in a folder. Where it is guarded, links and pipes are among them: whoever opens one hears what
    /// it is.
    pub(super) fn list(&self) -> io::Result<Vec<Listed>> {
        let (entries, folder) = self.entries()?;
        let mut files = Vec::with_capacity(entries.len());
        for entry in entries.iter().filter(|entry| entry.file_type() != FileType::Directory) {
            let stat = match statat(&folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat?,
            };
            let kind = FileType::from_raw_mode(stat.st_mode);
            let is_listed = if self.way == Way::Free { kind.is_file() } else { !kind.is_dir() };
            if is_listed {
                files.push(Listed { name: name_of(entry), look: look_of(&stat) });
            }
        }
        files.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(files)
    }

    fn entries(&self) -> io::Result<(Vec<DirEntry>, OwnedFd)> {
        let folder = self.open_folder()?;
        let entries = Dir::new(folder.try_clone()?)?.collect::<Result<Vec<_>, _>>()?;
        Ok((entries, folder))
    }

    pub(super) fn folders(&self) -> io::Result<Vec<String>> {
        let (entries, folder) = self.entries()?;
        let is_folder = |entry: &&DirEntry| {
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                let stat = statat(&folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                kind = stat.map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode));
            }
            kind.is_dir()
        };
        let names = entries.iter().filter(is_folder).map(name_of);
        let mut names: Vec<_> = names.filter(|name| !matches!(name.as_str(), "." | "..")).collect();
        names.sort();
        Ok(names)
    }

    /// Puts whole content in place of what is here. It keeps the mode of what it replaces, and its owner if we may.
    pub(super) fn replace(&self, bytes: &[u8], safety: Safety) -> io::Result<()> {
        let before = self.what_is_replaced()?;
        let name = temporary_name(self.name);
        let temporary = Spot { name: &name, ..self.clone() };
        let written = temporary.write_new(bytes, before.as_ref(), safety).and_then(|()| self.take_from(&temporary));
        if written.is_err() {
            // What cannot be removed carries a temporary's name; the first error says more.
            let _ = temporary.remove();
        }
        written?;
        if safety == Safety::Synced { self.sync_parent() } else { Ok(()) }
    }

    /// A link is not replaced either: who made it may have wanted something else than a file of ours.
    fn what_is_replaced(&self) -> io::Result<Option<Stat>> {
        match statat(&self.from, self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => match Shut::by_type(FileType::from_raw_mode(stat.st_mode), self.path) {
                Some(shut) if self.way != Way::Free => Err(shut.into()),
                // Elsewhere the name goes from it to a file of ours.
                Some(_) => Ok(None),
                None => Ok(Some(stat)),
            },
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(self.blame(errno)),
        }
    }

    /// A file that is not there yet. One of this name was left behind by a process of this number, and is in nobody's use.
    fn create(&self) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        match self.open(flags) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove()?;
                self.open(flags)
            }
            opened => opened,
        }
    }

    fn write_new(&self, bytes: &[u8], before: Option<&Stat>, safety: Safety) -> io::Result<()> {
        let mut file = self.create()?;
        if let Some(before) = before {
            let mode = Mode::from_raw_mode(before.st_mode) & (Mode::RWXU | Mode::RWXG | Mode::RWXO);
            if mode != FILE_MODE {
                fchmod(&file, mode)?;
            }
            if file.metadata()?.uid() != before.st_uid && rustix::process::geteuid().is_root() {
                FileOwner { user: before.st_uid, group: before.st_gid }.take(&file)?;
            }
        }
        file.write_all(bytes)?;
        if safety == Safety::Synced { file.sync_all() } else { Ok(()) }
    }

    fn take_from(&self, other: &Self) -> io::Result<()> {
        Ok(renameat(&other.from, other.name, &self.from, self.name)?)
    }

    fn sync_parent(&self) -> io::Result<()> {
        let folder = match self.way {
            Way::Free => match self.name.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                Some(_) | None => Path::new("."),
            },
            Way::Name | Way::Beneath => Path::new("."),
        };
        File::from(openat(&self.from, folder, LISTING, Mode::empty())?).sync_all()
    }

    pub(super) fn sync_folder(&self) -> io::Result<()> {
        File::from(self.open_folder()?).sync_all()
    }

    pub(super) fn remove(&self) -> io::Result<()> {
        Ok(unlinkat(&self.from, self.name, AtFlags::empty())?)
    }

    /// Moves what is here, link or file or folder, to another place, which must be free.
    pub(super) fn rename(&self, to: &Self) -> io::Result<()> {
        if to.is_free()? { to.take_from(self) } else { Err(io::ErrorKind::AlreadyExists.into()) }
    }

    fn is_free(&self) -> io::Result<bool> {
        match statat(&self.from, self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(true),
            Err(errno) => Err(errno.into()),
            Ok(_) => Ok(false),
        }
    }

    pub(super) fn link(&self, to: &Self) -> io::Result<()> {
        match linkat(&self.from, self.name, &to.from, to.name, AtFlags::empty()) {
            Err(Errno::XDEV | Errno::PERM | Errno::MLINK | Errno::OPNOTSUPP | Errno::NOSYS) => self.copy(to),
            done => Ok(done?),
        }
    }

    /// The copy is whole and on the disk before it has its name.
    pub(super) fn copy(&self, to: &Self) -> io::Result<()> {
        if !to.is_free()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let name = temporary_name(to.name);
        let temporary = Spot { name: &name, ..to.clone() };
        let copied = self.copy_into(&temporary).and_then(|()| to.take_from(&temporary));
        if copied.is_err() {
            // What cannot be removed carries a temporary's name; the first error says more.
            let _ = temporary.remove();
        }
        copied
    }

    fn copy_into(&self, temporary: &Self) -> io::Result<()> {
        // Hard links do not follow a link; a copy in their place does not, either.
        let mut file = Spot { way: if self.way == Way::Free { Way::Name } else { self.way }, ..self.clone() }
            .open(OFlags::RDONLY)?;
        let mut new = temporary.create()?;
        io::copy(&mut file, &mut new)?;
        new.sync_all()
    }

    /// Makes a folder whose parent is there; it may be there already.
    pub(super) fn make_folder(&self) -> io::Result<()> {
        match mkdirat(&self.from, self.name, FOLDER_MODE) {
            Ok(()) => match self.owner {
                Some(owner) => owner.take(self.open_folder()?),
                None => Ok(()),
            },
            Err(Errno::EXIST) => Ok(()),
            Err(errno) => Err(self.blame(errno)),
        }
    }
}

fn name_of(entry: &DirEntry) -> String {
    entry.file_name().to_string_lossy().into_owned()
}

fn look_of(stat: &Stat) -> Look {
    let (seconds, nanos): (i64, i64) = (wide(stat.st_mtime), wide(stat.st_mtime_nsec));
    Look {
        len: wide(stat.st_size),
        changed_ns: seconds.saturating_mul(1_000_000_000).saturating_add(nanos),
        number: wide(stat.st_ino),
    }
}

/// The systems do not agree on the types of these numbers.
pub(super) fn wide<N: TryInto<W>, W: Default>(number: N) -> W {
    number.try_into().unwrap_or_default()
}

/// What an open file looks like.
pub(super) fn look_of_open(metadata: &fs::Metadata) -> Look {
    let changed_ns = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
    Look { len: metadata.len(), changed_ns, number: metadata.ino() }
}

fn facts_of(metadata: &fs::Metadata) -> Facts {
    let born = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Facts {
        number: metadata.ino(),
        names: metadata.nlink(),
        born_ns: born.and_then(|born| u64::try_from(born.as_nanos()).ok()),
        mode: metadata.mode() & 0o7777,
        owner: metadata.uid(),
    }
}

/// A name beside another that no other thread and no other process uses at the same time, and no file has that a
/// repository brings: those are nobody's.
fn temporary_name(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // At most 160 bytes of the 255 that a name may have.
    const MOST_CHARS: usize = 40;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(MOST_CHARS).collect();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{count}.tmp", std::process::id()))
}
