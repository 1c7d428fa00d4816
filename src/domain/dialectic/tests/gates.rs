//! What the gate says, and why.

use super::super::command::Facts;
use super::super::stakes::Bypass;
use super::*;

fn with(facts: &Facts, task: &str) -> (&'static str, Option<Bypass>) {
    let desk = Desk::new();
    let settings = Settings::default();
    let question = Question { task, plan: None, facts, is_off: false, at: at(1), settings: &settings };
    let gate = desk.state.gate(&question).expect("a task");
    (gate.verdict.as_str(), gate.bypass)
}

/// Decision 26a: the router.
#[test]
fn a_planning_debate_is_due_unless_something_speaks_against_it() {
    let read_only = Facts { read_only: true, ..Facts::default() };
    let just_do_it = Facts { just_do_it: true, ..Facts::default() };
    let bulk = Facts { files: Some(11), ..Facts::default() };
    for (facts, task, expected) in [
        (&Facts::default(), "Delete the cache", ("debate", None)),
        (&bulk, "rename the type", ("debate", None)),
        (&Facts::default(), "rename the type", ("go", Some(Bypass::LowStakes))),
        (&read_only, "Delete the cache", ("go", Some(Bypass::ReadOnly))),
        (&just_do_it, "Delete the cache", ("go", Some(Bypass::JustDoIt))),
        (&Facts::default(), "Show me how to delete the cache", ("go", Some(Bypass::ReadOnly))),
    ] {
        assert_eq!(with(facts, task), expected, "{task}");
    }
}

#[test]
fn a_session_without_debates_has_no_planning_debates() {
    let gate = Desk::new().gate_with("Delete the cache", None, true);
    assert_eq!((gate.verdict.as_str(), gate.bypass), ("go", Some(Bypass::Disabled)));
}

#[test]
fn nothing_is_said_of_no_task() {
    let (state, settings, facts) = (State::default(), Settings::default(), Facts::default());
    let question = Question { task: "?!", plan: None, facts: &facts, is_off: false, at: at(0), settings: &settings };
    assert_eq!(state.gate(&question), None);
}

/// Dialectic, "Context window": the last two attempts.
#[test]
fn the_gate_tells_the_last_two_attempts() {
    let mut desk = Desk::new();
    for error in ["a", "b", "c"] {
        desk.fail(error);
    }
    let gate = desk.gate(TASK);
    let errors: Vec<_> = gate.attempts.iter().map(|attempt| (attempt.attempt, &*attempt.error)).collect();
    assert_eq!(errors, [(2, "b"), (3, "c")]);
    assert_eq!((&*gate.task, &*gate.canonical), (TASK_ID, "fix authentication test"));
}
