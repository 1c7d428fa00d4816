//! `memory/potentials.json`: every pair of tags with what was experienced, as facts; what is left of it at a time,
//! `annals memory potentials` says.

use serde::Serialize;

use super::Files;
use crate::domain::memory::Potentials;
use crate::domain::memory::row::Head;
use crate::domain::memory::state::Megram;
use crate::engine::{Engine, EngineError};
use crate::kernel::time::Timestamp;
use crate::view::memory::Levels;

/// Where it is, below `.context`.
pub(super) const FILE: &str = "memory/potentials.json";
/// So many pairs are opened at a time.
const AT_ONCE: usize = 500;

/// A pair, without a time that is now.
#[derive(Serialize)]
struct PairRow {
    space: Box<str>,
    entity: Box<str>,
    levels: Levels,
    /// When something was written or recalled last.
    changed_at: Timestamp,
    /// What it came to then.
    then: Potentials,
    common_sense: Vec<Megram>,
}

#[derive(Serialize)]
struct View<'v> {
    schema: &'static str,
    pairs: &'v [PairRow],
}

/// The file, where there is anything to remember.
pub(super) fn all(engine: &Engine) -> Result<Files, EngineError> {
    let keys: Vec<_> = engine.ask(|world| {
        let pairs = world.rooms.memory.pairs.iter();
        pairs.map(|(_, head)| (head.space.clone(), head.entity.clone())).collect()
    })?;
    let mut rows = Vec::new();
    for some in keys.chunks(AT_ONCE) {
        let found = engine.ask(|world| {
            let memory = &world.rooms.memory;
            let row = |head: &Head| PairRow {
                space: head.space.clone(),
                entity: head.entity.clone(),
                levels: Levels::of(head),
                changed_at: head.changed_at,
                then: Potentials::of(memory.traces(head), head.changed_at),
                common_sense: head.common.keys().filter_map(|id| memory.megram(id)).collect(),
            };
            let heads = some.iter().filter_map(|(space, entity)| memory.pair(space, entity));
            heads.map(row).collect::<Vec<_>>()
        })?;
        rows.extend(found);
    }
    if rows.is_empty() {
        return Ok(Files::new());
    }
    let json = serde_json::to_string_pretty(&View { schema: "annals.memory.pairs/v1", pairs: &rows });
    Ok(Files::from([(FILE.to_owned(), json.expect("BUG: a pair does not serialize") + "\n")]))
}
