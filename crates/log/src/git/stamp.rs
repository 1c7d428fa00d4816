//! What the index and `HEAD` look like from outside, so that they are read only when they changed.
//!
//! A handful of `stat` calls and one small read; says that something changed, not what.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Repository, path_of};

/// What was seen: where two are equal, neither the index nor `HEAD` changed in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GitStamp {
    /// Of the indexes.
    pub index: u64,
    /// Of `HEAD`, its log, the branch it names and the files where refs are packed.
    pub head: u64,
    /// Somebody holds an index's lock: git is about to replace it.
    #[serde(default)]
    pub locked: bool,
}

impl Repository {
    /// Looks.
    pub fn stamp(&self) -> io::Result<GitStamp> {
        let mut locked = false;
        let mut index = Looks::default();
        for path in self.indexes() {
            index.add(&path)?;
            let mut lock = path.into_os_string();
            lock.push(".lock");
            locked |= look(Path::new(&lock))?.is_some();
        }
        Ok(GitStamp { index: index.digest(), head: self.head()?.digest(), locked })
    }

    fn head(&self) -> io::Result<Looks> {
        let mut looks = Looks::default();
        let head = self.git_dir.join("HEAD");
        looks.add(&head)?;
        looks.add(&self.git_dir.join("logs/HEAD"))?;
        looks.add(&self.git_dir.join("reftable/tables.list"))?;
        looks.add(&self.common_dir.join("packed-refs"))?;
        looks.add(&self.common_dir.join("reftable/tables.list"))?;
        let mut text = Vec::new();
        match fs::File::open(head) {
            Ok(file) => file.take(4096).read_to_end(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        if let Some(name) = text.trim_ascii().strip_prefix(b"ref: refs/") {
            looks.add(&self.common_dir.join("refs").join(path_of(name)))?;
        }
        looks.0.update(&text);
        Ok(looks)
    }
}

#[derive(Default)]
struct Looks(Sha256);

impl Looks {
    fn add(&mut self, path: &Path) -> io::Result<()> {
        for number in look(path)?.unwrap_or_default() {
            self.0.update(number.to_le_bytes());
        }
        Ok(())
    }

    fn digest(self) -> u64 {
        self.0.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// Number, length, and both times to the nanosecond; `None` where there is no file.
fn look(path: &Path) -> io::Result<Option<[i64; 6]>> {
    match fs::metadata(path) {
        Ok(file) => Ok(Some([
            file.ino().cast_signed(),
            file.len().cast_signed(),
            file.mtime(),
            file.mtime_nsec(),
            // The time of the inode beside that of the content: nobody can set it back, so a file that was restored
            // with its old time still differs.
            file.ctime(),
            file.ctime_nsec(),
        ])),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
