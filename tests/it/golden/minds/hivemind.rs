//! What the swarm believes.

use super::Step;

/// The first writer.
pub fn first_day() -> Vec<Step> {
    Vec::new()
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    Vec::new()
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    Vec::new()
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    Vec::new()
}
