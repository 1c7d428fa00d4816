//! What happens to a blind pass.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Fate;
use annals_kernel::grounding::Stance;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to a blind pass.
    pub enum Event {
        /// Agents are asked for their opinion, each by itself.
        Opened(Opened) = "blind.pass.opened",
        /// One of them gave it, sealed.
        Submitted(Submitted) = "blind.opinion.submitted",
        /// The opinions may be read.
        Closed(Closed) = "blind.pass.closed",
        /// The text of one was brought, and is what was sealed.
        Revealed(Revealed) = "blind.opinion.revealed",
        /// The text of one is gone, is not what was sealed, or is stopped by the rules of words.
        Lost(Lost) = "blind.opinion.lost",
    }
}

/// Fields of `blind.pass.opened`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// On which issue.
    pub issue: IssueId,
    /// Who is asked.
    pub participants: BTreeSet<AgentId>,
}

/// Fields of `blind.opinion.submitted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submitted {
    /// On which issue.
    pub issue: IssueId,
    /// Whose.
    pub agent: AgentId,
    /// Its salted SHA-256 (decision 40).
    pub seal: Box<str>,
}

/// Fields of `blind.pass.closed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Closed {
    /// On which issue.
    pub issue: IssueId,
}

/// Fields of `blind.opinion.revealed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revealed {
    /// On which issue.
    pub issue: IssueId,
    /// Whose.
    pub agent: AgentId,
    /// For, against, or neither.
    pub stance: Stance,
}

/// Fields of `blind.opinion.lost`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// On which issue.
    pub issue: IssueId,
    /// Whose.
    pub agent: AgentId,
    /// Missing, changed or rejected.
    pub fate: Fate,
}
