//! A task, a debate, and what a recorded session is at.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::command::{Ending, Kind, Position, Side};
use super::csp::{Resolved, Stakes};
use super::event::{Resolution, Why};
use super::stakes::Category;
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::rows::Ranked;
use crate::kernel::time::Timestamp;

/// Texts of which only the beginning is kept: a task in a few words, an error, an approach.
pub const SUMMARY_CHARS: usize = 120;
/// So many attempts of a task are kept, the latest.
const MOST_ATTEMPTS: usize = 20;
/// So many errors that came again are kept for a task, and approaches for a session, the latest.
const MOST_RUNS: usize = 16;
/// So many plans, patterns and tasks that are others are remembered.
const MOST_KNOWN: usize = 32;

/// The beginning of a text, on one line.
pub fn summary(text: &str) -> Box<str> {
    let mut short = String::new();
    for word in text.split_whitespace() {
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
        if let Some((end, _)) = short.char_indices().nth(SUMMARY_CHARS) {
            short.truncate(end);
            short.push('…');
            break;
        }
    }
    short.into()
}

/// Puts something at the end of a list that keeps the latest.
pub(super) fn keep<T>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() >= most {
        list.remove(0);
    }
    list.push(item);
}

/// One attempt that failed (Dialectic, "Failure Tracking State").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approach: Option<Box<str>>,
    /// The session, where it was a recorded call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The entry that says so.
    pub entry: EntryId,
}

/// The same error in a session, again and again, without a success of what failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub announced: bool,
}

/// A debate about failures that is in force: how many attempts it gave, and how many of them failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// The hash of its text.
    pub plan: Box<str>,
    /// Where.
    pub debate: Box<str>,
}

/// A task that failed, or was debated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// What it is, in a few words.
    pub summary: Box<str>,
    /// The beginning of its canonical text, to find others like it.
    pub canonical: Box<str>,
    /// Declared failures in a row.
    pub declared: u32,
    /// Errors of recorded calls that nothing has put right yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// The latest attempts that failed, whatever became of the count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// When the last of those that count failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Timestamp>,
    /// The debate about these failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<Used>,
    /// Plans that were debated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planned: Vec<Planned>,
    /// The debate that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Box<str>>,
    /// What critics saw in its failures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<Box<str>>,
    /// The task that it is the same as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<Box<str>>,
    /// Tasks that it is not the same as.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub apart: BTreeSet<Box<str>>,
    /// Why and when a person was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalated: Option<(Why, Timestamp)>,
    /// Every time that a person was called, the latest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalations: Vec<(Why, Timestamp)>,
}

impl Ranked for Task {
    /// Those with failures that count first, the latest first.
    fn rank(&self) -> i64 {
        self.failed_at.map_or(0, |at| at.millis().saturating_add(1).max(1))
    }
}

impl Task {
    /// A task that nothing is known of but its text.
    pub(super) fn of(text: &str, canonical: &str) -> Self {
        Self { summary: summary(text), canonical: summary(canonical), ..Self::default() }
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
    /// One that began before the last failure was known is the same mistake once more, not another attempt.
    pub(super) fn call_failed(&mut self, attempt: Attempt, session: &SessionId, began: Timestamp) {
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

    pub(super) fn escalate(&mut self, why: Why, at: Timestamp) {
        if self.escalated.is_none() {
            self.escalated = Some((why, at));
            keep(&mut self.escalations, (why, at), MOST_ATTEMPTS);
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

/// One side's words, and whose they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// Who.
    pub by: AgentId,
    /// What.
    pub position: Position,
}

/// One round: the advocate, then the critic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// For the plan.
    pub advocate: Spoken,
    /// Against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critic: Option<Spoken>,
}

/// How a debate ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolving {
    /// What it came to.
    #[serde(flatten)]
    pub resolution: Resolution,
    /// When.
    pub at: Timestamp,
}

/// What became of a debate's resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether it worked.
    pub outcome: Ending,
    /// Whether the debate made a difference.
    pub helped: bool,
    /// Whether somebody said so; otherwise it follows from what came after.
    pub declared: bool,
}

/// A debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Debate {
    /// The task, by its id.
    pub task: Box<str>,
    /// The task, in a few words.
    pub summary: Box<str>,
    /// The plan, in a few words, where it is another text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Box<str>>,
    /// The plan, by the hash of its text.
    pub plan_id: Box<str>,
    /// Before or after.
    pub kind: Kind,
    /// What is at stake.
    pub stakes: Stakes,
    /// Of which kind that is.
    pub category: Category,
    /// At most so many rounds.
    pub rounds: u8,
    /// Who asked for it.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// Failures in a row, when it began.
    pub failures: u32,
    /// The attempts that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Box<str>>,
    /// Their errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Box<str>>,
    /// What was said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoken: Vec<Round>,
    /// What it came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<Resolving>,
    /// Whether it was called off: the task was reset.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub called_off: bool,
    /// What became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
}

impl Ranked for Debate {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.at.millis()
    }
}

impl Debate {
    /// Whether somebody may still speak.
    pub fn is_open(&self) -> bool {
        self.resolved.is_none() && !self.called_off
    }

    /// Who speaks next; nobody where all rounds are over.
    pub fn next(&self) -> Option<(Side, u8)> {
        let round = u8::try_from(self.spoken.len()).unwrap_or(u8::MAX);
        match self.spoken.last() {
            Some(Round { critic: None, .. }) => Some((Side::Critic, round)),
            Some(_) | None if round < self.rounds => Some((Side::Advocate, round + 1)),
            Some(_) | None => None,
        }
    }

    /// The last round that both have spoken in.
    pub fn last_round(&self) -> Option<(&Position, &Position)> {
        let complete = self.spoken.iter().rev().find_map(|round| Some((&round.advocate, round.critic.as_ref()?)));
        complete.map(|(advocate, critic)| (&advocate.position, &critic.position))
    }

    /// What follows from what came after; what somebody said stands.
    pub(super) fn turned_out(&mut self, outcome: Ending) {
        let Some(resolved) = &self.resolved else { return };
        if self.judgement.is_some_and(|judgement| judgement.declared) {
            return;
        }
        let made_a_difference = resolved.resolution.resolution != Resolved::Proceed;
        let helped = outcome == Ending::Success && made_a_difference;
        self.judgement = Some(Judgement { outcome, helped, declared: false });
    }
}

/// What failed in a session, with which approach, for which task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// The task, by its id.
    pub task: Box<str>,
    /// The name of the tool, as the entry has it.
    pub tool: Box<str>,
    /// With which tool, about what.
    pub approach: Box<str>,
}

/// What a recorded session is at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    /// The task that its last prompt gave, by its id; empty where none has.
    pub task: Box<str>,
    /// The task in a few words.
    pub summary: Box<str>,
    /// The beginning of its canonical text.
    pub canonical: Box<str>,
    /// Approaches that failed and have not worked since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Open>,
    /// A sub-agent that has not been told its task yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub awaits: bool,
    /// Debates are off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub debates_off: bool,
    /// Failed calls.
    pub failed: u64,
    /// The last failed call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Timestamp>,
}

impl Ranked for Trail {
    /// Those whose calls failed most lately first.
    fn rank(&self) -> i64 {
        self.failed_at.map_or(0, |at| at.millis().saturating_add(1).max(1))
    }
}

impl Trail {
    /// Remembers an approach that failed.
    pub(super) fn failing(&mut self, open: Open) {
        self.open.retain(|known| *known != open);
        keep(&mut self.open, open, MOST_RUNS);
    }
}
