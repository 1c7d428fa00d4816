//! What the moderator did.

use super::command::Consolidate;
use super::report::SwarmReport;
use super::state::{AssistTrigger, Freedom, Profile};
use annals_kernel::actor::Role;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What the moderator did, or a rule in its place.
    pub enum Event {
        /// No new issues come under a tag.
        TagFrozen = "moderation.tag.frozen" {
            /// Which, with `#`.
            tag: Box<str>,
            /// Why.
            reason: Box<str>,
        },
        /// They may come again.
        TagUnfrozen = "moderation.tag.unfrozen" {
            /// Which, with `#`.
            tag: Box<str>,
        },
        /// An agent has more or less freedom.
        Adjusted = "moderation.agent.adjusted" {
            /// Which.
            agent: AgentId,
            /// What it had.
            from: Freedom,
            /// What it has.
            to: Freedom,
        },
        /// The user is to decide an issue.
        Escalated = "moderation.issue.escalated" {
            /// Which.
            issue: IssueId,
            /// What the user should know and decide.
            summary: Box<str>,
        },
        /// Issues become one.
        Consolidated(Consolidate) = "moderation.issue.consolidated",
        /// An agent works in smaller portions.
        Assisted = "moderation.assist.begun" {
            /// Which.
            agent: AgentId,
            /// What set it off.
            trigger: AssistTrigger,
            /// What it is to heed, where somebody said so.
            #[sparse]
            reason: Box<str>,
            /// How many of its comments in a row were stopped, where that set it off.
            stops: Option<u32>,
            /// Into how many portions a task is cut.
            slices: u32,
        },
        /// It works as others do.
        Unassisted = "moderation.assist.ended" {
            /// Which.
            agent: AgentId,
        },
        /// Agents of a role remember in another way.
        ProfileChanged = "moderation.profile.changed" {
            /// Agents of which role.
            role: Role,
            /// How they remember.
            profile: Profile,
        },
        // none.
        /// Somebody wants to know how the swarm fares; the report follows.
        ReportCalled = "moderation.report.called" {},
        /// This is how it fared.
        Reported = "moderation.report.recorded" {
            /// How it fared.
            #[serde(flatten)]
            report: SwarmReport,
        },
    }
}
