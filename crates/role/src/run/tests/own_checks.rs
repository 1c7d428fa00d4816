//! Tasks that the person says how to check.

use super::player::{Played, Player, passes, plan, understood, worked, writes};
use serde_json::json;

use crate::bus::Party;
use crate::criterion::CheckState;
use crate::ggs::Terminal;
use crate::message::{BusMessage, DispatchManifest, MemoryAction, MemoryAnswer, Remembered};
use crate::plan::{Criterion, CriterionCheck, PastTurn};
use crate::run::ToolJob;
use crate::tool::{ToolCall, ToolName};

const CHECK: &str = "grep -q hello hello.txt";

fn checked() -> Player {
    Player { checks: vec![CHECK.to_owned()], ..Player::default() }
}

fn own() -> Vec<Criterion> {
    let check = Some(CriterionCheck::Run { run: CHECK.to_owned(), expect_exit: 0 });
    vec![Criterion { text: format!("`{CHECK}` ends with 0"), check }]
}

/// A project without the file that is to be made.
fn is_new(job: &ToolJob) -> ToolCall {
    let output = if job.request.tool == ToolName::Glob { "no file" } else { "wrote the greeting" };
    ToolCall { output: output.to_owned(), ..worked(job) }
}

fn manifests(played: &Played) -> Vec<DispatchManifest> {
    let of =
        |message: &BusMessage| if let BusMessage::DispatchManifest(one) = message { Some(one.clone()) } else { None };
    played.said.iter().filter_map(|said| of(&said.message)).collect()
}

fn with_all(player: Player) -> Player {
    player
        .script(Party::Perceiver, &[understood()])
        .script(Party::Planner, &[plan()])
        .script(Party::Executor, &[writes()])
        .script(Party::AgentValidator, &[passes()])
}

#[test]
fn one_question_is_enough_where_the_check_tells() {
    let player = Player { tool: is_new, ..checked() };
    let played = player.script(Party::Executor, &["```\nhello\n```".into()]).play();
    assert_eq!(played.asked, [Party::Executor]);
    assert_eq!(played.result().directive, Terminal::Accept);
    let [manifest] = manifests(&played).try_into().expect("one plan");
    assert_eq!(manifest.task_criteria, own());
    let [subtask] = manifest.subtasks.try_into().expect("one subtask");
    assert_eq!((subtask.intent.as_str(), subtask.success_criteria), ("write a greeting into hello.txt", own()));
    let used: Vec<_> = played.used.iter().map(|job| job.request.tool.as_str()).collect();
    assert_eq!(used, ["glob", "write", "read"]);
}

#[test]
fn a_check_that_never_holds_is_never_claimed_to() {
    let mut player = Player { check: |_| CheckState::Unmet, otherwise: |_| plan().to_string(), ..checked() };
    player = player.script(Party::Executor, &["```\nhello\n```".into()]);
    let played = player.play();
    assert_eq!(played.result().directive, Terminal::Abandon);
    assert!(played.asked.contains(&Party::Planner), "a model plans what the words alone did not bring about");
    assert!(manifests(&played).iter().all(|manifest| manifest.task_criteria == own()), "and cannot take it away");
}

#[test]
fn what_holds_already_is_to_hold_in_the_end_too_and_proves_nothing_by_itself() {
    let played = with_all(Player { baseline: CheckState::Met, ..checked() });
    let played = Player { otherwise: |_| plan().to_string(), ..played }.play();
    assert_eq!(played.result().directive, Terminal::Abandon, "its plan would prove nothing either");

    let guarded = with_all(Player { baseline: CheckState::CouldNotRun, ..checked() }).play();
    assert_eq!(guarded.asked, [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator]);
    let [manifest] = manifests(&guarded).try_into().expect("one plan");
    assert_eq!(manifest.task_criteria.last(), own().first(), "beside those of the plan");
    assert_eq!(manifest.subtasks[0].success_criteria.len(), 2);
}

#[test]
fn words_that_may_point_at_earlier_ones_are_understood_first() {
    let turn = PastTurn { input: "sort names.txt".to_owned(), summary: "it is sorted".to_owned() };
    let played = with_all(Player { history: vec![turn], ..checked() }).play();
    assert_eq!(played.asked, [Party::Perceiver, Party::Executor]);
    assert_eq!(played.result().directive, Terminal::Accept);
}

#[test]
fn a_model_plans_where_memory_has_something_to_say() {
    let known = Remembered {
        space: "intent:write_a_greeting".to_owned(),
        entity: "env:local".to_owned(),
        action: MemoryAction::Caution,
        content: vec!["the folder is full".to_owned()],
    };
    let memory = MemoryAnswer { remembered: vec![known] };
    let played = with_all(Player { memory, ..checked() }).play();
    assert!(played.asked.contains(&Party::Planner));
    let [manifest] = manifests(&played).try_into().expect("one plan");
    assert_eq!((manifest.task_criteria, manifest.subtasks[0].success_criteria.clone()), (own(), own()));
}

/// Four easy subtasks matched, and the one check that counts failed: D is small, and it is no success.
#[test]
fn what_the_person_checks_it_by_is_no_tolerance() {
    let easy = |name: &str| {
        let criterion = json!({ "text": format!("{name} is there"), "check": { "file": name, "absent": false } });
        json!({ "sequence": 1, "intent": format!("write {name}"), "success_criteria": [criterion] })
    };
    let subtasks: Vec<_> = ["a.txt", "b.txt", "c.txt", "d.txt"].map(easy).into();
    let plan = json!({ "task_criteria": ["all is there"], "subtasks": subtasks });
    let says = |role: Party| if role == Party::Executor { writes().to_string() } else { String::new() };
    let mut player = Player { otherwise: says, history: vec![turn()], ..checked() };
    player.check =
        |check| if matches!(check, CriterionCheck::Run { .. }) { CheckState::Unmet } else { CheckState::Met };
    let plans = vec![plan; 20];
    let played = player.script(Party::Perceiver, &[understood()]).script(Party::Planner, &plans).play();
    let result = played.result();
    assert_eq!(result.directive, Terminal::Abandon, "{}", result.rationale);
    let why = |message: &BusMessage| {
        if let BusMessage::PlanDirective(said) = message { Some(said.rationale.clone()) } else { None }
    };
    let whys: Vec<_> = played.said.iter().filter_map(|said| why(&said.message)).collect();
    assert!(whys.iter().any(|why| why.contains("what the person demands and does not hold: 1, D 0.2")), "{whys:?}");
}

fn turn() -> PastTurn {
    PastTurn { input: "sort names.txt".to_owned(), summary: "it is sorted".to_owned() }
}
