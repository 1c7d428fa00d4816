//! What the gate says, and why.

use super::super::command::{Facts, Relate, Relation};
use super::super::identity::task_id;
use super::super::stakes::{Bypass, RequestVoice};
use super::*;

fn with(facts: &Facts, task: &str, voice: RequestVoice) -> (&'static str, Option<Bypass>) {
    let desk = Desk::new();
    let settings = Settings::default();
    let task = &desk.state.named(task).expect("a task");
    let gate =
        desk.state.gate(&Question { task, plan: None, facts, voice, is_off: false, at: at(1), settings: &settings });
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
        assert_eq!(with(facts, task, RequestVoice::User), expected, "{task}");
    }
}

/// Decision 57: what an agent says about its own task opens no way past a debate.
#[test]
fn an_agent_does_not_pass_a_debate_over() {
    let read_only = Facts { read_only: true, ..Facts::default() };
    let just_do_it = Facts { just_do_it: true, ..Facts::default() };
    for (facts, task) in [
        (&read_only, "Delete the cache"),
        (&just_do_it, "Delete the cache"),
        (&Facts::default(), "Delete the cache, just do it"),
        (&Facts::default(), "List and delete the caches"),
    ] {
        assert_eq!(with(facts, task, RequestVoice::Agent), ("debate", None), "{task}");
    }
}

#[test]
fn a_session_without_debates_has_no_planning_debates() {
    let gate = Desk::new().gate_with("Delete the cache", None, true);
    assert_eq!((gate.verdict.as_str(), gate.bypass), ("go", Some(Bypass::Disabled)));
}

#[test]
fn nothing_is_said_of_no_task() {
    assert_eq!(State::default().named("?!"), None);
}

/// An id stands for what is known of the task, what is at stake included.
#[test]
fn a_task_named_by_its_id_is_the_same_question() {
    const PLAN: &str = "Delete the cache";
    let mut desk = Desk::new();
    desk.done(Fail { task: PLAN.into(), error: "x".into(), approach: None });
    let by_text = desk.gate(PLAN);
    assert_eq!((by_text.verdict.as_str(), &*by_text.canonical), ("debate", "delete cache"));
    assert_eq!(desk.gate(&by_text.task), by_text);
    let debate = desk.request(about(&by_text.task, DebateKind::Planning));
    let debate = desk.state.debate(&debate).expect("requested");
    assert_eq!((&*debate.summary, debate.stakes, &*debate.plan_id), (PLAN, csp::Stakes::High, &*by_text.task));
    let (now, relation) = ("Delete the cache now", Relation::Same);
    desk.done(Relate { task: now.into(), other: by_text.task.clone(), relation });
    let now_id = task_id(now).expect("a word");
    assert_eq!((desk.gate(&now_id), &*desk.gate(now).canonical), (desk.gate(now), "delete cache now"));
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
