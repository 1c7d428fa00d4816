//! Numbers that look random and are the same on every machine (splitmix64).

const TWO_TO_32: f64 = 4_294_967_296.0;

#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Each lane of a seed has a sequence of its own.
    pub fn of(seed: u64, lane: u64) -> Self {
        let mut dice = Self(seed);
        let offset = dice.next();
        let mut dice = Self(offset ^ lane.wrapping_mul(0xd134_2543_de82_ef95));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).expect("32 bits are left")) / TWO_TO_32
    }

    pub fn chance(&mut self, odds: f64) -> bool {
        self.unit() < odds
    }

    pub fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).expect("less than the most")
    }

    pub fn pick(&mut self, from: &[usize]) -> Option<usize> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }

    /// Mean 0 and spread 1, near enough to a normal: four uniform numbers summed. No logarithm is needed.
    pub fn normal(&mut self) -> f64 {
        let sum: f64 = (0..4).map(|_| self.unit()).sum();
        (sum - 2.0) * 3.0_f64.sqrt()
    }
}
