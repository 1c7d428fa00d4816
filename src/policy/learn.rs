//! What one room learns from the events of another: counts and records that follow from them, and need no event.

use super::{From, advocate, moderation};
use crate::domain::{Event, Rooms};

/// Takes in what an event means for rooms that it is not of.
pub(super) fn learn(rooms: &mut Rooms, event: &Event, from: &From<'_>) {
    advocate::learn(rooms, event, from);
    moderation::learn(rooms, event, from);
}
