//! What debates were worth.

use super::super::command::{Judge, ResolvedEnding};
use super::super::report::{DebateReport, Rate};
use super::*;
use annals_kernel::share::Share;

fn plan(desk: &mut Desk, task: &str, objection: &str, outcome: Option<ResolvedEnding>) {
    let debate = desk.request(about(task, DebateKind::Planning));
    desk.argue(&debate, CLAIM);
    desk.argue(&debate, objection);
    desk.resolve(&debate);
    if let Some(outcome) = outcome {
        desk.done(Judge { debate, outcome, helped: false });
    }
}

/// Dialectic, "Performance Monitoring": exact counts, and no rate of too few.
#[test]
fn a_week_is_counted_exactly() {
    const SEVERE: &str = "OBJECTION:no backup SEVERITY:high RISKS:[loss] COUNTER:back up first";
    let mut desk = Desk::new();
    for number in 0..5 {
        plan(&mut desk, &format!("delete table {number}"), SLIGHT, Some(ResolvedEnding::Success));
    }
    plan(&mut desk, "delete table x", SLIGHT, None);
    plan(&mut desk, "deploy it", SEVERE, Some(ResolvedEnding::Failure));
    desk.request(about("deploy something", DebateKind::Planning));
    for _ in 0..3 {
        desk.fail("x");
    }
    let report = desk.state.report(at(0), at(1000), &desk.settings);
    let rate = |some, known, all, rate| Rate { some, known, all, rate };
    let expected = DebateReport {
        debates: 8,
        by_category: [("destructive", 6), ("production", 2)].into(),
        by_resolution: [("PROCEED", 6), ("MODIFY", 1)].into(),
        open: 1,
        called_off: 0,
        effective: [("MODIFY", rate(0, 1, 1, None)), ("RETRY", rate(0, 0, 0, None)), ("PIVOT", rate(0, 0, 0, None))]
            .into(),
        false_positives: rate(5, 6, 7, Some(Share::thousandths(833))),
        auto_escalations: 1,
        after_debate: 0,
    };
    assert_eq!(report, expected);
    assert_eq!(desk.state.report(at(1000), at(2000), &desk.settings).debates, 0);
}
