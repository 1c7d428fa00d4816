//! Whether each line follows the one before it, and where it does not, which of the two was changed.
//!
//! A line is known by its hash to the next of its writer, and perhaps to others. A line that was itself changed is no
//! witness. Goes from the end to the beginning: the end is what others have seen.

use super::case::Case;
use super::chain::Row;
use super::finding::{Evidence, What};
use super::witness::{Outside, Verdict};
use crate::order::LineAt;

/// Reports lines that were changed, as far as the writer's own lines tell.
pub(super) fn judge(case: &mut Case, outside: &Outside) {
    for chain in 0..case.survey.chains.len() {
        let broken = broken(case, chain);
        for group in broken.chunk_by(|left, right| left.count == right.count).rev() {
            let before = case.survey.chains[chain].versions(group[0].count.saturating_sub(1));
            let suspect = case.unfollowed(chain, &before.iter().collect::<Vec<_>>()).first().copied();
            group.iter().rev().for_each(|row| blame(case, outside, chain, row, suspect));
        }
    }
}

/// Lines that do not follow the line before them, although it is there.
fn broken(case: &Case, chain: usize) -> Vec<Row> {
    let mut broken = Vec::new();
    for (before, group) in case.survey.chains[chain].steps() {
        let is_first = group[0].count == 1;
        if is_first || !before.is_empty() {
            broken.extend(case.unlinked(group, before));
        }
    }
    broken
}

/// Finds out whether a line was changed or the one before it.
fn blame(case: &mut Case, outside: &Outside, chain: usize, row: &Row, suspect: Option<Row>) {
    let Some(known) = case.survey.chains[chain].versions(row.count - 1).first() else {
        // The first line of a writer says that there was one before it.
        let at = case.survey.at(row.spot);
        return changed(case, chain, row, Evidence::OwnLink(at), None);
    };
    let own_link = Evidence::OwnLink(case.survey.at(known.spot));
    let Some(suspect) = suspect else {
        return changed(case, chain, row, own_link, None);
    };
    let next = Evidence::Next(case.survey.at(row.spot));
    match outside.verdict(case, chain, &suspect) {
        Verdict::Confirmed => return changed(case, chain, row, own_link, None),
        Verdict::Contradicted(_) => return changed(case, chain, &suspect, next, None),
        Verdict::Unknown => {}
    }
    let is_last = case.survey.chains[chain].versions(row.count + 1).is_empty();
    match outside.verdict(case, chain, row) {
        Verdict::Confirmed => changed(case, chain, &suspect, next, None),
        Verdict::Contradicted(by) => {
            changed(case, chain, row, Evidence::Seen(by), None);
            doubt(case, chain, row.count, suspect.count);
        }
        Verdict::Unknown if case.is_followed(chain, row) => changed(case, chain, &suspect, next, None),
        // Nothing behind the line vouches for either: it may as well be this one that somebody put in the place of
        // another, so both are named.
        Verdict::Unknown if is_last => {
            let instead = case.survey.at(row.spot);
            changed(case, chain, &suspect, next, Some(instead));
        }
        Verdict::Unknown => doubt(case, chain, row.count, suspect.count),
    }
}

fn changed(case: &mut Case, chain: usize, row: &Row, evidence: Evidence, instead: Option<LineAt>) {
    if !case.blamed.contains(&row.spot) {
        let link = case.link(chain, row.count);
        case.blame(row, What::Changed { link, evidence, instead, doubtful: None });
    }
}

/// A line before one that was changed: nobody is left who could say whether it was changed, too.
fn doubt(case: &mut Case, chain: usize, count: u64, suspect: u64) {
    let writer = &case.survey.chains[chain].writer;
    for finding in case.findings.iter_mut().rev() {
        let What::Changed { link, doubtful, .. } = &mut finding.what else { continue };
        let reaches = doubtful.map_or(link.count, |(first, _)| first);
        if link.writer == *writer && reaches == count {
            *doubtful = Some((suspect, doubtful.map_or(suspect, |(_, last)| last)));
            return;
        }
    }
}
