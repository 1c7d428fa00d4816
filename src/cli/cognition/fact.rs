//! `annals cognition fact`: what is taken for true (AFS 4.4).

use super::decide;
use crate::cli::registry::{CommandRow, rows};

/// Commands about facts.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Add a fact
    "add" => decides("cognitive.fact.add", "^session@here fact~ --confidence=0.5 --source<TEXT>", decide),
    /// Say that a fact was verified
    "verify" => decides("cognitive.fact.verify", "^session@here fact@thing --source<TEXT>", decide),
    /// Drop a fact
    "drop" => decides("cognitive.fact.drop", "^session@here fact@thing", decide),
};
