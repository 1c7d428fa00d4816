//! What a tick begins with, read from the world: the message, the conversation, what is known, where the agent stands.
//!
//! Reads only.

use std::collections::BTreeMap;

use annals_engine::{Engine, EngineError};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;
use annals_role::resident::context::{ContextMessage, ContextRole};
use annals_role::resident::homeostasis::{
    AgentContext, HomeostasisAssessment, HomeostasisLimits, MessageTrust, ResidentTurn, RetrievedFact, StateCache,
    StateOverride, TurnRole, Vitals, WorkItem,
};
use annals_role::resident::tick::TickFacts;
use annals_rules::domain::knowledge::command::Retrieve;
use annals_rules::domain::knowledge::retrieve::retrieve;
use annals_rules::domain::knowledge::trace::RetrievalTrace;
use annals_rules::domain::resident::{Approval, Dimension, InboxMessage, Resident, SetState, own};
use annals_rules::domain::task::TaskPhase;
use annals_rules::world::World;

use super::inbox::Inbox;

/// So many tasks are looked at.
const TASKS: usize = 50;

/// All of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    /// The message that is to be answered.
    pub(super) message: Option<(EntryId, InboxMessage)>,
    /// What the roles are told.
    pub(super) facts: TickFacts,
    /// The conversation before.
    pub(super) conversation: Vec<ContextMessage>,
    /// What knowledge said, and why.
    pub(super) trace: RetrievalTrace,
    /// How the agent stood last, as it was recorded.
    pub(super) last: Resident,
}

/// Whether a message waits that may be answered.
pub(super) fn waits(engine: &Engine, agent: &AgentId) -> Result<bool, EngineError> {
    let is_any = |world: &World| world.rooms.resident.agent(agent).is_some_and(|row| !row.waiting.is_empty());
    if !engine.ask(is_any)? {
        return Ok(false);
    }
    Inbox::ask(engine, |inbox| inbox.next(agent).is_some())
}

/// Reads it.
pub(super) fn gather(engine: &Engine, agent: &AgentId, vitals: Vitals) -> Result<Gathered, EngineError> {
    let now = engine.clock().now();
    Inbox::ask(engine, |inbox| gathered(inbox, agent, vitals, now))
}

/// Where an agent stands, without asking a model.
pub fn standing(inbox: Inbox<'_>, agent: &AgentId, now: Timestamp) -> HomeostasisAssessment {
    gathered(inbox, agent, Vitals::default(), now).facts.assessed(&BTreeMap::new(), now)
}

fn gathered(inbox: Inbox<'_>, agent: &AgentId, vitals: Vitals, now: Timestamp) -> Gathered {
    let world = inbox.world;
    let row = world.rooms.resident.agent(agent).cloned().unwrap_or_default();
    let next = inbox.next(agent);
    let turns = turns(inbox, &row, next.as_ref().map(|(_, message)| message));
    let trace = next.as_ref().map(|(_, message)| known(world, message, now)).unwrap_or_default();
    let history = turns.iter().flat_map(both).collect();
    let context = AgentContext { facts: facts(&trace), history, ..context(world, next.as_ref(), vitals) };
    let facts = TickFacts {
        context,
        approval: next.as_ref().and_then(|(_, message)| message.approval),
        overrides: overrides(inbox, agent, &row),
        cache: cache(&row),
        limits: HomeostasisLimits::default(),
    };
    let conversation = turns.iter().flat_map(said).collect();
    Gathered { message: next, facts, conversation, trace, last: row }
}

fn context(world: &World, next: Option<&(EntryId, InboxMessage)>, vitals: Vitals) -> AgentContext {
    let running = world.rooms.task.latest(TASKS).into_iter().filter(|(_, task)| task.phase != TaskPhase::Ended);
    let work_items: Vec<_> = running
        .map(|(id, task)| WorkItem {
            id: id.to_owned(),
            last_activity: task.begun_at,
            delegated_at: None,
            follow_ups: 0,
        })
        .collect();
    AgentContext {
        message: next.map(|(_, message)| message.content.to_string()).unwrap_or_default(),
        trust: next.map(|(_, message)| trust(message)).unwrap_or_default(),
        assigned_tasks: u32::try_from(work_items.len()).unwrap_or(u32::MAX),
        work_items,
        vitals,
        ..AgentContext::default()
    }
}

/// What the person allowed counts as their own.
fn trust(message: &InboxMessage) -> MessageTrust {
    if message.approval == Some(Approval::Yes) { MessageTrust::Absolute } else { message.trust }
}

/// What was said with the same person through the same channel, the oldest first; where nobody writes, with anybody. What
/// another clone brought is nobody's word.
fn turns(inbox: Inbox<'_>, row: &Resident, message: Option<&InboxMessage>) -> Vec<InboxMessage> {
    let is_same =
        |other: &InboxMessage| message.is_none_or(|own| other.from == own.from && other.channel == own.channel);
    let of = |id: &EntryId| {
        let message = inbox.world.rooms.resident.message(*id).filter(|message| is_same(message))?;
        (inbox.is_own(*id, message) && inbox.is_answered_here(*id, message)).then(|| message.clone())
    };
    row.answered.iter().filter_map(of).collect()
}

fn both(message: &InboxMessage) -> Vec<ResidentTurn> {
    let of = |role, text: &str, at| ResidentTurn { role, text: text.to_owned(), at };
    let answer = message.answer.as_deref().zip(message.ticked_at);
    let asked = of(TurnRole::User, &message.content, message.received_at);
    std::iter::once(asked).chain(answer.map(|(text, at)| of(TurnRole::Agent, text, at))).collect()
}

fn said(message: &InboxMessage) -> Vec<ContextMessage> {
    let asked = ContextMessage::new(ContextRole::User, message.content.to_string());
    let answer = message.answer.as_deref().map(|text| ContextMessage::new(ContextRole::Assistant, text));
    std::iter::once(asked).chain(answer).collect()
}

/// The question that knowledge is asked.
pub(super) fn query(message: &InboxMessage) -> Retrieve {
    Retrieve { query: message.content.clone(), ..Retrieve::default() }
}

fn known(world: &World, message: &InboxMessage, now: Timestamp) -> RetrievalTrace {
    retrieve(&world.rooms.knowledge, &query(message), &world.rooms.config.settings, now)
}

fn facts(trace: &RetrievalTrace) -> Vec<RetrievedFact> {
    let came = trace.entries.iter().filter(|line| line.dropped_at.is_none());
    let fact = |line: &annals_rules::domain::knowledge::trace::Line| RetrievedFact {
        content: line.content.to_string(),
        confidence: Share::of(line.strength).unwrap_or(Share::NONE),
        relevance: None,
    };
    came.map(fact).collect()
}

fn overrides(inbox: Inbox<'_>, agent: &AgentId, row: &Resident) -> Vec<StateOverride> {
    let is_own = |(dimension, state): &(&Dimension, &SetState)| inbox.own.wrote(&own::set(agent, **dimension, **state));
    let of =
        |(dimension, set): (&_, &SetState)| StateOverride { dimension: *dimension, state: set.state, until: set.until };
    row.overrides.iter().filter(is_own).map(of).collect()
}

fn cache(row: &Resident) -> StateCache {
    let mut cache = StateCache::default();
    for (dimension, given) in &row.given {
        cache.keep(*dimension, given.state, given.at);
    }
    cache
}
