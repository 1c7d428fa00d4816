//! Starts a command behind the walls, takes what it writes, and waits for its end.
//!
//! Threads read and wait; nobody looks at a clock. What a command writes is never kept but for its beginning and its end.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::orders::{self, Orders, Report};
use super::outcome::{Cancel, CommandEnd, CommandOutcome};
use super::reach::{Opening, OwnPlace, Reach};
use super::wall::{ConfinementStatus, Wall, Walls};
use crate::cut::HeadTail;
use crate::outside::Outside;

/// How the program is started as its own helper: with the words of its hidden subcommand.
#[derive(Debug, Clone)]
pub struct Helper {
    /// The program.
    pub program: PathBuf,
    /// The words behind which `confine::enter` is called.
    pub words: Vec<String>,
}

/// Bounds of one command.
#[derive(Debug, Clone)]
pub struct CommandLimits {
    /// The longest that it may take.
    pub deadline: Duration,
    /// The most bytes of its output that are kept of the beginning, and as many of the end.
    pub output_bytes: usize,
    /// The most bytes of a file that it writes.
    pub file_bytes: u64,
    /// The most processes at a time.
    pub processes: u64,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(120), output_bytes: 32 << 10, file_bytes: 1 << 30, processes: 512 }
    }
}

/// Runs commands behind the walls of this machine.
#[derive(Debug, Clone)]
pub struct Confinement {
    helper: Helper,
    reach: Reach,
    environment: BTreeMap<String, String>,
    folder: PathBuf,
    status: ConfinementStatus,
    walls: Walls,
}

/// How often it is looked whether the person stopped a call.
const TICK: Duration = Duration::from_millis(20);
/// How long the helper may take to end what is left of a call; of output that nobody writes any more, the same.
const GRACE: Duration = Duration::from_secs(5);
/// The most that the helper says.
const MOST_SAID: u64 = 64 << 10;

impl Confinement {
    /// Finds out what this machine has, by running a command that does nothing.
    pub(crate) fn probe(outside: &Outside, reach: Reach, home: &Path, folder: &Path) -> io::Result<Self> {
        let mut found = Self {
            helper: outside.helper.clone(),
            reach,
            environment: super::reach::variables(outside, home),
            folder: folder.to_owned(),
            status: ConfinementStatus::None { why: "it was not tried yet".to_owned() },
            walls: Walls::default(),
        };
        let mut call = found.start(vec!["true".to_owned()], &CommandLimits::default())?;
        let outcome = call.wait(&CommandLimits::default(), &Cancel::default());
        let walls = call.walls();
        found.status = match (walls, outcome) {
            (Some(walls), CommandEnd::Exited(0)) => {
                let status = found.without_record(walls.status());
                found.walls = walls;
                status
            }
            (_, end) => ConfinementStatus::None { why: format!("the walls could not be tried: {end:?}") },
        };
        Ok(found)
    }

    /// Where there is no record in the folder, none can be reached.
    fn without_record(&self, status: ConfinementStatus) -> ConfinementStatus {
        match &status {
            ConfinementStatus::Partial { lacks } if self.reach.hidden.is_empty() => {
                let mut lacks = lacks.clone();
                lacks.retain(|lack| *lack != super::Lack::Record);
                if lacks.is_empty() { ConfinementStatus::Full } else { ConfinementStatus::Partial { lacks } }
            }
            ConfinementStatus::Full | ConfinementStatus::Partial { .. } | ConfinementStatus::None { .. } => status,
        }
    }

    /// How well commands are kept in.
    pub fn status(&self) -> &ConfinementStatus {
        &self.status
    }

    /// Whether an agent can be kept in: it needs a network of its own, on which our proxy is all there is, and a view of its
    /// own, in which its login is.
    pub fn holds_agents(&self) -> bool {
        self.walls.landlock > 0 && [Wall::Network, Wall::View].iter().all(|wall| self.walls.others.contains(wall))
    }

    /// Whether files can be hidden from a command: it needs a view of its own.
    pub fn hides(&self) -> bool {
        self.walls.others.contains(&Wall::View)
    }

    /// The same walls, opened further.
    #[must_use]
    pub fn widened(&self, opening: &Opening) -> Self {
        let mut wide = self.clone();
        wide.reach.widen(opening);
        wide.environment.extend(opening.environment.clone());
        wide
    }

    /// The same walls around a command that has another home, and another place to put things down.
    #[must_use]
    pub(crate) fn moved(&self, was: &OwnPlace, now: &OwnPlace) -> Self {
        let mut moved = self.clone();
        moved.reach.exchange(was, now);
        moved.environment.insert("HOME".to_owned(), now.home.to_string_lossy().into_owned());
        moved
    }

    /// Runs a program with its words.
    pub fn run(&self, argv: Vec<String>, limits: &CommandLimits, cancel: &Cancel) -> CommandOutcome {
        match self.start(argv, limits) {
            Ok(mut call) => {
                let end = call.wait(limits, cancel);
                CommandOutcome { end, output: call.output() }
            }
            Err(error) => CommandOutcome { end: CommandEnd::NotStarted(error.to_string()), output: String::new() },
        }
    }

