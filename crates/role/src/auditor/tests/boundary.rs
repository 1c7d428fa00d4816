//! Who says what to whom, and what the auditor does about it: it tells the person, and nothing else follows.

use super::*;
use crate::bus::ARROWS;

fn violations(events: &[AuditEvent]) -> Vec<String> {
    reported(events).boundary_violations
}

#[test]
fn every_arrow_that_is_not_on_the_table_is_a_violation_and_no_other() {
    for from in Party::ALL {
        for to in Party::ALL {
            for kind in MessageKind::ALL {
                let arrow = arrow(*from, *kind, *to);
                let found = violations(&[said("t", arrow, None)]);
                assert_eq!(found.is_empty(), ARROWS.contains(&arrow), "{arrow:?}: {found:?}");
            }
        }
    }
}

#[test]
fn what_may_not_be_said_is_named() {
    let cases: [(&[AuditEvent], &[&str]); 8] = [
        (
            &[said("t", arrow(Party::Executor, MessageKind::FinalResult, Party::User), None)],
            &["final_result from executor to user: only the solver may say it"],
        ),
        (
            &[said("t", arrow(Party::MetaValidator, MessageKind::Megram, Party::Memory), None)],
            &["megram from meta_validator to memory: only the solver may say it"],
        ),
        (
            &[said("t", arrow(Party::Planner, MessageKind::SubTask, Party::AgentValidator), None)],
            &["sub_task from planner to agent_validator: it is not on the table of the bus"],
        ),
        (
            &[dispatch("t", "s"), outcome("t", "other", 0, 0)],
            &["sub_task_outcome of subtask other of task t, which was never dispatched"],
        ),
        (
            &[dispatch("t", "s"), outcome("u", "s", 0, 0)],
            &["sub_task_outcome of subtask s of task u, which was never dispatched"],
        ),
        (&[ended("t", 0.1), ended("t", 0.1)], &["final_result from solver after the final_result of task t"]),
        (
            &[dispatch("t", "s"), ended("t", 0.1), execution("t", "s", ExecutionStatus::Completed)],
            &["execution_result from executor after the final_result of task t"],
        ),
        (&[ended("t", 0.1), said("t", arrow(Party::Solver, MessageKind::Megram, Party::Memory), None)], &[]),
    ];
    for (events, expected) in cases {
        assert_eq!(violations(events), expected);
    }
}

#[test]
fn a_final_result_from_anybody_else_ends_nothing() {
    let forged = said(
        "t",
        arrow(Party::Planner, MessageKind::FinalResult, Party::User),
        Some(AuditDetail::Final { d: reading(0.0) }),
    );
    assert_eq!(violations(&[forged, directive("t", Directive::Refine, 0.5), ended("t", 0.1)]).len(), 1);
}

#[test]
fn a_forged_dispatch_excuses_no_outcome() {
    let detail = AuditDetail::Dispatch { subtask_id: "s".to_owned() };
    let forged = said("t", arrow(Party::Executor, MessageKind::SubTask, Party::Executor), Some(detail));
    assert_eq!(violations(&[forged, outcome("t", "s", 0, 0)]).len(), 2);
}

#[test]
fn a_message_counts_as_what_its_kind_is() {
    let disguised = said(
        "t",
        arrow(Party::User, MessageKind::Request, Party::Perceiver),
        Some(AuditDetail::Final { d: reading(0.0) }),
    );
    assert_eq!(violations(&[disguised, directive("t", Directive::Refine, 0.5)]), Vec::<String>::new());
}

#[test]
fn a_subtask_id_that_comes_back_is_an_anomaly() {
    let repeated = "repeated_id: subtask s of task t was dispatched before";
    let same = [dispatch("t", "s"), directive("t", Directive::Refine, 0.5), dispatch("t", "s")];
    assert_eq!(reported(&same).anomalies, [repeated]);
    assert_eq!(reported(&[dispatch("other", "s"), dispatch("t", "s")]).anomalies, [repeated]);
    assert_eq!(reported(&[dispatch("t", "s"), dispatch("t", "s2")]).anomalies, Vec::<String>::new());
}

#[test]
fn only_the_person_asks_the_auditor() {
    let query = |from| AuditEvent::of_audit(START, &arrow(from, MessageKind::AuditQuery, Party::Auditor));
    for from in Party::ALL {
        let event = query(*from);
        assert_eq!(event.is_query(), *from == Party::User, "{from}");
        let found = violations(&[event]);
        assert_eq!(found.is_empty(), *from == Party::User, "{from}: {found:?}");
    }
}

/// Every kind of message, by every role, to the auditor: nothing of what it knew changes, and it asks for nothing.
#[test]
fn nobody_can_instruct_the_auditor() {
    let before = [
        dispatch("t", "s"),
        correction("t", "s", Some(FailureClass::Logical)),
        directive("t", Directive::BreakSymmetry, 0.8),
        ended("u", 0.1),
    ];
    let plain = reported(&before);
    for from in Party::ALL {
        for kind in MessageKind::ALL {
            let mut window = heard(&before);
            let event = said(
                "t",
                arrow(*from, *kind, Party::Auditor),
                Some(AuditDetail::Directive { directive: Directive::BreakSymmetry, d: Reading::NONE }),
            );
            let is_persons = *from == Party::User && *kind == MessageKind::AuditQuery;
            if is_persons {
                continue;
            }
            window.heard(&event);
            let mut report = window.report(AuditTrigger::OnDemand);
            assert_eq!(std::mem::take(&mut report.boundary_violations).len(), 1, "{from} {kind}");
            assert_eq!(report, plain, "{from} {kind}");
            assert!(!event.is_query());
        }
    }
}
