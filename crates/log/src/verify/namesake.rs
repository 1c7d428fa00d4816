//! What may have become of a writer's first line: the only line of another one, whose name is almost the same.
//!
//! An index, for one line may name thousands of writers of whom nothing is there, and thousands may have one line each.

use std::collections::BTreeMap;

use super::chain::{Chain, Row};
use annals_kernel::id::WriterId;

/// Ours have eight letters. Longer names are not compared.
const MOST_BYTES: usize = 16;

/// Names of writers that have one line, their first: each with the first of their lines in the order of the chains.
#[derive(Default)]
pub(super) struct Namesakes {
    whole: BTreeMap<Vec<u8>, ChainRow>,
    /// By the place of a letter, and the name without it.
    without: BTreeMap<(usize, Vec<u8>), ChainRow>,
}

/// The number of a chain, and its line.
type ChainRow = (usize, Row);

impl Namesakes {
    pub(super) fn of(chains: &[Chain]) -> Self {
        let mut own = Self::default();
        for (number, chain) in chains.iter().enumerate() {
            if let [row] = chain.rows[..]
                && row.count == 1
            {
                own.add(chain.writer.as_str().as_bytes(), (number, row));
            }
        }
        own
    }

    fn add(&mut self, name: &[u8], place: ChainRow) {
        if name.len() > MOST_BYTES {
            return;
        }
        self.whole.entry(name.to_vec()).or_insert(place);
        for at in 0..name.len() {
            self.without.entry((at, without(name, at))).or_insert(place);
        }
    }

    /// The line of the first chain in whose name one letter was changed, put in or left out, or two neighbours swapped, to
    /// give a name that has no such line itself.
    pub(super) fn like(&self, writer: &WriterId) -> Option<Row> {
        let name = writer.as_str().as_bytes();
        if name.len() > MOST_BYTES + 1 {
            return None;
        }
        let changed = (0..name.len()).filter_map(|at| self.without.get(&(at, without(name, at))));
        let left_out = (0..=name.len()).filter_map(|at| self.without.get(&(at, name.to_vec())));
        let put_in = (0..name.len()).filter_map(|at| self.whole.get(&without(name, at)));
        let swapped = (1..name.len()).filter_map(|at| self.whole.get(&swapped(name, at)));
        let all = changed.chain(left_out).chain(put_in).chain(swapped);
        all.min_by_key(|(chain, _)| *chain).map(|(_, row)| *row)
    }
}

fn without(name: &[u8], at: usize) -> Vec<u8> {
    [&name[..at], &name[at + 1..]].concat()
}

fn swapped(name: &[u8], at: usize) -> Vec<u8> {
    let mut name = name.to_vec();
    name.swap(at - 1, at);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::chain::ChainSpot;
    use annals_kernel::annals::LineHash;
    use annals_kernel::id::EntryId;

    fn chain(writer: &str, counts: &[u64]) -> Chain {
        let row = |count: &u64| Row {
            id: EntryId::MIN,
            hash: LineHash::of(writer.as_bytes()),
            previous: LineHash::default(),
            count: *count,
            spot: ChainSpot { segment: 0, line: 1 },
        };
        Chain { writer: writer.into(), rows: counts.iter().map(row).collect(), ..Chain::default() }
    }

    fn like(writer: &str, others: &[&str]) -> Option<usize> {
        let chains: Vec<_> = others.iter().map(|other| chain(other, &[1])).collect();
        let row = Namesakes::of(&chains).like(&writer.into())?;
        chains.iter().position(|chain| chain.rows == [row])
    }

    #[test]
    fn a_name_is_known_again_with_one_letter_changed_put_in_or_left_out_or_two_swapped() {
        for other in ["abcdefgX", "Xbcdefgh", "abcdefghX", "Xabcdefgh", "abcdXefgh", "abcefgh", "bcdefgh", "abdcefgh"] {
            assert_eq!(like("abcdefgh", &[other]), Some(0), "{other}");
            assert_eq!(like(other, &["abcdefgh"]), Some(0), "{other}");
        }
        for other in ["abcdefXX", "abcdefghXX", "abcdef", "dbcaefgh", "badcefgh", "", "hgfedcba"] {
            assert_eq!(like("abcdefgh", &[other]), None, "{other}");
        }
        assert_eq!(like("aabb", &["zzzz", "aabbc", "aab", "abab"]), Some(1), "the first of several");
        assert_eq!(like(&"a".repeat(1 << 20), &[&"a".repeat((1 << 20) - 1)]), None, "no name of ours is so long");
    }

    #[test]
    fn only_writers_of_one_line_count_and_thousands_are_looked_up_at_once() {
        let none = Namesakes::of(&[chain("abcdefgX", &[1, 2]), chain("abcdefgY", &[2]), chain("abcdefgZ", &[])]);
        assert_eq!(none.like(&"abcdefgh".into()), None);
        let name = |number: u32| format!("{number:08}");
        let chains: Vec<_> = (0..10_000).map(|number| chain(&name(number), &[1])).collect();
        let namesakes = Namesakes::of(&chains);
        let found = (0..10_000).filter(|number| namesakes.like(&format!("w{}", name(*number)).into()).is_some());
        assert_eq!(found.count(), 10_000);
    }
}
