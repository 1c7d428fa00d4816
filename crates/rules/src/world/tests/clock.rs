//! Given / when / then for a clock that is given (decision 46).

use serde_json::json;

use super::swarm::Swarm;
use crate::domain::{Ask, Command};
use crate::world::{Asked, World};
use annals_kernel::decision::Refusal;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// Folds lines that a writer wrote, each with its count and what it saw of the other.
fn folded(lines: &[(&str, u64, &[&str], &str)]) -> World {
    let mut world = World::default();
    for (index, (writer, count, seen, name)) in lines.iter().enumerate() {
        let at = Timestamp::from_millis(i64::try_from(index).expect("few") * 1000);
        let events = if *name == GIVE { json!([{"name": "config.clock.given", "data": {}}]) } else { json!([]) };
        let head = |other: &&str| ((*other).to_owned(), json!([1, "00000000000000000000000000000000"]));
        let seen: serde_json::Map<_, _> = seen.iter().map(head).collect();
        let zero = "00000000000000000000000000000000";
        let mut annals = json!({"v": 1, "w": writer, "n": count, "p": zero});
        if *name == GIVE {
            annals["r"] = 2.into();
        }
        if *name == "import" {
            annals["source"] = json!({"kind": "t", "session": "s", "record": "r"});
        }
        if !seen.is_empty() {
            annals["s"] = seen.into();
        }
        let line = json!({
            "id": EntryId::new(at, 7), "timestamp": at, "session_id": NO_SESSION,
            "operation": {
                "type": "system_event", "name": name, "input": {"command": {}}, "output": {"events": events}, "success": true,
            },
            "provenance": {"agent_id": "user"}, "metadata": {}, "extensions": {"annals": annals},
        });
        let line = HistoryEntry::read(&line.to_string()).expect("an entry").to_line();
        let span = Span::scan(line.as_bytes()).expect("a line of ours");
        world.apply(&Envelope::new(line.as_bytes(), &span));
    }
    world
}

fn is_given(lines: &[(&str, u64, &[&str], &str)]) -> bool {
    let world = folded(lines);
    assert_eq!(world.oddities.count > 0, world.rooms.config.clock.is_none(), "{:?}", world.oddities);
    world.rooms.config.clock.is_some()
}

const GIVE: &str = "config.clock.give";

#[test]
fn the_first_line_of_a_log_gives_the_clock_and_no_other() {
    assert!(is_given(&[("one", 1, &[], GIVE)]));
    assert!(is_given(&[("one", 1, &[], GIVE), ("one", 2, &[], "x")]));
    assert!(!is_given(&[("one", 1, &[], "x"), ("one", 2, &[], GIVE)]));
    assert!(!is_given(&[("one", 1, &[], "x"), ("two", 1, &["one"], GIVE)]));
    assert!(!is_given(&[("one", 2, &[], GIVE)]), "it was not the first of its writer");
}

#[test]
fn imports_are_no_part_of_the_time_of_a_log() {
    assert!(is_given(&[("one", 2, &[], "import"), ("one", 1, &[], GIVE), ("one", 3, &[], "x")]));
    assert!(is_given(&[("one", 1, &[], GIVE), ("two", 1, &[], "import")]));
}

#[test]
fn whoever_writes_without_having_seen_it_takes_a_given_clock_away() {
    assert!(is_given(&[("one", 1, &[], GIVE), ("two", 1, &["one"], "x"), ("two", 2, &[], "x")]));
    assert!(is_given(&[("one", 1, &[], GIVE), ("two", 1, &["one"], "x"), ("three", 1, &["two"], "x")]));
    assert!(!is_given(&[("one", 1, &[], GIVE), ("two", 1, &[], "x")]));
    assert!(!is_given(&[("one", 1, &[], GIVE), ("two", 1, &["three"], "x"), ("two", 2, &["one"], "x")]));
}

/// `config.clock_too_late`.
/// Guard `entry::clock`.
#[test]
fn a_clock_is_not_given_once_there_is_an_entry() {
    let command = Command::read(GIVE, &Json::of(&json!({}))).expect("a command");
    let ask = Ask { command, observed: Json::empty_object() };
    let at = Timestamp::from_millis(9000);
    let asked =
        Asked { id: EntryId::new(at, 7), at, actor: AgentId::from("user"), session: SessionId::from(NO_SESSION) };
    assert_eq!(World::default().decide(&ask, &asked).refusal, None);
    let refusal = Refusal::of("config.clock_too_late", &json!({"entries": 1}));
    assert_eq!(folded(&[("one", 1, &[], "x")]).decide(&ask, &asked).refusal, Some(refusal));
}

/// `config.not_a_lead`.
#[test]
fn an_agent_gives_no_clock() {
    let mut swarm = Swarm::new();
    let decided = swarm.asks("anna", GIVE, &json!({}), &json!({}));
    assert_eq!(decided.refusal.map(|refusal| refusal.rule).as_deref(), Some("config.not_a_lead"));
}
