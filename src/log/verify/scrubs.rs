//! Lines that say they were scrubbed: a decision must have recorded it. And scrubbed values that are back.
//!
//! What was recorded is handed in: the log does not know decisions.

use std::collections::BTreeMap;

use super::case::Case;
use super::chain::Row;
use super::finding::{Evidence, What};
use crate::kernel::annals::LineHash;
use crate::kernel::id::EntryId;
use crate::log::order::At;

/// What decisions have recorded of scrubbed lines, by entry.
pub type Scrubs = BTreeMap<EntryId, Vec<Scrub>>;

/// One line that was scrubbed once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scrub {
    /// Its hash as it was.
    pub before: LineHash,
    /// Its hash as it was then.
    pub after: LineHash,
    /// The entry of the decision.
    pub by: EntryId,
}

/// Lines that say they were scrubbed, or that hold what was scrubbed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// How many were scrubbed, as was recorded.
    pub lines: u64,
    /// Lines that hold again what was taken out of them: a merge has brought them back.
    pub back: Vec<At>,
}

/// Reports scrubs that nobody has recorded, and counts those that somebody has.
pub(super) fn judge(case: &mut Case, scrubs: &Scrubs) -> Scrubbed {
    let mut scrubbed = Scrubbed::default();
    if case.survey.formers.0.is_empty() && scrubs.is_empty() {
        return scrubbed;
    }
    for chain in 0..case.survey.chains.len() {
        let is_one = |row: &&Row| scrubs.contains_key(&row.id) || !case.survey.formers.of(row.hash).is_empty();
        for row in case.survey.chains[chain].rows.iter().filter(is_one).copied().collect::<Vec<_>>() {
            line(case, scrubs, (chain, &row), &mut scrubbed);
        }
    }
    scrubbed
}

fn line(case: &mut Case, scrubs: &Scrubs, (chain, row): (usize, &Row), scrubbed: &mut Scrubbed) {
    let recorded = scrubs.get(&row.id).map(Vec::as_slice).unwrap_or_default();
    let formers = case.survey.formers.of(row.hash);
    if formers.is_empty() {
        if recorded.iter().any(|scrub| scrub.before == row.hash) {
            scrubbed.back.push(case.survey.at(row.spot));
        }
        return;
    }
    let steps = formers.iter().zip(formers.iter().skip(1).chain([&row.hash]));
    let mut steps = steps.map(|(before, after)| (*before, *after));
    let is_recorded = |(before, after)| recorded.iter().any(|scrub| (scrub.before, scrub.after) == (before, after));
    let unproved = steps.find(|step| !is_recorded(*step));
    drop(steps);
    let Some((before, after)) = unproved else {
        scrubbed.lines += 1;
        return;
    };
    let link = case.link(chain, row.count);
    let was_recorded = after == row.hash && recorded.iter().any(|scrub| scrub.before == before);
    if was_recorded {
        case.blame(row, What::Changed { link, evidence: Evidence::Scrub, instead: None, doubtful: None });
    } else {
        case.blame(row, What::ScrubUnproved { link, former: before });
    }
}
