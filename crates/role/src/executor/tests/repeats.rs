//! What repeats itself is stopped.

use super::*;
use crate::testing::{failed, in_flight, ran, request, worked};

fn retry_after(calls: Vec<crate::tool::ToolCall>) -> ExecutorAttempt {
    let mut first = attempt();
    for call in calls {
        first.add(call);
    }
    first.again(correction())
}

#[test]
fn a_second_equal_call_in_a_row_means_stop() {
    let again = request(ToolName::Read, "a");
    let stop =
        finished(ExecutionStatus::Failed, "stopped: the same call twice in a row, which is a wrong approach: read a");

    let mut over_answers = attempt();
    over_answers.add(worked(ToolName::Read, "a", "x"));
    assert_eq!(read(&mut over_answers, &asks(std::slice::from_ref(&again), "")), Ok(stop.clone()));

    let within = [request(ToolName::Glob, "*"), again.clone(), again.clone()];
    assert_eq!(read(&mut attempt(), &asks(&within, "")), Ok(asks_again(&within[..2])), "a slip of one answer");

    let junk = r#"{"calls":[{"tool":"READ ","input":{"path":"a","note":"this time"}}]}"#;
    let mut disguised = attempt();
    disguised.add(worked(ToolName::Read, "a", "x"));
    assert_eq!(read(&mut disguised, junk), Ok(stop), "members that no tool takes make no other call");

    let between = [again.clone(), request(ToolName::Edit, "a"), again];
    assert_eq!(read(&mut attempt(), &asks(&between, "")), Ok(asks_again(&between)), "not in a row");
}

#[test]
fn what_was_in_flight_may_be_asked_for_once_more() {
    let mut resumed = attempt();
    resumed.add(in_flight(ToolName::Write, "a"));
    let again = [request(ToolName::Write, "a")];
    assert_eq!(read(&mut resumed, &asks(&again, "")), Ok(asks_again(&again)));
}

#[test]
fn what_failed_in_an_earlier_attempt_is_refused_once_and_then_the_attempt_fails() {
    let mut retry = retry_after(vec![failed(ToolName::Read, "a", "no such file"), worked(ToolName::Glob, "*", "b")]);
    let raw = asks(&[request(ToolName::Glob, "*"), request(ToolName::Read, "a")], "");
    let refused = field("calls.1", "repeats a call that failed in an earlier attempt: do it in another way");
    assert_eq!(read(&mut retry, &raw), Err(refused));
    let end = finished(ExecutionStatus::Failed, "stopped: again what failed before: read a");
    assert_eq!(read(&mut retry, &raw), Ok(end));
    assert_eq!(retry.number(), 2);
}

/// A test that failed is run again after the code was changed.
#[test]
fn after_a_change_the_same_call_may_come_out_otherwise() {
    let test = request(ToolName::Shell, "cargo test");
    let failed_tests = || retry_after(vec![ran("cargo test", 101, "1 failed")]);
    let fixes = [request(ToolName::Edit, "a"), test.clone()];
    assert_eq!(read(&mut failed_tests(), &asks(&fixes, "")), Ok(asks_again(&fixes)));
    let looks = [request(ToolName::Read, "a"), test.clone()];
    assert!(read(&mut failed_tests(), &asks(&looks, "")).is_err(), "a look changes nothing");

    let mut changed = failed_tests();
    changed.add(worked(ToolName::Edit, "a", "edited"));
    assert!(read(&mut changed, &asks(std::slice::from_ref(&test), "")).is_ok());
    let mut tried = failed_tests();
    tried.add(failed(ToolName::Edit, "a", "old does not occur"));
    assert!(read(&mut tried, &asks(&[test], "")).is_err());
}

#[test]
fn an_attempt_knows_the_calls_of_all_before_it() {
    let second = retry_after(vec![failed(ToolName::Read, "a", "x"), failed(ToolName::Read, "a", "x")]);
    let mut third = second.clone();
    third.add(failed(ToolName::Read, "b", "x"));
    let third = third.again(correction());
    let avoided: Vec<_> = third.to_avoid().into_iter().map(|call| call.request.clone()).collect();
    assert_eq!(avoided, [request(ToolName::Read, "a"), request(ToolName::Read, "b")]);
    assert_eq!((third.number(), third.calls().len()), (3, 0));
}
