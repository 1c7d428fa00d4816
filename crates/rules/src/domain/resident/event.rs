//! What happens to the resident agent.

use std::collections::BTreeMap;

use super::word::{
    Approval, AskedDimension, Delivery, Dimension, DimensionState, MessageTrust, TickAction, TickTrigger,
};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to the resident agent.
    pub enum Event {
        /// A message waits.
        Queued = "resident.message.queued" {
            /// Its id: that of the entry.
            message: EntryId,
            /// For which agent.
            agent: AgentId,
            /// How far it is trusted: the lower of sender and channel.
            trust: MessageTrust,
        },
        /// The person gave their word on a message.
        Approved = "resident.message.approved" {
            /// Which message.
            message: EntryId,
            /// Of which agent.
            agent: AgentId,
            /// The word.
            approval: Approval,
        },
        /// A process has the agent.
        Taken = "resident.lease.taken" {
            /// Which agent.
            agent: AgentId,
            /// Which process.
            owner: Box<str>,
            /// Until then, if it is not taken again.
            until: Timestamp,
            /// From which process, which had died or let it run out.
            from: Option<Box<str>>,
        },
        /// Nobody has the agent.
        Released = "resident.lease.released" {
            /// Which agent.
            agent: AgentId,
            /// Which process had it.
            owner: Box<str>,
        },
        /// A state was set for a while.
        Overridden = "resident.state.overridden" {
            /// Of which agent.
            agent: AgentId,
            /// On which scale.
            dimension: Dimension,
            /// Which.
            state: DimensionState,
            /// It holds before then.
            until: Timestamp,
        },
        /// A tick has ended.
        Ticked = "resident.tick.finished" {
            /// Of which agent.
            agent: AgentId,
            /// What set it off.
            trigger: TickTrigger,
            /// The message that it was about.
            message: Option<EntryId>,
            /// What it came to.
            action: TickAction,
            /// States that a model gave.
            asked: BTreeMap<AskedDimension, DimensionState>,
        },
        /// What became of an answer.
        Delivered = "resident.answer.delivered" {
            /// To which message.
            message: EntryId,
            /// What.
            delivery: Delivery,
        },
    }
}
