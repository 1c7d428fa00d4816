//! Runs with a whole agent as executor: recorded before it counts, counted in the account, and never run twice.

use std::sync::Arc;

use annals_engine::query::filter::Filter;
use annals_role::delegate::{AgentEnd, AgentJob, AgentOutcome, AgentProgram};
use annals_role::ggs::Terminal;
use annals_role::run::RunSetting;
use serde_json::json;

use super::paper::{RunStage, beginning, folder, goes_well};
use crate::journal::{AGENT, Beginning, Came, Journal, Step};
use crate::replay::replay;
use crate::runner::RunEnd;

fn works(_: &AgentJob) -> AgentOutcome {
    let usage = json!({ "input_tokens": 100, "output_tokens": 7 });
    let call = json!({ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "./greet" } });
    let given = json!({ "type": "tool_result", "tool_use_id": "t", "content": "wrote the greeting" });
    let lines = [
        json!({ "type": "assistant", "message": { "content": [call] } }),
        json!({ "type": "user", "message": { "content": [given] } }),
        json!({ "type": "result", "result": "done", "usage": usage, "total_cost_usd": 0.5 }),
    ];
    let output = lines.map(|line| line.to_string()).join("\n");
    AgentOutcome { output, ..AgentOutcome::silent(AgentEnd::Exited { code: 0 }) }
}

fn with_claude() -> Beginning {
    let beginning = beginning();
    let setting = RunSetting { executor: Some(AgentProgram::Claude), ..beginning.setting };
    Beginning { setting, ..beginning }
}

async fn ran(stage: &RunStage) -> String {
    let beginning = with_claude();
    let journal = Journal::begin(Arc::clone(&stage.runner.engine), &beginning, &stage.runner.by).expect("begun");
    let RunEnd::Ended { task, result } = stage.runner.begin(journal, &beginning).await.expect("it runs") else {
        panic!("it has an end")
    };
    assert_eq!(result.directive, Terminal::Accept);
    task
}

#[tokio::test]
async fn an_agent_is_on_the_record_with_what_it_used_up() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well).with_agents(works);
    let task = ran(&stage).await;
    let jobs = stage.jobs();
    let recorded = Journal::look(&stage.runner.engine, &task).expect("read");
    let came = |step: &Step| if let Step::Came(Came::Agent { key, .. }) = step { Some(key.clone()) } else { None };
    let keys: Vec<_> = recorded.steps.iter().filter_map(came).collect();
    assert_eq!(keys, jobs.iter().map(|job| job.key.clone()).collect::<Vec<_>>());
    assert!(!stage.asked().keys().any(|key| key.starts_with("executor.")), "no model stands in for it");
    let filter = Filter { names: vec![AGENT.to_owned()], ..Filter::default() };
    let entries = stage.runner.engine.reader().expect("read").all(&filter).expect("read");
    let usage = entries[0].entry.annals.usage.expect("it says so");
    assert_eq!((usage.input, usage.output, usage.cost_micro_usd), (100, 7, 500_000));
    let input = entries[0].entry.operation.input.text();
    assert!(input.contains("\"prompt\":\"") && !input.contains("Nobody answers"), "{input}");
}

/// Nobody is asked: what came is on the record.
#[tokio::test]
async fn a_replay_starts_no_agent_and_comes_to_the_same_end() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well).with_agents(works);
    let task = ran(&stage).await;
    let recorded = Journal::look(&stage.runner.engine, &task).expect("read");
    let before = stage.jobs().len();
    let replayed = replay(&task, &recorded).expect("the same");
    assert!(replayed.run.has_ended() && replayed.open.is_empty());
    assert_eq!(stage.jobs().len(), before);
}

/// Its handle is there, its end is not: it is uncertain, and is not started again under that key.
#[tokio::test]
async fn an_agent_that_was_at_work_when_the_run_was_killed_is_not_run_again() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well).with_agents(works);
    let beginning = with_claude();
    let journal = Journal::begin(Arc::clone(&stage.runner.engine), &beginning, &stage.runner.by).expect("begun");
    let task = journal.task().to_owned();
    let stop = Arc::clone(&stage.runner.stop);
    let watching = RunStage::on(folder.path(), goes_well).with_agents(hangs);
    let run = tokio::spawn({
        let runner = crate::Runner { stop: Arc::clone(&stop), ..watching.runner.clone() };
        async move { runner.begin(journal, &beginning).await }
    });
    // Both of the first group.
    while watching.jobs().len() < 2 {
        tokio::task::yield_now().await;
    }
    stop.stop();
    assert!(matches!(run.await.expect("no panic"), Ok(RunEnd::Paused { .. })));
    let again = RunStage::on(folder.path(), goes_well).with_agents(works);
    let RunEnd::Ended { .. } = again.runner.resume(&task).await.expect("it goes on") else { panic!("it has an end") };
    let recorded = Journal::look(&again.runner.engine, &task).expect("read");
    let unknown = |step: &Step| {
        let Step::Came(Came::Agent { key, outcome, .. }) = step else { return None };
        matches!(outcome.end, AgentEnd::Unknown { .. }).then(|| key.clone())
    };
    let mut unknown: Vec<_> = recorded.steps.iter().filter_map(unknown).collect();
    unknown.sort();
    let mut at_work: Vec<_> = watching.jobs().into_iter().map(|job| job.key).collect();
    at_work.sort();
    assert_eq!(unknown, at_work);
    assert!(again.jobs().iter().all(|job| !unknown.contains(&job.key)), "{:?}", again.jobs());
}

/// Until the test has seen that it is at work.
fn hangs(_: &AgentJob) -> AgentOutcome {
    std::thread::park_timeout(std::time::Duration::from_millis(300));
    AgentOutcome::silent(AgentEnd::Unknown { why: "it was stopped".to_owned() })
}
