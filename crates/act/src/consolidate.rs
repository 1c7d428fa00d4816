//! Memory settles when a task has its final result (artoo, v0.9): what was lived through often enough becomes common sense,
//! what has faded goes. By rule; words by a model are `annals memory dream --by-model`.

use annals_engine::{By, Engine, EngineError};
use annals_kernel::json::Json;
use annals_rules::domain::memory::command::{Command, Dream, Observed};
use annals_rules::domain::memory::dream::{Left, left};

/// So many dreams at the end of one task; what is left then waits for the next.
const MOST_DREAMS: usize = 8;

/// Dreams until nothing is left to do.
pub(crate) fn consolidate(engine: &Engine, by: &By) -> Result<(), EngineError> {
    for _ in 0..MOST_DREAMS {
        let Left { pairs, is_any_faded } =
            engine.ask(|world| left(&world.rooms.memory, engine.clock().now(), engine.settings()))?;
        if pairs == 0 && !is_any_faded {
            break;
        }
        let answer = engine.decide(Command::from(Dream {}), &Json::of(&Observed::default()), by)?;
        if answer.events.is_empty() {
            break;
        }
    }
    Ok(())
}
