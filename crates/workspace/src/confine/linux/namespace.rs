//! A tree of processes and a network of one's own.
//!
//! Done by the warden before it starts the cell, as a process of one thread. Where the kernel refuses, nothing is parted.

use std::fs;
use std::io;

use rustix::process::{getgid, getuid};
use rustix::thread::{
    CapabilitySet, UnshareFlags, capabilities, configure_capability_in_ambient_set, set_capabilities,
};

use super::super::wall::Wall;
use super::{adopt_orphans, loopback};

/// Parts us from the machine's processes and its network; says which of both was had.
pub(in crate::confine) fn part_from_the_machine() -> Vec<Wall> {
    adopt_orphans();
    let parted = UnshareFlags::NEWPID | UnshareFlags::NEWNET | UnshareFlags::NEWIPC;
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    let is_parted = if unshare(parted | UnshareFlags::NEWUSER).is_ok() {
        keep_names(user, group).and_then(|()| hand_on_rights()).is_ok()
    } else {
        // Root in a container may not make users, but perhaps the rest.
        unshare(parted).is_ok()
    };
    if !is_parted {
        return Vec::new();
    }
    // Tests talk to themselves over it; without it they cannot, which lets nothing out.
    drop(loopback::raise());
    vec![Wall::Processes, Wall::Network]
}

/// Of what this call shares, only the table of open files makes it unsafe, and that is not asked for here.
#[expect(deprecated, reason = "the function that took its place is unsafe for the sake of UnshareFlags::FILES alone")]
pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    debug_assert!(!flags.contains(UnshareFlags::FILES));
    Ok(rustix::thread::unshare(flags)?)
}

/// Inside, the person is who they are outside.
fn keep_names(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// The cell needs this one to build the view; it drops it before it starts the command.
fn hand_on_rights() -> io::Result<()> {
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    Ok(configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?)
}
