//! What may be said in a task, and what it does to the task.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::bus::{Arrow, MessageKind, Party, may_say};
use super::command::{Begin, Command, Observed, Pause, Resume, Send, Settle};
use super::event::{Begun, Ended, Event, Paused, Replanned, Resumed, Sent, Settled};
use super::state::{State, Task, TaskEnd, TaskPhase};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;

/// The longest request, in characters.
const REQUEST_CHARS: usize = 32_000;

refusal! {
    /// Why nothing is said, or nothing becomes of a task.
    pub enum Refusal {
        /// The loop speaks, not an agent.
        NotSystem = "tasks.not_system" { actor: AgentId },
        /// The person decides what becomes of changes.
        NotUser = "tasks.not_user" { actor: AgentId },
        /// There is nothing to do, or too much is said of it.
        BadRequest = "tasks.bad_request" { most: usize },
        /// There is no such task.
        Unknown = "tasks.unknown" { task: Box<str> },
        /// The table of the bus does not have that.
        NotOnTheBus = "tasks.not_on_the_bus" { from: Party, kind: MessageKind, to: Party },
        /// Each message has its number, without a gap.
        OutOfTurn = "tasks.out_of_turn" { task: Box<str>, n: u32, next: u32 },
        /// Nothing is said behind the final result.
        HasEnded = "tasks.has_ended" { task: Box<str> },
        /// It has not ended yet.
        GoesOn = "tasks.goes_on" { task: Box<str> },
        /// Its changes have found their place.
        IsSettled = "tasks.is_settled" { task: Box<str> },
        /// A directive or a result that says none of the words it may say.
        BadMessage = "tasks.bad_message" { kind: MessageKind },
    }
}

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Begin(begin) => begun(begin, moment),
        Command::Send(send) => sent(state, send, moment),
        Command::Pause(pause) => paused(state, pause, moment),
        Command::Resume(resume) => resumed(state, resume, moment),
        Command::Settle(settle) => settled(state, settle, moment),
    }
    .into()
}

fn require_system(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_system = moment.standing == Standing::System;
    is_system.then_some(()).ok_or_else(|| Refusal::NotSystem { actor: moment.actor.clone() })
}

fn require_user(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_user = moment.standing == Standing::User;
    is_user.then_some(()).ok_or_else(|| Refusal::NotUser { actor: moment.actor.clone() })
}

fn begun(begin: &Begin, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    let length = begin.request.chars().count();
    if begin.request.trim().is_empty() || length > REQUEST_CHARS {
        return Err(Refusal::BadRequest { most: REQUEST_CHARS });
    }
    Ok(Outcome::of(Begun { task: moment.id.to_string().into(), session: moment.session.clone() }))
}

/// A message is said once, in its turn, by whom may say it, and never behind the final result.
fn sent(state: &State, send: &Send, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    let task = require_open(state, &send.task)?;
    let Send { n, from, to, kind, .. } = *send;
    let next = task.messages.saturating_add(1);
    if n != next {
        return Err(Refusal::OutOfTurn { task: send.task.clone(), n, next });
    }
    if !may_say(&Arrow { from, kind, to }) {
        return Err(Refusal::NotOnTheBus { from, kind, to });
    }
    let mut events = vec![Sent { task: send.task.clone(), n, from, to, kind }.into()];
    events.extend(consequence(send)?);
    Ok(Outcome { events, refusal: None })
}

/// What a message does to the task, beside being said.
fn consequence(send: &Send) -> Result<Option<Event>, Refusal> {
    let task = send.task.clone();
    let bad = || Refusal::BadMessage { kind: send.kind };
    match send.kind {
        MessageKind::FinalResult => {
            let result: ResultEnd = read(send).ok_or_else(bad)?;
            Ok(Some(Ended { task, end: result.directive }.into()))
        }
        MessageKind::PlanDirective => {
            let SaidDirective { directive, replans } = read(send).ok_or_else(bad)?;
            Ok(Some(Replanned { task, directive, replans }.into()))
        }
        MessageKind::Request
        | MessageKind::TaskSpec
        | MessageKind::MemoryQuery
        | MessageKind::MemoryAnswer
        | MessageKind::DispatchManifest
        | MessageKind::SubTask
        | MessageKind::ExecutionResult
        | MessageKind::CorrectionSignal
        | MessageKind::SubTaskOutcome
        | MessageKind::ReplanRequest
        | MessageKind::OutcomeSummary
        | MessageKind::Megram
        | MessageKind::DraftRequest
        | MessageKind::Draft
        | MessageKind::ApprovalRequest
        | MessageKind::Approval
        | MessageKind::Abort
        | MessageKind::AuditQuery
        | MessageKind::AuditReport => Ok(None),
    }
}

/// The one field of a final result that is read here.
#[derive(Deserialize)]
struct ResultEnd {
    directive: TaskEnd,
}

/// The fields of a directive that are read here.
#[derive(Deserialize)]
struct SaidDirective {
    directive: Box<str>,
    replans: u32,
}

fn read<T: DeserializeOwned>(send: &Send) -> Option<T> {
    serde_json::from_str(send.body.text()).ok()
}

fn paused(state: &State, pause: &Pause, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    require_open(state, &pause.task)?;
    Ok(Outcome::of(Paused { task: pause.task.clone(), reason: pause.reason }))
}

fn resumed(state: &State, resume: &Resume, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    let task = require_open(state, &resume.task)?;
    Ok(Outcome::of(Resumed { task: resume.task.clone(), n: task.messages, in_flight: resume.in_flight }))
}

fn settled(state: &State, settle: &Settle, moment: &Moment<'_>) -> Decided {
    require_user(moment)?;
    let task = require_task(state, &settle.task)?;
    if task.phase != TaskPhase::Ended {
        return Err(Refusal::GoesOn { task: settle.task.clone() });
    }
    if task.settlement.is_some() {
        return Err(Refusal::IsSettled { task: settle.task.clone() });
    }
    Ok(Outcome::of(Settled { task: settle.task.clone(), settlement: settle.settlement }))
}

fn require_task<'s>(state: &'s State, id: &str) -> Result<&'s Task, Refusal> {
    state.task(id).ok_or_else(|| Refusal::Unknown { task: id.into() })
}

fn require_open<'s>(state: &'s State, id: &str) -> Result<&'s Task, Refusal> {
    let task = require_task(state, id)?;
    let is_open = task.phase != TaskPhase::Ended;
    is_open.then_some(task).ok_or_else(|| Refusal::HasEnded { task: id.into() })
}
