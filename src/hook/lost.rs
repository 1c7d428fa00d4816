//! Events that could be kept nowhere in their project (a full disk, a folder that nobody may write): how many, and when.
//!
//! Counted in the state directory of the person, a file a project, a line an event. Never a reason to fail; where that
//! cannot be written either, nobody knows of them.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::kernel::annals::LineHash;
use crate::kernel::time::Timestamp;

/// More than fits is not counted; there are thousands then.
const MOST_BYTES: u64 = 64 << 10;

/// The files of a person.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    folder: PathBuf,
}

/// What was lost of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost {
    /// How many events.
    pub count: usize,
    /// The first of them.
    pub first: Timestamp,
    /// The last.
    pub last: Timestamp,
}

impl Lost {
    /// In words.
    pub fn told(&self) -> String {
        format!("events of hooks that could not be kept: {}, between {} and {}", self.count, self.first, self.last)
    }
}

impl Ledger {
    /// Below the state directory.
    pub fn below(state: &Path) -> Self {
        Self { folder: state.join("annals/lost") }
    }

    /// The file of a project.
    pub fn path(&self, context: &Path) -> PathBuf {
        // One project has one count, through whichever link its folder was reached.
        let whole = fs::canonicalize(context).unwrap_or_else(|_| context.to_owned());
        self.folder.join(LineHash::of(whole.as_os_str().as_encoded_bytes()).to_string())
    }

    /// Counts an event; whether that could be done.
    pub fn count(&self, context: &Path, at: Timestamp) -> bool {
        let path = self.path(context);
        if fs::metadata(&path).is_ok_and(|file| file.len() > MOST_BYTES) {
            return true;
        }
        let _ = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
        file.and_then(|mut file| file.write_all(format!("{}\n", at.millis()).as_bytes())).is_ok()
    }

    /// What was lost of a project.
    pub fn lost(&self, context: &Path) -> Option<Lost> {
        let text = fs::read_to_string(self.path(context)).ok()?;
        let times: Vec<i64> = text.lines().filter_map(|line| line.parse().ok()).collect();
        let (first, last) = (times.iter().min()?, times.iter().max()?);
        let (first, last) = (Timestamp::from_millis(*first), Timestamp::from_millis(*last));
        Some(Lost { count: times.len(), first, last })
    }

    /// The same, once for each that is lost.
    pub fn news(&self, context: &Path) -> Option<Lost> {
        let told = self.path(context).with_extension("told");
        let lost = self.lost(context)?;
        let count = fs::read_to_string(&told).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        if lost.count <= count {
            return None;
        }
        fs::write(&told, lost.count.to_string()).ok()?;
        Some(lost)
    }
}
