//! What memory says to a planner: potentials, common sense, and the latest experiences (artoo R5; decision 34).
//!
//! Reads only; that a pair was consulted is not recorded by it: the answer is.

use annals_engine::{Engine, EngineError};
use annals_role::message::{MemoryAction, MemoryAnswer, MemoryQuery, Remembered};
use annals_rules::domain::memory::Action;

/// So many of the latest experiences are told.
const LATEST: usize = 5;

/// Answers a query.
pub fn recall(engine: &Engine, query: &MemoryQuery) -> Result<MemoryAnswer, EngineError> {
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

fn told(action: Action) -> MemoryAction {
    match action {
        Action::Exploit => MemoryAction::Exploit,
        Action::Avoid => MemoryAction::Avoid,
        Action::Caution => MemoryAction::Caution,
        Action::Ignore => MemoryAction::Ignore,
    }
}
