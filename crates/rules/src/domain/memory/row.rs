//! Rows of memory: pairs, the traces of megrams that potentials are summed from, and what megrams say.
//!
//! A pair's traces are split into rows of a bounded size, so that one more megram never costs more than one row.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::LearntFrom;
use super::quantum::{MacroState, PyramidLevel, Sigma};
use annals_kernel::fade::{after_days, days_of_exponential};
use annals_kernel::rows::Ranked;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many traces stand in one row.
pub(crate) const TRACES_A_ROW: u8 = 128;

/// What potentials are summed from: the numbers of one megram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(from = "Packed", into = "Packed")]
pub struct MegramTrace {
    /// The megram.
    pub megram: Box<str>,
    /// Since when it is there.
    pub created: Timestamp,
    /// When it was remembered last.
    pub recalled: Option<Timestamp>,
    /// How strong.
    pub f: Share,
    /// For it or against it.
    pub sigma: Sigma,
    /// How fast it fades, a day.
    pub k: Share,
}

/// A trace without names, because there are many: id, created, recalled, f, sigma, k (in thousandths).
type Packed = (Box<str>, i64, Option<i64>, u16, i16, u16);

impl From<MegramTrace> for Packed {
    fn from(trace: MegramTrace) -> Self {
        let MegramTrace { megram, created, recalled, f, sigma, k } = trace;
        let recalled = recalled.map(Timestamp::millis);
        (megram, created.millis(), recalled, f.in_thousandths(), sigma.in_thousandths(), k.in_thousandths())
    }
}

impl From<Packed> for MegramTrace {
    fn from((megram, created, recalled, f, sigma, k): Packed) -> Self {
        Self {
            megram,
            created: Timestamp::from_millis(created),
            recalled: recalled.map(Timestamp::from_millis),
            f: Share::thousandths(f),
            sigma: Sigma::thousandths(sigma),
            k: Share::thousandths(k),
        }
    }
}

impl MegramTrace {
    /// Since when it fades (decision 36).
    pub fn clock(&self) -> Timestamp {
        self.recalled.map_or(self.created, |recalled| recalled.max(self.created))
    }

    /// When it can be forgotten, if nobody remembers it and nothing is configured otherwise; never where it is timeless.
    pub fn due(&self) -> Option<Timestamp> {
        // The documents' own bounds, whatever is configured: a rank is stored, and must not change with the
        // configuration.
        const FLOOR: f64 = 0.1;
        const HOUR_MS: i64 = 3_600_000;
        if self.k == Share::NONE {
            return None;
        }
        let days = days_of_exponential(self.f.number(), self.k.number(), FLOOR)?;
        Some(after_days(self.clock(), days).max(self.created.plus_millis(HOUR_MS)))
    }
}

/// Some traces of one pair.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// In the order in which they were written.
    #[always]
    pub traces: Vec<MegramTrace>,
    /// When the first of them can be forgotten.
    pub due: Option<Timestamp>,
}

impl Traces {
    /// Takes in one more.
    pub(super) fn push(&mut self, trace: MegramTrace) {
        let due = trace.due();
        self.due = self.due.into_iter().chain(due).min();
        self.traces.push(trace);
    }

    /// Finds out anew when the first can be forgotten.
    pub(super) fn settle(&mut self) {
        self.due = self.traces.iter().filter_map(MegramTrace::due).min();
    }
}

impl Ranked for Traces {
    /// Those first of which something can be forgotten first.
    fn rank(&self) -> i64 {
        self.due.map_or(i64::MIN, |due| due.millis().saturating_neg())
    }
}

/// A pair of tags, and where its traces are.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// The rows that hold traces, by number.
    #[always]
    pub rows: BTreeSet<u32>,
    /// The row that is written to.
    pub filling: u32,
    /// How many traces were written to it.
    pub filled: u8,
    /// Megrams of level M.
    pub megrams: u64,
    /// Of level K.
    pub knowledge: u64,
    /// Of level C, with their signs.
    pub common: BTreeMap<Box<str>, Sigma>,
    /// When something was written or remembered here last.
    pub changed_at: Timestamp,
    /// Since when the dreamer has something to look at.
    pub waits_since: Option<Timestamp>,
    /// When the dreamer looked last.
    pub reviewed_at: Option<Timestamp>,
}

impl Head {
    /// How many of a level there are.
    pub fn count(&self, level: PyramidLevel) -> u64 {
        match level {
            PyramidLevel::Megram => self.megrams,
            PyramidLevel::Knowledge => self.knowledge,
            PyramidLevel::CommonSense => u64::try_from(self.common.len()).unwrap_or(u64::MAX),
            PyramidLevel::Thinking => 0,
        }
    }
}

impl Ranked for Head {
    /// What the dreamer should look at first: what waits, the longest first; then common sense, as long ago as it was
    /// looked at.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 48;
        let early = |at: Timestamp| (1_i64 << MILLIS_BITS) - at.millis().clamp(0, (1 << MILLIS_BITS) - 1);
        match (self.waits_since, self.common.is_empty()) {
            (Some(since), _) => 2 << MILLIS_BITS | (early(since) - 1),
            (None, false) => early(self.reviewed_at.unwrap_or(self.changed_at)),
            (None, true) => 0,
        }
    }
}

/// What a megram says, and where its trace is.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptMegram {
    /// The key of its pair.
    pub pair: Box<str>,
    /// The row of its trace.
    pub row: u32,
    /// Where in the pyramid.
    pub level: PyramidLevel,
    /// What happened, in words.
    pub content: Box<str>,
    /// The state of the control loop.
    pub state: Option<MacroState>,
    /// Since when it is there.
    pub created: Timestamp,
    /// The megram that it contradicts.
    pub against: Option<Box<str>>,
    /// On how many megrams it rests, where it was promoted.
    pub rests_on: Option<u64>,
    /// Where in the record it was found.
    pub learnt: Option<LearntFrom>,
}

/// What became of a megram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MegramFate {
    /// It is remembered.
    Kept(KeptMegram),
    /// It has faded away; its lines are in the history.
    Forgotten(Timestamp),
}

impl MegramFate {
    /// What is remembered.
    pub fn kept(&self) -> Option<&KeptMegram> {
        match self {
            Self::Kept(kept) => Some(kept),
            Self::Forgotten(_) => None,
        }
    }
}

impl Ranked for MegramFate {
    /// Common sense first, then the latest first; what is forgotten last.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 48;
        match self {
            Self::Kept(kept) => {
                let is_common = i64::from(kept.level == PyramidLevel::CommonSense);
                is_common << MILLIS_BITS | kept.created.millis().clamp(0, (1 << MILLIS_BITS) - 1)
            }
            Self::Forgotten(_) => i64::MIN,
        }
    }
}
