//! Who may do what with counts of failures. Debates are in `debate`.

use super::command::{
    Announce, Command, Debates, Escalate, Fail, ForgivenBecause, Judge, Observed, Relate, Relation, Reset,
    ResolvedEnding, Succeed, Switch,
};
use super::event::{
    Cleared, Escalated, EscalationReason, Event, Failed, Judged, Related, Repeated, Succeeded, Switched,
};
use super::identity::{canonical, is_id, own_id};
use super::limits::{DEBATE_AFTER, ESCALATE_AFTER};
use super::refusal::Refusal;
use super::state::State;
use super::{called, debate, held};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::fingerprint;

/// The longest text of a command, in characters.
pub(crate) const MOST_TEXT: usize = 4000;

type Decided = Result<Vec<Event>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let events = match command {
        Command::Request(request) => debate::request(state, request, moment),
        Command::Argue(argue) => debate::argue(state, argue, moment),
        Command::Resolve(resolve) => debate::resolve(state, resolve, observed, moment),
        Command::Judge(asked) => judge(state, asked),
        Command::Fail(asked) => fail(state, asked, moment),
        Command::Succeed(asked) => succeed(state, asked),
        Command::Reset(asked) => reset(state, asked, moment),
        Command::Relate(asked) => relate(state, asked, moment),
        Command::Switch(asked) => switch(state, asked, moment),
        Command::Announce(asked) => announce(state, asked, moment),
        Command::Escalate(asked) => escalate(state, asked, moment),
        Command::CallForDebate(asked) => called::call(state, asked, moment),
        Command::Hold(asked) => held::hold(asked, moment),
        Command::Approve(asked) => held::approve(state, asked, moment),
        Command::Pass(asked) => held::pass(state, asked, moment),
    };
    match events {
        Ok(events) => Outcome { events, refusal: None },
        Err(refusal) => Outcome::refused(refusal),
    }
}

/// The id of a task that may be counted; one that nobody knows has no words.
pub(super) fn task_of(state: &State, text: &str) -> Result<Box<str>, Refusal> {
    short(text)?;
    let named = state.named(text).ok_or_else(|| if is_id(text) { unknown(text) } else { Refusal::NoTask })?;
    Ok(state.root(&named.id))
}

fn unknown(text: &str) -> Refusal {
    Refusal::UnknownTask { task: canonical(text).chars().take(80).collect() }
}

pub(super) fn short(text: &str) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if chars > MOST_TEXT { Err(Refusal::TooLong { chars, most: MOST_TEXT }) } else { Ok(()) }
}

/// What only a person may say, or who leads.
fn lead(moment: &Moment<'_>) -> Result<(), Refusal> {
    if moment.standing.is_lead() { Ok(()) } else { Err(Refusal::NotAllowed { actor: moment.actor.clone() }) }
}

fn judge(state: &State, asked: &Judge) -> Decided {
    let debate = asked.debate.clone();
    let known = state.debate(&debate).ok_or_else(|| Refusal::UnknownDebate { debate: debate.clone() })?;
    if known.resolved.is_none() {
        return Err(Refusal::NotResolved { debate });
    }
    Ok(vec![
        Judged { debate, outcome: asked.outcome, helped: asked.helped && asked.outcome == ResolvedEnding::Success }
            .into(),
    ])
}

/// One more failure; where that is one too many, a person is called.
fn fail(state: &State, asked: &Fail, moment: &Moment<'_>) -> Decided {
    let task = task_of(state, &asked.task)?;
    short(&asked.error)?;
    asked.approach.as_deref().map_or(Ok(()), short)?;
    let known = state.task(&task);
    let attempt = known.map_or(0, |known| known.declared).saturating_add(1);
    let failures = known.map_or(0, super::DebatedTask::failures).max(attempt);
    let fingerprint = fingerprint::of(&asked.error);
    let mut events = vec![Failed { task: task.clone(), attempt, fingerprint }.into()];
    let is_escalated = known.is_some_and(|known| known.escalated.is_some());
    let used = known.and_then(|known| known.used.as_ref());
    let why = match used {
        Some(used) => (used.left() <= 1).then_some(EscalationReason::DebateUsed),
        None => (failures >= moment.settings.get(&ESCALATE_AFTER)).then_some(EscalationReason::Count),
    };
    if let Some(why) = why.filter(|_| !is_escalated) {
        events.push(Escalated { task, why, failures }.into());
    }
    Ok(events)
}

