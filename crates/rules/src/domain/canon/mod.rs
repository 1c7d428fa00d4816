//! Canon: what holds in the project, in versions, as claims that can be compared (control-room 6.2, 14; decision 19).
//!
//! Owns `canon.*`. Does not know issues: what promotes one, and who supported it, a policy hands in. Extracts claims
//! from texts by rules alone; a model or a person may add others.

pub mod anchor;
pub mod claim;
pub mod claims;
pub mod command;
pub mod decide;
pub mod event;
pub(crate) mod refusal;
pub mod row;
pub mod state;
#[cfg(test)]
mod tests;

pub use anchor::Anchor;
pub use claim::Claim;
pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use refusal::Refusal;
pub use row::CanonEntry;
pub use state::{State, Totals};
