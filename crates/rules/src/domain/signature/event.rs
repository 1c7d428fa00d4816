//! What happened: a head was signed.

use annals_kernel::signed::SignedHead;
use annals_kernel::wire::wire;

wire! {
    /// What happened.
    pub enum Event {
        /// A writer's head was signed, and with it all that the writer had written and seen.
        Signed(SignedHead) = "history.head.signed",
    }
}
