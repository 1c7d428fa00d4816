//! The files of a history: which there are, and which time each is about.
//!
//! Does not read them; `read` does.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::disk::{Disk, Look};
use annals_kernel::id::WriterId;
use annals_kernel::time::{Day, Timestamp};

/// How often a new file begins (AFS 2.3, 13.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rotation {
    /// `2026-11-21`
    #[default]
    Daily,
    /// `2026-W47`, weeks as in ISO 8601.
    Weekly,
    /// `history`
    None,
}

impl Rotation {
    /// What the names of the files begin with that take entries of this time.
    pub fn stem_for(self, at: Timestamp) -> String {
        match self {
            Self::Daily => at.day().to_string(),
            Self::Weekly => week_name(at.day()),
            Self::None => "history".to_owned(),
        }
    }
}

/// Who writes to a segment, by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SegmentOwner {
    /// Whoever has the folder: `2026-11-21.jsonl`, where there is no git.
    Everybody,
    /// One writer, until git takes it: `2026-11-21.k3f9x2ab.1.jsonl` (decision 41).
    Writer {
        /// The writer.
        writer: WriterId,
        /// How many segments it had made with this one; no name is used twice.
        ordinal: u64,
    },
}

impl SegmentOwner {
    /// The name of the segment that it writes to.
    pub fn file(&self, stem: &str) -> String {
        match self {
            Self::Everybody => format!("{stem}{PLAIN}"),
            Self::Writer { writer, ordinal } => format!("{stem}.{writer}.{ordinal}{PLAIN}"),
        }
    }

    /// What a name of a segment begins with, and whose it is. Packed segments are nobody's.
    pub fn of(name: &str) -> Option<(&str, Self)> {
        let stem = name.strip_suffix(PLAIN).filter(|stem| !stem.contains('/'))?;
        let Some((before, ordinal)) = stem.rsplit_once('.') else { return Some((stem, Self::Everybody)) };
        let is_number = !ordinal.is_empty() && ordinal.bytes().all(|byte| byte.is_ascii_digit());
        let (stem, writer) = before.rsplit_once('.').filter(|_| is_number)?;
        Some((stem, Self::Writer { writer: writer.into(), ordinal: ordinal.parse().ok()? }))
    }
}

/// `2026-W47`: the year is that of the week's Thursday.
fn week_name(day: Day) -> String {
    let thursday = day.monday().plus(3).to_string();
    let year = &thursday[..thursday.len() - 6];
    // ISO 8601: the fourth of January is always in the first week.
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
            // Behind the week a writer may be named.
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
        assert_eq!(Rotation::Daily.stem_for(at), "2026-11-21");
        assert_eq!(Rotation::Weekly.stem_for(at), "2026-W47");
        assert_eq!(Rotation::None.stem_for(at), "history");
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
            assert_eq!(Rotation::Weekly.stem_for(at), name, "{day}");
            let days = segment(&format!("{name}.jsonl")).days().expect("a week");
            assert!(days.contains(&at.day()), "{day} is not in {days:?}");
        }
    }

    #[test]
    fn a_name_says_whose_it_is() {
        let ours = SegmentOwner::Writer { writer: "k3f9x2ab".into(), ordinal: 12 };
        for stem in ["2026-11-21", "2026-W47", "history"] {
            for owner in [&ours, &SegmentOwner::Everybody] {
                assert_eq!(SegmentOwner::of(&owner.file(stem)), Some((stem, owner.clone())), "{stem}");
            }
        }
        for name in
            ["2026-11-21.k3f9x2ab.x.jsonl", "2026-11-21.jsonl.zst", "archive/2026-11-21-0a1b.jsonl", "a.1.jsonl"]
        {
            assert_eq!(SegmentOwner::of(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_promises_its_days() {
        let day = "2026-11-21".parse::<Day>().expect("a day");
        for name in ["2026-11-21.jsonl", "2026-11-21.k3f9x2ab.7.jsonl", "archive/2026-11-21-0a1b2c.jsonl.zst"] {
            assert_eq!(segment(name).days(), Some(day..=day), "{name}");
        }
        assert_eq!(segment("history.jsonl").days(), None);
    }
}
