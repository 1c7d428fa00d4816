//! What is counted, what is reset, and what drifts.

use super::*;
use crate::ggs::{
    CriterionMode, CriterionVerdict, Loss, Measures, PreviousDirective, SubTaskOutcome, SubTaskStatus, Verdict,
};
use crate::message::{BusMessage, CorrectionSignal, OutcomeReport};
use annals_kernel::share::Share;
use proptest::prelude::*;

#[test]
fn every_field_of_the_report_is_counted() {
    let events = [
        request("a"),
        dispatch("a", "s1"),
        execution("a", "s1", ExecutionStatus::Completed),
        correction("a", "s1", Some(FailureClass::Environmental)),
        execution("a", "s1", ExecutionStatus::Failed),
        correction("a", "s1", Some(FailureClass::Logical)),
        correction("a", "s1", None),
        outcome("a", "s1", 1, 0),
        directive("a", Directive::Refine, 0.6),
        ended("a", 0.0),
        request("b"),
        directive("b", Directive::ChangePath, 0.5),
        directive("b", Directive::ChangePath, 0.5),
        request("c"),
        directive("c", Directive::ChangePath, 0.5),
        directive("c", Directive::Refine, 0.75),
        request("d"),
        directive("d", Directive::Refine, 0.75),
    ];
    let expected = AuditReport {
        tasks_observed: 4,
        total_corrections: 3,
        gap_trends: vec![trend("a", Trend::Improving), trend("b", Trend::Flat), trend("c", Trend::Worsening)],
        tool_health: ToolHealth { execution_failures: 1, environmental_retries: 1, logical_retries: 1 },
        ..nothing()
    };
    assert_eq!(reported(&events), expected);
}

#[test]
fn the_report_is_written_as_the_contract_has_it() {
    let written = serde_json::to_value(reported(&[request("t")])).expect("JSON");
    let expected = serde_json::json!({
        "trigger": "on-demand",
        "window_start": "1970-01-01T00:16:40.000Z",
        "tasks_observed": 1,
        "total_corrections": 0,
        "gap_trends": [],
        "boundary_violations": [],
        "drift_alerts": [],
        "anomalies": [],
        "tool_health": { "execution_failures": 0, "environmental_retries": 0, "logical_retries": 0 },
    });
    assert_eq!(written, expected);
}

#[test]
fn a_report_starts_the_next_window_and_forgets_what_it_told() {
    let mut window = heard(&[
        dispatch("t", "s"),
        correction("t", "s", Some(FailureClass::Logical)),
        directive("t", Directive::Refine, 0.6),
        directive("t", Directive::Refine, 0.5),
        said("t", arrow(Party::Planner, MessageKind::Draft, Party::User), None),
    ]);
    let later = START.plus_millis(300_000);
    assert!(!window.is_due(later.plus_millis(-1), super::super::REPORT_EVERY_MS));
    assert!(window.is_due(later, super::super::REPORT_EVERY_MS));
    let first = window.close(AuditTrigger::Periodic, later);
    assert_eq!((first.trigger, first.boundary_violations.len()), (AuditTrigger::Periodic, 1));
    assert_eq!(window.report(AuditTrigger::OnDemand), AuditReport { window_start: later, ..nothing() });
    window.heard(&directive("t", Directive::Refine, 0.7));
    let second = window.report(AuditTrigger::OnDemand);
    assert_eq!(second.gap_trends, [trend("t", Trend::Worsening)], "from 0.5, where the first report left it");
}

#[test]
fn a_gap_that_grows_over_two_rounds_is_a_drift() {
    let cases: [(&[f64], &[&str]); 5] = [
        (&[0.3, 0.4, 0.6], &["task t: D rose 2 rounds in a row, to 0.6"]),
        (&[0.3, 0.4], &[]),
        (&[0.3, 0.4, 0.4, 0.5], &[]),
        (&[0.3, 0.4, 0.2, 0.5], &[]),
        (
            &[0.3, 0.4, 0.6, 0.7],
            &["task t: D rose 2 rounds in a row, to 0.6", "task t: D rose 3 rounds in a row, to 0.7"],
        ),
    ];
    for (measures, expected) in cases {
        let events: Vec<_> = measures.iter().map(|d| directive("t", Directive::Refine, *d)).collect();
        assert_eq!(reported(&events).drift_alerts, expected, "{measures:?}");
    }
}

