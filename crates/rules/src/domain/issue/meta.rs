//! What an issue that a rule opened is about. Its text is made of this when somebody reads it.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use annals_kernel::grounding::DissentReason;
use annals_kernel::id::{AgentId, EntryId, IssueId, ModelId};

/// Issues with this tag set off no further ones.
pub const META_TAG: &str = "#meta";

/// What an issue that a rule opened is about.
#[sparse]
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
        check: Option<Value>,
        /// What it said in words: only in lines from before edges made them of the check.
        message: Option<Box<str>>,
        /// The last comments, at most five.
        #[always]
        recent: Vec<EntryId>,
        /// Whose text it stopped.
        by: Option<AgentId>,
        /// The entry with that text.
        stopped: Option<EntryId>,
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
    /// An agent is penalised often (control-room 12.2).
    Reliability {
        /// Which.
        agent: AgentId,
        /// With which model.
        model: ModelId,
        /// Where it stands now: `watch` or `flagged`.
        level: Box<str>,
        /// Penalties among its last actions.
        penalties: u64,
        /// How many actions those are.
        actions: u64,
    },
    /// Several issues became this one (control-room 9.2).
    Joined {
        /// Which.
        #[always]
        from: BTreeSet<IssueId>,
        /// Markdown, of whoever joined them.
        body: Box<str>,
    },
    /// Anything else, in words: only in entries from before edges made them of facts.
    Note {
        /// The issue that it is about.
        about: Option<IssueId>,
        /// Markdown.
        body: Box<str>,
    },
}

impl Meta {
    /// All issues that it names.
    pub fn named(&self) -> impl Iterator<Item = &IssueId> {
        let joined = if let Self::Joined { from, .. } = self { Some(from) } else { None };
        self.about().into_iter().chain(joined.into_iter().flatten())
    }

    /// The issue that it is about.
    pub fn about(&self) -> Option<&IssueId> {
        match self {
            Self::Freeze { about, .. } | Self::Dissent { about, .. } => Some(about),
            Self::Note { about, .. } => about.as_ref(),
            Self::Leech { .. } | Self::Reliability { .. } | Self::Joined { .. } => None,
        }
    }
}
