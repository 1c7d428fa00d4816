//! Where answers go: a registry of handlers by the name of the channel (Galatea, track 1c).
//!
//! `ui` and `api` are always there: their answers stand in the record, where who asked reads them. A channel without a
//! handler loses nothing: its answers wait for a connector.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_kernel::id::EntryId;
use annals_rules::domain::resident::{Delivery, InboxMessage};

/// Brings answers to one channel. Called on a thread that may wait.
pub trait ChannelHandler: Send + Sync {
    /// Brings the answer to a message to who wrote it. The same answer may come twice, after a crash.
    fn send(&self, id: EntryId, message: &InboxMessage, answer: &str) -> Result<(), String>;
}

/// The handlers, by channel.
#[derive(Clone)]
pub struct Channels {
    pub(super) handlers: BTreeMap<String, Arc<dyn ChannelHandler>>,
}

/// Nothing to do: the answer is read where it is recorded.
struct OnRecord;

impl ChannelHandler for OnRecord {
    fn send(&self, _: EntryId, _: &InboxMessage, _: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Default for Channels {
    fn default() -> Self {
        let on_record = |name: &str| (name.to_owned(), Arc::new(OnRecord) as Arc<dyn ChannelHandler>);
        Self { handlers: ["api", "ui"].map(on_record).into() }
    }
}

impl Channels {
    /// With a handler for a channel, in place of the one it had.
    #[must_use]
    pub fn with(mut self, name: &str, handler: Arc<dyn ChannelHandler>) -> Self {
        self.handlers.insert(name.to_owned(), handler);
        self
    }

    /// Brings an answer to its channel. Gives what became of it, and why it could not where it could not.
    pub(super) fn dispatch(&self, id: EntryId, message: &InboxMessage, answer: &str) -> (Delivery, Option<String>) {
        match self.handlers.get(&*message.channel).map(|handler| handler.send(id, message, answer)) {
            None => (Delivery::Pending, None),
            Some(Ok(())) => (Delivery::Delivered, None),
            Some(Err(why)) => (Delivery::Failed, Some(why)),
        }
    }
}
