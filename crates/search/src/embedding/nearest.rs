//! The nearest vectors of a file by their cosine, each of them looked at: no index of vectors is as simple, and none as exact.
//!
//! Does not know what a vector is of, and whether that is still there.

use std::io;

use annals_log::disk::ReadAt;

use super::file::scan;
use super::subject::{Subject, TextHash};
use super::vector::QueryVector;

/// So many products are summed beside each other, so that a processor takes them at once. Fixed: sums differ by their order.
const LANES: usize = 16;

/// A vector that is near.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Neighbour {
    pub subject: Subject,
    /// The text that it is of.
    pub hash: TextHash,
    /// The cosine, -1 to 1.
    pub alike: f32,
}

/// The nearest so many, the nearest first; of equals the smaller id. None where the vectors are of another length.
pub(crate) fn nearest(file: &dyn ReadAt, query: &QueryVector, count: usize) -> io::Result<Vec<Neighbour>> {
    let mut kept: Vec<Neighbour> = Vec::with_capacity(count + 1);
    let width = query.0.len() * size_of::<f32>();
    scan(file, |row| {
        if row.vector.len() != width || count == 0 {
            return;
        }
        let alike = product(&query.0, row.vector);
        let is_far = kept.len() == count && kept.last().is_some_and(|last| alike < last.alike);
        // What is no number is in no order: a file may say anything.
        if is_far || !alike.is_finite() {
            return;
        }
        if let Some(subject) = row.subject() {
            kept.push(Neighbour { subject, hash: row.hash, alike });
            kept.sort_by(|left, right| {
                right.alike.total_cmp(&left.alike).then_with(|| left.subject.cmp(&right.subject))
            });
            kept.truncate(count);
        }
    })?;
    Ok(kept)
}

fn product(query: &[f32], bytes: &[u8]) -> f32 {
    let (numbers, _) = bytes.as_chunks::<4>();
    let (left, left_rest) = query.as_chunks::<LANES>();
    let (right, right_rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * f32::from_le_bytes(right[lane]);
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(left, right)| left * f32::from_le_bytes(*right));
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_that_of_all_numbers_however_many() {
        for count in [1, 4, 15, 16, 17, 33, 64] {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let numbers: Vec<_> = (0..count).map(|number| number as f32 - 3.0).collect();
            let bytes: Vec<_> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let expected: f32 = numbers.iter().map(|number| number * number).sum();
            assert!((product(&numbers, &bytes) - expected).abs() < 0.5, "{count}");
        }
    }
}
