//! What models have used up on a day by this person's word, in all projects and in none: one small file of the person's own.
//!
//! Knows the latest day alone. What is on record of a project counts there besides (`spent`).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use annals_llm::Spending;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::kernel::time::Day;

/// The file, and the lock beside it.
#[derive(Debug)]
pub(super) struct DayFile {
    folder: PathBuf,
}

/// What it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SpentDay {
    day: String,
    spent: Spending,
}

impl DayFile {
    /// Below the person's state directory.
    pub(super) fn below(state: &Path) -> Self {
        Self { folder: state.join("annals/models") }
    }

    /// What a day has used up so far. A file that could not be written is an error before anything is used up.
    pub(super) fn spent(&self, day: Day) -> anyhow::Result<Spending> {
        let _held = self.lock()?;
        Ok(self.kept()?.filter(|kept| kept.day == day.to_string()).map(|kept| kept.spent).unwrap_or_default())
    }

    /// Adds to a day; to one that is over, nothing.
    pub(super) fn add(&self, day: Day, spending: Spending) -> anyhow::Result<()> {
        let _held = self.lock()?;
        let (kept, day) = (self.kept()?, day.to_string());
        let before = match kept {
            Some(kept) if kept.day > day => return Ok(()),
            Some(kept) if kept.day == day => kept.spent,
            Some(_) | None => Spending::default(),
        };
        self.write(&SpentDay { day, spent: before.plus(spending) })
    }

    fn path(&self) -> PathBuf {
        self.folder.join("spent.json")
    }

    fn kept(&self) -> anyhow::Result<Option<SpentDay>> {
        let path = self.path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let broken = || format!("{} is not as it was written: remove it, and the day counts anew", path.display());
        serde_json::from_str(&text).with_context(broken).map(Some)
    }

    fn write(&self, kept: &SpentDay) -> anyhow::Result<()> {
        let (path, other) = (self.path(), self.folder.join("spent.json.new"));
        let text = serde_json::to_string(kept).expect("BUG: it is JSON");
        let written = own().truncate(true).write(true).open(&other);
        let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
        written.and_then(|()| fs::rename(&other, &path)).with_context(|| format!("cannot write {}", path.display()))
    }

    fn lock(&self) -> anyhow::Result<File> {
        let path = self.folder.join("spent.lock");
        let cannot = || format!("cannot count what the day has used up: {} cannot be locked", path.display());
        fs::create_dir_all(&self.folder).with_context(cannot)?;
        let file = own().append(true).open(&path).with_context(cannot)?;
        file.lock().with_context(cannot)?;
        Ok(file)
    }
}

fn own() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_what_all_processes_add_and_the_next_begins_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let of = |tokens| Spending { tokens, nano_usd: 2 * tokens, ms: 1 };
        let (one, other) = (DayFile::below(folder.path()), DayFile::below(folder.path()));
        let rows = [
            ("2026-11-27", 5, of(5)),
            ("2026-11-27", 6, of(5).plus(of(6))),
            ("2026-11-28", 7, of(7)),
            ("2026-11-27", 9, Spending::default()),
        ];
        for (on, tokens, spent) in rows {
            one.add(day(on), of(tokens)).expect("added");
            assert_eq!(other.spent(day(on)).expect("read"), spent, "{on}");
        }
        assert_eq!(one.spent(day("2026-11-28")).expect("read"), of(7));
        fs::write(one.path(), "x").expect("written");
        let broken = format!("{:#}", one.spent(day("2026-11-28")).expect_err("it is broken"));
        assert!(broken.contains("spent.json is not as it was written: remove it"), "{broken}");
    }
}
