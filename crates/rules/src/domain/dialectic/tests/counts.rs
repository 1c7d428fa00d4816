//! Failures in a row: what counts, what ends a count, and who may.

use super::super::command::{Debates, Relate, Relation, Reset, Succeed, Switch};
use super::super::event::{Escalated, EscalationReason, Failed, Related, Succeeded};
use super::super::identity::task_id;
use super::super::stakes::Bypass;
use super::*;

const AGAIN: &str = "Fix authentication test again";

fn failed(attempt: u32) -> Event {
    Failed { task: TASK_ID.into(), attempt, fingerprint: "cannot find module".into() }.into()
}

/// Dialectic, "Query Before Each Attempt": two make a debate due, three call a person.
#[test]
fn two_failures_make_a_debate_due_and_three_call_a_person() {
    let mut desk = Desk::new();
    assert_eq!(desk.says(TASK), ("go", 0));
    assert_eq!(desk.fail("Cannot find module 'a'"), [failed(1)]);
    assert_eq!(desk.says(TASK), ("go", 1));
    assert_eq!(desk.fail("Cannot find module 'b'"), [failed(2)]);
    assert_eq!(desk.says("fix: authentication test!"), ("debate", 2));
    let why = Escalated { task: TASK_ID.into(), why: EscalationReason::Count, failures: 3 };
    assert_eq!(desk.fail("Cannot find module 'c'"), [failed(3), why.into()]);
    assert_eq!(desk.says(TASK), ("escalate", 3));
    assert_eq!(desk.fail("Cannot find module 'd'"), [failed(4)], "a person is called once");
}

/// Dialectic, "Reset Conditions": a success, or a person's word.
#[test]
fn a_count_ends_with_a_success_or_a_reset() {
    let mut desk = Desk::new();
    assert_eq!(desk.refused(Succeed { task: TASK.into() }), "dialectic.nothing_counts");
    assert_eq!(desk.refused(Reset { task: TASK.into(), reason: None }), "dialectic.nothing_counts");
    desk.fail("x");
    desk.fail("x");
    let done = desk.done(Succeed { task: TASK.into() });
    assert_eq!(done, Succeeded { task: TASK_ID.into(), cleared: 2 }.into());
    assert_eq!(desk.says(TASK), ("go", 0));
    for _ in 0..3 {
        desk.fail("x");
    }
    assert_eq!(desk.says(TASK), ("escalate", 3));
    desk.done(Reset { task: TASK_ID.into(), reason: Some("new token".into()) });
    assert_eq!(desk.says(TASK), ("go", 0));
    assert_eq!(desk.state.task(TASK_ID).expect("known").attempts.len(), 5, "what failed is not forgotten");
}

/// Decision 26: time alone resets nothing; it is said.
#[test]
fn an_old_failure_is_stale_and_counts() {
    let mut desk = Desk::new();
    desk.fail("x");
    desk.fail("x");
    let said = |desk: &Desk| (desk.gate(TASK).verdict.as_str(), desk.gate(TASK).stale);
    desk.minute += 24 * 60 - 1;
    assert_eq!(said(&desk), ("debate", false), "a day and no more");
    desk.minute += 1;
    assert_eq!(said(&desk), ("debate", true));
}

#[test]
fn only_who_leads_resets_relates_and_switches() {
    let mut desk = Desk::new();
    desk.fail("x");
    let commands: [Command; 3] = [
        Reset { task: TASK.into(), reason: None }.into(),
        Relate { task: "x".into(), other: TASK.into(), relation: Relation::Same }.into(),
        Switch { session: "s".into(), debates: Debates::On }.into(),
    ];
    for command in commands {
        let refusal = desk.ask_as("writer", command, &Observed::default()).refusal;
        assert_eq!(refusal, Some(Refusal::NotAllowed { actor: "writer".into() }));
    }
}

/// Dialectic, "Semantic collision handling": a person says whether it is the same task.
#[test]
fn tasks_that_are_the_same_count_together() {
    let mut desk = Desk::new();
    desk.fail("x");
    desk.fail("x");
    let other = "fix authentication test again";
    let gate = desk.gate(other);
    assert_eq!(gate.verdict.as_str(), "ask");
    assert_eq!(gate.similar.map(|similar| (similar.task, similar.failures)), Some((TASK_ID.into(), 2)));
    desk.done(Fail { task: other.into(), error: "y".into(), approach: None });
    let related = desk.done(Relate { task: other.into(), other: TASK.into(), relation: Relation::Same });
    let task = task_id(other).expect("an id");
    assert_eq!(related, Related { task, other: TASK_ID.into(), relation: Relation::Same }.into());
    assert_eq!((desk.says(other), desk.says(TASK)), (("escalate", 3), ("escalate", 3)));
    let again = Relate { task: other.into(), other: TASK.into(), relation: Relation::Same };
    assert_eq!(desk.refused(again), "dialectic.joined_already");
}

