//! What memory says to a planner: potentials, common sense, and the latest experiences (artoo R5; decision 34).
//!
//! The answer is on the record of the task; that common sense was consulted is on that of memory, as everywhere.

use annals_engine::{By, Engine, EngineError};
use annals_kernel::json::Json;
use annals_role::message::{MemoryAction, MemoryAnswer, MemoryQuery, Remembered};
use annals_rules::domain::memory::Action;
use annals_rules::domain::memory::command::{Command, Consult};
use annals_rules::world::World;

/// So many of the latest experiences are told.
const LATEST: usize = 5;

/// Answers a query.
pub fn recall(engine: &Engine, query: &MemoryQuery, by: &By) -> Result<MemoryAnswer, EngineError> {
    consult(engine, query, by)?;
    let now = engine.clock().now();
    engine.ask(|world| {
        let memory = &world.rooms.memory;
        let Some(head) = memory.pair(&query.space, &query.entity) else { return MemoryAnswer::default() };
        let action = memory.potentials(&query.space, &query.entity, now).action(engine.settings());
        let common = head.common.keys().filter_map(|id| memory.megram(id));
        let mut content: Vec<String> = common.map(|megram| megram.content.into()).collect();
        for megram in memory.latest(head, LATEST) {
            let text = String::from(megram.content);
            if !content.contains(&text) {
                content.push(text);
            }
        }
        let (space, entity, action) = (query.space.clone(), query.entity.clone(), told(action));
        MemoryAnswer { remembered: vec![Remembered { space, entity, action, content }] }
    })
}

/// What is timeless keeps the time of its last use (decision 36).
fn consult(engine: &Engine, query: &MemoryQuery, by: &By) -> Result<(), EngineError> {
    let MemoryQuery { space, entity, .. } = query;
    let is_common = |world: &World| world.rooms.memory.pair(space, entity).is_some_and(|head| !head.common.is_empty());
    if engine.ask(is_common)? {
        let consult = Consult { space: space.as_str().into(), entity: entity.as_str().into() };
        engine.decide(Command::from(consult), &Json::empty_object(), by)?;
    }
    Ok(())
}

fn told(action: Action) -> MemoryAction {
    match action {
        Action::Exploit => MemoryAction::Exploit,
        Action::Avoid => MemoryAction::Avoid,
        Action::Caution => MemoryAction::Caution,
        Action::Ignore => MemoryAction::Ignore,
    }
}
