//! Verifies the log, with what the world knows of scrubs.
//!
//! Does not look at lines itself; `log::verify` does, and knows no decisions.

mod known;
mod missing;

use std::collections::BTreeMap;

use self::known::KnownLines;
use super::{Engine, EngineError};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::time::Timestamp;
use annals_log::elsewhere::{Elsewhere, Missing, WriterStretch};
use annals_log::mending::Mend;
use annals_log::verify::{
    Blobs, Finding, Foreign, Local, Memory, Remembered, Rememberer, Report, SignatureTerms, Survey, What,
};
use annals_log::verify::{judge_signed, survey};
use annals_rules::domain::history::command::Acknowledge;
use annals_rules::domain::history::state::DecisionRecord;
use annals_rules::domain::{erasure, history};

/// How a log is to be verified.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Whether `local/` is asked.
    pub local: Local,
    /// Whether large values are read.
    pub blobs: Blobs,
    /// What lines without a link are.
    pub foreign: Foreign,
    /// What lines in another place are.
    pub moved: Moved,
    /// What decisions under newer rules are.
    pub newer: Newer,
    /// Heads that somebody has kept elsewhere.
    pub heads: Vec<Remembered>,
    /// Whose signatures count, and whether every writer must have one.
    pub signatures: SignatureTerms,
}

/// What a line is that stands twice, or not in the order of its writer.
///
/// Clones that merge each other's work back and forth, each the other's, may leave such lines behind: of one and the same
/// stretch git's union merge then keeps both sides'. No writer's line is lost or changed by that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Moved {
    /// Copied or moved by somebody.
    #[default]
    Finding,
    /// Left behind by a merge.
    Accepted,
}

/// What a decision is that claims rules which this program does not have yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Newer {
    /// Invented by somebody.
    #[default]
    Finding,
    /// Written by a newer program.
    Accepted,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Verification {
    /// What the log says.
    pub report: Report,
    /// What was found and accepted.
    pub accepted: Vec<Finding>,
    /// Missing lines that are no hole.
    pub elsewhere: Elsewhere,
    /// How many files of the history a sparse checkout leaves out; `None` where git cannot say.
    pub left_out_files: Option<usize>,
    /// Holes that the user knows of.
    pub acknowledged: Vec<Finding>,
    /// How many heads `local/` remembers.
    pub remembered: usize,
    /// Clocks that were mended.
    pub mends: Vec<Mend>,
    /// What was scrubbed, by decision.
    pub erasures: Vec<Erasure>,
}

impl Verification {
    /// Whether lines were not looked at because their files are not in this clone, or not in its work tree.
    pub fn is_in_part(&self) -> bool {
        self.left_out_files != Some(0) || !self.elsewhere.unfetched.is_empty()
    }
}

/// A decision to scrub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The entry that holds it.
    pub entry: EntryId,
    /// When.
    pub at: Timestamp,
    /// Who asked.
    pub actor: AgentId,
    /// The person who confirmed it.
    pub confirmed_by: Box<str>,
    /// The entries of the lines that were changed.
    pub scrubbed: Vec<EntryId>,
}

impl Engine {
    /// Verifies the log as it is now.
    pub fn verify(&self, terms: &Terms) -> Result<Verification, EngineError> {
        let (mut survey, mut memories) = survey(&**self.disk(), self.place(), terms.local, terms.blobs)?;
        let left_out = self.log().left_out_files();
        survey.leave_out(left_out.iter().flatten().filter_map(|path| value_at(path)).map(Box::from).collect());
        let remembered = memories.len();
        let given = terms.heads.iter().cloned();
        memories.extend(given.map(|head| Memory { by: Rememberer::Caller, head }));
        let twins = survey.twins();
        let known = if speaks_of_lines(&survey) || !twins.is_empty() {
            self.ask(|world| KnownLines::of(&world.rooms, &twins))?
        } else {
            KnownLines::default()
        };
        let mut report = judge_signed(survey, &memories, &known.recorded, terms.foreign, &terms.signatures);
        if !known.conflicts.is_empty() {
            report.add(known.conflicts);
        }
        let is_accepted = |finding: &mut Finding| {
            let is_newer = matches!(finding.what, What::UnknownRules { rules } if rules > 0);
            let is_moved = terms.moved == Moved::Accepted && finding.what.is_of_place();
            is_moved || is_newer && terms.newer == Newer::Accepted
        };
        let accepted = report.findings.extract_if(.., is_accepted).collect();
        let elsewhere = self.take_elsewhere(&mut report)?;
        let acknowledged = take_acknowledged(&mut report, &known.holes);
        missing::fold(&mut report);
        let erasures = erasures(&known.erasure);
        Ok(Verification {
            report,
            accepted,
            elsewhere,
            left_out_files: left_out.map(|paths| paths.iter().filter(|path| path.starts_with("history/")).count()),
            acknowledged,
            remembered,
            mends: known.mends,
            erasures,
        })
    }

