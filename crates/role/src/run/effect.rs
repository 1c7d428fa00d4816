//! What a task wants done, and what comes back.
//!
//! Data only. Each effect that is answered has a key, which says what it is for: the same in every run of the same task,
//! so that an answer that was recorded is found again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bus::Party;
use crate::criterion::CheckResult;
use crate::delegate::{AgentJob, AgentOutcome};
use crate::message::BusMessage;
use crate::plan::CriterionCheck;
use crate::prompt::RolePrompt;
use crate::tool::{ToolCall, ToolRequest};

use super::undoing::{UndoJob, Undone};

/// What an effect is for: `executor.T-r1-s1.a1.3`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EffectKey(String);

impl From<String> for EffectKey {
    fn from(key: String) -> Self {
        Self(key)
    }
}

impl EffectKey {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is of a check that is made before anything is done.
    pub fn is_baseline(&self) -> bool {
        self.0.starts_with(BASELINE)
    }

    /// Whether it asks for the draft of what is given up.
    pub fn is_draft(&self) -> bool {
        self.0.starts_with(DRAFT)
    }
}

/// What the key of a check begins with that is made before anything is done.
pub(super) const BASELINE: &str = "baseline.";
/// What the key of a draft begins with.
pub(super) const DRAFT: &str = "draft.";

impl fmt::Display for EffectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What a task wants done.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEffect {
    /// Put a message on the bus. Memory answers its queries, the person what needs an approval; nobody else answers.
    Say(BusSaid),
    /// Ask a model.
    Ask(RoleQuestion),
    /// Use a tool.
    Use(ToolJob),
    /// Have an agent make an attempt at a subtask.
    Delegate(AgentJob),
    /// Check a criterion by code.
    Check(CheckJob),
    /// Make the workspace as it was at first.
    Undo(UndoJob),
}

/// A message, from one role to another.
#[derive(Debug, Clone, PartialEq)]
pub struct BusSaid {
    /// Who says it.
    pub from: Party,
    /// To whom.
    pub to: Party,
    /// What.
    pub message: BusMessage,
}

/// A question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleQuestion {
    /// What it is for.
    pub key: EffectKey,
    /// Who asks.
    pub role: Party,
    /// What.
    pub prompt: RolePrompt,
}

/// Whether what cannot be taken back may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The person was not asked: what cannot be taken back comes back as `Input::NeedsApproval`.
    NotAsked,
    /// Nor will be: what cannot be taken back is a failed call, by `ToolJob::refused`.
    NotToBeAsked,
    /// The person said yes to this one action.
    Granted,
}

/// A tool to be used.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolJob {
    /// What it is for.
    pub key: EffectKey,
    /// In which subtask.
    pub subtask_id: String,
    /// Which tool, on what.
    pub request: ToolRequest,
    /// Whether the person was asked.
    pub permission: Permission,
}

/// Said of a call that a person would have to be asked about, for a proposal.
const NO_PROPOSAL: &str = "permission denied: what cannot be taken back is no proposal";

impl ToolJob {
    /// It cannot be taken back, and was not done, since nobody is asked about it.
    pub fn refused(&self) -> ToolCall {
        ToolCall::failed(self.request.clone(), NO_PROPOSAL)
    }
}

/// A criterion to be checked by code.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckJob {
    /// What it is for.
    pub key: EffectKey,
    /// What.
    pub check: CriterionCheck,
}

/// How fast a model wrote; zeros where nobody knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Tokens written.
    pub tokens: u64,
    /// In so many milliseconds.
    pub ms: u64,
}

/// What came of an effect, or from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum RunInput {
    /// What a model answered, as it stands.
    Answered {
        /// Of which question.
        key: EffectKey,
        /// The answer.
        text: String,
        /// How fast it came.
        pace: Pace,
    },
    /// What a tool gave.
    Used {
        /// Of which job.
        key: EffectKey,
        /// The call and its result.
        call: ToolCall,
    },
    /// What came of an agent.
    Delegated {
        /// Of which job.
        key: EffectKey,
        /// How it ended, and what it wrote.
        outcome: AgentOutcome,
    },
    /// The job cannot be taken back, and was not done.
    NeedsApproval {
        /// Which job.
        key: EffectKey,
        /// Why.
        why: String,
    },
    /// What code found.
    Checked {
        /// Of which job.
        key: EffectKey,
        /// What.
        result: CheckResult,
    },
    /// What became of the workspace.
    Undone {
        /// Of which job.
        key: EffectKey,
        /// What.
        undone: Undone,
    },
    /// What memory or the person says.
    Heard(BusMessage),
}
