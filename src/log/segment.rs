//! The files of a history: which there are, and which time each is about.
//!
//! Does not read them; `read` does.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::disk::{Disk, Look};
use crate::kernel::time::{Day, Timestamp};

/// How often a new file begins (AFS 2.3, 13.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rotation {
    /// `2026-11-21.jsonl`
    #[default]
    Daily,
    /// `2026-W47.jsonl`, weeks as in ISO 8601.
    Weekly,
    /// `history.jsonl`
    None,
}

impl Rotation {
    /// The name of the file that takes an entry of this time.
    pub fn file_for(self, at: Timestamp) -> String {
        match self {
            Self::Daily => format!("{}.jsonl", at.day()),
            Self::Weekly => format!("{}.jsonl", week_name(at.day())),
            Self::None => "history.jsonl".to_owned(),
        }
    }
}

/// `2026-W47`: the year is that of the week's Thursday.
fn week_name(day: Day) -> String {
    let thursday = day.monday().plus(3).to_string();
    let year = &thursday[..thursday.len() - 6];
    let first = format!("{year}-01-04").parse::<Day>().expect("BUG: the fourth of January is a day").monday();
    format!("{year}-W{:02}", day.monday().days_since(first) / 7 + 1)
}

/// A file of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its path below `history/`, with `/`.
    pub name: String,
    /// What it looks like.
    pub look: Look,
}

/// Whether the bytes of a segment are lines or compressed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As they are.
    Plain,
    /// Compressed with zstd.
    Zstd,
}

impl Packing {
    /// By the name of a segment.
    pub fn of(name: &str) -> Self {
        if name.ends_with(PACKED) { Self::Zstd } else { Self::Plain }
    }
}

const PLAIN: &str = ".jsonl";
const PACKED: &str = ".jsonl.zst";

impl Segment {
    /// Every segment below a `history` folder, by name.
    pub fn list(disk: &dyn Disk, history: &Path) -> io::Result<Vec<Self>> {
        let plain = disk.list(history)?.into_iter().filter(|file| file.name.ends_with(PLAIN));
        let mut segments: Vec<_> = plain.map(|file| Self { name: file.name, look: file.look }).collect();
        let packed = disk.list(&history.join("archive"))?.into_iter().filter(|file| file.name.ends_with(PACKED));
        segments.extend(packed.map(|file| Self { name: format!("archive/{}", file.name), look: file.look }));
        segments.retain(|segment| !segment.file_name().starts_with('.'));
        Ok(segments)
    }

    fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it is compressed.
    pub fn packing(&self) -> Packing {
        Packing::of(&self.name)
    }

    /// Its file name without folder and ending.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        name.strip_suffix(PLAIN).or_else(|| name.strip_suffix(PACKED)).unwrap_or(name)
    }

    /// The days that its name promises; `None` where the name promises nothing.
    pub fn days(&self) -> Option<RangeInclusive<Day>> {
        let stem = self.stem();
        if let Some((year, week)) = stem.split_once("-W") {
            let week: u32 = week.get(..2)?.parse().ok()?;
            let first = format!("{year}-01-04").parse::<Day>().ok()?.monday().plus(7 * week.checked_sub(1)?);
            return Some(first..=first.plus(6));
        }
        let day = stem.get(..10)?.parse::<Day>().ok()?;
        Some(day..=day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn segment(name: &str) -> Segment {
        Segment { name: name.to_owned(), look: Look::default() }
    }

    #[test]
    fn a_file_is_named_by_its_rotation() {
        let at = time("2026-11-21T03:10:00Z");
        assert_eq!(Rotation::Daily.file_for(at), "2026-11-21.jsonl");
        assert_eq!(Rotation::Weekly.file_for(at), "2026-W47.jsonl");
        assert_eq!(Rotation::None.file_for(at), "history.jsonl");
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        let cases = [
            ("2027-01-01", "2026-W53"),
            ("2024-12-30", "2025-W01"),
            ("2026-01-01", "2026-W01"),
            ("2021-01-03", "2020-W53"),
        ];
        for (day, name) in cases {
            let at = time(&format!("{day}T12:00:00Z"));
            assert_eq!(Rotation::Weekly.file_for(at), format!("{name}.jsonl"), "{day}");
            let days = segment(&format!("{name}.jsonl")).days().expect("a week");
            assert!(days.contains(&at.day()), "{day} is not in {days:?}");
        }
    }

    #[test]
    fn a_name_promises_its_days() {
        let day = "2026-11-21".parse::<Day>().expect("a day");
        for name in ["2026-11-21.jsonl", "archive/2026-11-21-0a1b2c.jsonl.zst"] {
            assert_eq!(segment(name).days(), Some(day..=day), "{name}");
        }
        assert_eq!(segment("history.jsonl").days(), None);
    }
}
