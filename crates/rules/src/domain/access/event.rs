//! What happened about access.

use super::command::{Grant, Revoke};
use super::policy::FolderPolicy;
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
            policy: FolderPolicy,
        },
        /// An agent may write a folder.
        Given(Grant) = "access.grant.given",
        /// It no longer may.
        Revoked(Revoke) = "access.grant.revoked",
    }
}
