//! The walls of Linux: namespaces, a view of the disk, Landlock, limits.
//!
//! Each is built where the kernel lets us, and what stands is said. Decides nothing.

mod loopback;
mod namespace;
mod read_only;
mod rules;
mod view;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, getuid, kill_process, pidfd_open, set_child_subreaper,
    set_parent_process_death_signal, setrlimit, wait,
};
use rustix::thread::{CapabilitySet, CapabilitySets, clear_ambient_capability_set, set_capabilities};

pub(super) use self::namespace::part_from_the_machine;
pub(super) use self::rules::landlock;
pub(super) use self::view::narrow_view;
use super::wall::{Wall, Walls};

/// What to start in order to run this program again; also where its file was replaced meanwhile.
pub(super) fn own_program(_named: Option<OsString>) -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// The kernel ends us when the warden ends.
pub(super) fn end_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// The limit on processes that holds for us. Of root it is asked of the tree of processes (Linux 6.14), for the usual one
/// does not hold for root; else of the namespace, for in the person's own they have hundreds of their own.
pub(super) fn limit_processes(most: u64, walls: &Walls) -> Option<Wall> {
    if !walls.others.contains(&Wall::Processes) {
        return None;
    }
    let is_limited = if getuid().is_root() {
        // The kernel takes no less than this.
        fs::write("/proc/sys/kernel/pid_max", most.max(301).to_string()).is_ok()
            && fs::read_to_string("/proc/sys/kernel/pid_max").is_ok_and(|now| now.trim() == most.max(301).to_string())
    } else {
        setrlimit(Resource::Nproc, Rlimit { current: Some(most), maximum: Some(most) }).is_ok()
    };
    is_limited.then_some(Wall::Count)
}

/// Nothing of what let us build the walls is left to the command.
pub(super) fn drop_capabilities() -> io::Result<()> {
    // Where there are no ambient ones, there is nothing to clear.
    clear_ambient_capability_set().ok();
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Waits for a child; where standard input closes before, ends it. Without a thread, for the kernel gives none to a process
/// that was parted. Nothing is written behind the orders: that there is something to read is the end.
pub(super) fn wait_for_end(child: &mut Child) -> io::Result<ExitStatus> {
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let input = io::stdin();
    let mut watched = [PollFd::new(&ended, PollFlags::IN), PollFd::new(&input, PollFlags::IN)];
    while let Err(error) = poll(&mut watched, None) {
        if error != Errno::INTR {
            child.kill()?;
        }
    }
    if watched[0].revents().is_empty() {
        child.kill()?;
    }
    child.wait()
}

/// More rounds are not needed where nothing forks faster than we look.
const MOST_ROUNDS: u32 = 1_000;

/// Orphans of the command become ours, also those that left its session.
fn adopt_orphans() {
    // Where it cannot be had, they stay; `Lack::Leftovers` is said then in any case.
    set_child_subreaper(Some(rustix::process::getpid())).ok();
}

/// Ends what the command left behind. Where it had a tree of processes of its own, nothing is left.
pub(super) fn end_descendants() {
    for _ in 0..MOST_ROUNDS {
        if wait(WaitOptions::NOHANG).is_err() {
            return;
        }
        for child in children() {
            // It may have ended meanwhile.
            kill_process(child, Signal::KILL).ok();
        }
    }
}

/// Files that whoever started the program left open for its children, such as a connection. No command is to have them.
pub(super) fn handed_down() -> io::Result<Vec<u32>> {
    const CLOSED_BY_EXEC: u32 = 0o2_000_000;
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc/self/fd")? {
        let Some(number) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // The one with which the folder is read is closed meanwhile.
        let Ok(about) = fs::read_to_string(format!("/proc/self/fdinfo/{number}")) else { continue };
        let flags = about.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        if number > 2 && flags.is_none_or(|flags| flags & CLOSED_BY_EXEC == 0) {
            found.push(number);
        }
    }
    Ok(found)
}

/// The processes whose parent we are.
fn children() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_pid().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let child = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name in parentheses can hold anything; behind it stand the state and the parent.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        (parent == own).then(|| Pid::from_raw(pid)).flatten()
    };
    entries.filter_map(child).collect()
}
