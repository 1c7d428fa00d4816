//! Canon as people and programs read it: an entry with its versions, as a page.
//!
//! Does not print and does not write files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::domain::Rooms;
use crate::domain::canon::claim::Claim;
use crate::domain::canon::row::{Version, VersionEnded};
use crate::kernel::id::{AgentId, EntryId, IssueId};
use crate::kernel::time::Timestamp;

/// An entry with its versions, the latest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Page {
    /// Its key.
    pub key: Box<str>,
    /// The title of the latest version.
    pub title: Box<str>,
    /// The latest first.
    pub versions: Vec<VersionInfo>,
}

/// A version of an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VersionInfo {
    /// As it is cited: `seryn@2`.
    pub anchor: String,
    /// Whether it holds.
    pub holds: bool,
    /// What ended it.
    pub ended: Option<String>,
    /// A line.
    pub title: Box<str>,
    /// What holds, or held.
    pub text: Box<str>,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The issue that it comes from.
    pub source: Option<IssueId>,
    /// What people call that.
    pub source_number: Option<String>,
    /// Who made it canon.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// In which line.
    pub entry: EntryId,
}

impl Page {
    /// Of an entry, if there is one.
    pub fn of(rooms: &Rooms, key: &str) -> Option<Self> {
        let entry = rooms.canon.entry(key)?;
        let title = entry.latest()?.title.clone();
        let versions = entry.versions.iter().rev().map(|version| VersionInfo::of(rooms, key, version)).collect();
        Some(Self { key: key.into(), title, versions })
    }
}

impl VersionInfo {
    /// Of a version.
    pub fn of(rooms: &Rooms, key: &str, version: &Version) -> Self {
        let number = |id: &IssueId| Some(rooms.issue.issue(id)?.label.to_string());
        let ended = |ended: &VersionEnded| match ended.by {
            Some(by) => format!("superseded by {key}@{by} on {}", ended.at.day()),
            None => format!("retired on {}", ended.at.day()),
        };
        Self {
            anchor: format!("{key}@{}", version.number),
            holds: version.ended.is_none(),
            ended: version.ended.as_ref().map(ended),
            title: version.title.clone(),
            text: version.text.clone(),
            claims: version.claims.clone(),
            source: version.source.clone(),
            source_number: version.source.as_ref().and_then(number),
            by: version.by.clone(),
            at: version.at,
            entry: version.entry,
        }
    }

    /// Who made it canon, when, and of what.
    pub fn origin(&self) -> String {
        let source = self.source_number.as_ref().map(|number| format!(", from issue #{number}"));
        format!("{} by {}{}", self.at.day(), self.by, source.unwrap_or_default())
    }
}

/// An entry as a page.
pub fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n", super::escape::line(&page.title));
    let holding = page.versions.iter().filter(|version| version.holds).count();
    if holding == 0 {
        text.push_str("\nThis holds no more.\n");
    } else if holding > 1 {
        text.push_str("\nBranches that were merged say different things here; `annals canon state` settles it.\n");
    }
    for version in &page.versions {
        version_page(&mut text, version);
    }
    text
}

/// Claims by what they are about, in a table.
fn version_page(text: &mut String, version: &VersionInfo) {
    let ended = version.ended.as_ref().map(|ended| format!(" ({ended})")).unwrap_or_default();
    let body = if version.text.is_empty() { String::new() } else { format!("\n{}\n", version.text.trim_end()) };
    // Writing to a string does not fail.
    let _ = write!(text, "\n## `{}`{ended}\n\n{}\n{body}", version.anchor, version.origin());
    if version.claims.is_empty() {
        return;
    }
    text.push_str("\n| of | what | is |\n|---|---|---|\n");
    let cell = |text: &str| text.replace('|', "\\|");
    let rows: BTreeMap<_, _> = version.claims.iter().map(|claim| ((claim.fact(), &claim.value), claim)).collect();
    for claim in rows.into_values() {
        let _ = writeln!(text, "| {} | {} | {} |", cell(&claim.subject), cell(&claim.attribute), cell(&claim.value));
    }
}
