//! Lines that are there twice. The same line in an archive and in a day file is how archives come to be.

use super::case::Case;
use super::chain::Row;
use super::finding::What;

/// Reports lines that stand twice where once is enough, and keeps one of each for the steps to come.
pub(super) fn judge(case: &mut Case) {
    for chain in 0..case.survey.chains.len() {
        let rows = &case.survey.chains[chain].rows;
        let same = |left: &Row, right: &Row| left.count == right.count && left.hash == right.hash;
        if !rows.windows(2).any(|pair| same(&pair[0], &pair[1])) {
            continue;
        }
        let copies: Vec<(Row, Row)> = rows.chunk_by(same).flat_map(|copies| surplus(case, copies)).collect();
        for (row, first) in copies {
            let what = What::Doubled { link: case.link(chain, row.count), also: case.survey.at(first.spot) };
            case.find(row.spot, Some(row.id), what);
        }
        case.survey.chains[chain].rows.dedup_by(|right, left| same(left, right));
    }
}

/// Each copy that has no reason to be there, with one that it is a copy of.
fn surplus(case: &Case, copies: &[Row]) -> Vec<(Row, Row)> {
    let mut surplus = Vec::new();
    for (index, row) in copies.iter().enumerate() {
        let doubles = |other: &&Row| {
            let both_plain = !case.survey.is_packed(row.spot) && !case.survey.is_packed(other.spot);
            row.spot.segment == other.spot.segment || both_plain
        };
        surplus.extend(copies[..index].iter().find(doubles).map(|first| (*row, *first)));
    }
    surplus
}