/// A wrong word can be taken back, from either side; what was counted stays where it was counted.
#[test]
fn tasks_that_were_joined_are_told_apart_again() {
    let other = "fix authentication test again";
    let id = task_id(other).expect("an id");
    let relate =
        |task: &str, other: &str, relation| -> Relate { Relate { task: task.into(), other: other.into(), relation } };
    for (task, with) in [(other, TASK), (TASK, other), (&*id, TASK_ID)] {
        let mut desk = Desk::new();
        desk.fail("x");
        desk.done(Fail { task: other.into(), error: "y".into(), approach: None });
        desk.done(relate(other, TASK, Relation::Same));
        assert_eq!(desk.says(other), ("debate", 2));
        let parted = desk.done(relate(task, with, Relation::Different));
        let expected = Related { task: id.clone(), other: TASK_ID.into(), relation: Relation::Different };
        assert_eq!(parted, expected.into());
        assert_eq!((desk.says(other), desk.says(TASK)), (("go", 0), ("debate", 2)), "nobody is asked again");
        desk.done(Fail { task: other.into(), error: "y".into(), approach: None });
        assert_eq!((desk.says(other).1, desk.says(TASK).1), (1, 2));
        assert_eq!(
            desk.refused(relate(TASK, "the fix: authentication test", Relation::Different)),
            "dialectic.same_task"
        );
        desk.done(relate(other, TASK, Relation::Same));
        assert_eq!(desk.says(other), ("escalate", 3), "and joined once more");
    }
}

/// Of several that were joined the one that is named first is parted.
#[test]
fn a_task_that_others_were_joined_to_keeps_them() {
    let mut desk = Desk::new();
    let relate = |task: &str, other: &str, relation| Relate { task: task.into(), other: other.into(), relation };
    desk.fail("x");
    desk.done(relate("second", TASK, Relation::Same));
    desk.done(relate("first", "second", Relation::Same));
    desk.done(relate("third", TASK, Relation::Same));
    desk.done(relate("first", "third", Relation::Different));
    assert_eq!(["first", "second", "third"].map(|task| desk.says(task).1), [0, 1, 1]);
    // Told apart from what it was not joined to, a task stays joined.
    desk.done(Fail { task: "elsewhere".into(), error: "x".into(), approach: None });
    desk.done(relate("second", "elsewhere", Relation::Different));
    assert_eq!(desk.says("second").1, 1);
}

#[test]
fn tasks_that_are_not_the_same_are_asked_about_once() {
    let mut desk = Desk::new();
    desk.fail("x");
    let other = "fix authentication test again";
    let unknown = Relate { task: other.into(), other: "nothing known".into(), relation: Relation::Same };
    assert_eq!(desk.refused(unknown), "dialectic.unknown_task");
    assert_eq!(desk.says(other).0, "ask");
    desk.done(Relate { task: other.into(), other: TASK_ID.into(), relation: Relation::Different });
    assert_eq!((desk.says(other), desk.says(TASK)), (("go", 0), ("go", 1)));
    assert_eq!(desk.says("write documentation").0, "go", "too little in common");
}

/// One of the two is known: whichever is named first.
#[test]
fn a_task_that_is_asked_about_may_be_named_in_either_place() {
    for relation in [Relation::Same, Relation::Different] {
        for is_turned in [false, true] {
            let mut desk = Desk::new();
            desk.fail("x");
            let gate = desk.gate(AGAIN);
            let similar = gate.similar.expect("one that is alike").task;
            let (task, other) = if is_turned { (similar, AGAIN.into()) } else { (AGAIN.into(), similar) };
            let events = desk.done(Relate { task, other, relation });
            let expected = Related { task: gate.task, other: TASK_ID.into(), relation };
            assert_eq!(events, Event::from(expected), "{relation}, {is_turned}");
            let failures = u32::from(relation == Relation::Same);
            assert_eq!(desk.says(AGAIN), ("go", failures), "{relation}, {is_turned}");
            let task = desk.state.task(&task_id(AGAIN).expect("a word")).expect("it was named");
            assert_eq!((&*task.summary, &*task.canonical), (AGAIN, "fix authentication test again"));
        }
    }
}

