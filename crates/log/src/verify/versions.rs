//! Several lines under one count of one writer: before and after a scrub, a copied clone, or a line put in.

use std::collections::BTreeSet;

use super::case::Case;
use super::chain::{ChainSpot, LineHashes, Row};
use super::finding::{Inserted, What};

/// Reports forks and lines put in; the latter are taken out for the steps to come.
pub(super) fn judge(case: &mut Case) {
    for chain in 0..case.survey.chains.len() {
        let rows = &case.survey.chains[chain].rows;
        let doubtful = rows.windows(2).filter(|pair| pair[0].count == pair[1].count).map(|pair| pair[1].count);
        let mut counts: Vec<_> = doubtful.collect();
        counts.dedup();
        let mut gone = BTreeSet::new();
        for count in counts {
            if let Some((other, rows)) = unlinked(case, chain, count, &gone) {
                gone.extend(rows.iter().map(|row| row.spot));
                for row in &rows {
                    inserted(case, chain, row, &other);
                }
            }
            fork(case, chain, count, &gone);
        }
        case.take_out(&gone);
    }
}

/// The lines of a count without those that were put in.
fn left(case: &Case, chain: usize, count: u64, gone: &BTreeSet<ChainSpot>) -> Vec<Row> {
    let versions = case.survey.chains[chain].versions(count);
    versions.iter().filter(|row| !gone.contains(&row.spot)).copied().collect()
}

/// Lines of a count that follow no line, where another one of the same count does; with that one.
fn unlinked(case: &Case, chain: usize, count: u64, gone: &BTreeSet<ChainSpot>) -> Option<(Row, Vec<Row>)> {
    let before = left(case, chain, count.saturating_sub(1), gone);
    let versions = left(case, chain, count, gone);
    let unlinked = case.unlinked(&versions, &before);
    let spots: BTreeSet<ChainSpot> = unlinked.iter().map(|row| row.spot).collect();
    let linked: Vec<&Row> = versions.iter().filter(|row| !spots.contains(&row.spot)).collect();
    // What a scrub has left behind of a line is that line.
    let names = LineHashes::of(&case.survey.formers, linked.iter().copied());
    let unlinked = unlinked.into_iter().filter(|row| !names.has_one(row)).copied().collect();
    Some((**linked.first()?, unlinked))
}

fn inserted(case: &mut Case, chain: usize, row: &Row, other: &Row) {
    let (link, other) = (case.link(chain, row.count), case.survey.at(other.spot));
    case.blame(row, What::Inserted(Inserted::Unlinked { link, other }));
}

/// Reports a count at which a chain goes two ways. Further down both ways only go on.
fn fork(case: &mut Case, chain: usize, count: u64, gone: &BTreeSet<ChainSpot>) {
    let kinds = distinct(case, &left(case, chain, count, gone));
    let before = distinct(case, &left(case, chain, count.saturating_sub(1), gone));
    if kinds.len() < 2 || before.len() > 1 {
        return;
    }
    // The one that nobody follows is the one to look at; of equals, the one that stands last.
    let unfollowed = case.unfollowed(chain, &kinds.iter().collect::<Vec<_>>());
    let last = |rows: &[Row]| rows.iter().max_by_key(|row| row.spot).copied();
    let Some(odd) = last(&unfollowed).or_else(|| last(&kinds)) else { return };
    let Some(other) = kinds.iter().copied().find(|row| *row != odd) else { return };
    let what = What::Fork { link: case.link(chain, count), other: case.survey.at(other.spot) };
    case.find(odd.spot, Some(odd.id), what);
}

/// One line of each kind: lines that are one before and after a scrub count once.
fn distinct(case: &Case, versions: &[Row]) -> Vec<Row> {
    let mut names = LineHashes::of(&case.survey.formers, []);
    let mut kinds: Vec<Row> = Vec::new();
    for row in versions {
        if !names.has_one(row) {
            names.add(row);
            kinds.push(*row);
        }
    }
    kinds
}
