//! Members of classes, made from general grammar and a seed: what the rules were not written after.
//!
//! Names no rule and no list of the sanitizer.

pub(in crate::sanitizer) mod carriers;
pub(in crate::sanitizer) mod names;
pub(in crate::sanitizer) mod passwords;
pub(in crate::sanitizer) mod placeholders;
pub(in crate::sanitizer) mod tokens;

/// Numbers that look random and are the same on every machine (splitmix64).
#[derive(Debug, Clone)]
pub(in crate::sanitizer) struct Dice(u64);

impl Dice {
    pub(in crate::sanitizer) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(in crate::sanitizer) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % most as u64).expect("less than the most")
    }

    pub(in crate::sanitizer) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// Letters of an alphabet.
    pub(in crate::sanitizer) fn letters(&mut self, alphabet: &str, count: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..count).map(|_| letters[self.below(letters.len())]).collect()
    }
}
