//! What happens to canon.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::anchor::Number;
use super::claim::Claim;
use super::command::ConflictAnswer;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to canon.
    pub enum Event {
        /// An entry has a new version. Its text stands in the command.
        Established = "canon.entry.established" {
            /// The entry.
            key: Box<str>,
            /// The number of the new version.
            version: u32,
            /// The versions that it takes the place of.
            supersedes: Vec<Number>,
            /// A line.
            title: Box<str>,
            /// What is claimed.
            claims: Vec<Claim>,
            /// The issue that it comes from.
            source: Option<IssueId>,
        },
        /// An issue became canon.
        Promoted = "canon.issue.promoted" {
            /// Which.
            issue: IssueId,
            /// The entry.
            key: Box<str>,
            /// Its version.
            version: u32,
            /// What it contradicts all the same.
            conflicts: Vec<ClaimConflict>,
        },
        /// An entry holds no more.
        Retired = "canon.entry.retired" {
            /// The entry.
            key: Box<str>,
            /// The versions that held.
            #[always]
            versions: Vec<Number>,
        },
        /// Somebody noticed that a text contradicts canon.
        Detected = "canon.conflict.detected" {
            /// By whom.
            agent: AgentId,
            /// What is claimed, and what canon says.
            #[always]
            conflicts: Vec<ClaimConflict>,
        },
        /// It was said what is to become of such a text.
        Resolved = "canon.conflict.resolved" {
            /// What is to become of it.
            answer: ConflictAnswer,
            /// What is claimed, and what canon says, or said.
            #[always]
            conflicts: Vec<ClaimConflict>,
        },
        /// An agent kept a contradiction out, and whoever leads has answered it (control-room 14.4). Once for each.
        Prevented = "canon.conflict.prevented" {
            /// Who caught it.
            agent: AgentId,
            /// Which: the same claim against the same canon is one conflict.
            conflict: Box<str>,
        },
        /// A comment cites what holds no more (improvement B).
        Outdated = "canon.anchor.outdated" {
            /// In which issue it was cited.
            issue: IssueId,
            /// As it was cited.
            cited: Box<str>,
            /// Why it holds no more.
            because: Staleness,
            /// What holds now; none where it was retired.
            current: Vec<Number>,
        },
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

/// A claim, and what canon says instead.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimConflict {
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

words! {
    /// Why what was cited holds no more.
    pub enum Staleness {
        /// There is a later version.
        Superseded = "superseded",
        /// It was retired.
        Retired = "retired",
    }
}
