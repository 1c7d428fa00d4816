//! A task of the control loop, from the request to the final result: the roles joined, as a state machine (artoo, "System
//! Architecture").
//!
//! Pure: what came in (answers, tool results, checks, the words of the person and of memory) leads to effects, as data.
//! Asks no model, runs no tool, sends nothing, reads no clock: how long the task has been alive comes with each input. So
//! the same inputs in the same order give the same messages, and a run that was killed goes on from its record.

mod delegating;
mod effect;
mod gate;
mod in_the_end;
mod limits;
mod own_checks;
mod perceive;
mod planning;
mod proposing;
mod proving;
mod setting;
mod subtask;
mod summary;
#[cfg(test)]
mod tests;
mod undoing;
mod working;

use std::collections::{BTreeMap, VecDeque};

pub use effect::{BusSaid, CheckJob, EffectKey, Pace, Permission, RoleQuestion, RunEffect, RunInput, ToolJob};
pub use limits::RunLimits;
pub use proposing::GivenUp;
pub use setting::{BanReach, GateLooks, RunSetting, WordsReach};
pub use undoing::{NewApproach, UndoJob, Undone};

use super::bus::Party;
use super::evidence::own_words::OwnWords;
use super::ggs::Ggs;
use super::message::{BusMessage, MemoryAnswer, OutcomeReport};
use super::meta_validator::Gathering;
use super::plan::{CriterionCheck, TaskRequest, TaskSpec};
use super::planner::{self, Forbidden, MustNot};
use super::prompt::BadAnswer;
use gate::Gating;
use working::SubTaskWork;

/// Where a task stands.
#[derive(Debug, Clone, PartialEq)]
enum RunStage {
    /// Code looks which of the person's checks fail now.
    Trying { at: usize },
    /// R1 is asked.
    Perceiving(Tries),
    /// Memory is asked: so many answers are missing.
    Recalling { missing: usize },
    /// The workspace is made as it was at first.
    Undoing,
    /// R2 is asked.
    Planning(Tries),
    /// Memory is asked for what a plan means to use.
    Confirming(Box<planning::Confirming>),
    /// Code looks whether the checks of a plan can prove anything.
    Proving(Box<proving::Proving>),
    /// R3 and R4a work on subtasks.
    Working,
    /// R4b judges.
    Gating(Gating),
    /// What the words ask for is tried once more, for the person to look at.
    Proposing(Box<proposing::Proposing>),
    /// R2 says what is there, for a task that is given up.
    Drafting { tries: Tries, close: Box<gate::Closing> },
    /// The final result is out.
    Ended,
}

/// How often a question was asked whose answer could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
struct Tries {
    asked: u32,
    rejected: Option<BadAnswer>,
}

impl Tries {
    fn again(&self, rejected: BadAnswer) -> Self {
        Self { asked: self.asked + 1, rejected: Some(rejected) }
    }
}

/// What waits for an input.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Waiting {
    Perceiver,
    Planner,
    MetaValidator,
    Draft,
    Undo,
    OwnCheck,
    Baseline,
    TaskCheck,
    ProposalCheck,
    Executor(String),
    Tool(String),
    Agent(String),
    Check(String),
    AgentValidator(String),
}

/// A task that goes on.
#[derive(Debug, Clone)]
pub struct TaskRun {
    setting: RunSetting,
    request: TaskRequest,
    /// What its words forbid.
    forbidden: Forbidden,
    stage: RunStage,
    spec: Option<TaskSpec>,
    memory: MemoryAnswer,
    directive: Option<super::ggs::PlanDirective>,
    round: u32,
    /// What the round before came to.
    before: Vec<OutcomeReport>,
    gathering: Option<Gathering>,
    /// What the last round that had a plan tried, as memory is told of it.
    tried: String,
    /// What its calls wrote: read back, it shows that it was written.
    written: OwnWords,
    working: BTreeMap<String, SubTaskWork>,
    solver: Ggs,
    /// Whether this round begins from what was there at first, all that was done undone.
    is_anew: bool,
    /// Whether the last round changed what the person forbade.
    is_broken: bool,
    /// What the rounds so far left.
    standing: proposing::Standing,
    /// Whether it is known how fast a model is.
    is_paced: bool,
    /// Checks that failed before what they check was done.
    telling: Vec<CriterionCheck>,
    waiting: BTreeMap<EffectKey, Waiting>,
    alive_ms: u64,
    out: VecDeque<RunEffect>,
}

impl TaskRun {
    /// A task begins: the request is on the bus, and the person's checks are tried, or R1 is asked.
    pub fn begin(setting: RunSetting, request: TaskRequest) -> (Self, Vec<RunEffect>) {
        let solver = Ggs::new(setting.task_id.clone());
        let mut run = Self {
            setting,
            forbidden: Forbidden::by(&request.raw_input),
            request: request.clone(),
            stage: RunStage::Perceiving(Tries::default()),
            spec: None,
            memory: MemoryAnswer::default(),
            directive: None,
            round: 0,
            before: Vec::new(),
            gathering: None,
            tried: String::new(),
            written: OwnWords::default(),
            working: BTreeMap::new(),
            solver,
            is_anew: false,
            is_broken: false,
            standing: proposing::Standing::Nothing,
            is_paced: false,
            telling: Vec::new(),
            waiting: BTreeMap::new(),
            alive_ms: 0,
            out: VecDeque::new(),
        };
        run.say(Party::User, Party::Perceiver, BusMessage::Request(request));
        run.try_own(0);
        let effects = run.out.drain(..).collect();
        (run, effects)
    }

