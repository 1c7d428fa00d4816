//! What a round of a task came to, as the solver is told (artoo R4a and R4b, output contracts).
//!
//! Data only. Who judged the criteria, and how, is known to R4a and R4b.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::failure::FailureClass;
use annals_kernel::grounding::words;

words! {
    /// What R4a says of a subtask in the end.
    pub enum SubTaskStatus {
        /// All its criteria are met.
        Matched = "matched",
        /// They are not, or it could not run.
        Failed = "failed",
    }
}

words! {
    /// What became of a criterion.
    pub enum Verdict {
        /// Met.
        Pass = "pass",
        /// Not met.
        Fail = "fail",
    }
}

words! {
    /// Who can judge a criterion (decision 62: whatever code cannot check is plausible).
    #[derive(Default)]
    pub enum CriterionMode {
        /// Code can: a failure counts whole.
        Verifiable = "verifiable",
        /// A model can: a failure counts as often as it came back, k of N attempts.
        #[default]
        Plausible = "plausible",
    }
}

words! {
    /// What R4b says of the merged result.
    pub enum Gate {
        /// Every task criterion is met.
        Accepted = "accepted",
        /// A subtask failed, a task criterion is not met, or it is in doubt.
        Rejected = "rejected",
    }
}

words! {
    /// How a tool call ended.
    pub enum CallResult {
        /// With a result.
        Worked = "worked",
        /// Without one.
        Failed = "failed",
    }
}

/// What became of one criterion, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionVerdict {
    /// As R2 wrote it.
    pub criterion: String,
    /// Who can judge it.
    #[serde(default)]
    pub mode: CriterionMode,
    /// What became of it.
    pub verdict: Verdict,
    /// Why it failed, where R4a said so.
    #[serde(default)]
    pub failure_class: Option<FailureClass>,
    /// What the verdict rests on.
    #[serde(default)]
    pub evidence: String,
}

/// One attempt of the fast loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GapAttempt {
    /// The criteria it did not meet, as R2 wrote them.
    pub unmet_criteria: Vec<String>,
    /// Why, where R4a said so.
    #[serde(default)]
    pub failure_class: Option<FailureClass>,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolUse {
    /// Its name.
    pub tool: String,
    /// The specific input: a query, a path, a command. What fails here may not be used again, so that an edit says what
    /// it looked for, too, and not the file alone.
    pub target: String,
    /// How it ended.
    pub result: CallResult,
}

/// What a subtask came to (artoo R4a, `SubTaskOutcome`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubTaskOutcome {
    /// Minted by the engine (decision 32).
    pub subtask_id: String,
    /// What R4a says in the end.
    pub status: SubTaskStatus,
    /// Why it failed, in words.
    #[serde(default)]
    pub failure_reason: Option<String>,
    /// Every attempt, the last one included.
    #[serde(default)]
    pub gap_trajectory: Vec<GapAttempt>,
    /// What became of its criteria.
    #[serde(default)]
    pub criteria_verdicts: Vec<CriterionVerdict>,
    /// The tools it called, in order.
    #[serde(default)]
    pub tool_uses: Vec<ToolUse>,
}

/// What a round came to (artoo R4b, `OutcomeSummary` and `ReplanRequest`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundOutcome {
    /// What R4b says of it.
    pub gate: Gate,
    /// All of its subtasks, matched and failed.
    pub outcomes: Vec<SubTaskOutcome>,
    /// What became of the task criteria, where R4b came so far.
    #[serde(default)]
    pub task_verdicts: Vec<CriterionVerdict>,
    /// The summary, or the gap, in R4b's words.
    #[serde(default)]
    pub summary: String,
    /// What was merged.
    #[serde(default)]
    pub merged_output: serde_json::Value,
    /// Checks that the person gave, and that do not hold, as far as anybody knows. While there are any nothing is near enough.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unmet_demands: u32,
    /// How long the task has been alive, in milliseconds.
    pub elapsed_ms: u64,
}

impl CriterionVerdict {
    /// Whether it is not met.
    pub fn is_failed(&self) -> bool {
        self.verdict == Verdict::Fail
    }
}

impl SubTaskOutcome {
    /// The criteria it did not meet.
    pub fn failed_verdicts(&self) -> impl Iterator<Item = &CriterionVerdict> {
        self.criteria_verdicts.iter().filter(|verdict| verdict.is_failed())
    }

    /// Whether it failed, or did not meet a criterion all the same.
    pub fn is_failing(&self) -> bool {
        self.status == SubTaskStatus::Failed || self.failed_verdicts().next().is_some()
    }
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl RoundOutcome {
    /// The subtasks that R2 has to plan otherwise.
    pub fn failing(&self) -> impl Iterator<Item = &SubTaskOutcome> {
        self.outcomes.iter().filter(|outcome| outcome.is_failing())
    }

    /// The task criteria that are not met.
    pub fn failed_task_verdicts(&self) -> impl Iterator<Item = &CriterionVerdict> {
        self.task_verdicts.iter().filter(|verdict| verdict.is_failed())
    }
}
