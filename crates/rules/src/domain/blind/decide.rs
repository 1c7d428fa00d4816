//! What may become of a blind pass (control-room 7.1, decision 40).

use super::command::{Close, Command, Observed, Open, Reveal, Submit};
use super::event::{Closed, Event, Lost, Opened, Revealed, Submitted};
use super::state::{OpinionFate, Pass, State};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why a blind pass stays as it is.
    pub enum Refusal {
        /// One at a time.
        Open = "blind.open",
        /// Somebody must be asked.
        Nobody = "blind.nobody",
        /// There is nothing to answer or to close.
        NotOpen = "blind.not_open",
        /// It was not asked.
        NotAsked = "blind.not_asked" { actor: AgentId },
        /// One opinion each.
        Given = "blind.given" { actor: AgentId },
        /// A seal is a SHA-256.
        BadSeal = "blind.bad_seal",
        /// Opinions are awaited, and only some may wait no longer.
        Awaited = "blind.awaited" { actor: AgentId },
        /// It is not to be read yet.
        Sealed = "blind.sealed",
        /// There is none, or it is known what became of it.
        NothingNew = "blind.nothing_new" { agent: AgentId },
    }
}

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Open(open) => opened(state, open),
        Command::Submit(submit) => submitted(state, submit, observed, moment),
        Command::Close(close) => closed(state, close, moment),
        Command::Reveal(reveal) => revealed(state, reveal, observed),
    }
    .into()
}

fn opened(state: &State, open: &Open) -> Decided {
    if state.pass(&open.issue).is_some_and(Pass::is_open) {
        return Err(Refusal::Open);
    }
    if open.participants.is_empty() {
        return Err(Refusal::Nobody);
    }
    Ok(Outcome::of(Opened { issue: open.issue.clone(), participants: open.participants.clone() }))
}

fn going_on<'s>(state: &'s State, issue: &IssueId) -> Result<&'s Pass, Refusal> {
    state.pass(issue).filter(|pass| pass.is_open()).ok_or(Refusal::NotOpen)
}

/// The last opinion closes the pass.
fn submitted(state: &State, submit: &Submit, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let (pass, issue) = (going_on(state, &submit.issue)?, submit.issue.clone());
    let actor = whose(submit, observed, moment);
    if !pass.participants.contains(&actor) {
        return Err(Refusal::NotAsked { actor });
    }
    if pass.opinions.contains_key(&actor) {
        return Err(Refusal::Given { actor });
    }
    let is_hash = |seal: &str| seal.len() == 64 && seal.bytes().all(|byte| byte.is_ascii_hexdigit());
    let seal = observed.seal.clone().filter(|seal| is_hash(seal)).ok_or(Refusal::BadSeal)?;
    let is_last = pass.awaited().all(|agent| *agent == actor);
    let mut events = vec![Submitted { issue: issue.clone(), agent: actor, seal }.into()];
    if is_last {
        events.push(Closed { issue }.into());
    }
    Ok(Outcome { events, refusal: None })
}

/// Whose opinion it is: the user alone may bring in another's, and only one that a model gave.
fn whose(submit: &Submit, observed: &Observed, moment: &Moment<'_>) -> AgentId {
    let may_bring = observed.model.is_some() && moment.standing == Standing::User;
    submit.agent.clone().filter(|_| may_bring).unwrap_or_else(|| moment.actor.clone())
}

fn closed(state: &State, close: &Close, moment: &Moment<'_>) -> Decided {
    going_on(state, &close.issue)?;
    if !moment.standing.is_privileged() {
        return Err(Refusal::Awaited { actor: moment.actor.clone() });
    }
    Ok(Outcome::of(Closed { issue: close.issue.clone() }))
}

/// A text counts only where it is what was sealed. One that is missing here may be found by another clone.
fn revealed(state: &State, reveal: &Reveal, observed: &Observed) -> Decided {
    let (issue, agent) = (reveal.issue.clone(), reveal.agent.clone());
    let pass = state.pass(&issue).ok_or(Refusal::NotOpen)?;
    if pass.is_open() {
        return Err(Refusal::Sealed);
    }
    let opinion = pass.opinions.get(&agent).filter(|opinion| !opinion.fate.is_final());
    let Some(sealed) = opinion else { return Err(Refusal::NothingNew { agent }) };
    let fate = match &observed.opinion {
        None => OpinionFate::Missing,
        Some(opinion) if opinion.seal(&issue, &agent) != sealed.seal => OpinionFate::Changed,
        Some(opinion) => return Ok(Outcome::of(Revealed { issue, agent, stance: opinion.stance })),
    };
    if fate == sealed.fate { Err(Refusal::NothingNew { agent }) } else { Ok(Outcome::of(Lost { issue, agent, fate })) }
}
