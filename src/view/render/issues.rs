//! `issues/0042-reactor-timeline.md`: the whole thread, as one reads it.
//!
//! A file is named by number and title, so that an issue that got another title gets another file.

use super::Files;
use crate::domain::issue::decay::Fading;
use crate::engine::{Engine, EngineError};
use crate::kernel::id::IssueId;
use crate::view::issue::{IssueRows, Thread, markdown};
use crate::world::World;

/// Where they are, below `.context`.
pub(super) const FOLDER: &str = "issues";

/// So many issues are in memory with their texts at a time.
pub(super) const AT_ONCE: usize = 500;

/// Every issue.
pub(super) fn all(engine: &Engine) -> Result<Vec<IssueId>, EngineError> {
    engine.ask(|world| world.rooms.issue.issues.iter().map(|(id, _)| id.clone()).collect())
}

/// The files of issues.
pub(super) fn files(engine: &Engine, ids: &[IssueId]) -> Result<Files, EngineError> {
    let row = |world: &World, id: &IssueId| {
        let rows = IssueRows::of(&world.rooms, id)?;
        Some((rows.fading(&world.rooms.config.settings), rows))
    };
    let rows = engine.ask(|world| ids.iter().filter_map(|id| row(world, id)).collect::<Vec<_>>())?;
    let wanted: Vec<_> = rows.iter().flat_map(|(_, rows)| rows.entries()).collect();
    let entries = engine.entries(&wanted)?;
    let file = |(fading, rows): &(Option<Fading>, IssueRows)| {
        let mut thread: Thread = rows.thread(&entries);
        thread.info.fading = *fading;
        (format!("{FOLDER}/{}", markdown::file_name(&thread)), markdown::page(&thread))
    };
    Ok(rows.iter().map(file).collect())
}

/// Whether a path bears the number of one of these under another title.
pub(super) fn is_renamed(path: &str, files: &Files) -> bool {
    let is_here = super::folder_of(path) == FOLDER && !files.contains_key(path);
    is_here && files.keys().any(|other| number(other) == number(path))
}

fn number(path: &str) -> Option<&str> {
    super::name_of(path).split(['-', '.']).next()
}
