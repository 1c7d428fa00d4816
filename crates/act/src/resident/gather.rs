//! What a tick begins with, read from the world: the message, the conversation, what is known, where the agent stands.
//!
//! Reads only.

use std::collections::BTreeMap;

use annals_engine::{Engine, EngineError};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;
use annals_role::resident::homeostasis::{
    AgentContext, HomeostasisAssessment, HomeostasisLimits, MessageTrust, ResidentTurn, RetrievedFact, StateCache,
    StateOverride, TurnRole, Vitals,
};
use annals_role::resident::tick::TickFacts;
use annals_rules::domain::knowledge::command::Retrieve;
use annals_rules::domain::knowledge::listener::KnowledgeListener;
use annals_rules::domain::knowledge::retrieve::retrieve_for;
use annals_rules::domain::knowledge::trace::RetrievalTrace;
use annals_rules::domain::resident::{Approval, Dimension, InboxMessage, Resident, SetState, own};
use annals_rules::domain::task::TaskPhase;
use annals_rules::world::World;

use super::conversation::Conversation;
use super::inbox::Inbox;
use super::work::{phase_of, work_item};

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
    pub(super) conversation: Conversation,
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
    let before = before(inbox, &row, next.as_ref());
    let trust = next.as_ref().map(|(id, message)| inbox.trust(*id, message)).unwrap_or_default();
    let trace = next.as_ref().map(|next| known(inbox, next, trust, now)).unwrap_or_default();
    let history = before.iter().flat_map(|(_, message)| both(message)).collect();
    let last_outbound = last_outbound(inbox, &row);
    let context =
        AgentContext { trust, facts: facts(&trace), history, last_outbound, ..context(world, next.as_ref(), vitals) };
    let facts = TickFacts {
        context,
        approval: next.as_ref().and_then(|(id, message)| word_on(inbox, *id, message)),
        overrides: overrides(inbox, agent, &row),
        cache: cache(&row),
        limits: HomeostasisLimits::default(),
    };
    let conversation = Conversation::of(&before);
    Gathered { message: next, facts, conversation, trace, last: row }
}

fn context(world: &World, next: Option<&(EntryId, InboxMessage)>, vitals: Vitals) -> AgentContext {
    let open = world.rooms.task.latest(TASKS).into_iter().filter(|(_, task)| task.phase != TaskPhase::Ended);
    let open: Vec<_> = open.collect();
    let running = open.iter().find(|(_, task)| task.phase == TaskPhase::Running);
    AgentContext {
        message: next.map(|(_, message)| message.content.to_string()).unwrap_or_default(),
        assigned_tasks: u32::try_from(open.len()).unwrap_or(u32::MAX),
        phase: running.and_then(|(_, task)| task.last).and_then(phase_of),
        work_items: open.iter().map(|(id, task)| work_item(id, task)).collect(),
        vitals,
        ..AgentContext::default()
    }
}

/// The person's word on what they were asked: a yes that only let the message in is none.
fn word_on(inbox: Inbox<'_>, id: EntryId, message: &InboxMessage) -> Option<Approval> {
    message.approval.filter(|word| *word == Approval::No || inbox.is_allowed(id, message))
}

/// What was said with the same sender before, the oldest first; where nobody writes, with anybody. What another clone brought
/// is nobody's word.
fn before(inbox: Inbox<'_>, row: &Resident, message: Option<&(EntryId, InboxMessage)>) -> Vec<(EntryId, InboxMessage)> {
    let is_same = |other: &(EntryId, InboxMessage)| message.is_none_or(|own| inbox.is_one_conversation(own, other));
    answered_here(inbox, row).filter(is_same).collect()
}

/// The last messages that were answered in this clone.
fn answered_here<'i>(inbox: Inbox<'i>, row: &'i Resident) -> impl Iterator<Item = (EntryId, InboxMessage)> + use<'i> {
    let of = move |id: &EntryId| Some((*id, inbox.world.rooms.resident.message(*id)?.clone()));
    let is_here =
        move |(id, said): &(EntryId, InboxMessage)| inbox.is_own(*id, said) && inbox.is_answered_here(*id, said);
    row.answered.iter().filter_map(of).filter(is_here)
}

/// When the agent last said anything to anybody.
fn last_outbound(inbox: Inbox<'_>, row: &Resident) -> Option<Timestamp> {
    let said = answered_here(inbox, row).filter(|(_, message)| message.answer.is_some());
    said.filter_map(|(_, message)| message.ticked_at).max()
}

fn both(message: &InboxMessage) -> Vec<ResidentTurn> {
    let of = |role, text: &str, at| ResidentTurn { role, text: text.to_owned(), at };
    let answer = message.answer.as_deref().zip(message.ticked_at);
    let asked = of(TurnRole::User, &message.content, message.received_at);
    std::iter::once(asked).chain(answer.map(|(text, at)| of(TurnRole::Agent, text, at))).collect()
}

/// The question that knowledge is asked.
pub(super) fn query(message: &InboxMessage) -> Retrieve {
    Retrieve { query: message.content.clone(), ..Retrieve::default() }
}

/// What may be told to who writes. Of who is not trusted the name is a claim, but where they handed the message in themselves.
fn known(
    inbox: Inbox<'_>,
    (id, message): &(EntryId, InboxMessage),
    trust: MessageTrust,
    now: Timestamp,
) -> RetrievalTrace {
    let rooms = &inbox.world.rooms;
    let is_own_name = trust > MessageTrust::None || inbox.is_handed_in_by_its_sender(*id, message);
    let listener = if trust <= MessageTrust::Low {
        KnowledgeListener::Untrusted { name: is_own_name.then_some(&*message.from) }
    } else {
        KnowledgeListener::Trusted
    };
    retrieve_for(&rooms.knowledge, &query(message), &rooms.config.settings, now, listener)
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
