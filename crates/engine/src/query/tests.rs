//! Questions to small logs on a real disk.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::filter::{Children, Filter};
use super::{Engine, Found};
use crate::archive::PackMode;
use crate::clock::Clock;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::Ending;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_log::disk::RealDisk;
use annals_log::position::IdSource;
use annals_log::read::Flow;

fn open(context: &Path) -> Engine {
    let now = "2026-11-30T12:00:00Z".parse().expect("a time");
    Engine::open(Arc::new(RealDisk), context, Clock::new(Some(now), None)).expect("opened")
}

/// An entry of a day of November 2026, which happened at its number of minutes.
fn entry(day: u32, number: u32, changes: &Value) -> HistoryEntry {
    let at: Timestamp = format!("2026-11-{day:02}T00:{number:02}:00Z").parse().expect("a time");
    let mut line = json!({
        "id": EntryId::new(at, u128::from(number)), "timestamp": at, "session_id": "s",
        "operation": {"type": "tool_call", "name": format!("n{day}.{number}"), "input": {}, "success": true},
        "provenance": {"agent_id": "coder"}, "metadata": {},
    });
    merge(&mut line, changes);
    HistoryEntry::read(&line.to_string()).expect("an entry")
}

fn merge(value: &mut Value, changes: &Value) {
    match (value, changes) {
        (Value::Object(members), Value::Object(changes)) => {
            changes.iter().for_each(|(key, change)| merge(members.entry(key).or_insert(Value::Null), change));
        }
        (value, change) => *value = change.clone(),
    }
}

fn write(engine: &Engine, entries: impl IntoIterator<Item = HistoryEntry>) {
    let entries = entries.into_iter().map(|entry| (entry, IdSource::AsGiven)).collect();
    engine.record_all(entries).expect("recorded");
}

fn names(found: &[Found]) -> Vec<&str> {
    found.iter().map(|found| found.entry.operation.name.as_ref()).collect()
}

fn ask(engine: &Engine, filter: &Filter) -> Vec<String> {
    let found = engine.reader().expect("a reader").all(filter).expect("read");
    names(&found).into_iter().map(str::to_owned).collect()
}

#[test]
fn an_entry_must_fit_every_field_that_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    write(
        &engine,
        [
            entry(20, 1, &json!({"session_id": "other", "operation": {"type": "user_input"}})),
            entry(
                20,
                2,
                &json!({"operation": {"success": false, "error": "it \"broke\""}, "metadata": {"tags": ["#a"]}}),
            ),
            entry(
                21,
                1,
                &json!({"metadata": {"files_touched": ["src/log/read.rs"]}, "provenance": {"agent_id": "critic"}}),
            ),
            entry(21, 2, &json!({"operation": {"input": {"deep": [{"text": "Grüße,\n\"quoted\""}]}}})),
            entry(
                22,
                1,
                &json!({"session_id": "child", "operation": {"type": "system_event", "name": "session_start",
                "input": {"parent_session": "s"}}}),
            ),
            entry(22, 2, &json!({})),
        ],
    );
    let all = ["n20.1", "n20.2", "n21.1", "n21.2", "session_start", "n22.2"];
    let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let at = |text: &str| text.parse::<Timestamp>().expect("a time");
    let none = Filter::default;
    let cases: [(Filter, &[&str]); 14] = [
        (none(), &all),
        (Filter { session: Some("other".into()), ..none() }, &["n20.1"]),
        (Filter { session: Some("nobody".into()), ..none() }, &[]),
        (
            Filter { session: Some("s".into()), children: Children::Begun, ..none() },
            &["n20.2", "n21.1", "n21.2", "session_start", "n22.2"],
        ),
        (Filter { kinds: strings(&["user_input", "system_event"]), ..none() }, &["n20.1", "session_start"]),
        (Filter { names: strings(&["n2*.1"]), kinds: strings(&["tool_call"]), ..none() }, &["n21.1"]),
        (Filter { agents: strings(&["crit*"]), ..none() }, &["n21.1"]),
        (Filter { tags: strings(&["#a", "#b"]), ..none() }, &["n20.2"]),
        (Filter { files: strings(&["log/read.rs"]), ..none() }, &["n21.1"]),
        (Filter { ending: Some(Ending::Failed), ..none() }, &["n20.2"]),
        (Filter { text: Some("it \"broke\"".to_owned()), ..none() }, &["n20.2"]),
        (Filter { text: Some("üße,\n\"q".to_owned()), ..none() }, &["n21.2"]),
        (Filter { text: Some("deep".to_owned()), ..none() }, &[]),
        (
            Filter {
                since: EntryId::new(at("2026-11-20T00:02:00Z"), 0),
                until: Some(EntryId::new(at("2026-11-21T00:01:00Z"), u128::MAX)),
                ..none()
            },
            &["n20.2", "n21.1"],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(ask(&engine, &filter), expected, "{filter:?}");
    }
}

