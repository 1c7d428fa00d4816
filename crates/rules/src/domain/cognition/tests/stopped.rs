//! A person who stops an agent: a decision, and no failure of anybody.

use super::super::state::State;
use annals_kernel::call::Finished;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// Takes in one entry of session `s`.
fn sees(state: &mut State, second: i64, operation: &serde_json::Value) {
    let at = Timestamp::from_millis(1_763_700_000_000 + second * 1000);
    let line = serde_json::json!({
        "id": EntryId::new(at, 7), "timestamp": at, "session_id": "s", "operation": operation,
        "provenance": {}, "metadata": {},
    });
    let line = HistoryEntry::read(&line.to_string()).expect("an entry").to_line();
    let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
    let entry = Envelope::new(line.as_bytes(), &span);
    state.observe(&entry, Finished::in_envelope(&entry).as_ref(), &Settings::default());
}

fn call(number: usize, error: Option<&str>) -> serde_json::Value {
    let mut call = serde_json::json!({
        "type": "tool_call", "name": "Bash", "input": {"command": format!("make {number}")}, "success": error.is_none(),
    });
    if let Some(error) = error {
        call["error"] = error.into();
    }
    call
}

#[test]
fn a_call_that_a_person_stopped_has_not_failed() {
    for error in ["interrupted", "[Request interrupted by user for tool use]", "aborted by user after 2s"] {
        let mut state = State::default();
        for second in 0..4 {
            sees(&mut state, second, &call(1, Some(error)));
        }
        let mind = state.mind("s").expect("a mind");
        assert_eq!((mind.watch.failures, mind.watch.calls, mind.pending.len()), (0, 0, 0), "{error}");
    }
    let mut state = State::default();
    (0..4).for_each(|second| sees(&mut state, second, &call(1, Some("exit code 2"))));
    assert_eq!(state.mind("s").map(|mind| mind.watch.failures), Some(4), "what fails by itself has");
}

/// AFS 4.2: to stop ends the flow, since a person has taken over; work goes on from there with nothing against it.
#[test]
fn a_stop_ends_the_flow_and_counts_against_nothing() {
    let stop = serde_json::json!({ "type": "user_input", "name": "interrupt", "input": {}, "success": true });
    let mut state = State::default();
    (0..5).for_each(|number| sees(&mut state, 0, &call(number, None)));
    assert_eq!(state.mind("s").map(|mind| mind.flow), Some(true));
    sees(&mut state, 9, &call(9, Some("interrupted")));
    assert_eq!(state.mind("s").map(|mind| mind.flow), Some(true), "the call says nothing of the work");
    sees(&mut state, 10, &stop);
    let mind = state.mind("s").expect("a mind");
    assert_eq!((mind.flow, mind.watch.failures, mind.watch.effectiveness()), (false, 0, None));
    (0..5).for_each(|number| sees(&mut state, 11, &call(number, None)));
    assert_eq!(state.mind("s").map(|mind| mind.flow), Some(true));
}
