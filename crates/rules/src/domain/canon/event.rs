//! What happens to canon.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::anchor::Number;
use super::claim::Claim;
use super::command::Answer;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to canon.
    pub enum Event {
        /// An entry has a new version. Its text stands in the command.
        Established(Established) = "canon.entry.established",
        /// An issue became canon.
        Promoted(Promoted) = "canon.issue.promoted",
        /// An entry holds no more.
        Retired(Retired) = "canon.entry.retired",
        /// Somebody noticed that a text contradicts canon.
        Detected(Detected) = "canon.conflict.detected",
        /// It was said what is to become of such a text.
        Resolved(Resolved) = "canon.conflict.resolved",
        /// An agent kept a contradiction out, and whoever leads has answered it (control-room 14.4). Once for each.
        Prevented(Prevented) = "canon.conflict.prevented",
        /// A comment cites what holds no more (improvement B).
        Outdated(Outdated) = "canon.anchor.outdated",
    }
}

impl Event {
    /// The entry that it changed.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Established(established) => Some(&established.key),
            Self::Retired(retired) => Some(&retired.key),
            Self::Promoted(_) | Self::Detected(_) | Self::Resolved(_) | Self::Prevented(_) | Self::Outdated(_) => None,
        }
    }
}

/// Fields of `canon.entry.established`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Established {
    /// The entry.
    pub key: Box<str>,
    /// The number of the new version.
    pub version: u32,
    /// The versions that it takes the place of.
    pub supersedes: Vec<Number>,
    /// A line.
    pub title: Box<str>,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The issue that it comes from.
    pub source: Option<IssueId>,
}

/// Fields of `canon.issue.promoted`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Promoted {
    /// Which.
    pub issue: IssueId,
    /// The entry.
    pub key: Box<str>,
    /// Its version.
    pub version: u32,
    /// What it contradicts all the same.
    pub conflicts: Vec<Conflict>,
}

/// Fields of `canon.entry.retired`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retired {
    /// The entry.
    pub key: Box<str>,
    /// The versions that held.
    pub versions: Vec<Number>,
}

/// A claim, and what canon says instead.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    /// What is claimed.
    pub claim: Claim,
    /// The entry that says something else.
    pub key: Box<str>,
    /// In this version.
    pub version: Number,
    /// What it says.
    pub value: Box<str>,
    /// The sentence that says so.
    pub said: Option<Box<str>>,
    /// The issue that it comes from.
    pub source: Option<IssueId>,
}

/// Fields of `canon.conflict.detected`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Detected {
    /// By whom.
    pub agent: AgentId,
    /// What is claimed, and what canon says.
    pub conflicts: Vec<Conflict>,
}

/// Fields of `canon.conflict.resolved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// What is to become of it.
    pub answer: Answer,
    /// What is claimed, and what canon says, or said.
    pub conflicts: Vec<Conflict>,
}

/// Fields of `canon.conflict.prevented`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prevented {
    /// Who caught it.
    pub agent: AgentId,
    /// Which: the same claim against the same canon is one conflict.
    pub conflict: Box<str>,
}

words! {
    /// Why what was cited holds no more.
    pub enum Staleness {
        /// There is a later version.
        Superseded = "superseded",
        /// It was retired.
        Retired = "retired",
    }
}

/// Fields of `canon.anchor.outdated`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outdated {
    /// In which issue it was cited.
    pub issue: IssueId,
    /// As it was cited.
    pub cited: Box<str>,
    /// Why it holds no more.
    pub because: Staleness,
    /// What holds now; none where it was retired.
    pub current: Vec<Number>,
}
