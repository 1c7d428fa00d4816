//! Given / when / then for limits on the rounds that were recorded.

use super::*;
use crate::ggs::{CriterionMode, CriterionVerdict, FailureClass, Gate, SubTaskOutcome, SubTaskStatus, Verdict};
use MacroState::{Abandon, Accept, BreakSymmetry, ChangePath, Success};

const ENVIRONMENTAL: Option<FailureClass> = Some(FailureClass::Environmental);
const LOGICAL: Option<FailureClass> = Some(FailureClass::Logical);

/// A round in which so many of five criteria are not met.
fn round(unmet: usize, class: Option<FailureClass>) -> RoundOutcome {
    let verdict = |at: usize| CriterionVerdict {
        criterion: format!("c{at}"),
        mode: CriterionMode::Verifiable,
        verdict: if at < unmet { Verdict::Fail } else { Verdict::Pass },
        failure_class: class.filter(|_| at < unmet),
        evidence: String::new(),
    };
    let outcome = SubTaskOutcome {
        subtask_id: "s".to_owned(),
        status: if unmet == 0 { SubTaskStatus::Matched } else { SubTaskStatus::Failed },
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts: (0..5).map(verdict).collect(),
        tool_uses: Vec::new(),
    };
    RoundOutcome {
        gate: if unmet == 0 { Gate::Accepted } else { Gate::Rejected },
        outcomes: vec![outcome],
        task_verdicts: Vec::new(),
        summary: String::new(),
        merged_output: serde_json::Value::Null,
        unmet_demands: 0,
        elapsed_ms: 0,
    }
}

/// A task as the defaults rule on it, with so many criteria unmet in each round.
fn recorded(unmet: &[usize], class: Option<FailureClass>) -> RecordedTask {
    let mut solver = Ggs::new("t");
    let rounds = unmet.iter().map(|unmet| {
        let outcome = round(*unmet, class);
        let ruling = solver.take(&outcome, &GgsLimits::default()).ok();
        RecordedRound { outcome, ruled: ruling.map(|ruling| state_of(&ruling.answer)) }
    });
    RecordedTask { task_id: "t".to_owned(), rounds: rounds.collect() }
}

fn limits(set: impl Fn(&mut GgsLimits)) -> GgsLimits {
    let mut limits = GgsLimits::default();
    set(&mut limits);
    limits
}

fn theta(thousandths: u16) -> GgsLimits {
    limits(|limits| limits.theta = Share::thousandths(thousandths))
}

fn check(given: &RecordedTask, when: &GgsLimits, then: &ReplayedTask) {
    assert_eq!(replay(given, when), *then, "{when:?}");
}

fn replayed(rulings: &[MacroState], departure: Departure, ended_in: Option<usize>, unknown: usize) -> ReplayedTask {
    ReplayedTask { task_id: "t".to_owned(), rulings: rulings.to_vec(), departure, ended_in, unknown_rounds: unknown }
}

#[test]
fn the_limits_of_the_record_rule_as_it_says() {
    for class in [ENVIRONMENTAL, LOGICAL, None] {
        for unmet in [&[5, 5, 5, 5][..], &[5, 3, 1], &[4, 0], &[2, 3, 4], &[0], &[5, 3]] {
            let task = recorded(unmet, class);
            let found = replay(&task, &GgsLimits::default());
            assert_eq!((found.departure, found.unknown_rounds), (Departure::None, 0), "{unmet:?} {class:?}");
            assert_eq!((found.end(), found.rulings.len()), (task.end(), unmet.len()), "{unmet:?} {class:?}");
        }
    }
}

#[test]
fn a_task_is_known_up_to_the_first_ruling_that_differs() {
    let stuck = recorded(&[5, 5, 5, 5], ENVIRONMENTAL);
    let at_once = limits(|limits| limits.rho = Share::WHOLE);
    let narrow = limits(|limits| limits.delta = Share::thousandths(100));
    check(&stuck, &theta(500), &replayed(&[ChangePath, ChangePath, Abandon], Departure::Stops, Some(3), 0));
    check(&recorded(&[5, 5, 5, 5], LOGICAL), &at_once, &replayed(&[ChangePath], Departure::Turns, None, 3));
    check(&recorded(&[1], LOGICAL), &narrow, &replayed(&[BreakSymmetry], Departure::GoesOn, None, 0));
    let near_at_last = recorded(&[5, 5, 5, 1], ENVIRONMENTAL);
    assert_eq!(near_at_last.end(), Some(Abandon), "theta comes before delta");
    let found = replay(&near_at_last, &theta(1000));
    assert_eq!((found.end(), found.departure, found.ended_in), (Some(Success), Departure::EndsOtherwise, Some(4)));
}

