//! What time and the rules did within each writer's chain: neither goes back there, and no line comes from what is to come.
//!
//! Records may come late and say so; what is looked at are decisions, which are dated under the lock.

use std::collections::BTreeMap;

use super::{Check, Checks};
use crate::Engine;
use annals_kernel::annals::RULES_VERSION;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::time::Timestamp;
use annals_log::LogError;
use annals_log::read::{Flow, Stretch, read};
use annals_log::segment::Segment;
use annals_rules::world::oddity::CLOCK_AHEAD_MS;

/// Clocks that are set right step by as much, many times a day.
const STEP_MS: u64 = 1000;

/// A decision in the chain of its writer.
#[derive(Debug, Clone, Copy)]
struct Dated {
    id: EntryId,
    at: Timestamp,
    rules: u64,
}

/// Decisions by writer and count, and what lies ahead of the clock.
#[derive(Debug, Default)]
struct Chains {
    decisions: BTreeMap<WriterId, BTreeMap<u64, Dated>>,
    ahead: FoundTimes,
}

/// How many lines, and the first of them.
#[derive(Debug, Default)]
struct FoundTimes {
    count: u64,
    first: Option<EntryId>,
}

impl FoundTimes {
    fn add(&mut self, id: EntryId) {
        self.count += 1;
        self.first.get_or_insert(id);
    }

    fn said(&self, what: &str) -> Option<String> {
        self.first.map(|first| format!("{what}: {}; the first: {first}", self.count))
    }
}

/// What is wrong with times and rules, if anything is.
pub(super) fn examine(engine: &Engine) -> Checks {
    let chains = gather(engine)?;
    let mended: Vec<_> = engine.mends()?.into_iter().map(|mend| mend.writer).collect();
    let (mut back, mut fallen) = (FoundTimes::default(), FoundTimes::default());
    for (writer, decisions) in &chains.decisions {
        let decisions: Vec<_> = decisions.values().copied().collect();
        for pair in decisions.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            if after.rules < before.rules && before.rules <= u64::from(RULES_VERSION) {
                fallen.add(after.id);
            }
            if before.at.since(after.at) > STEP_MS && !mended.contains(writer) {
                back.add(after.id);
            }
        }
    }
    let notes = [
        (back.said("decisions that are dated before the one before them, by the same writer"), BACK),
        (chains.ahead.said("lines more than five minutes ahead of this clock"), AHEAD),
    ];
    let given =
        engine.is_clock_given()?.then(|| Check::note("clock", "time and chance are what commands are given", GIVEN));
    let notes = notes.into_iter().filter_map(|(says, advice)| Some(Check::note("time", says?, advice)));
    let bad = fallen.said("decisions under older rules than the one before them, by the same writer");
    Ok(given.into_iter().chain(notes).chain(bad.map(|says| Check::bad("rules", says, FALLEN))).collect())
}

const GIVEN: &str = "for tests and demonstrations; `annals init` makes a folder with the machine's clock";
const BACK: &str = "a clock was set back, or somebody dated them; `annals history mend-clock` mends one that was ahead";
const AHEAD: &str = "a clock is or was ahead, or somebody dated them; nothing is lost";
const FALLEN: &str =
    "replay passes over what claims older rules: an older annals wrote here, or somebody changed the lines";

fn gather(engine: &Engine) -> Result<Chains, crate::EngineError> {
    let (disk, history) = (&**engine.disk(), engine.place().history());
    let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
    let stretches: Vec<_> = segments.into_iter().map(|segment| Stretch { segment, from: 0 }).collect();
    let (mut chains, now) = (Chains::default(), engine.clock().now());
    read(disk, history, &stretches, &mut |_, batch| {
        for placed in batch.entries() {
            let entry = &placed.envelope;
            if entry.at().since(now) > CLOCK_AHEAD_MS {
                chains.ahead.add(entry.id());
            }
            if let (Some(rules), Some((writer, count))) = (entry.rules(), entry.writer()) {
                let dated = Dated { id: entry.id(), at: entry.at(), rules };
                chains.decisions.entry(writer.as_ref().into()).or_default().insert(count, dated);
            }
        }
        Flow::More
    })?;
    Ok(chains)
}
