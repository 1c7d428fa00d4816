//! What the user decided about the log itself.

use super::command::{Acknowledge, MendClock, Settle};
use annals_kernel::annals::LineHash;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::wire::wire;

wire! {
    /// What the user decided about the log itself.
    pub enum Event {
        /// Lines of a writer are lost, and the user knows.
        Acknowledged = "history.hole.acknowledged" derive(Eq) {
            /// Whose lines are lost.
            #[serde(rename = "w")]
            writer: WriterId,
            /// The count of its last line that is known to have been.
            n: u64,
            /// The hash of that line.
            #[serde(rename = "p")]
            hash: LineHash,
            /// How they were lost.
            why: Option<Box<str>>,
        },
        /// Of several lines with one id this one counts.
        Settled = "history.conflict.settled" {
            /// The id that several lines have.
            id: EntryId,
            /// The hash of the line that counts.
            hash: LineHash,
        },
        /// Lines of a writer count as of another time.
        Mended = "history.clock.mended" derive(Eq) {
            /// Whose clock was wrong.
            #[serde(rename = "w")]
            writer: WriterId,
            /// The count of its first line with a wrong time.
            from: u64,
            /// The count of the last of them.
            to: u64,
            /// How many milliseconds later they count than they say.
            shift: i64,
        },
    }
}

impl From<Acknowledge> for Acknowledged {
    fn from(Acknowledge { writer, n, hash, why }: Acknowledge) -> Self {
        Self { writer, n, hash, why }
    }
}

impl From<Settle> for Settled {
    fn from(Settle { id, hash }: Settle) -> Self {
        Self { id, hash }
    }
}

impl From<MendClock> for Mended {
    fn from(MendClock { writer, from, to, shift }: MendClock) -> Self {
        Self { writer, from, to, shift }
    }
}
