//! Worlds in memory that part and are merged: what is asked of each is decided on what it knows, and the lines of both
//! are folded in the order of their ids, as a union merge leaves them.

use annals::domain::{Ask, Command, Event, RoomsDecided};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::log::batch::Batch;
use annals::world::decision::entry_of;
use annals::world::{Asked, World};
use serde_json::Value;

/// What was decided, and its line.
#[derive(Debug, Clone)]
pub struct Made {
    pub id: EntryId,
    pub at: Timestamp,
    pub events: Vec<Event>,
    line: String,
}

/// A clone of the log.
#[derive(Debug, Clone, Default)]
pub struct Branch {
    pub world: World,
    pub made: Vec<Made>,
    /// Tells clones apart.
    number: u128,
    millis: i64,
}

fn apply(world: &mut World, line: &str) {
    let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
    world.apply(&batch.entries().next().expect("an entry").envelope);
}

impl Branch {
    pub fn first() -> Self {
        Self { number: 1, ..Self::default() }
    }

    /// A copy that goes its own way.
    pub fn parted(&self) -> Self {
        Self { number: self.number + 1, ..self.clone() }
    }

    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_795_000_000_000 + self.millis)
    }

    pub fn wait(&mut self, minutes: i64) {
        self.millis += minutes * 60_000;
    }

    /// Asks, and takes in what was decided.
    pub fn ask(&mut self, actor: &str, command: &str, fields: &Value) -> RoomsDecided {
        self.millis += 10;
        let (at, actor) = (self.now(), AgentId::from(actor));
        let id = EntryId::new(at, self.number);
        let command = Command::read(command, &Json::of(fields)).expect("a command");
        let ask = Ask { command, observed: Json::empty_object() };
        let asked = Asked { id, at, actor, session: SessionId::from(NO_SESSION) };
        let decided = self.world.decide(&ask, &asked);
        let line = entry_of(&ask, &asked, &decided, 0).to_line();
        apply(&mut self.world, &line);
        self.made.push(Made { id, at, events: decided.events.clone(), line });
        decided
    }

    /// What two clones come to when they are merged.
    pub fn merged(&self, other: &Self) -> Self {
        let mut made: Vec<Made> = self.made.iter().chain(&other.made).cloned().collect();
        made.sort_by_key(|made| made.id);
        made.dedup_by_key(|made| made.id);
        let mut world = World::default();
        for made in &made {
            apply(&mut world, &made.line);
        }
        Self { world, made, number: self.number, millis: self.millis.max(other.millis) }
    }
}
