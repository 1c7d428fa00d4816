//! What an answer asks for, and how an attempt ends.

use serde_json::json;

use super::*;
use crate::plan::{Criterion, CriterionCheck};
use crate::testing::{failed, hostile_answers, in_flight, ran, request, worked};
use crate::tool::ToolCall;

fn done(output: &str) -> Then {
    Then::Finish { output: output.to_owned() }
}

/// A plain step costs one question.
#[test]
fn calls_and_done_in_one_answer_end_the_attempt_when_all_worked() {
    let requests = [request(ToolName::Edit, "app.toml"), request(ToolName::Read, "app.toml")];
    let mut attempt = attempt();
    let step = read(&mut attempt, &asks(&requests, "done"));
    assert_eq!(step, Ok(ExecutorStep::Use { requests: requests.to_vec(), then: done("8080") }));

    attempt.add(worked(ToolName::Edit, "app.toml", "edited"));
    attempt.add(worked(ToolName::Read, "app.toml", "port = 8080\n"));
    let result = attempt.after(&done("8080")).expect("the end");
    assert_eq!((result.status, result.output.as_str()), (ExecutionStatus::Completed, "8080\n\nport = 8080"));
    assert_eq!((result.attempt, result.tool_calls.len(), result.subtask_id.as_str()), (1, 2, "s1"));
}

#[test]
fn the_first_call_that_does_not_work_leads_back_to_the_model() {
    for bad in
        [failed(ToolName::Edit, "a", "old does not occur"), ran("make", 2, "no rule"), in_flight(ToolName::Write, "a")]
    {
        let mut attempt = attempt();
        attempt.add(bad);
        assert!(attempt.is_stopped());
        assert_eq!(attempt.after(&done("8080")), None);
    }
    let mut attempt = attempt();
    attempt.add(ran("grep -r x .", 1, ""));
    assert!(!attempt.is_stopped(), "a search that found nothing worked");
    assert_eq!(attempt.after(&Then::AskAgain), None);
}

#[test]
fn a_call_that_was_in_flight_leaves_the_attempt_uncertain() {
    let mut attempt = attempt();
    attempt.add(in_flight(ToolName::Write, "a"));
    attempt.add(worked(ToolName::Read, "a", "new"));
    for (said, expected) in [
        (ExecutionStatus::Completed, ExecutionStatus::Uncertain),
        (ExecutionStatus::Uncertain, ExecutionStatus::Uncertain),
        (ExecutionStatus::Failed, ExecutionStatus::Failed),
    ] {
        assert_eq!(attempt.result(said, "x").status, expected, "{said}");
    }
}

