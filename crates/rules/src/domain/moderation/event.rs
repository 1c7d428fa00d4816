//! What the moderator did.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::Report;
use super::state::{AssistTrigger, Freedom, Profile};
use annals_kernel::actor::Role;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What the moderator did, or a rule in its place.
    pub enum Event {
        /// No new issues come under a tag.
        TagFrozen(TagFrozen) = "moderation.tag.frozen",
        /// They may come again.
        TagUnfrozen(TagUnfrozen) = "moderation.tag.unfrozen",
        /// An agent has more or less freedom.
        Adjusted(Adjusted) = "moderation.agent.adjusted",
        /// The user is to decide an issue.
        Escalated(Escalated) = "moderation.issue.escalated",
        /// Issues become one.
        Consolidated(Consolidated) = "moderation.issue.consolidated",
        /// An agent works in smaller portions.
        Assisted(Assisted) = "moderation.assist.begun",
        /// It works as others do.
        Unassisted(Unassisted) = "moderation.assist.ended",
        /// Agents of a role remember in another way.
        ProfileChanged(ProfileChanged) = "moderation.profile.changed",
        /// Somebody wants to know how the swarm fares; the report follows.
        ReportCalled(ReportCalled) = "moderation.report.called",
        /// This is how it fared.
        Reported(Reported) = "moderation.report.recorded",
    }
}

/// Fields of `moderation.tag.frozen`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagFrozen {
    /// Which, with `#`.
    pub tag: Box<str>,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `moderation.tag.unfrozen`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagUnfrozen {
    /// Which, with `#`.
    pub tag: Box<str>,
}

/// Fields of `moderation.agent.adjusted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Adjusted {
    /// Which.
    pub agent: AgentId,
    /// What it had.
    pub from: Freedom,
    /// What it has.
    pub to: Freedom,
}

/// Fields of `moderation.issue.escalated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Escalated {
    /// Which.
    pub issue: IssueId,
    /// What the user should know and decide.
    pub summary: Box<str>,
}

/// Fields of `moderation.issue.consolidated`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Consolidated {
    /// Which.
    pub issues: BTreeSet<IssueId>,
    /// The title of the new one.
    pub title: Box<str>,
    /// Its text.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub body: Box<str>,
}

/// Fields of `moderation.assist.begun`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assisted {
    /// Which.
    pub agent: AgentId,
    /// What set it off.
    pub trigger: AssistTrigger,
    /// What it is to heed, where somebody said so.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub reason: Box<str>,
    /// How many of its comments in a row were stopped, where that set it off.
    pub stops: Option<u32>,
    /// Into how many portions a task is cut.
    pub slices: u32,
}

/// Fields of `moderation.assist.ended`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unassisted {
    /// Which.
    pub agent: AgentId,
}

/// Fields of `moderation.profile.changed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileChanged {
    /// Agents of which role.
    pub role: Role,
    /// How they remember.
    pub profile: Profile,
}

/// Fields of `moderation.report.called`: none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportCalled {}

/// Fields of `moderation.report.recorded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reported {
    /// How it fared.
    #[serde(flatten)]
    pub report: Report,
}
