//! Entries of other programs: what is kept, what is made, what is refused.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::clock::Clock;
use annals_log::disk::RealDisk;

const NOW: i64 = 1_795_262_400_000;

fn engine(context: &Path) -> Engine {
    let clock = Clock::new(Some(Timestamp::from_millis(NOW)), Some("s".to_owned()));
    Engine::open(Arc::new(RealDisk), context, clock).expect("opened")
}

fn read(text: &str) -> Result<Given, BadGiven> {
    let at = Timestamp::from_millis(NOW);
    Given::read(
        1,
        text,
        &Defaults { at, session: Some("here".into()), agent: Some("coder".into()), giver: "user".into() },
    )
}

fn with(more: &str) -> String {
    format!(r#"{{"operation":{{"type":"note","name":"n","success":true}}{more}}}"#)
}

fn problem(text: &str) -> String {
    read(text).expect_err("refused").to_string()
}

#[test]
fn what_is_missing_is_put_in_and_what_is_there_stays() {
    let given = read(&with("")).expect("an entry");
    let entry = &given.entry;
    assert_eq!((given.stamp, entry.session_id.as_str()), (IdSource::Minted, "here"));
    assert_eq!(entry.timestamp.to_string(), "2026-11-21T12:00:00.000Z");
    assert_eq!(entry.provenance.agent_id, Some("coder".into()));
    let full = with(
        r#","id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","sessionId":"theirs","provenance":{"agentId":"critic"},"colour":"blue""#,
    );
    let given = read(&full).expect("an entry");
    let entry = &given.entry;
    assert_eq!((given.stamp, entry.id.to_string().as_str()), (IdSource::AsGiven, "01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert_eq!(entry.timestamp, entry.id.time(), "an id has a time");
    assert_eq!((entry.session_id.as_str(), entry.provenance.agent_id.clone()), ("theirs", Some("critic".into())));
    assert!(entry.to_line().contains(r#""colour":"blue""#));
}

#[test]
fn an_id_in_another_form_is_kept_aside() {
    let given = read(&with(r#","id":"msg-17""#)).expect("an entry");
    assert_eq!(given.stamp, IdSource::Minted);
    assert!(given.entry.to_line().contains(r#""extensions":{"given_id":"msg-17"}"#), "{}", given.entry.to_line());
}

#[test]
fn a_foreign_chain_is_dropped_and_a_decision_refused() {
    let chain = r#","extensions":{"annals":{"v":1,"usage":{"output":3},"scrubbed":["9f86d081884c7d659a2feaa0c55ad015"],
        "w":"k3f9x2ab","n":42,"p":"9f86d081884c7d659a2feaa0c55ad015"}}"#;
    let given = read(&with(chain)).expect("an entry");
    assert_eq!((given.entry.annals.link, given.entry.annals.scrubbed), (None, Vec::new()));
    assert_eq!(given.entry.annals.usage.map(|usage| usage.output), Some(3));
    assert_eq!(
        problem(&with(r#","extensions":{"annals":{"r":1}}"#)),
        "extensions.annals.r: a decision is made by a command, not given"
    );
}

#[test]
fn what_is_wrong_is_named() {
    assert!(problem("[]").contains("expected an object"), "{}", problem("[]"));
    assert_eq!(problem("{}"), "operation: is missing");
    assert_eq!(problem(r#"{"operation":{"type":"t","name":"n"}}"#), "operation.success: is missing");
    assert_eq!(problem(r#"{"operation":{"type":"t","name":"","success":true}}"#), "operation.name: is empty");
    assert_eq!(problem(r#"{"operation":{"type":"","name":"n","success":true}}"#), "operation.type: is empty");
    assert_eq!(
        problem(r#"{"operation":{"type":"t","name":"n","input":[1],"success":true}}"#),
        "operation.input: is not an object"
    );
    assert!(problem(&with(r#","timestamp":"yesterday""#)).starts_with("timestamp: \"yesterday\" is not a time"));
    assert_eq!(problem(&with(r#","id":"7ZZZZZZZZZZZZZZZZZZZZZZZZZ""#)), "id: is of a time that has not come yet");
}

fn given(line: u64, id: &str) -> Given {
    Given { line, ..read(&with(&format!(r#","id":"{id}""#))).expect("an entry") }
}

fn lines(context: &Path) -> usize {
    let files =
        std::fs::read_dir(context.join("history")).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).expect("read").lines().count()).sum()
}

#[test]
fn an_id_that_is_there_is_refused_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ");
    let first = engine(folder.path()).record_given(vec![given(1, one)], Partly::AllOrNothing).expect("recorded");
    assert_eq!((first.appended.len(), first.refused), (1, Vec::new()));
    let known = BadGiven::KnownId(one.parse().expect("an id"));
    let twice = BadGiven::TwiceGiven(two.parse().expect("an id"));
    let all = || vec![given(1, two), given(2, one), given(3, two), read(&with("")).expect("an entry")];
    let nothing = engine(folder.path()).record_given(all(), Partly::AllOrNothing).expect("asked");
    assert_eq!(nothing, Taken { appended: vec![], refused: vec![(2, known.clone()), (3, twice.clone())] });
    assert_eq!(lines(folder.path()), 1);
    let some = engine(folder.path()).record_given(all(), Partly::KeepGoing).expect("recorded");
    assert_eq!(some.appended.len(), 2);
    assert_eq!(some.refused, [(2, known), (3, twice)]);
    assert_eq!(lines(folder.path()), 3);
}

#[test]
fn an_old_id_does_not_turn_the_clock_back_or_forth() {
    let folder = tempfile::tempdir().expect("a folder");
    let ahead = EntryId::new(Timestamp::from_millis(NOW + 60_000), 1).to_string();
    let engine = engine(folder.path());
    engine.record_given(vec![given(1, &ahead)], Partly::AllOrNothing).expect("recorded");
    let next = engine.record_given(vec![read(&with("")).expect("an entry")], Partly::AllOrNothing).expect("recorded");
    assert_eq!(next.appended[0].id.time(), Timestamp::from_millis(NOW));
}
