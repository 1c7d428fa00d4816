//! What the roles say to each other: one type for each kind of the bus (artoo, contracts of R1 to R7).
//!
//! Data only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bus::MessageKind;
use super::ggs::{FailureClass, FinalResult, PlanDirective, RoundOutcome, SubTaskOutcome};
use super::plan::{Criterion, SubTask, TaskRequest, TaskSpec};
use super::tool::{ToolCall, ToolRequest};
use annals_kernel::grounding::words;
use annals_rules::domain::memory::quantum::MacroState;

words! {
    /// How R3 came out.
    pub enum ExecutionStatus {
        /// It says it is done; a claim.
        Completed = "completed",
        /// A call was in flight when the run was killed, or it ran out of steps.
        Uncertain = "uncertain",
        /// It could not.
        Failed = "failed",
    }
}

words! {
    /// What memory advises (artoo R5, "Dual-Channel Convolution Potentials").
    pub enum MemoryAction {
        /// SHOULD PREFER.
        Exploit = "exploit",
        /// MUST NOT.
        Avoid = "avoid",
        /// Confirm or sandbox.
        Caution = "caution",
        /// Leave out.
        Ignore = "ignore",
    }
}

/// What R2 asks of memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryQuery {
    /// `intent:…` or `tool:…`.
    pub space: String,
    /// `env:local` or `path:…`.
    pub entity: String,
}

/// One thing memory knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remembered {
    /// The pair it is about.
    pub space: String,
    /// The pair it is about.
    pub entity: String,
    /// What it advises.
    pub action: MemoryAction,
    /// What it says: common sense first, then the most recent experiences (decision 34).
    pub content: Vec<String>,
}

/// What memory says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryAnswer {
    /// What it knows.
    pub remembered: Vec<Remembered>,
}

/// What R4b has to expect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DispatchManifest {
    /// The task.
    pub task_id: String,
    /// The round, 1 the first.
    pub round: u32,
    /// What the combined output is checked by.
    pub task_criteria: Vec<Criterion>,
    /// The subtasks, and their groups.
    pub subtasks: Vec<SubTask>,
}

/// What R3 did (artoo R3, output contract).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExecutionResult {
    /// Of which subtask.
    pub subtask_id: String,
    /// Which attempt, 1 the first.
    pub attempt: u32,
    /// How it came out.
    pub status: ExecutionStatus,
    /// What it says; a claim.
    pub output: String,
    /// What it did: the evidence.
    pub tool_calls: Vec<ToolCall>,
}

/// What R3 has to do otherwise (artoo R4a).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorrectionSignal {
    /// Of which subtask.
    pub subtask_id: String,
    /// The attempt it is about.
    pub attempt: u32,
    /// What was wrong.
    pub what_was_wrong: String,
    /// What to do.
    pub what_to_do: String,
    /// Why it failed.
    pub failure_class: Option<FailureClass>,
}

impl CorrectionSignal {
    /// What stands before each criterion that is not met.
    pub const NOT_MET: &str = "- not met: ";

    /// What is said of the criteria that are not met.
    pub fn complaints(&self) -> impl Iterator<Item = &str> {
        self.what_was_wrong.lines().filter_map(|line| line.strip_prefix(Self::NOT_MET))
    }
}

/// What a subtask came to, with its output (artoo R4a, output contract).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeReport {
    /// The task.
    pub parent_task_id: String,
    /// As the solver is told.
    pub outcome: SubTaskOutcome,
    /// What R3 said in the end; a claim.
    pub output: String,
    /// What each met criterion rests on, so that a claim can cite it.
    #[serde(default)]
    pub evidence: Vec<CriterionEvidence>,
    /// What the tools gave that worked (artoo R4a, `tool_calls`).
    #[serde(default)]
    pub calls: Vec<CallEvidence>,
}

/// What a met criterion rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionEvidence {
    /// As R2 wrote it.
    pub criterion: String,
    /// What was seen.
    pub quote: String,
    /// The entries of the calls or checks that hold it.
    pub entries: Vec<String>,
}

