//! What can be asked of the voice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;
use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

words! {
    /// When an agent is told something.
    pub enum Occasion {
        /// Its session begins, or goes on behind a compaction.
        Start = "start",
        /// A person asks for something.
        Prompt = "prompt",
        /// A call failed.
        Failure = "failure",
        /// It ends its turn.
        Stop = "stop",
        /// A call begins.
        Call = "call",
    }
}

words! {
    /// What a piece of context is about.
    pub enum PieceTopic {
        /// How to act here.
        Guide = "guide",
        /// An entry of canon.
        Canon = "canon",
        /// A golden entry of the hivemind.
        Golden = "golden",
        /// Another entry of the hivemind.
        Belief = "belief",
        /// An entry of knowledge.
        Knowledge = "knowledge",
        /// How much memory has of a task.
        Memory = "memory",
        /// An issue that waits.
        Issue = "issue",
        /// Something that this agent is asked for.
        Asked = "asked",
        /// What the gate of debates says.
        Gate = "gate",
        /// How an error ended before.
        Ended = "ended",
        /// What the last session left open.
        Open = "open",
        /// A claim that the record contradicts.
        Contradiction = "contradiction",
        /// What the person said that may hold from now on.
        Candidate = "candidate",
    }
}

words! {
    /// How long nothing is told.
    pub enum MuteSpan {
        /// Until the person's next prompt.
        Prompt = "prompt",
        /// For the rest of the session.
        Session = "session",
    }
}

/// One thing that was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Piece {
    /// What it is about.
    pub topic: PieceTopic,
    /// Which one, in which version: a session hears of the same only once.
    pub key: Box<str>,
    /// Its share of the budget.
    pub tokens: u32,
}

wire! {
    /// What can be asked of the voice.
    pub enum Command {
        /// Tell an agent something.
        Give = "voice.context.give" {
            /// The session that is told.
            session: SessionId,
            /// When.
            occasion: Occasion,
            /// What.
            pieces: Vec<Piece>,
            /// How many pieces were left out: not trusted here, or over the budget.
            #[sparse]
            withheld: u32,
        },
        /// Tell a session nothing for now.
        Mute = "voice.session.mute" {
            /// Which session.
            session: SessionId,
            /// For how long [default: session].
            span: Option<MuteSpan>,
        },
        /// Tell it something again.
        Unmute = "voice.session.unmute" {
            /// Which session.
            session: SessionId,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
