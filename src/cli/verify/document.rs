//! `annals verify --json`: the findings, what was looked at, and what was not, for programs. Judges nothing.

use std::collections::BTreeSet;

use serde::Serialize;

use super::signed::{self, Signed};
use super::{NAMED, head_of, not_checked};
use crate::engine::verify::{Erasure, Terms, Verification};
use crate::kernel::id::{AgentId, EntryId, WriterId};
use crate::kernel::time::Timestamp;
use crate::log::elsewhere;
use crate::log::mending::Mend;
use crate::log::order::LineAt;
use crate::log::verify::{self, Blobs, Report, Settled, WriterReport};

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Verified<'v> {
    clean: bool,
    findings: Vec<Finding<'v>>,
    /// Findings that an option accepts.
    accepted: Vec<Finding<'v>>,
    /// Findings that the user has acknowledged.
    acknowledged: Vec<Finding<'v>>,
    /// Lines that stand on other branches.
    elsewhere: Vec<Stretch<'v>>,
    /// Lines that a sparse checkout leaves out.
    left_out: Vec<Stretch<'v>>,
    /// Lines that this clone has not fetched.
    not_fetched: Vec<Stretch<'v>>,
    files: u64,
    bytes: u64,
    lines: u64,
    entries: u64,
    /// Lines with a link in the chain of their writer.
    chained: u64,
    /// Lines without one.
    unchained: u64,
    /// Large values that were read; none where they were not.
    blobs: Option<u64>,
    writers: Vec<Chain<'v>>,
    /// Signatures that were checked.
    signatures: u64,
    unsigned_lines: u64,
    /// Lines that count as of another time, because the clock of their writer was mended.
    mended: Vec<Mended<'v>>,
    settlements: usize,
    settled: Vec<Both<'v>>,
    scrubs: Vec<RecordedScrub<'v>>,
    scrubbed_lines: u64,
    /// Scrubbed lines that a merge brought back.
    scrubbed_and_back: Vec<LinePlace<'v>>,
    scrubbed_by_others: usize,
    /// Lines that stand twice after a merge, and count once.
    doubled_by_merge: Vec<LinePlace<'v>>,
    /// What this does not say.
    not_checked: Vec<String>,
}

/// Lines of a writer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Stretch<'s> {
    writer: &'s WriterId,
    first: u64,
    last: u64,
}

/// A line of a file, from 1.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LinePlace<'p> {
    file: &'p str,
    line: u64,
}

/// Something that is wrong.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Finding<'f> {
    kind: String,
    file: Option<&'f str>,
    line: Option<u64>,
    entry: Option<EntryId>,
    writer: Option<WriterId>,
    /// Which line of its writer, from 1.
    count: Option<u64>,
    /// Another line that has to do with it.
    other: Option<LinePlace<'f>>,
    /// How many other lines there are.
    others: Option<u64>,
    /// In words.
    what: String,
}

/// A writer, and how far it is signed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Chain<'w> {
    writer: &'w WriterId,
    lines: u64,
    /// How many of them lines of others vouch for.
    vouched: u64,
    /// The last line, as `annals history acknowledge` takes it.
    head: String,
    signed: Signed,
}

/// Lines of a writer whose clock was mended.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Mended<'m> {
    writer: &'m WriterId,
    first: u64,
    last: u64,
    shift_ms: i64,
}

/// Two lines of one id, of which the user's entry says which one counts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Both<'b> {
    entry: EntryId,
    /// The entry that says so.
    by: EntryId,
    said: VerifyStanding<'b>,
    counts: VerifyStanding<'b>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerifyStanding<'s> {
    writer: Option<&'s WriterId>,
    count: Option<u64>,
    file: &'s str,
    line: u64,
}

/// A scrub that is recorded.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RecordedScrub<'s> {
    entry: EntryId,
    at: Timestamp,
    by: &'s AgentId,
    confirmed_by: &'s str,
    /// The entries of the lines that were changed.
    scrubbed: &'s [EntryId],
}

