//! What happens to tasks.

use super::bus::{MessageKind, Party};
use super::command::{PauseReason, Settlement};
use super::state::TaskEnd;
use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a task.
    pub enum Event {
        /// It began.
        Begun = "tasks.task.begun" {
            /// Its id: that of the entry.
            task: Box<str>,
            /// The session that holds all of it.
            session: SessionId,
        },
        /// A message is on the bus.
        Sent = "tasks.message.sent" {
            /// In which task.
            task: Box<str>,
            /// The how-manieth.
            n: u32,
            /// Who said it.
            from: Party,
            /// To whom.
            to: Party,
            /// What it is.
            kind: MessageKind,
        },
        /// The solver sent the planner back.
        Replanned = "tasks.task.replanned" {
            /// Which task.
            task: Box<str>,
            /// The directive.
            directive: Box<str>,
            /// How often so far.
            replans: u32,
        },
        /// The final result is out.
        Ended = "tasks.task.ended" {
            /// Which task.
            task: Box<str>,
            /// How.
            end: TaskEnd,
        },
        /// Its run stopped.
        Paused = "tasks.task.paused" {
            /// Which task.
            task: Box<str>,
            /// Why.
            reason: PauseReason,
        },
        /// Its run goes on.
        Resumed = "tasks.task.resumed" {
            /// Which task.
            task: Box<str>,
            /// How many messages there were.
            n: u32,
            /// How many answers and calls had no result.
            in_flight: u32,
        },
        /// Its changes found their place.
        Settled = "tasks.task.settled" {
            /// Which task.
            task: Box<str>,
            /// Which.
            settlement: Settlement,
        },
    }
}
