//! Who may change the roster, and to what.

use super::command::{Add, Change, Command, Duty, Observed, Seal};
use super::event::{Changed, Event};
use super::state::{Agent, State};
use annals_kernel::actor::{SYSTEM, USER};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::fold::Folded;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;

refusal! {
    /// Why the roster stays as it is.
    pub enum Refusal {
        /// Settings of agents are the user's (control-room 14.1).
        NotALead = "roster.not_a_lead" { actor: AgentId },
        /// The name is taken.
        Taken = "roster.taken" { agent: AgentId },
        /// The name, or how people call it, would be taken for that of another agent.
        Alike = "roster.alike" { agent: AgentId, other: AgentId },
        /// The name means something else.
        Reserved = "roster.reserved" { agent: AgentId },
        /// There is no such agent.
        UnknownAgent = "roster.unknown_agent" { agent: AgentId },
        /// It is so already.
        NothingToChange = "roster.nothing_to_change" { agent: AgentId },
        /// A seal is a SHA-256.
        BadSeal = "roster.bad_seal",
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    if !moment.standing.is_lead() {
        return Outcome::refused(Refusal::NotALead { actor: moment.actor.clone() });
    }
    let event = match command {
        Command::Add(add) => added(state, add),
        Command::Change(change) => changed(state, change),
        Command::Seal(seal) => sealed(state, seal),
    };
    event.map(Outcome::of).into()
}

fn added(state: &State, add: &Add) -> Result<Event, Refusal> {
    let agent = add.agent.clone();
    if !is_a_name(agent.as_str()) {
        return Err(Refusal::Reserved { agent });
    }
    if state.agent(&agent).is_some() {
        return Err(Refusal::Taken { agent });
    }
    is_apart(state, &agent, Some(agent.as_str()))?;
    is_apart(state, &agent, add.name.as_deref())?;
    let to = Agent {
        name: add.name.clone(),
        role: add.role.clone(),
        model: add.model.clone(),
        program: add.program.clone(),
        can_be_devils_advocate: add.can_be_devils_advocate,
        duty: Duty::Active,
    };
    Ok(Changed { agent, to }.into())
}

fn changed(state: &State, change: &Change) -> Result<Event, Refusal> {
    let agent = change.agent.clone();
    let Some(before) = state.agent(&agent) else { return Err(Refusal::UnknownAgent { agent }) };
    is_apart(state, &agent, change.name.as_deref())?;
    let to = Agent {
        name: change.name.clone().or_else(|| before.name.clone()),
        role: change.role.clone().unwrap_or_else(|| before.role.clone()),
        model: change.model.clone().or_else(|| before.model.clone()),
        program: change.program.clone().or_else(|| before.program.clone()),
        can_be_devils_advocate: change.can_be_devils_advocate.unwrap_or(before.can_be_devils_advocate),
        duty: change.duty.unwrap_or(before.duty),
    };
    if to == *before { Err(Refusal::NothingToChange { agent }) } else { Ok(Changed { agent, to }.into()) }
}

/// Nobody is called what another agent, retired or not, the user or the rules are called: not in other letters either.
fn is_apart(state: &State, agent: &AgentId, name: Option<&str>) -> Result<(), Refusal> {
    let Some(called) = name.map(Folded::of) else { return Ok(()) };
    if [USER, SYSTEM].iter().any(|known| called.is_alike(&Folded::of(known))) {
        return Err(Refusal::Reserved { agent: agent.clone() });
    }
    let is_it = |name: &str| called.is_alike(&Folded::of(name));
    let is_like = |(id, known): &(&AgentId, &Agent)| {
        *id != agent && (is_it(id.as_str()) || known.name.as_deref().is_some_and(is_it))
    };
    let other = state.agents.iter().find(is_like).map(|(id, _)| id.clone());
    other.map_or(Ok(()), |other| Err(Refusal::Alike { agent: agent.clone(), other }))
}

fn sealed(state: &State, seal: &Seal) -> Result<Event, Refusal> {
    let Seal { agent, seal: hash } = seal;
    if agent.as_str() != USER && state.agent(agent).is_none() {
        return Err(Refusal::UnknownAgent { agent: agent.clone() });
    }
    let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { Ok(seal.clone().into()) } else { Err(Refusal::BadSeal) }
}

/// Names stand in tables, file names and `@name`.
fn is_a_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || ".-_/".contains(letter);
    (1..=64).contains(&name.chars().count()) && name.chars().all(plain) && ![USER, SYSTEM].contains(&name)
}
