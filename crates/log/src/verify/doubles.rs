//! Lines that are there twice. A line may stand in several segments: so it is after an archive, and where git brings back
//! what was put back already (decision 42). In one segment it stands once.
//!
//! And git doubles lines: where two sides each added lines before and behind a stretch of up to three that they share,
//! its union driver keeps the whole of both. Such a copy stands where a side had it: behind a line whose writer had not
//! seen it yet. It counts once like any other, and is told apart from a copy that no merge puts there.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::chain::{ChainSpot, Row};
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
pub(super) fn judge(case: &mut Case) -> Vec<ChainSpot> {
    let mut copies = Vec::new();
    for chain in 0..case.survey.chains.len() {
        let rows = &case.survey.chains[chain].rows;
        let same = |left: &Row, right: &Row| left.count == right.count && left.hash == right.hash;
        if rows.windows(2).any(|pair| same(&pair[0], &pair[1])) {
            copies.extend(rows.chunk_by(same).flat_map(|group| surplus(chain, group)));
        }
    }
    let merged = by_merge(case, &copies);
    for Copy { chain, row, first } in copies.iter().filter(|copy| !merged.contains(&copy.row.spot)) {
        let what = What::Doubled { link: case.link(*chain, row.count), also: case.survey.at(first.spot) };
        case.find(row.spot, Some(row.id), what);
    }
    for chain in copies.iter().map(|copy| copy.chain).collect::<BTreeSet<_>>() {
        // The steps that follow compare what differs: a copy of one line would count there as a fork.
        case.survey.chains[chain].rows.dedup_by_key(|row| (row.count, row.hash));
    }
    merged.into_iter().collect()
}

/// Each line that has no reason to be there again, with one that it is a copy of.
fn surplus(chain: usize, group: &[Row]) -> Vec<Copy> {
    let mut firsts: BTreeMap<u32, Row> = BTreeMap::new();
    let mut surplus = Vec::new();
    for row in group {
        match firsts.get(&row.spot.segment) {
            Some(first) => surplus.push(Copy { chain, row: *row, first: *first }),
            None => drop(firsts.insert(row.spot.segment, *row)),
        }
    }
    surplus
}

/// The copies that stand where a merge puts them.
fn by_merge(case: &Case, copies: &[Copy]) -> BTreeSet<ChainSpot> {
    if copies.is_empty() {
        return BTreeSet::new();
    }
    let begins = begins(copies);
    let rows = rows_at(case, &begins.values().flat_map(|(at, first)| [*at, *first]).collect());
    let seen = HaveSeen::of(case);
    let is_merged = |copy: &&Copy| {
        let (at, first) = begins[&copy.row.spot];
        let is_behind_stranger = |spot| rows.get(&spot).is_some_and(|(chain, row)| !seen.has(*chain, row, copy));
        copy.row.spot.segment == copy.first.spot.segment && [at, first].into_iter().all(is_behind_stranger)
    };
    copies.iter().filter(is_merged).map(|copy| copy.row.spot).collect()
}

/// For each copy the line before the stretch of copies that it stands in, and the one before what that is a copy of.
fn begins(copies: &[Copy]) -> BTreeMap<ChainSpot, (ChainSpot, ChainSpot)> {
    let before = |spot: ChainSpot| ChainSpot { line: spot.line.saturating_sub(1), ..spot };
    let firsts: BTreeMap<ChainSpot, ChainSpot> = copies.iter().map(|copy| (copy.row.spot, copy.first.spot)).collect();
    let mut begins = BTreeMap::new();
    for (at, first) in &firsts {
        let (before_at, before_first) = (before(*at), before(*first));
        let goes_on = firsts.get(&before_at) == Some(&before_first);
        let begin = if goes_on { begins[&before_at] } else { (before_at, before_first) };
        begins.insert(*at, begin);
    }
    begins
}

fn rows_at(case: &Case, spots: &BTreeSet<ChainSpot>) -> BTreeMap<ChainSpot, (usize, Row)> {
    let chains = case.survey.chains.iter().enumerate();
    let rows = chains.flat_map(|(chain, rows)| rows.rows.iter().map(move |row| (row.spot, (chain, *row))));
    rows.filter(|(spot, _)| spots.contains(spot)).collect()
}

/// For each writer and each other one: how far it had seen that one, by its own counts.
struct HaveSeen(BTreeMap<(usize, usize), BTreeMap<u64, u64>>);

impl HaveSeen {
    fn of(case: &Case) -> Self {
        let mut seen: BTreeMap<_, BTreeMap<u64, u64>> = BTreeMap::new();
        for one in &case.survey.seen {
            let count = seen.entry((one.by, one.chain)).or_default().entry(one.by_count).or_default();
            *count = one.head.count.max(*count);
        }
        Self(seen)
    }

    /// Whether a line, or one of its writer before it, has seen another line.
    fn has(&self, chain: usize, row: &Row, copy: &Copy) -> bool {
        if chain == copy.chain {
            return row.count >= copy.row.count;
        }
        // What a writer has seen of another one only grows.
        let last = self.0.get(&(chain, copy.chain)).and_then(|counts| counts.range(..=row.count).next_back());
        last.is_some_and(|(_, count)| *count >= copy.row.count)
    }
}
