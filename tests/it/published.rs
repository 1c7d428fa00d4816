//! What is published in `docs/` is what the program prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn published(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    fs::read_to_string(&path).unwrap_or_default()
}

#[test]
fn the_schema_is_up_to_date() {
    let same = published("schema/history-entry.v1.json") == annals::cli::schema::history_entry();
    assert!(same, "run: cargo run -- schema > docs/schema/history-entry.v1.json");
}

#[test]
fn the_list_of_events_is_up_to_date() {
    let same = published("EVENTS.md") == annals::cli::schema::events();
    assert!(same, "run: cargo run -- schema --events > docs/EVENTS.md");
}

/// Which events cause what, as a page has it: single events first, then those of a whole room.
fn causes() -> String {
    let (mut single, mut whole) = (BTreeMap::<String, Vec<&str>>::new(), BTreeMap::<String, Vec<&str>>::new());
    for (name, on) in annals::policy::subscriptions() {
        if on.variants.is_empty() {
            let rooms: BTreeSet<&str> = on.names().filter_map(|name| name.split('.').next()).collect();
            let rooms: Vec<_> = rooms.iter().map(|room| format!("`{room}.*`")).collect();
            whole.entry(rooms.join(", ")).or_default().push(name);
        }
        for event in on.names().filter(|_| !on.variants.is_empty()) {
            single.entry(format!("`{event}`")).or_default().push(name);
        }
    }
    let line = |(event, names): (&String, &Vec<&str>)| {
        let event = if event.is_empty() { "any" } else { event };
        format!("| {event} | {} |\n", names.join(", "))
    };
    single.iter().chain(&whole).map(line).collect()
}

#[test]
fn the_page_of_the_house_says_which_events_cause_what() {
    let causes = causes();
    assert!(
        published("ARCHITECTURE.md").contains(&causes),
        "docs/ARCHITECTURE.md, \"What follows from what\":\n{causes}"
    );
}
