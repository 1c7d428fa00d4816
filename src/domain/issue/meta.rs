//! What an issue that a rule opened is about. Its text is made of this when somebody reads it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::kernel::grounding::DissentReason;
use crate::kernel::id::{EntryId, IssueId};

/// Issues with this tag set off no further ones.
pub const META_TAG: &str = "#meta";

/// What an issue that a rule opened is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Meta {
    /// A breaker stopped a discussion (control-room 3.3).
    Freeze {
        /// Which.
        about: IssueId,
        /// The rule that stopped it.
        rule: Box<str>,
        /// The check that failed, with its figures.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<Value>,
        /// What it said in words: only in lines from before edges made them of the check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<Box<str>>,
        /// The last comments, at most five.
        recent: Vec<EntryId>,
    },
    /// Somebody is to challenge a consensus (control-room 13.2).
    Dissent {
        /// Where.
        about: IssueId,
        /// Why.
        reason: DissentReason,
        /// For how many comments.
        comments: u32,
    },
    /// A tag is circled without results (control-room 8.1).
    Leech {
        /// Which.
        tag: Box<str>,
        /// Issues with it.
        issues: u64,
        /// How often agents read them.
        accesses: u64,
        /// How many were applied.
        applied: u64,
        /// How many were marked irrelevant.
        irrelevant: u64,
    },
    /// Anything else, in words.
    Note {
        /// The issue that it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<IssueId>,
        /// Markdown.
        body: Box<str>,
    },
}

impl Meta {
    /// The issue that it is about.
    pub fn about(&self) -> Option<&IssueId> {
        match self {
            Self::Freeze { about, .. } | Self::Dissent { about, .. } => Some(about),
            Self::Note { about, .. } => about.as_ref(),
            Self::Leech { .. } => None,
        }
    }
}
