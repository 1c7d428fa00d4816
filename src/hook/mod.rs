//! Hooks: what an agent says while it works → entries, and the answer that it waits for. `docs/HOOKS.md` has the rules.
//!
//! One normal form (`HookEvent`) and a thin adapter for each agent. Records the shapes that `import` records. Does not
//! fold while a turn goes on: only a call that would write inside `.context` asks the world, and, once a turn or session
//! has ended or a call has failed, what these set off: where much is not folded yet, both are left to the next command.

pub mod agent;
pub mod background;
mod children;
mod claude_code;
mod codex;
mod copilot;
pub mod due;
mod entries;
mod event;
mod gemini;
mod guard;
pub mod inside;
pub mod intake;
mod late;
pub mod lost;
mod payload;
mod record;
mod rollout;
mod run;
pub mod seen;
pub mod setup;
pub mod spool;
#[cfg(test)]
mod tests;
mod transcripts;
pub mod used;
pub mod voice;

pub use agent::{Agent, HookAnswer};
pub(crate) use payload::directory_in;
pub use payload::named;
pub use run::{Around, GivenClock, HookOutcome, handle, settle};
