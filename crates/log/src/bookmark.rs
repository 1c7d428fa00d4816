//! `local/bookmark`: where this clone stopped writing. One small record, changed in place at every append.
//!
//! It is never synced: after a power cut it may be old or torn, and then a new writer begins. Does not decide that.

use std::io;
use std::path::Path;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::disk::{Disk, Look};
use super::git::GitStamp;
use super::place::Place;
use super::position::line_at;
use super::sealed::{seal, unseal};
use super::segment::Segment;
use annals_kernel::annals::Head;
use annals_kernel::id::{EntryId, WriterId};

/// The record is padded to this length, so that a shorter one covers a longer one.
const RECORD_BYTES: usize = 1024;

/// Where this clone stopped writing.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The writer that this clone is.
    pub writer: WriterId,
    /// Its last line.
    pub head: Head,
    /// The highest id that it minted.
    pub minted: EntryId,
    /// The segment that it wrote to last.
    pub segment: String,
    /// What that segment looked like then.
    pub look: Look,
    /// Its lines then.
    pub lines: u64,
    /// Where the last of them begins.
    #[serde(default)]
    pub last: u64,
    /// Which edition of `local/marks` belongs to it.
    pub edition: u64,
    /// The number of the lock file: another one in a copy of the folder.
    pub lock: u64,
    /// What `history/` looked like then: where it still does, no segment came, went or was replaced.
    #[serde(default)]
    pub folder: Look,
    /// How many segments of its own this writer has made (decision 41).
    #[serde(default)]
    pub made: u64,
    /// The first so many of them are closed for good.
    #[serde(default)]
    pub closed: u64,
    /// What git's index and HEAD looked like when that was last looked into; `None` where there is no git.
    pub git: Option<GitStamp>,
}

impl Bookmark {
    /// Reads it; `None` where there is none, or a torn one.
    pub fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<Self>> {
        let bytes = disk.read(path)?.unwrap_or_default();
        Ok(unseal(&bytes).and_then(|record| serde_json::from_str(record).ok()))
    }

    /// Whether the last line that it remembers is there, whole: after a power cut a file may be as long as it was, without
    /// what stood in it.
    pub(crate) fn has_last_line(&self, disk: &dyn Disk, place: &Place) -> bool {
        let segment = Segment { name: self.segment.clone(), look: self.look };
        line_at(disk, place, &segment, self.last) == Some(self.head.hash)
    }

    /// The record, as it stands in the file.
    pub fn record(&self) -> io::Result<Vec<u8>> {
        let mut record = seal(&serde_json::to_string(self).map_err(io::Error::other)?).into_bytes();
        record.resize(record.len().max(RECORD_BYTES - 1), b' ');
        record.push(b'\n');
        Ok(record)
    }

    /// Writes it in place.
    pub fn write(&self, disk: &dyn Disk, path: &Path) -> io::Result<()> {
        // Without a sync: that it may name a line which a power cut took before it counted is asked by `has_last_line`.
        disk.overwrite(path, &self.record()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::RealDisk;

    #[test]
    fn a_torn_record_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bookmark");
        let bookmark = Bookmark {
            writer: "k3f9x2ab".into(),
            head: Head { count: 42, hash: annals_kernel::annals::LineHash::of(b"line") },
            minted: EntryId::MIN,
            segment: "2026-11-21.jsonl".to_owned(),
            look: Look { len: 1234, changed_ns: 5, number: 6 },
            lines: 42,
            last: 1200,
            edition: 3,
            lock: 7,
            folder: Look { len: 8, changed_ns: 9, number: 10 },
            made: 11,
            closed: 12,
            git: None,
        };
        bookmark.write(&RealDisk, &path).expect("written");
        assert_eq!(Bookmark::read(&RealDisk, &path).expect("read"), Some(bookmark));
        let mut bytes = std::fs::read(&path).expect("read");
        bytes[60] ^= 1;
        std::fs::write(&path, bytes).expect("written");
        assert_eq!(Bookmark::read(&RealDisk, &path).expect("read"), None);
    }
}
