//! What of an entry counts only where this clone wrote it: how far a message is trusted, the person's word, a state they
//! set, an answer (decision 50). Each has words, of which the clone that wrote them keeps a hash.
//!
//! Does not keep them, and says of none whose they are.

use serde::Serialize;

use super::event::{Event, Overridden};
use super::state::{InboxMessage, SetState, State};
use super::word::Dimension;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;

/// An entry, and what it says.
pub type OwnLine = (EntryId, String);

/// The words of an event, read from the state after it; none where it counts whoever wrote it.
pub fn line_of(state: &State, event: &Event) -> Option<OwnLine> {
    match event {
        Event::Queued(queued) => Some(sent(queued.message, state.message(queued.message)?)),
        Event::Approved(approved) => allowed(approved.message, state.message(approved.message)?),
        Event::Ticked(ticked) => answered(ticked.message?, state.message(ticked.message?)?),
        Event::Overridden(Overridden { agent, dimension, .. }) => {
            Some(set(agent, *dimension, *state.agent(agent)?.overrides.get(dimension)?))
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
    Some((entry, words(&("approved", id.to_string(), approval.as_str()))))
}

/// What was answered to it, where it was ticked.
pub fn answered(id: EntryId, message: &InboxMessage) -> Option<OwnLine> {
    let (action, entry) = message.action.zip(message.ticked_in)?;
    Some((entry, words(&("answered", id.to_string(), action.as_str(), &message.answer))))
}

/// One text, whatever stands in it.
fn words(said: &impl Serialize) -> String {
    Json::of(said).text().to_owned()
}

/// A state that was set.
pub fn set(agent: &AgentId, dimension: Dimension, set: SetState) -> OwnLine {
    (set.set_in, words(&("set", agent.as_str(), dimension.as_str(), set.state.as_str(), set.until.millis())))
}
