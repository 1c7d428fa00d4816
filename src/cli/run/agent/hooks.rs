//! The hooks of an agent within the walls, handed to the project's record (decision 61).
//!
//! What comes is the agent's word, and it may lie: it is taken as of this one session, names no file that we would read, and is
//! bounded in number. Otherwise it goes the way of every hook.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::Value;

use super::program::KnownAgent;
use super::{HOOKS, SOCKETS};
use crate::cli::hook::{HookReply, replied};
use crate::cli::shell::Shell;
use crate::engine::clock::Clock;
use crate::engine::keys::KeyFile;
use crate::hook::intake::{Intake, take_in};
use crate::hook::lost::Ledger;
use crate::hook::setup::{OnFailure, Plan, Readers, Settings, SettingsFile};
use crate::hook::{self, Agent, Around, HookAnswer, HookOutcome};
use crate::log::git::GitEnvironment;
use crate::role::delegate::AgentProgram;

/// No session of an agent has more events.
const MOST_EVENTS: u64 = 20_000;
/// What it is told are our words: on record as a person's they would be taken for what a person wants.
const PROMPT_EVENT: &str = "UserPromptSubmit";
/// Files that we would read, outside of the walls.
const FILES: [&str; 2] = ["transcript_path", "agent_transcript_path"];

/// The settings with our hooks, for an agent within.
pub(super) fn settings(program: AgentProgram, own: &Path, folder: &Path) -> anyhow::Result<String> {
    let plan = Plan {
        agent: program.facts().hooks,
        program: own.to_string_lossy().into_owned(),
        on_failure: OnFailure::Block,
        readers: Readers::Person,
        through: Some(format!("{SOCKETS}/{HOOKS}")),
    };
    Ok(Settings::read(SettingsFile::of_person(folder.join(program.facts().hooks_file)))?.with(&plan)?)
}

/// Where payloads go.
#[derive(Debug, Clone)]
pub(super) struct HookDoor {
    agent: Agent,
    context: PathBuf,
    workspace: PathBuf,
    home: Option<PathBuf>,
    state: Option<PathBuf>,
    git: GitEnvironment,
    program: Option<PathBuf>,
}

impl HookDoor {
    /// To the record of this project.
    pub(super) fn of(shell: &Shell, program: AgentProgram, workspace: &Path) -> anyhow::Result<Self> {
        let environment = &shell.environment;
        Ok(Self {
            agent: program.facts().hooks,
            context: shell.context()?,
            workspace: workspace.to_owned(),
            home: environment.home.clone(),
            state: environment.state(),
            git: environment.git.clone(),
            program: std::env::current_exe().ok(),
        })
    }

    fn around(&self) -> Around {
        Around {
            context: self.context.clone(),
            directory: self.workspace.clone(),
            home: self.home.clone(),
            project: None,
            git: self.git.clone(),
            key: self.state.as_deref().map(KeyFile::below),
            ledger: self.state.as_deref().map(Ledger::below),
            program: self.program.clone(),
            clock: Clock::default(),
            given: None,
        }
    }
}

/// Takes the hooks of one agent, as long as it is at work.
pub(super) struct HookGate {
    listener: UnixListener,
    shared: Arc<Shared>,
}

struct Shared {
    door: HookDoor,
    /// The one session that is heard: ours, or the first that speaks.
    session: Mutex<Option<String>>,
    heard: AtomicU64,
    is_over: AtomicBool,
}

impl HookGate {
    pub(super) fn open(listener: UnixListener, door: HookDoor, session: Option<String>) -> io::Result<Self> {
        let (heard, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let shared = Arc::new(Shared { door, session: Mutex::new(session), heard, is_over });
        let (waiting, own) = (listener.try_clone()?, Arc::clone(&shared));
        thread::spawn(move || take(&waiting, &own));
        Ok(Self { listener, shared })
    }

    /// How many events were handed over.
    pub(super) fn heard(&self) -> u64 {
        self.shared.heard.load(Ordering::Relaxed)
    }

    /// How the agent names its session.
    pub(super) fn session(&self) -> Option<String> {
        self.shared.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for HookGate {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Who waits for the next one is told that there is none.
        rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both).ok();
    }
}

fn take(listener: &UnixListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        match stream {
            Ok(stream) => {
                let shared = Arc::clone(shared);
                // Who is gone before the answer needs none.
                thread::spawn(move || shared.answer(stream).unwrap_or_default());
            }
            Err(_) if shared.is_over.load(Ordering::SeqCst) => return,
            Err(_) => {}
        }
    }
}

impl Shared {
    fn answer(&self, mut stream: UnixStream) -> io::Result<()> {
        let outcome = match take_in(&mut stream)? {
            Intake::Whole(bytes) => self.handle(&String::from_utf8_lossy(&bytes)),
            Intake::TooLong => refused("the payload is too long to be recorded"),
        };
        let reply = serde_json::to_vec(&HookReply::of(self.door.agent, &outcome))?;
        stream.write_all(&reply)?;
        stream.shutdown(Shutdown::Write)
    }

    fn handle(&self, text: &str) -> HookOutcome {
        let Ok(Value::Object(mut payload)) = serde_json::from_str(text) else {
            return refused("the payload is not an object of JSON");
        };
        if !self.is_own(payload.get("session_id").and_then(Value::as_str)) {
            return refused("the payload is of another session");
        }
        if self.heard.fetch_add(1, Ordering::Relaxed) >= MOST_EVENTS {
            return refused("too many events");
        }
        if payload.get("hook_event_name").and_then(Value::as_str) == Some(PROMPT_EVENT) {
            return HookAnswer::Go.into();
        }
        payload.retain(|name, _| !FILES.contains(&name.as_str()));
        hook::handle(self.door.agent, &Value::Object(payload).to_string(), self.door.around())
    }

    fn is_own(&self, session: Option<&str>) -> bool {
        let Some(session) = session else { return false };
        let mut own = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        own.get_or_insert_with(|| session.to_owned()) == session
    }
}

/// Nothing is recorded, and the agent goes on.
fn refused(why: &str) -> HookOutcome {
    HookOutcome { answer: HookAnswer::Go, problem: Some(why.to_owned()) }
}

/// Within the walls: hands a payload out, and brings the answer in.
pub(in crate::cli) fn through(socket: &Path, payload: &mut dyn io::Read) -> anyhow::Result<HookReply> {
    let mut stream = UnixStream::connect(socket)?;
    io::copy(payload, &mut stream)?;
    stream.shutdown(Shutdown::Write)?;
    Ok(replied(stream)?)
}
