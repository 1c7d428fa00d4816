//! What a model is asked, and when it is not.

use super::super::question;
use super::*;
use crate::message::{CallEvidence, ExecutionStatus};
use crate::prompt::BadAnswer;
use crate::testing::{
    completed, criterion, failed as failed_call, hostile_answers, ran, result, subtask, verifiable, worked,
};
use crate::tool::ToolName;

#[test]
fn a_question_shows_claim_and_evidence_apart() {
    let subtask =
        subtask(&[criterion("the port is 8080"), verifiable("x", "make"), criterion("nothing else\nchanged")]);
    let given = completed(vec![worked(ToolName::Read, "app.toml", "port = 8080")]);
    let prompt = question(&judging(&subtask, &given), None).expect("a question");
    let expected = "Subtask:\n```\nset the port to 8080\n```\n\n\
                    What the executor says (a claim):\n```\nall done\n```\n\n\
                    What its tools gave:\n1. read {\"path\":\"app.toml\"} -> worked\n```\nport = 8080\n```\n\n\
                    Criteria:\n```\n1. the port is 8080\n2. nothing else changed\n```";
    assert_eq!(prompt.user, expected);
    assert!(!prompt.may_think && prompt.max_tokens == 2 * 160 + 64);
    assert!(prompt.system.chars().count() < 1200, "{}", prompt.system.chars().count());

    let again = question(&judging(&subtask, &given), Some(&BadAnswer::Empty)).expect("a question");
    assert!(again.user.contains("could not be used: the answer is empty.\nAnswer with one JSON object"));
}

#[test]
fn without_calls_what_tools_gave_before_is_shown_instead() {
    let subtask = subtask(&[criterion("it says where the settings stand")]);
    let given = [CallEvidence { request: "read a".to_owned(), output: "port = 8080".to_owned(), entry: None }];
    for (given, shown) in [(&given[..], "read a ->\nport = 8080"), (&[], "None.")] {
        let result = completed(vec![]);
        let prompt = question(&Judging { given, ..judging(&subtask, &result) }, None).expect("a question").user;
        let expected = "No tool was called. Evidence can only be a line of what tools gave before:\n```\n";
        assert!(prompt.contains(&format!("{expected}{shown}\n```")), "{prompt}");
        assert!(!prompt.contains("the settings stand in"), "notes of a model are no evidence");
    }
}

#[test]
fn nothing_is_asked_where_an_answer_would_not_matter() {
    let plausible = subtask(&[criterion("the port is 8080")]);
    for settled in [
        result(ExecutionStatus::Failed, "no", vec![worked(ToolName::Read, "a", "x")]),
        completed(vec![failed_call(ToolName::Edit, "a", "old does not occur")]),
        completed(vec![failed_call(ToolName::Shell, "make", "timed out")]),
        completed(vec![ran("make", 2, "no rule"), worked(ToolName::Read, "a", "x")]),
    ] {
        assert_eq!(question(&judging(&plausible, &settled), None), None, "{settled:?}");
    }
    let verifiable = subtask(&[verifiable("x", "make")]);
    assert_eq!(question(&judging(&verifiable, &completed(vec![])), None), None);
    assert_eq!(question(&judging(&subtask(&[]), &completed(vec![])), None), None);
}

#[test]
fn what_is_no_answer_gives_no_verdict() {
    let subtask = subtask(&[criterion("the port is 8080")]);
    for raw in hostile_answers() {
        assert!(read(&raw, &subtask).is_err(), "{}", raw.chars().take(60).collect::<String>());
    }
    for raw in [
        r#"{"verdicts":[{"n":1,"verdict":true,"evidence":"x"}]}"#,
        r#"{"verdicts":[{"n":1,"verdict":"pass"},{"n":1,"verdict":"pass"}]}"#,
        r#"{"verdicts":[{"n":1.5,"verdict":"pass"},{"n":-1,"verdict":"pass"},{"verdict":"pass"}]}"#,
        "PASS",
    ] {
        assert!(read(raw, &subtask).is_err(), "{raw}");
    }
    let alone = r#"Here: {"verdicts":{"n":"1","verdict":" Pass ","evidence":"x"}}"#;
    assert_eq!(summed_up(&read(alone, &subtask).expect("readable")), [(Verdict::Pass, None, "x")]);
}

#[test]
fn a_question_has_bounds_whatever_it_is_about() {
    let long = "x\n".repeat(100_000);
    let subtask = SubTask { intent: long.clone(), ..subtask(&[criterion(&long)]) };
    let calls: Vec<_> = (0..40).map(|at| worked(ToolName::Shell, &format!("{at}{long}"), &long)).collect();
    let given = result(ExecutionStatus::Completed, &long, [calls, vec![worked(ToolName::Read, "a", "x")]].concat());
    let prompt = question(&judging(&subtask, &given), None).expect("a question");
    assert!(prompt.user.chars().count() < 40_000, "{}", prompt.user.chars().count());
}