/// A call that worked, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallEvidence {
    /// What was asked for, on one line.
    pub request: String,
    /// Head and tail of what came out, without what the call was told itself.
    pub output: String,
    /// The entry that records it.
    #[serde(default)]
    pub entry: Option<String>,
}

/// An experience, as memory is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MegramNote {
    /// What was used, or what was wanted.
    pub space: String,
    /// On what.
    pub entity: String,
    /// What happened.
    pub content: String,
    /// What the round came to, which says how much it weighs.
    pub state: MacroState,
}

/// A task is given up, and what is there is wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DraftRequest {
    /// Why.
    pub rationale: String,
}

/// What is there, what failed, what to try next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskDraft {
    /// What is there.
    pub achieved: Vec<String>,
    /// What failed.
    pub failed: Vec<String>,
    /// What to try next.
    pub next: Vec<String>,
}

/// What needs a person's yes (Law 1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRequest {
    /// The key of the call that waits for it.
    pub call: String,
    /// Of which subtask.
    pub subtask_id: String,
    /// What is to be done.
    pub request: ToolRequest,
    /// Why it cannot be taken back.
    pub why: String,
}

/// The person's answer; none in time is a no.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Approval {
    /// The key of the call.
    pub call: String,
    /// Whether it may be done, once.
    pub is_granted: bool,
    /// Why not, in the person's words; empty where they gave none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The person wants no more of it, or the agent that began it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Abort {
    /// The agent; none: the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Everything that is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum BusMessage {
    /// The person to R1.
    Request(TaskRequest),
    /// R1 to R2.
    TaskSpec(TaskSpec),
    /// R2 to R5.
    MemoryQuery(MemoryQuery),
    /// R5 to R2.
    MemoryAnswer(MemoryAnswer),
    /// R2 to R4b.
    DispatchManifest(DispatchManifest),
    /// R2 to R3.
    SubTask(SubTask),
    /// R3 to R4a.
    ExecutionResult(ExecutionResult),
    /// R4a to R3.
    CorrectionSignal(CorrectionSignal),
    /// R4a to R4b.
    SubTaskOutcome(OutcomeReport),
    /// R4b to R7.
    ReplanRequest(RoundOutcome),
    /// R4b to R7.
    OutcomeSummary(RoundOutcome),
    /// R7 to R2.
    PlanDirective(PlanDirective),
    /// R7 to R5.
    Megram(MegramNote),
    /// R7 to R2.
    DraftRequest(DraftRequest),
    /// R2 to R7.
    Draft(TaskDraft),
    /// R7 to the person.
    FinalResult(FinalResult),
    /// R3 to the person.
    ApprovalRequest(ApprovalRequest),
    /// The person to R3.
    Approval(Approval),
    /// The person to R7.
    Abort(Abort),
}

impl BusMessage {
    /// What it is.
    pub fn kind(&self) -> MessageKind {
        match self {
            Self::Request(_) => MessageKind::Request,
            Self::TaskSpec(_) => MessageKind::TaskSpec,
            Self::MemoryQuery(_) => MessageKind::MemoryQuery,
            Self::MemoryAnswer(_) => MessageKind::MemoryAnswer,
            Self::DispatchManifest(_) => MessageKind::DispatchManifest,
            Self::SubTask(_) => MessageKind::SubTask,
            Self::ExecutionResult(_) => MessageKind::ExecutionResult,
            Self::CorrectionSignal(_) => MessageKind::CorrectionSignal,
            Self::SubTaskOutcome(_) => MessageKind::SubTaskOutcome,
            Self::ReplanRequest(_) => MessageKind::ReplanRequest,
            Self::OutcomeSummary(_) => MessageKind::OutcomeSummary,
            Self::PlanDirective(_) => MessageKind::PlanDirective,
            Self::Megram(_) => MessageKind::Megram,
            Self::DraftRequest(_) => MessageKind::DraftRequest,
            Self::Draft(_) => MessageKind::Draft,
            Self::FinalResult(_) => MessageKind::FinalResult,
            Self::ApprovalRequest(_) => MessageKind::ApprovalRequest,
            Self::Approval(_) => MessageKind::Approval,
            Self::Abort(_) => MessageKind::Abort,
        }
    }
}
