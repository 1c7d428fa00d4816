//! Debates among the other rooms: a recorded error that comes again is announced once, what recorded calls use up is
//! handed to a person, and who has to decide hears of it.

use std::collections::BTreeSet;

use super::notices::post;
use super::{DueTurn, Setting};
use crate::domain::dialectic::called::CalledDebate;
use crate::domain::dialectic::command::{Announce, CallForDebate, DebateKind, Escalate, Facts, Resolve};
use crate::domain::dialectic::csp::Stakes;
use crate::domain::dialectic::event::{Called, Escalated};
use crate::domain::dialectic::gate::{GateAnswer, GateVerdict, Question};
use crate::domain::dialectic::limits::DEBATE_AFTER;
use crate::domain::dialectic::row::Trail;
use crate::domain::dialectic::stakes::{DebateCategory, RequestVoice};
use crate::domain::dialectic::{self, DebatedTask};
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::{Command, Event, Rooms};
use annals_kernel::actor::USER;
use annals_kernel::id::{AgentId, EntryId};

/// Errors that came again in a session and were not announced, and tasks of it to which nobody was called yet. Asks for
/// the rows of that session's tasks only.
pub(super) fn due(rooms: &Rooms, turn: &DueTurn<'_>) -> Vec<Command> {
    let Some(trail) = rooms.dialectic.trails.get(turn.session.as_str()) else { return Vec::new() };
    let tasks: BTreeSet<Box<str>> = trail.open.iter().map(|open| rooms.dialectic.root(&open.task)).collect();
    let least = turn.settings.get(&DEBATE_AFTER).max(2);
    let known: Vec<_> = tasks.iter().filter_map(|id| Some((&**id, rooms.dialectic.task(id)?))).collect();
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
    let called = called(rooms, trail, &known, turn).into_iter().map(dialectic::Command::from);
    announced.chain(escalated).chain(called).map(Command::from).collect()
}

/// Debates that are due, and of which the person was not told.
fn called(rooms: &Rooms, trail: &Trail, known: &[(&str, &DebatedTask)], turn: &DueTurn<'_>) -> Vec<CallForDebate> {
    if rooms.dialectic.is_off(turn.session) {
        return Vec::new();
    }
    let failed = known.iter().filter(|(_, task)| task.used.is_none() && task.open.is_none()).flat_map(|(id, task)| {
        let runs = task
            .runs
            .iter()
            .filter(|run| run.session == *turn.session && run.count >= turn.settings.get(&DEBATE_AFTER).max(2));
        runs.map(|run| CallForDebate {
            kind: DebateKind::Failure,
            fingerprint: Some(run.fingerprint.clone()),
            category: DebateCategory::Failure,
            ..plain(id, turn, run.entry)
        })
    });
    let staked = trail.staked.iter().filter(|staked| !is_debated(rooms, &staked.task)).map(|staked| CallForDebate {
        effect: Some(staked.effect),
        command: Some(staked.command.clone()),
        ..plain(&staked.task, turn, staked.entry)
    });
    let is_new = |call: &CallForDebate| {
        let CallForDebate { task, kind, effect, fingerprint, .. } = call.clone();
        !trail.was_called(&CalledDebate { task, kind, effect, fingerprint })
    };
    failed.chain(staked).chain(worded(rooms, trail, turn)).filter(is_new).collect()
}

fn plain(task: &str, turn: &DueTurn<'_>, cause: EntryId) -> CallForDebate {
    CallForDebate {
        task: task.into(),
        session: turn.session.clone(),
        kind: DebateKind::Planning,
        effect: None,
        fingerprint: None,
        command: None,
        category: DebateCategory::Ordinary,
        cause,
    }
}

/// Whether a plan of the task was debated, or is.
fn is_debated(rooms: &Rooms, task: &str) -> bool {
    rooms.dialectic.task(task).is_some_and(|task| task.open.is_some() || !task.planned.is_empty())
}

/// Much is at stake in what the session was asked for.
fn worded(rooms: &Rooms, trail: &Trail, turn: &DueTurn<'_>) -> Option<CallForDebate> {
    let (task, cause) = (rooms.dialectic.asked_in(turn.session)?, trail.asked?);
    let gate: GateAnswer = rooms.dialectic.gate(&Question {
        task: &task,
        plan: None,
        facts: &Facts::default(),
        voice: RequestVoice::Prompt,
        is_off: false,
        at: turn.at,
        settings: turn.settings,
    });
    let is_due =
        gate.verdict == GateVerdict::Debate && gate.debate == Some(DebateKind::Planning) && gate.stakes == Stakes::High;
    let is_new = is_due && gate.open.is_none();
    is_new.then(|| CallForDebate { category: gate.category, ..plain(&gate.task, turn, cause) })
}

/// A debate that is due is the person's to call.
pub(super) fn due_debate(_: &Rooms, called: &Called, _: &Setting<'_>) -> Vec<Event> {
    let Called { task, summary, kind, category, effect, command, failures, .. } = called.clone();
    let (kind, category, effect) =
        (kind.as_str().into(), category.as_str().into(), effect.map(|effect| effect.as_str().into()));
    let matter = Matter::Debate { task, summary, kind, category, effect, command, failures };
    vec![post(&AgentId::from(USER), NoticeLevel::Info, matter, None)]
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
