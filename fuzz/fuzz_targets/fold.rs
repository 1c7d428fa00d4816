//! Events of every room, hand-made, in any order, an hour apart: the fold takes them in, and the state can be written.
#![no_main]

use annals::domain::{Event, Rooms};
use annals::kernel::id::{AgentId, EntryId};
use annals::kernel::time::Timestamp;
use annals::policy;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (mut rooms, actor) = (Rooms::default(), AgentId::from("user"));
    for (number, line) in (0_i32..).zip(text.lines().take(64)) {
        let Some((name, data)) = line.split_once(' ') else { continue };
        let Ok(event) = Event::read_text(name, data) else { continue };
        let at = Timestamp::from_millis(1_790_000_000_000 + 3_600_000 * i64::from(number));
        let id = EntryId::new(at, u128::from(number.unsigned_abs()));
        policy::take_in(&mut rooms, &event, &policy::From { asking: None, id, at, actor: &actor });
    }
    serde_json::to_string(&rooms).expect("the state can be written");
});
