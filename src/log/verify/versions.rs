//! Several lines under one count of one writer: before and after a scrub, a copied clone, or a line put in.

use std::collections::BTreeSet;

use super::case::Case;
use super::chain::{Row, Spot};
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
            for row in unlinked(case, chain, count, &gone) {
                gone.insert(row.spot);
                inserted(case, chain, &row, &gone);
            }
            fork(case, chain, count, &gone);
        }
        case.take_out(&gone);
    }
}

/// The lines of a count without those that were put in.
fn left(case: &Case, chain: usize, count: u64, gone: &BTreeSet<Spot>) -> Vec<Row> {
    let versions = case.survey.chains[chain].versions(count);
    versions.iter().filter(|row| !gone.contains(&row.spot)).copied().collect()
}

/// Lines of a count that follow no line, where another one of the same count does.
fn unlinked(case: &Case, chain: usize, count: u64, gone: &BTreeSet<Spot>) -> Vec<Row> {
    let before = left(case, chain, count.saturating_sub(1), gone);
    let versions = left(case, chain, count, gone).into_iter();
    let (linked, unlinked): (Vec<Row>, Vec<Row>) = versions.partition(|row| case.follows_something(row, &before));
    if linked.is_empty() {
        return Vec::new();
    }
    // What a scrub has left behind of a line is that line.
    unlinked.into_iter().filter(|row| !linked.iter().any(|other| case.survey.formers.are_one(row, other))).collect()
}

fn inserted(case: &mut Case, chain: usize, row: &Row, gone: &BTreeSet<Spot>) {
    let Some(other) = left(case, chain, row.count, gone).first().copied() else { return };
    let (link, other) = (case.link(chain, row.count), case.survey.at(other.spot));
    case.blame(row, What::Inserted(Inserted::Unlinked { link, other }));
}

/// Reports a count at which a chain goes two ways. Further down both ways only go on.
fn fork(case: &mut Case, chain: usize, count: u64, gone: &BTreeSet<Spot>) {
    let kinds = distinct(case, &left(case, chain, count, gone));
    let before = distinct(case, &left(case, chain, count.saturating_sub(1), gone));
    if kinds.len() < 2 || before.len() > 1 {
        return;
    }
    // The one that nobody follows is the one to look at; of equals, the one that stands last.
    let key = |row: &Row| (!case.is_followed(chain, row), row.spot);
    let Some(odd) = kinds.iter().copied().max_by_key(|row| key(row)) else { return };
    let Some(other) = kinds.iter().copied().find(|row| *row != odd) else { return };
    let what = What::Fork { link: case.link(chain, count), other: case.survey.at(other.spot) };
    case.find(odd.spot, Some(odd.id), what);
}

/// One line of each kind: lines that are one before and after a scrub count once.
fn distinct(case: &Case, versions: &[Row]) -> Vec<Row> {
    let mut kinds: Vec<Row> = Vec::new();
    for row in versions {
        if !kinds.iter().any(|kind| case.survey.formers.are_one(kind, row)) {
            kinds.push(*row);
        }
    }
    kinds
}
