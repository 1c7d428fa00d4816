//! The issues of beads (`issues.jsonl`) → issues of ours: what becomes of each field, and what is not taken.
//!
//! Reads and maps; does not open anything, the command line does. `docs/CONTROL.md` says what becomes of what.

pub mod known;
mod read;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use annals_rules::domain::issue::status::{IssuePriority, LinkKind};

pub use read::{BadFile, read};

/// An issue as it comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bead {
    /// What beads call it.
    pub id: Box<str>,
    /// A line.
    pub title: Box<str>,
    /// Its text, with who opened it and when in front: times and names of another log are told, not claimed.
    pub body: Box<str>,
    /// How much it matters.
    pub priority: IssuePriority,
    /// Its labels and its type.
    pub tags: BTreeSet<Box<str>>,
    /// Who is to take care of it.
    pub assignee: Option<Box<str>>,
    /// Where it is in its life.
    pub stage: Stage,
    /// What was said, with who said it and when in front.
    pub comments: Vec<Box<str>>,
    /// How it depends on others, from its side: kind, whether it is the one that the link starts from, the other.
    pub links: BTreeSet<(LinkKind, End, Box<str>)>,
}

/// Which end of a link an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The link starts from it.
    From,
    /// The link leads to it.
    To,
}

/// Where a bead is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// It waits.
    Open,
    /// Somebody works on it.
    Begun,
    /// It ended; when and why, where that is known.
    Closed(Box<str>),
}

/// A file of beads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beads {
    /// Its issues, the oldest first.
    pub issues: Vec<Bead>,
    /// What is not taken, and how often.
    pub left: Left,
}

/// What is not taken, and how often.
pub type Left = BTreeMap<String, u64>;

fn leave(left: &mut Left, what: impl Into<String>) {
    *left.entry(what.into()).or_default() += 1;
}

/// Where an issue was known before.
pub fn source(id: &str) -> Box<str> {
    format!("beads:{id}").into()
}
