//! Numbers that people use never change (decision 39): what two branches open under one number is told apart.

use annals::domain::issue::number::Label;
use annals::engine::Engine;
use annals::kernel::id::IssueId;
use annals::kernel::json::Json;

use crate::support::{Project, user};

fn open(engine: &Engine, title: &str) -> IssueId {
    let command = annals::domain::issue::command::Open { title: title.into(), ..Default::default() };
    let command = annals::domain::issue::Command::Open(command);
    let answer = engine.decide(command, &Json::empty_object(), &user()).expect("decided");
    IssueId::from(answer.entry.expect("an entry").to_string())
}

/// Title and label of each issue, by id.
fn labels(project: &Project) -> Vec<(String, String)> {
    let engine = project.engine("2026-11-22T00:00:00Z", "reader");
    let rows = |world: &annals::world::World| {
        let issues = world.rooms.issue.issues.iter();
        issues.map(|(_, issue)| (issue.title.to_string(), issue.label.to_string())).collect()
    };
    engine.ask(rows).expect("folded")
}

#[test]
fn two_branches_that_gave_one_number_keep_it() {
    let (left, right) = (Project::new(), Project::new());
    open(&left.engine("2026-11-20T10:00:00Z", "common"), "Common");
    right.set_files(&left.files());
    open(&left.engine("2026-11-20T12:00:00Z", "left"), "Left");
    open(&right.engine("2026-11-20T11:00:00Z", "right"), "Right");
    let day = "2026-11-20.jsonl";
    let (ours, theirs) = (left.files()[day].clone(), right.files()[day].clone());
    let new = theirs.lines().filter(|line| !ours.contains(line)).map(|line| format!("{line}\n"));
    let merged = ours.clone() + &new.collect::<String>();
    left.set_files(&[(day.to_owned(), merged)].into());
    let named = |title: &str, label: &str| (title.to_owned(), label.to_owned());
    assert_eq!(labels(&left), [named("Common", "1"), named("Right", "2"), named("Left", "2b")]);
    let next = left.engine("2026-11-21T10:00:00Z", "next");
    let id = open(&next, "Next");
    let label = next.ask(|world| world.rooms.issue.issue(&id).map(|issue| issue.label)).expect("folded");
    assert_eq!(label, Some(Label { number: 3, twin: 0 }));
}
