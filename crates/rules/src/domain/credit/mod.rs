//! Credits: what agents earn and lose for grounded work, given by rules and by others, never by oneself
//! (control-room 11; decisions 14 to 18, 37).
//!
//! Owns `credits.*`. Does not look at files, comments or issues: policies do, and name what follows. Amounts are kept in
//! thousandths; what each issue still owes stands in a table of its own.

pub mod board;
pub mod command;
pub mod decide;
pub mod event;
pub mod formula;
pub mod goal;
pub mod ledger;
pub mod profile;
pub(crate) mod reason;
pub(crate) mod refusal;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use reason::CreditReason;
pub use refusal::Refusal;
pub use state::{State, Totals};
