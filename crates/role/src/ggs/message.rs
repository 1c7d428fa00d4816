//! What the solver says: a directive or the final result, and the megrams it drafts (artoo R7, contract).
//!
//! Data only. Who may hear it is known to the bus, and how a draft becomes a megram to memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::explain::Forced;
use super::failure::FailureMix;
use super::loss::Loss;
use super::reading::{Gradient, Reading};
use super::state::{Directive, Terminal};
use super::urgency::Urgency;
use annals_kernel::grounding::words;
use annals_rules::domain::memory::quantum::MacroState;

words! {
    /// What was said in the round before.
    #[derive(Default)]
    pub enum PreviousDirective {
        /// Nothing: it was the first one.
        #[default]
        Init = "init",
        /// Tighten the parameters.
        Refine = "refine",
        /// Another target.
        ChangePath = "change_path",
        /// Another method.
        ChangeApproach = "change_approach",
        /// A class of tools that was not tried.
        BreakSymmetry = "break_symmetry",
    }
}

impl From<Directive> for PreviousDirective {
    fn from(directive: Directive) -> Self {
        match directive {
            Directive::Refine => Self::Refine,
            Directive::ChangePath => Self::ChangePath,
            Directive::ChangeApproach => Self::ChangeApproach,
            Directive::BreakSymmetry => Self::BreakSymmetry,
        }
    }
}

/// To R2: what it must do otherwise. The solver's own state is folded from it, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDirective {
    /// Of which task.
    pub task_id: String,
    /// How it stands.
    pub loss: Loss,
    /// What was said in the round before.
    pub prev_directive: PreviousDirective,
    /// What is said now.
    pub directive: Directive,
    /// Tools that R2 must not use.
    pub blocked_tools: Vec<String>,
    /// Inputs that R2 must not use: all that failed in this task.
    pub blocked_targets: Vec<String>,
    /// The failed criterion that weighs most; empty where there is none.
    pub failed_criterion: String,
    /// What is to blame.
    pub failure_class: FailureMix,
    /// Ω.
    pub budget_pressure: Reading,
    /// ∇L.
    pub grad_l: Gradient,
    /// Why, in one line.
    pub rationale: String,
    /// How hard it is meant.
    pub urgency: Urgency,
    /// The number of the cell, 1 to 24.
    pub cell: u8,
    /// Worsening rounds in a row (Law 2).
    pub worsening: u32,
    /// So many directives, this one included.
    pub replans: u32,
}

/// To the user: how the task ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FinalResult {
    /// Of which task.
    pub task_id: String,
    /// As R4b put it; R2 drafts a better one where a task is given up.
    pub summary: String,
    /// What was merged, also where it is not all.
    pub output: serde_json::Value,
    /// How it stood.
    pub loss: Loss,
    /// ∇L.
    pub grad_l: Gradient,
    /// So many directives went before.
    pub replans: u32,
    /// What was said in the round before.
    pub prev_directive: PreviousDirective,
    /// How it ended.
    pub directive: Terminal,
    /// What overrode the cell.
    pub forced: Option<Forced>,
    /// Why, in one line.
    pub rationale: String,
    /// Where it is given up: the subtask whose one attempt is what the files hold, to be looked at. No check shows that it
    /// does what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
}

/// What the solver answers a round with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum Answer {
    /// Another round.
    PlanDirective(PlanDirective),
    /// The end.
    FinalResult(FinalResult),
}

/// What a megram is about (artoo R5, "Tag conventions").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MegramSubject {
    /// A tool on a target: `tool:…`, `path:…`.
    Target {
        /// The tool.
        tool: String,
        /// What it was used on.
        target: String,
    },
    /// The task: `intent:…`, `env:local`.
    Task,
}

/// A megram to be written; its weight follows from the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MegramDraft {
    /// What the round came to.
    pub state: MacroState,
    /// What it is about.
    pub subject: MegramSubject,
}

/// The answer to a round, and what is to be remembered of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ruling {
    /// To R2 or to the user.
    pub answer: Answer,
    /// To R5: one for each newly blocked target, or one for the task.
    pub megrams: Vec<MegramDraft>,
}
