//! What has a second name has it before anybody can take the first one away.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::disk::RealDisk;
use crate::sync::Syncable;

const FIRST: &str = ".context/history/a.jsonl";

/// A disk on which git takes every file of the history away as soon as it has its name, so many times; and on which
/// something may happen before each step.
pub(super) struct Thief {
    times: AtomicUsize,
    before: Box<dyn Fn() + Send + Sync>,
}

impl Thief {
    fn of_files(times: usize) -> Self {
        Self { times: times.into(), before: Box::new(|| {}) }
    }

    /// Takes nothing, and does this before each step by which a lock is taken.
    pub(super) fn between_steps(before: impl Fn() + Send + Sync + 'static) -> Self {
        Self { times: 0.into(), before: Box::new(before) }
    }

    fn steal(&self, path: &Path) -> io::Result<()> {
        let is_first = path.parent().is_some_and(|folder| folder.ends_with(".context/history"));
        let is_temporary = path.extension().is_some_and(|end| end == "tmp");
        let is_left =
            || self.times.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_first && !is_temporary && is_left() { RealDisk.remove(path) } else { Ok(()) }
    }
}

impl Disk for Thief {
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        (self.before)();
        RealDisk.list(folder)
    }

    fn folders(&self, folder: &Path) -> io::Result<Vec<String>> {
        RealDisk.folders(folder)
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        (self.before)();
        RealDisk.look(path)
    }

    fn facts(&self, path: &Path) -> io::Result<Option<Facts>> {
        RealDisk.facts(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        RealDisk.open(path)
    }

    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
        let file = RealDisk.append_to(path)?;
        self.steal(path)?;
        Ok(file)
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        RealDisk.replace(path, bytes, safety)?;
        self.steal(path)
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.overwrite(path, bytes)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        (self.before)();
        RealDisk.link(from, to)?;
        self.steal(to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)?;
        self.steal(to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        (self.before)();
        RealDisk.create_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.sync_folder(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
        (self.before)();
        RealDisk.lock(path)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        (self.before)();
        RealDisk.try_lock(path)
    }

    fn below(self: Arc<Self>, _: &Path) -> Arc<dyn Disk> {
        self
    }
}

/// A folder with a history, and a disk from which git takes so many files.
struct Robbed {
    folder: tempfile::TempDir,
    disk: Kept,
}

impl Robbed {
    fn new(times: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (context, root) = (folder.path().join(".context"), folder.path().join("seconds"));
        let seconds = SecondNames::new(&context, &root);
        for folder in [context.join("history"), root.join("history")] {
            RealDisk.create_folder(&folder).expect("made");
        }
        Self { folder, disk: Kept::new(Thief::of_files(times), Some(seconds)) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn kept(&self) -> Option<Vec<u8>> {
        let disk: &dyn Disk = &RealDisk;
        disk.read(&self.path("seconds/history/a.jsonl")).expect("read")
    }
}

#[test]
fn what_is_taken_as_soon_as_it_is_written_has_its_second_name() {
    for times in [0, 1, 2] {
        let robbed = Robbed::new(times);
        robbed.disk.replace(&robbed.path(FIRST), b"line\n", Safety::Synced).expect("written");
        assert_eq!(robbed.kept().as_deref(), Some(&b"line\n"[..]), "taken {times} times");
    }
}

#[test]
fn what_is_taken_as_soon_as_it_is_named_has_its_second_name() {
    for (times, by) in [(0, "link"), (1, "link"), (0, "rename"), (1, "rename")] {
        let robbed = Robbed::new(times);
        let (from, to) = (robbed.path("waiting"), robbed.path(FIRST));
        RealDisk.replace(&from, b"line\n", Safety::Cached).expect("written");
        let named = if by == "link" { robbed.disk.link(&from, &to) } else { robbed.disk.rename(&from, &to) };
        named.expect("named");
        assert_eq!(robbed.kept().as_deref(), Some(&b"line\n"[..]), "{by}, taken {times} times");
    }
}

#[test]
fn a_line_is_not_written_to_a_file_that_is_nowhere() {
    for times in 0..4 {
        let robbed = Robbed::new(times);
        let file = robbed.disk.append_to(&robbed.path(FIRST)).expect("opened");
        file.append(b"line\n").expect("written");
        assert_eq!(robbed.kept().as_deref(), Some(&b"line\n"[..]), "taken {times} times");
    }
}

#[test]
fn a_file_that_git_took_leaves_its_second_name_as_it_was() {
    let robbed = Robbed::new(0);
    let first = robbed.path(FIRST);
    robbed.disk.replace(&first, b"line\n", Safety::Synced).expect("written");
    let robbed = Robbed { disk: Kept::new(Thief::of_files(1), robbed.disk.seconds.clone()), ..robbed };
    robbed.disk.replace(&first, b"another\n", Safety::Synced).expect("written");
    assert_eq!(robbed.kept().as_deref(), Some(&b"line\n"[..]));
}

#[test]
fn what_is_written_to_a_file_without_a_name_does_not_count() {
    let robbed = Robbed::new(0);
    let file = Syncable::open(&robbed.disk, &robbed.path(FIRST)).expect("opened");
    RealDisk.remove(&robbed.path(FIRST)).expect("removed");
    file.require_name(&robbed.disk).expect("it has its second name");
    RealDisk.remove(&robbed.path("seconds/history/a.jsonl")).expect("removed");
    let error = file.require_name(&robbed.disk).expect_err("it is nowhere");
    assert!(error.to_string().contains("a.jsonl"), "{error}");
}

#[test]
fn a_file_of_the_same_name_gets_a_second_name_of_its_own() {
    let robbed = Robbed::new(0);
    let (first, second) = (robbed.path(FIRST), robbed.path("seconds/history/a.jsonl"));
    // Open, so that the next file does not get its number.
    let mut open = Vec::new();
    for line in [&b"one\n"[..], b"two\n"] {
        open.push(robbed.disk.append_to(&first).expect("opened"));
        open.last().expect("a file").append(line).expect("written");
        assert_eq!(robbed.kept().as_deref(), Some(line));
        // As when git took the one and a command put it back under another name.
        for path in [&first, &second] {
            RealDisk.remove(path).expect("removed");
        }
    }
}
