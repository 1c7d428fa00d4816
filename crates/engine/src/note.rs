//! Recording what happened outside without folding: for hooks, which must cost the same at any size of the log.
//!
//! `Engine::record` folds now and then and stores a checkpoint; this never does.

use super::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_log::position::IdSource;
use annals_log::writer::{Appended, Pen};

impl Engine {
    /// Writes entries whose ids are minted now and whose times stay as they are. They count when this returns.
    ///
    /// A time that has passed long ago (a payload that was put aside) does not make the id old: an id never comes
    /// before one that was minted already.
    pub fn note(&self, entries: Vec<HistoryEntry>) -> Result<Vec<Appended>, EngineError> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let cleaned = entries.into_iter().map(|entry| self.clean(entry)).collect::<Result<Vec<_>, _>>()?;
        let (appended, ticket) = self.log().write_on(&mut || self.clock().chance(), |pen| {
            cleaned.into_iter().map(|entry| self.mint(pen, entry)).collect::<Result<Vec<_>, EngineError>>()
        })?;
        self.settle(ticket.as_ref())?;
        Ok(appended)
    }

    fn mint(&self, pen: &mut Pen<'_>, mut entry: HistoryEntry) -> Result<Appended, EngineError> {
        entry.id = pen.mint(entry.timestamp, self.clock().machine())?;
        Ok(pen.append(&mut entry, IdSource::Minted)?)
    }
}
