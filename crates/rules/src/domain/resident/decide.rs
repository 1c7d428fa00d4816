//! What may be said to a resident agent, who may tick it, and how a tick ends.

use super::command::{Approve, Command, Deliver, Finish, Observed, Override, Release, Send, Take};
use super::event::{Approved, Delivered, Event, Overridden, Queued, Released, Taken, Ticked};
use super::settings::{MAX_PENDING, MESSAGE_CHARS};
use super::state::{InboxMessage, Lease, State};
use super::trust;
use super::word::{Delivery, MessagePhase, TickAction};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::refusal::refusal;

/// The longest name of a sender or channel, and of a key or value beside a message, in characters.
const NAME_CHARS: usize = 256;

/// So many keys stand beside a message at most.
const MOST_KEYS: usize = 32;

/// How long an override holds where nothing is said (track 1e), in milliseconds.
const OVERRIDE_MS: u64 = 300_000;

/// How long an override or a lease may hold at most, in milliseconds: a day.
const MOST_MS: u64 = 86_400_000;

refusal! {
    /// Why nothing becomes of it.
    pub enum Refusal {
        /// A person decides that.
        NotUser = "resident.not_user" { actor: AgentId },
        /// The process that has the agent does that.
        NotHost = "resident.not_host" { actor: AgentId },
        /// A message says something to an agent, through a channel, from a sender.
        BadMessage = "resident.bad_message" { most: usize, names: usize, keys: usize },
        /// Too many wait.
        QueueFull = "resident.queue_full" { agent: AgentId, most: usize },
        /// There is no such message.
        Unknown = "resident.unknown_message" { message: EntryId },
        /// It does not wait for the person's word.
        NotHeld = "resident.not_held" { message: EntryId, phase: MessagePhase },
        /// It does not wait for a tick.
        NotWaiting = "resident.not_waiting" { message: EntryId, phase: MessagePhase },
        /// It has no answer that waits to be delivered.
        NothingToDeliver = "resident.nothing_to_deliver" { message: EntryId },
        /// Another process has the agent.
        LeaseHeld = "resident.lease_held" { agent: AgentId, owner: Box<str>, until: annals_kernel::time::Timestamp },
        /// The process does not have the agent.
        NoLease = "resident.no_lease" { agent: AgentId, owner: Box<str> },
        /// No time, or too much of it.
        BadTtl = "resident.bad_ttl" { ttl_ms: u64, most: u64 },
    }
}

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Send(send) => sent(state, send, moment),
        Command::Approve(approve) => approved(state, approve, moment),
        Command::Take(take) => taken(state, take, observed, moment),
        Command::Release(release) => released(state, release, moment),
        Command::Override(set) => overridden(set, moment),
        Command::Finish(finish) => finished(state, finish, moment),
        Command::Deliver(deliver) => delivered(state, deliver, moment),
    }
    .into()
}

fn sent(state: &State, send: &Send, moment: &Moment<'_>) -> Decided {
    let (most, pending) = (moment.settings.get(&MESSAGE_CHARS), moment.settings.get(&MAX_PENDING));
    let is_name = |name: &str| !name.trim().is_empty() && name.chars().count() <= NAME_CHARS;
    let is_text = !send.content.trim().is_empty() && send.content.chars().count() <= most;
    let is_short = |value: &str| value.chars().count() <= NAME_CHARS;
    let keys =
        send.metadata.len() <= MOST_KEYS && send.metadata.iter().all(|(key, value)| is_name(key) && is_short(value));
    let has_names = [send.agent.as_str(), &send.from, &send.channel].into_iter().all(is_name);
    if !(is_text && has_names && keys) {
        return Err(Refusal::BadMessage { most, names: NAME_CHARS, keys: MOST_KEYS });
    }
    if state.agent(&send.agent).is_some_and(|agent| agent.waiting.len() >= pending) {
        return Err(Refusal::QueueFull { agent: send.agent.clone(), most: pending });
    }
    let trust = trust::sent(send, moment.actor.as_str(), &moment.standing, moment.settings);
    Ok(Outcome::of(Queued { message: moment.id, agent: send.agent.clone(), trust }))
}

fn approved(state: &State, approve: &Approve, moment: &Moment<'_>) -> Decided {
    require_user(moment)?;
    let message = require_message(state, approve.message)?;
    if message.phase == MessagePhase::Done {
        return Err(Refusal::NotHeld { message: approve.message, phase: message.phase });
    }
    let (message, agent) = (approve.message, message.agent.clone());
    Ok(Outcome::of(Approved { message, agent, approval: approve.approval }))
}

