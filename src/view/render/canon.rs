//! `canon/{key}.md`: what holds, what it claims, and what held before.

use std::collections::BTreeSet;

use super::Files;
use super::name::file_stem;
use crate::engine::{Engine, EngineError};
use crate::view::canon::{Page, markdown};

/// Where they are, below `.context`.
pub(super) const FOLDER: &str = "canon";

/// The files of every entry.
pub(super) fn all(engine: &Engine) -> Result<Files, EngineError> {
    let keys = engine.ask(|world| world.rooms.canon.entries.iter().map(|(key, _)| key.clone()).collect())?;
    files(engine, &keys)
}

/// The files of entries.
pub(super) fn files(engine: &Engine, keys: &BTreeSet<Box<str>>) -> Result<Files, EngineError> {
    engine.ask(|world| {
        let pages = keys.iter().filter_map(|key| Page::of(&world.rooms, key));
        pages.map(|page| (format!("{FOLDER}/{}.md", file_stem(&page.key)), markdown(&page))).collect()
    })
}
