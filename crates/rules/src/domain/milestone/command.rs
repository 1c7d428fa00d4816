//! What can be asked of milestones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::period::Period;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of milestones.
    pub enum Command {
        /// A session, chapter or act begins.
        Begin = "milestones.milestone.begin" {
            /// session, chapter or act.
            kind: Period,
            /// What it is called; issues tagged #chapter-NAME belong to the chapter NAME.
            name: Box<str>,
        },
        /// The one that goes on ends.
        End = "milestones.milestone.end" {
            /// session, chapter or act.
            kind: Period,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
