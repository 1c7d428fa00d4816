//! `local/spool/`: payloads that could not be recorded when they came. The next hook or command records them.
//!
//! In order, under a lock of their own, and each is removed only when its entries are in the log: a crash between the
//! two records it twice, never not at all. Secrets are taken out before a payload is put here.

use std::io;
use std::path::PathBuf;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::Agent;
use super::run::record_late;
use crate::engine::own::is_git_at_work;
use crate::engine::{Engine, EngineError};
use crate::kernel::time::Timestamp;
use crate::log::LogError;
use crate::log::disk::{Disk, Safety};
use crate::log::place::Place;
use crate::sanitizer::{Context, Sanitizer, Source};

/// A payload that waits.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingPayload {
    /// The agent, as the command line names it.
    pub agent: String,
    /// When it came.
    pub at: Timestamp,
    /// The payload.
    pub payload: String,
    /// Why the call in it was refused, if it was.
    pub denied: Option<String>,
    /// The home of the person.
    pub home: Option<String>,
}

fn folder(place: &Place) -> PathBuf {
    place.local().join("spool")
}

/// Puts a payload aside.
pub(super) fn put(
    disk: &dyn Disk,
    place: &Place,
    sanitizer: &Sanitizer,
    chance: u128,
    waiting: &WaitingPayload,
) -> io::Result<()> {
    let context = Context::of(Source::History);
    let payload = sanitizer.sanitize_json(&waiting.payload, &context).text.into_owned();
    let clean = |text: &String| sanitizer.sanitize_text(text, &context).text.into_owned();
    let waiting = WaitingPayload { payload, denied: waiting.denied.as_ref().map(clean), ..waiting.clone() };
    // Thirteen digits sort as the times do until the year 2286; the chance keeps two of one millisecond apart.
    let name = format!("{:013}-{:08x}.json", waiting.at.millis(), chance & 0xffff_ffff);
    let bytes = serde_json::to_vec(&waiting).map_err(io::Error::other)?;
    disk.create_folder(&folder(place))?;
    // Synced, because the agent is told that its event is kept.
    disk.replace(&folder(place).join(name), &bytes, Safety::Synced)
}

/// How many payloads wait.
pub fn count(disk: &dyn Disk, place: &Place) -> io::Result<usize> {
    Ok(names(disk, place)?.len())
}

fn names(disk: &dyn Disk, place: &Place) -> io::Result<Vec<String>> {
    let files = disk.list(&folder(place))?.into_iter().map(|file| file.name);
    Ok(files.filter(|name| name.strip_suffix(".json").is_some_and(|stem| !stem.starts_with('.'))).collect())
}

/// What came of recording what waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    /// So many payloads were recorded, and none of those waits any more.
    All(usize),
    /// Git changes the work tree: what waits there may be git's.
    Later,
    /// Another process records them just now.
    Elsewhere,
}

/// Records what waits, the oldest first.
pub fn drain(engine: &Engine) -> Result<Drained, EngineError> {
    let (disk, folder) = (&**engine.disk(), folder(engine.place()));
    let waiting = names(disk, engine.place()).map_err(LogError::at("list", &folder))?;
    // What git is just putting there would look like a hook's.
    if waiting.is_empty() {
        return Ok(Drained::All(0));
    }
    if is_git_at_work(engine.place().context()) {
        return Ok(Drained::Later);
    }
    let path = engine.place().local().join("spool.lock");
    let lock = disk.try_lock(&path).map_err(LogError::at("lock", &path))?;
    if lock.is_none() {
        return Ok(Drained::Elsewhere);
    }
    let mut count = 0;
    for name in names(disk, engine.place()).map_err(LogError::at("list", &folder))? {
        let path = folder.join(&name);
        let bytes = disk.read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
        match serde_json::from_slice::<WaitingPayload>(&bytes).ok().and_then(known) {
            Some((agent, waiting)) => {
                record_late(engine, agent, &waiting)?;
                disk.remove(&path).map_err(LogError::at("remove", &path))?;
                count += 1;
            }
            // Of a power cut, or of a later version: it stays, under a name that nobody reads.
            None => set_aside(disk, &path, &bytes).map_err(LogError::at("set aside", &path))?,
        }
    }
    Ok(Drained::All(count))
}

fn known(waiting: WaitingPayload) -> Option<(Agent, WaitingPayload)> {
    Some((Agent::from_name(&waiting.agent)?, waiting))
}

fn set_aside(disk: &dyn Disk, path: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
    disk.replace(&path.with_extension("unreadable"), bytes, Safety::Cached)?;
    disk.remove(path)
}
