//! What is published in `docs/` is what the program prints.

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
