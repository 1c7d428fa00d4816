//! What happens to the roster.

use super::command::Seal;
use super::state::Agent;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to the roster.
    pub enum Event {
        /// An agent came, or is another one than before.
        Changed = "roster.agent.changed" {
            /// Which.
            agent: AgentId,
            /// What it is now.
            to: Agent,
        },
        /// Somebody has a token of its own.
        Sealed(Seal) = "roster.agent.sealed",
        // a security event.
        /// Somebody acted under a name without its token.
        Forged = "roster.actor.forged" {
            /// The name that was used.
            actor: AgentId,
            /// What was asked under it.
            command: Box<str>,
        },
        // once a day by rule and actor.
        /// Somebody tried what it may not.
        Barred = "roster.actor.barred" {
            /// Who, by the name that was used.
            actor: AgentId,
            /// The rule that said no.
            rule: Box<str>,
            /// What was asked.
            command: Box<str>,
            /// The agent in whose shell it was asked, where there is one.
            shell: Option<Box<str>>,
        },
    }
}
