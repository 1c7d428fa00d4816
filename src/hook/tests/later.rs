//! What a hook leaves to others: work for a process in the background, and a count of what could be kept nowhere.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Agent, Project, call, event, went_on};
use crate::hook::background::{self, BackgroundJob};
use crate::hook::lost::Ledger;
use crate::hook::{Around, HookAnswer, HookOutcome, handle};
use crate::kernel::id::SessionId;

const CLAUDE: Agent = Agent::ClaudeCode;

fn hook(project: &Project, payload: &Value, around: Around) -> HookOutcome {
    let around = Around { context: project.context(), clock: project.clock(), ..around };
    handle(CLAUDE, &payload.to_string(), around)
}

fn left(project: &Project) -> usize {
    std::fs::read_dir(project.context().join("local/due")).map_or(0, Iterator::count)
}

#[test]
fn the_end_of_a_turn_is_left_to_the_background() {
    let project = Project::new();
    let mut stop = event("Stop");
    stop["last_assistant_message"] = json!("done");
    // It does nothing, and so what is due stays.
    let around = || Around { program: Some(PathBuf::from("/bin/true")), ..Around::default() };
    assert!(went_on(&hook(&project, &stop, around())));
    assert_eq!((left(&project), project.names()), (1, vec!["message".to_owned()]));
    background::work(&project.engine(), None, None).expect("done");
    assert_eq!(left(&project), 0);
}

#[test]
fn where_no_process_can_be_started_what_is_due_waits() {
    let project = Project::new();
    let around = Around { program: Some(PathBuf::from("/nowhere/annals")), ..Around::default() };
    let mut stop = event("Stop");
    stop["last_assistant_message"] = json!("done");
    let outcome = hook(&project, &stop, around);
    assert_eq!(outcome.answer, HookAnswer::Go);
    assert!(outcome.problem.is_some_and(|problem| problem.contains("waits for the next command")));
    assert_eq!(left(&project), 1);
}

#[test]
fn a_process_that_finds_another_at_work_leaves_it_the_work() {
    let project = Project::new();
    let engine = project.engine();
    BackgroundJob::Due(SessionId::from("s")).leave(&engine).expect("left");
    let lock = engine.disk().try_lock(&project.context().join("local/background.lock")).expect("locked");
    background::work(&project.engine(), None, None).expect("nothing to do");
    background::start(&engine, &PathBuf::from("/nowhere/annals")).expect("one is at work");
    assert_eq!(left(&project), 1);
    drop(lock);
    background::work(&project.engine(), None, None).expect("done");
    assert_eq!(left(&project), 0);
}

#[test]
fn an_ordinary_call_leaves_nothing() {
    let project = Project::new();
    let around = || Around { program: Some(PathBuf::from("/nowhere/annals")), ..Around::default() };
    for payload in [event("SessionStart"), call("PreToolUse", "t1", "dig"), call("PostToolUse", "t1", "dig")] {
        assert!(went_on(&hook(&project, &payload, around())));
    }
    assert_eq!(left(&project), 0);
}

#[test]
fn what_can_be_kept_nowhere_is_counted_and_told_once() {
    let project = Project::new();
    let state = tempfile::tempdir().expect("a folder");
    let ledger = Ledger::below(state.path());
    let around = || Around { ledger: Some(ledger.clone()), ..Around::default() };
    for name in ["history", "local"] {
        std::fs::rename(project.context().join(name), project.context().join(format!("{name}.away"))).expect("moved");
        std::fs::write(project.context().join(name), "in the way").expect("written");
    }
    for id in ["t1", "t2"] {
        hook(&project, &call("PostToolUse", id, "dig"), around());
    }
    assert_eq!(ledger.lost(&project.context()).expect("counted").count, 2);
    for name in ["history", "local"] {
        std::fs::remove_file(project.context().join(name)).expect("removed");
        std::fs::rename(project.context().join(format!("{name}.away")), project.context().join(name)).expect("back");
    }
    assert!(went_on(&hook(&project, &call("PostToolUse", "t3", "dig"), around())), "nobody looks just now");
    let told = hook(&project, &event("UserPromptSubmit"), around());
    assert!(matches!(&told.answer, HookAnswer::Tell(text) if text.contains("could not be kept: 2")), "{told:?}");
    assert!(went_on(&hook(&project, &event("UserPromptSubmit"), around())), "once");
}

#[test]
fn the_end_of_background_work_is_an_entry_and_no_prompt() {
    let project = Project::new();
    let mut notice = event("UserPromptSubmit");
    notice["prompt"] = json!(
        "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>failed</status>\n\
         <summary>Digging failed with exit code 4</summary>\n</task-notification>"
    );
    project.hook(CLAUDE, &notice);
    assert_eq!(project.names(), ["background_end: exit code 4"]);
    let input = project.entries()[0].operation.input.value();
    assert_eq!((&input["call"], &input["exit_code"]), (&json!("t1"), &json!(4)));
}
