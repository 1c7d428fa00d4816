//! What can be asked of milestones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::period::Period;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of milestones.
    pub enum Command {
        /// A session, chapter or act begins.
        Begin(Begin) = "milestones.milestone.begin",
        /// The one that goes on ends.
        End(End) = "milestones.milestone.end",
    }
}

/// Fields of `milestones.milestone.begin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Begin {
    /// Session, chapter or act.
    pub kind: Period,
    /// What it is called: issues tagged `#{kind}-{name}` belong to it.
    pub name: Box<str>,
}

/// Fields of `milestones.milestone.end`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// Session, chapter or act.
    pub kind: Period,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
