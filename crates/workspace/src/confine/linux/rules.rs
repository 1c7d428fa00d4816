//! The rules of Landlock: what may be read, what may be written, and nothing else.
//!
//! As much as the kernel knows. TCP is left to itself where the network is one's own: there nobody else is.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::super::reach::{DEVICES, Reach};
use super::super::wall::{Wall, Walls};

/// The newest version whose rights these rules were written for.
const KNOWN: ABI = ABI::V10;

/// Walls this process in, and says which version did; 0: none.
pub(in crate::confine) fn landlock(reach: &Reach, walls: &Walls) -> Result<u8, RulesetError> {
    let mut ruleset =
        Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(AccessFs::from_all(KNOWN))?;
    if !walls.others.contains(&Wall::Network) {
        ruleset = ruleset.handle_access(AccessNet::from_all(KNOWN))?;
    }
    let ruleset = ruleset.scope(Scope::from_all(KNOWN))?.create()?;
    let looked_at = AccessFs::from_read(KNOWN);
    let worked_in = AccessFs::from_all(KNOWN) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    // In the view these are its own; elsewhere they are everybody's.
    let own: &[PathBuf] = if walls.others.contains(&Wall::View) { &reach.own } else { &[] };
    let mapped = reach.mapped.iter().map(|mapped| &mapped.at);
    let status = ruleset
        .add_rules(path_beneath_rules(reach.looked_at(), looked_at))?
        .add_rules(path_beneath_rules(reach.worked_in(), worked_in))?
        .add_rules(path_beneath_rules(DEVICES, worked_in))?
        .add_rules(path_beneath_rules(own, worked_in))?
        .add_rules(path_beneath_rules(mapped, worked_in))?
        .restrict_self()?;
    Ok(match status.landlock {
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => 0,
        LandlockStatus::Available { effective_abi, .. } => effective_abi as u8,
    })
}
