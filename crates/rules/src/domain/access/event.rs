//! What happened about access.

use super::policy::Policy;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What happened about access.
    pub enum Event {
        /// An attempt was refused.
        Denied = "access.path.denied" {
            /// Who tried.
            agent: AgentId,
            /// What the folder allows.
            policy: Policy,
        },
        /// An agent may write a folder.
        Given = "access.grant.given" {
            /// Who.
            agent: AgentId,
            /// A folder of `.context`.
            folder: Box<str>,
        },
        /// It no longer may.
        Revoked = "access.grant.revoked" {
            /// Who.
            agent: AgentId,
            /// A folder of `.context`.
            folder: Box<str>,
        },
    }
}
