//! A task: what failed in a row, what was debated, and which tasks are the same.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::csp::Resolved;
use super::event::EscalationReason;
use super::row::{MOST_RUNS, keep};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::rows::Ranked;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// So many attempts of a task are kept, the latest.
const MOST_ATTEMPTS: usize = 20;
/// So many plans, and tasks that are others, are remembered.
const MOST_KNOWN: usize = 32;

/// One attempt that failed (Dialectic, "Failure Tracking State").
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Attempt {
    /// The so-manyeth failure in a row; of a recorded call, with this error.
    pub attempt: u32,
    /// When.
    pub at: Timestamp,
    /// What came of it.
    pub error: Box<str>,
    /// Which error.
    pub fingerprint: Box<str>,
    /// How.
    pub approach: Option<Box<str>>,
    /// The session, where it was a recorded call.
    pub session: Option<SessionId>,
    /// The entry that says so.
    pub entry: EntryId,
}

/// The same error in a session, again and again, without a success of what failed.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Run {
    /// Where.
    pub session: SessionId,
    /// Which error.
    pub fingerprint: Box<str>,
    /// With which tool, about what: the last time.
    pub approach: Box<str>,
    /// What it said: the first time.
    pub error: Box<str>,
    /// How often.
    pub count: u32,
    /// The first time.
    pub since: Timestamp,
    /// The last time.
    pub at: Timestamp,
    /// The entry of the last time.
    pub entry: EntryId,
    /// Whether it was announced.
    #[sparse]
    pub announced: bool,
}

/// A debate about failures that is in force: how many attempts it gave, and how many of them failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Used {
    /// Which.
    pub debate: Box<str>,
    /// What it came to.
    pub resolution: Resolved,
    /// Attempts that it gave.
    pub limit: u8,
    /// Failures since.
    pub failed: u32,
}

impl Used {
    /// Attempts that are left.
    pub fn left(&self) -> u32 {
        u32::from(self.limit).saturating_sub(self.failed)
    }
}

/// A plan that was debated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Planned {
    /// The hash of its text.
    pub plan: Box<str>,
    /// Where.
    pub debate: Box<str>,
}

/// A task that failed, or was debated.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct DebatedTask {
    /// What it is, in a few words.
    pub summary: Box<str>,
    /// The beginning of its canonical text, to find others like it.
    pub canonical: Box<str>,
    /// Declared failures in a row.
    pub declared: u32,
    /// Errors of recorded calls that nothing has put right yet.
    pub runs: Vec<Run>,
    /// The latest attempts that failed, whatever became of the count.
    pub attempts: Vec<Attempt>,
    /// When the last of those that count failed.
    pub failed_at: Option<Timestamp>,
    /// The debate about these failures.
    pub used: Option<Used>,
    /// Plans that were debated.
    pub planned: Vec<Planned>,
    /// The debate that goes on.
    pub open: Option<Box<str>>,
    /// What critics saw in its failures.
    pub patterns: Vec<Box<str>>,
    /// The task that it is the same as.
    pub same_as: Option<Box<str>>,
    /// Tasks that it is not the same as.
    pub apart: BTreeSet<Box<str>>,
    /// Why and when a person was called.
    pub escalated: Option<(EscalationReason, Timestamp)>,
    /// Every time that a person was called, the latest.
    pub escalations: Vec<(EscalationReason, Timestamp)>,
}

impl Ranked for DebatedTask {
    /// Those with failures that count first, the latest first.
    fn rank(&self) -> i64 {
        self.failed_at.map_or(0, |at| at.millis().saturating_add(1).max(1))
    }
}

impl DebatedTask {
    /// The words that it is called by: the first that anybody has for it.
    pub(super) fn call(&mut self, words: impl FnOnce() -> (Box<str>, Box<str>)) {
        if self.summary.is_empty() {
            (self.summary, self.canonical) = words();
        }
    }

    /// Failures in a row: declared ones, or the same error in one session.
    pub fn failures(&self) -> u32 {
        let longest = self.runs.iter().map(|run| run.count).max();
        self.declared.max(longest.unwrap_or(0))
    }

