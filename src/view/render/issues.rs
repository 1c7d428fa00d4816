//! `issues/0042-reactor-timeline.md`: the whole thread, as one reads it.
//!
//! A file is named by number and title, so that an issue that got another title gets another file.

use super::Files;
use crate::engine::{Engine, EngineError};
use crate::kernel::id::IssueId;
use crate::log::LogError;
use crate::view::issue::{Rows, Thread, markdown, thread};

/// Where they are, below `.context`.
pub const FOLDER: &str = "issues";

/// So many issues are in memory with their texts at a time.
pub const AT_ONCE: usize = 500;

/// Every issue.
pub fn all(engine: &Engine) -> Result<Vec<IssueId>, EngineError> {
    engine.ask(|world| world.rooms.issue.issues.iter().map(|(id, _)| id.clone()).collect())
}

/// The files of issues.
pub fn files(engine: &Engine, ids: &[IssueId]) -> Result<Files, EngineError> {
    let rows = engine.ask(|world| ids.iter().filter_map(|id| Rows::of(&world.rooms, id)).collect::<Vec<_>>())?;
    let file = |rows: &Rows| {
        let thread: Thread = thread(engine, rows)?;
        Ok((format!("{FOLDER}/{}", markdown::file_name(&thread)), markdown::page(&thread)))
    };
    rows.iter().map(file).collect()
}

/// Removes the files that bear the number of one of these under another title.
pub fn remove_renamed(engine: &Engine, files: &Files) -> Result<u64, EngineError> {
    let path = engine.place().context().join(FOLDER);
    let there = engine.disk().list(&path).map_err(LogError::at("list", &path))?;
    let number = |name: &str| name.split(['-', '.']).next().map(str::to_owned);
    let mut removed = 0;
    for name in files.keys().filter_map(|path| path.rsplit('/').next()) {
        for file in there.iter().filter(|file| file.name != name && number(&file.name) == number(name)) {
            super::remove(engine, path.join(&file.name))?;
            removed += 1;
        }
    }
    Ok(removed)
}
