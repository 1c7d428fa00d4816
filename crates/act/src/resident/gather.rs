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
use annals_rules::domain::resident::{Approval, InboxMessage, Resident};
use annals_rules::domain::task::TaskPhase;
use annals_rules::world::World;

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

/// Reads it.
pub(super) fn gather(engine: &Engine, agent: &AgentId, vitals: Vitals) -> Result<Gathered, EngineError> {
    let now = engine.clock().now();
    engine.ask(|world| gathered(world, agent, vitals, now))
}

/// Where an agent stands, without asking a model.
pub fn standing(world: &World, agent: &AgentId, now: Timestamp) -> HomeostasisAssessment {
    gathered(world, agent, Vitals::default(), now).facts.assessed(&BTreeMap::new(), now)
}

fn gathered(world: &World, agent: &AgentId, vitals: Vitals, now: Timestamp) -> Gathered {
    let room = &world.rooms.resident;
    let row = room.agent(agent).cloned().unwrap_or_default();
    let next = row.waiting.iter().find_map(|id| Some((*id, room.message(*id)?.clone())));
    let turns = turns(world, &row, next.as_ref().map(|(_, message)| message));
    let trace = next.as_ref().map(|(_, message)| known(world, message, now)).unwrap_or_default();
    let history = turns.iter().flat_map(both).collect();
    let context = AgentContext { facts: facts(&trace), history, ..context(world, next.as_ref(), vitals) };
    let facts = TickFacts {
        context,
        approval: next.as_ref().and_then(|(_, message)| message.approval),
        overrides: overrides(&row),
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

/// What was said with the same person through the same channel, the oldest first; where nobody writes, with anybody.
fn turns(world: &World, row: &Resident, message: Option<&InboxMessage>) -> Vec<InboxMessage> {
    let of = |id: &EntryId| world.rooms.resident.message(*id).cloned();
    let is_same =
        |other: &InboxMessage| message.is_none_or(|own| other.from == own.from && other.channel == own.channel);
    row.answered.iter().filter_map(of).filter(is_same).collect()
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

fn overrides(row: &Resident) -> Vec<StateOverride> {
    let of = |(dimension, set): (&_, &annals_rules::domain::resident::SetState)| StateOverride {
        dimension: *dimension,
        state: set.state,
        until: set.until,
    };
    row.overrides.iter().map(of).collect()
}

fn cache(row: &Resident) -> StateCache {
    let mut cache = StateCache::default();
    for (dimension, given) in &row.given {
        cache.keep(*dimension, given.state, given.at);
    }
    cache
}
