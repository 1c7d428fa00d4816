//! The judgement, step by step, and what came of it: findings, counts, how far each writer's lines are vouched for.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::finding::{Finding, Inserted, What};
use super::recorded::{ClaimedLines, Recorded};
use super::scrubs::ScrubbedLines;
use super::settled::Settled;
use super::sheet::Claimed;
use super::signed::{SignatureTerms, Signatures};
use super::survey::{Survey, Totals};
use super::witness::{self, Memory, Outside};
use super::{doubles, links, misfiled, own, places, scrubs, settled, signed, versions};
use crate::order::LineAt;
use annals_kernel::annals::Head;
use annals_kernel::id::WriterId;

/// What lines without a link are, in a log whose lines have links.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Foreign {
    /// Put in by somebody.
    #[default]
    Finding,
    /// Written by another tool that may do so.
    Accepted,
}

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
    pub scrubbed: ScrubbedLines,
    /// Last lines without a newline, which are whole: the next writer gives them one.
    pub unfinished: Vec<LineAt>,
    /// Lines that a merge has doubled: they count once.
    pub doubled: Vec<LineAt>,
    /// Lines without a link that were accepted, or that stand in a log without chains.
    pub unchained: u64,
    /// Up to which line each writer is signed, and by whom.
    pub signatures: Signatures,
    /// Which of several lines with one id count, because somebody said so.
    pub settled: Vec<Settled>,
    /// Up to which line each writer must be there, because a head was given.
    pub demanded: BTreeMap<WriterId, u64>,
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
    /// Adds what others have found, each at its place.
    pub fn add(&mut self, findings: Vec<Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by_cached_key(|finding| (finding.file.is_none(), finding.file.clone(), finding.line));
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Judges what was read: against itself, against what is remembered, and against what decisions have recorded of lines.
pub fn judge(survey: Survey, memories: &[Memory], recorded: &Recorded, foreign: Foreign) -> Report {
    judge_signed(survey, memories, recorded, foreign, &SignatureTerms::default())
}

/// The same, with a list of whose signatures count.
pub fn judge_signed(
    mut survey: Survey,
    memories: &[Memory],
    recorded: &Recorded,
    foreign: Foreign,
    terms: &SignatureTerms,
) -> Report {
    let (mut outside, unknown) = Outside::gather(&mut survey, memories);
    let mut case = Case::new(survey);
    let lines = ClaimedLines::of(&case.survey, recorded);
    // In this order, because each step leaves out what one before it has blamed.
    let doubled = doubles::judge(&mut case);
    misfiled::judge(&mut case);
    versions::judge(&mut case);
    outside.compare(&case);
    links::judge(&mut case, &outside);
    let vouched = witness::judge(&mut case, &outside, unknown);
    own::judge(&mut case, memories);
    rules(&mut case);
    let scrubbed = scrubs::judge(&mut case, &recorded.scrubs, &lines, memories);
    let signatures = signed::judge(&mut case, recorded, &lines, terms);
    let settled = settled::judge(&mut case, recorded, &lines, memories);
    places::judge(&mut case);
    let unchained = unchained(&mut case, foreign);
    case.blobs(&recorded.scrubs);
    let doubled = doubled.into_iter().map(|spot| case.survey.at(spot)).collect();
    let demanded = outside.demanded(&case.survey);
    Report { doubled, signatures, settled, demanded, ..report(case, &vouched, scrubbed, unchained) }
}

/// Decisions under rules that this program does not know, and under some that never were.
fn rules(case: &mut Case) {
    for Claimed { spot, id, rules } in std::mem::take(&mut case.survey.claimed) {
        case.find(spot, Some(id), What::UnknownRules { rules });
    }
}

/// Lines without a link are a finding where lines have links. Returns how many are none.
fn unchained(case: &mut Case, foreign: Foreign) -> u64 {
    let runs = std::mem::take(&mut case.survey.loose);
    let lines = |first: u32, last: u32| u64::from(last - first) + 1;
    if case.survey.totals.chained == 0 || foreign == Foreign::Accepted {
        return runs.iter().map(|run| lines(run.first.line, run.last.line)).sum();
    }
    for run in runs {
        let lines = lines(run.first.line, run.last.line);
        case.find(run.first, Some(run.id), What::Inserted(Inserted::Unchained { lines }));
    }
    0
}

fn report(case: Case, vouched: &[u64], scrubbed: ScrubbedLines, unchained: u64) -> Report {
    let mut findings = case.findings;
    let segments = case.survey.segments.iter().map(|part| part.segment.name.as_str());
    let places: BTreeMap<&str, usize> = segments.zip(0..).collect();
    let place =
        |finding: &Finding| finding.file.as_deref().and_then(|file| places.get(file)).copied().unwrap_or(usize::MAX);
    findings.sort_by_cached_key(|finding| (place(finding), finding.file.clone(), finding.line));
    let writers = case.survey.chains.iter().zip(vouched).filter_map(|(chain, vouched)| {
        let last = chain.rows.last()?;
        let (lines, head) = (chain.rows.len() as u64, Head { count: last.count, hash: last.hash });
        Some(WriterReport { writer: chain.writer.clone(), lines, head, vouched: *vouched })
    });
    let mut writers: Vec<_> = writers.collect();
    writers.sort_by(|left, right| left.writer.cmp(&right.writer));
    let unfinished = case
        .survey
        .segments
        .iter()
        .filter_map(|part| Some(LineAt { segment: part.segment.name.clone(), line: u64::from(part.unfinished?) }));
    // What is a finding already is not told once more as a line without a newline.
    let found: BTreeSet<_> = findings.iter().map(|finding| (finding.file.as_deref(), finding.line)).collect();
    let is_found = |at: &LineAt| found.contains(&(Some(at.segment.as_str()), Some(at.line)));
    let unfinished = unfinished.filter(|at| !is_found(at)).collect();
    Report {
        findings,
        totals: case.survey.totals,
        writers,
        scrubbed,
        unfinished,
        unchained,
        doubled: Vec::new(),
        signatures: Signatures::default(),
        settled: Vec::new(),
        demanded: BTreeMap::new(),
    }
}
