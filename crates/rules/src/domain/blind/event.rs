//! What happens to a blind pass.

use std::collections::BTreeSet;

use super::state::OpinionFate;
use annals_kernel::grounding::Stance;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to a blind pass.
    pub enum Event each {
        /// On which issue.
        issue: IssueId as &IssueId
    } {
        /// Agents are asked for their opinion, each by itself.
        Opened = "blind.pass.opened" {
            /// Who is asked.
            #[always]
            participants: BTreeSet<AgentId>,
        },
        /// One of them gave it, sealed.
        Submitted = "blind.opinion.submitted" {
            /// Whose.
            agent: AgentId,
            /// Its salted SHA-256 (decision 40).
            seal: Box<str>,
        },
        /// The opinions may be read.
        Closed = "blind.pass.closed" {},
        /// The text of one was brought, and is what was sealed.
        Revealed = "blind.opinion.revealed" {
            /// Whose.
            agent: AgentId,
            /// For, against, or neither.
            stance: Stance,
        },
        /// The text of one is gone, is not what was sealed, or is stopped by the rules of words.
        Lost = "blind.opinion.lost" {
            /// Whose.
            agent: AgentId,
            /// Missing, changed or rejected.
            fate: OpinionFate,
        },
    }
}
