//! The cases that came with the documents (`auditor.json`), and what stands beside them.

use super::*;

/// What is said of one task, and which steps of D are thrashing.
type Case = (&'static str, &'static [(Directive, f64)], &'static [&'static str]);

/// `auditor.ggs_thrashing`: what is said of one task, and whether it is thrashing.
#[test]
fn auditor_ggs_thrashing() {
    use Directive::{BreakSymmetry, ChangePath};
    let cases: [Case; 6] = [
        (
            "break_symmetry, other directive, break_symmetry",
            &[(BreakSymmetry, 0.8), (ChangePath, 0.8), (BreakSymmetry, 0.8)],
            &[],
        ),
        ("two consecutive break_symmetry, D 0.8 then 0.4", &[(BreakSymmetry, 0.8), (BreakSymmetry, 0.4)], &[]),
        ("the same, D 0.8 then 0.8", &[(BreakSymmetry, 0.8), (BreakSymmetry, 0.8)], &["0.8 -> 0.8"]),
        ("the same, D 0.8 then 0.9", &[(BreakSymmetry, 0.8), (BreakSymmetry, 0.9)], &["0.8 -> 0.9"]),
        (
            "three, of which the last gets somewhere",
            &[(BreakSymmetry, 0.8), (BreakSymmetry, 0.8), (BreakSymmetry, 0.7)],
            &["0.8 -> 0.8"],
        ),
        ("other directives without D decreasing", &[(ChangePath, 0.8), (ChangePath, 0.8)], &[]),
    ];
    for (name, said, expected) in cases {
        let events: Vec<_> = said.iter().map(|(way, d)| directive("t", *way, *d)).collect();
        let expected: Vec<_> =
            expected.iter().map(|d| format!("ggs_thrashing: task t: break_symmetry twice, D {d}")).collect();
        assert_eq!(reported(&events).anomalies, expected, "{name}");
    }
}

#[test]
fn two_tasks_do_not_thrash_together() {
    let events = [directive("a", Directive::BreakSymmetry, 0.8), directive("b", Directive::BreakSymmetry, 0.8)];
    assert_eq!(reported(&events).anomalies, Vec::<String>::new());
}

#[test]
fn thrashing_is_seen_across_a_report_and_a_restart() {
    let mut window = heard(&[directive("t", Directive::BreakSymmetry, 0.8)]);
    window.close(AuditTrigger::Periodic, START);
    let text = serde_json::to_string(&window).expect("JSON");
    let mut again: AuditWindow = serde_json::from_str(&text).expect("a window");
    assert_eq!(again, window);
    again.heard(&directive("t", Directive::BreakSymmetry, 0.8));
    assert_eq!(again.report(AuditTrigger::OnDemand).anomalies.len(), 1);
}
