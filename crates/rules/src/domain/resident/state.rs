//! What is known of resident agents and of the messages to them.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Command, Finish, Observed, Send};
use super::event::{Approved, Event, Queued, Ticked};
use super::told::ConversationSummary;
use super::word::{
    Approval, AskedDimension, Delivery, Dimension, DimensionState, MessagePhase, MessageTrust, TickAction, TickTrigger,
};
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

/// So many ticks are remembered (Galatea, track 1f), and so many messages of the conversation.
pub const REMEMBERED: usize = 50;

/// A message, and what came of it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InboxMessage {
    /// For which agent.
    pub agent: AgentId,
    /// From whom, as who handed it in says.
    pub from: Box<str>,
    /// Who handed it in.
    pub sent_by: Option<AgentId>,
    /// Through which channel.
    pub channel: Box<str>,
    /// What it says.
    pub content: Box<str>,
    /// What the channel needs to answer it.
    pub metadata: BTreeMap<Box<str>, Box<str>>,
    /// How far it is trusted.
    pub trust: MessageTrust,
    /// When it came.
    pub received_at: Timestamp,
    /// Where it stands.
    pub phase: MessagePhase,
    /// The person's word, where it was given.
    pub approval: Option<Approval>,
    /// Why, where they said so.
    pub approval_reason: Option<Box<str>>,
    /// The entry of that word.
    pub approved_in: Option<EntryId>,
    /// What the tick came to that was last at it.
    pub action: Option<TickAction>,
    /// The entry of that tick.
    pub ticked_in: Option<EntryId>,
    /// When that was.
    pub ticked_at: Option<Timestamp>,
    /// The answer.
    pub answer: Option<Box<str>>,
    /// What became of the answer.
    pub delivery: Option<Delivery>,
    /// Why it was set aside, where the last tick did so.
    pub set_aside: Option<Box<str>>,
    /// What stood for the beginning of the conversation when it was answered.
    pub summary: Option<ConversationSummary>,
}

impl InboxMessage {
    pub(super) fn of(queued: &Queued, send: Option<&Send>, at: Timestamp) -> Self {
        let send = send.cloned();
        Self {
            agent: queued.agent.clone(),
            from: send.as_ref().map(|send| send.from.clone()).unwrap_or_default(),
            sent_by: None,
            channel: send.as_ref().map(|send| send.channel.clone()).unwrap_or_default(),
            content: send.as_ref().map(|send| send.content.clone()).unwrap_or_default(),
            metadata: send.map(|send| send.metadata).unwrap_or_default(),
            trust: queued.trust,
            received_at: at,
            phase: MessagePhase::Waiting,
            approval: None,
            approval_reason: None,
            approved_in: None,
            action: None,
            ticked_in: None,
            ticked_at: None,
            answer: None,
            delivery: None,
            set_aside: None,
            summary: None,
        }
    }

    /// Takes the person's word. A yes to what was set aside has it tried again, and allows nothing that was not allowed. Who
    /// heard that the person is asked hears of a no, too; of any other message it is the end.
    fn take(&mut self, approval: Approval, reason: Option<Box<str>>, entry: EntryId) {
        let is_told = self.action.is_some_and(TickAction::holds);
        let is_retry = self.action == Some(TickAction::SetAside) && self.approval != Some(Approval::No);
        self.phase = match approval {
            Approval::No if !is_told => MessagePhase::Done,
            Approval::Yes | Approval::No => MessagePhase::Waiting,
        };
        if approval == Approval::No || !is_retry {
            (self.approval, self.approval_reason, self.approved_in) = (Some(approval), reason, Some(entry));
        }
    }
}

impl Ranked for InboxMessage {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.received_at.millis()
    }
}

/// Who has an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lease {
    /// Which process.
    pub owner: Box<str>,
    /// Until then.
    pub until: Timestamp,
}

/// A state that a person set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetState {
    /// Which.
    pub state: DimensionState,
    /// It holds before then.
    pub until: Timestamp,
    /// The entry that set it.
    pub set_in: EntryId,
}

/// A state that a model gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenState {
    /// Which.
    pub state: DimensionState,
    /// When.
    pub at: Timestamp,
}

/// A tick that was done.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Activity {
    /// The entry that records it.
    pub entry: EntryId,
    /// When it ended.
    pub at: Timestamp,
    /// What set it off.
    pub trigger: TickTrigger,
    /// What it was about.
    pub message: Option<EntryId>,
    /// What it came to.
    pub action: TickAction,
    /// How many entries of knowledge came to it.
    #[sparse]
    pub facts: u64,
    /// How long it took, in milliseconds.
    #[sparse]
    pub ms: u64,
}

/// A resident agent.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resident {
    /// Messages that wait, the oldest first.
    pub waiting: Vec<EntryId>,
    /// Messages that are held.
    pub held: Vec<EntryId>,
    /// Who has it.
    pub lease: Option<Lease>,
    /// States that a person set.
    pub overrides: BTreeMap<Dimension, SetState>,
    /// The last states that a model gave.
    pub given: BTreeMap<AskedDimension, GivenState>,
    /// The last ticks, the oldest first.
    pub activity: Vec<Activity>,
    /// The last messages that were answered, the oldest first.
    pub answered: Vec<EntryId>,
    /// How it stood at the last tick: every scale with its state and how that is known.
    pub homeostasis: Option<Json>,
    /// How many ticks there were.
    #[sparse]
    pub ticks: u64,
}

/// Counts over all agents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Messages that came.
    pub messages: u64,
    /// Ticks, by what they came to.
    pub ticks: BTreeMap<TickAction, u64>,
}

