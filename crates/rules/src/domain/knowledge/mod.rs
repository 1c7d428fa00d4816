//! Knowledge: typed entries learnt of a person and a project, that fade unless they are used (Galatea 3, decision 23).
//!
//! Owns `knowledge.*`. What is proposed does not count before somebody accepts it. Strength is a question with a time,
//! never stored; nothing is ever deleted. Reads no files and no model: what was said is handed in.

mod alike;
pub mod command;
pub mod decay;
pub mod decide;
pub(crate) mod entity;
pub mod event;
pub mod hazard;
pub(crate) mod index;
pub mod learn;
pub mod listener;
pub mod promote;
mod query;
pub(crate) mod refusal;
pub mod retrieve;
mod review;
pub mod row;
pub mod settings;
pub mod settle;
pub mod state;
#[cfg(test)]
mod tests;
pub mod text;
pub mod trace;

pub use command::{Command, Observed};
pub use decay::{KnowledgeDecay, KnowledgeStatus};
pub use decide::decide;
pub use event::Event;
pub use refusal::Refusal;
pub use review::MOST_GATHERED;
pub use row::{Candidate, Effect, KnowledgeEntry, KnowledgeKind, KnowledgeSource};
pub use state::{State, Totals};
