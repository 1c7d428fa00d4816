//! A debate, and what a recorded session is at.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::background::BackgroundRun;
use super::called::{CalledDebate, StakedCommand};
use super::command::{DebateKind, DebateSide, Position, ResolvedEnding};
use super::csp::{Resolved, Stakes};
use super::event::ResolvedDebate;
use super::stakes::DebateCategory;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::rows::Ranked;
use annals_kernel::time::Timestamp;

/// Texts of which only the beginning is kept: a task in a few words, an error, an approach.
pub(crate) const SUMMARY_CHARS: usize = 120;
/// So many errors that came again are kept for a task, and approaches for a session, the latest.
pub(super) const MOST_RUNS: usize = 16;

/// The beginning of a text, on one line.
pub fn summary(text: &str) -> Box<str> {
    let (mut short, mut chars) = (String::new(), 0);
    for word in text.split_whitespace() {
        if !short.is_empty() {
            short.push(' ');
            chars += 1;
        }
        let (start, left) = (short.len(), SUMMARY_CHARS.saturating_sub(chars));
        short.push_str(word);
        if let Some((end, _)) = word.char_indices().nth(left) {
            short.truncate(start + end);
            short.push('…');
            break;
        }
        chars += word.chars().count();
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

/// One side's words, and whose they are.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Spoken {
    /// Who.
    pub by: AgentId,
    /// What.
    pub position: Position,
    /// The model that said it, where one did.
    pub model: Option<Box<str>>,
}

/// One round: the advocate, then the critic.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct DebateRound {
    /// For the plan.
    pub advocate: Spoken,
    /// Against it.
    pub critic: Option<Spoken>,
}

/// How a debate ended.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Resolving {
    /// What it came to.
    #[serde(flatten)]
    pub resolution: ResolvedDebate,
    /// When.
    pub at: Timestamp,
    /// The model that said why, where one did.
    pub model: Option<Box<str>>,
}

/// What became of a debate's resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Judgement {
    /// Whether it worked.
    pub outcome: ResolvedEnding,
    /// Whether the debate made a difference.
    pub helped: bool,
    /// Whether somebody said so; otherwise it follows from what came after.
    pub declared: bool,
}

/// A debate.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Debate {
    /// The task, by its id.
    pub task: Box<str>,
    /// The task, in a few words.
    pub summary: Box<str>,
    /// The plan, in a few words, where it is another text.
    pub plan: Option<Box<str>>,
    /// The plan, by the hash of its text.
    pub plan_id: Box<str>,
    /// Before or after.
    pub kind: DebateKind,
    /// What is at stake.
    pub stakes: Stakes,
    /// Of which kind that is.
    pub category: DebateCategory,
    /// At most so many rounds.
    pub rounds: u8,
    /// Who asked for it.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// Failures in a row, when it began.
    pub failures: u32,
    /// The attempts that it is about.
    pub attempts: Vec<Box<str>>,
    /// Their errors.
    pub errors: Vec<Box<str>>,
    /// What was said.
    pub spoken: Vec<DebateRound>,
    /// What it came to.
    pub resolved: Option<Resolving>,
    /// Whether it was called off: the task was reset.
    #[sparse]
    pub called_off: bool,
    /// What became of it.
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
    pub fn next(&self) -> Option<(DebateSide, u8)> {
        let round = u8::try_from(self.spoken.len()).unwrap_or(u8::MAX);
        match self.spoken.last() {
            Some(DebateRound { critic: None, .. }) => Some((DebateSide::Critic, round)),
            Some(_) | None if round < self.rounds => Some((DebateSide::Advocate, round + 1)),
            Some(_) | None => None,
        }
    }

    /// The last round that both have spoken in.
    pub fn last_round(&self) -> Option<(&Position, &Position)> {
        let complete = self.spoken.iter().rev().find_map(|round| Some((&round.advocate, round.critic.as_ref()?)));
        complete.map(|(advocate, critic)| (&advocate.position, &critic.position))
    }

    /// What follows from what came after; what somebody said stands.
    pub(super) fn turned_out(&mut self, outcome: ResolvedEnding) {
        let Some(resolved) = &self.resolved else { return };
        if self.judgement.is_some_and(|judgement| judgement.declared) {
            return;
        }
        let made_a_difference = resolved.resolution.resolution != Resolved::Proceed;
        let helped = outcome == ResolvedEnding::Success && made_a_difference;
        self.judgement = Some(Judgement { outcome, helped, declared: false });
    }
}

/// What failed in a session, with which approach, for which task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenFailure {
    /// The task, by its id.
    pub task: Box<str>,
    /// The name of the tool, as the entry has it.
    pub tool: Box<str>,
    /// With which tool, about what.
    pub approach: Box<str>,
}

/// How an error ended: what had failed with it worked, in the same session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedError {
    /// How often that was.
    pub times: u32,
    /// Where, the last time.
    pub session: SessionId,
    /// When it had come last before.
    pub failed_at: Timestamp,
    /// The entry of the call that worked.
    pub worked: EntryId,
    /// When.
    pub at: Timestamp,
}

impl Ranked for EndedError {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.at.millis()
    }
}

/// What a recorded session is at.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    /// The task that its last prompt gave, by its id; empty where none has.
    pub task: Box<str>,
    /// The task in a few words.
    pub summary: Box<str>,
    /// The prompt that gave it.
    pub asked: Option<EntryId>,
    /// The beginning of its canonical text.
    pub canonical: Box<str>,
    /// Approaches that failed and have not worked since.
    pub open: Vec<OpenFailure>,
    /// Commands of the session that are hard to undo.
    pub staked: Vec<StakedCommand>,
    /// Causes for which a debate was called for.
    pub called: Vec<CalledDebate>,
    /// Runs in the background whose end nobody has seen.
    pub running: Vec<BackgroundRun>,
    /// A sub-agent that has not been told its task yet.
    #[sparse]
    pub awaits: bool,
    /// Debates are off.
    #[sparse]
    pub debates_off: bool,
    /// Failed calls.
    pub failed: u64,
    /// The last failed call.
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
    pub(super) fn failing(&mut self, open: OpenFailure) {
        self.open.retain(|known| *known != open);
        keep(&mut self.open, open, MOST_RUNS);
    }
}
