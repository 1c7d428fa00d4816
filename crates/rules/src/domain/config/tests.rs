//! Given / when / then for configuration.

use serde_json::json;

use super::*;
use annals_kernel::actor::{Role, Standing};
use annals_kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals_kernel::time::Timestamp;

fn values(pairs: &[(&str, Option<Value>)]) -> BTreeMap<Box<str>, Option<Value>> {
    pairs.iter().map(|(key, value)| ((*key).into(), value.clone())).collect()
}

fn state(pairs: &[(&str, Value)]) -> State {
    let mut state = State::default();
    for (key, value) in pairs {
        state.settings.set(key, Some(value.clone()));
    }
    state
}

fn ask(state: &State, command: &Command) -> Outcome<Event, Refusal> {
    ask_as(state, command, Standing::User, &[])
}

fn ask_as(state: &State, command: &Command, standing: Standing, weakening: &[&str]) -> Outcome<Event, Refusal> {
    let settings = Settings::default();
    let moment = Moment {
        id: EntryId::MIN,
        at: Timestamp::from_millis(0),
        actor: AgentId::from("user"),
        standing,
        session: SessionId::from(NO_SESSION),
        settings: &settings,
    };
    let weakening = weakening.iter().map(|key| (*key).into()).collect();
    decide(state, command, &Observed { weakening }, &moment)
}

fn changed(key: &str, from: Option<Value>, to: Option<Value>) -> Event {
    Changed { key: key.into(), from, to }.into()
}

#[test]
fn each_value_that_differs_is_an_event() {
    let given = state(&[("a.b", json!(1)), ("a.c", json!("x"))]);
    let wanted = values(&[("a.b", Some(json!(2))), ("a.c", Some(json!("x"))), ("a.d", Some(json!([]))), ("a.e", None)]);
    let expected = vec![changed("a.b", Some(json!(1)), Some(json!(2))), changed("a.d", None, Some(json!([])))];
    for command in [Command::Change(Change { values: wanted.clone() }), Command::Adopt(Adopt { values: wanted })] {
        assert_eq!(ask(&given, &command), Outcome { events: expected.clone(), refusal: None });
    }
}

#[test]
fn what_changes_nothing_is_refused() {
    let command = Command::Change(Change { values: values(&[("a.b", Some(json!(1)))]) });
    assert_eq!(ask(&state(&[("a.b", json!(1))]), &command), Outcome::refused(Refusal::NothingToChange));
}

#[test]
fn a_value_can_be_taken_back() {
    let mut given = state(&[("a.b", json!(1))]);
    let actor = AgentId::from("user");
    let cause = Cause { asked: None, id: EntryId::MIN, at: Timestamp::from_millis(0), actor: &actor };
    given.evolve(&changed("a.b", Some(json!(1)), None), &cause);
    assert_eq!(given, State::default());
}

#[test]
fn what_weakens_is_the_users_alone() {
    let lead = || Standing::Agent(Role::TeamLead);
    let actor = AgentId::from("user");
    let change = Command::Change(Change { values: values(&[("a.b", Some(json!(2))), ("a.c", None)]) });
    let not_the_user = |key: &str| Outcome::refused(Refusal::NotTheUser { actor: actor.clone(), key: key.into() });
    assert_eq!(ask_as(&State::default(), &change, lead(), &[]).refusal, None);
    assert_eq!(ask_as(&State::default(), &change, lead(), &["a.b"]), not_the_user("a.b"));
    let not_a_lead = Outcome::refused(Refusal::NotALead { actor: actor.clone() });
    assert_eq!(ask_as(&State::default(), &change, Standing::Stranger, &["a.b"]), not_a_lead);
    let accept = Command::Accept(Accept { values: values(&[("a.b", Some(json!(2)))]) });
    for standing in [lead(), Standing::Stranger, Standing::System] {
        assert_eq!(ask_as(&State::default(), &accept, standing, &[]), not_the_user("a.b"));
    }
}

/// Another clone may have set it: here it is said, all the same.
#[test]
fn what_is_accepted_is_said_though_nothing_changes() {
    let given = state(&[("a.b", json!(1))]);
    let accept = Command::Accept(Accept { values: values(&[("a.b", Some(json!(1))), ("a.c", None)]) });
    let said = |key: &str, value| Event::from(Accepted { key: key.into(), value });
    let events = vec![said("a.b", Some(json!(1))), said("a.c", None)];
    assert_eq!(ask(&given, &accept), Outcome { events: events.clone(), refusal: None });
    let (mut after, actor) = (State::default(), AgentId::from("user"));
    let cause = Cause { asked: None, id: EntryId::MIN, at: Timestamp::from_millis(0), actor: &actor };
    for event in &events {
        after.evolve(event, &cause);
    }
    assert_eq!(after, given);
    let nothing = Command::Accept(Accept::default());
    assert_eq!(ask(&given, &nothing), Outcome::refused(Refusal::NothingToChange));
}
