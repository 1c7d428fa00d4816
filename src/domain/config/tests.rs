//! Given / when / then for configuration.

use serde_json::json;

use super::*;
use crate::kernel::actor::Standing;
use crate::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use crate::kernel::time::Timestamp;

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
    let settings = Settings::default();
    let moment = Moment {
        id: EntryId::MIN,
        at: Timestamp::from_millis(0),
        actor: AgentId::from("user"),
        standing: Standing::User,
        session: SessionId::from(NO_SESSION),
        settings: &settings,
    };
    decide(state, command, &Observed {}, &moment)
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
