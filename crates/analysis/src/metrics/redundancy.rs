//! How alike texts are: the cosine of their term vectors, each word counted as often as it stands there.
//!
//! The mean over all pairs comes from the sum of the vectors, so that many texts take no longer than reading them.

use std::collections::BTreeMap;

use crate::text::terms;
use annals_kernel::share::Share;

/// A text as a direction: its terms, on a length of 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Direction(BTreeMap<String, f64>);

impl Direction {
    /// Of a text; nothing where it has no words.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let terms = terms(text);
        let length = terms.values().map(|count| f64::from(*count) * f64::from(*count)).sum::<f64>().sqrt();
        (length > 0.0).then(|| Self(terms.into_iter().map(|(term, count)| (term, f64::from(count) / length)).collect()))
    }

    /// The cosine of two.
    pub(crate) fn cosine(&self, other: &Self) -> Share {
        let (small, large) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        let products = small.0.iter().filter_map(|(term, weight)| Some(weight * large.0.get(term)?));
        share(products.sum())
    }
}

fn share(cosine: f64) -> Share {
    Share::of(cosine.clamp(0.0, 1.0)).unwrap_or_default()
}

/// The mean cosine of all pairs; nothing where there are fewer than two.
///
/// The square of the length of a sum of n directions is n and twice the cosines of all pairs.
pub(crate) fn mean_of_pairs<'d>(directions: impl IntoIterator<Item = &'d Direction>) -> Option<Share> {
    let (mut sum, mut count): (BTreeMap<&str, f64>, f64) = (BTreeMap::new(), 0.0);
    for direction in directions {
        count += 1.0;
        for (term, weight) in &direction.0 {
            *sum.entry(term).or_default() += weight;
        }
    }
    let square: f64 = sum.values().map(|weight| weight * weight).sum();
    // Half between one and two, because the count is a float here.
    (count > 1.5).then(|| share((square - count) / (count * (count - 1.0))))
}
