//! `annals message …`: what is written to the resident agent, and what it answered (Galatea, track 1).
//!
//! One door for every connector: what comes from a chat, a mail or a program is sent here, with its channel.

mod list;
mod send;
mod show;
mod word;

pub(super) use list::MessageRows;
pub(super) use show::ReadMessage;

use super::named::MESSAGE;
use super::registry::{CommandRow, rows};
use super::shell::Shell;
use crate::engine::Engine;
use crate::kernel::id::EntryId;

/// Commands about messages.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Send a message to the resident agent
    "send" => Runs(&With(send::run)),
    /// List messages, the latest first
    "list" => Runs(&With(list::run)),
    /// Show a message and what came of it
    "show" => Runs(&With(show::run)),
    /// Say whether the agent may answer a message that is held, or try one again that was set aside
    "approve" => Runs(&With(word::approve)),
    /// Say that an answer reached its channel, or could not; for connectors
    "deliver" => Runs(&With(word::deliver)),
};

/// The agent that messages are for where nobody says another.
pub(super) const AGENT: &str = "resident";

/// A message by its id or either end of it; the room says where there is none.
fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<EntryId> {
    let found = shell.find(engine, &MESSAGE, text)?;
    let id = found.ok_or_else(|| MESSAGE.noun.unknown(text))?;
    id.parse().map_err(|_| MESSAGE.noun.unknown(text).into())
}
