//! Tasks with a whole agent as executor.

use serde_json::json;

use super::player::{Player, plan, understood};
use crate::bus::Party;
use crate::criterion::CheckState;
use crate::delegate::{AgentEnd, AgentJob, AgentOutcome};
use crate::ggs::Terminal;
use crate::message::{BusMessage, ExecutionStatus};
use crate::run::RunLimits;

/// Only code judges.
fn checked() -> serde_json::Value {
    let mut plan = plan();
    plan["subtasks"][0]["success_criteria"] =
        json!([{ "text": "hello.txt is there", "check": { "file": "hello.txt", "absent": false } }]);
    plan
}

fn claims(_: &AgentJob) -> AgentOutcome {
    let result = json!({ "type": "result", "is_error": false, "result": "I wrote it. All tests pass." });
    AgentOutcome { output: result.to_string(), ..AgentOutcome::silent(AgentEnd::Exited { code: 0 }) }
}

fn killed(_: &AgentJob) -> AgentOutcome {
    AgentOutcome::silent(AgentEnd::Unknown { why: "the run was killed".to_owned() })
}

fn playing(agent: fn(&AgentJob) -> AgentOutcome) -> Player {
    let player = Player { agent: Some(agent), ..Player::default() };
    player.script(Party::Perceiver, &[understood()]).script(Party::Planner, &[checked()])
}

/// How each attempt came out.
fn statuses(played: &super::player::Played) -> Vec<ExecutionStatus> {
    let status = |said: &crate::run::BusSaid| {
        if let BusMessage::ExecutionResult(result) = &said.message { Some(result.status) } else { None }
    };
    played.said.iter().filter_map(status).collect()
}

#[test]
fn an_agent_stands_in_for_the_executor_and_code_accepts_what_holds() {
    let played = playing(claims).play();
    assert_eq!(played.asked, [Party::Perceiver, Party::Planner]);
    assert_eq!(played.result().directive, Terminal::Accept);
    let [job] = &played.delegated[..] else { panic!("{:?}", played.delegated) };
    assert_eq!((job.key.as_str(), job.subtask_id.as_str()), ("agent.T-r1-s1.a1", "T-r1-s1"));
    for told in ["Write hello into hello.txt", "hello.txt is there (hello.txt must exist)", "Nobody answers questions"]
    {
        assert!(job.prompt.contains(told), "{told}: {}", job.prompt);
    }
    assert!(job.deadline_ms < RunLimits::default().ggs.time_budget_ms, "it has what is left of the time");
}

/// Law 0.
#[test]
fn what_it_only_claims_is_not_accepted_and_each_retry_is_told_what_was_wrong() {
    let played = Player { check: |_| CheckState::Unmet, ..playing(claims) }.play();
    assert_eq!(played.result().directive, Terminal::Abandon);
    let first: Vec<_> = played.delegated.iter().take(3).map(|job| job.key.as_str()).collect();
    assert_eq!(first, ["agent.T-r1-s1.a1", "agent.T-r1-s1.a2", "agent.T-r1-s1.a3"]);
    assert!(!played.delegated[0].prompt.contains("was not good enough"));
    assert!(played.delegated[1].prompt.contains("Attempt 1 was not good enough"), "{}", played.delegated[1].prompt);
}

/// What became of it is not known: the checks say what is there.
#[test]
fn a_kill_in_flight_is_uncertain_and_what_code_finds_counts() {
    let played = playing(killed).play();
    assert_eq!(statuses(&played), [ExecutionStatus::Uncertain]);
    assert_eq!(played.result().directive, Terminal::Accept);
}

#[test]
fn where_no_time_is_left_no_agent_is_started() {
    let limits = RunLimits::default();
    let player = Player { step_ms: limits.ggs.time_budget_ms, ..playing(claims) };
    let played = { player }.play();
    assert!(played.delegated.is_empty());
}

#[test]
fn who_says_that_it_failed_is_believed() {
    let fails = |_: &AgentJob| AgentOutcome::silent(AgentEnd::Exited { code: 2 });
    let played = playing(fails).play();
    assert_eq!(statuses(&played)[0], ExecutionStatus::Failed);
    assert_ne!(played.result().directive, Terminal::Accept);
}