#[test]
fn done_without_a_call_is_a_claim_and_giving_up_is_asked_twice() {
    let claim = r#"{"calls":[],"done":true,"output":"nothing to do"}"#;
    assert_eq!(read(&mut attempt(), claim), Ok(finished(ExecutionStatus::Completed, "nothing to do")));
    assert!(read(&mut attempt(), r#"{"done":true}"#).is_err(), "nothing done, nothing said");

    let idle = r#"{"calls":[],"done":false,"output":"there is no app.toml"}"#;
    let mut gives_up = attempt();
    assert!(read(&mut gives_up, idle).is_err());
    assert_eq!(read(&mut gives_up, idle), Ok(finished(ExecutionStatus::Failed, "there is no app.toml")));

    let mut goes_on = attempt();
    assert!(read(&mut goes_on, idle).is_err());
    assert!(read(&mut goes_on, &asks(&[request(ToolName::Read, "a")], "")).is_ok());
    assert!(read(&mut goes_on, idle).is_err(), "only in a row");
}

/// Where code can tell, who has done nothing is asked once more: that costs less than an attempt.
#[test]
fn done_without_a_call_is_asked_once_more_where_code_checks_it() {
    let claim = r#"{"calls":[],"done":true,"output":"nothing to do"}"#;
    let check = CriterionCheck::FileContains { file: "app.toml".to_owned(), contains: "8080".to_owned() };
    let checked = Criterion { check: Some(check), ..criterion("the port is 8080") };
    let mut idle = ExecutorAttempt::first(subtask(&[checked]), ExecutorLimits::default());
    assert!(read(&mut idle, claim).is_err());
    assert_eq!(read(&mut idle, claim), Ok(finished(ExecutionStatus::Completed, "nothing to do")));
}

#[test]
fn inputs_are_held_against_the_tool() {
    let first = |tool: &str, input: serde_json::Value| {
        let raw = json!({ "calls": [{ "tool": tool, "input": input }], "done": false, "output": "" }).to_string();
        match read(&mut attempt(), &raw) {
            Ok(ExecutorStep::Use { mut requests, .. }) => Ok(requests.remove(0).input),
            Ok(ExecutorStep::Finish { output, .. }) => panic!("{output}"),
            Err(bad) => Err(bad.to_string()),
        }
    };
    for (tool, input, kept) in [
        (
            "read",
            json!({ "path": "a", "from_line": "3", "lines": 2.0, "why": "x" }),
            json!({ "path": "a", "from_line": 3, "lines": 2 }),
        ),
        ("READ", json!({ "path": "a", "from_line": null }), json!({ "path": "a" })),
        ("write", json!({ "path": "a", "content": "" }), json!({ "path": "a", "content": "" })),
        ("edit", json!({ "path": "a", "old": " x", "new": "" }), json!({ "path": "a", "old": " x", "new": "" })),
        ("search", json!({ "pattern": "x ", "path": "" }), json!({ "pattern": "x " })),
    ] {
        assert_eq!(first(tool, input), Ok(kept), "{tool}");
    }
    let names = "find, glob, search, read, write, edit, shell, fetch";
    for (tool, input, problem) in [
        ("rm", json!({}), format!("the answer's calls.0.tool is none of {names}")),
        ("", json!({}), "the answer's calls.0.tool is empty".to_owned()),
        ("read", json!({}), "the answer's calls.0.input.path is missing".to_owned()),
        ("read", json!({ "path": " " }), "the answer's calls.0.input.path is empty".to_owned()),
        ("read", json!({ "path": 7 }), "the answer's calls.0.input.path is a number, no text".to_owned()),
        ("read", json!({ "path": "a", "lines": 0 }), "the answer's calls.0.input.lines is no number from 1".to_owned()),
        (
            "read",
            json!({ "path": "a", "lines": "all" }),
            "the answer's calls.0.input.lines is no whole number".to_owned(),
        ),
        ("edit", json!({ "path": "a", "old": "", "new": "b" }), "the answer's calls.0.input.old is empty".to_owned()),
        ("write", json!({ "path": "a" }), "the answer's calls.0.input.content is missing".to_owned()),
        ("shell", json!("ls"), "the answer's calls.0.input is a text, no object".to_owned()),
    ] {
        assert_eq!(first(tool, input), Err(problem), "{tool}");
    }
}

#[test]
fn a_tool_that_is_not_offered_is_none() {
    let raw = asks(&[request(ToolName::Fetch, "https://a.example/")], "");
    let read = attempt().read(&raw, &[ToolName::Shell, ToolName::Read]);
    assert_eq!(read, Err(field("calls.0.tool", "is none of read, shell")));
}

#[test]
fn a_run_of_answers_or_calls_ends_uncertain() {
    let mut talks = attempt();
    for _ in 0..12 {
        assert_eq!(talks.spent(), None);
        assert!(read(&mut talks, "no idea").is_err());
    }
    let end = finished(ExecutionStatus::Uncertain, "no end after 12 answers");
    assert_eq!(talks.spent(), Some(end.clone()));
    assert_eq!(
        read(&mut talks, &asks(&[request(ToolName::Read, "a")], "")),
        Ok(end),
        "also where nobody asked `spent`"
    );

    let many: Vec<_> = (0..50).map(|at| request(ToolName::Read, &format!("f{at}"))).collect();
    let mut calls = attempt();
    let step = read(&mut calls, &asks(&many, "done"));
    assert_eq!(step, Ok(asks_again(&many[..40])), "what does not fit is not done");
    many[..40].iter().for_each(|one| calls.add(ToolCall { request: one.clone(), ..worked(ToolName::Read, "", "x") }));
    assert_eq!(calls.spent(), Some(finished(ExecutionStatus::Uncertain, "no end after 40 tool calls")));
}

#[test]
fn what_is_no_answer_is_said_to_be_none() {
    for raw in hostile_answers() {
        let mut attempt = attempt();
        let before = attempt.clone();
        match read(&mut attempt, &raw) {
            Err(_) => assert_eq!(attempt.calls(), before.calls()),
            Ok(ExecutorStep::Finish { output, .. }) => {
                assert!(output.chars().count() <= 4000, "a claim of 1 MB is cut");
            }
            Ok(step @ ExecutorStep::Use { .. }) => panic!("{step:?}"),
        }
    }
}

#[test]
fn an_answer_is_found_in_what_models_put_around_it() {
    let plain = asks(&[request(ToolName::Read, "a")], "");
    let expected = Ok(asks_again(&[request(ToolName::Read, "a")]));
    for raw in [
        format!("Sure! Here it is:\n```json\n{plain}\n```\nHope that helps."),
        format!("<think>I could use {{\"calls\":[]}}</think>\n{plain}"),
        serde_json::Value::String(plain.clone()).to_string(),
        r#"{"calls":{"tool":"read","input":{"path":"a"}},"done":"false","output":null}"#.to_owned(),
    ] {
        assert_eq!(read(&mut attempt(), &raw), expected, "{raw}");
    }
}
