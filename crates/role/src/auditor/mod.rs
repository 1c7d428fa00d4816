//! The auditor: what it heard on the bus, counted and held against the table of who may say what (artoo R6; decisions
//! 33 and 37).
//!
//! Pure: events in, a report out, as data. Says nothing to any role, changes no message, and takes no word from any of
//! them: all that a message does here is to be counted. Writes no file: where its chain of lines lies is the shell's
//! matter, and so is who may read it.

pub mod account;
pub mod chain;
pub mod event;
pub mod finding;
pub mod report;
#[cfg(test)]
mod tests;
pub mod watched;
pub mod window;

pub use account::{Account, ModelCall, RoleCost};
pub use chain::{AuditLine, BreakReason, BrokenChain, ChainedLine, CheckedChain, chained, check_chain};
pub use event::{AuditDetail, AuditEvent};
pub use finding::Findings;
pub use report::{AuditReport, AuditTrigger, GapTrend, ToolHealth};
pub use watched::WatchedTask;
pub use window::{AuditWindow, REPORT_EVERY_MS};
