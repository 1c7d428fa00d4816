//! A folder beside the project that nothing may touch: what is in it, its times, and whether it was read.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What a file was before anybody came near it.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    content: Option<Vec<u8>>,
    changed: (i64, i64),
    number: u64,
    mode: u32,
}

/// The folder.
pub struct Canary {
    folder: PathBuf,
    before: BTreeMap<PathBuf, Facts>,
}

/// A time so long ago that a file system which notes reading at all notes the next one.
fn long_ago() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

fn was_read(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.atime() != 1_000_000_000)
}

fn set_unread(path: &Path) {
    let times = FileTimes::new().set_accessed(long_ago());
    File::open(path).expect("a file").set_times(times).expect("set");
}

fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_folder = path.symlink_metadata().expect("there").is_dir();
        found.extend(if is_folder { all_below(&path) } else { vec![path] });
    }
    found
}

impl Canary {
    /// Makes it: what an attack would like to read, write or remove.
    pub fn make(folder: &Path) -> Self {
        for name in ["history", "spool", "empty"] {
            fs::create_dir_all(folder.join(name)).expect("made");
        }
        for (name, text) in [("secret", "SECRET"), ("secret.md", "SECRET"), ("history/2026-11-21.jsonl", "SECRET\n")] {
            fs::write(folder.join(name), text).expect("written");
        }
        let paths = all_below(folder);
        let before = paths.iter().map(|path| (path.clone(), facts(path))).collect();
        paths.iter().filter(|path| path.is_file()).for_each(|path| set_unread(path));
        Self { folder: folder.to_owned(), before }
    }

    /// What happened to it, if anything did.
    pub fn harm(&self) -> Option<String> {
        let paths = all_below(&self.folder);
        let read = paths.iter().find(|path| path.is_file() && was_read(path));
        let now: BTreeMap<_, _> = paths.iter().map(|path| (path.clone(), facts(path))).collect();
        let files = paths.iter().filter(|path| path.is_file());
        files.for_each(|path| set_unread(path));
        let read = read.map(|path| format!("{} was read", path.display()));
        read.or_else(|| (now != self.before).then(|| format!("{:?} became {now:?}", self.before)))
    }
}

fn facts(path: &Path) -> Facts {
    let metadata = fs::symlink_metadata(path).expect("there");
    let content = metadata.is_file().then(|| fs::read(path).expect("read"));
    let changed = (metadata.mtime(), metadata.mtime_nsec());
    Facts { content, changed, number: metadata.ino(), mode: metadata.mode() }
}

#[test]
fn a_canary_that_was_touched_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let canary = Canary::make(&folder.path().join("out"));
    assert_eq!(canary.harm(), None);
    fs::read(folder.path().join("out/secret")).expect("read");
    assert!(canary.harm().is_some_and(|harm| harm.ends_with("was read")));
    assert_eq!(canary.harm(), None);
    fs::write(folder.path().join("out/empty/new"), "").expect("written");
    assert!(canary.harm().is_some());
}