impl<'v> Verified<'v> {
    pub(super) fn of(verification: &'v Verification, terms: &Terms) -> Self {
        let (report, totals) = (&verification.report, &verification.report.totals);
        let elsewhere = &verification.elsewhere;
        Self {
            clean: report.is_clean(),
            findings: findings(&report.findings),
            accepted: findings(&verification.accepted),
            acknowledged: findings(&verification.acknowledged),
            elsewhere: stretches(&elsewhere.branches),
            left_out: stretches(&elsewhere.left_out),
            not_fetched: stretches(&elsewhere.unfetched),
            files: totals.segments,
            bytes: totals.bytes,
            lines: totals.lines,
            entries: totals.entries,
            chained: totals.chained,
            unchained: report.unchained,
            blobs: (terms.blobs == Blobs::Check).then_some(totals.blobs),
            writers: report.writers.iter().map(|writer| writer_of(report, writer)).collect(),
            signatures: report.signatures.checked,
            unsigned_lines: report.signatures.unsigned,
            mended: verification.mends.iter().map(mended).collect(),
            settlements: report.settled.len(),
            settled: report.settled.iter().take(NAMED).map(both).collect(),
            scrubs: verification.erasures.iter().map(scrub).collect(),
            scrubbed_lines: report.scrubbed.lines,
            scrubbed_and_back: report.scrubbed.back.iter().map(place).collect(),
            scrubbed_by_others: report.scrubbed.by_others.len(),
            doubled_by_merge: report.doubled.iter().map(place).collect(),
            not_checked: not_checked(verification, terms),
        }
    }
}

fn stretches(stretches: &BTreeSet<elsewhere::WriterStretch>) -> Vec<Stretch<'_>> {
    stretches.iter().map(|one| Stretch { writer: &one.writer, first: one.first, last: one.last }).collect()
}

fn place(at: &LineAt) -> LinePlace<'_> {
    LinePlace { file: &at.segment, line: at.line }
}

fn findings(findings: &[verify::Finding]) -> Vec<Finding<'_>> {
    findings.iter().map(finding).collect()
}

fn finding(finding: &verify::Finding) -> Finding<'_> {
    let (writer, count) = finding.what.link().map(|link| (link.writer, link.count)).unzip();
    Finding {
        kind: finding.what.kind().replace(' ', "_"),
        file: finding.file.as_deref(),
        line: finding.line,
        entry: finding.entry,
        writer,
        count,
        other: finding.what.other().map(place),
        others: finding.what.others(),
        what: finding.what.to_string(),
    }
}

fn both(Settled { id, by, said, counts }: &Settled) -> Both<'_> {
    Both { entry: *id, by: *by, said: standing(said), counts: standing(counts) }
}

fn standing(verify::LineStanding { link, at }: &verify::LineStanding) -> VerifyStanding<'_> {
    let (writer, count) = link.as_ref().map(|link| (&link.writer, link.count)).unzip();
    VerifyStanding { writer, count, file: &at.segment, line: at.line }
}

fn mended(Mend { writer, from, to, shift }: &Mend) -> Mended<'_> {
    Mended { writer, first: *from, last: *to, shift_ms: *shift }
}

fn writer_of<'w>(report: &Report, one: &'w WriterReport) -> Chain<'w> {
    Chain {
        writer: &one.writer,
        lines: one.lines,
        vouched: one.vouched,
        head: head_of(one.writer.as_str(), one.head.count, &one.head.hash),
        signed: signed::value(report, &one.writer),
    }
}

fn scrub(one: &Erasure) -> RecordedScrub<'_> {
    let Erasure { entry, at, actor, confirmed_by, scrubbed } = one;
    RecordedScrub { entry: *entry, at: *at, by: actor, confirmed_by, scrubbed }
}
