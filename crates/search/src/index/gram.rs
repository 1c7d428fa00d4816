//! Which stretches of three bytes stand in the texts of a block: a bit for each, in small letters.
//!
//! Says "perhaps" or "no", never "yes". Does not read files.

use crate::fold::fold;
use crate::needle::sought;
use crate::query::Pattern;

/// Bits of a block. An estimate, not measured: with one in five of them set, a word of six letters (four bits) passes one
/// block in six hundred that does not hold it.
pub(crate) const BITS: usize = 1 << 15;

const WORDS: usize = BITS / 64;

/// The bits of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature(Box<[u64]>);

impl Default for Signature {
    fn default() -> Self {
        Self(vec![0; WORDS].into())
    }
}

/// The bit of three bytes.
fn bit(bytes: [u8; 3]) -> usize {
    let number = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    // The upper bits of a product with an odd number near 2^32 divided by the golden ratio spread neighbours apart.
    (number.wrapping_mul(0x9E37_79B1) >> 17) as usize
}

impl Signature {
    /// Takes in a text.
    pub(crate) fn add(&mut self, text: &str) {
        if text.is_ascii() {
            return self.add_bytes(text.bytes().map(|byte| byte.to_ascii_lowercase()));
        }
        self.add_bytes(fold(text).bytes());
    }

    fn add_bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        let (mut before, mut seen) = ([0, 0], 0);
        for byte in bytes {
            if seen >= 2 {
                let bit = bit([before[0], before[1], byte]);
                self.0[bit / 64] |= 1 << (bit % 64);
            } else {
                seen += 1;
            }
            before = [before[1], byte];
        }
    }

    /// A block of which not all texts could be read may hold anything.
    pub(crate) fn fill(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Sets a bit.
    pub(super) fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The bits that are set.
    pub(crate) fn bits(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(at * 64 + bit)
            })
        })
    }
}

/// The bits that a block must have to hold what is looked for; none where nothing can be ruled out.
pub(crate) fn wanted(pattern: &Pattern) -> Vec<usize> {
    let mut bits: Vec<_> = sought(pattern)
        .flat_map(|stretch| {
            let folded = fold(stretch.text).into_owned();
            folded.as_bytes().windows(3).map(|three| bit([three[0], three[1], three[2]])).collect::<Vec<_>>()
        })
        .collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Case, Syntax};

    fn passes(query: &str, texts: &[&str]) -> bool {
        let mut signature = Signature::default();
        for text in texts {
            signature.add(text);
        }
        let bits: Vec<_> = signature.bits().collect();
        let pattern = Pattern::read(query, Syntax::Words, Case::Smart).expect("a query");
        wanted(&pattern).iter().all(|bit| bits.binary_search(bit).is_ok())
    }

    #[test]
    fn a_block_passes_that_holds_the_words_and_hardly_one_that_does_not() {
        let texts = ["Connection refused: GRÖSSE", "by peer"];
        for query in ["connection", "Refused peer", "größe", "fus", "er", "ion re", "\"Connection refused\""] {
            assert!(passes(query, &texts) != query.contains('ß'), "{query}");
        }
        assert!(!passes("missing", &texts) && !passes("connection missing", &texts));
    }

    #[test]
    fn what_could_not_be_read_may_hold_anything() {
        let mut signature = Signature::default();
        signature.fill();
        assert_eq!(signature.bits().count(), BITS);
    }
}
