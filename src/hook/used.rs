//! What a session made of what it was told: a belief that it used is as strong as on its first day (AFS 6.1).
//!
//! Runs behind a turn, in the process in the background or with the next command, and never in a hook's own time.

use crate::domain::hivemind;
use crate::domain::hivemind::command::Access;
use crate::engine::{Engine, EngineError};
use crate::kernel::id::SessionId;
use crate::view::voice::used;

/// Why the entry says that it was used.
pub const REASON: &str = "told by the voice, then used";

/// Counts each belief that a session was told, and used, once.
pub(super) fn learn(engine: &Engine, session: &SessionId) -> Result<(), EngineError> {
    let told = engine.ask(|world| world.rooms.voice.session(session).cloned())?;
    let is_told = |key: &str| key.starts_with("golden/") || key.starts_with("belief/");
    let Some(told) = told.filter(|told| told.heard.iter().any(|key| is_told(key))) else { return Ok(()) };
    let record = super::voice::record(engine, session)?;
    for key in engine.ask(|world| used(&world.rooms, &told, &record))? {
        engine.decide_due(hivemind::Command::from(Access { key, reason: Some(REASON.into()) }), session)?;
    }
    Ok(())
}