    /// What follows from an input. One that nothing waits for changes nothing.
    pub fn take(&mut self, input: RunInput, alive_ms: u64) -> Vec<RunEffect> {
        self.alive_ms = self.alive_ms.max(alive_ms);
        match input {
            RunInput::Heard(message) => self.heard(message),
            RunInput::Answered { key, text, pace } => self.answered(&key, &text, pace),
            RunInput::Used { key, call } => {
                if let Some(Waiting::Tool(subtask)) = self.waiting.remove(&key) {
                    self.used(&subtask, call);
                }
            }
            RunInput::Delegated { key, outcome } => {
                if let Some(Waiting::Agent(subtask)) = self.waiting.remove(&key) {
                    self.delegated(&subtask, &outcome);
                }
            }
            RunInput::Undone { key, undone } => {
                if let Some(Waiting::Undo) = self.waiting.remove(&key) {
                    self.undone(&undone);
                }
            }
            RunInput::Checked { key, result } => match self.waiting.remove(&key) {
                Some(Waiting::Check(subtask)) => self.checked(&subtask, result),
                Some(Waiting::OwnCheck) => self.own_checked(result),
                Some(Waiting::Baseline) => self.proved(result),
                Some(Waiting::TaskCheck) => self.task_checked(result),
                Some(Waiting::ProposalCheck) => self.proposal_checked(&result),
                Some(_) | None => {}
            },
            RunInput::NeedsApproval { key, why } => self.needs_approval(&key, why),
        }
        self.out.drain(..).collect()
    }

    /// What must not be used: by memory, by R7, by the person.
    fn must_not(&self) -> MustNot {
        planner::must_not(&self.memory, self.directive.as_ref()).and(&self.forbidden)
    }

    /// Whether the final result is out.
    pub fn has_ended(&self) -> bool {
        self.stage == RunStage::Ended
    }

    /// What waits for an input, by its key.
    pub fn pending(&self) -> impl Iterator<Item = &EffectKey> {
        self.waiting.keys()
    }

    /// The first answer of some length shows how fast the model is, and how much time the task needs.
    fn answered(&mut self, key: &EffectKey, text: &str, pace: Pace) {
        let waiting = self.waiting.remove(key);
        if waiting.is_some() {
            self.pace(pace, text);
        }
        match waiting {
            Some(Waiting::Perceiver) => self.perceived(text),
            Some(Waiting::Planner) => self.planned(text),
            Some(Waiting::MetaValidator) => self.judged(text),
            Some(Waiting::Draft) => self.drafted(text),
            Some(Waiting::Executor(subtask)) => self.executed(&subtask, text),
            Some(Waiting::AgentValidator(subtask)) => self.validated(&subtask, text),
            Some(
                Waiting::Undo
                | Waiting::OwnCheck
                | Waiting::Baseline
                | Waiting::TaskCheck
                | Waiting::ProposalCheck
                | Waiting::Tool(_)
                | Waiting::Agent(_)
                | Waiting::Check(_),
            )
            | None => {}
        }
    }

    /// Where a server counts no tokens, they are as many as four characters each.
    fn pace(&mut self, pace: Pace, text: &str) {
        let counted = if pace.tokens > 0 { pace.tokens } else { text.chars().count() as u64 / 4 };
        if self.is_paced || pace.ms == 0 {
            return;
        }
        if let Some(limits) = self.setting.limits.at_pace(Pace { tokens: counted, ..pace }) {
            (self.setting.limits, self.is_paced) = (limits, true);
        }
    }

    fn heard(&mut self, message: BusMessage) {
        match message {
            BusMessage::MemoryAnswer(answer) => self.recalled(answer),
            BusMessage::Approval(approval) => self.approved(&approval),
            BusMessage::Abort(abort) => self.abort(abort),
            BusMessage::Request(_)
            | BusMessage::TaskSpec(_)
            | BusMessage::MemoryQuery(_)
            | BusMessage::DispatchManifest(_)
            | BusMessage::SubTask(_)
            | BusMessage::ExecutionResult(_)
            | BusMessage::CorrectionSignal(_)
            | BusMessage::SubTaskOutcome(_)
            | BusMessage::ReplanRequest(_)
            | BusMessage::OutcomeSummary(_)
            | BusMessage::PlanDirective(_)
            | BusMessage::Megram(_)
            | BusMessage::DraftRequest(_)
            | BusMessage::Draft(_)
            | BusMessage::FinalResult(_)
            | BusMessage::ApprovalRequest(_) => {}
        }
    }

    fn say(&mut self, from: Party, to: Party, message: BusMessage) {
        self.out.push_back(RunEffect::Say(BusSaid { from, to, message }));
    }

    fn ask(&mut self, key: String, role: Party, prompt: super::prompt::RolePrompt, waiting: Waiting) {
        let key = EffectKey::from(key);
        self.waiting.insert(key.clone(), waiting);
        self.out.push_back(RunEffect::Ask(RoleQuestion { key, role, prompt }));
    }

    fn check(&mut self, key: String, check: CriterionCheck, waiting: Waiting) {
        let key = EffectKey::from(key);
        self.waiting.insert(key.clone(), waiting);
        self.out.push_back(RunEffect::Check(CheckJob { key, check }));
    }

    fn spec(&self) -> &TaskSpec {
        self.spec.as_ref().expect("BUG: R1 comes first")
    }
}
