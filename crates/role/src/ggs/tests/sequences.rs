//! Tasks from their first round to their final result.

use super::super::message::{MegramSubject, PreviousDirective};
use super::super::solver::SolverPhase;
use super::super::{Directive, Forced, Ruling, Terminal};
use super::*;

fn using(mut outcome: SubTaskOutcome, uses: &[(&str, &str)]) -> SubTaskOutcome {
    outcome.tool_uses = uses.iter().map(|(tool, target)| call(tool, target, CallResult::Failed)).collect();
    outcome
}

fn environmental(fail: usize, pass: usize) -> SubTaskOutcome {
    judged(fail, pass, Some(FailureClass::Environmental))
}

fn subjects(ruling: &Ruling) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for megram in &ruling.megrams {
        match &megram.subject {
            MegramSubject::Target { tool, target } => found.push((tool.as_str(), target.as_str())),
            MegramSubject::Task => found.push(("task", "")),
        }
    }
    found
}

#[test]
fn a_round_in_which_nothing_is_missing_is_accepted_whatever_it_cost() {
    for elapsed in [0, 10_000_000] {
        let mut ggs = Ggs::new("t");
        let ruling = ggs.take(&after(elapsed, vec![matched()]), &GgsLimits::default()).expect("open");
        assert_eq!(subjects(&ruling), [("task", "")]);
        let Answer::FinalResult(result) = ruling.answer else { panic!("a plan") };
        assert_eq!((result.directive, result.prev_directive), (Terminal::Accept, PreviousDirective::Init));
        assert_eq!((result.replans, result.output), (0, serde_json::json!(["part"])));
    }
}

#[test]
fn there_is_one_final_result() {
    let mut ggs = Ggs::new("t");
    ended(&mut ggs, &round(vec![matched()]));
    assert_eq!(ggs.phase(), SolverPhase::Ended);
    let refused = ggs.take(&round(vec![matched()]), &GgsLimits::default());
    assert_eq!(refused.expect_err("it ended").to_string(), "task t has its final result");
}

#[test]
fn what_the_gate_accepted_with_a_gap_goes_by_the_table() {
    let mut accepted = round(vec![judged(1, 3, None)]);
    accepted.gate = Gate::Accepted;
    assert_eq!(ended(&mut Ggs::new("t"), &accepted).directive, Terminal::Success);
}

#[test]
fn three_replans_are_handed_out_and_no_more() {
    let mut ggs = Ggs::new("t");
    for replans in 1..=3 {
        assert_eq!(planned(&mut ggs, &round(vec![failed("x")])).replans, replans);
    }
    let result = ended(&mut ggs, &round(vec![failed("x")]));
    assert_eq!((result.directive, result.replans, result.loss.measures.omega), (Terminal::Abandon, 3, reading(0.8)));
    assert_eq!((result.forced, result.summary.as_str()), (None, "so far"));
}

#[test]
fn blocked_targets_accumulate_and_each_makes_one_megram() {
    let mut ggs = Ggs::new("t");
    let limits = GgsLimits::default();
    let first = round(vec![using(failed("timeout"), &[("search", "A"), ("read", "B"), ("shell", "A")])]);
    let ruling = ggs.take(&first, &limits).expect("open");
    assert_eq!(subjects(&ruling), [("search", "A"), ("read", "B")]);
    let second =
        round(vec![using(failed("timeout"), &[("search", "C"), ("read", "A")]), using(matched(), &[("read", "D")])]);
    let ruling = ggs.take(&second, &limits).expect("open");
    assert_eq!(subjects(&ruling), [("search", "C")], "what worked out, or failed before, is not new");
    let Answer::PlanDirective(said) = &ruling.answer else { panic!("the end") };
    assert_eq!(said.blocked_targets, ["A", "B", "C"]);
    assert_eq!(ruling.megrams[0].state, said.directive.state());
    let third = planned(&mut ggs, &round(vec![failed("logic error")]));
    assert_eq!(third.blocked_targets, ["A", "B", "C"], "they stay, whatever comes next");
}

#[test]
fn calls_that_worked_block_no_target() {
    let mut outcome = failed("timeout");
    outcome.tool_uses = vec![call("read", "A", CallResult::Worked), call("read", "B", CallResult::Failed)];
    assert_eq!(planned(&mut Ggs::new("t"), &round(vec![outcome])).blocked_targets, ["B"]);
}

