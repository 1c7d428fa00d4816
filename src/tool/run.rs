//! Runs one command: stdin stays ours, stdout and stderr pass through as bytes and are copied on the way.
//!
//! Signals that are meant for the command reach it, and we outlive it to tell how it ended. A terminal is not passed
//! through: the command sees a pipe.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::Captured;

/// What to run.
#[derive(Debug, Clone, Copy)]
pub struct Job<'j> {
    /// The program and its arguments.
    pub words: &'j [OsString],
    /// Where.
    pub directory: &'j Path,
    /// How much of each stream is kept.
    pub keep_bytes: usize,
}

/// What came of it.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// Its output.
    pub stdout: Captured,
    /// Its complaints.
    pub stderr: Captured,
}

/// How a command ended.
#[derive(Debug)]
pub enum Exit {
    /// By itself.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It did not even begin.
    NotStarted(io::Error),
}

impl Exit {
    fn of(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or_default()),
        }
    }

    /// The exit code that a shell would give.
    pub fn code(&self) -> u8 {
        match self {
            Self::Code(code) => u8::try_from(*code & 0xff).unwrap_or(1),
            Self::Signal(signal) => u8::try_from(128 + signal).unwrap_or(255),
            // What a shell says of a program that is not there, and below of one that cannot be run.
            Self::NotStarted(error) if error.kind() == io::ErrorKind::NotFound => 127,
            Self::NotStarted(_) => 126,
        }
    }

    /// Why it counts as failed; `None` where it does not.
    pub fn error(&self) -> Option<String> {
        match self {
            Self::Code(0) => None,
            Self::Code(code) => Some(format!("exit code {code}")),
            Self::Signal(signal) => Some(format!("killed by signal {signal}")),
            Self::NotStarted(error) => Some(format!("cannot start: {error}")),
        }
    }
}

impl Job<'_> {
    /// Runs it to its end.
    pub fn run(&self) -> Ran {
        let ends = |exit| Ran { exit, stdout: Captured::new(self.keep_bytes), stderr: Captured::new(self.keep_bytes) };
        // From here on a signal is passed on; it no longer ends us before the command.
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT]);
        match (signals, self.start()) {
            (Ok(signals), Ok(child)) => {
                self.attend(child, signals).unwrap_or_else(|error| ends(Exit::NotStarted(error)))
            }
            (Err(error), _) | (_, Err(error)) => ends(Exit::NotStarted(error)),
        }
    }

    fn start(&self) -> io::Result<Child> {
        let (program, arguments) = self.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.directory);
        command.stdin(Stdio::inherit()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    fn attend(&self, mut child: Child, mut signals: Signals) -> io::Result<Ran> {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let keep = self.keep_bytes;
        let (handle, pid) = (signals.handle(), Pid::from_child(&child));
        let ended = Arc::new(AtomicBool::new(false));
        let has_ended = ended.clone();
        // Once the child was waited for its number may belong to another process; what it started holds the pipes still.
        let forward = thread::spawn(move || {
            signals.forever().filter(|_| !has_ended.load(Ordering::Acquire)).for_each(|signal| pass_on(signal, pid));
        });
        let out = thread::spawn(move || stdout.map(|pipe| copy(pipe, io::stdout(), keep)));
        let err = thread::spawn(move || stderr.map(|pipe| copy(pipe, io::stderr(), keep)));
        let status = child.wait();
        ended.store(true, Ordering::Release);
        let stdout = joined(out, keep);
        let stderr = joined(err, keep);
        handle.close();
        let _ = forward.join();
        Ok(Ran { exit: Exit::of(status?), stdout, stderr })
    }
}

fn joined(thread: thread::JoinHandle<Option<Captured>>, keep: usize) -> Captured {
    thread.join().ok().flatten().unwrap_or_else(|| Captured::new(keep))
}

/// What a terminal sends, it sends to the command, too; then it must not come twice.
fn pass_on(signal: i32, to: Pid) {
    let is_from_terminal = matches!(signal, SIGINT | SIGQUIT) && io::stdin().is_terminal();
    let signal = match signal {
        SIGINT => Signal::INT,
        SIGQUIT => Signal::QUIT,
        SIGHUP => Signal::HUP,
        _ => Signal::TERM,
    };
    if !is_from_terminal {
        // A command that has ended already has no use for it.
        let _ = kill_process(to, signal);
    }
}

/// Copies until the end. When nobody takes our output any more, the command learns it as if there were no one between.
fn copy(mut from: impl Read, mut to: impl Write, keep: usize) -> Captured {
    let mut captured = Captured::new(keep);
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return captured,
            Ok(count) => {
                captured.push(&buffer[..count]);
                if to.write_all(&buffer[..count]).and_then(|()| to.flush()).is_err() {
                    return captured;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return captured,
        }
    }
}
