//! What happens to milestones.

use annals_kernel::period::Period;
use annals_kernel::wire::wire;

wire! {
    /// What happened to a milestone.
    pub enum Event {
        /// It began.
        Begun = "milestones.milestone.begun" {
            /// Its id: that of the entry.
            milestone: Box<str>,
            /// Session, chapter or act.
            kind: Period,
            /// What it is called.
            name: Box<str>,
        },
        /// It ended.
        Ended = "milestones.milestone.ended" {
            /// Which.
            milestone: Box<str>,
            /// Session, chapter or act.
            kind: Period,
            /// What it was called.
            name: Box<str>,
        },
    }
}
