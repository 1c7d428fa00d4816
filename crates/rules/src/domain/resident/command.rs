//! What can be asked of the resident agent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::told::{ConversationSummary, LeftOut};
use super::word::{Approval, AskedDimension, Delivery, Dimension, DimensionState, TickAction, TickTrigger};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of the resident agent.
    pub enum Command {
        /// A message for it, through whatever door (track 1a).
        Send = "resident.message.send" {
            /// For which agent.
            agent: AgentId,
            /// From whom, as its channel names them.
            from: Box<str>,
            /// Through which channel.
            channel: Box<str>,
            /// What it says.
            content: Box<str>,
            /// What the channel needs to answer it.
            #[serde(default)]
            metadata: BTreeMap<Box<str>, Box<str>>,
        },
        /// The person's word on a message that is held, or that waits and came from another clone.
        Approve = "resident.message.approve" {
            /// Which message.
            message: EntryId,
            /// The word.
            approval: Approval,
            /// Why.
            reason: Option<Box<str>>,
        },
        /// A process takes the agent, or keeps it (decision 69).
        Take = "resident.lease.take" {
            /// Which agent.
            agent: AgentId,
            /// Which process; what stands before a `/` is its clone.
            owner: Box<str>,
            /// For how long, in milliseconds.
            ttl_ms: u64,
            /// The process that it is taken from, whatever its lease says: the person knows that it is gone.
            take_over: Option<Box<str>>,
        },
        /// A process lets the agent go.
        Release = "resident.lease.release" {
            /// Which agent.
            agent: AgentId,
            /// Which process.
            owner: Box<str>,
        },
        /// The person sets a state for a while (track 1e).
        Override = "resident.state.override" {
            /// Of which agent.
            agent: AgentId,
            /// On which scale.
            dimension: Dimension,
            /// Which state.
            state: DimensionState,
            /// For how long, in milliseconds; five minutes where nothing is said.
            ttl_ms: Option<u64>,
        },
        /// A tick has ended.
        Finish = "resident.tick.finish" {
            /// Of which agent.
            agent: AgentId,
            /// Which process did it.
            owner: Box<str>,
            /// What set it off.
            trigger: TickTrigger,
            /// The message that it is about.
            message: Option<EntryId>,
            /// What it came to.
            action: TickAction,
            /// The answer; empty where there is none.
            answer: Box<str>,
            /// What became of the answer, where there is one.
            delivery: Option<Delivery>,
            /// Where the agent stood: every scale with its state and how that is known.
            homeostasis: Json,
            /// States that a model gave just now.
            asked: BTreeMap<AskedDimension, DimensionState>,
            /// The entries of knowledge that came to it.
            facts: Vec<EntryId>,
            /// How long it took, in milliseconds.
            ms: u64,
            /// Why the message was set aside.
            reason: Option<Box<str>>,
            /// What stood for the beginning of the conversation.
            summary: Option<ConversationSummary>,
            /// What the prompt had no room for.
            #[sparse]
            left_out: LeftOut,
        },
        /// An answer reached its channel, or could not.
        Deliver = "resident.answer.deliver" {
            /// To which message.
            message: EntryId,
            /// What became of it.
            delivery: Delivery,
            /// Why, where it could not.
            reason: Option<Box<str>>,
        },
    }
}

/// What was looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Observed {
    /// The process of this clone that had the agent is gone: its lock was free.
    pub gone: Option<Box<str>>,
}
