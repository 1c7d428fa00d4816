//! The decision table whole, its bounds, and what holds everywhere on a grid.

use std::collections::BTreeMap;

use super::super::cell::{Cell, Trend};
use super::super::urgency::UrgencyLevel;
use super::super::{
    CellOutcome, Directive, ExplainQuery, Explained, Forced, Pressure, Since, Terminal, assess, explain,
};
use super::*;

fn explained(d: f64, p: f64, omega: f64, since: Since, worsening: u32) -> Explained {
    explain(&ExplainQuery { measures: measures(d, p, omega), since, worsening }, &GgsLimits::default())
}

fn at(gradient: f64, d: f64, p: f64, omega: f64) -> Explained {
    explained(d, p, omega, Since::Gradient(slope(gradient)), 0)
}

fn steps(from: i32, to: i32) -> impl Iterator<Item = f64> {
    (from..=to).map(|step| f64::from(step) / 20.0)
}

/// Artoo R7, "Full 24-Cell Enumeration".
#[test]
fn every_cell_has_the_state_of_the_document() {
    const STATES: [&str; 24] = [
        "success", "success", "abandon", "abandon", "refine", "change_approach", "abandon", "abandon", "success",
        "success", "abandon", "abandon", "change_path", "break_symmetry", "abandon", "abandon", "success", "success",
        "abandon", "abandon", "refine", "change_approach", "abandon", "abandon",
    ];
    let mut number = 0;
    for gradient in [-0.2, 0.0, 0.2] {
        for d in [0.1, 0.9] {
            for omega in [0.1, 0.9] {
                for p in [0.1, 0.9] {
                    let found = at(gradient, d, p, omega);
                    assert_eq!((found.cell, found.state.as_str()), (number + 1, STATES[usize::from(number)]));
                    number += 1;
                }
            }
        }
    }
    let numbers: Vec<_> = Cell::all().map(Cell::number).collect();
    assert_eq!(numbers, (1..=24).collect::<Vec<_>>());
}

/// Artoo R7: 12 + 6 + 1 + 2 + 1 + 2 = 24.
#[test]
fn the_states_share_the_cells_as_the_document_counts() {
    let mut found = BTreeMap::new();
    for cell in Cell::all() {
        *found.entry(cell.outcome().state().as_str()).or_insert(0) += 1;
    }
    let expected = [
        ("abandon", 12),
        ("break_symmetry", 1),
        ("change_approach", 2),
        ("change_path", 1),
        ("refine", 2),
        ("success", 6),
    ];
    assert_eq!(found, BTreeMap::from(expected));
}

/// Decision 28.
#[test]
fn a_bound_belongs_to_the_side_that_the_document_writes() {
    for (gradient, d, p, omega, expected) in [
        (0.0, 0.3, 0.9, 0.2, "success"),
        (0.0, 0.300_000_001, 0.9, 0.2, "break_symmetry"),
        (0.0, 0.5, 0.5, 0.2, "change_path"),
        (0.0, 0.5, 0.500_000_001, 0.2, "break_symmetry"),
        (0.1, 0.5, 0.5, 0.2, "refine"),
        (-0.1, 0.5, 0.5, 0.2, "refine"),
        (0.099_999_999, 0.5, 0.5, 0.2, "change_path"),
        (0.0, 0.0, 0.0, 0.8, "abandon"),
        (0.0, 0.0, 0.0, 0.799_999_999, "success"),
    ] {
        assert_eq!(at(gradient, d, p, omega).state.as_str(), expected, "{gradient}, {d}, {p}, {omega}");
    }
}

#[test]
fn what_floats_leave_in_the_last_places_decides_nothing() {
    assert_eq!(
        Trend::of(Gradient::between(reading(0.5), reading(0.6)), GgsLimits::default().epsilon),
        Trend::Worsening
    );
    assert_eq!(super::super::omega(4, 0, &GgsLimits::default()), reading(0.8));
}

#[test]
fn what_holds_everywhere() {
    for d in steps(0, 20) {
        for p in steps(0, 20) {
            for omega in steps(0, 20) {
                for gradient in steps(-20, 20) {
                    check(&at(gradient, d, p, omega));
                }
            }
        }
    }
}

fn check(found: &Explained) {
    let Measures { d, p: _, omega } = found.parts.measures;
    assert!((0.0..=1.0).contains(&found.loss.number()), "{found:?}");
    let state = found.state.as_str();
    assert_eq!(state == "abandon", omega.number() >= 0.8, "{found:?}");
    assert_eq!(state == "success", omega.number() < 0.8 && d.number() <= 0.3, "{found:?}");
    assert!((1..=24).contains(&found.cell) && found.forced.is_none(), "{found:?}");
    assert!(found.why.starts_with(state) && found.why.len() < 120 && !found.why.contains('\n'), "{}", found.why);
}

