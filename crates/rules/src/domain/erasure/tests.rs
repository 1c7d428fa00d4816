//! Given / when / then for scrubs.

use super::*;
use annals_kernel::actor::Standing;
use annals_kernel::id::{NO_SESSION, SessionId};
use annals_kernel::settings::Settings;

fn entry(number: u128) -> EntryId {
    EntryId::new(Timestamp::from_millis(1000), number)
}

fn hash(text: &str) -> LineHash {
    LineHash::of(text.as_bytes())
}

fn scrub(path: &str, confirmed_by: &str) -> Command {
    Scrub { entry: Some(entry(1)), path: path.into(), confirmed_by: confirmed_by.into(), reason: None }.into()
}

fn found(numbers: &[u128]) -> Observed {
    let line = |number: &u128| ScrubbedLine { entry: entry(*number), before: hash("before"), after: hash("after") };
    Observed { lines: numbers.iter().map(line).collect(), blobs: vec![] }
}

fn ask(command: &Command, observed: &Observed) -> Outcome<Event, Refusal> {
    let settings = Settings::default();
    let moment = Moment {
        id: entry(9),
        at: Timestamp::from_millis(2000),
        actor: AgentId::from("user"),
        standing: Standing::User,
        session: SessionId::from(NO_SESSION),
        settings: &settings,
    };
    decide(&State::default(), command, observed, &moment)
}

fn scrubbed(number: u128) -> Event {
    Scrubbed { entry: entry(number), before: hash("before"), after: hash("after") }.into()
}

#[test]
fn every_line_that_held_the_value_is_an_event() {
    let outcome = ask(&scrub("operation.output.stdout", "Ada"), &found(&[1, 4]));
    assert_eq!(outcome, Outcome { events: vec![scrubbed(1), scrubbed(4)], refusal: None });
}

#[test]
fn the_structure_of_an_entry_stays() {
    for path in ["id", "timestamp", "session_id", "operation.type", "operation.success", "extensions.annals.p"] {
        let refusal = Refusal::Structure { path: path.into() };
        assert_eq!(ask(&scrub(path, "Ada"), &found(&[1])), Outcome::refused(refusal));
    }
    for path in ["operation.input.command", "operation.error", "metadata.tags", "extensions.other"] {
        assert!(is_payload(path), "{path}");
    }
}

#[test]
fn a_person_must_stand_for_it_and_something_must_be_there() {
    assert_eq!(ask(&scrub("operation.error", ""), &found(&[1])), Outcome::refused(Refusal::NotConfirmed));
    let refusal = Refusal::NothingThere { path: "operation.error".into(), entry: Some(entry(1)) };
    assert_eq!(ask(&scrub("operation.error", "Ada"), &found(&[])), Outcome::refused(refusal));
}

#[test]
fn what_was_taken_out_is_remembered_with_who_and_when() {
    let (mut state, actor) = (State::default(), AgentId::from("user"));
    let (command, observed) = (scrub("operation.error", "Ada"), found(&[1]));
    let cause =
        Cause { asked: Some((&command, &observed)), id: entry(9), at: Timestamp::from_millis(2000), actor: &actor };
    state.evolve(&scrubbed(1), &cause);
    let record = Record {
        by_entry: entry(9),
        at: Timestamp::from_millis(2000),
        actor,
        confirmed_by: "Ada".into(),
        before: hash("before"),
        after: hash("after"),
    };
    assert_eq!(state.scrubs, [(entry(1), vec![record])].into());
    assert_eq!(state.gone(), [(entry(1), vec![hash("before")])].into());
}
