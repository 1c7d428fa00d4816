//! Whether lines stand where they were written: in the file of their day, their writer's counts ascending.
//!
//! The order between writers is free, and so is the order between files.

use super::case::Case;
use super::chain::Row;
use super::finding::{Misplaced, What};

/// Reports lines that stand elsewhere.
pub(super) fn judge(case: &mut Case) {
    for chain in 0..case.survey.chains.len() {
        for segment in std::mem::take(&mut case.survey.chains[chain].disordered) {
            let moved = moved(rows_in_file(case, chain, segment));
            for row in &moved {
                misplaced(case, chain, row, Misplaced::InFile);
            }
        }
        let strangers: Vec<_> =
            case.survey.chains[chain].rows.iter().filter(|row| !is_in_its_file(case, row)).copied().collect();
        for row in &strangers {
            misplaced(case, chain, row, Misplaced::OtherFile);
        }
    }
}

fn misplaced(case: &mut Case, chain: usize, row: &Row, place: Misplaced) {
    if !case.blamed.contains(&row.spot) {
        let link = case.link(chain, row.count);
        case.blame(row, What::Reordered { link, place });
    }
}

fn is_in_its_file(case: &Case, row: &Row) -> bool {
    let days = case.survey.segments[row.spot.segment as usize].days.as_ref();
    days.is_none_or(|days| days.contains(&row.id.time().day()))
}

/// A writer's lines of a file as they stand there, without counts that several lines have: a fork goes two ways.
fn rows_in_file(case: &Case, chain: usize, segment: u32) -> Vec<Row> {
    let groups = case.survey.chains[chain].rows.chunk_by(|left, right| left.count == right.count);
    let single = groups.filter_map(|group| if let [only] = group { Some(*only) } else { None });
    let mut rows: Vec<_> = single.filter(|row| row.spot.segment == segment).collect();
    rows.sort_unstable_by_key(|row| row.spot);
    rows
}

/// The fewest lines that must have been moved: all but a longest run of ascending counts.
fn moved(rows: Vec<Row>) -> Vec<Row> {
    // The row that ends the best run of each length, and for every row the one before it in such a run.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::with_capacity(rows.len()));
    for (index, row) in rows.iter().enumerate() {
        // The longest ascending run in n log n steps: a file that somebody has turned round whole may have a hundred
        // thousand lines.
        let length = ends.partition_point(|end| rows[*end].count < row.count);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        ends.truncate(ends.len().max(length));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut stays = vec![false; rows.len()];
    let mut at = ends.last().copied();
    while let Some(index) = at {
        stays[index] = true;
        at = before[index];
    }
    rows.into_iter().zip(stays).filter(|(_, stays)| !stays).map(|(row, _)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::chain::ChainSpot;
    use annals_kernel::annals::LineHash;
    use annals_kernel::id::EntryId;

    #[test]
    fn the_fewest_lines_are_said_to_have_moved() {
        let cases: [(&[u64], &[u64]); 6] = [
            (&[1, 2, 3, 4], &[]),
            (&[2, 1, 3], &[2]),
            (&[1, 9, 3, 4, 5, 6, 7, 8, 2], &[9, 2]),
            (&[1, 3, 4, 5, 2], &[2]),
            (&[5, 1, 2, 3, 4], &[5]),
            (&[], &[]),
        ];
        for (counts, expected) in cases {
            let row = |(line, count): (u32, &u64)| Row {
                id: EntryId::MIN,
                hash: LineHash::default(),
                previous: LineHash::default(),
                count: *count,
                spot: ChainSpot { segment: 0, line },
            };
            let moved = moved((0..).zip(counts).map(row).collect());
            assert_eq!(moved.iter().map(|row| row.count).collect::<Vec<_>>(), expected, "{counts:?}");
        }
    }
}
