//! What happened to sessions. Names as in AFS 8.3.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a session.
    pub enum Event {
        /// A session began.
        Started(Started) = "history.session.started",
        /// A session was paused.
        Suspended(Suspended) = "history.session.suspended",
        /// A paused session goes on.
        Resumed(Resumed) = "history.session.resumed",
        /// A session ended as it should.
        Completed(Completed) = "history.session.completed",
        /// A session ended early.
        Aborted(Aborted) = "history.session.aborted",
    }
}

impl Event {
    /// The session that it happened to.
    pub fn session(&self) -> &SessionId {
        match self {
            Self::Started(started) => &started.session,
            Self::Suspended(suspended) => &suspended.session,
            Self::Resumed(resumed) => &resumed.session,
            Self::Completed(completed) => &completed.session,
            Self::Aborted(aborted) => &aborted.session,
        }
    }
}

/// Fields of `history.session.started`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Started {
    /// The new session.
    pub session: SessionId,
}

/// Fields of `history.session.suspended`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suspended {
    /// Which session.
    pub session: SessionId,
}

/// Fields of `history.session.resumed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {
    /// Which session.
    pub session: SessionId,
    /// How long it was paused, in milliseconds.
    pub paused_ms: u64,
}

/// Fields of `history.session.completed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Completed {
    /// Which session.
    pub session: SessionId,
}

/// Fields of `history.session.aborted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Aborted {
    /// Which session.
    pub session: SessionId,
}
