//! What happened to sessions. Names as in AFS 8.3.

use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a session.
    pub enum Event each {
        /// Which session.
        session: SessionId as &SessionId
    } {
        /// A session began.
        Started = "history.session.started" {},
        /// A session was paused.
        Suspended = "history.session.suspended" {},
        /// A paused session goes on.
        Resumed = "history.session.resumed" {
            /// How long it was paused, in milliseconds.
            paused_ms: u64,
        },
        /// A session ended as it should.
        Completed = "history.session.completed" {},
        /// A session ended early.
        Aborted = "history.session.aborted" {},
        /// A model said what was done in a session.
        Summarized = "history.summary.written" {
            /// Which model.
            model: Box<str>,
        },
    }
}