    /// Takes out of the findings what is missing here and no hole: what stands on another branch, but for what is signed or was
    /// asked for, and what a sparse checkout leaves out.
    fn take_elsewhere(&self, report: &mut Report) -> Result<Elsewhere, EngineError> {
        let must_be_here = |WriterStretch { writer, first, .. }: &WriterStretch| {
            let last = [&report.signatures.covered, &report.demanded].map(|all| all.get(writer).copied());
            last.into_iter().flatten().any(|last| *first <= last)
        };
        let missing = report.findings.iter().filter_map(|finding| finding.what.missing());
        let elsewhere = self.log().elsewhere(&missing.collect::<Vec<_>>(), must_be_here)?;
        let is_left = |finding: &Finding| finding.what.missing().is_none_or(|gap| !elsewhere.has(&gap.stretch));
        report.findings.retain(is_left);
        Ok(elsewhere)
    }
}

/// The large value that stands at a path below `.context`.
fn value_at(path: &str) -> Option<&str> {
    path.strip_prefix("history/blobs/")?.split_once('/')?.1.strip_suffix(".zst")
}

/// Takes out of the findings the holes that the user knows of, up to the line that the entry names. A signed line that is
/// missing is no hole by a word that is not signed, where signatures are asked for.
fn take_acknowledged(report: &mut Report, holes: &[DecisionRecord<Acknowledge>]) -> Vec<Finding> {
    let (mut known, mut signed) = (BTreeMap::new(), BTreeMap::new());
    for DecisionRecord { by_entry, what, .. } in holes {
        let is_signed = !report.signatures.unsigned_holes.contains(by_entry);
        for last in [Some(&mut known), is_signed.then_some(&mut signed)].into_iter().flatten() {
            let last: &mut u64 = last.entry(what.writer.clone()).or_default();
            *last = what.n.max(*last);
        }
    }
    let covered = &report.signatures.covered;
    let is_known = |finding: &mut Finding| {
        finding.what.missing().is_some_and(|Missing { stretch: gap, .. }| {
            let is_covered = covered.get(&gap.writer).is_some_and(|last| gap.first <= *last);
            let holes = if is_covered { &signed } else { &known };
            holes.get(&gap.writer).is_some_and(|last| gap.last <= *last)
        })
    };
    report.findings.extract_if(.., is_known).collect()
}

/// Whether the world must be asked: folding it takes as long again as reading the lines.
fn speaks_of_lines(survey: &Survey) -> bool {
    let docs = erasure::Command::DOCS.iter().chain(history::Command::DOCS);
    survey.has_scrubs() || docs.into_iter().any(|doc| survey.decisions.contains_key(doc.name))
}

/// What the room keeps by line, by decision.
fn erasures(erasure: &erasure::State) -> Vec<Erasure> {
    let mut all: BTreeMap<EntryId, Erasure> = BTreeMap::new();
    let records = erasure.scrubs.iter().flat_map(|(entry, records)| records.iter().map(move |one| (entry, one)));
    for (scrubbed, record) in records {
        let none_yet = || Erasure {
            entry: record.by_entry,
            at: record.at,
            actor: record.actor.clone(),
            confirmed_by: record.confirmed_by.clone(),
            scrubbed: Vec::new(),
        };
        all.entry(record.by_entry).or_insert_with(none_yet).scrubbed.push(*scrubbed);
    }
    all.into_values().collect()
}