/// All resident agents.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// By agent.
    pub agents: Rows<AgentId, Resident>,
    /// By id.
    pub messages: Rows<Box<str>, InboxMessage>,
}

impl Ranked for Resident {
    fn rank(&self) -> i64 {
        0
    }
}

impl State {
    /// An agent.
    pub fn agent(&self, id: &AgentId) -> Option<&Resident> {
        self.agents.get(id.as_str())
    }

    /// A message.
    pub fn message(&self, id: EntryId) -> Option<&InboxMessage> {
        self.messages.get(&id.to_string())
    }

    /// The latest messages, and their ids.
    pub fn latest(&self, most: usize) -> Vec<(&str, &InboxMessage)> {
        self.messages.first_by_rank(most).into_iter().map(|(id, message)| (&**id, message)).collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Queued(queued) => self.queue(queued, cause),
            Event::Approved(approved) => self.approve(approved, cause),
            Event::Taken(taken) => {
                let lease = Lease { owner: taken.owner.clone(), until: taken.until };
                self.agent_mut(&taken.agent).lease = Some(lease);
            }
            Event::Released(released) => self.agent_mut(&released.agent).lease = None,
            Event::Overridden(set) => {
                let state = SetState { state: set.state, until: set.until, set_in: cause.id };
                self.agent_mut(&set.agent).overrides.insert(set.dimension, state);
            }
            Event::Ticked(ticked) => self.tick(ticked, cause),
            Event::Delivered(delivered) => {
                self.change(delivered.message, |message| message.delivery = Some(delivered.delivery));
            }
        }
    }

    fn queue(&mut self, queued: &Queued, cause: &Cause<'_, Command, Observed>) {
        self.totals.messages += 1;
        let send =
            cause.command().and_then(|command| if let Command::Send(send) = command { Some(send) } else { None });
        let message = || {
            let sent_by = Some(cause.actor.clone());
            InboxMessage { sent_by, ..InboxMessage::of(queued, send, cause.at) }
        };
        self.messages.entry(&queued.message.to_string(), message);
        self.agent_mut(&queued.agent).waiting.push(queued.message);
    }

    fn approve(&mut self, approved: &Approved, cause: &Cause<'_, Command, Observed>) {
        let id = approved.message;
        let command = cause.command();
        let said = command.and_then(|command| if let Command::Approve(said) = command { Some(said) } else { None });
        let reason = said.and_then(|said| said.reason.clone());
        self.change(id, |message| message.take(approved.approval, reason, cause.id));
        let waits = self.message(id).is_some_and(|message| message.phase == MessagePhase::Waiting);
        let agent = self.agent_mut(&approved.agent);
        agent.held.retain(|held| *held != id);
        agent.waiting.retain(|waiting| *waiting != id || waits);
        if waits && !agent.waiting.contains(&id) {
            agent.waiting.push(id);
        }
    }

    fn tick(&mut self, ticked: &Ticked, cause: &Cause<'_, Command, Observed>) {
        *self.totals.ticks.entry(ticked.action).or_default() += 1;
        let finish =
            cause.command().and_then(|command| if let Command::Finish(finish) = command { Some(finish) } else { None });
        if let Some(id) = ticked.message {
            self.change(id, |message| message.end(ticked.action, finish, cause));
        }
        self.agent_mut(&ticked.agent).take_in(ticked, finish, cause);
    }

    fn agent_mut(&mut self, id: &AgentId) -> &mut Resident {
        self.agents.entry(id.as_str(), Resident::default)
    }

    fn change(&mut self, id: EntryId, change: impl FnOnce(&mut InboxMessage)) {
        if let Some(message) = self.messages.get_mut(&id.to_string()) {
            change(message);
        }
    }
}

impl Finish {
    /// What was answered; none where that is empty.
    pub(super) fn said(&self) -> Option<&str> {
        Some(&*self.answer).filter(|answer| !answer.is_empty())
    }
}

impl InboxMessage {
    fn end(&mut self, action: TickAction, finish: Option<&Finish>, cause: &Cause<'_, Command, Observed>) {
        self.phase = if action.holds() { MessagePhase::Held } else { MessagePhase::Done };
        (self.action, self.ticked_in, self.ticked_at) = (Some(action), Some(cause.id), Some(cause.at));
        self.answer = finish.and_then(Finish::said).map(Box::from);
        self.delivery = finish.and_then(|finish| finish.delivery);
        self.set_aside = finish.and_then(|finish| finish.reason.clone());
        self.summary = finish.and_then(|finish| finish.summary.clone());
    }
}

impl Resident {
    fn take_in(&mut self, ticked: &Ticked, finish: Option<&Finish>, cause: &Cause<'_, Command, Observed>) {
        self.ticks += 1;
        self.homeostasis = finish.map(|finish| finish.homeostasis.clone()).or(self.homeostasis.take());
        if let Some(id) = ticked.message {
            self.waiting.retain(|waiting| *waiting != id);
            if ticked.action.holds() {
                self.held.push(id);
            } else {
                self.answered.push(id);
            }
        }
        for (dimension, state) in &ticked.asked {
            self.given.insert(*dimension, GivenState { state: *state, at: cause.at });
        }
        self.activity.push(Activity {
            entry: cause.id,
            at: cause.at,
            trigger: ticked.trigger,
            message: ticked.message,
            action: ticked.action,
            facts: finish.map_or(0, |finish| u64::try_from(finish.facts.len()).unwrap_or(u64::MAX)),
            ms: finish.map_or(0, |finish| finish.ms),
        });
        keep_last(&mut self.activity);
        keep_last(&mut self.answered);
    }
}

fn keep_last<T>(list: &mut Vec<T>) {
    let gone = list.len().saturating_sub(REMEMBERED);
    list.drain(..gone);
}
