//! What happened to sessions. Names as in AFS 8.3.

use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a session.
    pub enum Event {
        /// A session began.
        Started = "history.session.started" {
            /// The new session.
            session: SessionId,
        },
        /// A session was paused.
        Suspended = "history.session.suspended" {
            /// Which session.
            session: SessionId,
        },
        /// A paused session goes on.
        Resumed = "history.session.resumed" {
            /// Which session.
            session: SessionId,
            /// How long it was paused, in milliseconds.
            paused_ms: u64,
        },
        /// A session ended as it should.
        Completed = "history.session.completed" {
            /// Which session.
            session: SessionId,
        },
        /// A session ended early.
        Aborted = "history.session.aborted" {
            /// Which session.
            session: SessionId,
        },
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