#[test]
fn breaking_symmetry_blocks_what_was_to_blame_before() {
    let mut ggs = Ggs::new("t");
    let stuck = |tool| round(vec![using(failed("wrong"), &[(tool, "X")])]);
    let first = planned(&mut ggs, &stuck("search"));
    assert_eq!((first.directive, first.blocked_tools), (Directive::BreakSymmetry, vec!["search".to_owned()]));
    let second = planned(&mut ggs, &stuck("read"));
    assert_eq!(second.directive, Directive::BreakSymmetry);
    assert_eq!(second.blocked_tools, ["search", "read"]);
    let better = round(vec![using(failed("wrong"), &[("shell", "X")]), matched()]);
    let third = planned(&mut ggs, &better);
    assert_eq!((third.directive, third.prev_directive), (Directive::ChangeApproach, PreviousDirective::BreakSymmetry));
    assert_eq!(third.blocked_tools, ["shell"], "only those of this round");
}

#[test]
fn time_alone_does_not_trip_law_2() {
    let mut ggs = Ggs::new("t");
    for elapsed in [0, 60_000, 120_000] {
        let said = planned(&mut ggs, &after(elapsed, vec![environmental(1, 1)]));
        assert_eq!(said.worsening, 0);
    }
}

#[test]
fn a_round_that_is_not_worse_starts_law_2_anew() {
    let mut ggs = Ggs::new("t");
    let limits = GgsLimits { max_replans: 30, ..GgsLimits::default() };
    let mut worsening = Vec::new();
    for (fail, pass) in [(4, 6), (7, 3), (5, 5), (8, 2), (8, 2)] {
        let Answer::PlanDirective(said) =
            ggs.take(&round(vec![environmental(fail, pass)]), &limits).expect("open").answer
        else {
            panic!("the end")
        };
        worsening.push(said.worsening);
    }
    assert_eq!(worsening, [0, 1, 0, 1, 0]);
}

#[test]
fn law_2_says_so_and_a_success_is_not_overridden() {
    let limits =
        GgsLimits { max_replans: 30, delta: annals_kernel::share::Share::thousandths(700), ..GgsLimits::default() };
    let mut ggs = Ggs::new("t");
    ggs.take(&round(vec![environmental(71, 29)]), &limits).expect("open");
    let Answer::PlanDirective(said) = ggs.take(&round(vec![environmental(9, 1)]), &limits).expect("open").answer else {
        panic!("the end")
    };
    assert_eq!(said.worsening, 1);
    let mut logical = ggs.clone();
    let result = |ggs: &mut Ggs, outcome, limits: &GgsLimits| match ggs
        .take(&round(vec![outcome]), limits)
        .expect("open")
        .answer
    {
        Answer::FinalResult(result) => result,
        Answer::PlanDirective(said) => panic!("{said:?}"),
    };
    let gone = result(&mut ggs, judged(1, 0, Some(FailureClass::Logical)), &limits);
    assert_eq!((gone.directive, gone.forced), (Terminal::Abandon, Some(Forced::Law2)));
    let wide = GgsLimits { delta: annals_kernel::share::Share::WHOLE, ..limits };
    let near = result(&mut logical, judged(1, 0, Some(FailureClass::Logical)), &wide);
    assert_eq!((near.directive, near.forced), (Terminal::Success, None));
}

#[test]
fn the_state_is_folded_from_what_was_said() {
    let (mut lived, limits) = (Ggs::new("t"), GgsLimits::default());
    let mut bus = Vec::new();
    for outcome in [using(failed("wrong"), &[("search", "A")]), using(failed("timeout"), &[("read", "B")]), matched()] {
        bus.push(
            serde_json::to_string(&lived.take(&round(vec![outcome]), &limits).expect("open").answer).expect("JSON"),
        );
        let mut resumed = Ggs::new("t");
        for line in &bus {
            resumed.heard(&serde_json::from_str(line).expect("an answer"));
        }
        assert_eq!(resumed, lived);
    }
    assert!(bus[0].contains(r#""message":"plan_directive""#) && bus[2].contains(r#""directive":"accept""#), "{bus:?}");
}

#[test]
fn every_task_ends_with_one_of_three_words_within_four_rounds() {
    let kinds = [failed("x"), failed("wrong"), failed("timeout"), environmental(1, 2), environmental(1, 4), matched()];
    for choice in 0..kinds.len().pow(4) {
        let mut ggs = Ggs::new("t");
        let mut last = None;
        for at in 0..4 {
            let kind = kinds[choice / kinds.len().pow(at) % kinds.len()].clone();
            last = ggs.take(&round(vec![kind]), &GgsLimits::default()).ok().or(last);
        }
        let ruling = last.expect("a ruling");
        assert!(matches!(ruling.answer, Answer::FinalResult(_)), "{ruling:?}");
        assert_eq!(subjects(&ruling), [("task", "")]);
    }
}
