//! A council as other programs read it (AFS 7.1).
//!
//! Does not print and does not write files.

use serde::Serialize;

use crate::domain::council::Session;
use crate::domain::council::count::Count;

/// A council with its id, and what the votes come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CouncilInfo {
    /// Its id.
    pub id: Box<str>,
    /// All that is known of it.
    #[serde(flatten)]
    pub session: Session,
    /// What the votes come to, in thousandths of a full vote.
    pub count: Count,
    /// Whose vote is awaited.
    pub awaited: Vec<Box<str>>,
}

/// Why a council is not needed any more, in words.
pub fn lapsed_because(reason: &str) -> &str {
    match reason {
        "settled-otherwise" => "it was settled otherwise",
        "entry-removed" => "the entry was removed",
        "entry-replaced" => "the key has a new entry",
        _ => reason,
    }
}

impl CouncilInfo {
    /// Of a council.
    pub fn of(id: &str, session: &Session) -> Self {
        let awaits = session.status == crate::domain::council::Status::Voting;
        let awaited = session.awaited().filter(|_| awaits).map(Box::from).collect();
        Self { id: id.into(), session: session.clone(), count: session.count(), awaited }
    }
}
