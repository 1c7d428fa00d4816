//! What the world knows of lines, asked once: what decisions have recorded, and which lines say different things.
//!
//! Judges nothing but that: a line that nobody has settled is a finding.

use std::collections::BTreeMap;

use crate::amend::{amendments, mend};
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;
use annals_log::amend::Amendments;
use annals_log::mending::Mend;
use annals_log::order::LineAt;
use annals_log::verify::{Finding, Namesake, Recorded, Scrub, Scrubs, Settlements, What, Word};
use annals_rules::domain::history::command::Acknowledge;
use annals_rules::domain::history::state::DecisionRecord;
use annals_rules::domain::{Rooms, erasure};
use annals_rules::policy::open_conflicts;

/// So many of the others a line of several names; the rest is a count. Whoever makes thousands of lines with one id would
/// else be answered with thousands of lists of thousands.
// 8,000 lines of 2.3 MB were answered with 2.4 GB of text, and took 4 GB of memory.
const OTHERS: usize = 3;

/// Ids of several lines, with the lines.
pub(super) type Twins = BTreeMap<EntryId, BTreeMap<LineHash, Vec<LineAt>>>;

/// What the world knows of lines.
#[derive(Default)]
pub(super) struct KnownLines {
    pub(super) erasure: erasure::State,
    pub(super) recorded: Recorded,
    /// Clocks that were mended, as they hold.
    pub(super) mends: Vec<Mend>,
    /// Holes that the user knows of.
    pub(super) holes: Vec<DecisionRecord<Acknowledge>>,
    /// Lines that say different things, and nobody has said which counts.
    pub(super) conflicts: Vec<Finding>,
}

impl KnownLines {
    pub(super) fn of(rooms: &Rooms, twins: &Twins) -> Self {
        let amendments = amendments(rooms);
        let holes: Vec<_> = rooms.history.acknowledged().cloned().collect();
        let recorded = Recorded {
            scrubs: scrubs(&rooms.erasure),
            settled: settled(rooms, &amendments),
            mends: rooms.history.mend_records().iter().map(|one| (one.by_entry, mend(one.what.clone()))).collect(),
            holes: holes.iter().map(|hole| hole.by_entry).collect(),
        };
        let mends = amendments.mending.mends().to_vec();
        Self { erasure: rooms.erasure.clone(), recorded, mends, holes, conflicts: conflicts(rooms, twins) }
    }
}

fn scrubs(erasure: &erasure::State) -> Scrubs {
    let scrub = |one: &erasure::Record| Scrub { before: one.before, after: one.after, by: one.by_entry };
    erasure.scrubs.iter().map(|(entry, records)| (*entry, records.iter().map(scrub).collect())).collect()
}

fn settled(rooms: &Rooms, amendments: &Amendments) -> BTreeMap<EntryId, Settlements> {
    let mut all = BTreeMap::new();
    for (id, versions) in &rooms.history.conflicts {
        let word = |one: &DecisionRecord<LineHash>| Word { by: one.by_entry, names: amendments.left_of(*id, one.what) };
        let words: Vec<_> = rooms.history.words_on(*id).into_iter().map(word).collect();
        if !words.is_empty() {
            all.insert(*id, Settlements { versions: versions.clone(), words });
        }
    }
    all
}

/// Lines of which the fold takes none, because they say different things under one id and nobody has settled which counts.
fn conflicts(rooms: &Rooms, twins: &Twins) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, versions) in open_conflicts(rooms) {
        let lines = twins.get(&id).into_iter().flatten().filter(|(hash, _)| versions.contains(*hash));
        let lines: Vec<Namesake> =
            lines.filter_map(|(hash, at)| Some(Namesake { at: at.first()?.clone(), hash: *hash })).collect();
        findings.extend(lines.iter().map(|line| conflict(id, line, &lines)));
    }
    findings
}

fn conflict(id: EntryId, Namesake { at, hash }: &Namesake, lines: &[Namesake]) -> Finding {
    let others: Vec<_> = lines.iter().filter(|other| other.hash != *hash).take(OTHERS).cloned().collect();
    let more = (lines.len() - 1 - others.len()) as u64;
    let what = What::Conflict { hash: *hash, others, more };
    Finding { file: Some(at.segment.clone()), line: Some(at.line), entry: Some(id), what }
}
