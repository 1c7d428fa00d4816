//! What of an entry counts only where this clone wrote it: how far a message is trusted, the person's word, a state they
//! set, an answer (decision 50). Each has words, of which the clone that wrote them keeps a hash.
//!
//! Does not keep them, and says of none whose they are.

use serde::Serialize;

use super::command::Command;
use super::event::{Event, Overridden};
use super::state::{InboxMessage, SetState};
use super::told::ConversationSummary;
use super::word::{Approval, Dimension, TickAction};
use annals_kernel::annals::OwnLine;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;

/// The words of an event that a command led to, known before its entry is written; none where it counts whoever wrote it.
pub fn line_of(event: &Event, command: &Command, entry: EntryId) -> Option<OwnLine> {
    match event {
        Event::Queued(queued) => {
            let Command::Send(send) = command else { return None };
            Some(sent(queued.message, &InboxMessage::of(queued, Some(send), entry.time())))
        }
        Event::Approved(approved) => Some(word(entry, approved.message, approved.approval)),
        Event::Ticked(ticked) => {
            let Command::Finish(finish) = command else { return None };
            Some(answer(
                entry,
                ticked.message?,
                ticked.action,
                SaidInTick { answer: finish.said(), summary: finish.summary.as_ref() },
            ))
        }
        Event::Overridden(Overridden { agent, dimension, state, until }) => {
            Some(set(agent, *dimension, SetState { state: *state, until: *until, set_in: entry }))
        }
        Event::Taken(_) | Event::Released(_) | Event::Delivered(_) => None,
    }
}

/// A message: from whom, through what, and how far it is trusted.
pub fn sent(id: EntryId, message: &InboxMessage) -> OwnLine {
    let InboxMessage { agent, from, channel, content, metadata, trust, .. } = message;
    (id, words(&("sent", agent.as_str(), from, channel, trust.as_str(), content, metadata)))
}

/// The person's word on it, where there is one.
pub fn allowed(id: EntryId, message: &InboxMessage) -> Option<OwnLine> {
    let (approval, entry) = message.approval.zip(message.approved_in)?;
    Some(word(entry, id, approval))
}

/// What was answered to it, where it was ticked.
pub fn answered(id: EntryId, message: &InboxMessage) -> Option<OwnLine> {
    let (action, entry) = message.action.zip(message.ticked_in)?;
    Some(answer(entry, id, action, SaidInTick { answer: message.answer.as_deref(), summary: message.summary.as_ref() }))
}

fn word(entry: EntryId, message: EntryId, approval: Approval) -> OwnLine {
    (entry, words(&("approved", message.to_string(), approval.as_str())))
}

/// What a tick said, and what its prompt said of the conversation before.
struct SaidInTick<'a> {
    answer: Option<&'a str>,
    summary: Option<&'a ConversationSummary>,
}

fn answer(entry: EntryId, message: EntryId, action: TickAction, said: SaidInTick<'_>) -> OwnLine {
    let (message, SaidInTick { answer, summary }) = (message.to_string(), said);
    let line = match summary {
        None => words(&("answered", message, action.as_str(), answer)),
        Some(summary) => words(&("answered", message, action.as_str(), answer, summary)),
    };
    (entry, line)
}

/// One text, whatever stands in it.
fn words(said: &impl Serialize) -> String {
    Json::of(said).text().to_owned()
}

/// A state that was set.
pub fn set(agent: &AgentId, dimension: Dimension, set: SetState) -> OwnLine {
    (set.set_in, words(&("set", agent.as_str(), dimension.as_str(), set.state.as_str(), set.until.millis())))
}
