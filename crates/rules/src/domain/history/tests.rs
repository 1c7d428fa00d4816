//! Given / when / then for decisions about the log itself.

use super::command::{Acknowledge, MendClock, Settle};
use super::*;
use annals_kernel::actor::{Role, Standing};
use annals_kernel::annals::LineHash;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

fn entry(number: u128) -> EntryId {
    EntryId::new(Timestamp::from_millis(1000), number)
}

fn hash(text: &str) -> LineHash {
    LineHash::of(text.as_bytes())
}

fn hole(n: u64) -> Acknowledge {
    Acknowledge { writer: "k3f9x2ab".into(), n, hash: hash("last"), why: None }
}

fn mend(from: u64, to: u64, shift: i64) -> MendClock {
    MendClock { writer: "k3f9x2ab".into(), from, to, shift }
}

fn settle(version: &str) -> Settle {
    Settle { id: entry(1), hash: hash(version) }
}

fn after(given: &[Event]) -> State {
    let (mut state, actor) = (State::default(), AgentId::from("user"));
    for (event, number) in given.iter().zip(100..) {
        let cause = Cause { asked: None, id: entry(number), at: Timestamp::from_millis(2000), actor: &actor };
        state.evolve(event, &cause);
    }
    state
}

fn ask(given: &[Event], standing: Standing, when: impl Into<Command>, seen: &[&str]) -> Outcome<Event, Refusal> {
    let settings = Settings::default();
    let moment = Moment {
        id: entry(999),
        at: Timestamp::from_millis(3000),
        actor: AgentId::from("ann"),
        standing,
        session: SessionId::from(NO_SESSION),
        settings: &settings,
    };
    let observed = Observed { versions: seen.iter().map(|version| hash(version)).collect() };
    decide(&after(given), &when.into(), &observed, &moment)
}

fn check(given: &[Event], when: impl Into<Command>, then: &Outcome<Event, Refusal>) {
    assert_eq!(ask(given, Standing::User, when, &["one", "two"]), *then);
}

#[test]
fn only_the_user_decides_what_counts_of_the_log() {
    let refused = Outcome::refused(Refusal::NotTheUser { actor: "ann".into() });
    let others =
        [Standing::System, Standing::Agent(Role::TeamLead), Standing::Agent(Role::Moderator), Standing::Stranger];
    for standing in others {
        assert_eq!(ask(&[], standing.clone(), hole(3), &[]), refused);
        assert_eq!(ask(&[], standing.clone(), settle("one"), &["one", "two"]), refused);
        assert_eq!(ask(&[], standing, mend(1, 2, -5), &[]), refused);
    }
}

#[test]
fn a_hole_is_acknowledged_once_by_writer_count_and_hash() {
    check(&[], hole(3), &Outcome::of(hole(3)));
    let given = [hole(3).into()];
    let writer = || "k3f9x2ab".into();
    check(&given, hole(3), &Outcome::refused(Refusal::AcknowledgedAlready { writer: writer(), n: 3 }));
    check(&given, hole(4), &Outcome::of(hole(4)));
    check(&[], hole(0), &Outcome::refused(Refusal::NoSuchLines { from: 0, to: 0 }));
    let state = after(&given);
    assert!(state.is_acknowledged(&writer(), 3, hash("last")));
    assert!(
        !state.is_acknowledged(&writer(), 3, hash("other")) && !state.is_acknowledged(&"other".into(), 3, hash("last"))
    );
}

#[test]
fn a_conflict_is_settled_by_one_of_the_lines_that_are_there() {
    check(&[], settle("two"), &Outcome::of(settle("two")));
    check(&[], settle("three"), &Outcome::refused(Refusal::NoSuchVersion { id: entry(1), hash: hash("three") }));
    for seen in [&[][..], &["one"][..]] {
        let outcome = ask(&[], Standing::User, settle("one"), seen);
        assert_eq!(outcome, Outcome::refused(Refusal::NoConflict { id: entry(1) }));
    }
}

#[test]
fn the_last_settlement_by_id_counts_and_none_of_an_entry_that_is_in_conflict_itself() {
    let mut state = after(&[settle("one").into(), settle("two").into()]);
    assert_eq!(state.settlements(), [(entry(1), hash("two"))].into());
    state.settled.get_mut(&entry(1)).expect("settled").reverse();
    assert_eq!(state.settlements(), [(entry(1), hash("two"))].into(), "whatever the order of the fold");
    state.conflicts.insert(entry(101), [hash("a"), hash("b")].into());
    assert_eq!(state.settlements(), [(entry(1), hash("one"))].into());
    state.settled.insert(entry(101), state.settled[&entry(1)].clone());
    assert_eq!(state.settlements()[&entry(1)], hash("one"), "settled or not");
}

#[test]
fn a_clock_is_mended_once_a_range_and_a_shift_of_zero_takes_it_back() {
    let nothing = |from, to| Outcome::refused(Refusal::NothingToMend { writer: "k3f9x2ab".into(), from, to });
    check(&[], mend(2, 9, -5), &Outcome::of(mend(2, 9, -5)));
    check(&[], mend(2, 9, 0), &nothing(2, 9));
    let given = [mend(2, 9, -5).into()];
    check(&given, mend(2, 9, -5), &nothing(2, 9));
    check(&given, mend(2, 9, 0), &Outcome::of(mend(2, 9, 0)));
    check(&given, mend(10, 12, 0), &nothing(10, 12));
    for (from, to) in [(0, 3), (4, 3)] {
        check(&[], mend(from, to, -5), &Outcome::refused(Refusal::NoSuchLines { from, to }));
    }
}
