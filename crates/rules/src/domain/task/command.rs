//! What can be asked of tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bus::{MessageKind, Party};
use annals_kernel::grounding::words;
use annals_kernel::json::Json;
use annals_kernel::wire::wire;

words! {
    /// What becomes of the changes of a task (decision 61).
    pub enum Settlement {
        /// They are in the project now.
        Applied = "applied",
        /// They are on a branch of the project.
        Kept = "kept",
        /// They are gone.
        Dropped = "dropped",
    }
}

words! {
    /// Why a run stopped before its task ended.
    pub enum PauseReason {
        /// A person wanted it.
        Person = "person",
        /// No model answered.
        NoModel = "no_model",
        /// The budget of tokens, money or time is used up.
        Budget = "budget",
    }
}

wire! {
    /// What can be asked of tasks.
    pub enum Command {
        /// A task begins.
        Begin = "tasks.task.begin" {
            /// The person's words.
            request: Box<str>,
            /// Which models answer, by the role that asks them.
            models: Vec<RoleModel>,
            /// The limits, tools and place it has, as the loop reads them: what is configured later changes nothing of it.
            setting: Json,
        },
        /// One role says a thing to another.
        Send = "tasks.message.send" {
            /// In which task.
            task: Box<str>,
            /// The how-manieth message of it, 1 the first; the same is said once.
            n: u32,
            /// Who says it.
            from: Party,
            /// To whom.
            to: Party,
            /// What it is.
            kind: MessageKind,
            /// The message.
            body: Json,
            /// How long the task has been alive, in milliseconds.
            alive_ms: u64,
        },
        /// A run stops, and can go on.
        Pause = "tasks.task.pause" {
            /// Which task.
            task: Box<str>,
            /// Why.
            reason: PauseReason,
        },
        /// A run goes on where it stopped, or was killed.
        Resume = "tasks.task.resume" {
            /// Which task.
            task: Box<str>,
            /// How many answers and calls had no result: they are asked for once more.
            in_flight: u32,
        },
        /// The person says what becomes of the changes.
        Settle = "tasks.task.settle" {
            /// Which task.
            task: Box<str>,
            /// What.
            settlement: Settlement,
        },
    }
}

/// Which model answers a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoleModel {
    /// The role.
    pub role: Party,
    /// As the configuration names the model.
    pub model: Box<str>,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