/// A lease is taken where there is none, where it is one's own, where it ran out, where its process is gone, or where the
/// person takes it from that process.
fn taken(state: &State, take: &Take, observed: &Observed, moment: &Moment<'_>) -> Decided {
    require_host(moment)?;
    require_ttl(take.ttl_ms)?;
    if take.take_over.is_some() {
        require_user(moment)?;
    }
    let held = state.agent(&take.agent).and_then(|agent| agent.lease.as_ref()).filter(|held| held.owner != take.owner);
    let is_gone =
        |held: &Lease| observed.gone.as_ref() == Some(&held.owner) && clone_of(&held.owner) == clone_of(&take.owner);
    let is_free = |held: &Lease| is_gone(held) || take.take_over.as_ref() == Some(&held.owner);
    if let Some(held) = held.filter(|held| moment.at < held.until && !is_free(held)) {
        let Lease { owner, until } = held.clone();
        return Err(Refusal::LeaseHeld { agent: take.agent.clone(), owner, until });
    }
    let (agent, owner, from) = (take.agent.clone(), take.owner.clone(), held.map(|held| held.owner.clone()));
    Ok(Outcome::of(Taken { agent, owner, until: after(moment, take.ttl_ms), from }))
}

/// The clone that a process is of: only there it can be known that another is gone.
pub fn clone_of(owner: &str) -> &str {
    owner.split_once('/').map_or(owner, |(clone, _)| clone)
}

fn released(state: &State, release: &Release, moment: &Moment<'_>) -> Decided {
    require_host(moment)?;
    require_lease(state, &release.agent, &release.owner, moment)?;
    Ok(Outcome::of(Released { agent: release.agent.clone(), owner: release.owner.clone() }))
}

fn overridden(set: &Override, moment: &Moment<'_>) -> Decided {
    require_user(moment)?;
    let ttl_ms = set.ttl_ms.unwrap_or(OVERRIDE_MS);
    require_ttl(ttl_ms)?;
    let (agent, dimension, state) = (set.agent.clone(), set.dimension, set.state);
    Ok(Outcome::of(Overridden { agent, dimension, state, until: after(moment, ttl_ms) }))
}

/// A message is ticked once, by the process that has its agent.
fn finished(state: &State, finish: &Finish, moment: &Moment<'_>) -> Decided {
    require_host(moment)?;
    require_lease(state, &finish.agent, &finish.owner, moment)?;
    if let Some(id) = finish.message {
        let message = require_message(state, id)?;
        if message.phase != MessagePhase::Waiting || message.agent != finish.agent {
            return Err(Refusal::NotWaiting { message: id, phase: message.phase });
        }
    }
    let Finish { agent, trigger, message, action, asked, .. } = finish.clone();
    let ticked = Ticked { agent, trigger, message, action, asked };
    let reached = finish.delivery.filter(|_| action != TickAction::Rest).zip(message);
    let delivered = reached.map(|(delivery, message)| Delivered { message, delivery }.into());
    Ok(Outcome { events: std::iter::once(ticked.into()).chain(delivered).collect(), refusal: None })
}

fn delivered(state: &State, deliver: &Deliver, moment: &Moment<'_>) -> Decided {
    require_host(moment)?;
    let message = require_message(state, deliver.message)?;
    let is_open = message.answer.is_some() && message.delivery != Some(Delivery::Delivered);
    if !is_open {
        return Err(Refusal::NothingToDeliver { message: deliver.message });
    }
    Ok(Outcome::of(Delivered { message: deliver.message, delivery: deliver.delivery }))
}

fn require_user(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_user = moment.standing == Standing::User;
    is_user.then_some(()).ok_or_else(|| Refusal::NotUser { actor: moment.actor.clone() })
}

/// What keeps the agent going: the person's own program, or the engine.
fn require_host(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_host = matches!(moment.standing, Standing::User | Standing::System);
    is_host.then_some(()).ok_or_else(|| Refusal::NotHost { actor: moment.actor.clone() })
}

fn require_ttl(ttl_ms: u64) -> Result<(), Refusal> {
    let is_time = (1..=MOST_MS).contains(&ttl_ms);
    is_time.then_some(()).ok_or(Refusal::BadTtl { ttl_ms, most: MOST_MS })
}

fn require_message(state: &State, id: EntryId) -> Result<&InboxMessage, Refusal> {
    state.message(id).ok_or(Refusal::Unknown { message: id })
}

fn require_lease(state: &State, agent: &AgentId, owner: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    let lease = state.agent(agent).and_then(|agent| agent.lease.as_ref());
    let is_held = lease.is_some_and(|lease| *lease.owner == *owner && moment.at < lease.until);
    is_held.then_some(()).ok_or_else(|| Refusal::NoLease { agent: agent.clone(), owner: owner.into() })
}

fn after(moment: &Moment<'_>, ttl_ms: u64) -> annals_kernel::time::Timestamp {
    moment.at.plus_millis(i64::try_from(ttl_ms).unwrap_or(i64::MAX))
}