fn succeed(state: &State, asked: &Succeed) -> Decided {
    let task = task_of(state, &asked.task)?;
    let known =
        state.task(&task).filter(|known| known.failures() > 0 || known.used.is_some() || !known.planned.is_empty());
    let cleared = known.ok_or(Refusal::NothingCounts)?.failures();
    Ok(vec![Succeeded { task, cleared }.into()])
}

fn reset(state: &State, asked: &Reset, moment: &Moment<'_>) -> Decided {
    lead(moment)?;
    let task = task_of(state, &asked.task)?;
    let counts =
        |known: &&super::DebatedTask| known.failures() > 0 || known.open.is_some() || known.escalated.is_some();
    let cleared = state.task(&task).filter(counts).ok_or(Refusal::NothingCounts)?.failures();
    Ok(vec![Cleared { task, cleared, because: ForgivenBecause::Asked }.into()])
}

/// The second is the earlier one, unless it is the one that nobody knows.
fn relate(state: &State, asked: &Relate, moment: &Moment<'_>) -> Decided {
    lead(moment)?;
    let (task, other) = (task_of(state, &asked.task)?, task_of(state, &asked.other)?);
    if task == other {
        return part(state, asked, task);
    }
    let is_known = |id: &str| state.task(id).is_some();
    let (task, other) = match (is_known(&other), is_known(&task)) {
        (true, _) => (task, other),
        (false, true) => (other, task),
        (false, false) => return Err(unknown(&asked.other)),
    };
    Ok(vec![Related { task, other, relation: asked.relation }.into()])
}

/// Two that count as one are told apart: the one that was joined stands for itself again.
fn part(state: &State, asked: &Relate, root: Box<str>) -> Decided {
    let own = |text: &str| own_id(text).ok_or(Refusal::NoTask);
    let (task, other) = (own(&asked.task)?, own(&asked.other)?);
    if task == other {
        return Err(Refusal::SameTask { task: root });
    }
    if asked.relation == Relation::Same {
        return Err(Refusal::JoinedAlready { task: root });
    }
    let task = if state.is_joined(&other, &task) { other } else { task };
    Ok(vec![Related { task, other: root, relation: Relation::Different }.into()])
}

/// On is for leads; off is for the user alone (decision 57).
fn switch(state: &State, asked: &Switch, moment: &Moment<'_>) -> Decided {
    let Switch { session, debates } = asked.clone();
    match debates {
        Debates::On => lead(moment)?,
        Debates::Off if moment.standing == Standing::User => {}
        Debates::Off => return Err(Refusal::NotTheUser { actor: moment.actor.clone() }),
    }
    if state.is_off(&session) == (debates == Debates::Off) {
        return Err(Refusal::AsItIs { session, debates: debates.as_str() });
    }
    Ok(vec![Switched { session, debates }.into()])
}

/// Once for each error that comes again in a session.
fn announce(state: &State, asked: &Announce, moment: &Moment<'_>) -> Decided {
    let Announce { task, session, fingerprint, cause } = asked.clone();
    if moment.standing != Standing::System {
        return Err(Refusal::NotAllowed { actor: moment.actor.clone() });
    }
    let known = state.task(&task);
    let least = moment.settings.get(&DEBATE_AFTER).max(2);
    let is_new = |run: &&super::task::Run| run.session == session && run.fingerprint == fingerprint && !run.announced;
    let run = known.and_then(|known| known.runs.iter().find(is_new)).filter(|run| run.count >= least);
    let (Some(known), Some(run)) = (known, run) else { return Err(Refusal::Announced { session }) };
    let (summary, approach, count) = (known.summary.clone(), run.approach.clone(), run.count);
    Ok(vec![Repeated { task, summary, session, fingerprint, approach, cause, count }.into()])
}

/// Once for each count: what is declared calls a person at once, what is recorded when the engine looks.
fn escalate(state: &State, asked: &Escalate, moment: &Moment<'_>) -> Decided {
    if moment.standing != Standing::System {
        return Err(Refusal::NotAllowed { actor: moment.actor.clone() });
    }
    let task = asked.task.clone();
    let due = state.task(&task).and_then(|known| Some((known.uncalled(moment.settings)?, known.failures())));
    let (why, failures) = due.ok_or_else(|| Refusal::NotDue { task: task.clone() })?;
    Ok(vec![Escalated { task, why, failures }.into()])
}