#[test]
fn the_newest_come_from_the_last_files_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    write(&engine, (1..=9).flat_map(|day| [entry(day, 2, &json!({})), entry(day, 1, &json!({}))]));
    let mut reader = engine.reader().expect("a reader");
    let newest = reader.newest(&Filter::default(), 3).expect("read");
    assert_eq!(names(&newest), ["n8.2", "n9.1", "n9.2"]);
    assert_eq!(reader.notices.lines, 4, "two days were read");
    let mut reader = engine.reader().expect("a reader");
    let filter = Filter { session: Some("s".into()), until: Some(newest[0].entry.id), ..Filter::default() };
    assert_eq!(names(&reader.newest(&filter, 1).expect("read")), ["n8.2"]);
    assert_eq!(reader.notices.lines, 2, "one day was read");
}

#[test]
fn a_session_costs_the_days_in_which_it_lived() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    write(&engine, (1..=9).map(|day| entry(day, 1, &json!({"session_id": format!("day {}", day / 2)}))));
    let mut reader = engine.reader().expect("a reader");
    let found = reader.all(&Filter { session: Some("day 2".into()), ..Filter::default() }).expect("read");
    assert_eq!(names(&found), ["n4.1", "n5.1"]);
    assert_eq!(reader.notices.lines, 2);
}

#[test]
fn an_entry_comes_once_and_it_is_the_one_that_the_fold_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    write(&engine, [entry(20, 1, &json!({"session_id": "b"})), entry(20, 2, &json!({}))]);
    let path = folder.path().join("history/2026-11-20.jsonl");
    let text = std::fs::read_to_string(&path).expect("read");
    let first = text.lines().next().expect("a line");
    std::fs::write(&path, format!("{text}{first}\n")).expect("written");
    let session = |id: &str| Filter { session: Some(id.into()), ..Filter::default() };
    let engine = open(folder.path());
    assert_eq!(ask(&engine, &Filter::default()), ["n20.1", "n20.2"], "the same line again counts once");
    assert_eq!(ask(&engine, &session("b")), ["n20.1"]);
    // One of the same id that says something else: neither counts until the user has settled it (decision 44).
    let other = first.replace(r#""session_id":"b""#, r#""session_id":"a""#);
    std::fs::write(&path, format!("{text}{first}\n{other}\n")).expect("written");
    let engine = open(folder.path());
    assert_eq!(ask(&engine, &Filter::default()), ["n20.2"]);
    assert_eq!((ask(&engine, &session("a")), ask(&engine, &session("b"))), (vec![], vec![]));
    assert!(engine.reader().expect("a reader").all(&session("a")).expect("read").is_empty());
}

#[test]
fn packed_days_answer_like_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    write(&engine, (1..=4).map(|day| entry(day, 1, &json!({"session_id": format!("day {}", day % 2)}))));
    let filter = Filter { session: Some("day 1".into()), ..Filter::default() };
    let before = ask(&engine, &filter);
    let packed = engine.archive("2026-11-04".parse().expect("a day"), PackMode::Pack).expect("packed");
    assert_eq!((packed.len(), before.len()), (3, 2));
    assert_eq!(ask(&engine, &filter), before);
    assert_eq!(ask(&engine, &Filter::default()), ["n1.1", "n2.1", "n3.1", "n4.1"]);
}

#[test]
fn texts_in_blobs_are_found_and_a_lost_blob_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    let long = format!("{}needle", "hay ".repeat(20_000));
    write(&engine, [entry(20, 1, &json!({"operation": {"output": {"stdout": long}}})), entry(20, 2, &json!({}))]);
    let filter = Filter { text: Some("needle".to_owned()), ..Filter::default() };
    let found = engine.reader().expect("a reader").all(&filter).expect("read");
    assert_eq!(names(&found), ["n20.1"]);
    let output = found[0].entry.operation.output.clone().expect("an output");
    let mut expansion = super::expand::Expansion::default();
    assert_eq!(expansion.value(&engine, &output), json!({ "stdout": long }));
    std::fs::remove_dir_all(folder.path().join("history/blobs")).expect("removed");
    assert_eq!(expansion.value(&engine, &output), output.value());
    assert!(expansion.troubles[0].contains("No such file"), "{:?}", expansion.troubles);
    assert_eq!(ask(&engine, &filter), [""; 0]);
}

