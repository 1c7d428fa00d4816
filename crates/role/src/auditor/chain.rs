//! The audit log's own chain: each line holds the hash of the one before (decision 33).
//!
//! Texts in, findings out; opens no file. A chain shows what was done between its lines. That lines are missing at its
//! end, that its last one was changed, or that all of it was written anew, shows only the head that is kept beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::AuditEvent;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::grounding::words;

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditLine {
    /// Its number, from 1.
    pub n: u64,
    /// The hash of the line before, without its newline; zeros in the first.
    pub p: LineHash,
    /// What was heard.
    pub event: AuditEvent,
}

/// A line as it is appended, and the head to be kept when it is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainedLine {
    /// With its newline.
    pub text: String,
    /// How far the chain has come with it.
    pub head: Head,
}

/// What a chain that holds came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedChain {
    /// How far it has come; none where there is no line.
    pub head: Option<Head>,
    /// Lines behind the head that was kept: one where the machine stopped between line and head, never many.
    pub beyond: u64,
}

words! {
    /// What was done to a chain.
    pub enum BreakReason {
        /// The line is not the one that was written.
        Changed = "changed",
        /// Lines before this one are missing.
        Removed = "removed",
        /// The line stands there twice.
        Doubled = "doubled",
        /// The line does not belong there.
        Inserted = "inserted",
        /// The line stands in another's place.
        Moved = "moved",
        /// The last line has no end.
        CutOff = "cut_off",
    }
}

/// Where a chain breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("line {line} of the audit log: {reason}")]
pub struct BrokenChain {
    /// The line, from 1, as the file has it.
    pub line: u64,
    /// What was done.
    pub reason: BreakReason,
}

/// What of a line is held against its neighbours; keys of a later version do not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
struct AuditLink {
    n: u64,
    p: LineHash,
}

struct ReadLine {
    link: Option<AuditLink>,
    hash: LineHash,
}

/// The line that follows on a head; none is the beginning.
pub fn chained(head: Option<Head>, event: &AuditEvent) -> ChainedLine {
    let n = head.map_or(0, |head| head.count).saturating_add(1);
    let line = AuditLine { n, p: head.map(|head| head.hash).unwrap_or_default(), event: event.clone() };
    let mut text = serde_json::to_string(&line).expect("BUG: a line of the audit log does not serialize");
    let head = Head { count: n, hash: LineHash::of(text.as_bytes()) };
    text.push('\n');
    ChainedLine { text, head }
}

/// Whether a log is what was written, as far as its lines and the kept head can tell.
pub fn check_chain(log: &[u8], kept: Option<Head>) -> Result<CheckedChain, BrokenChain> {
    let lines = read(log)?;
    for at in 0..lines.len() {
        let expected = AuditLink { n: number(at), p: before(&lines, at) };
        if lines[at].link != Some(expected) {
            return Err(named(&lines, at, expected, kept));
        }
    }
    check_head(&lines, kept)
}

fn read(log: &[u8]) -> Result<Vec<ReadLine>, BrokenChain> {
    let Some(whole) = log.strip_suffix(b"\n") else {
        let begun = log.split(|byte| *byte == b'\n').count();
        return if log.is_empty() { Ok(Vec::new()) } else { Err(broken(begun - 1, BreakReason::CutOff)) };
    };
    let lines = whole.split(|byte| *byte == b'\n');
    Ok(lines.map(|line| ReadLine { link: serde_json::from_slice(line).ok(), hash: LineHash::of(line) }).collect())
}

/// The lines hold together: are they those that the head knows?
fn check_head(lines: &[ReadLine], kept: Option<Head>) -> Result<CheckedChain, BrokenChain> {
    let count = number(lines.len()) - 1;
    let head = lines.last().map(|line| Head { count, hash: line.hash });
    let kept = match kept {
        Some(kept) if kept.count > 0 => kept,
        Some(_) => return Ok(CheckedChain { head, beyond: count }),
        None => return Ok(CheckedChain { head, beyond: 0 }),
    };
    let at = usize::try_from(kept.count - 1).unwrap_or(usize::MAX);
    match lines.get(at) {
        None => Err(broken(lines.len(), BreakReason::Removed)),
        Some(line) if line.hash != kept.hash => Err(broken(at, BreakReason::Changed)),
        Some(_) => Ok(CheckedChain { head, beyond: count - kept.count }),
    }
}

/// What was done where a line is not the one that is expected there.
fn named(lines: &[ReadLine], at: usize, expected: AuditLink, kept: Option<Head>) -> BrokenChain {
    let Some(link) = lines[at].link else { return broken(at, BreakReason::Changed) };
    if lines[..at].iter().any(|line| line.hash == lines[at].hash) {
        return broken(at, BreakReason::Doubled);
    }
    if link.p == expected.p {
        return broken(at, BreakReason::Changed); // it follows on the line before, so it was its number
    }
    if link.n == expected.n {
        let is_own_fault = at == 0 || !is_confirmed(lines, at, kept);
        return broken(if is_own_fault { at } else { at - 1 }, BreakReason::Changed);
    }
    if link.n > expected.n {
        let is_there = lines[at..].iter().any(|line| line.link == Some(expected));
        return broken(at, if is_there { BreakReason::Moved } else { BreakReason::Removed });
    }
    let is_genuine = at >= 2 && link.n + 1 == expected.n && link.p == lines[at - 2].hash;
    broken(if is_genuine && is_confirmed(lines, at, kept) { at - 1 } else { at }, BreakReason::Inserted)
}

/// Whether what comes behind a line knows it as it stands; where nothing does, it has the benefit of the doubt.
fn is_confirmed(lines: &[ReadLine], at: usize, kept: Option<Head>) -> bool {
    match (lines.get(at + 1), kept) {
        (Some(next), _) => next.link.is_some_and(|link| link.p == lines[at].hash),
        (None, Some(kept)) => kept.hash == lines[at].hash,
        (None, None) => true,
    }
}

fn before(lines: &[ReadLine], at: usize) -> LineHash {
    at.checked_sub(1).map(|before| lines[before].hash).unwrap_or_default()
}

fn number(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX).saturating_add(1)
}

fn broken(at: usize, reason: BreakReason) -> BrokenChain {
    BrokenChain { line: number(at), reason }
}
