//! What may become of a blind pass (control-room 7.1, decision 40).

use super::command::{Close, Command, Observed, Open, Reveal, Submit};
use super::event::{Closed, Event, Lost, Opened, Revealed, Submitted};
use super::state::{Fate, Pass, State};
use crate::kernel::decision::{Moment, Outcome};
use crate::kernel::id::{AgentId, IssueId};

/// Why a blind pass stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// One at a time.
    #[error("a blind pass on that issue goes on already")]
    Open,
    /// Somebody must be asked.
    #[error("there is nobody to ask")]
    Nobody,
    /// There is nothing to answer or to close.
    #[error("no blind pass goes on there")]
    NotOpen,
    /// It was not asked.
    #[error("{actor} is not asked in this blind pass")]
    NotAsked {
        /// Who answered.
        actor: AgentId,
    },
    /// One opinion each.
    #[error("{actor} has given its opinion already")]
    Given {
        /// Who answered.
        actor: AgentId,
    },
    /// A seal is a SHA-256.
    #[error("a sealed opinion is 64 hexadecimal digits")]
    BadSeal,
    /// Opinions are awaited, and only some may wait no longer.
    #[error("opinions are awaited; {actor} may not close the pass before: that is for user, team lead and moderator")]
    Awaited {
        /// Who asked.
        actor: AgentId,
    },
    /// It is not to be read yet.
    #[error("nothing is revealed before the pass is closed")]
    Sealed,
    /// There is none, or it is known what became of it.
    #[error("there is nothing new to say about an opinion of {agent} there")]
    NothingNew {
        /// Whose.
        agent: AgentId,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Open => "blind.open",
            Self::Nobody => "blind.nobody",
            Self::NotOpen => "blind.not_open",
            Self::NotAsked { .. } => "blind.not_asked",
            Self::Given { .. } => "blind.given",
            Self::BadSeal => "blind.bad_seal",
            Self::Awaited { .. } => "blind.awaited",
            Self::Sealed => "blind.sealed",
            Self::NothingNew { .. } => "blind.nothing_new",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Open | Self::NotAsked { .. } | Self::NothingNew { .. } => "`annals blind show` tells who is asked",
            Self::Nobody => "name agents with --agent, or set sanity.blind_pass_roles to roles that there are",
            Self::NotOpen => "`annals blind open` begins one",
            Self::Given { .. } => "say more in the discussion, when the pass is closed",
            Self::BadSeal => "`annals blind submit` makes it",
            Self::Awaited { .. } => "the pass closes by itself when all opinions are in",
            Self::Sealed => "`annals blind show` tells whose opinion is awaited",
        }
    }
}

type Answer = Result<Outcome<Event, Refusal>, Refusal>;

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

fn opened(state: &State, open: &Open) -> Answer {
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
fn submitted(state: &State, submit: &Submit, observed: &Observed, moment: &Moment<'_>) -> Answer {
    let (pass, actor, issue) = (going_on(state, &submit.issue)?, moment.actor.clone(), submit.issue.clone());
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

fn closed(state: &State, close: &Close, moment: &Moment<'_>) -> Answer {
    going_on(state, &close.issue)?;
    if !moment.standing.is_privileged() {
        return Err(Refusal::Awaited { actor: moment.actor.clone() });
    }
    Ok(Outcome::of(Closed { issue: close.issue.clone() }))
}

/// A text counts only where it is what was sealed. One that is missing here may be found by another clone.
fn revealed(state: &State, reveal: &Reveal, observed: &Observed) -> Answer {
    let (issue, agent) = (reveal.issue.clone(), reveal.agent.clone());
    let pass = state.pass(&issue).ok_or(Refusal::NotOpen)?;
    if pass.is_open() {
        return Err(Refusal::Sealed);
    }
    let opinion = pass.opinions.get(&agent).filter(|opinion| opinion.fate != Fate::Revealed);
    let Some(sealed) = opinion else { return Err(Refusal::NothingNew { agent }) };
    let fate = match &observed.opinion {
        None => Fate::Missing,
        Some(opinion) if opinion.seal(&issue, &agent) != sealed.seal => Fate::Changed,
        Some(opinion) => return Ok(Outcome::of(Revealed { issue, agent, stance: opinion.stance })),
    };
    if fate == sealed.fate { Err(Refusal::NothingNew { agent }) } else { Ok(Outcome::of(Lost { issue, agent, fate })) }
}
