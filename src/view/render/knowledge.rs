//! `knowledge/learnt/{type}.md`: what is known of each type, and what was.

use super::Files;
use crate::domain::knowledge::KnowledgeKind;
use crate::engine::{Engine, EngineError};
use crate::view::knowledge::page;

/// Where they are, below `.context`.
pub(super) const FOLDER: &str = "knowledge/learnt";

fn name(kind: KnowledgeKind) -> String {
    format!("{FOLDER}/{kind}.md")
}

/// The file of each type of which anything is known.
pub(super) fn all(engine: &Engine) -> Result<Files, EngineError> {
    engine.ask(|world| {
        let pages = KnowledgeKind::ALL.iter().filter_map(|kind| Some((name(*kind), page(&world.rooms, *kind)?)));
        pages.collect()
    })
}