#[test]
fn a_judge_that_says_yes_where_code_says_no_is_a_drift() {
    let cases = [
        (4, 4, None),
        (5, 2, None),
        (6, 3, Some("3 of 6 plausible passes stand beside a failed check by code")),
        (0, 0, None),
    ];
    for (passes, contradicted, expected) in cases {
        let events = [dispatch("t", "s"), outcome("t", "s", passes, contradicted)];
        let alerts = reported(&events).drift_alerts;
        assert_eq!(alerts.first().map(String::as_str), expected, "{contradicted} of {passes}");
    }
}

#[test]
fn what_is_counted_of_a_message_is_taken_from_it() {
    use {CriterionMode::Plausible, CriterionMode::Verifiable, Verdict::Fail, Verdict::Pass};
    let verdict = |mode, verdict| CriterionVerdict {
        criterion: "c".to_owned(),
        mode,
        verdict,
        failure_class: None,
        evidence: String::new(),
    };
    let judged = |verdicts: Vec<CriterionVerdict>| {
        let outcome = SubTaskOutcome {
            subtask_id: "s".to_owned(),
            status: SubTaskStatus::Failed,
            failure_reason: None,
            gap_trajectory: Vec::new(),
            criteria_verdicts: verdicts,
            tool_uses: Vec::new(),
        };
        let report = OutcomeReport {
            parent_task_id: "t".to_owned(),
            outcome,
            output: "secret".to_owned(),
            evidence: Vec::new(),
            calls: Vec::new(),
        };
        AuditDetail::of(&BusMessage::SubTaskOutcome(report))
    };
    let of = |plausible_passes, contradicted| {
        Some(AuditDetail::Outcome { subtask_id: "s".to_owned(), plausible_passes, contradicted })
    };
    assert_eq!(judged(vec![verdict(Plausible, Pass), verdict(Verifiable, Pass)]), of(1, 0));
    assert_eq!(judged(vec![verdict(Plausible, Pass), verdict(Plausible, Fail), verdict(Verifiable, Fail)]), of(1, 1));
    let signal = CorrectionSignal {
        subtask_id: "s".to_owned(),
        attempt: 1,
        what_was_wrong: "secret".to_owned(),
        what_to_do: "secret".to_owned(),
        failure_class: Some(FailureClass::Logical),
    };
    let event = AuditEvent::of(
        START,
        "t",
        &arrow(Party::AgentValidator, MessageKind::CorrectionSignal, Party::Executor),
        &BusMessage::CorrectionSignal(signal),
    );
    assert_eq!(event, correction("t", "s", Some(FailureClass::Logical)));
    assert!(!serde_json::to_string(&event).expect("JSON").contains("secret"), "no text of a message is kept");
}

#[test]
fn a_directive_and_a_final_result_tell_their_distance() {
    let loss = Loss { measures: Measures { d: reading(0.4), p: Reading::HALF, omega: Reading::NONE }, l: reading(0.5) };
    let said = crate::ggs::PlanDirective {
        task_id: "t".to_owned(),
        loss,
        prev_directive: PreviousDirective::Init,
        directive: Directive::Refine,
        blocked_tools: Vec::new(),
        blocked_targets: Vec::new(),
        failed_criterion: String::new(),
        failure_class: crate::ggs::FailureMix::Mixed,
        budget_pressure: Reading::NONE,
        grad_l: crate::ggs::Gradient::NONE,
        rationale: String::new(),
        urgency: crate::ggs::Urgency {
            level: crate::ggs::UrgencyLevel::Normal,
            alternatives: 2,
            budget_share: Share::WHOLE,
        },
        cell: 5,
        worsening: 0,
        replans: 1,
    };
    let detail = AuditDetail::of(&BusMessage::PlanDirective(said));
    assert_eq!(detail, Some(AuditDetail::Directive { directive: Directive::Refine, d: reading(0.4) }));
}

