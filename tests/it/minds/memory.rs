//! Laws of memory.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::Event;
use annals::domain::memory::event::Event as OfMemory;
use annals::domain::memory::quantum::{PyramidLevel, Quantum};
use annals::kernel::fade::{days_between, exponential};
use annals::kernel::share::Share;
use annals::kernel::time::Timestamp;
use proptest::prelude::*;
use serde_json::json;

use super::branches::Branch;

const SPACES: [&str; 3] = ["tool:a", "tool:b", "intent:c"];
const STATES: [&str; 7] =
    ["abandon", "accept", "change_approach", "success", "break_symmetry", "change_path", "refine"];

/// What may be asked of memory, by chance.
#[derive(Debug, Clone, Copy)]
enum Step {
    Write(usize, usize),
    Sense(usize, i32),
    Recall(usize),
    Consult(usize),
    Feedback(usize),
    Dream,
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0usize..3, 0usize..7).prop_map(|(space, state)| Step::Write(space, state)),
        1 => (0usize..3, -2i32..3).prop_map(|(space, sigma)| Step::Sense(space, sigma)),
        2 => any::<usize>().prop_map(Step::Recall),
        1 => (0usize..3).prop_map(Step::Consult),
        1 => any::<usize>().prop_map(Step::Feedback),
        3 => Just(Step::Dream),
        3 => (0i64..60 * 24 * 20).prop_map(Step::Wait),
    ]
}

fn play(branch: &mut Branch, steps: &[Step]) {
    for step in steps {
        let known: Vec<_> = Model::of(branch).there.into_keys().collect();
        let one = |which: usize| known.get(which % known.len().max(1)).cloned().unwrap_or_default();
        let (command, fields) = match *step {
            Step::Write(space, state) => {
                let fields = json!({ "space": SPACES[space], "entity": "e", "content": "c", "state": STATES[state] });
                ("memory.megram.write", fields)
            }
            Step::Sense(space, sigma) => {
                let sigma = f64::from(sigma) / 2.0;
                let fields = json!({ "space": SPACES[space], "entity": "e", "content": "c", "level": "C", "f": 0.5, "sigma": sigma });
                ("memory.megram.write", fields)
            }
            Step::Recall(which) => ("memory.megram.recall", json!({ "megrams": [one(which)] })),
            Step::Consult(space) => ("memory.pair.consult", json!({ "space": SPACES[space], "entity": "e" })),
            Step::Feedback(which) => ("memory.megram.feedback", json!({ "megram": one(which), "content": "no" })),
            Step::Dream => ("memory.dream.run", json!({})),
            Step::Wait(minutes) => {
                branch.wait(minutes);
                continue;
            }
        };
        branch.ask("ggs", command, &fields);
    }
}

/// One megram, as whoever reads the events and nothing else has it.
#[derive(Debug, Clone)]
struct Plain {
    space: Box<str>,
    level: PyramidLevel,
    quantum: Quantum,
    clock: Timestamp,
}

/// Memory, as whoever reads the events and nothing else has it.
#[derive(Debug, Default)]
struct Model {
    there: BTreeMap<Box<str>, Plain>,
    gone: BTreeSet<Box<str>>,
}

impl Model {
    fn of(branch: &Branch) -> Self {
        let mut model = Self::default();
        for made in &branch.made {
            made.events.iter().for_each(|event| model.read(event, made.at));
        }
        model
    }

    fn keep(&mut self, id: &str, plain: Plain) {
        if !self.gone.contains(id) {
            self.there.entry(id.into()).or_insert(plain);
        }
    }

