//! Who gets how much of a prompt: what must stand there stands there whole, and the rest shares what is left.
//!
//! Counts characters; tokens are the backend's matter.

/// What is left for what may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RoomShares {
    /// For the listing of the workspace.
    pub(super) listing: usize,
    /// For the outputs of the round before, together.
    pub(super) outputs: usize,
}

/// Outputs come first, but a listing keeps a third.
pub(super) fn shares(room: usize, listing: usize, outputs: usize) -> RoomShares {
    let listing = listing.min(room.saturating_sub(outputs).max(room / 3));
    RoomShares { listing, outputs: room - listing }
}
