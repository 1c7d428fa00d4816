//! A vector of length one, so that the product of two is their cosine.
//!
//! Pure. A vector that has no direction is none.

use annals_kernel::time::Timestamp;

use super::subject::{Subject, TextHash};

/// No model has longer ones.
pub(super) const MOST_NUMBERS: usize = 1 << 16;

/// Why a list of numbers is no vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadVector {
    /// Nothing is in it, or more than any model gives.
    #[error("a vector of {0} numbers is none")]
    Length(usize),
    /// Zeros are near nothing, and what is no number, or one without bounds, is near everything.
    #[error("a vector without a direction is none")]
    NoDirection,
}

/// The vector of a text, as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorRow {
    pub(super) subject: Subject,
    pub(super) hash: TextHash,
    pub(super) at: Timestamp,
    pub(super) vector: Vec<f32>,
}

impl VectorRow {
    /// `vector` was made at a time of a text with this hash.
    pub fn new(subject: Subject, hash: TextHash, at: Timestamp, vector: &[f32]) -> Result<Self, BadVector> {
        Ok(Self { subject, hash, at, vector: of_length_one(vector)? })
    }
}

/// The vector of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector(pub(super) Vec<f32>);

impl QueryVector {
    /// As a model gave it.
    pub fn new(vector: &[f32]) -> Result<Self, BadVector> {
        Ok(Self(of_length_one(vector)?))
    }
}

/// The length is taken in double precision: squares of large numbers have no place in single.
fn of_length_one(vector: &[f32]) -> Result<Vec<f32>, BadVector> {
    if vector.is_empty() || vector.len() > MOST_NUMBERS {
        return Err(BadVector::Length(vector.len()));
    }
    let length = vector.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>().sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(BadVector::NoDirection);
    }
    #[expect(clippy::cast_possible_truncation, reason = "vectors are kept in single precision")]
    let scaled = |number: &f32| (f64::from(*number) / length) as f32;
    Ok(vector.iter().map(scaled).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_length_one_and_a_direction() {
        assert_eq!(QueryVector::new(&[3.0, 4.0]), Ok(QueryVector(vec![0.6, 0.8])));
        assert_eq!(QueryVector::new(&[3e38, 3e38]).map(|it| it.0.len()), Ok(2));
        assert_eq!(QueryVector::new(&[]), Err(BadVector::Length(0)));
        assert_eq!(QueryVector::new(&vec![1.0; MOST_NUMBERS + 1]), Err(BadVector::Length(MOST_NUMBERS + 1)));
        for bad in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            assert_eq!(QueryVector::new(&bad), Err(BadVector::NoDirection), "{bad:?}");
        }
    }
}
