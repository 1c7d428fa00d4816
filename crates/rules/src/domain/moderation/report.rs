//! How the swarm fares, in figures and in words: what the moderator looks at when a session begins and when it ends
//! (control-room 9.2). Counted by a policy, which sees all rooms; here is its shape.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Freedom;
use annals_kernel::actor::Role;
use annals_kernel::decision::Refusal;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::settings::settings;

words! {
    /// When a report is recorded by itself.
    pub enum ReportFrequency {
        /// When a session begins.
        Start = "session-start",
        /// When it ends.
        End = "session-end",
        /// Both times.
        Both = "both",
    }
}

settings! {
    /// Control-room 10.2.
    ENABLED: bool = true, "sanity.moderator_session_report_enabled",
        "whether the moderator's report is recorded when a session begins or ends", weakens WhenOff;
    /// Control-room 10.2.
    FREQUENCY: ReportFrequency = ReportFrequency::Both, "sanity.moderator_report_frequency",
        "when it is recorded: session-start, session-end or both", weakens Always;
}

/// Issues by where they are in their lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Issues {
    /// Those that wait or are worked on.
    pub open: u64,
    /// Those whose discussion is stopped.
    pub frozen: u64,
    /// Those with the tag `#stuck`.
    pub stuck: u64,
    /// Those that ended.
    pub ended: u64,
    /// Those with the tag `#needs-canon-review`.
    pub pending_canon: u64,
}

/// What an agent did with the model that it has now (control-room 8.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentRecord {
    /// How far it is trusted: low, normal, high.
    pub trust: Box<str>,
    /// How closely it is looked at: normal, watch, remediation, flagged.
    pub level: Box<str>,
    /// Issues that it opened.
    pub issues_started: u64,
    /// Those of them that were applied in the work.
    pub issues_applied: u64,
    /// Those of them that were marked irrelevant.
    pub issues_irrelevant: u64,
    /// Comments that it wrote, taken or not.
    pub comments: u64,
    /// Comments that were stopped.
    pub comments_stopped: u64,
    /// Comments that cited anything.
    pub comments_with_evidence: u64,
}

/// How one agent fares.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentHealth {
    /// What it is there for.
    pub role: Role,
    /// What it may do alone.
    pub freedom: Freedom,
    /// Into how many portions its tasks are cut, where they are.
    pub slices: Option<u32>,
    /// How many of its last comments were stopped, in a row.
    #[serde(default)]
    pub stops: u32,
    /// How often somebody acted under its name without its token.
    #[serde(default)]
    pub forgeries: u64,
    /// Its record with the model that it has now (control-room 8.2); none before it did anything.
    pub record: Option<AgentRecord>,
}

/// How the swarm fares.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SwarmReport {
    /// Why no agent may act, where none may.
    #[sparse]
    pub blocking: Option<Blocking>,
    /// Issues by where they are in their lives.
    pub issues: Issues,
    /// How often each circuit breaker stopped a comment.
    pub stopped: BTreeMap<Box<str>, u64>,
    /// Agents that take part.
    pub agents: BTreeMap<AgentId, AgentHealth>,
    /// Tags that are circled without results.
    pub obsessive_tags: Vec<Box<str>>,
    /// Facts of which canon says two things.
    pub canon_conflicts: u64,
    /// Tags under which no new issues come.
    pub frozen_tags: Vec<Box<str>>,
    /// Notices that wait, by whom they are for.
    pub notices: BTreeMap<AgentId, u64>,
    /// Who tried what it may not, by rule, on the last day on which anybody did.
    #[sparse]
    pub barred: Option<Box<BTreeMap<Box<str>, Vec<AgentId>>>>,
    /// Whether whoever leaves out `--as` acts as the user, although tokens are asked for.
    #[sparse]
    pub is_user_unproved: bool,
    /// What would help, in words: only in lines from before edges made them of the rest, and at the edges.
    #[sparse]
    pub recommendations: Vec<Box<str>>,
}

/// Why no agent may act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Blocking {
    /// By which rule.
    Rule(Refusal),
    /// In words: only in lines from before refusals were data, and at the edges.
    Said(Box<str>),
}