#[test]
fn the_loss_stays_within_its_bounds_under_any_limits_that_pass() {
    use annals_kernel::share::Share;
    for (alpha, beta, lambda) in [(600, 400, 400), (0, 1000, 1000), (1000, 0, 0), (100, 900, 0), (333, 1, 667)] {
        let [alpha, beta, lambda] = [alpha, beta, lambda].map(Share::thousandths);
        let limits = GgsLimits { alpha, beta, lambda, ..GgsLimits::default() };
        assert_eq!(limits.check(), Ok(()));
        for (d, p, omega) in
            steps(0, 20).flat_map(|d| steps(0, 20).flat_map(move |p| steps(0, 20).map(move |o| (d, p, o))))
        {
            let exact = alpha.number() * d + beta.number() * (1.0 - omega) * p + lambda.number() * omega;
            let found = super::super::loss(measures(d, p, omega), &limits).l.number();
            assert!((found - exact).abs() < 1e-8, "nothing was cut: {found}, {exact}");
        }
    }
}

#[test]
fn more_distance_or_cost_is_never_less_loss() {
    for p in steps(0, 20) {
        for x in steps(0, 19) {
            for y in steps(0, 20) {
                assert!(loss_of(x + 0.05, p, y).l > loss_of(x, p, y).l);
                assert!(loss_of(y, p, x + 0.05).l > loss_of(y, p, x).l);
            }
        }
    }
}

/// Decision 67, and cell 6.
#[test]
fn urgency_follows_the_sign_and_the_state() {
    for (gradient, p, level, alternatives, share) in [
        (-0.2, 0.1, UrgencyLevel::Low, 1, 0.3),
        (-0.2, 0.9, UrgencyLevel::Low, 1, 0.4),
        (0.0, 0.1, UrgencyLevel::Normal, 2, 0.4),
        (0.0, 0.9, UrgencyLevel::Normal, 2, 0.5),
        (0.2, 0.1, UrgencyLevel::High, 3, 0.5),
        (0.2, 0.9, UrgencyLevel::High, 3, 0.6),
    ] {
        let found = at(gradient, 0.9, p, 0.1);
        let urgency = (found.urgency, found.alternatives, found.budget_share.number());
        assert_eq!(urgency, (level, alternatives, share), "{gradient}, {p}");
    }
    let over = at(0.2, 0.1, 0.1, 0.1);
    assert_eq!((over.urgency, over.alternatives), (UrgencyLevel::None, 0));
}

/// Artoo R7, "Law 2 Kill-Switch"; decision 29.
#[test]
fn law_2_forces_giving_up_but_overrides_no_success() {
    let law2 = |d, worsening| explained(d, 0.2, 0.2, Since::Gradient(slope(0.15)), worsening);
    assert_eq!((law2(0.5, 1).state.as_str(), law2(0.5, 1).forced), ("refine", None));
    assert_eq!((law2(0.5, 2).state.as_str(), law2(0.5, 2).forced), ("abandon", Some(Forced::Law2)));
    assert_eq!((law2(0.5, 2).cell, law2(0.5, 2).urgency), (21, UrgencyLevel::None));
    assert_eq!((law2(0.3, 2).state.as_str(), law2(0.3, 2).forced), ("success", None));
}

#[test]
fn more_replans_than_there_are_force_giving_up() {
    let found = |replans, d| {
        let pressure = Pressure { replans, ..Pressure::default() };
        assess(measures(d, 0.2, 0.2), Gradient::NONE, pressure, &GgsLimits::default()).outcome
    };
    assert_eq!(found(3, 0.5), CellOutcome::Replan(Directive::ChangePath));
    assert_eq!(found(4, 0.5), CellOutcome::Close(Terminal::Abandon));
    assert_eq!(found(4, 0.3), CellOutcome::Close(Terminal::Success));
}

#[test]
fn an_explanation_names_the_numbers_that_decided() {
    let first = explained(0.5, 0.5, 0.2, Since::First, 0);
    assert_eq!(first.why, "change_path: D 0.5 > delta 0.3, |0| < epsilon 0.1, P 0.5 <= rho 0.5");
    let since = explained(0.5, 0.5, 0.2, Since::PreviousLoss(reading(0.8)), 0);
    assert_eq!((since.gradient, since.loss, since.state.as_str()), (slope(-0.3), reading(0.5), "refine"));
    assert_eq!(at(0.0, 0.5, 0.5, 0.84).why, "abandon: Omega 0.84 >= theta 0.8");
    assert_eq!(at(0.0, 0.25, 0.8, 0.2).why, "success: D 0.25 <= delta 0.3");
    let law2 = explained(0.5, 0.5, 0.2, Since::Gradient(slope(0.2)), 2);
    assert_eq!(law2.why, "abandon: worsening rounds 2 >= 2 (Law 2)");
    let json = serde_json::to_value(&first).expect("JSON");
    assert_eq!(json["parts"], serde_json::json!({"D": 0.5, "P": 0.5, "Omega": 0.2, "L": 0.5}));
}
