//! `local/due/`: sessions in which something may be due that a hook does not find out itself. The process in the background
//! does, or the next command.
//!
//! A file each, whose name comes from its session. Does not decide; `Engine::react` does.

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::memory::quantum::LEARN;
use crate::engine::{Engine, EngineError};
use crate::kernel::annals::LineHash;
use crate::kernel::id::SessionId;
use crate::log::LogError;
use crate::log::disk::Safety;

/// A name of a session that is longer is not kept.
const MOST_BYTES: u64 = 4096;

/// Stands behind the name while somebody decides: what is left meanwhile is a file of its own again.
const TAKEN: &str = "taken";

fn folder(engine: &Engine) -> PathBuf {
    engine.place().local().join("due")
}

/// Leaves a session to whoever comes next.
pub(super) fn leave(engine: &Engine, session: &SessionId) -> io::Result<()> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    let path = folder.join(LineHash::of(session.as_str().as_bytes()).to_string());
    let write = || disk.replace(&path, session.as_str().as_bytes(), Safety::Cached);
    write().or_else(|_| disk.create_folder(&folder).and_then(|()| write()))
}

/// Whether there are any.
pub(super) fn is_any(engine: &Engine) -> io::Result<bool> {
    Ok(!engine.disk().list(&folder(engine))?.is_empty())
}

/// Decides what is due in the sessions that were left. What cannot be decided now waits on.
pub fn settle(engine: &Engine) -> Result<(), EngineError> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    for file in disk.list(&folder).map_err(LogError::at("list", &folder))? {
        if let Some(path) = take(engine, &folder.join(&file.name))? {
            let bytes = disk.read_at_most(&path, MOST_BYTES).map_err(LogError::at("read", &path))?;
            let session = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.is_empty());
            if let Some(session) = session {
                let session = SessionId::from(session.as_str());
                engine.react(&session)?;
                super::used::learn(engine, &session)?;
                learn(engine, &session)?;
            }
            disk.remove(&path).map_err(LogError::at("remove", &path))?;
        }
    }
    Ok(())
}

/// What the session came to so far; where it is over, the dreamer works a little, too.
pub(super) fn learn(engine: &Engine, session: &SessionId) -> Result<(), EngineError> {
    if engine.settings().get(&LEARN) {
        engine.learn(session)?;
    }
    Ok(())
}

/// Where the file is now; nowhere where another process has taken it. One that a crash left taken is taken again.
fn take(engine: &Engine, path: &Path) -> Result<Option<PathBuf>, EngineError> {
    if path.extension().is_some_and(|extension| extension == TAKEN) {
        return Ok(Some(path.to_owned()));
    }
    let taken = path.with_extension(TAKEN);
    match engine.disk().rename(path, &taken) {
        Ok(()) => Ok(Some(taken)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LogError::at("rename", path)(error).into()),
    }
}
