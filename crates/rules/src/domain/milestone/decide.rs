//! Who may begin and end milestones.

use super::command::{Begin, Command, End, Observed};
use super::event::{Begun, Ended, Event};
use super::state::State;
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::AgentId;
use annals_kernel::period::Period;
use annals_kernel::refusal::refusal;

/// The longest name, in characters.
const NAME_CHARS: usize = 64;

refusal! {
    /// Why a milestone neither begins nor ends.
    pub enum Refusal {
        /// Those who lead mark the way.
        NotAllowed = "milestones.not_allowed" { actor: AgentId },
        /// One at a time.
        GoesOn = "milestones.goes_on" { kind: Period, name: Box<str> },
        /// Nothing to end.
        NoneGoesOn = "milestones.none_goes_on" { kind: Period },
        /// A name stands in tags.
        BadName = "milestones.bad_name" { most: usize },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let may = moment.standing.is_privileged() || moment.standing == Standing::Agent(Role::Assistant);
    if !may {
        return Outcome::refused(Refusal::NotAllowed { actor: moment.actor.clone() });
    }
    let event = match command {
        Command::Begin(begin) => begun(state, begin, moment),
        Command::End(end) => ended(state, end),
    };
    event.map(Outcome::of).into()
}

fn begun(state: &State, begin: &Begin, moment: &Moment<'_>) -> Result<Event, Refusal> {
    let kind = begin.kind;
    let plain = |letter: char| letter.is_alphanumeric() || ".-_".contains(letter);
    if !(1..=NAME_CHARS).contains(&begin.name.chars().count()) || !begin.name.chars().all(plain) {
        return Err(Refusal::BadName { most: NAME_CHARS });
    }
    if let Some((_, open)) = state.going_on(kind) {
        return Err(Refusal::GoesOn { kind, name: open.name.clone() });
    }
    Ok(Begun { milestone: moment.id.to_string().into(), kind, name: begin.name.clone() }.into())
}

fn ended(state: &State, end: &End) -> Result<Event, Refusal> {
    let kind = end.kind;
    let (id, open) = state.going_on(kind).ok_or(Refusal::NoneGoesOn { kind })?;
    Ok(Ended { milestone: id.into(), kind, name: open.name.clone() }.into())
}