    fn start(&self, argv: Vec<String>, limits: &CommandLimits) -> io::Result<Call> {
        let orders = Orders {
            argv,
            environment: self.environment.clone(),
            folder: self.folder.clone(),
            reach: self.reach.clone(),
            file_bytes: limits.file_bytes,
            processes: limits.processes,
            walls: Walls::default(),
            required: self.walls.clone(),
        };
        let mut command = Command::new(&self.helper.program);
        command.args(&self.helper.words).env_clear().current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(Call::begun(command.spawn()?, &orders, limits))
    }
}

/// What came from a call.
enum Said {
    /// The helper ended.
    Ended,
    /// Nobody writes output any more.
    OutputClosed,
}

/// A command on its way.
struct Call {
    /// Open as long as the call is wanted.
    input: Option<ChildStdin>,
    said: Receiver<Said>,
    output: Arc<Mutex<HeadTail>>,
    reports: Arc<Mutex<Vec<Report>>>,
}

impl Call {
    fn begun(mut child: Child, orders: &Orders, limits: &CommandLimits) -> Self {
        let mut input = child.stdin.take().expect("BUG: standard input is piped");
        let stdout = child.stdout.take().expect("BUG: standard output is piped");
        let stderr = child.stderr.take().expect("BUG: standard error is piped");
        let (tell, said) = channel();
        let output = Arc::new(Mutex::new(HeadTail::new(limits.output_bytes)));
        let reports = Arc::new(Mutex::new(Vec::new()));
        let (kept, tell_output) = (Arc::clone(&output), tell.clone());
        thread::spawn(move || {
            drain(stdout, &kept);
            drop(tell_output.send(Said::OutputClosed));
        });
        let heard = Arc::clone(&reports);
        thread::spawn(move || {
            hear(stderr, &heard);
            // It has said all; that it could not be waited for says no more.
            drop(child.wait());
            drop(tell.send(Said::Ended));
        });
        // A helper that is gone already has said why, or says nothing.
        drop(orders::write(&mut input, orders));
        Self { input: Some(input), said, output, reports }
    }

    fn wait(&mut self, limits: &CommandLimits, cancel: &Cancel) -> CommandEnd {
        let early = self.wait_for_end(limits.deadline, cancel);
        if early.is_some() {
            // The helper sees it, and ends everything.
            self.input = None;
            if self.wait_for_end(GRACE, &Cancel::default()).is_some() {
                return CommandEnd::Lost("the helper did not end".to_owned());
            }
        }
        early.unwrap_or_else(|| self.reported())
    }

    /// Nothing, where it ended by itself. Output that is closed is waited for, too, so that none is lost.
    fn wait_for_end(&self, most: Duration, cancel: &Cancel) -> Option<CommandEnd> {
        let mut left = most;
        let mut is_ended = false;
        let mut is_closed = false;
        while !(is_ended && is_closed) {
            if left.is_zero() {
                // What is left of it holds the output open; the helper is gone, and nothing is waited for any more.
                return (!is_ended).then_some(CommandEnd::OutOfTime);
            }
            if cancel.is_cancelled() {
                return Some(CommandEnd::Stopped);
            }
            match self.said.recv_timeout(TICK.min(left)) {
                Ok(Said::Ended) => (is_ended, left) = (true, left.min(GRACE)),
                Ok(Said::OutputClosed) => is_closed = true,
                Err(RecvTimeoutError::Timeout) => left = left.saturating_sub(TICK),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    fn reported(&self) -> CommandEnd {
        match self.reports.lock().unwrap_or_else(PoisonError::into_inner).last() {
            Some(Report::Ended(code)) => CommandEnd::Exited(*code),
            Some(Report::Failed(why)) => CommandEnd::NotStarted(why.clone()),
            Some(Report::Walled(_)) => CommandEnd::Lost("the helper was ended from outside".to_owned()),
            None => CommandEnd::NotStarted("the helper said nothing".to_owned()),
        }
    }

    fn walls(&self) -> Option<Walls> {
        let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.iter().find_map(|report| match report {
            Report::Walled(walls) => Some(walls.clone()),
            Report::Ended(_) | Report::Failed(_) => None,
        })
    }

    fn output(&self) -> String {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

/// Takes all that is written, so that the writer never waits for us.
fn drain(mut from: impl Read, to: &Mutex<HeadTail>) {
    let mut part = vec![0; 64 << 10];
    loop {
        match from.read(&mut part) {
            Ok(0) => return,
            Ok(length) => to.lock().unwrap_or_else(PoisonError::into_inner).take(&part[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn hear(from: impl Read, to: &Mutex<Vec<Report>>) {
    let mut from = BufReader::new(from.take(MOST_SAID));
    while let Ok(report) = orders::read(&mut from) {
        to.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }
}
