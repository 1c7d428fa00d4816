//! Where there is no Linux: no wall stands, and that is what is said.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use super::reach::Reach;
use super::wall::{Wall, Walls};

pub(super) fn own_program(named: Option<OsString>) -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| named.unwrap_or_default().into())
}

pub(super) fn part_from_the_machine() -> Vec<Wall> {
    Vec::new()
}

pub(super) fn end_with_parent() -> io::Result<()> {
    Ok(())
}

pub(super) fn narrow_view(_: &Reach, _: &Walls) -> Option<Wall> {
    None
}

pub(super) fn limit_processes(_: u64, _: &Walls) -> Option<Wall> {
    None
}

pub(super) fn landlock(_: &Reach, _: &Walls) -> io::Result<u8> {
    Ok(0)
}

pub(super) fn drop_capabilities() -> io::Result<()> {
    Ok(())
}

pub(super) fn wait_for_end(child: &mut Child) -> io::Result<ExitStatus> {
    let pid = Pid::from_child(child);
    thread::spawn(move || {
        // Nothing is written behind the orders: what can be read is the end, and so is an error.
        drop(io::copy(&mut io::stdin().lock(), &mut io::sink()));
        // Where it has just ended by itself, the warden ends in the same moment.
        kill_process(pid, Signal::KILL).ok();
    });
    child.wait()
}

pub(super) fn end_descendants() {}

pub(super) fn handed_down() -> io::Result<Vec<u32>> {
    Ok(Vec::new())
}
