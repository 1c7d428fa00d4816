//! Tasks among the other rooms: what the solver says to memory is written there, in the same line (artoo R7, "Memory
//! Writes").
//!
//! Does not choose what is worth remembering; the solver does.

use serde::Deserialize;

use super::Setting;
use crate::domain::memory::command::{Observed, Write};
use crate::domain::memory::quantum::MacroState;
use crate::domain::task::bus::MessageKind;
use crate::domain::task::event::Sent;
use crate::domain::{Command, Event, Rooms, memory, task};

/// The members of a megram's message that memory is told.
#[derive(Deserialize)]
struct SaidMegram {
    space: Box<str>,
    entity: Box<str>,
    content: Box<str>,
    state: MacroState,
}

/// One message, one megram: a kill between the two would lose or double it.
pub(super) fn remember(rooms: &Rooms, sent: &Sent, setting: &Setting<'_>) -> Vec<Event> {
    let Command::Task(task::Command::Send(send)) = &setting.ask.command else { return Vec::new() };
    if sent.kind != MessageKind::Megram {
        return Vec::new();
    }
    let Ok(said) = serde_json::from_str::<SaidMegram>(send.body.text()) else { return Vec::new() };
    let SaidMegram { space, entity, content, state } = said;
    let write = Write { level: None, space, entity, content, state: Some(state), f: None, sigma: None, k: None };
    let decided = memory::decide(&rooms.memory, &write.into(), &Observed::default(), setting.moment);
    decided.events.into_iter().map(Event::Memory).collect()
}
