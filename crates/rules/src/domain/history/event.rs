//! What the user decided about the log itself: what was asked, to the letter.

use super::command::{Acknowledge, MendClock, Settle};
use annals_kernel::wire::wire;

wire! {
    /// What the user decided about the log itself.
    pub enum Event {
        /// Lines of a writer are lost, and the user knows.
        Acknowledged(Acknowledge) = "history.hole.acknowledged",
        /// Of several lines with one id this one counts.
        Settled(Settle) = "history.conflict.settled",
        /// Lines of a writer count as of another time.
        Mended(MendClock) = "history.clock.mended",
    }
}
