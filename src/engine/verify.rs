//! Verifies the log, with what the world knows of scrubs.
//!
//! Does not look at lines itself; `log::verify` does, and knows no decisions.

use std::collections::{BTreeMap, BTreeSet};

use super::{Engine, EngineError};
use crate::domain::{Rooms, erasure};
use crate::kernel::annals::LineHash;
use crate::kernel::id::{AgentId, EntryId};
use crate::kernel::time::Timestamp;
use crate::log::elsewhere::Stretch;
use crate::log::mending::Mend;
use crate::log::order::At;
use crate::log::verify::{
    Blobs, Finding, Foreign, Local, Memory, Remembered, Rememberer, Report, Scrub, Scrubs, SignatureTerms, Survey,
    Version, What,
};
use crate::log::verify::{judge_signed, survey};

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
    /// Missing lines that other branches have: no hole.
    pub elsewhere: BTreeSet<Stretch>,
    /// Holes that the user knows of.
    pub acknowledged: Vec<Finding>,
    /// How many heads `local/` remembers.
    pub remembered: usize,
    /// Clocks that were mended.
    pub mends: Vec<Mend>,
    /// What was scrubbed, by decision.
    pub erasures: Vec<Erasure>,
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
        let (survey, mut memories) = survey(&**self.disk(), self.place(), terms.local, terms.blobs)?;
        let remembered = memories.len();
        let given = terms.heads.iter().cloned();
        memories.extend(given.map(|head| Memory { by: Rememberer::Caller, head }));
        let twins = survey.twins();
        let (erasure, conflicts) = if speaks_of_scrubs(&survey) || !twins.is_empty() {
            self.ask(|world| (world.rooms.erasure.clone(), conflicts(&world.rooms, &twins)))?
        } else {
            Default::default()
        };
        let mends = if speaks_of_mends(&survey) { self.mends()? } else { Vec::new() };
        let mut report = judge_signed(survey, &memories, &scrubs(&erasure), terms.foreign, &terms.signatures);
        if !conflicts.is_empty() {
            report.add(conflicts);
        }
        let is_accepted = |finding: &mut Finding| {
            let is_newer = matches!(finding.what, What::UnknownRules { rules } if rules > 0);
            let is_moved = terms.moved == Moved::Accepted && finding.what.is_of_place();
            is_moved || is_newer && terms.newer == Newer::Accepted
        };
        let accepted = report.findings.extract_if(.., is_accepted).collect();
        let elsewhere = self.take_elsewhere(&mut report)?;
        let acknowledged = self.take_acknowledged(&mut report)?;
        let erasures = erasures(&erasure);
        Ok(Verification { report, accepted, elsewhere, acknowledged, remembered, mends, erasures })
    }

    /// Takes out of the findings what is missing here and stands on another branch.
    fn take_elsewhere(&self, report: &mut Report) -> Result<BTreeSet<Stretch>, EngineError> {
        let missing = report.findings.iter().filter_map(|finding| finding.what.missing()).collect();
        let elsewhere = self.log().elsewhere(&missing)?;
        report.findings.retain(|finding| finding.what.missing().is_none_or(|stretch| !elsewhere.contains(&stretch)));
        Ok(elsewhere)
    }

    /// Takes out of the findings the holes that the user knows of, up to the line that the entry names.
    fn take_acknowledged(&self, report: &mut Report) -> Result<Vec<Finding>, EngineError> {
        if report.findings.iter().all(|finding| finding.what.missing().is_none()) {
            return Ok(Vec::new());
        }
        let holes: Vec<_> = self.ask(|world| world.rooms.history.acknowledged().cloned().collect())?;
        let is_known = |finding: &mut Finding| {
            let missing = finding.what.missing();
            missing.is_some_and(|gap| holes.iter().any(|hole| hole.writer == gap.writer && gap.last <= hole.n))
        };
        Ok(report.findings.extract_if(.., is_known).collect())
    }
}

/// Whether the world must be asked: folding it takes as long again as reading the lines.
fn speaks_of_scrubs(survey: &Survey) -> bool {
    survey.has_scrubs() || erasure::Command::DOCS.iter().any(|doc| survey.decisions.contains_key(doc.name))
}

fn speaks_of_mends(survey: &Survey) -> bool {
    survey.decisions.contains_key("history.clock.mend")
}

/// Lines of which the fold takes none, because they say different things under one id and nobody has settled which counts.
fn conflicts(rooms: &Rooms, twins: &Twins) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, versions) in rooms.history.open_conflicts() {
        let lines = twins.get(&id).into_iter().flatten().filter(|(hash, _)| versions.contains(*hash));
        let lines: Vec<Version> =
            lines.filter_map(|(hash, at)| Some(Version { at: at.first()?.clone(), hash: *hash })).collect();
        findings.extend(lines.iter().map(|line| conflict(id, line, &lines)));
    }
    findings
}

fn conflict(id: EntryId, Version { at, hash }: &Version, lines: &[Version]) -> Finding {
    let others: Vec<_> = lines.iter().filter(|other| other.hash != *hash).take(OTHERS).cloned().collect();
    let more = (lines.len() - 1 - others.len()) as u64;
    let what = What::Conflict { hash: *hash, others, more };
    Finding { file: Some(at.segment.clone()), line: Some(at.line), entry: Some(id), what }
}

/// So many of the others a line of several names; the rest is a count. Whoever makes thousands of lines with one id would
/// else be answered with thousands of lists of thousands.
const OTHERS: usize = 3;

/// Ids of several lines, with the lines.
type Twins = BTreeMap<EntryId, BTreeMap<LineHash, Vec<At>>>;

fn scrubs(erasure: &erasure::State) -> Scrubs {
    let scrub = |one: &erasure::Record| Scrub { before: one.before, after: one.after, by: one.by_entry };
    erasure.scrubs.iter().map(|(entry, records)| (*entry, records.iter().map(scrub).collect())).collect()
}

/// What the room keeps by line, by decision.
fn erasures(erasure: &erasure::State) -> Vec<Erasure> {
    let mut all: Vec<Erasure> = Vec::new();
    for (scrubbed, record) in
        erasure.scrubs.iter().flat_map(|(entry, records)| records.iter().map(move |one| (entry, one)))
    {
        match all.iter_mut().find(|one| one.entry == record.by_entry) {
            Some(known) => known.scrubbed.push(*scrubbed),
            None => all.push(Erasure {
                entry: record.by_entry,
                at: record.at,
                actor: record.actor.clone(),
                confirmed_by: record.confirmed_by.clone(),
                scrubbed: vec![*scrubbed],
            }),
        }
    }
    all.sort_by_key(|one| one.entry);
    all
}