    fn read(&mut self, event: &Event, at: Timestamp) {
        let Event::Memory(event) = event else { return };
        match event {
            OfMemory::Written(written) => {
                let quantum = Quantum { f: written.f, sigma: written.sigma, k: written.k };
                let plain = Plain { space: written.space.clone(), level: written.level, quantum, clock: at };
                self.keep(&written.megram, plain);
            }
            OfMemory::Promoted(promoted) => {
                let quantum = Quantum { f: promoted.f, sigma: promoted.sigma, k: Share::NONE };
                let plain =
                    Plain { space: promoted.space.clone(), level: PyramidLevel::CommonSense, quantum, clock: at };
                self.keep(&promoted.megram, plain);
            }
            OfMemory::Recalled(recalled) => {
                for id in &recalled.megrams {
                    self.there.get_mut(id).into_iter().for_each(|plain| plain.clock = plain.clock.max(at));
                }
            }
            OfMemory::Forgotten(forgotten) => {
                for id in &forgotten.megrams {
                    self.there.remove(id);
                    self.gone.insert(id.clone());
                }
            }
            OfMemory::Demoted(demoted) => {
                for id in &demoted.megrams {
                    let found = self.there.get_mut(id).filter(|plain| plain.level == PyramidLevel::CommonSense);
                    if let Some(plain) = found {
                        (plain.level, plain.quantum.k) = (PyramidLevel::Knowledge, demoted.k);
                    }
                }
            }
            OfMemory::Denied(_) | OfMemory::Reviewed(_) => {}
        }
    }

    /// The closed formula (artoo R5).
    fn potentials(&self, space: &str, now: Timestamp) -> (f64, f64) {
        let of_pair = self.there.values().filter(|plain| *plain.space == *space);
        of_pair.fold((0.0, 0.0), |(attention, decision), Plain { quantum, clock, .. }| {
            let left = quantum.f.number() * exponential(quantum.k.number(), days_between(*clock, now));
            (attention + left, decision + quantum.sigma.number() * left)
        })
    }

    fn count(&self, level: PyramidLevel) -> u64 {
        u64::try_from(self.there.values().filter(|plain| plain.level == level).count()).expect("a count")
    }
}

fn agree(branch: &Branch) -> Result<(), TestCaseError> {
    let (model, memory) = (Model::of(branch), &branch.world.rooms.memory);
    for space in SPACES {
        for days in [0, 1, 30] {
            let at = branch.now().plus_millis(days * 86_400_000);
            let (found, expected) = (memory.potentials(space, "e", at), model.potentials(space, at));
            prop_assert!((found.attention - expected.0).abs() < 1e-6, "{space}: {found:?}, {expected:?}");
            prop_assert!((found.decision - expected.1).abs() < 1e-6, "{space}: {found:?}, {expected:?}");
        }
    }
    for id in model.there.keys() {
        prop_assert!(memory.megram(id).is_some(), "{id} is lost");
    }
    for id in &model.gone {
        prop_assert!(memory.megram(id).is_none(), "{id} came back");
    }
    let totals = &memory.totals;
    let counts = (totals.megrams, totals.knowledge, totals.common);
    prop_assert_eq!(
        counts,
        (
            model.count(PyramidLevel::Megram),
            model.count(PyramidLevel::Knowledge),
            model.count(PyramidLevel::CommonSense)
        )
    );
    let waiting = memory.pairs.iter().filter(|(_, head)| head.waits_since.is_some()).count();
    prop_assert_eq!(totals.waiting, u64::try_from(waiting).expect("a count"));
    for (_, row) in memory.traces.iter() {
        prop_assert_eq!(row.due, row.traces.iter().filter_map(annals::domain::memory::row::MegramTrace::due).min());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Artoo R5; bar 3: whatever is written, recalled, contradicted, dreamt and merged, potentials are the closed formula,
    /// nothing that was forgotten comes back, and nothing else is lost.
    #[test]
    fn potentials_are_the_closed_formula_whatever_happens(
        before in prop::collection::vec(step(), 0..30),
        left in prop::collection::vec(step(), 0..30),
        right in prop::collection::vec(step(), 0..30),
        after in prop::collection::vec(step(), 0..10),
    ) {
        let mut ours = Branch::first();
        play(&mut ours, &before);
        agree(&ours)?;
        let mut theirs = ours.parted();
        play(&mut ours, &left);
        play(&mut theirs, &right);
        agree(&ours)?;
        let mut both = ours.merged(&theirs);
        prop_assert_eq!(&both.world, &theirs.merged(&ours).world);
        agree(&both)?;
        play(&mut both, &after);
        agree(&both)?;
    }
}
