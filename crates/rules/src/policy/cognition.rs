//! Minds among the other rooms: what the configuration means for them, and what a record has set off in one.

use super::EventSource;
use super::due::DueTurn;
use crate::domain::cognition::{self, Observed};
use crate::domain::{Command, Rooms, config};
use annals_kernel::decision::Cause;

/// The configuration has changed.
pub(super) fn configured(rooms: &mut Rooms, _: &config::Event, _: &EventSource<'_>) {
    rooms.cognition.forget_limits();
}

/// What minds learn from an event that was taken in.
pub(super) fn learn(rooms: &mut Rooms, event: &cognition::Event, from: &EventSource<'_>) {
    let observed = Observed::default();
    let asked =
        from.command().and_then(|command| if let Command::Cognition(command) = command { Some(command) } else { None });
    let asked = asked.map(|command| (command, &observed));
    let cause = Cause { asked, id: from.id, at: from.at, actor: from.actor };
    rooms.cognition.settle(event, &cause, &rooms.config.settings);
}

/// Triggers that fire, spinning, flow, the tone of the critic, snapshots.
pub(super) fn due(rooms: &Rooms, turn: &DueTurn<'_>) -> Vec<Command> {
    let last = rooms.session.session(turn.session).map(|session| session.last).unwrap_or_default();
    let due: Vec<cognition::Command> = rooms.cognition.due(turn.session, last, turn.at, turn.settings);
    due.into_iter().map(Command::Cognition).collect()
}