#[test]
fn a_flood_does_not_fill_the_report() {
    let draft = said(&"t".repeat(1 << 20), arrow(Party::Planner, MessageKind::Draft, Party::User), None);
    let events = vec![draft; 3];
    assert!(reported(&events).boundary_violations.iter().all(|line| line.len() <= 240));
    let wrong = said("t", arrow(Party::Planner, MessageKind::Draft, Party::User), None);
    let violations = reported(&vec![wrong; 5_000]).boundary_violations;
    assert_eq!((violations.len(), violations.last().map(String::as_str)), (101, Some("and 4900 more")));
}

#[test]
fn more_tasks_than_are_remembered_forget_the_oldest_that_ended() {
    let mut window = AuditWindow::new(START);
    for count in 0..10_050u32 {
        let task = format!("t{count:05}");
        window.heard(&directive(&task, Directive::Refine, 0.5));
        if count < 100 {
            window.heard(&ended(&task, 0.1));
        }
    }
    window.heard(&ended("t00000", 0.1));
    window.heard(&ended("t00099", 0.1));
    let report = window.report(AuditTrigger::OnDemand);
    assert_eq!(report.tasks_observed, 10_050);
    assert_eq!(report.boundary_violations, ["final_result from solver after the final_result of task t00099"]);
}

fn any_event() -> impl Strategy<Value = AuditEvent> {
    let party = || proptest::sample::select(Party::ALL.to_vec());
    let kind = proptest::sample::select(MessageKind::ALL.to_vec());
    let subtask = || "[a-c]";
    let detail = prop_oneof![
        Just(None),
        subtask().prop_map(|subtask_id| Some(AuditDetail::Dispatch { subtask_id })),
        subtask().prop_map(|subtask_id| Some(AuditDetail::Correction { subtask_id, failure_class: None })),
        (0u32..=10).prop_map(|d| Some(AuditDetail::Final { d: reading(f64::from(d) / 10.0) })),
        (0u32..=10).prop_map(|d| {
            Some(AuditDetail::Directive { directive: Directive::BreakSymmetry, d: reading(f64::from(d) / 10.0) })
        }),
    ];
    (party(), kind, party(), "[x-z]", detail).prop_map(|(from, kind, to, task, detail)| {
        let task = (kind != MessageKind::AuditQuery).then_some(task);
        AuditEvent { at: START, task, from, to, kind, detail }
    })
}

proptest! {
    /// Whatever is said, wherever the auditor is stopped and started again, and however often it reported: the parts of
    /// the reports add up to the whole.
    #[test]
    fn reports_add_up(events in proptest::collection::vec(any_event(), 0..60), cut in 0usize..60) {
        let whole = reported(&events);
        let mut window = AuditWindow::new(START);
        let cut = cut.min(events.len());
        for event in &events[..cut] {
            window.heard(event);
        }
        let first = window.close(AuditTrigger::Periodic, START);
        let kept = serde_json::to_string(&window).expect("JSON");
        let mut window: AuditWindow = serde_json::from_str(&kept).expect("a window");
        for event in &events[cut..] {
            window.heard(event);
        }
        let second = window.report(AuditTrigger::OnDemand);
        prop_assert_eq!(first.total_corrections + second.total_corrections, whole.total_corrections);
        prop_assert_eq!([first.anomalies, second.anomalies].concat(), whole.anomalies);
        prop_assert_eq!([first.drift_alerts, second.drift_alerts].concat(), whole.drift_alerts);
        prop_assert_eq!([first.boundary_violations, second.boundary_violations].concat(), whole.boundary_violations);
    }
}
