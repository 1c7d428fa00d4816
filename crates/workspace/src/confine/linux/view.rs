//! A view of the disk in which only what may be reached exists.
//!
//! What Landlock of most kernels does not guard, such as the sockets of other programs, is not there at all. Also gives
//! `/tmp` of one's own, and hides the record where it lies in the folder that is worked in.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::pivot_root;
use rustix::thread::UnshareFlags;

use super::super::reach::{DEVICES, Mapped, Reach};
use super::super::wall::{Wall, Walls};
use super::namespace::unshare;
use super::read_only::make_read_only;

/// More links than this on the way to a path are a circle.
const MOST_LINKS: u32 = 40;
/// An empty file at the root of the view.
const NOTHING: &str = ".hidden";

/// Narrows the view, where this process was parted from the machine.
pub(in crate::confine) fn narrow_view(reach: &Reach, walls: &Walls) -> Option<Wall> {
    if !walls.others.contains(&Wall::Processes) || unshare(UnshareFlags::NEWNS).is_err() {
        return None;
    }
    View::built(reach).and_then(View::enter).is_ok().then_some(Wall::View)
}

/// A root that is being filled.
struct View {
    root: PathBuf,
    /// What is shown as a whole, by its real path.
    shown: BTreeMap<PathBuf, Use>,
}

/// What may be done with what is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    LookedAt,
    WorkedIn,
}

impl View {
    fn built(reach: &Reach) -> io::Result<Self> {
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let root = fs::canonicalize(&reach.view)?;
        mount("tmpfs", &root, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"mode=0755,size=4m")?;
        let mut view = Self { root, shown: BTreeMap::new() };
        view.put_own_folders(reach)?;
        for path in reach.looked_at() {
            view.put(path, Use::LookedAt)?;
        }
        for path in reach.worked_in() {
            view.put(path, Use::WorkedIn)?;
        }
        view.show()?;
        for mapped in &reach.mapped {
            view.map(mapped)?;
        }
        for hidden in &reach.hidden {
            view.hide(hidden)?;
        }
        let own = reach.own.iter().cloned().chain([PathBuf::from("/proc")]);
        let own = own.chain(reach.mapped.iter().map(|mapped| mapped.at.clone()));
        let worked_in = view.shown.iter().filter(|(_, may)| **may == Use::WorkedIn).map(|(path, _)| path.clone());
        let worked_in: Vec<PathBuf> = worked_in.chain(own).map(|path| view.within(&path)).collect();
        make_read_only(&view.root, &worked_in)?;
        Ok(view)
    }

    /// A folder before what is in it, which is shown with it, unless more may be done with it.
    fn show(&self) -> io::Result<()> {
        for (path, may) in &self.shown {
            let is_shown = |folder: &Path| self.shown.get(folder).is_some_and(|other| other >= may);
            if !path.ancestors().skip(1).any(is_shown) {
                mount_bind_recursive(path, self.within(path))?;
            }
        }
        Ok(())
    }

    /// Shows something where it does not lie.
    fn map(&self, mapped: &Mapped) -> io::Result<()> {
        let at = self.within(&mapped.at);
        // A file is covered where one is: none is made, for a link there could lead to elsewhere.
        if fs::metadata(&mapped.from)?.is_dir() {
            fs::create_dir_all(&at)?;
        }
        Ok(mount_bind(&mapped.from, &at)?)
    }

    fn put_own_folders(&mut self, reach: &Reach) -> io::Result<()> {
        for own in &reach.own {
            let at = self.within(own);
            fs::create_dir_all(&at)?;
            mount_bind(&reach.scratch, &at)?;
        }
        fs::create_dir_all(self.root.join("dev"))?;
        let proc = self.root.join("proc");
        fs::create_dir(&proc)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        // A container that hides parts of its own gets no other one.
        mount("proc", &proc, "proc", flags, None).or_else(|_| mount_bind_recursive("/proc", &proc))?;
        for device in DEVICES {
            self.put(Path::new(device), Use::LookedAt)?;
        }
        for (name, to) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
            symlink(format!("/proc/self/fd{to}"), self.root.join("dev").join(name))?;
        }
        Ok(())
    }

    /// Makes a path reachable as it is outside, with the links on the way; what does not exist is passed over.
    fn put(&mut self, path: &Path, may: Use) -> io::Result<()> {
        let mut left: VecDeque<OsString> = names(path);
        let mut here = PathBuf::from("/");
        let mut links = 0;
        while let Some(name) = left.pop_front() {
            if name == ".." {
                here.pop();
                continue;
            }
            let next = here.join(&name);
            let Ok(about) = fs::symlink_metadata(&next) else { return Ok(()) };
            if about.is_symlink() {
                links += 1;
                if links > MOST_LINKS {
                    return Ok(());
                }
                let to = fs::read_link(&next)?;
                self.make(&next, |at| symlink(&to, at))?;
                if to.is_absolute() {
                    here = PathBuf::from("/");
                }
                names(&to).into_iter().rev().for_each(|name| left.push_front(name));
            } else if about.is_dir() {
                self.make(&next, |at| fs::create_dir(at))?;
                here = next;
            } else {
                self.make(&next, |at| fs::File::create_new(at).map(drop))?;
                here = next;
            }
        }
        // That of `/proc` is its own.
        if here != Path::new("/") && !here.starts_with("/proc") {
            let known = self.shown.entry(here).or_insert(may);
            *known = may.max(*known);
        }
        Ok(())
    }

    fn make(&self, path: &Path, how: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        match how(&self.within(path)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done,
        }
    }

    /// An empty folder or file in the place of one that is there.
    fn hide(&self, path: &Path) -> io::Result<()> {
        let at = self.within(&fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
        // It may be gone meanwhile.
        let Ok(about) = fs::symlink_metadata(&at) else { return Ok(()) };
        let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
        if about.is_dir() {
            mount("tmpfs", &at, "tmpfs", flags, c"size=4k")?;
        } else if about.is_file() {
            let nothing = self.root.join(NOTHING);
            fs::File::create(&nothing)?;
            mount_bind(&nothing, &at)?;
            mount_remount(&at, MountFlags::BIND | flags, c"")?;
        }
        Ok(())
    }

    fn within(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Turns it into the root; what was the root before is gone.
    fn enter(self) -> io::Result<()> {
        std::env::set_current_dir(&self.root)?;
        pivot_root(".", ".")?;
        unmount(".", UnmountFlags::DETACH)?;
        std::env::set_current_dir("/")
    }
}

fn names(path: &Path) -> VecDeque<OsString> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(name).collect()
}
