//! All that is remembered.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, LearntFrom, Observed};
use super::event::{Demoted, Event, Pair, Promoted, Written};
use super::potential::Potentials;
use super::quantum::{MacroState, PyramidLevel, Quantum, Sigma};
use super::row::{Head, KeptMegram, MegramFate, MegramTrace, TRACES_A_ROW, Traces};
use super::tag::{SEPARATOR, key};
use annals_kernel::decision::Cause;
use annals_kernel::rows::Rows;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Pairs of tags.
    pub pairs: u64,
    /// Megrams of level M.
    pub megrams: u64,
    /// Of level K.
    pub knowledge: u64,
    /// Of level C.
    pub common: u64,
    /// How many were forgotten.
    pub forgotten: u64,
    /// How often somebody wanted to write who may not.
    pub denied: u64,
    /// How many pairs wait for the dreamer.
    pub waiting: u64,
}

/// All that is remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Pairs, by space and entity.
    pub pairs: Rows<Box<str>, Head>,
    /// Traces, by pair and number.
    pub traces: Rows<Box<str>, Traces>,
    /// What megrams say, by id.
    pub megrams: Rows<Box<str>, MegramFate>,
}

/// One megram, whole (artoo R5, base tuple).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Megram {
    /// Its id.
    pub id: Box<str>,
    /// Where in the pyramid.
    pub level: PyramidLevel,
    /// Since when it is there.
    pub created_at: Timestamp,
    /// When it was remembered last.
    #[always]
    pub last_recalled_at: Option<Timestamp>,
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// What happened, in words.
    pub content: Box<str>,
    /// The state of the control loop.
    pub state: Option<MacroState>,
    /// How strong, for or against, and how fast it fades.
    #[serde(flatten)]
    pub quantum: Quantum,
    /// The megram that it contradicts.
    pub against: Option<Box<str>>,
    /// On how many megrams it rests, where it was promoted.
    pub rests_on: Option<u64>,
    /// Where in the record it was found; none where the solver wrote it.
    pub learnt: Option<LearntFrom>,
}

