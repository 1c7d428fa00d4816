//! Given / when / then for usage: given entries, then tallies.

use super::*;
use annals_kernel::envelope::Span;

fn line(session: &str, agent: &str, model: &str, metadata: &str, annals: &str) -> String {
    format!(
        r#"{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.123Z","session_id":"{session}","operation":{{"type":"t","name":"n","input":{{}},"success":true}},"provenance":{{"agent_id":"{agent}","model_id":"{model}"}},"metadata":{metadata},"extensions":{{"annals":{annals}}}}}"#
    )
}

fn folded(lines: &[String]) -> State {
    let mut state = State::default();
    for line in lines {
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        state.observe(&Envelope::new(line.as_bytes(), &span));
    }
    state
}

fn tokens(input: i64, output: i64) -> Tally {
    Tally { usage: Usage { input, output, ..Usage::default() }, other_tokens: 0 }
}

#[test]
fn tokens_are_added_by_session_agent_and_model() {
    let state = folded(&[
        line("s", "coder", "m1", "{}", r#"{"usage":{"input":5,"output":2}}"#),
        line("s", "critic", "m2", "{}", r#"{"usage":{"input":1}}"#),
        line("t", "coder", "m1", "{}", r#"{"usage":{"input":-2,"output":7}}"#),
        line("t", "coder", "m1", "{}", "{}"),
    ]);
    let agents = [("coder".into(), tokens(3, 9)), ("critic".into(), tokens(1, 0))].into();
    let models = [("m1".into(), tokens(3, 9)), ("m2".into(), tokens(1, 0))].into();
    assert_eq!(state.totals, Totals { by_agent: agents, by_model: models });
    let session = |by_model: &[(&str, Tally)]| SessionUsage {
        by_model: by_model.iter().map(|(model, tally)| ((*model).into(), *tally)).collect(),
    };
    assert_eq!(state.sessions.get("s"), Some(&session(&[("m1", tokens(5, 2)), ("m2", tokens(1, 0))])));
    assert_eq!(state.sessions.get("t"), Some(&session(&[("m1", tokens(-2, 7))])));
}

#[test]
fn a_bare_token_count_is_kept_apart() {
    let state = folded(&[
        line("s", "coder", "m", r#"{"token_count":40}"#, "{}"),
        line("s", "coder", "m", r#"{"token_count":40}"#, r#"{"usage":{"input":5}}"#),
    ]);
    let tally = Tally { other_tokens: 40, ..tokens(5, 0) };
    assert_eq!(state.totals.by_model, [("m".into(), tally)].into());
}
