//! What holds for any answers, any calls and any findings of code.

use proptest::prelude::*;

use super::*;
use crate::ggs::{CallResult, SubTaskStatus};
use crate::message::ExecutionStatus;
use crate::testing::{criterion, request, subtask, verifiable};
use crate::tool::{ToolCall, ToolName};

fn any_call() -> impl Strategy<Value = ToolCall> {
    let tool = prop::sample::select(ToolName::ALL);
    let said = prop::sample::select(vec!["a", "ls", "make", "grep x a", "echo port = 8080"]);
    let output =
        prop::sample::select(vec!["port = 8080", "", "timed out", "no such file", "test result: ok. 3 passed"]);
    (tool, said, output, any::<bool>(), any::<bool>(), prop::option::of(0..2)).prop_map(
        |(tool, said, output, worked, is_uncertain, exit)| ToolCall {
            request: request(tool, said),
            result: if worked { CallResult::Worked } else { CallResult::Failed },
            exit,
            output: output.to_owned(),
            entry: None,
            is_uncertain,
        },
    )
}

fn any_result() -> impl Strategy<Value = ExecutionResult> {
    let status = prop::sample::select(ExecutionStatus::ALL);
    (status, prop::collection::vec(any_call(), 0..4)).prop_map(|(status, tool_calls)| ExecutionResult {
        subtask_id: "s1".to_owned(),
        attempt: 1,
        status,
        output: "port = 8080; all done".to_owned(),
        tool_calls,
    })
}

fn any_raw() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["pass", "fail", "PASS", "maybe", ""]);
    let quote =
        prop::sample::select(vec!["port = 8080", "nothing found", "", "made up for this", "test result: ok. 3 passed"]);
    let row = (0..4, word, quote)
        .prop_map(|(n, verdict, evidence)| json!({ "n": n, "verdict": verdict, "evidence": evidence }));
    let formed = prop::collection::vec(row, 0..5).prop_map(|rows| json!({ "verdicts": rows }).to_string());
    prop_oneof![5 => formed, 1 => "\\PC{0,40}", 1 => "[{}\\[\\]\",:a-z0-9 ]{0,60}"]
}

proptest! {
    #![proptest_config(crate::testing::at_least(2000))]

    /// No answer of a model makes up for a check that does not hold; and what is matched is matched whole.
    #[test]
    fn nothing_is_matched_while_a_check_is_unmet(
        raws in prop::collection::vec(any_raw(), 1..4),
        result in any_result(),
        state in prop::sample::select(CheckState::ALL),
    ) {
        let subtask = subtask(&[verifiable("x", "make"), criterion("find the port"), criterion("the port is 8080")]);
        let checks = [found("make", state, "seen")];
        for raw in raws {
            let verdicts = read(&raw, &subtask).unwrap_or_default();
            let judgement = judged(&judging(&subtask, &result), &checks, &verdicts);
            let SubTaskJudgement::Matched(report) = judgement else { continue };
            prop_assert_eq!(state, CheckState::Met);
            prop_assert_ne!(result.status, ExecutionStatus::Failed);
            prop_assert_eq!(report.outcome.status, SubTaskStatus::Matched);
            prop_assert_eq!(report.outcome.criteria_verdicts.len(), 3);
            prop_assert!(!report.outcome.is_failing());
            // Each quote is there, in a call that worked and was not the executor's own print.
            let given: Vec<_> = report.calls.iter().map(|call| call.output.as_str()).collect();
            for evidence in &report.evidence[1..] {
                let is_there = given.iter().any(|output| output.contains(&evidence.quote));
                prop_assert!(is_there || evidence.quote.starts_with("nothing found: "), "{evidence:?}");
            }
        }
    }

    /// A run of arbitrary answers is over after three attempts, and every criterion has its verdict.
    #[test]
    fn a_subtask_is_over_after_three_attempts(
        results in prop::collection::vec(any_result(), 3),
        raws in prop::collection::vec(any_raw(), 3),
    ) {
        let subtask = subtask(&[criterion("find the port"), criterion("the port is 8080")]);
        let (mut gaps, mut over) = (Vec::new(), None);
        for (at, raw) in raws.iter().enumerate() {
            let judging = Judging { earlier: &results[..at], gaps: &gaps, ..judging(&subtask, &results[at]) };
            let verdicts = read(raw, &subtask).unwrap_or_default();
            match judged(&judging, &[], &verdicts) {
                SubTaskJudgement::Retry { attempt, .. } => gaps.push(attempt),
                SubTaskJudgement::Matched(report) | SubTaskJudgement::Failed(report) => {
                    over = Some((at, report));
                    break;
                }
            }
        }
        let (at, report) = over.expect("over");
        prop_assert_eq!(report.outcome.criteria_verdicts.len(), 2);
        prop_assert_eq!(report.outcome.gap_trajectory.len(), at + 1);
        let is_failed = report.outcome.status == SubTaskStatus::Failed;
        prop_assert_eq!(is_failed, report.outcome.is_failing());
        prop_assert_eq!(is_failed, report.outcome.failure_reason.is_some());
    }

    #[test]
    fn no_answer_panics(raw in "(?s).{0,200}") {
        let _ = read(&raw, &subtask(&[criterion("a")]));
    }
}
