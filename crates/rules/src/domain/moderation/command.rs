//! What the moderator can ask.

use std::collections::BTreeSet;

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
        FreezeTag = "moderation.tag.freeze" {
            /// Which tag, with or without #.
            tag: Box<str>,
            /// Why, in words.
            reason: Box<str>,
        },
        /// Let them come again.
        UnfreezeTag = "moderation.tag.unfreeze" {
            /// Which tag, with or without #.
            tag: Box<str>,
        },
        /// Give an agent more or less freedom.
        Adjust = "moderation.agent.adjust" {
            /// Which agent.
            agent: AgentId,
            /// How much it may decide alone.
            freedom: Freedom,
        },
        /// Hand an issue on to the user.
        Escalate = "moderation.issue.escalate" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// What the user should know and decide.
            summary: Box<str>,
        },
        /// Join issues into a new one.
        Consolidate = "moderation.issue.consolidate" {
            /// Which issues: they are closed, as parts of the new one.
            #[always]
            issues: BTreeSet<IssueId>,
            /// The title of the new issue.
            title: Box<str>,
            /// Its text.
            #[sparse]
            body: Box<str>,
        },
        /// Let an agent work in smaller portions.
        Assist = "moderation.assist.begin" {
            /// Which agent.
            agent: AgentId,
            /// What it is to heed: limits, never the text itself (control-room 2.4).
            reason: Box<str>,
            /// Into how many portions a task is cut; none: as configured.
            slices: Option<u32>,
        },
        /// Let it work as others do.
        Unassist = "moderation.assist.end" {
            /// Which agent.
            agent: AgentId,
        },
        /// Say how agents of a role remember.
        Remember = "moderation.profile.change" {
            /// Agents of which role.
            role: Role,
            /// How they remember.
            profile: Profile,
        },
        // none.
        /// Record how the swarm fares.
        Record = "moderation.report.record" {},
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
