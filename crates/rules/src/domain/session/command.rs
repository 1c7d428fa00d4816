//! What can be asked of sessions.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of sessions (AFS 3.2).
    pub enum Command {
        /// Begin a session.
        Start(Start) = "history.session.start",
        /// Pause a session: the user is away, the context changes.
        Suspend(Suspend) = "history.session.suspend",
        /// Go on with a suspended session.
        Resume(Resume) = "history.session.resume",
        /// End a session as it should end.
        Complete(Complete) = "history.session.complete",
        /// End a session early: an error, a cancellation, a timeout.
        Abort(Abort) = "history.session.abort",
    }
}

/// Fields of `history.session.start`. The new session's id is that of the entry.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// What the session is about.
    pub title: Option<Box<str>>,
    /// The session that delegates to it.
    pub parent_session_id: Option<SessionId>,
    /// The project it belongs to.
    pub project_id: Option<Box<str>>,
}

/// Fields of `history.session.suspend`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suspend {
    /// Which session.
    pub session: SessionId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `history.session.resume`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resume {
    /// Which session.
    pub session: SessionId,
}

/// Fields of `history.session.complete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Complete {
    /// Which session.
    pub session: SessionId,
}

/// Fields of `history.session.abort`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Abort {
    /// Which session.
    pub session: SessionId,
    /// Why.
    pub reason: Box<str>,
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `complete`: the summary of what was done.
    pub summary: Option<Summary>,
}

/// What was done in a session (AFS 3.1, 3.3).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// A line.
    pub title: Box<str>,
    /// Markdown.
    pub body: Box<str>,
    /// What it was about, the most mentioned first.
    pub entities: Vec<Entity>,
}

/// Something that a session was about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entity {
    /// What it is called.
    pub name: Box<str>,
    /// `file`, `function`, `command`, …
    #[serde(rename = "type")]
    pub kind: Box<str>,
    /// How often it was mentioned.
    pub mentions: u64,
}
