//! Memory as people and programs read it: a pair of tags with what it comes to at a time, and how it fades.
//!
//! Does not print and does not write files.

use serde::Serialize;

use super::plot::{Plot, Sample};
use crate::domain::Rooms;
use crate::domain::memory::quantum::{ATTENTION, PREFERENCE, PyramidLevel};
use crate::domain::memory::row::{Head, MegramTrace};
use crate::domain::memory::state::Megram;
use crate::domain::memory::{Action, Potentials};
use crate::kernel::fade::DAY_MS;
use crate::kernel::time::Timestamp;

/// So many of the latest megrams are told (decision 34).
pub const LATEST: usize = 5;

/// A pair of tags at a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PairInfo {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// At what time.
    pub at: Timestamp,
    /// Attention and decision.
    #[serde(flatten)]
    pub potentials: Potentials,
    /// What they advise.
    pub action: Action,
    /// How many megrams there are, by level.
    pub levels: Levels,
    /// What is common sense about it.
    pub common_sense: Vec<Megram>,
    /// The latest of the others.
    pub latest: Vec<Megram>,
}

/// How many megrams there are, by level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Levels {
    /// Level M.
    #[serde(rename = "M")]
    pub megrams: u64,
    /// Level K.
    #[serde(rename = "K")]
    pub knowledge: u64,
    /// Level C.
    #[serde(rename = "C")]
    pub common_sense: u64,
}

impl Levels {
    /// Of a pair.
    pub(crate) fn of(head: &Head) -> Self {
        Self {
            megrams: head.count(PyramidLevel::Megram),
            knowledge: head.count(PyramidLevel::Knowledge),
            common_sense: head.count(PyramidLevel::CommonSense),
        }
    }
}

impl PairInfo {
    /// Artoo R5, `QueryMK`: potentials, and the latest megrams with what they say (decision 34). A pair that nothing is
    /// known of has none.
    pub(crate) fn of(rooms: &Rooms, space: &str, entity: &str, now: Timestamp) -> Self {
        let (memory, settings) = (&rooms.memory, &rooms.config.settings);
        let head = memory.pair(space, entity);
        let potentials = memory.potentials(space, entity, now);
        let common = head.map(|head| head.common.keys().filter_map(|id| memory.megram(id)).collect());
        let latest = head.map(|head| memory.latest(head, LATEST + head.common.len())).unwrap_or_default();
        let is_single = |megram: &Megram| megram.level != PyramidLevel::CommonSense;
        Self {
            space: space.into(),
            entity: entity.into(),
            at: now,
            potentials,
            action: potentials.action(settings),
            levels: head.map(Levels::of).unwrap_or_default(),
            common_sense: common.unwrap_or_default(),
            latest: latest.into_iter().filter(is_single).take(LATEST).collect(),
        }
    }
}

/// How a pair has faded since its first trace, and will fade if nothing else happens.
///
/// A trace that was recalled shows from its recall: what it was before is in the history, not in the state.
pub fn decay(rooms: &Rooms, space: &str, entity: &str, now: Timestamp, days: u32) -> Plot {
    const POINTS: i64 = 240;
    const MOST_LEAPS: usize = 200;
    let (memory, settings) = (&rooms.memory, &rooms.config.settings);
    let traces: Vec<&MegramTrace> =
        memory.pair(space, entity).map(|head| memory.traces(head).collect()).unwrap_or_default();
    let end = now.plus_millis(i64::from(days).saturating_mul(DAY_MS));
    let start = traces.iter().map(|trace| trace.clock()).min().unwrap_or(now).min(now);
    let span = end.millis().saturating_sub(start.millis()).max(1);
    let sample = |at: Timestamp| {
        let there = traces.iter().copied().filter(|trace| trace.clock() <= at);
        let Potentials { attention, decision } = Potentials::of(there, at);
        Sample { at, attention, decision }
    };
    let even = (0..=POINTS).map(|point| start.plus_millis((span / POINTS).saturating_mul(point))).chain([end]);
    // Where something was written or recalled the curve leaps: it is drawn just before and at that time.
    let leaps = traces.iter().take(MOST_LEAPS).flat_map(|trace| [trace.clock().plus_millis(-1), trace.clock()]);
    let is_shown = |at: &Timestamp| (start..=end).contains(at);
    let mut times: Vec<_> = even.chain(leaps).chain([now]).filter(is_shown).collect();
    times.sort_unstable();
    times.dedup();
    Plot {
        title: format!("{space}  {entity}"),
        samples: times.into_iter().map(sample).collect(),
        now,
        attention_bound: settings.get(&ATTENTION).number(),
        preference: settings.get(&PREFERENCE).number(),
    }
}
