//! Tasks: which approaches work, which paths are broken, how often the environment fails. Nobody who plays is told.

use super::dice::Dice;

/// Criteria of a task. Two of them any approach can meet, so that a wrong one looks like progress, and stays beyond δ.
pub const CRITERIA: usize = 5;
pub const EASY_CRITERIA: usize = 2;
/// Targets that an approach can be tried on.
pub const PATHS: usize = 4;
/// Tasks of a kind favour the same approaches: what a memory can learn.
const KINDS: usize = 20;

/// Which approaches work.
#[derive(Debug, Clone, Copy)]
pub enum Fit {
    /// Each with odds of its own, which lie around these.
    Each(f64),
    /// Exactly one; with these odds it is the favourite of the kind, else any.
    One(f64),
    /// None.
    Never,
}

/// How a plant behaves.
#[derive(Debug, Clone, Copy)]
pub struct Regime {
    pub approaches: usize,
    pub fit: Fit,
    /// A round fails because of the environment, and the same again may work.
    pub flaky: f64,
    /// A path is broken for good.
    pub broken: f64,
    /// A criterion that is not met becomes so in a round of an approach that works.
    pub progress: f64,
    /// A criterion that is met is lost again before a round.
    pub drift: f64,
    /// What is not met yet, though the approach works, is put down to the approach.
    pub misblame: f64,
    /// What tightened arguments add to the odds of a criterion, each time; they hold drift back, too.
    pub refining: f64,
}

const EASY: Regime = Regime {
    approaches: 4,
    fit: Fit::Each(0.75),
    flaky: 0.05,
    broken: 0.05,
    progress: 0.6,
    drift: 0.0,
    misblame: 0.3,
    refining: 0.15,
};

/// A row of the table: its tasks take its regimes in turn.
#[derive(Debug, Clone)]
pub struct Row {
    pub name: &'static str,
    pub regimes: Vec<Regime>,
}

/// The rows, the simple ones first, and all together in the last.
pub fn rows() -> Vec<Row> {
    let many = Regime { approaches: 8, fit: Fit::One(0.9), ..EASY };
    let slow = Regime { fit: Fit::Each(0.5), progress: 0.25, drift: 0.15, misblame: 0.1, ..EASY };
    let single = [
        ("easy", EASY),
        ("one of 8, kinds alike", many),
        ("one of 8, kinds say nothing", Regime { fit: Fit::One(0.0), ..many }),
        ("environment flaky", Regime { flaky: 0.5, broken: 0.0, fit: Fit::Each(0.5), ..EASY }),
        ("paths broken", Regime { broken: 0.5, fit: Fit::Each(0.5), ..EASY }),
        ("drifting, judged well", slow),
        ("drifting, approach blamed", Regime { misblame: 0.9, ..slow }),
        ("drifting, refining in vain", Regime { refining: 0.0, ..slow }),
        ("hopeless", Regime { fit: Fit::Never, ..EASY }),
    ];
    let mixed = Row { name: "all of them, mixed", regimes: single.iter().map(|(_, regime)| *regime).collect() };
    let alone = single.into_iter().map(|(name, regime)| Row { name, regimes: vec![regime] });
    alone.chain([mixed]).collect()
}

/// A task, with what is hidden of it.
#[derive(Debug, Clone)]
pub struct Task {
    pub regime: Regime,
    /// Tasks with the same number are of the same kind.
    pub kind: usize,
    pub fits: Vec<bool>,
    pub broken: Vec<[bool; PATHS]>,
    pub dice: Dice,
}

impl Task {
    pub fn is_hopeless(&self) -> bool {
        !self.fits.contains(&true)
    }
}

/// The tasks of a row.
pub fn tasks(row: &Row, count: usize, seed: u64) -> Vec<Task> {
    (0..count).map(|at| task(row, at, seed)).collect()
}

fn task(row: &Row, at: usize, seed: u64) -> Task {
    let of_regime = at % row.regimes.len();
    let regime = row.regimes[of_regime];
    let mut dice = Dice::of(seed, at as u64);
    let kind = of_regime * KINDS + dice.below(KINDS);
    let fits = fits(regime, &mut Dice::of(seed ^ 0x6b69_6e64, kind as u64), &mut dice);
    let broken = fits.iter().map(|_| std::array::from_fn(|_| dice.chance(regime.broken))).collect();
    Task { regime, kind, fits, broken, dice }
}

fn fits(regime: Regime, of_kind: &mut Dice, of_task: &mut Dice) -> Vec<bool> {
    const AROUND: f64 = 0.2;
    match regime.fit {
        Fit::Each(odds) => {
            let own = (0..regime.approaches).map(|_| odds + AROUND * (2.0 * of_kind.unit() - 1.0));
            own.map(|odds| of_task.chance(odds)).collect()
        }
        Fit::One(kinship) => {
            let favourite = of_kind.below(regime.approaches);
            let any = of_task.below(regime.approaches);
            let fitting = if of_task.chance(kinship) { favourite } else { any };
            (0..regime.approaches).map(|approach| approach == fitting).collect()
        }
        Fit::Never => vec![false; regime.approaches],
    }
}
