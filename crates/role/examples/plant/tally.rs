//! What came of many tasks, with intervals of 95 %.

use super::contender::{Bar, Contender, Ending, Played, Rival, play};
use super::memory::Memory;
use super::world::Task;

/// Of a normal, both sides.
const Z: f64 = 1.96;
/// More rounds than this nobody gives a rival.
const MOST_ROUNDS: u32 = 12;

/// The tasks that one contender played, in order, with the memory that grew on them.
#[derive(Debug, Clone)]
pub struct Tally(Vec<Played>);

/// A number and how far it may be off.
#[derive(Debug, Clone, Copy)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Tally {
    pub fn of(contender: Contender, tasks: &[Task], bar: Bar) -> Self {
        let mut memory = Memory::default();
        Self(tasks.iter().map(|task| play(contender, task, &mut memory, bar)).collect())
    }

    /// A rival with the budget at which it costs as much as somebody else. Where it costs less with any budget, the
    /// greatest one. Between two whole budgets the cost goes in a line, for a task draws which of them it gets.
    pub fn at_cost(rival: Rival, calls: f64, tasks: &[Task], bar: Bar) -> Self {
        let at = |budget: f64| Self::of(Contender::Rival(rival, budget), tasks, bar);
        let (mut low, mut high) = (1, MOST_ROUNDS);
        let (mut cheap, mut dear) = (at(f64::from(low)).calls().value, at(f64::from(high)).calls().value);
        while high - low > 1 {
            let middle = u32::midpoint(low, high);
            let cost = at(f64::from(middle)).calls().value;
            if cost < calls { (low, cheap) = (middle, cost) } else { (high, dear) = (middle, cost) }
        }
        let part = if dear > cheap { (calls - cheap) / (dear - cheap) } else { 1.0 };
        at(f64::from(low) + part.clamp(0.0, 1.0))
    }

    pub fn success(&self) -> Estimate {
        wilson(self.count(Played::is_success), self.0.len())
    }

    pub fn all_met(&self) -> Estimate {
        wilson(self.count(|played| played.ending == Ending::AllMet), self.0.len())
    }

    pub fn wasted(&self) -> Estimate {
        wilson(self.count(|played| played.ending == Ending::Wasted), self.0.len())
    }

    pub fn calls(&self) -> Estimate {
        mean(self.0.iter().map(|played| f64::from(played.calls)))
    }

    pub fn rounds(&self) -> Estimate {
        mean(self.0.iter().map(|played| f64::from(played.rounds)))
    }

    /// Of all rounds.
    pub fn thrashed(&self) -> f64 {
        let sum = |of: fn(&Played) -> u32| self.0.iter().map(|played| f64::from(of(played))).sum::<f64>();
        sum(|played| played.thrashed) / sum(|played| played.rounds)
    }

    /// Calls until a hopeless task was given up; none where there was no such task.
    pub fn calls_in_vain(&self) -> Option<Estimate> {
        let hopeless: Vec<f64> =
            self.0.iter().filter(|played| played.is_hopeless).map(|played| f64::from(played.calls)).collect();
        (!hopeless.is_empty()).then(|| mean(hopeless.into_iter()))
    }

    /// How much greater the share of successes is than another's, on the same tasks.
    pub fn lead(&self, other: &Self) -> Estimate {
        let worth = |played: &Played| if played.is_success() { 1.0 } else { 0.0 };
        mean(self.0.iter().zip(&other.0).map(|(own, other)| worth(own) - worth(other)))
    }

    fn count(&self, is_counted: impl Fn(&Played) -> bool) -> usize {
        self.0.iter().filter(|played| is_counted(played)).count()
    }
}

/// The score interval of a share.
pub fn wilson(some: usize, all: usize) -> Estimate {
    let (some, all) = (count(some), count(all));
    let share = some / all;
    let centre = (share + Z * Z / (2.0 * all)) / (1.0 + Z * Z / all);
    let reach = Z / (1.0 + Z * Z / all) * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    Estimate { value: share, low: (centre - reach).max(0.0), high: (centre + reach).min(1.0) }
}

/// A mean, and the normal interval around it.
fn mean(numbers: impl Iterator<Item = f64>) -> Estimate {
    let (mut all, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        all += 1.0;
        sum += number;
        squares += number * number;
    }
    let value = sum / all;
    let reach = Z * ((squares / all - value * value).max(0.0) / all).sqrt();
    Estimate { value, low: value - reach, high: value + reach }
}

fn count(of: usize) -> f64 {
    f64::from(u32::try_from(of).expect("not so many tasks"))
}
