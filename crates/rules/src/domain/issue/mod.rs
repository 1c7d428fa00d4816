//! Issues: what agents and the user discuss, with threads, states, dependencies and how well founded each is.
//!
//! Owns `issues.*` (control-room 3.3, 3.4, 5, 6.1). Does not judge comments; `breaker` does. Texts stay in their lines:
//! the state keeps who said what kind of thing, and in which entry.

pub mod command;
pub mod decay;
pub mod decide;
pub mod event;
pub mod meta;
pub mod number;
pub(crate) mod refusal;
pub mod row;
pub(crate) mod said;
pub mod state;
pub mod status;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use refusal::Refusal;
pub use row::Issue;
pub use said::ThreadText;
pub use state::{State, Totals};
