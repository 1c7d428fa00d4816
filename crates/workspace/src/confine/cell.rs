//! The second stage of the helper: walls itself in, starts the command, and goes with it.
//!
//! Where it is the first process of its own tree, the kernel ends all others when it ends. Waits for orphans, so that they do
//! not fill the table of processes.

use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{Pid, Resource, Rlimit, WaitOptions, setrlimit, setsid, wait};
use rustix::stdio::dup2_stderr;

use super::linux;
use super::orders::{self, Orders, Report};
use super::wall::{Wall, Walls};

/// Says that a command could not be started, as shells do.
const NOT_STARTED: i32 = 126;
/// The code where a stage failed; nothing was started.
const BROKEN: u8 = 125;

/// Runs the stage.
pub(super) fn run() -> ExitCode {
    match start() {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(BROKEN)),
        Err(error) => {
            let report = Report::Failed(error.to_string());
            // Without it the warden sees that nothing was said, and says so.
            drop(orders::write(&mut io::stderr(), &report));
            ExitCode::from(BROKEN)
        }
    }
}

fn start() -> io::Result<i32> {
    let orders: Orders = orders::read(&mut io::stdin().lock())?;
    let handed_down = linux::handed_down()?;
    let walls = wall_in(&orders)?;
    if !walls.hold(&orders.required) {
        return Err(io::Error::other("a wall that stood before is missing now"));
    }
    let scratch = scratch(&orders, &walls);
    let mut command = command(&orders, &handed_down)?;
    orders::write(&mut io::stderr(), &Report::Walled(walls))?;
    // From here on nothing is told any more: the command cannot say anything in our name.
    dup2_stderr(io::stdout())?;
    let child = match command.env("TMPDIR", scratch).spawn() {
        Ok(child) => Pid::from_child(&child),
        Err(error) => {
            let said = format!("{}: {error}\n", orders.argv[0]);
            io::Write::write_all(&mut io::stdout(), said.as_bytes())?;
            return Ok(NOT_STARTED);
        }
    };
    wait_for(child)
}

/// By a shorter name where it has one: sockets have no long ones.
fn scratch(orders: &Orders, walls: &Walls) -> PathBuf {
    let own = orders.reach.own.first().filter(|_| walls.others.contains(&Wall::View));
    own.unwrap_or(&orders.reach.scratch).clone()
}

fn wall_in(orders: &Orders) -> io::Result<Walls> {
    let mut walls = orders.walls.clone();
    linux::end_with_parent()?;
    setsid()?;
    walls.others.extend(linux::narrow_view(&orders.reach, &walls));
    let bound = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    bound(Resource::Core, 0)?;
    bound(Resource::Fsize, orders.file_bytes)?;
    walls.others.extend(linux::limit_processes(orders.processes, &walls));
    walls.landlock = linux::landlock(&orders.reach, &walls).map_err(io::Error::other)?;
    linux::drop_capabilities()?;
    Ok(walls)
}

fn command(orders: &Orders, handed_down: &[u32]) -> io::Result<Command> {
    let argv = behind_closed_files(&orders.argv, handed_down);
    let (program, words) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(words).env_clear().envs(&orders.environment).current_dir(&orders.folder);
    command.stdin(Stdio::null()).stderr(Stdio::from(io::stdout().as_fd().try_clone_to_owned()?));
    Ok(command)
}

/// A shell closes what was left open for us, and then becomes the command: we cannot close what we did not open. `sh` may
/// know files of one digit only.
fn behind_closed_files(argv: &[String], files: &[u32]) -> Vec<String> {
    if files.is_empty() {
        return argv.to_vec();
    }
    let closing: Vec<String> = files.iter().map(|file| format!("exec {file}>&-;")).collect();
    let shell = ["bash", "-c", &format!("{} exec \"$@\"", closing.join(" ")), "bash"].map(str::to_owned);
    shell.into_iter().chain(argv.iter().cloned()).collect()
}

/// Until it ends; others that end before it are orphans.
fn wait_for(child: Pid) -> io::Result<i32> {
    loop {
        let Some((pid, status)) = wait(WaitOptions::empty())? else { continue };
        if pid == child {
            let signal = status.terminating_signal().map(|signal| 128 + signal);
            return Ok(status.exit_status().or(signal).unwrap_or(NOT_STARTED));
        }
    }
}
