//! The cases that came with the documents (`agentval.json`).

use std::collections::BTreeMap;

use super::*;
use crate::testing::{completed, criterion, failed as failed_call, subtask, verifiable, worked};
use crate::tool::ToolName;

#[derive(serde::Deserialize)]
struct Case {
    input: String,
    expect: String,
}

/// `agentval.environmental`: what a tool call gave, and what a check saw.
#[test]
fn agentval() {
    let cases: BTreeMap<String, Vec<Case>> = serde_json::from_str(include_str!("cases.json")).expect("cases");
    assert_eq!(cases.keys().collect::<Vec<_>>(), ["agentval.environmental"]);
    for Case { input, expect } in cases.into_values().flatten() {
        let (place, words) = input.trim_end_matches('\'').split_once(" '").expect("a place and words");
        let class = match place {
            "tool call" => class_by_call(words),
            "evidence" => class_by_evidence(words),
            other => panic!("{other}"),
        };
        assert_eq!(class.map_or("", FailureClass::as_str), expect, "{input}");
    }
}

fn class_by_call(words: &str) -> Option<FailureClass> {
    let subtask = subtask(&[criterion("the port is 8080")]);
    let result = completed(vec![failed_call(ToolName::Shell, "make", words)]);
    let report = failed(judged(&judging(&subtask, &result), &[], &[]));
    report.outcome.criteria_verdicts[0].failure_class
}

fn class_by_evidence(words: &str) -> Option<FailureClass> {
    let subtask = subtask(&[verifiable("the tests pass", "cargo test")]);
    let result = completed(vec![worked(ToolName::Edit, "a", "edited")]);
    let checks = [found("cargo test", CheckState::Unmet, words)];
    let signal = corrected(judged(&judging(&subtask, &result), &checks, &[]));
    signal.failure_class
}
