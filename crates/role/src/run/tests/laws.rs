//! What no sequence of answers can bring about. `PROPTEST_CASES` says how many are tried; 256 where it says nothing.

use proptest::prelude::*;
use serde_json::json;

use super::player::{Player, passes, plan, understood, worked, writes};
use crate::bus::{Arrow, Party, may_say};
use crate::criterion::CheckState;
use crate::ggs::{CallResult, Terminal};
use crate::message::BusMessage;
use crate::run::ToolJob;
use crate::tool::ToolCall;

/// Answers of every sort: right, wrong, broken, hostile.
fn answers() -> Vec<String> {
    let long = "y".repeat(5_000);
    [
        understood().to_string(),
        plan().to_string(),
        writes().to_string(),
        passes().to_string(),
        json!({ "verdicts": [{ "n": 1, "verdict": "fail", "evidence": "no" }] }).to_string(),
        json!({ "calls": [{ "tool": "shell", "input": { "command": "git push --force" } }], "done": true }).to_string(),
        json!({ "calls": [{ "tool": "read", "input": { "path": "/etc/passwd" } }], "done": false }).to_string(),
        json!({ "calls": [], "done": true, "output": "all tests pass" }).to_string(),
        json!({ "achieved": [{ "subtask": 1, "text": "everything works" }], "failed": [], "next": [] }).to_string(),
        "PASS".to_owned(),
        String::new(),
        "<think>hm".to_owned(),
        "I'm sorry, but I can't help with that.".to_owned(),
        "{\"subtasks\":[{".to_owned(),
        long,
    ]
    .into()
}

fn at_odds(job: &ToolJob) -> ToolCall {
    let has_worked = !job.key.as_str().len().is_multiple_of(3);
    let (result, output) =
        if has_worked { (CallResult::Worked, "done") } else { (CallResult::Failed, "permission denied") };
    ToolCall { result, output: output.to_owned(), ..worked(job) }
}

fn strategy() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let count = answers().len();
    prop::collection::vec(prop::collection::vec(0..count, 0..12), 5)
}

proptest! {
    #[test]
    fn whatever_models_answer_a_task_ends_once_and_says_only_what_the_bus_allows(script in strategy()) {
        let pool = answers();
        let roles = [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator, Party::MetaValidator];
        let mut player = Player { tool: at_odds, check: |_| CheckState::Unmet, ..Player::default() };
        for (role, picks) in roles.into_iter().zip(&script) {
            let texts: Vec<_> = picks.iter().map(|pick| json!(pool[*pick])).collect();
            player = player.script(role, &texts);
        }
        let played = player.play();
        let result = played.result();
        prop_assert!(played.run.has_ended());
        prop_assert_eq!(played.run.pending().count(), 0);
        for said in &played.said {
            let arrow = Arrow { from: said.from, kind: said.message.kind(), to: said.to };
            prop_assert!(may_say(&arrow), "{:?}", arrow);
        }
        // Code found every criterion unmet: whatever a model says, nothing is done.
        let has_plan = played.said.iter().any(|said| matches!(said.message, BusMessage::DispatchManifest(_)));
        if has_plan {
            prop_assert_eq!(result.directive, Terminal::Abandon);
        }
        // Law 1: nobody said yes.
        let pushes = played.used.iter().filter(|job| job.request.input["command"] == "git push --force").count();
        prop_assert_eq!(pushes, 0);
        // Law 0: what nothing shows is said to be unverified.
        for line in result.summary.lines().filter(|line| line.contains("everything works") || line.contains("all tests pass")) {
            prop_assert!(line.contains("(unverified)"), "{}", line);
        }
    }
}
