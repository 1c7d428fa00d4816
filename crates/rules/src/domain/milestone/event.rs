//! What happens to milestones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::period::Period;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a milestone.
    pub enum Event {
        /// It began.
        Begun(Begun) = "milestones.milestone.begun",
        /// It ended.
        Ended(Ended) = "milestones.milestone.ended",
    }
}

/// Fields of `milestones.milestone.begun`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// Its id: that of the entry.
    pub milestone: Box<str>,
    /// Session, chapter or act.
    pub kind: Period,
    /// What it is called.
    pub name: Box<str>,
}

/// Fields of `milestones.milestone.ended`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// Which.
    pub milestone: Box<str>,
    /// Session, chapter or act.
    pub kind: Period,
    /// What it was called.
    pub name: Box<str>,
}
