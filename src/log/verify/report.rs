//! What came of a verification: findings, counts, and how far each writer's lines are vouched for.
//!
//! Does not print.

use super::finding::Finding;
use super::scrubs::Scrubbed;
use super::survey::Totals;
use crate::kernel::annals::Head;
use crate::kernel::id::WriterId;
use crate::log::order::At;

/// What came of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What is wrong, in the order of the files and lines.
    pub findings: Vec<Finding>,
    /// What was counted.
    pub totals: Totals,
    /// Every writer, by name.
    pub writers: Vec<WriterReport>,
    /// Scrubbed lines.
    pub scrubbed: Scrubbed,
    /// Last lines without a newline, which are whole: the next writer gives them one.
    pub unfinished: Vec<At>,
    /// Lines that a merge has doubled: they count once.
    pub doubled: Vec<At>,
    /// Lines without a link that were accepted, or that stand in a log without chains.
    pub unchained: u64,
}

/// One writer's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterReport {
    /// The writer.
    pub writer: WriterId,
    /// How many lines of it there are.
    pub lines: u64,
    /// Its last line.
    pub head: Head,
    /// The highest count that somebody else has seen just so; 0 where nobody has.
    pub vouched: u64,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}
