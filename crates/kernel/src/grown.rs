//! Whether a line is another with more in it.
//!
//! By letters in order: what was put before, behind and between does not matter. What it means is not looked at.

/// Whether all letters of a line stand in another, in order.
pub fn is_grown(line: &str, more: &str) -> bool {
    let mut letters = more.chars();
    line.chars().all(|letter| letters.any(|other| other == letter))
}
