//! Which messages may be answered in this clone: those that it wrote itself, and those that its person said yes to.
//!
//! A repository that somebody else filled brings lines in any name (decision 50). Such a message waits for the person, and is
//! counted; no model is asked about it, and what it says is no part of a conversation. That yes lets a message in: it allows
//! nothing that it asks for, and trusts its sender no more.

use annals_engine::own_word::OwnWords;
use annals_engine::{Engine, EngineError};
use annals_kernel::actor::Standing;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::settings::Settings;
use annals_rules::domain::resident::{
    Approval, Delivery, InboxMessage, MessagePhase, MessageTrust, TickAction, own, trust,
};
use annals_rules::world::World;

/// The messages, and what of them this clone wrote.
#[derive(Debug, Clone, Copy)]
pub struct Inbox<'w> {
    /// The world.
    pub world: &'w World,
    /// What this clone wrote.
    pub own: &'w OwnWords,
    /// What holds in this clone.
    pub settings: &'w Settings,
}

impl Inbox<'_> {
    /// Asks the messages as they are now.
    pub fn ask<T>(engine: &Engine, question: impl Fn(Inbox<'_>) -> T) -> Result<T, EngineError> {
        let own = engine.own_entries()?;
        engine.ask(|world| question(Inbox { world, own: &own, settings: engine.settings() }))
    }

    /// Whether a message is this clone's own, or its person said a word on it.
    pub fn is_own(&self, id: EntryId, message: &InboxMessage) -> bool {
        match own::allowed(id, message) {
            Some(word) => self.own.wrote(&word),
            None => self.is_sent_here(id, message),
        }
    }

    /// Whether this clone wrote it, whatever its person said to it.
    fn is_sent_here(&self, id: EntryId, message: &InboxMessage) -> bool {
        self.own.wrote(&own::sent(id, message))
    }

    /// Whether who it says it is from handed it in themselves, in this clone.
    pub(super) fn is_handed_in_by_its_sender(&self, id: EntryId, message: &InboxMessage) -> bool {
        self.is_sent_here(id, message) && message.sent_by.as_ref().is_some_and(|actor| *actor.as_str() == *message.from)
    }

    /// Whether two messages are of one conversation: of one sender as they are known, by name, channel and trust, and handed
    /// in by the same. Where the name is only a claim (trust none), what the channel needs to answer must be the same, too.
    /// What another clone brought stands alone: its trust is that clone's word, and the person's yes is to this message.
    pub(super) fn is_one_conversation(&self, one: &(EntryId, InboxMessage), other: &(EntryId, InboxMessage)) -> bool {
        let known = |message: &InboxMessage| {
            let InboxMessage { from, channel, trust, sent_by, metadata, .. } = message.clone();
            (from, channel, trust, sent_by, (trust == MessageTrust::None).then_some(metadata))
        };
        let is_here = |(id, message): &(EntryId, InboxMessage)| self.is_sent_here(*id, message);
        is_here(one) && is_here(other) && known(&one.1) == known(&other.1)
    }

    /// Whether it was answered in this clone.
    pub fn is_answered_here(&self, id: EntryId, message: &InboxMessage) -> bool {
        own::answered(id, message).is_some_and(|answer| self.own.wrote(&answer))
    }

    /// Whether a tick of this clone asked the person for what it asks.
    pub fn is_asked_here(&self, id: EntryId, message: &InboxMessage) -> bool {
        message.action == Some(TickAction::Ask) && self.is_answered_here(id, message)
    }

    /// Whether the person allowed what a tick of this clone asked them for. A yes to anything else lets a message be answered, and
    /// no more: nobody was shown then what it asks for.
    pub(super) fn is_allowed(&self, id: EntryId, message: &InboxMessage) -> bool {
        message.approval == Some(Approval::Yes) && self.is_asked_here(id, message)
    }

    /// How far it is trusted. What the person allowed counts as their own; what another clone brought is what its sender and its
    /// channel are worth here, whatever that clone says.
    pub fn trust(&self, id: EntryId, message: &InboxMessage) -> MessageTrust {
        if self.is_allowed(id, message) {
            return MessageTrust::Absolute;
        }
        if self.is_sent_here(id, message) {
            return message.trust;
        }
        let handed_in = message.sent_by.as_ref().map(|actor| self.world.rooms.roster.standing(actor));
        trust::brought(message, &handed_in.unwrap_or(Standing::Stranger), self.settings)
    }

    /// Whether it waits for the person alone because another clone brought it, or another's word on it.
    pub fn is_from_elsewhere(&self, id: EntryId, message: &InboxMessage) -> bool {
        message.phase == MessagePhase::Waiting && !self.is_own(id, message)
    }

    /// The oldest message that waits for an agent and may be answered.
    pub(super) fn next(&self, agent: &AgentId) -> Option<(EntryId, InboxMessage)> {
        let room = &self.world.rooms.resident;
        let waiting = &room.agent(agent)?.waiting;
        let own = |id: &EntryId| room.message(*id).filter(|message| self.is_own(*id, message));
        waiting.iter().find_map(|id| Some((*id, own(id)?.clone())))
    }

    /// Those of the last that this clone answered, and whose answer waits for its channel.
    pub(super) fn undelivered(&self, agent: &AgentId) -> Vec<(EntryId, InboxMessage)> {
        let room = &self.world.rooms.resident;
        let Some(row) = room.agent(agent) else { return Vec::new() };
        let is_left = |id: EntryId, message: &InboxMessage| {
            message.answer.is_some()
                && message.delivery == Some(Delivery::Pending)
                && self.is_answered_here(id, message)
        };
        // What was answered and asked about may wait again, since the person's word.
        let last = row.answered.iter().chain(&row.held).chain(&row.waiting);
        let found = last.filter_map(|id| Some((*id, room.message(*id)?)));
        found.filter(|(id, message)| is_left(*id, message)).map(|(id, message)| (id, message.clone())).collect()
    }

    /// Those that another clone brought and that wait for the person.
    pub fn from_elsewhere(&self, agent: &AgentId) -> Vec<EntryId> {
        let room = &self.world.rooms.resident;
        let waiting = room.agent(agent).map(|row| &row.waiting[..]).unwrap_or_default();
        let is_one = |id: &&EntryId| room.message(**id).is_some_and(|message| self.is_from_elsewhere(**id, message));
        waiting.iter().filter(is_one).copied().collect()
    }
}
