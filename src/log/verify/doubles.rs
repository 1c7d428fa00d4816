//! Lines that are there twice. A line may stand in an archive and in its day file: that is how archives come to be.
//!
//! And git doubles lines: where two sides each added lines before and behind a stretch of up to three that they share,
//! its union driver keeps the whole of both. Such a copy stands where a side had it: behind a line whose writer had not
//! seen it yet. It counts once like any other, and is told apart from a copy that no merge puts there.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::chain::{Row, Spot};
use super::finding::What;

/// A line that is there again.
#[derive(Clone, Copy)]
struct Copy {
    chain: usize,
    row: Row,
    /// One that it is a copy of.
    first: Row,
}

/// Reports lines that stand twice where once is enough, and keeps one of each for the steps to come. Returns those that
/// a merge has doubled.
pub(super) fn judge(case: &mut Case) -> Vec<Spot> {
    let mut copies = Vec::new();
    for chain in 0..case.survey.chains.len() {
        let rows = &case.survey.chains[chain].rows;
        let same = |left: &Row, right: &Row| left.count == right.count && left.hash == right.hash;
        if rows.windows(2).any(|pair| same(&pair[0], &pair[1])) {
            copies.extend(rows.chunk_by(same).flat_map(|group| surplus(case, chain, group)));
        }
    }
    let merged = by_merge(case, &copies);
    for Copy { chain, row, first } in copies.iter().filter(|copy| !merged.contains(&copy.row.spot)) {
        let what = What::Doubled { link: case.link(*chain, row.count), also: case.survey.at(first.spot) };
        case.find(row.spot, Some(row.id), what);
    }
    for chain in copies.iter().map(|copy| copy.chain).collect::<BTreeSet<_>>() {
        case.survey.chains[chain].rows.dedup_by_key(|row| (row.count, row.hash));
    }
    merged.into_iter().collect()
}

/// Each line that has no reason to be there again, with one that it is a copy of.
fn surplus(case: &Case, chain: usize, group: &[Row]) -> Vec<Copy> {
    let mut surplus = Vec::new();
    for (index, row) in group.iter().enumerate() {
        let doubles = |other: &&Row| {
            let both_plain = !case.survey.is_packed(row.spot) && !case.survey.is_packed(other.spot);
            row.spot.segment == other.spot.segment || both_plain
        };
        let first = group[..index].iter().find(doubles);
        surplus.extend(first.map(|first| Copy { chain, row: *row, first: *first }));
    }
    surplus
}

/// The copies that stand where a merge puts them.
fn by_merge(case: &Case, copies: &[Copy]) -> BTreeSet<Spot> {
    let doubled: BTreeMap<Spot, &Copy> = copies.iter().map(|copy| (copy.row.spot, copy)).collect();
    let before = |spot: Spot| Spot { line: spot.line.saturating_sub(1), ..spot };
    // A stretch of copies in a row stands behind the line before its first.
    let begin = |copy: &Copy| {
        let (mut at, mut first) = (copy.row.spot, copy.first.spot);
        while let Some(earlier) = doubled.get(&before(at)).filter(|earlier| earlier.first.spot == before(first)) {
            (at, first) = (earlier.row.spot, earlier.first.spot);
        }
        (before(at), before(first))
    };
    let begins: Vec<_> = copies.iter().map(begin).collect();
    let rows = rows_at(case, &begins.iter().flat_map(|(at, first)| [*at, *first]).collect());
    let is_merged = |(copy, (at, first)): &(&Copy, &(Spot, Spot))| {
        let is_behind_stranger = |spot| rows.get(spot).is_some_and(|(chain, row)| !has_seen(case, *chain, row, copy));
        copy.row.spot.segment == copy.first.spot.segment && [at, first].into_iter().all(is_behind_stranger)
    };
    let merged = copies.iter().zip(&begins).filter(is_merged);
    merged.map(|(copy, _)| copy.row.spot).collect()
}

fn rows_at(case: &Case, spots: &BTreeSet<Spot>) -> BTreeMap<Spot, (usize, Row)> {
    if spots.is_empty() {
        return BTreeMap::new();
    }
    let chains = case.survey.chains.iter().enumerate();
    let rows = chains.flat_map(|(chain, rows)| rows.rows.iter().map(move |row| (row.spot, (chain, *row))));
    rows.filter(|(spot, _)| spots.contains(spot)).collect()
}

/// Whether a line, or one of its writer before it, has seen another line.
fn has_seen(case: &Case, chain: usize, row: &Row, copy: &Copy) -> bool {
    if chain == copy.chain {
        return row.count >= copy.row.count;
    }
    let by_writer = case.survey.seen.iter().filter(|seen| seen.by == chain && seen.by_count <= row.count);
    by_writer.filter(|seen| seen.chain == copy.chain).any(|seen| seen.head.count >= copy.row.count)
}
