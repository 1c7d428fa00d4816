//! What a run needs from outside, as traits: so that a test, a server and a person at a terminal look alike to it.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use annals_role::criterion::CheckResult;
use annals_role::delegate::{AgentJob, AgentOutcome};
use annals_role::message::ApprovalRequest;
use annals_role::run::{BusSaid, CheckJob, RoleQuestion, ToolJob, UndoJob, Undone};
use annals_role::tool::ToolCall;
use annals_rules::domain::task::command::PauseReason;

/// What a future of a trait gives in the end.
pub type Awaited<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a model said, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelAnswer {
    /// As it came.
    pub text: String,
    /// What it thought first, where its server tells that apart.
    pub thoughts: String,
    /// Why it ended, where that was not by itself: `length`, `refused`, …
    pub ending: String,
    /// Which model, as its server names it.
    pub model: String,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written, thoughts included.
    pub tokens_out: u64,
    /// What it cost, in billionths of a dollar, where that is known.
    pub nano_usd: u64,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerTrouble {
    /// No model answered, whatever was tried.
    #[error("no model answered: {0}")]
    NoModel(String),
    /// The budget is used up.
    #[error("the budget is used up: {0}")]
    Budget(String),
    /// The question alone, or what it belongs to, is more than the budget holds: waiting changes nothing.
    #[error("the budget is used up: {0}")]
    OverBudget(String),
    /// A model refuses this very question, and would again: a prompt that is too long, above all.
    #[error("the model cannot take the question: {0}")]
    Unanswerable(String),
}

impl AnswerTrouble {
    /// Why a run stops for it; none where the role hears of it as an answer that cannot be read.
    pub fn pauses(&self) -> Option<PauseReason> {
        match self {
            Self::NoModel(_) => Some(PauseReason::NoModel),
            Self::Budget(_) | Self::OverBudget(_) => Some(PauseReason::Budget),
            Self::Unanswerable(_) => None,
        }
    }
}

/// An attempt that brought no answer, and was followed by another one or by none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Who was asked.
    pub model: String,
    /// Why it gave none.
    pub error: String,
    /// How long that took, in milliseconds.
    pub ms: u64,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskOutcome {
    /// In the end.
    pub end: Result<ModelAnswer, AnswerTrouble>,
    /// Before, in order.
    pub failed: Vec<FailedAttempt>,
}

impl From<Result<ModelAnswer, AnswerTrouble>> for AskOutcome {
    fn from(end: Result<ModelAnswer, AnswerTrouble>) -> Self {
        Self { end, failed: Vec::new() }
    }
}

/// Who answers questions.
pub trait Models: Send + Sync {
    /// Asks the model of a role. Retries and fallbacks are its matter.
    fn ask<'a>(&'a self, question: &'a RoleQuestion) -> Awaited<'a, AskOutcome>;
}

/// What came of a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolEnd {
    /// It ran.
    Ran(ToolCall),
    /// It cannot be taken back, and was not run.
    NeedsApproval(String),
}

/// Where effects happen. Called on a thread that may wait.
pub trait Tools: Send + Sync {
    /// Uses a tool.
    fn run(&self, job: &ToolJob) -> ToolEnd;
    /// Checks a criterion by code.
    fn check(&self, job: &CheckJob) -> CheckResult;
    /// Makes the workspace as it was at first.
    fn undo(&self, job: &UndoJob) -> Undone;
    /// Ends what runs: the person stops the run.
    fn stop(&self);
}

/// Who runs whole agents as executors. Called on a thread that may wait.
pub trait Agents: Send + Sync {
    /// Has an agent make an attempt, within its time.
    fn run(&self, job: &AgentJob) -> AgentOutcome;
    /// Ends those at work: the person stops the run.
    fn stop(&self);
}

/// What the person said to one action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    /// It may be done, once.
    Yes,
    /// It may not.
    No {
        /// Why not, in their words; empty where they gave none.
        reason: String,
    },
}

impl Consent {
    /// Without a reason: nobody was there.
    pub fn nobody() -> Self {
        Self::No { reason: String::new() }
    }
}

/// The person. Called on a thread that may wait.
pub trait Person: Send + Sync {
    /// Whether this one action may be done. Where nobody answers it may not.
    fn may(&self, asked: &ApprovalRequest) -> Consent;
}

/// Who watches a run.
pub trait Watch: Send + Sync {
    /// A message is on the record.
    fn said(&self, n: u32, said: &BusSaid, alive_ms: u64);
    /// A model is asked.
    fn asks(&self, question: &RoleQuestion);
    /// It answered.
    fn answered(&self, question: &RoleQuestion, answer: &ModelAnswer);
    /// A tool is used.
    fn uses(&self, job: &ToolJob);
    /// An agent makes an attempt.
    fn delegates(&self, job: &AgentJob);
    /// A new approach begins.
    fn undone(&self, undone: &Undone);
}

/// Tells a run to stop.
#[derive(Debug, Default)]
pub struct Stop {
    is_wanted: AtomicBool,
    is_left: AtomicBool,
    told: Notify,
}

impl Stop {
    /// Stop. What is on the record stays.
    pub fn stop(&self) {
        self.is_wanted.store(true, Ordering::SeqCst);
        self.told.notify_waiters();
        self.told.notify_one();
    }

    /// Stop, and leave the task to another process, which ends it.
    pub fn leave(&self) {
        self.is_left.store(true, Ordering::SeqCst);
        self.stop();
    }

    /// Whether it is wanted.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::SeqCst)
    }

    /// Whether the task is left to another process.
    pub fn is_left(&self) -> bool {
        self.is_left.load(Ordering::SeqCst)
    }

    /// Waits until it is wanted.
    pub async fn wanted(&self) {
        while !self.is_wanted() {
            self.told.notified().await;
        }
    }
}
