//! Weights that win: looked for on one half of the tasks, and judged on the other.
//!
//! One weight after the other is set to each value of a small grid, and the best is kept: the one whose lead over the best
//! rival is greatest, on the plant where it is least. δ is not searched: it says what a success is.

use annals_kernel::share::Share;
use annals_role::ggs::GgsLimits;

use super::contender::{Bar, Contender, Recall, Rival};
use super::tally::{Estimate, Tally};
use super::world::{Row, Task, tasks};

/// Over all weights, so often.
const SWEEPS: u32 = 2;
/// Each weight is tried on so many tasks of each training half, at most.
const TASKS_OF_A_TRIAL: usize = 1000;
/// A weight that wins by less than this is chance, and the default stays.
const LEAST_GAIN: f64 = 0.005;
/// Budgets of the rivals, in rounds, between which their success is interpolated.
const BUDGETS: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0];

/// A weight and the values it is tried with, in thousandths.
struct Knob {
    set: fn(&mut GgsLimits, Share),
    thousandths: &'static [u16],
}

const KNOBS: &[Knob] = &[
    Knob { set: |limits, value| limits.lambda = value, thousandths: &[0, 100, 200, 400] },
    Knob { set: |limits, value| limits.epsilon = value, thousandths: &[20, 50, 100, 200, 400] },
    Knob { set: |limits, value| limits.rho = value, thousandths: &[0, 300, 500, 700, 900, 1000] },
    Knob { set: |limits, value| limits.beta = value, thousandths: &[0, 100, 300, 400] },
    Knob { set: |limits, value| limits.alpha = value, thousandths: &[300, 600, 800] },
    Knob { set: |limits, value| limits.theta = value, thousandths: &[400, 600, 800, 900, 1000] },
    Knob { set: |limits, value| limits.w1 = value, thousandths: &[200, 400, 600, 750] },
    Knob { set: |limits, value| limits.w2 = value, thousandths: &[0, 200, 400, 600] },
];

/// What a rival achieves at a cost: points of its curve, cheapest first.
struct Curve(Vec<CurvePoint>);

#[derive(Clone, Copy)]
struct CurvePoint {
    calls: f64,
    success: f64,
}

/// The lead over a rival at equal cost, with weights that were found and with the defaults.
pub struct Beside {
    pub rival: Rival,
    pub tuned: Estimate,
    pub default: Estimate,
}

/// Two halves of tasks, of worlds that have nothing in common.
pub struct Halves {
    training: Vec<Task>,
    held_out: Vec<Task>,
}

impl Halves {
    pub fn of(row: &Row, count: usize, seed: u64) -> Self {
        let half = |lane: u64| tasks(row, count / 2, seed.wrapping_mul(2).wrapping_add(lane) ^ 0x6861_6c66);
        Self { training: half(0), held_out: half(1) }
    }

    /// What weights are worth on the tasks they were not chosen on.
    pub fn judge(&self, recall: Recall, tuned: GgsLimits, default: GgsLimits, bar: Bar) -> Vec<Beside> {
        let played = |limits| Tally::of(Contender::Ggs(recall, limits), &self.held_out, bar);
        let (tuned, default) = (played(tuned), played(default));
        let lead = |own: &Tally, rival| own.lead(&Tally::at_cost(rival, own.calls().value, &self.held_out, bar));
        let beside = |rival| Beside { rival, tuned: lead(&tuned, rival), default: lead(&default, rival) };
        Rival::ALL.map(beside).into()
    }
}

/// The best weights for plants, each of which counts.
pub fn search(plants: &[Halves], recall: Recall, start: GgsLimits, bar: Bar) -> GgsLimits {
    let trials: Vec<Trial> = plants.iter().map(|halves| Trial::of(&halves.training, recall, bar)).collect();
    let worth = |limits: GgsLimits| {
        trials.iter().map(|trial| trial.margin(Contender::Ggs(recall, limits), bar)).fold(1.0, f64::min)
    };
    let mut best = start;
    let mut best_worth = worth(best);
    for knob in (0..SWEEPS).flat_map(|_| KNOBS) {
        for value in knob.thousandths {
            let mut limits = best;
            (knob.set)(&mut limits, Share::thousandths(*value));
            if limits == best || limits.check().is_err() {
                continue;
            }
            let found = worth(limits);
            if found > best_worth + LEAST_GAIN {
                (best, best_worth) = (limits, found);
            }
        }
    }
    best
}

/// A plant that weights are tried on, and what the rivals achieve there.
struct Trial<'t> {
    tasks: &'t [Task],
    curves: Vec<Curve>,
}

impl<'t> Trial<'t> {
    fn of(training: &'t [Task], recall: Recall, bar: Bar) -> Self {
        let tasks = &training[..training.len().min(TASKS_OF_A_TRIAL)];
        let rivals = Rival::ALL.into_iter().filter(|rival| recall == Recall::OfKind || *rival != Rival::Bandit);
        Self { tasks, curves: rivals.map(|rival| Curve::of(rival, tasks, bar)).collect() }
    }

    /// The lead over whichever rival is best at the same cost.
    fn margin(&self, own: Contender, bar: Bar) -> f64 {
        let own = Tally::of(own, self.tasks, bar);
        let calls = own.calls().value;
        let best = self.curves.iter().map(|curve| curve.at(calls)).fold(0.0, f64::max);
        own.success().value - best
    }
}

impl Curve {
    fn of(rival: Rival, tasks: &[Task], bar: Bar) -> Self {
        let point = |budget: f64| {
            let tally = Tally::of(Contender::Rival(rival, budget), tasks, bar);
            CurvePoint { calls: tally.calls().value, success: tally.success().value }
        };
        Self(BUDGETS.map(point).into())
    }

    /// Between two points as the line goes; beyond the ends as they are.
    fn at(&self, calls: f64) -> f64 {
        let Some(above) = self.0.iter().position(|point| point.calls >= calls) else {
            return self.0.last().map_or(0.0, |point| point.success);
        };
        let high = self.0[above];
        let low = self.0[above.saturating_sub(1)];
        let span = high.calls - low.calls;
        if span <= 0.0 { high.success } else { low.success + (high.success - low.success) * (calls - low.calls) / span }
    }
}
