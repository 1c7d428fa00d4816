//! Who is refused, and who gives rights.

use super::command::{Attempt, Command, Grant, Observed, Revoke};
use super::event::{Denied, Event};
use super::policy::{CLOSED, FolderPolicy, Intent, folder_of, policy_of};
use super::state::{State, is_user};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;

refusal! {
    /// Why somebody may not do it.
    pub enum Refusal {
        /// The folder's policy forbids it.
        Forbidden = "access.forbidden" {
            agent: AgentId, intent: Intent, path: Box<str>, folder: Box<str>, policy: FolderPolicy,
        },
        /// Only the user gives and takes rights.
        NotTheUser = "access.not_the_user" { agent: AgentId },
        /// Nobody can be let into a closed folder, or into no folder at all.
        NotGrantable = "access.not_grantable" { folder: Box<str> },
        /// There is no such right to take back.
        NotGranted = "access.not_granted" { agent: AgentId, folder: Box<str> },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Attempt(attempt) => attempted(state, attempt, moment),
        Command::Grant(grant) => given(grant, moment).into(),
        Command::Revoke(revoke) => revoked(state, revoke, moment).into(),
    }
}

fn attempted(state: &State, attempt: &Attempt, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match state.ask(moment.settings, &moment.actor, &attempt.path, attempt.intent) {
        Ok(()) => Outcome { events: Vec::new(), refusal: None },
        Err(refusal) => {
            let policy = policy_of(moment.settings, folder_of(&attempt.path));
            Outcome::refused_with(Denied { agent: moment.actor.clone(), policy }, refusal)
        }
    }
}

fn given(grant: &Grant, moment: &Moment<'_>) -> Result<Outcome<Event, Refusal>, Refusal> {
    must_be_user(moment)?;
    if CLOSED.contains(&&*grant.folder) || grant.folder.is_empty() || grant.folder.contains('/') {
        return Err(Refusal::NotGrantable { folder: grant.folder.clone() });
    }
    Ok(Outcome::of(grant.clone()))
}

fn revoked(state: &State, revoke: &Revoke, moment: &Moment<'_>) -> Result<Outcome<Event, Refusal>, Refusal> {
    must_be_user(moment)?;
    if state.grants.get(&revoke.agent).is_some_and(|folders| folders.contains(&revoke.folder)) {
        return Ok(Outcome::of(revoke.clone()));
    }
    Err(Refusal::NotGranted { agent: revoke.agent.clone(), folder: revoke.folder.clone() })
}

fn must_be_user(moment: &Moment<'_>) -> Result<(), Refusal> {
    if is_user(&moment.actor) { Ok(()) } else { Err(Refusal::NotTheUser { agent: moment.actor.clone() }) }
}
