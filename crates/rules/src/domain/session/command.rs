//! What can be asked of sessions.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::SessionId;
use annals_kernel::model_word::ModelWord;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of sessions (AFS 3.2).
    pub enum Command {
        // The new session's id is that of the entry.
        /// Begin a session.
        Start = "history.session.start" derive(Default) {
            /// What it is about.
            title: Option<Box<str>>,
            /// The session that delegates to it.
            parent_session_id: Option<SessionId>,
            /// The project it belongs to.
            project_id: Option<Box<str>>,
        },
        /// Pause a session: the user is away, the context changes.
        Suspend = "history.session.suspend" {
            /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before.
            session: SessionId,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Go on with a suspended session.
        Resume = "history.session.resume" {
            /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before.
            session: SessionId,
        },
        /// End a session as it should end.
        Complete = "history.session.complete" {
            /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before.
            session: SessionId,
        },
        /// End a session early: an error, a cancellation, a timeout.
        Abort = "history.session.abort" {
            /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before.
            session: SessionId,
            /// Why, in words.
            reason: Box<str>,
        },
        // The summary is observed. It is about the session, and no part of it: its name does not begin with `history.session`.
        /// Keep what a model says of a session, beside what the rules say.
        Summarize = "history.summary.write" {
            /// Its id, or the beginning or end of it; @, last and -1 are the latest, -2 is the one before.
            session: SessionId,
        },
    }
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `complete`: the summary of what was done; for `summarize`, that of a model.
    pub summary: Option<Summary>,
    /// For `summarize`: what the model said.
    pub model: Option<ModelWord>,
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