/// It has no words, so nobody can say what is at stake, or what to argue about.
#[test]
fn an_id_that_nobody_knows_is_no_task() {
    const NOBODYS: &str = "0123456789abcdef";
    let mut desk = Desk::new();
    desk.fail("x");
    let relate = |task: &str, other: &str| Relate { task: task.into(), other: other.into(), relation: Relation::Same };
    let commands: [Command; 6] = [
        Fail { task: NOBODYS.into(), error: "y".into(), approach: None }.into(),
        Succeed { task: NOBODYS.into() }.into(),
        Reset { task: NOBODYS.into(), reason: None }.into(),
        relate(NOBODYS, TASK_ID).into(),
        relate(TASK_ID, NOBODYS).into(),
        about(NOBODYS, DebateKind::Planning).into(),
    ];
    assert_eq!(commands.map(|command| desk.refused(command)), ["dialectic.unknown_task"; 6]);
    assert_eq!(desk.state.named(NOBODYS), None);
    assert_eq!(desk.gate(&format!(" {}\n", TASK_ID.to_uppercase())), desk.gate(TASK_ID));
}

/// Two branches that join two tasks either way round have joined them once.
#[test]
fn tasks_that_two_branches_join_either_way_are_one() {
    for turned in [false, true] {
        let mut desk = Desk::new();
        desk.fail("x");
        desk.done(Fail { task: "elsewhere".into(), error: "x".into(), approach: None });
        let elsewhere = task_id("elsewhere").expect("a word");
        let mut joins = [(TASK_ID.into(), elsewhere.clone()), (elsewhere, TASK_ID.into())];
        if turned {
            joins.reverse();
        }
        for (task, other) in joins {
            desk.take(&Related { task, other, relation: Relation::Same }.into());
        }
        assert_eq!([TASK, "elsewhere"].map(|task| desk.says(task)), [("debate", 2); 2]);
        desk.done(Relate { task: TASK.into(), other: "elsewhere".into(), relation: Relation::Different });
        let mut counts = [TASK, "elsewhere"].map(|task| desk.says(task).1);
        counts.sort_unstable();
        assert_eq!(counts, [0, 2]);
    }
}

#[test]
fn a_task_has_a_word_and_is_not_a_book() {
    let mut desk = Desk::new();
    let fail = |task: &str, error: &str| Fail { task: task.into(), error: error.into(), approach: None };
    assert_eq!(desk.refused(fail("the ?!", "x")), "dialectic.no_task");
    assert_eq!(desk.refused(fail(&"ж".repeat(4001), "x")), "dialectic.too_long");
    assert_eq!(desk.refused(fail("x", &"x".repeat(4001))), "dialectic.too_long");
    assert_eq!(desk.ask(fail(&"ж".repeat(4000), "x")).refusal, None);
}

/// Dialectic, "Cost Considerations": a session without debates; what failed too often is still a person's.
#[test]
fn debates_are_switched_off_for_a_session_and_on_again() {
    let mut desk = Desk::new();
    desk.fail("x");
    desk.fail("x");
    let switch = |debates| Switch { session: "s".into(), debates };
    assert_eq!(desk.refused(switch(Debates::On)), "dialectic.as_it_is");
    desk.done(switch(Debates::Off));
    for who in ["lead", "writer"] {
        let outcome = desk.ask_as(who, switch(Debates::Off), &Observed::default());
        assert_eq!(outcome.refusal.map(|refusal| refusal.rule()), Some("dialectic.not_the_user"), "{who}");
    }
    assert_eq!(desk.refused(switch(Debates::Off)), "dialectic.as_it_is");
    assert!(desk.state.is_off(&"s".into()) && !desk.state.is_off(&"t".into()));
    assert_eq!(desk.refused(about(TASK, DebateKind::Failure)), "dialectic.disabled");
    let gate = desk.gate_with(TASK, None, true);
    assert_eq!((gate.verdict.as_str(), gate.bypass), ("go", Some(Bypass::Disabled)));
    desk.fail("x");
    assert_eq!(desk.gate_with(TASK, None, true).verdict.as_str(), "escalate");
    desk.done(switch(Debates::On));
    assert!(!desk.state.is_off(&"s".into()));
}
