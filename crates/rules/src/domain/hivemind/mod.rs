//! Hivemind: what agents and their user have learnt, kept beyond a session, fading unless it is used (AFS 6).
//!
//! Owns `hivemind.*`. A key names one entry in a log, whatever its category and scope: what is kept for several projects
//! is another log, with keys of its own. An entry that nobody goes back to fades; that it has expired is a question of
//! the time, and an event only announces it (decision 21). A contest or nomination makes an entry contested until a
//! council or the user ends it. Does not know councils, and opens none; policies do.

pub mod command;
pub mod decay;
pub mod decide;
pub mod event;
pub(crate) mod key;
pub(crate) mod refusal;
pub mod row;
pub mod settings;
pub mod state;
pub mod sync;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use key::key_of;
pub use refusal::Refusal;
pub use row::{ContestPurpose, EntryCategory, EntryStatus, HivemindEntry, Scope};
pub use state::{State, Totals};
