//! The words of the resident agent: scales and states, trust, and what becomes of a message.
//!
//! Words only. `self_preservation` is no `Dimension`: it is shown apart, and nobody can override it (decision 68).

use annals_kernel::grounding::words;

words! {
    /// A scale. What they are is the source's (Galatea, track 2).
    pub enum Dimension {
        /// Whether enough is known for what is asked.
        KnowledgeSufficiency = "knowledge_sufficiency",
        /// Whether the confidence fits the action.
        CertaintyAlignment = "certainty_alignment",
        /// Whether things move.
        ProgressMomentum = "progress_momentum",
        /// Whether others hear enough of it, and not too much.
        CommunicationHealth = "communication_health",
        /// Whether there is something to do.
        ProductiveEngagement = "productive_engagement",
        /// Whether learning and doing are in balance.
        KnowledgeApplication = "knowledge_application",
    }
}

words! {
    /// A scale that a model is asked for.
    pub enum AskedDimension {
        /// Whether the confidence fits the action.
        CertaintyAlignment = "certainty_alignment",
        /// Whether learning and doing are in balance.
        KnowledgeApplication = "knowledge_application",
    }
}

words! {
    /// Where one stands.
    pub enum DimensionState {
        /// Too little of it.
        Low = "LOW",
        /// As it should be.
        Healthy = "HEALTHY",
        /// Too much of it.
        High = "HIGH",
    }
}

impl From<AskedDimension> for Dimension {
    fn from(asked: AskedDimension) -> Self {
        match asked {
            AskedDimension::CertaintyAlignment => Self::CertaintyAlignment,
            AskedDimension::KnowledgeApplication => Self::KnowledgeApplication,
        }
    }
}

words! {
    /// How far the sender of a message is trusted, the least first.
    #[derive(Default)]
    pub enum MessageTrust {
        /// Not at all: an unknown sender or channel.
        #[default]
        None = "none",
        /// A little.
        Low = "low",
        /// As a colleague.
        Medium = "medium",
        /// As a person in charge.
        High = "high",
        /// As the agent's own person.
        Absolute = "absolute",
    }
}

impl MessageTrust {
    /// The lower of what its sender and its channel are worth; one that is not known is worth nothing.
    pub fn of(identity: Option<Self>, channel: Option<Self>) -> Self {
        identity.unwrap_or_default().min(channel.unwrap_or_default())
    }
}

words! {
    /// Where a message stands.
    pub enum MessagePhase {
        /// It waits for a tick.
        Waiting = "waiting",
        /// It asks for what cannot be taken back, or was set aside, and waits for the person's word.
        Held = "held",
        /// A tick is done with it.
        Done = "done",
    }
}

words! {
    /// What the person says to a message that is held.
    pub enum Approval {
        /// The agent may answer it; what it was asked about, as if it were the person's own.
        Yes = "yes",
        /// It may not.
        No = "no",
    }
}

words! {
    /// What sets a tick off.
    pub enum TickTrigger {
        /// A message waits.
        Message = "message",
        /// Time has passed.
        Heartbeat = "heartbeat",
    }
}

words! {
    /// What a tick came to.
    pub enum TickAction {
        /// The message got an answer.
        Respond = "respond",
        /// The person is asked first.
        Ask = "ask",
        /// Who sent it is not trusted with that.
        Deny = "deny",
        /// The person said no, and the sender is told.
        Decline = "decline",
        /// No model can take it, or it alone is more than a budget holds: it waits for the person.
        SetAside = "set_aside",
        /// No model answered; the message is done with, and says so.
        Fail = "fail",
        /// There was nothing to do but to see where things stand.
        Rest = "rest",
    }
}

impl TickAction {
    /// Whether its message waits for the person then.
    pub fn holds(self) -> bool {
        match self {
            Self::Ask | Self::SetAside => true,
            Self::Respond | Self::Deny | Self::Decline | Self::Fail | Self::Rest => false,
        }
    }
}

words! {
    /// What became of an answer.
    pub enum Delivery {
        /// A connector has to fetch it.
        Pending = "pending",
        /// It reached its channel.
        Delivered = "delivered",
        /// Its channel could not take it.
        Failed = "failed",
    }
}

words! {
    /// How a conversation is made to fit (Galatea, track 4).
    #[derive(Default)]
    pub enum CompressionStrategy {
        /// The first message and the newest.
        #[default]
        SlidingWindow = "sliding_window",
        /// What is pinned, what is recent, and some of the middle.
        Zoned = "zoned",
        /// The newest, and a summary of the rest.
        Summarizing = "summarizing",
        /// The window, and a summary that is made anew from time to time.
        Hybrid = "hybrid",
    }
}
