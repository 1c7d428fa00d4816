//! Tasks of the control loop, run: what `role::run` wants done is done, and recorded before it counts.
//!
//! * [`surroundings`]: what a run needs from outside: models, tools, the person, and who watches.
//! * [`journal`]: every message, answer and call as an entry; what a killed run left, as inputs to go on from.
//! * [`replay`]: a task as its record left it.
//! * [`answered`]: answers of models as entries, whoever asked.
//! * [`resident`]: the agent that answers messages.
//! * [`runner`]: one task from its request to its final result.
//!
//! Plans and judges nothing: the roles do. Knows no server and no sandbox: they come through the traits.

mod abort;
pub mod answered;
mod consolidate;
pub mod error;
pub mod journal;
mod recall;
mod record;
mod recorded;
pub mod replay;
pub mod resident;
pub mod runner;
pub mod surroundings;
#[cfg(test)]
mod tests;

pub use abort::abort;
pub use error::RunError;
pub use journal::{Beginning, Journal, Recorded};
pub use runner::{RunEnd, Runner};
pub use surroundings::{
    Agents, AnswerTrouble, AskOutcome, Consent, FailedAttempt, ModelAnswer, Models, Person, Stop, ToolEnd, Tools, Watch,
};
