//! What an agent feels, tries, aims at and takes for true in a session, and when that calls for a look: emotions,
//! metacognition, goals, what is known (AFS 4); triggers, gates and the critic's tone (AFS 5.2.4, 5.3, 5.4).
//!
//! A session at a time: a sub-agent's is a session of its own. What can be computed from recorded calls is; the rest
//! somebody states. Owns `cognitive.*` and `analysis.*`. Does not analyse, and asks no model; says only that it is due.

pub mod amount;
pub mod command;
pub mod conclusion;
pub mod critic;
pub mod custom;
pub mod decide;
pub mod emotion;
pub mod epistemic;
pub mod event;
pub mod gate;
pub mod goal;
pub mod judged;
pub mod limits;
pub mod load;
pub mod loops;
mod machine;
pub mod metacognition;
pub mod mind;
mod refusal;
pub mod snapshot;
pub mod state;
mod take;
#[cfg(test)]
mod tests;
pub mod trigger;
pub mod watch;

pub use amount::Amount;
pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use mind::Mind;
pub use refusal::Refusal;
pub(crate) use state::Aside;
pub use state::State;
