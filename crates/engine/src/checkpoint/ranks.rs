//! The lists that tell which rows of a table come first by rank, and up to where such a list has nothing new to tell.
//!
//! What stands first in an old layer is often what was dealt with first, and a newer layer holds it since. How far that
//! goes is remembered, so that nobody walks past the same rows again. Does not bring rows.

use std::collections::BTreeMap;

use super::layer::{BadLayer, Layer, Take};

// Those of 2^64 - 1, the farthest that a rank can lie above the lowest.
const RANK_DIGITS: usize = 20;

/// What the name of a list has behind that of its table.
const BY_RANK: &str = " by rank";

/// The name of the table that lists another one by rank.
pub(super) fn list_of(name: &str) -> String {
    format!("{name}{BY_RANK}")
}

/// Whether a table lists another one.
pub(super) fn is_list(name: &str) -> bool {
    name.ends_with(BY_RANK)
}

/// The place of a row in its list, which is read from its end: the highest rank first, and of equal ranks the highest key,
/// as `kernel::rows` has it.
pub(super) fn place_of(rank: i64, key: &str) -> String {
    let from_bottom = i128::from(rank) - i128::from(i64::MIN);
    // Padded digits sort as numbers do, so that a list needs no order of its own beside that of keys.
    format!("{from_bottom:0RANK_DIGITS$}{key}")
}

/// The rank and the key of a place.
pub(super) fn read(place: &str) -> Option<(i64, &str)> {
    let (digits, key) = place.split_at_checked(RANK_DIGITS)?;
    let from_bottom = digits.parse::<i128>().ok()?;
    Some((i64::try_from(from_bottom + i128::from(i64::MIN)).ok()?, key))
}

/// By file and table: a place of a list before which every row is one that a newer layer holds.
///
/// It holds as long as the layers above are there: they only grow.
pub(super) type Begins = BTreeMap<String, BTreeMap<String, String>>;

/// What comes first in the list of a layer.
pub(super) struct First {
    /// Keys, without those that a newer layer holds.
    pub keys: Vec<String>,
    /// Where the next one may begin to look, if not where this one did.
    pub begin: Option<String>,
}

impl First {
    /// The first `count` rows of a table by rank, in one layer.
    pub(super) fn of(
        layer: &Layer,
        name: &str,
        begin: Option<&str>,
        count: usize,
        is_newer: impl Fn(&str) -> Result<bool, BadLayer>,
    ) -> Result<Self, BadLayer> {
        let mut first = Self { keys: Vec::new(), begin: None };
        layer.down(&list_of(name), begin, &mut |place| {
            first.take(place, &is_newer)?;
            Ok(if first.keys.len() < count { Take::More } else { Take::Enough })
        })?;
        Ok(first)
    }

    fn take(&mut self, place: &str, is_newer: impl Fn(&str) -> Result<bool, BadLayer>) -> Result<(), BadLayer> {
        let (_, key) = read(place).ok_or(BadLayer::Damaged)?;
        match is_newer(key)? {
            // Only rows before the first one that counts are passed over for good: behind it the next look must not
            // begin.
            true if self.keys.is_empty() => self.begin = Some(place.to_owned()),
            true => {}
            false => self.keys.push(key.to_owned()),
        }
        Ok(())
    }
}
