//! Numbers that look like chance, the same in every run of a seed.

/// A source of them.
pub struct Chance(u64);

impl Chance {
    /// Another source for each episode of a seed.
    pub fn of(seed: u64, episode: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ episode.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// A number below another.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).expect("31 bits") % most
    }

    /// One of several.
    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Whether something happens that happens so often in a hundred.
    pub fn happens(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }
}