/// The key of a row of traces.
fn row_key(pair: &str, number: u32) -> String {
    format!("{pair}{SEPARATOR}{number}")
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// What is known of a pair.
    pub fn pair(&self, space: &str, entity: &str) -> Option<&Head> {
        self.pairs.get(&key(space, entity))
    }

    /// The traces of a pair, in the order in which they were written.
    pub fn traces<'s>(&'s self, head: &'s Head) -> impl Iterator<Item = &'s MegramTrace> {
        let pair = key(&head.space, &head.entity);
        // Every row is asked for before the first is looked at, so that all of them are brought in one round.
        let rows: Vec<_> = head.rows.iter().filter_map(|number| self.traces.get(&row_key(&pair, *number))).collect();
        rows.into_iter().flat_map(|row| &row.traces)
    }

    /// The potentials of a pair at a time, over all that is remembered of it.
    pub fn potentials(&self, space: &str, entity: &str, now: Timestamp) -> Potentials {
        self.pair(space, entity).map(|head| Potentials::of(self.traces(head), now)).unwrap_or_default()
    }

    /// A megram by its id, while it is remembered.
    pub fn megram(&self, id: &str) -> Option<Megram> {
        let kept = self.megrams.get(id)?.kept()?;
        let row = self.traces.get(&row_key(&kept.pair, kept.row))?;
        let trace = row.traces.iter().find(|trace| *trace.megram == *id)?;
        let (space, entity) = kept.pair.split_once(SEPARATOR)?;
        Some(Megram {
            id: id.into(),
            level: kept.level,
            created_at: trace.created,
            last_recalled_at: trace.recalled,
            space: space.into(),
            entity: entity.into(),
            content: kept.content.clone(),
            state: kept.state,
            quantum: Quantum { f: trace.f, sigma: trace.sigma, k: trace.k },
            against: kept.against.clone(),
            rests_on: kept.rests_on,
            learnt: kept.learnt.clone(),
        })
    }

    /// The latest megrams of a pair, the latest first (decision 34).
    pub fn latest(&self, head: &Head, count: usize) -> Vec<Megram> {
        let mut ids: Vec<_> = self.traces(head).map(|trace| (trace.created, &trace.megram)).collect();
        ids.sort_unstable_by(|left, right| right.cmp(left));
        let found: Vec<_> = ids.into_iter().take(count).map(|(_, id)| self.megram(id)).collect();
        found.into_iter().flatten().collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Written(written) => self.written(written, cause.at),
            Event::Denied(_) => self.totals.denied += 1,
            Event::Recalled(recalled) => recalled.megrams.iter().for_each(|id| self.recalled(id, cause.at)),
            Event::Forgotten(forgotten) => forgotten.megrams.iter().for_each(|id| self.forgotten(id, cause.at)),
            Event::Demoted(demoted) => self.demoted(demoted),
            Event::Promoted(promoted) => self.promoted(promoted, cause.at),
            Event::Reviewed(reviewed) => reviewed.pairs.iter().for_each(|pair| self.reviewed(pair, cause.at)),
        }
    }

    fn written(&mut self, written: &Written, at: Timestamp) {
        let kept = KeptMegram {
            pair: key(&written.space, &written.entity).into(),
            row: 0,
            level: written.level,
            content: written.content.clone(),
            state: written.state,
            created: at,
            against: written.against.clone(),
            rests_on: None,
            learnt: written.learnt.clone(),
        };
        let Written { f, sigma, k, .. } = *written;
        self.keep(&written.megram, kept, Quantum { f, sigma, k });
    }

    fn promoted(&mut self, promoted: &Promoted, at: Timestamp) {
        let kept = KeptMegram {
            pair: key(&promoted.space, &promoted.entity).into(),
            row: 0,
            level: PyramidLevel::CommonSense,
            content: promoted.content.clone(),
            state: None,
            created: at,
            against: None,
            rests_on: Some(promoted.rests_on),
            learnt: None,
        };
        let Promoted { f, sigma, .. } = *promoted;
        self.keep(&promoted.megram, kept, Quantum { f, sigma, k: Share::NONE });
    }

    /// An id that is known already, forgotten or not, is not taken in again.
    fn keep(&mut self, id: &str, kept: KeptMegram, quantum: Quantum) {
        if self.megrams.get(id).is_some() {
            return;
        }
        let (pair, at) = (kept.pair.clone(), kept.created);
        let Quantum { f, sigma, k } = quantum;
        self.grow(&pair, at);
        let head = self.pairs.entry(&pair, Head::default);
        let row = place(head);
        count(head, &mut self.totals, kept.level, 1);
        if kept.level == PyramidLevel::CommonSense {
            head.common.insert(id.into(), sigma);
        }
        let trace = MegramTrace { megram: id.into(), created: at, recalled: None, f, sigma, k };
        self.traces.entry(&row_key(&pair, row), Traces::default).push(trace);
        self.megrams.entry(id, || MegramFate::Kept(KeptMegram { row, ..kept }));
        self.changed(&pair, at);
    }

    /// Makes the row of a pair that is new.
    fn grow(&mut self, pair: &str, at: Timestamp) {
        if self.pairs.get(pair).is_some() {
            return;
        }
        let (space, entity) = pair.split_once(SEPARATOR).unwrap_or((pair, ""));
        let new = || Head { space: space.into(), entity: entity.into(), changed_at: at, ..Head::default() };
        self.pairs.entry(pair, new);
        self.totals.pairs += 1;
    }

    /// The dreamer has something to look at.
    fn changed(&mut self, pair: &str, at: Timestamp) {
        let Some(head) = self.pairs.get_mut(pair) else { return };
        head.changed_at = head.changed_at.max(at);
        if head.waits_since.is_none() {
            head.waits_since = Some(at);
            self.totals.waiting += 1;
        }
    }

    /// The place of what is remembered: the key of its pair and the number of its row.
    fn place_of(&self, id: &str) -> Option<(Box<str>, u32, PyramidLevel)> {
        let kept = self.megrams.get(id)?.kept()?;
        Some((kept.pair.clone(), kept.row, kept.level))
    }

    /// The clock of a trace starts anew; one that is timeless only remembers when (decision 36).
    fn recalled(&mut self, id: &str, at: Timestamp) {
        let Some((pair, row, level)) = self.place_of(id) else { return };
        if let Some(traces) = self.traces.get_mut(&row_key(&pair, row)) {
            if let Some(trace) = traces.traces.iter_mut().find(|trace| *trace.megram == *id) {
                trace.recalled = trace.recalled.max(Some(at));
            }
            traces.settle();
        }
        if level != PyramidLevel::CommonSense {
            self.changed(&pair, at);
        }
    }

    fn forgotten(&mut self, id: &str, at: Timestamp) {
        let Some((pair, row, level)) = self.place_of(id) else { return };
        let mut is_empty = false;
        if let Some(traces) = self.traces.get_mut(&row_key(&pair, row)) {
            traces.traces.retain(|trace| *trace.megram != *id);
            traces.settle();
            is_empty = traces.traces.is_empty();
        }
        if let Some(head) = self.pairs.get_mut(&pair) {
            count(head, &mut self.totals, level, -1);
            head.common.remove(id);
            if is_empty {
                head.rows.remove(&row);
            }
        }
        if let Some(fate) = self.megrams.get_mut(id) {
            *fate = MegramFate::Forgotten(at);
        }
        self.totals.forgotten += 1;
    }

    fn demoted(&mut self, demoted: &Demoted) {
        for id in &demoted.megrams {
            let Some((pair, row, PyramidLevel::CommonSense)) = self.place_of(id) else { continue };
            if let Some(MegramFate::Kept(kept)) = self.megrams.get_mut(id) {
                kept.level = PyramidLevel::Knowledge;
            }
            if let Some(head) = self.pairs.get_mut(&pair) {
                count(head, &mut self.totals, PyramidLevel::CommonSense, -1);
                count(head, &mut self.totals, PyramidLevel::Knowledge, 1);
                head.common.remove(id);
            }
            if let Some(traces) = self.traces.get_mut(&row_key(&pair, row)) {
                if let Some(trace) = traces.traces.iter_mut().find(|trace| trace.megram == *id) {
                    trace.k = demoted.k;
                }
                traces.settle();
            }
        }
    }

    fn reviewed(&mut self, pair: &Pair, at: Timestamp) {
        let Some(head) = self.pairs.get_mut(&key(&pair.space, &pair.entity)) else { return };
        head.reviewed_at = head.reviewed_at.max(Some(at));
        if head.waits_since.take().is_some() {
            self.totals.waiting = self.totals.waiting.saturating_sub(1);
        }
    }
}

/// The row that the next trace of a pair goes to.
fn place(head: &mut Head) -> u32 {
    if head.filled >= TRACES_A_ROW {
        head.filling = head.filling.saturating_add(1);
        head.filled = 0;
    }
    head.filled += 1;
    head.rows.insert(head.filling);
    head.filling
}

/// Counts one more or one fewer of a level; those of level C of a pair are known by name.
fn count(head: &mut Head, totals: &mut Totals, level: PyramidLevel, change: i64) {
    let counts: &mut [&mut u64] = match level {
        PyramidLevel::Megram => &mut [&mut head.megrams, &mut totals.megrams],
        PyramidLevel::Knowledge => &mut [&mut head.knowledge, &mut totals.knowledge],
        PyramidLevel::CommonSense => &mut [&mut totals.common],
        PyramidLevel::Thinking => &mut [],
    };
    for count in counts {
        **count = count.saturating_add_signed(change);
    }
}

/// Whether a sign is for or against, as common sense is.
pub(super) fn opposite(sigma: Sigma) -> Sigma {
    if sigma.in_thousandths() < 0 { Sigma::FOR } else { Sigma::AGAINST }
}
