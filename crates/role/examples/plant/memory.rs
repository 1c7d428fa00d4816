//! What approaches came to in earlier tasks of a kind, and Thompson sampling over it.

use std::collections::BTreeMap;

use super::dice::Dice;

/// However many tasks went before, they weigh as this many rounds: or what a task itself shows would never count.
const MOST_WEIGHT: f64 = 6.0;

/// How an approach fared: rounds, and the criteria met in them as shares.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    good: f64,
    all: f64,
}

impl Evidence {
    pub fn add(&mut self, reward: f64) {
        self.good += reward;
        self.all += 1.0;
    }

    fn and(self, other: Self) -> Self {
        Self { good: self.good + other.good, all: self.all + other.all }
    }

    fn weighed(self) -> Self {
        let factor = if self.all > MOST_WEIGHT { MOST_WEIGHT / self.all } else { 1.0 };
        Self { good: self.good * factor, all: self.all * factor }
    }

    /// From the normal that has the mean and the spread of the beta after this evidence.
    fn draw(self, dice: &mut Dice) -> f64 {
        let mean = (self.good + 1.0) / (self.all + 2.0);
        mean + (mean * (1.0 - mean) / (self.all + 3.0)).sqrt() * dice.normal()
    }
}

/// By kind and approach.
#[derive(Debug, Clone, Default)]
pub struct Memory(BTreeMap<usize, Vec<Evidence>>);

impl Memory {
    pub fn learn(&mut self, kind: usize, own: &[Evidence]) {
        let known = self.0.entry(kind).or_insert_with(|| vec![Evidence::default(); own.len()]);
        for (known, own) in known.iter_mut().zip(own) {
            *known = known.and(*own);
        }
    }

    /// The approach, of those allowed, that the draw favours; `own` is what this task showed so far.
    pub fn draw(&self, kind: usize, allowed: &[usize], own: &[Evidence], dice: &mut Dice) -> Option<usize> {
        let known = self.0.get(&kind);
        let drawn = allowed.iter().map(|approach| {
            let before = known.map_or_else(Evidence::default, |known| known[*approach].weighed());
            Favour { approach: *approach, worth: before.and(own[*approach]).draw(dice) }
        });
        drawn.reduce(|best, next| if next.worth > best.worth { next } else { best }).map(|best| best.approach)
    }
}

struct Favour {
    approach: usize,
    worth: f64,
}
