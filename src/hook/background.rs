//! What takes too long for a hook: a process of its own works through it, and no agent waits for it.
//!
//! A job is a file in `local/`, so that whatever happens to the process, nothing is left undone: the next one, or the next
//! command, finds it. One process at a time; one that finds another at work ends at once, and that other looks once more
//! before it ends. Where no process can be started, jobs wait.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::engine::keys::KeyFile;
use crate::engine::sign::{KeyGone, Seal, Settle, Signing};
use crate::engine::{By, Engine, EngineError};
use crate::kernel::actor::SYSTEM;
use crate::kernel::id::{AgentId, NO_SESSION, SessionId};
use crate::log::LogError;
use crate::log::disk::Safety;
use crate::view::refusal;

use super::late::Late;
use super::transcripts::Transcript;
use super::{due, spool, transcripts};

/// The option of `annals hook` that says that this is that process.
pub const OPTION: &str = "--settle";

/// So often a process looks for more; what comes later still starts one of its own.
const MOST_ROUNDS: usize = 16;

/// Something that is left to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundJob {
    /// What a session has set off is to be decided.
    Due(SessionId),
    /// The head is to be signed.
    Seal,
    /// A transcript is to be imported: it knows more of the session.
    Import(Transcript),
}

impl BackgroundJob {
    /// Leaves it. It is done once this returns and a process is started, or by whoever comes next.
    pub fn leave(&self, engine: &Engine) -> io::Result<()> {
        match self {
            Self::Due(session) => due::leave(engine, session),
            Self::Import(transcript) => transcripts::leave(engine, transcript),
            Self::Seal => engine.disk().replace(&seal_path(engine), b"", Safety::Cached),
        }
    }
}

fn seal_path(engine: &Engine) -> PathBuf {
    engine.place().local().join("seal")
}

fn lock_path(engine: &Engine) -> PathBuf {
    engine.place().local().join("background.lock")
}

fn is_left(engine: &Engine) -> io::Result<bool> {
    Ok(engine.disk().look(&seal_path(engine))?.is_some() || due::is_any(engine)? || transcripts::is_any(engine)?)
}

/// Starts a process for the jobs that were left, unless one is at work: that one finds them, too. It is nobody's child.
pub fn start(engine: &Engine, program: &Path) -> io::Result<()> {
    // Starting a process costs more than the rest of a hook: where one is at work none is started.
    if engine.disk().try_lock(&lock_path(engine))?.is_none() {
        return Ok(());
    }
    let mut command = Command::new(program);
    command.arg("--context").arg(engine.place().context()).args(["hook", OPTION]);
    // An agent reads the output of its hook until the last process that holds it ends: this one must hold none of it.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// Works through what was left; what fails is left.
pub fn work(engine: &Engine, key: Option<&KeyFile>, home: Option<&Path>) -> Result<(), EngineError> {
    let path = lock_path(engine);
    let mut late = Late::default();
    for round in 0..MOST_ROUNDS {
        let lock = engine.disk().try_lock(&path).map_err(LogError::at("lock", &path))?;
        if lock.is_none() {
            return Ok(());
        }
        once(engine, key, home, &mut late)?;
        // Nobody waits for this process, and the last rounds are for what comes meanwhile.
        if round < MOST_ROUNDS / 2 {
            late.wait(engine, || is_left(engine)).map_err(LogError::at("look at", engine.place().local()))?;
        }
        // Who comes from now on finds nobody at work; who came before has left the job that is looked for here.
        drop(lock);
        if !is_left(engine).map_err(LogError::at("look at", engine.place().local()))? {
            break;
        }
    }
    Ok(())
}

fn once(engine: &Engine, key: Option<&KeyFile>, home: Option<&Path>, late: &mut Late) -> Result<(), EngineError> {
    // First, because what waits came before all that was left here.
    spool::drain(engine)?;
    // Before what is due: it is decided on all that is known.
    transcripts::import(engine, home, late)?;
    due::settle(engine)?;
    let path = seal_path(engine);
    if engine.disk().look(&path).map_err(LogError::at("look at", &path))?.is_some() {
        // First, so that what is left meanwhile is done once more.
        engine.disk().remove(&path).map_err(LogError::at("remove", &path))?;
        if let Some(key) = key {
            seal(engine, key);
        }
    }
    // A cache: where it cannot be stored, the next hook folds more.
    let _ = engine.store_ahead();
    Ok(())
}

/// Signs the head; says why not. That it could not be signed changes nothing of what is recorded.
pub(super) fn seal(engine: &Engine, key: &KeyFile) -> Option<String> {
    let signing = Signing { key, gone: KeyGone::Fails, settle: Settle::Left };
    let by = By::new(AgentId::from(SYSTEM), SessionId::from(NO_SESSION));
    match engine.sign_head(&signing, &by) {
        Ok(Seal::Signed(..) | Seal::Unchanged) => None,
        Ok(Seal::Refused(refusal)) => Some(format!("not signed: {}", refusal::told(&refusal).message)),
        Err(error) => Some(format!("not signed: {error}")),
    }
}
