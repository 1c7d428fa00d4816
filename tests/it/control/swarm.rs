//! Fifty processes comment on one issue at once, twenty times over: no budget, limit or freeze is exceeded by one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use annals::domain::Command as Decision;
use annals::engine::By;
use annals::engine::Engine;
use annals::engine::clock::Clock;
use annals::kernel::id::NO_SESSION;
use annals::kernel::json::Json;
use annals::log::disk::RealDisk;
use serde_json::{Value, json};

use super::desk::REASONS;
use crate::program::Project;
use crate::support::findings_of;

const PROCESSES: usize = 50;
const ROUNDS: usize = 20;
const AGENTS: usize = 12;

/// Tells a process of this very test that it is one of the swarm: the context, its number, and the issues.
const CALL: &str = "ANNALS_TEST_CONTROL_SWARM";

fn decide(engine: &Engine, actor: &str, command: &str, fields: &Value) -> Option<String> {
    let command = Decision::read(command, &Json::of(fields)).expect("a command");
    let answer = engine.decide(command, &Json::empty_object(), &By::new(actor, NO_SESSION)).expect("decided");
    answer.entry.map(|entry| entry.to_string())
}

fn engine(context: &Path) -> Engine {
    Engine::open(Arc::new(RealDisk), context, Clock::default()).expect("opened")
}

fn take_part(call: &str) {
    let mut parts = call.split('|');
    let engine = engine(Path::new(parts.next().expect("a context")));
    let number: usize = parts.next().expect("a number").parse().expect("a number");
    for issue in parts {
        let say = json!({ "issue": issue, "body": REASONS });
        let entry = decide(&engine, &format!("agent{}", number % AGENTS), "issues.comment.add", &say);
        assert!(entry.is_some(), "whatever becomes of a comment stands in the log");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a process of the swarm is told so by its environment")]
fn fifty_processes_comment_on_one_issue_at_once() {
    if let Ok(call) = std::env::var(CALL) {
        return take_part(&call);
    }
    let project = Project::new();
    let desk = engine(&project.context());
    decide(&desk, "user", "roster.agent.add", &json!({ "agent": "mod", "role": "moderator" }));
    decide(&desk, "user", "config.value.change", &json!({ "values": { "sanity.echo": false } }));
    for number in 0..AGENTS {
        let add = json!({ "agent": format!("agent{number}"), "role": "critic", "can_be_devils_advocate": true });
        decide(&desk, "user", "roster.agent.add", &add);
    }
    let open = |round| decide(&desk, "user", "issues.issue.open", &json!({ "title": format!("Round {round}") }));
    let issues: Vec<String> = (0..ROUNDS).map(|round| open(round).expect("opened")).collect();
    let process = |number| {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        let call = format!("{}|{number}|{}", project.context().display(), issues.join("|"));
        let name = "control::swarm::fifty_processes_comment_on_one_issue_at_once";
        command.args([name, "--exact"]).env(CALL, call).stdout(Stdio::null());
        command.spawn().expect("started")
    };
    let swarm: Vec<_> = (0..PROCESSES).map(process).collect();
    for process in swarm {
        assert!(process.wait_with_output().expect("ended").status.success());
    }
    look(&project, &issues);
    assert_eq!(findings_of(&project.context()), Vec::<String>::new());
    let replayed = project.annals(["replay", "--all"], "");
    assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
}

/// What became of the comments on one issue, counted from the lines alone.
#[derive(Default)]
struct Count {
    attempts: usize,
    added: BTreeMap<String, usize>,
    freezes: usize,
}

fn look(project: &Project, issues: &[String]) {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut entries = project.entries();
    entries.sort_by_key(|entry| entry.id);
    for entry in entries.iter().filter(|entry| &*entry.operation.name == "issues.comment.add") {
        let input: Value = entry.operation.input.value();
        let output = entry.operation.output.as_ref().expect("an outcome").value();
        let agent = entry.provenance.agent_id.as_ref().expect("an agent").to_string();
        let count = counts.entry(input["command"]["issue"].as_str().expect("an issue").to_owned()).or_default();
        count.attempts += 1;
        for event in output["events"].as_array().expect("events") {
            match event["name"].as_str().expect("a name") {
                "issues.comment.added" => {
                    assert_eq!(count.freezes, 0, "a comment came into a frozen issue");
                    *count.added.entry(agent.clone()).or_default() += 1;
                }
                "issues.issue.frozen" => count.freezes += 1,
                _ => {}
            }
        }
    }
    assert_eq!(counts.len(), issues.len());
    for (issue, count) in counts {
        assert_eq!((count.attempts, count.freezes), (PROCESSES, 1), "{issue}");
        assert!(count.added.values().all(|added| *added <= 2), "{issue}: {:?}", count.added);
        assert!((2..=10).contains(&count.added.values().sum::<usize>()), "{issue}: {:?}", count.added);
    }
}
