//! What the moderator can ask.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::{Freedom, Profile};
use annals_kernel::actor::Role;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What the moderator can ask.
    pub enum Command {
        /// Let no new issues come under a tag.
        FreezeTag(FreezeTag) = "moderation.tag.freeze",
        /// Let them come again.
        UnfreezeTag(UnfreezeTag) = "moderation.tag.unfreeze",
        /// Give an agent more or less freedom.
        Adjust(Adjust) = "moderation.agent.adjust",
        /// Hand an issue on to the user.
        Escalate(Escalate) = "moderation.issue.escalate",
        /// Join issues into a new one.
        Consolidate(Consolidate) = "moderation.issue.consolidate",
        /// Let an agent work in smaller portions.
        Assist(Assist) = "moderation.assist.begin",
        /// Let it work as others do.
        Unassist(Unassist) = "moderation.assist.end",
        /// Say how agents of a role remember.
        Remember(Remember) = "moderation.profile.change",
        /// Record how the swarm fares.
        Record(Record) = "moderation.report.record",
    }
}

/// Fields of `moderation.tag.freeze`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FreezeTag {
    /// Which, with or without `#`.
    pub tag: Box<str>,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `moderation.tag.unfreeze`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnfreezeTag {
    /// Which, with or without `#`.
    pub tag: Box<str>,
}

/// Fields of `moderation.agent.adjust`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Adjust {
    /// Which.
    pub agent: AgentId,
    /// How much.
    pub freedom: Freedom,
}

/// Fields of `moderation.issue.escalate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Escalate {
    /// Which.
    pub issue: IssueId,
    /// What the user should know and decide.
    pub summary: Box<str>,
}

/// Fields of `moderation.issue.consolidate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Consolidate {
    /// Which: they are closed, as parts of the new one.
    pub issues: BTreeSet<IssueId>,
    /// The title of the new one.
    pub title: Box<str>,
    /// Its text.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub body: Box<str>,
}

/// Fields of `moderation.assist.begin`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assist {
    /// Which.
    pub agent: AgentId,
    /// What it is to heed: limits, never the text itself (control-room 2.4).
    pub reason: Box<str>,
    /// Into how many portions a task is cut; none: as configured.
    pub slices: Option<u32>,
}

/// Fields of `moderation.assist.end`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unassist {
    /// Which.
    pub agent: AgentId,
}

/// Fields of `moderation.profile.change`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remember {
    /// Agents of which role.
    pub role: Role,
    /// How they remember.
    pub profile: Profile,
}

/// Fields of `moderation.report.record`: none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Record {}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
