//! What the user may decide about the log itself.

use super::command::{Acknowledge, Command, MendClock, Observed, Settle};
use super::event::Event;
use super::state::State;
use annals_kernel::actor::Standing;
use annals_kernel::annals::LineHash;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, WriterId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why it is not decided.
    pub enum Refusal {
        /// What counts of the log is for nobody else to say.
        NotTheUser = "history.not_the_user" { actor: AgentId },
        /// The user knows already.
        AcknowledgedAlready = "history.acknowledged_already" { writer: WriterId, n: u64 },
        /// Lines are counted from 1, and a range ends behind its beginning.
        NoSuchLines = "history.no_such_lines" { from: u64, to: u64 },
        /// All lines with the id say the same.
        NoConflict = "history.no_conflict" { id: EntryId },
        /// None of the lines with the id has this hash.
        NoSuchVersion = "history.no_such_version" { id: EntryId, hash: LineHash },
        /// The lines count as of this time already.
        NothingToMend = "history.nothing_to_mend" { writer: WriterId, from: u64, to: u64 },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    if moment.standing != Standing::User {
        return Outcome::refused(Refusal::NotTheUser { actor: moment.actor.clone() });
    }
    match command {
        Command::Acknowledge(acknowledge) => acknowledged(state, acknowledge).into(),
        Command::Settle(settle) => settled(settle, observed).into(),
        Command::MendClock(mend) => mended(state, mend).into(),
    }
}

fn acknowledged(state: &State, command: &Acknowledge) -> Result<Outcome<Event, Refusal>, Refusal> {
    let Acknowledge { writer, n, hash, .. } = command;
    check_lines(*n, *n)?;
    if state.is_acknowledged(writer, *n, *hash) {
        return Err(Refusal::AcknowledgedAlready { writer: writer.clone(), n: *n });
    }
    Ok(Outcome::of(command.clone()))
}

/// Which versions there are was seen by the shell: another clone, which replays this, may have others.
fn settled(command: &Settle, observed: &Observed) -> Result<Outcome<Event, Refusal>, Refusal> {
    let Settle { id, hash } = *command;
    if observed.versions.len() < 2 {
        return Err(Refusal::NoConflict { id });
    }
    if !observed.versions.contains(&hash) {
        return Err(Refusal::NoSuchVersion { id, hash });
    }
    Ok(Outcome::of(command.clone()))
}

/// A shift of zero takes an earlier one back.
fn mended(state: &State, command: &MendClock) -> Result<Outcome<Event, Refusal>, Refusal> {
    let MendClock { writer, from, to, shift } = command;
    check_lines(*from, *to)?;
    let touches = |mend: &MendClock| mend.writer == *writer && mend.from <= *to && *from <= mend.to;
    let last = state.mends().into_iter().rev().find(touches);
    let is_same = last.as_ref().is_some_and(|mend| mend == command);
    if is_same || last.is_none() && *shift == 0 {
        return Err(Refusal::NothingToMend { writer: writer.clone(), from: *from, to: *to });
    }
    Ok(Outcome::of(command.clone()))
}

fn check_lines(from: u64, to: u64) -> Result<(), Refusal> {
    if from >= 1 && from <= to { Ok(()) } else { Err(Refusal::NoSuchLines { from, to }) }
}
