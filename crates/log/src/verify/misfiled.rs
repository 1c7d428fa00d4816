//! Lines whose link was changed: they stand under another writer or count, or under none, and leave a gap behind.
//!
//! A line is known again by the hash of the line before it, which is in its link. What stays missing was removed.

use std::collections::BTreeMap;

use super::case::Case;
use super::chain::Row;
use super::finding::{Evidence, What};
use super::namesake::Namesakes;
use super::raw::RawLink;
use annals_kernel::annals::{Head, LineHash};

/// Places in chains that stand empty, by the hash of the line before them.
type Open = BTreeMap<LineHash, Vec<(usize, u64)>>;

/// Finds lines that stand under another link, then the gaps that nothing fills.
pub(super) fn judge(case: &mut Case) {
    let strays = strays(case);
    let has_raw = case.survey.loose.iter().any(|loose| loose.raw.is_some())
        || case.survey.faults.iter().any(|fault| fault.raw.is_some());
    // Without lines in the wrong place nobody asks for the empty ones.
    let open = if strays.is_empty() && !has_raw { Open::new() } else { open(case) };
    let refiled = strays.iter().filter(|(chain, row)| refile(case, &open, *chain, row)).map(|(_, row)| row.spot);
    let refiled = refiled.collect();
    case.take_out(&refiled);
    loose(case, &open);
    faults(case, &open);
    let mut namesakes = None;
    for chain in 0..case.survey.chains.len() {
        removed(case, chain, &mut namesakes);
    }
}

/// Lines that neither follow a line nor are followed by one.
fn strays(case: &Case) -> Vec<(usize, Row)> {
    let mut strays = Vec::new();
    for (index, chain) in case.survey.chains.iter().enumerate() {
        for (before, group) in chain.steps() {
            let rows = case.unfollowed(index, &case.unlinked(group, before));
            strays.extend(rows.into_iter().map(|row| (index, row)));
        }
    }
    strays
}

/// The beginning of every gap, and the place behind every last line.
fn open(case: &Case) -> Open {
    let mut open = Open::new();
    for (index, chain) in case.survey.chains.iter().enumerate() {
        let ends = chain.gaps().into_iter().map(|(first, _)| first).chain([chain.last() + 1]);
        for count in ends {
            if count == 1 {
                open.entry(LineHash::default()).or_default().push((index, count));
            }
            for before in chain.versions(count - 1) {
                let hashes = std::iter::once(&before.hash).chain(case.survey.formers.of(before.hash));
                hashes.for_each(|hash| open.entry(*hash).or_default().push((index, count)));
            }
        }
    }
    open
}

/// The empty place in which a line fits that has this link; of several, the one in its own chain.
fn place(case: &Case, open: &Open, own: Option<usize>, previous: LineHash) -> Option<(usize, u64)> {
    let places = open.get(&previous)?.iter().filter(|place| !case.filled.contains(place));
    let places: Vec<_> = places.copied().collect();
    let in_own = places.iter().find(|(chain, _)| Some(*chain) == own);
    // Of several places in other chains none is taken: a wrong guess would hide a line that was removed.
    in_own.or(if places.len() == 1 { places.first() } else { None }).copied()
}

/// Whether a line was found to belong elsewhere; then it is said so.
fn refile(case: &mut Case, open: &Open, chain: usize, row: &Row) -> bool {
    let place = place(case, open, Some(chain), row.previous);
    let Some((right, count)) = place.filter(|place| *place != (chain, row.count)) else { return false };
    case.filled.insert((right, count));
    let link = case.link(right, count);
    case.blame(row, What::Changed { link, evidence: Evidence::Misfiled, instead: None, doubtful: None });
    true
}

/// The empty place of a line of which only parts of the link are left.
fn place_of_raw(case: &Case, open: &Open, raw: &RawLink) -> Option<(usize, u64)> {
    let writer = raw.place.as_ref().and_then(|(writer, count)| Some((case.survey.find_chain(writer)?, *count)));
    let by_name = writer.filter(|(chain, count)| {
        *count > 0 && case.survey.chains[*chain].versions(*count).is_empty() && !case.filled.contains(&(*chain, *count))
    });
    let by_hash = raw.previous.and_then(|previous| place(case, open, writer.map(|(chain, _)| chain), previous));
    by_hash.or(by_name)
}

fn loose(case: &mut Case, open: &Open) {
    let mut rest = Vec::new();
    for loose in std::mem::take(&mut case.survey.loose) {
        let found = loose.raw.as_ref().and_then(|raw| place_of_raw(case, open, raw));
        let Some((chain, count)) = found else {
            rest.push(loose);
            continue;
        };
        case.filled.insert((chain, count));
        let link = case.link(chain, count);
        let what = What::Changed { link, evidence: Evidence::Misfiled, instead: None, doubtful: None };
        case.find(loose.first, Some(loose.id), what);
    }
    case.survey.loose = rest;
}

fn faults(case: &mut Case, open: &Open) {
    for fault in std::mem::take(&mut case.survey.faults) {
        let found = fault.raw.as_ref().and_then(|raw| place_of_raw(case, open, raw));
        case.filled.extend(found);
        let was = found.map(|(chain, count)| case.link(chain, count));
        case.find(fault.spot, fault.id, What::Unreadable { problem: fault.problem, was });
    }
}

/// What is missing of a chain and was not found elsewhere.
fn removed(case: &mut Case, chain: usize, namesakes: &mut Option<Namesakes>) {
    for (first, last) in case.survey.chains[chain].gaps() {
        let next = case.survey.chains[chain].versions(last + 1)[0];
        for (first, last) in unfilled(case, chain, first, last) {
            let writer = case.survey.chains[chain].writer.clone();
            let mut namesake = || namesakes.get_or_insert_with(|| Namesakes::of(&case.survey.chains)).like(&writer);
            let perhaps = if first == 1 { namesake() } else { None };
            let perhaps = perhaps.map(|row| case.survey.at(row.spot));
            let is_before_next = last + 1 == next.count;
            let known = is_before_next.then_some(Head { count: last, hash: next.previous });
            let known = known.into_iter().collect();
            case.find(next.spot, Some(next.id), What::Removed { writer, first, last, known, perhaps });
        }
    }
}

/// The stretches of a gap between the counts that were found elsewhere.
fn unfilled(case: &Case, chain: usize, first: u64, last: u64) -> Vec<(u64, u64)> {
    let mut stretches = Vec::new();
    let mut begin = first;
    for (_, count) in case.filled.range((chain, first)..=(chain, last)) {
        if begin < *count {
            stretches.push((begin, count - 1));
        }
        begin = count + 1;
    }
    if begin <= last {
        stretches.push((begin, last));
    }
    stretches
}
