//! Debates among the other rooms: a recorded error that comes again is announced once, what recorded calls use up is
//! handed to a person, and who has to decide hears of it.

use std::collections::BTreeSet;

use super::notices::post;
use super::{DueTurn, Setting};
use crate::domain::dialectic::command::{Announce, Escalate, Resolve};
use crate::domain::dialectic::event::Escalated;
use crate::domain::dialectic::limits::DEBATE_AFTER;
use crate::domain::dialectic::{self, DebatedTask};
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::{Command, Event, Rooms};
use annals_kernel::actor::USER;
use annals_kernel::id::AgentId;

/// Errors that came again in a session and were not announced, and tasks of it to which nobody was called yet. Asks for
/// the rows of that session's tasks only.
pub(super) fn due(rooms: &Rooms, turn: &DueTurn<'_>) -> Vec<Command> {
    let Some(trail) = rooms.dialectic.trails.get(turn.session.as_str()) else { return Vec::new() };
    let tasks: BTreeSet<Box<str>> = trail.open.iter().map(|open| rooms.dialectic.root(&open.task)).collect();
    let least = turn.settings.get(&DEBATE_AFTER).max(2);
    let known: Vec<_> = tasks.iter().filter_map(|id| Some((id, rooms.dialectic.task(id)?))).collect();
    let runs = known.iter().flat_map(|(id, task)| task.runs.iter().map(move |run| (*id, run)));
    let new = runs.filter(|(_, run)| run.session == *turn.session && run.count >= least && !run.announced);
    let command = |task: &str, run: &dialectic::task::Run| Announce {
        task: task.into(),
        session: run.session.clone(),
        fingerprint: run.fingerprint.clone(),
        cause: run.entry,
    };
    let announced = new.map(|(task, run)| dialectic::Command::from(command(task, run)));
    let escalated = known.iter().filter_map(|(id, task)| Some(escalate(id, task, turn)?.into()));
    announced.chain(escalated).map(Command::from).collect()
}

/// A person is called where the count of a task says so and none was.
fn escalate(id: &str, task: &DebatedTask, turn: &DueTurn<'_>) -> Option<Escalate> {
    task.uncalled(turn.settings)?;
    Some(Escalate { task: id.into(), cause: task.attempts.last()?.entry })
}

/// Whoever has to decide hears of it: the user, and whom the resolution names; where that is who leads, nobody else. An
/// agent that names itself, or nobody, keeps nothing from the user.
pub(super) fn tell(rooms: &Rooms, escalated: &Escalated, setting: &Setting<'_>) -> Vec<Event> {
    let named = named(&setting.ask.command).filter(|to| to.as_str() != USER);
    let is_leads = named.as_ref().is_some_and(|to| rooms.roster.standing(to).is_lead());
    let user = (!is_leads).then(|| AgentId::from(USER));
    let told = named.into_iter().chain(user);
    told.map(|to| post(&to, NoticeLevel::Warning, matter(rooms, escalated), None)).collect()
}

fn named(command: &Command) -> Option<AgentId> {
    let Command::Dialectic(dialectic::Command::Resolve(Resolve { escalate_to, .. })) = command else { return None };
    escalate_to.clone().map(AgentId::from)
}

fn matter(rooms: &Rooms, escalated: &Escalated) -> Matter {
    let Escalated { task, why, failures } = escalated.clone();
    let known = rooms.dialectic.task(&task);
    let summary = known.map(|task| task.summary.clone()).unwrap_or_default();
    let error = known.and_then(|task: &DebatedTask| Some(task.attempts.last()?.error.clone()));
    Matter::Task { task, summary, why: why.as_str().into(), failures, error }
}
