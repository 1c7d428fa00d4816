//! Lines that say they were scrubbed: a decision must have recorded it. And scrubbed values that are back.
//!
//! What was recorded is handed in: the log does not know decisions.

use std::collections::BTreeMap;

use super::case::Case;
use super::chain::Row;
use super::finding::{Evidence, What};
use super::own::OwnChains;
use super::recorded::ClaimedLines;
use super::settled::{LineStanding, standing};
use super::witness::Memory;
use crate::order::LineAt;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

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
pub struct ScrubbedLines {
    /// How many were scrubbed, as was recorded.
    pub lines: u64,
    /// Lines that hold again what was taken out of them: a merge has brought them back.
    pub back: Vec<LineAt>,
    /// Lines of this clone that another writer says were scrubbed: where each stands, and where that is said.
    pub by_others: Vec<(LineStanding, LineStanding)>,
}

/// Reports scrubs that nobody has recorded, and counts those that somebody has.
pub(super) fn judge(case: &mut Case, scrubs: &Scrubs, lines: &ClaimedLines, memories: &[Memory]) -> ScrubbedLines {
    let mut scrubbed =
        ScrubbedLines { by_others: by_others(case, scrubs, lines, memories), ..ScrubbedLines::default() };
    if case.survey.formers.0.is_empty() && scrubs.is_empty() {
        return scrubbed;
    }
    for chain in 0..case.survey.chains.len() {
        let is_one = |row: &&Row| scrubs.contains_key(&row.id) || !case.survey.formers.of(row.hash).is_empty();
        for row in case.survey.chains[chain].rows.iter().filter(is_one).copied().collect::<Vec<_>>() {
            line(case, scrubs, chain, &row, &mut scrubbed);
        }
    }
    scrubbed
}

/// Whoever takes a leaked value out of a log of several people changes the lines of others, too; so could anybody who wants a
/// line away.
fn by_others(
    case: &Case,
    scrubs: &Scrubs,
    lines: &ClaimedLines,
    memories: &[Memory],
) -> Vec<(LineStanding, LineStanding)> {
    let own = OwnChains::of(case, memories);
    let said = scrubs.iter().flat_map(|(entry, all)| all.iter().map(move |scrub| (*entry, scrub.by)));
    let pairs = said.filter_map(|(entry, by)| Some((lines.with(entry).first()?, lines.with(by).first()?)));
    let others = pairs.filter(|(line, by)| own.wrote(line) && !own.wrote(by));
    others.map(|(line, by)| (standing(case, line), standing(case, by))).collect()
}

fn line(case: &mut Case, scrubs: &Scrubs, chain: usize, row: &Row, scrubbed: &mut ScrubbedLines) {
    let recorded = scrubs.get(&row.id).map(Vec::as_slice).unwrap_or_default();
    let formers = case.survey.formers.of(row.hash);
    if formers.is_empty() {
        if recorded.iter().any(|scrub| scrub.before == row.hash) {
            scrubbed.back.push(case.survey.at(row.spot));
        }
        return;
    }
    // Each step is asked for by itself: one proved scrub must not cover a second change that nobody decided.
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
