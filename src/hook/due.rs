//! `local/due/`: sessions in which something may be due that a hook had no means to find out. The next command does.
//!
//! A file each, whose name comes from its session. Does not decide; `Engine::react` does.

use std::io;
use std::path::PathBuf;

use crate::engine::{Engine, EngineError};
use crate::kernel::annals::LineHash;
use crate::kernel::id::SessionId;
use crate::log::LogError;
use crate::log::disk::Safety;

/// A name of a session that is longer is not kept.
const MOST_BYTES: u64 = 4096;

fn folder(engine: &Engine) -> PathBuf {
    engine.place().local().join("due")
}

/// Leaves a session to the next command.
pub(super) fn leave(engine: &Engine, session: &SessionId) -> io::Result<()> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    let name = LineHash::of(session.as_str().as_bytes());
    disk.create_folder(&folder)?;
    disk.replace(&folder.join(name.to_string()), session.as_str().as_bytes(), Safety::Cached)
}

/// Decides what is due in the sessions that were left. What cannot be decided now waits on.
pub fn settle(engine: &Engine) -> Result<(), EngineError> {
    let (disk, folder) = (&**engine.disk(), folder(engine));
    for file in disk.list(&folder).map_err(LogError::at("list", &folder))? {
        let path = folder.join(&file.name);
        let bytes = disk.read_at_most(&path, MOST_BYTES).map_err(LogError::at("read", &path))?;
        if let Some(session) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.is_empty()) {
            engine.react(&SessionId::from(session.as_str()))?;
        }
        disk.remove(&path).map_err(LogError::at("remove", &path))?;
    }
    Ok(())
}