#[test]
fn shares_and_rounds_are_counted_over_all_tasks() {
    let record = [
        recorded(&[5, 5, 5, 5], ENVIRONMENTAL),
        recorded(&[5, 5, 5, 0], ENVIRONMENTAL),
        recorded(&[5, 0], ENVIRONMENTAL),
        recorded(&[1], ENVIRONMENTAL),
    ];
    let report = weigh(&record, &theta(500)).expect("limits");
    let counts = [report.accepted, report.near_enough, report.abandoned, report.unknown, report.differing];
    assert_eq!(counts.map(|found| found.count), [1, 1, 2, 0, 2]);
    assert!(counts.iter().all(|found| found.of == 4));
    assert_eq!((report.rounds_saved, report.results_lost, report.given_up_later), (1, 1, 0));
    assert_eq!((report.differing_rulings.count, report.differing_rulings.of), (2, 9));

    let longer = limits(|limits| (limits.max_replans, limits.theta) = (9, Share::WHOLE));
    let report = weigh(&record, &longer).expect("limits");
    assert_eq!((report.given_up_later, report.rounds_saved, report.unknown.count), (1, 0, 1));
    let turned = limits(|limits| limits.rho = Share::NONE);
    let report = weigh(&[recorded(&[5, 5, 5, 5], None)], &turned).expect("limits");
    assert_eq!((report.unknown.count, report.unknown_rounds, report.abandoned.count), (1, 3, 0));
}

#[test]
fn a_record_that_says_nothing_or_nonsense_is_counted_and_not_believed() {
    let unruled =
        RecordedTask { task_id: "t".to_owned(), rounds: vec![RecordedRound { outcome: round(5, None), ruled: None }] };
    let mut beyond_the_end = recorded(&[0], None);
    beyond_the_end.rounds.extend(recorded(&[5, 5], None).rounds);
    let mut impossible = recorded(&[5, 5], ENVIRONMENTAL);
    impossible.rounds[0].ruled = Some(Accept);
    let empty = RecordedTask { task_id: "t".to_owned(), rounds: Vec::new() };
    let cases = [
        (&empty, replayed(&[], Departure::None, None, 0)),
        (&unruled, replayed(&[], Departure::None, None, 1)),
        (&beyond_the_end, replayed(&[Accept], Departure::None, Some(1), 2)),
        (&impossible, replayed(&[ChangePath], Departure::GoesOn, None, 1)),
    ];
    for (given, then) in &cases {
        check(given, &GgsLimits::default(), then);
    }
    let report = weigh(&[], &GgsLimits::default()).expect("limits");
    assert_eq!(report.accepted, Proportion { count: 0, of: 0, low: Share::NONE, high: Share::WHOLE });
    let report = weigh(&[empty, unruled], &GgsLimits::default()).expect("limits");
    assert_eq!((report.unknown.count, report.unknown_rounds, report.rounds_saved), (2, 1, 0));
}

#[test]
fn limits_that_cannot_be_used_are_refused_and_the_others_are_not() {
    let too_much = limits(|limits| limits.alpha = Share::WHOLE);
    let candidates = [GgsLimits::default(), too_much, theta(0)];
    let found = compare(&[recorded(&[5, 0], None)], &candidates);
    let refused: Vec<Option<BadLimits>> = found.into_iter().map(Result::err).collect();
    let loss = BadLimits::LossAboveOne { alpha: Share::WHOLE, other: Share::thousandths(400) };
    assert_eq!(refused, [None, Some(loss), Some(BadLimits::Zero { name: "theta" })]);
}

#[test]
fn the_rounds_are_read_from_the_bus() {
    let (limits, mut solver, mut messages) = (GgsLimits::default(), Ggs::new("t"), Vec::new());
    for unmet in [5, 3, 0] {
        let outcome = round(unmet, ENVIRONMENTAL);
        let ruling = solver.take(&outcome, &limits).expect("open");
        messages.push(BusMessage::ReplanRequest(outcome));
        messages.push(match ruling.answer {
            Answer::PlanDirective(said) => BusMessage::PlanDirective(said),
            Answer::FinalResult(result) => BusMessage::FinalResult(result),
        });
    }
    assert_eq!(RecordedTask::of_messages("t", &messages), recorded(&[5, 3, 0], ENVIRONMENTAL));

    let aborted = Ggs::new("t").give_up(&round(5, None), &limits);
    let by_a_person = [BusMessage::ReplanRequest(round(5, None)), BusMessage::FinalResult(aborted)];
    let task = RecordedTask::of_messages("t", &by_a_person);
    assert_eq!((task.rounds.len(), task.end()), (1, None), "no ruling of the solver");
    let orphaned = RecordedTask::of_messages("t", &messages[1..2]);
    assert_eq!(orphaned, RecordedTask { task_id: "t".to_owned(), rounds: Vec::new() });
    assert_eq!(RecordedTask::of_messages("t", [&messages[0], &messages[2]]).rounds.len(), 2);
}

#[test]
fn an_interval_holds_its_share_and_stays_within_bounds() {
    for (count, of, low, high) in [(5, 10, 237, 763), (0, 10, 0, 278), (10, 10, 722, 1000), (1, 1, 207, 1000)] {
        let bounds = Proportion { count, of, low: Share::thousandths(low), high: Share::thousandths(high) };
        assert_eq!(Proportion::of(count, of), bounds);
    }
}

#[test]
fn a_report_is_written_and_read_back() {
    let report = weigh(&[recorded(&[5, 3, 0], LOGICAL)], &theta(500)).expect("limits");
    let text = serde_json::to_string(&report).expect("JSON");
    assert_eq!(serde_json::from_str::<CandidateReport>(&text).expect("a report"), report);
}
