//! Given / when / then for milestones.

use super::command::{Begin, End};
use super::event::{Begun, Ended};
use super::state::Milestone;
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::period::Period;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(minute * 60_000)
}

fn id(minute: i64) -> EntryId {
    EntryId::new(at(minute), 1)
}

fn name(minute: i64) -> Box<str> {
    id(minute).to_string().into()
}

/// Decides, and takes in what was decided.
fn ask(state: &mut State, standing: Standing, minute: i64, command: impl Into<Command>) -> Outcome<Event, Refusal> {
    let (settings, command, observed, actor) = (Settings::default(), command.into(), Observed::default(), "who".into());
    let session = SessionId::from("s");
    let moment = Moment { id: id(minute), at: at(minute), actor, standing, session, settings: &settings };
    let outcome = decide(state, &command, &observed, &moment);
    for event in &outcome.events {
        let cause = Cause { asked: None, id: moment.id, at: moment.at, actor: &moment.actor };
        state.evolve(event, &cause);
    }
    outcome
}

fn begin(kind: Period, name: &str) -> Begin {
    Begin { kind, name: name.into() }
}

fn agent(role: &str) -> Standing {
    Standing::Agent(Role::from(Box::<str>::from(role)))
}

#[test]
fn those_who_lead_mark_milestones_and_nobody_else() {
    let may = |standing| {
        let refusal = ask(&mut State::default(), standing, 1, begin(Period::Act, "one")).refusal;
        assert!(matches!(refusal, None | Some(Refusal::NotAllowed { .. })), "{refusal:?}");
        refusal.is_none()
    };
    let leaders = [Standing::User, agent("assistant"), agent("moderator"), agent("team-lead")];
    assert_eq!(leaders.map(may), [true; 4]);
    assert_eq!([agent("writer"), agent("critic"), Standing::Stranger].map(may), [false; 3]);
}

#[test]
fn a_milestone_begins_and_ends() {
    let mut state = State::default();
    let begun = ask(&mut state, Standing::User, 1, begin(Period::Chapter, "7"));
    let expected = Begun { milestone: name(1), kind: Period::Chapter, name: "7".into() };
    assert_eq!(begun, Outcome::of(expected));
    let ended = ask(&mut state, Standing::User, 2, End { kind: Period::Chapter });
    let expected = Ended { milestone: name(1), kind: Period::Chapter, name: "7".into() };
    assert_eq!(ended, Outcome::of(expected));
    let milestone = Milestone {
        kind: Period::Chapter,
        name: "7".into(),
        by: "who".into(),
        begun_at: at(1),
        begun_in: id(1),
        ended_at: Some(at(2)),
        ended_in: Some(id(2)),
    };
    assert_eq!(state.milestones.get(&name(1)), Some(&milestone));
    assert!(state.open.is_empty());
}

#[test]
fn one_of_a_kind_goes_on_at_a_time() {
    let mut state = State::default();
    assert_eq!(ask(&mut state, Standing::User, 1, begin(Period::Session, "a")).refusal, None);
    assert_eq!(ask(&mut state, Standing::User, 2, begin(Period::Chapter, "a")).refusal, None, "another kind");
    let second = ask(&mut state, Standing::User, 3, begin(Period::Session, "b")).refusal;
    assert_eq!(second, Some(Refusal::GoesOn { kind: Period::Session, name: "a".into() }));
    let none = ask(&mut state, Standing::User, 4, End { kind: Period::Act }).refusal;
    assert_eq!(none, Some(Refusal::NoneGoesOn { kind: Period::Act }));
}

#[test]
fn a_name_can_stand_in_a_tag() {
    for bad in ["", "two words", "a#b", "a\nb", &"x".repeat(65)] {
        let refusal = ask(&mut State::default(), Standing::User, 1, begin(Period::Act, bad)).refusal;
        assert_eq!(refusal, Some(Refusal::BadName { most: 64 }), "{bad:?}");
    }
    assert_eq!(ask(&mut State::default(), Standing::User, 1, begin(Period::Act, "Überfahrt_2.b")).refusal, None);
}

#[test]
fn of_two_branches_that_began_one_each_the_later_goes_on() {
    let mut state = State::default();
    let user = "user".into();
    for minute in [1, 2] {
        let begun = Begun { milestone: name(minute), kind: Period::Session, name: "s".into() };
        state.evolve(&begun.into(), &Cause { asked: None, id: id(minute), at: at(minute), actor: &user });
    }
    let ended = Ended { milestone: name(1), kind: Period::Session, name: "s".into() };
    state.evolve(&ended.into(), &Cause { asked: None, id: id(3), at: at(3), actor: &user });
    assert_eq!(state.going_on(Period::Session).map(|(id, _)| id), Some(&*name(2)));
}
