//! What is known, a sentence a line, and a question about it in the last one.
#![no_main]

use annals::domain::knowledge::command::Retrieve;
use annals::domain::knowledge::retrieve::retrieve;
use annals::domain::{Ask, Asking, Command, Rooms};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::settings::Settings;
use annals::kernel::time::Timestamp;
use annals::policy;
use annals::world::{Asked, World};
use serde_json::json;

fn add(rooms: &mut Rooms, number: i32, content: &str) {
    let at = Timestamp::from_millis(1_790_000_000_000 + 3_600_000 * i64::from(number));
    let id = EntryId::new(at, u128::from(number.unsigned_abs()));
    let fields = json!({ "kind": "fact", "content": content });
    let command = Command::read("knowledge.entry.add", &Json::of(&fields)).expect("a command");
    let ask = Ask { command, observed: Json::empty_object() };
    let actor = AgentId::from("user");
    let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
    let world = World { rooms: rooms.clone(), ..World::default() };
    let asking = Asking::of(&ask);
    for event in world.decide(&ask, &asked).events {
        policy::take_in(rooms, &event, &policy::From { asking: Some(&asking), id, at, actor: &actor });
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut rooms = Rooms::default();
    for (number, line) in (0..).zip(text.lines().take(8)) {
        add(&mut rooms, number, line);
    }
    let ask = Retrieve { query: text.lines().last().unwrap_or_default().into(), ..Retrieve::default() };
    let _ = retrieve(&rooms.knowledge, &ask, &Settings::default(), Timestamp::from_millis(1_790_500_000_000));
});
