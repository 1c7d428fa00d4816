//! What is to be done and how it is checked, as R1 and R2 put it (artoo R1, R2; decision 62).
//!
//! Data only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ggs::CriterionMode;

/// What limits a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Constraints {
    /// Where it may act, in the person's words.
    #[serde(default)]
    pub scope: Option<String>,
    /// Until when, ISO 8601.
    #[serde(default)]
    pub deadline: Option<String>,
}

/// What R1 understood (artoo R1). No criteria: they are R2's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSpec {
    /// A short name in snake case, made by R1; for people. The id of the task is minted by the engine.
    pub slug: String,
    /// The goal, faithfully restated.
    pub intent: String,
    /// What limits it.
    #[serde(default)]
    pub constraints: Constraints,
    /// The person's words.
    pub raw_input: String,
}

/// An earlier request of the session, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastTurn {
    /// What was asked for.
    pub input: String,
    /// What came of it.
    pub summary: String,
}

/// What the person wants: their words, and the last five turns of the session, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRequest {
    /// Their words.
    pub raw_input: String,
    /// The turns before.
    #[serde(default)]
    pub history: Vec<PastTurn>,
    /// Command lines that end with 0 when it is done, as the person says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
}

/// What code can check (decision 62).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CriterionCheck {
    /// A command line ends with an exit code.
    Run {
        /// The command line.
        run: String,
        /// 0 where nothing is said.
        #[serde(default)]
        expect_exit: i32,
    },
    /// A file holds a text.
    FileContains {
        /// Which, below the workspace.
        file: String,
        /// The text.
        contains: String,
    },
    /// A file matches an expression.
    FileMatches {
        /// Which.
        file: String,
        /// The expression.
        matches: String,
    },
    /// A file is not there, or is.
    FileAbsent {
        /// Which.
        file: String,
        /// `true`: it must not be there; `false`: it must.
        absent: bool,
    },
    /// What a command line writes matches an expression.
    OutputMatches {
        /// The command line.
        command_output: String,
        /// The expression.
        matches: String,
    },
    /// Files are as they were before the task, in the form that the person's words named them.
    Untouched {
        /// Which.
        untouched: Vec<String>,
    },
    /// Files that were there before the task still hold most of their lines, perhaps with more in them.
    Kept {
        /// Which; a `*` stands for anything.
        kept: Vec<String>,
    },
    /// Files that were there before the task are there, and none was cut down to half of its lines.
    Stays {
        /// Which; a `*` stands for anything.
        stays: Vec<String>,
    },
    /// Files that the task changed can be read still by whoever reads their kind, where they could before or are new.
    Parses {
        /// Which; a `*` stands for anything.
        parses: Vec<String>,
    },
}

impl CriterionCheck {
    /// The one file that it looks at: whether it is there, or what it holds.
    pub fn file(&self) -> Option<&str> {
        let (Self::FileContains { file, .. } | Self::FileMatches { file, .. } | Self::FileAbsent { file, .. }) = self
        else {
            return None;
        };
        Some(file)
    }

    /// The text that a file is to hold, or the expression that it is to match.
    pub fn text(&self) -> Option<&str> {
        let (Self::FileContains { contains: text, .. } | Self::FileMatches { matches: text, .. }) = self else {
            return None;
        };
        Some(text)
    }

    /// The command line that it runs.
    pub fn command(&self) -> Option<&str> {
        let (Self::Run { run: line, .. } | Self::OutputMatches { command_output: line, .. }) = self else {
            return None;
        };
        Some(line)
    }
}

/// An assertion about a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Criterion {
    /// In words.
    pub text: String,
    /// How code checks it; where there is none, it is plausible.
    #[serde(default)]
    pub check: Option<CriterionCheck>,
}

impl Criterion {
    /// Who judges it.
    pub fn mode(&self) -> CriterionMode {
        if self.check.is_some() { CriterionMode::Verifiable } else { CriterionMode::Plausible }
    }
}

/// A part of a task (artoo R3, input contract).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubTask {
    /// Minted by the engine, never taken from a model (decision 32).
    pub subtask_id: String,
    /// The task.
    pub parent_task_id: String,
    /// What is wanted of it.
    pub intent: String,
    /// Everything the executor needs beyond the intent.
    #[serde(default)]
    pub context: String,
    /// What its output is checked by.
    pub success_criteria: Vec<Criterion>,
    /// The same number: at the same time. A greater one: after those before, with their output.
    pub sequence: u32,
}

/// A subtask as R2 wrote it, before it has an id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedSubTask {
    /// The group.
    pub sequence: u32,
    /// What is wanted of it.
    pub intent: String,
    /// What the executor needs beyond that.
    #[serde(default)]
    pub context: String,
    /// What it is checked by.
    pub success_criteria: Vec<Criterion>,
    /// The tools and targets it means to use, so that the validator can hold them against the MUST NOT set.
    #[serde(default)]
    pub tools: Vec<PlannedTool>,
}

/// A tool that a plan means to use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedTool {
    /// Which.
    pub tool: String,
    /// On what, where the plan says so.
    #[serde(default)]
    pub target: Option<String>,
}

/// What R2 plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskPlan {
    /// Assertions about the combined output.
    pub task_criteria: Vec<Criterion>,
    /// The parts.
    pub subtasks: Vec<PlannedSubTask>,
    /// What could be done instead, where urgency demands that R2 thinks of it (decision 67).
    #[serde(default)]
    pub alternatives: Vec<String>,
}

impl TaskPlan {
    /// Those of its parts, and those of the whole.
    pub fn criteria(&self) -> impl Iterator<Item = &Criterion> {
        self.subtasks.iter().flat_map(|subtask| &subtask.success_criteria).chain(&self.task_criteria)
    }
}
