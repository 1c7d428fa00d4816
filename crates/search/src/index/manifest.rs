//! Which stretches of which segments the layers of the index cover, in blocks.
//!
//! A cache: where a segment is not as it was, what was known of it counts no more. Does not read segments.

use std::collections::BTreeMap;

use annals_log::disk::Look;
use annals_log::segment::{Packing, Segment};
use serde::{Deserialize, Serialize};

/// Which version of the files. Raised when what is in a block, or an edge, changes.
pub(crate) const VERSION: u32 = 2;

/// What `local/search/manifest` holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub version: u32,
    /// The oldest first.
    pub layers: Vec<LayerEntry>,
}

/// One layer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LayerEntry {
    /// The name of its files.
    pub name: String,
    /// Its blocks, in the order of the rows.
    pub covered: Vec<Covered>,
}

/// A stretch of a segment, in blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Covered {
    pub segment: String,
    /// What the segment looked like.
    pub look: Look,
    /// Where the first block begins.
    pub from: u64,
    /// Where each ends, and the next begins.
    pub ends: Vec<u64>,
    /// A hash of what stands before the last end.
    pub tail: u64,
}

impl Covered {
    /// Where the last block ends.
    pub(crate) fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(self.from)
    }

    /// Whether a segment is still the one of which this was known; `tail` reads the hash of what stands before an offset.
    fn is_of(&self, segment: &Segment, tail: &dyn Fn(u64) -> Option<u64>) -> bool {
        let (was, is) = (self.look, segment.look);
        if was == is {
            return true;
        }
        // Packed ones are never written again.
        let is_plain = segment.packing() == Packing::Plain;
        is_plain && was.number == is.number && self.end() <= is.len && tail(self.end()) == Some(self.tail)
    }
}

impl LayerEntry {
    /// How many blocks it has.
    pub(crate) fn blocks(&self) -> usize {
        self.covered.iter().map(|covered| covered.ends.len()).sum()
    }
}

/// Where blocks of a segment stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockSpot<'m> {
    /// In which layer.
    pub layer: usize,
    /// The number of the first of them there.
    pub first: usize,
    /// Which they are.
    pub covered: &'m Covered,
}

impl Manifest {
    /// What is known of each segment, from its beginning on without a gap.
    pub(crate) fn known<'m>(
        &'m self,
        segments: &[Segment],
        tail: &dyn Fn(&Segment, u64) -> Option<u64>,
    ) -> BTreeMap<&'m str, Vec<BlockSpot<'m>>> {
        let by_name: BTreeMap<_, _> = segments.iter().map(|segment| (segment.name.as_str(), segment)).collect();
        let mut known: BTreeMap<&str, Vec<BlockSpot<'m>>> = BTreeMap::new();
        for (number, layer) in self.layers.iter().enumerate() {
            let mut block = 0;
            for covered in &layer.covered {
                let first = block;
                block += covered.ends.len();
                let Some(segment) = by_name.get(covered.segment.as_str()) else { continue };
                let spots = known.entry(&covered.segment).or_default();
                let end = spots.last().map_or(0, |last| last.covered.end());
                if covered.from == end && covered.is_of(segment, &|at| tail(segment, at)) {
                    spots.push(BlockSpot { layer: number, first, covered });
                }
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(from: u64, ends: &[u64]) -> Covered {
        let look = Look { len: 100, changed_ns: 1, number: 7 };
        Covered { segment: "a.jsonl".to_owned(), look, from, ends: ends.to_vec(), tail: 5 }
    }

    fn ends(layers: &[Covered], look: Look) -> Vec<u64> {
        let entry = |covered: &Covered| LayerEntry { name: String::new(), covered: vec![covered.clone()] };
        let manifest = Manifest { version: VERSION, layers: layers.iter().map(entry).collect() };
        let segment = Segment { name: "a.jsonl".to_owned(), look };
        let known = manifest.known(&[segment], &|_, at| Some(if at <= 100 { 5 } else { 6 }));
        known.get("a.jsonl").into_iter().flatten().map(|spot| spot.covered.end()).collect()
    }

    #[test]
    fn a_segment_that_only_grew_is_known_and_a_replaced_one_is_not() {
        let look = |len, number| Look { len, changed_ns: 2, number };
        let both = [covered(0, &[50, 80]), covered(80, &[100])];
        assert_eq!(ends(&both, look(100, 7)), [80, 100]);
        assert_eq!(ends(&both, look(900, 7)), [80, 100]);
        assert_eq!(ends(&both, look(900, 8)), [0; 0]);
        assert_eq!(ends(&both, look(90, 7)), [80]);
        assert_eq!(ends(&both[1..], look(900, 7)), [0; 0], "a gap");
        assert_eq!(ends(&[covered(0, &[150])], look(900, 7)), [0; 0], "another text");
    }
}