    /// Errors that came again.
    pub fn repeated(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.count > 1)
    }

    /// What the last attempts were, and what came of them; at most so many.
    pub fn latest(&self, count: usize) -> &[Attempt] {
        &self.attempts[self.attempts.len().saturating_sub(count)..]
    }

    pub(super) fn tried(&mut self, attempt: Attempt) {
        self.failed_at = self.failed_at.max(Some(attempt.at));
        keep(&mut self.attempts, attempt, MOST_ATTEMPTS);
    }

    /// An attempt failed, as somebody says.
    pub(super) fn failed(&mut self, attempt: Attempt) {
        self.declared = self.declared.saturating_add(1);
        self.counts_after_debate();
        self.tried(Attempt { attempt: self.declared, ..attempt });
    }

    fn counts_after_debate(&mut self) {
        if let Some(used) = &mut self.used {
            used.failed = used.failed.saturating_add(1);
        }
    }

    /// A recorded call failed. The first time it is no failure of the task yet: an agent may look where nothing is.
    /// One that began before the last failure was known is the same mistake once more, not another attempt. An error
    /// without a fingerprint repeats none.
    pub(super) fn call_failed(&mut self, attempt: Attempt, session: &SessionId, began: Timestamp) {
        if attempt.fingerprint.is_empty() {
            return self.tried(Attempt { session: Some(session.clone()), attempt: 1, ..attempt });
        }
        let same = |run: &Run| run.session == *session && run.fingerprint == attempt.fingerprint;
        let place = self.runs.iter().position(same);
        let mut run = match place {
            Some(place) => self.runs.remove(place),
            None => Run {
                session: session.clone(),
                fingerprint: attempt.fingerprint.clone(),
                approach: Box::default(),
                error: attempt.error.clone(),
                count: 0,
                since: attempt.at,
                at: attempt.at,
                entry: attempt.entry,
                announced: false,
            },
        };
        let is_beside = run.count > 0 && began < run.at;
        run.count = run.count.saturating_add(u32::from(!is_beside));
        (run.at, run.entry) = (attempt.at, attempt.entry);
        run.approach = attempt.approach.clone().unwrap_or_default();
        let count = run.count;
        keep(&mut self.runs, run, MOST_RUNS);
        if count > 1 && !is_beside {
            self.counts_after_debate();
        }
        self.tried(Attempt { attempt: count, session: Some(session.clone()), ..attempt });
    }

    /// What failed in a session has worked there now. Says whether no failure counts any more.
    pub(super) fn call_succeeded(&mut self, session: &str, approach: &str) -> bool {
        let before = self.runs.len();
        self.runs.retain(|run| run.session.as_str() != session || *run.approach != *approach);
        let is_clear = self.runs.len() < before && self.failures() == 0;
        if is_clear {
            self.clear();
        }
        is_clear
    }

    /// Failures so far count no more. Says how many there were.
    pub(super) fn clear(&mut self) -> u32 {
        let cleared = self.failures();
        self.runs.clear();
        (self.declared, self.failed_at, self.used, self.escalated) = (0, None, None, None);
        cleared
    }

    pub(super) fn escalate(&mut self, why: EscalationReason, at: Timestamp) {
        if self.escalated.is_none() {
            self.escalated = Some((why, at));
            keep(&mut self.escalations, (why, at), MOST_ATTEMPTS);
        }
    }

    /// What called a person by its count alone has worked: what is left decides.
    pub(super) fn relieve(&mut self, settings: &Settings) {
        let is_counted = self.escalated.is_some_and(|(why, _)| why == EscalationReason::Count);
        if is_counted && self.overdue(settings).is_none() {
            self.escalated = None;
        }
    }

    pub(super) fn debated(&mut self, planned: Planned) {
        keep(&mut self.planned, planned, MOST_KNOWN);
    }

    pub(super) fn seen(&mut self, pattern: Box<str>) {
        keep(&mut self.patterns, pattern, MOST_RUNS);
    }

    pub(super) fn keep_apart(&mut self, other: Box<str>) {
        if self.apart.len() < MOST_KNOWN {
            self.apart.insert(other);
        }
    }

    /// Takes over what another task counted.
    pub(super) fn join(&mut self, other: Self) {
        self.declared = self.declared.saturating_add(other.declared);
        self.failed_at = self.failed_at.max(other.failed_at);
        self.used = self.used.take().or(other.used);
        self.escalated = self.escalated.or(other.escalated);
        for run in other.runs {
            keep(&mut self.runs, run, MOST_RUNS);
        }
        let mut attempts: Vec<_> = self.attempts.drain(..).chain(other.attempts).collect();
        attempts.sort_by_key(|attempt| attempt.entry);
        self.attempts = attempts.split_off(attempts.len().saturating_sub(MOST_ATTEMPTS));
    }
}