#[test]
fn damaged_lines_are_passed_over_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&open(folder.path()), [entry(20, 1, &json!({})), entry(20, 2, &json!({}))]);
    let path = folder.path().join("history/2026-11-20.jsonl");
    let text = std::fs::read_to_string(&path).expect("read").replacen('\n', "\n<<<<<<< ours\n{\"torn\n", 1);
    std::fs::write(&path, text).expect("written");
    let engine = open(folder.path());
    let mut reader = engine.reader().expect("a reader");
    assert_eq!(names(&reader.all(&Filter::default()).expect("read")), ["n20.1", "n20.2"]);
    assert_eq!(reader.notices.trouble_count, 2);
}

/// Follows in a thread of its own until an entry called `last` comes.
fn follow(context: &Path, filter: Filter, act: impl FnOnce(&Engine, &Receiver<String>)) {
    let follower = open(context);
    let reader = follower.reader().expect("a reader");
    let (sender, names) = channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut follower = reader.follow(filter);
            let taken = follower.run(&mut |found| {
                let name = found.entry.operation.name.to_string();
                let flow = if name == "last" { Flow::Enough } else { Flow::More };
                sender.send(name).expect("somebody listens");
                flow
            });
            taken.expect("followed");
        });
        let other = open(context);
        act(&other, &names);
        write(&other, [entry(29, 59, &json!({"operation": {"name": "last"}}))]);
        assert_eq!(next(&names), "last");
    });
}

fn next(names: &Receiver<String>) -> String {
    names.recv_timeout(Duration::from_secs(20)).expect("an entry comes")
}

#[test]
fn a_follower_sees_other_writers_new_files_and_late_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&open(folder.path()), [entry(20, 1, &json!({}))]);
    follow(folder.path(), Filter::default(), |other, names| {
        for (day, number) in [(20, 2), (21, 1), (19, 1), (21, 3)] {
            write(other, [entry(day, number, &json!({}))]);
            assert_eq!(next(names), format!("n{day}.{number}"));
        }
    });
}

#[test]
fn a_follower_waits_for_the_end_of_a_line_and_takes_what_its_filter_asks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&open(folder.path()), [entry(20, 1, &json!({}))]);
    let filter = Filter { kinds: vec!["tool_call".to_owned()], ..Filter::default() };
    follow(folder.path(), filter, |other, names| {
        write(other, [entry(20, 2, &json!({"operation": {"type": "user_input"}}))]);
        let line = entry(20, 3, &json!({})).to_line();
        let path = folder.path().join("history/2026-11-20.jsonl");
        let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("opened");
        let (head, tail) = line.split_at(100);
        file.write_all(head.as_bytes()).expect("written");
        assert_eq!(names.recv_timeout(Duration::from_millis(50)), Err(std::sync::mpsc::RecvTimeoutError::Timeout));
        file.write_all(format!("{tail}\n").as_bytes()).expect("written");
        assert_eq!(next(names), "n20.3");
    });
}

#[test]
fn a_follower_passes_over_what_a_replaced_file_brings_again() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&open(folder.path()), [entry(20, 1, &json!({})), entry(20, 2, &json!({}))]);
    follow(folder.path(), Filter::default(), |_, names| {
        let path = folder.path().join("history/2026-11-20.jsonl");
        let merged = std::fs::read_to_string(&path).expect("read") + &entry(20, 5, &json!({})).to_line() + "\n";
        let beside = folder.path().join("merged");
        std::fs::write(&beside, merged).expect("written");
        std::fs::rename(beside, path).expect("renamed");
        assert_eq!(next(names), "n20.5");
    });
}

#[test]
fn entries_of_several_days_are_found_by_their_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    let days = [(20, 1), (20, 2), (21, 1), (23, 1)];
    let entries: Vec<_> = days.iter().map(|(day, number)| entry(*day, *number, &json!({}))).collect();
    let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
    write(&engine, entries);
    let mut reader = engine.reader().expect("a reader");
    let mut found = |wanted: &[EntryId], until: EntryId| {
        let by_id = reader.by_id(wanted.iter().copied().collect(), until).expect("read");
        by_id.into_iter().map(|(id, found)| (id, names(&found).join(" "))).collect::<Vec<_>>()
    };
    let missing = EntryId::new("2026-11-22T00:00:00Z".parse().expect("a time"), 1);
    let (first, last) = ((ids[1], "n20.2".to_owned()), (ids[3], "n23.1".to_owned()));
    assert_eq!(found(&[ids[3], missing, ids[1]], EntryId::MAX), [first.clone(), last]);
    assert_eq!(found(&[ids[3], ids[1]], ids[2]), [first], "up to a turn");
    assert_eq!(found(&[], EntryId::MAX), []);
}
