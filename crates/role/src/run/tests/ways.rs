//! The ways that a task can go.

use serde_json::json;

use super::player::{Played, Player, passes, plan, understood, worked, writes};
use crate::bus::Party;
use crate::criterion::CheckState;
use crate::ggs::{CallResult, Directive, Forced, Terminal};
use crate::message::{Abort, BusMessage};
use crate::plan::{CriterionCheck, PastTurn};
use crate::run::{Pace, RunEffect, RunInput, RunLimits, TaskRun, ToolJob};
use crate::tool::ToolCall;

fn plain() -> Player {
    Player::default()
        .script(Party::Perceiver, &[understood()])
        .script(Party::Planner, &[plan()])
        .script(Party::Executor, &[writes()])
        .script(Party::AgentValidator, &[passes()])
}

/// The same again, whatever the solver says.
pub(super) fn insists(role: Party) -> String {
    if role == Party::Planner {
        plan().to_string()
    } else if role == Party::Executor {
        writes().to_string()
    } else if role == Party::AgentValidator {
        passes().to_string()
    } else {
        String::new()
    }
}

fn failed(job: &ToolJob) -> ToolCall {
    ToolCall { result: CallResult::Failed, output: "connection refused".to_owned(), ..worked(job) }
}

#[test]
fn a_plain_task_takes_four_questions_where_code_judges_the_whole() {
    let played = plain().play();
    let roles = [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator];
    assert_eq!(played.asked, roles);
    assert_eq!(played.result().directive, Terminal::Accept);
    let kinds = [
        "request", "task_spec", "memory_query", "memory_answer", "memory_query", "memory_answer", "dispatch_manifest",
        "sub_task", "execution_result", "sub_task_outcome", "outcome_summary", "megram", "final_result",
    ];
    assert_eq!(played.kinds(), kinds);
}

/// Seen with a small model: it was made, and that was all.
#[test]
fn a_plan_that_is_checked_by_what_was_said_to_it_is_asked_for_again() {
    let mut odd = plan();
    odd["task_criteria"][0]["check"]["file"] = json!("what the file is to hold");
    let of = |first| Player { otherwise: insists, ..Player::default() }.script(Party::Planner, &[first]).play();
    let plans = |played: &Played| played.asked.iter().filter(|role| **role == Party::Planner).count();
    assert_eq!((plans(&of(plan())), plans(&of(odd.clone()))), (1, 2));

    // What was said of it is no check either.
    let mut said = plan();
    said["task_criteria"][0]["check"]["contains"] = json!("is no file's name");
    let player = Player { otherwise: insists, ..Player::default() };
    assert_eq!(plans(&player.script(Party::Planner, &[odd, said]).play()), 3);
}

/// Seen with a small model: "calc.py is there" was its whole criterion of a bug that was to be mended.
#[test]
fn what_holds_before_anything_was_done_proves_nothing() {
    let mut player = Player { baseline: CheckState::Met, otherwise: insists, ..Player::default() };
    player = player.script(Party::Perceiver, &[understood()]);
    let played = player.play();
    assert_eq!(played.result().directive, Terminal::Abandon);
    let is_of_plan = |job: &ToolJob| job.subtask_id != "T-proposal";
    assert!(!played.used.iter().any(is_of_plan), "nothing is done for a plan that could not be judged");
    let says_so = |said: &crate::run::BusSaid| {
        let BusMessage::ReplanRequest(round) = &said.message else { return false };
        round.summary.contains("would prove nothing")
    };
    assert!(played.said.iter().any(says_so));
}

/// Seen with a small model: the file was written anew so that it held what the plan had made up.
#[test]
fn a_guess_proves_nothing_and_a_command_beside_it_does() {
    let of = |criteria: serde_json::Value| {
        let mut plan = plan();
        plan["task_criteria"] = criteria.clone();
        plan["subtasks"][0]["success_criteria"] = criteria;
        let player = Player { words: "README.md is wrong; mend it", ..Player::default() };
        player.script(Party::Planner, &[plan.clone(), plan.clone(), plan]).play()
    };
    let looks = json!({ "text": "it is right", "check": { "file": "README.md", "contains": "even numbers" } });
    let runs = json!({ "text": "it is right", "check": { "run": "python3 -m unittest" } });
    let says_so = |said: &crate::run::BusSaid| {
        let BusMessage::ReplanRequest(round) = &said.message else { return false };
        round.summary.contains("texts that the task does not name")
    };
    let guessed = of(json!([looks]));
    let is_planned = |played: &Played| played.kinds().iter().any(|kind| kind == "dispatch_manifest");
    assert!(guessed.said.iter().any(says_so) && !is_planned(&guessed));
    assert!(is_planned(&of(json!([looks, runs]))));
}

/// What failed once before it was done tells again in a later round, when it may hold already.
#[test]
fn a_check_that_failed_before_it_was_done_is_looked_at_no_more() {
    let played = plain().play();
    let baselines = |played: &Played| {
        let is_one = |input: &RunInput| {
            let RunInput::Checked { key, .. } = input else { return false };
            key.is_baseline()
        };
        played.inputs.iter().filter(|(input, _)| is_one(input)).count()
    };
    assert_eq!(baselines(&played), 1);
    let mut again = Player { check: |_| CheckState::Unmet, otherwise: insists, ..Player::default() };
    again = again.script(Party::Perceiver, &[understood()]);
    let played = again.play();
    assert!(played.kinds().iter().filter(|kind| **kind == "dispatch_manifest").count() > 1);
    assert_eq!(baselines(&played), 1);
}

#[test]
fn a_plain_task_takes_five_questions_where_models_judge() {
    let mut plan = plan();
    plan["task_criteria"] = json!([{ "text": "somebody would be glad of it" }]);
    let mut player = Player::default()
        .script(Party::Perceiver, &[understood()])
        .script(Party::Planner, &[plan])
        .script(Party::Executor, &[writes()])
        .script(Party::AgentValidator, &[passes()])
        .script(Party::MetaValidator, &[passes()]);
    let played = player.play();
    assert_eq!(played.asked.len(), 5);
    assert_eq!(played.result().directive, Terminal::Accept);
}

#[test]
fn what_code_finds_missing_is_tried_again_and_planned_anew() {
    let mut player = plain();
    player.check =
        |check| if matches!(check, CriterionCheck::FileAbsent { .. }) { CheckState::Unmet } else { CheckState::Met };
    player.otherwise = insists;
    let played = player.play();
    let result = played.result();
    assert_eq!(result.directive, Terminal::Abandon);
    assert!(played.kinds().contains(&"correction_signal".to_owned()));
    assert!(played.kinds().contains(&"plan_directive".to_owned()));
    assert!(played.kinds().contains(&"draft".to_owned()));
    assert!(!result.summary.contains("I wrote the greeting"), "{}", result.summary);
}

#[test]
fn a_failed_call_is_told_to_the_executor_which_goes_another_way() {
    let mut player = plain();
    player.answers.get_mut(&Party::Executor).expect("scripted").clear();
    let search = json!({ "calls": [{ "tool": "search", "input": { "pattern": "x" } }], "done": false, "output": "" });
    player = player.script(Party::Executor, &[search, writes()]);
    player.tool = |job| if job.request.tool.as_str() == "search" { failed(job) } else { worked(job) };
    let played = player.play();
    assert_eq!(played.result().directive, Terminal::Accept);
    let used: Vec<_> = played.used.iter().map(|job| job.request.tool.as_str()).collect();
    assert_eq!(used, ["glob", "search", "write"], "the first of its own accord");
}

#[test]
fn what_cannot_be_read_is_asked_again_and_in_the_end_done_without() {
    let turn = PastTurn { input: "sort names.txt".to_owned(), summary: "it is sorted".to_owned() };
    for (history, questions) in [(vec![turn], 3), (Vec::new(), 1)] {
        let otherwise = |_| "I'm sorry, I can't do that.".to_owned();
        let played = Player { otherwise, history, ..Player::default() }.play();
        assert_eq!(played.result().directive, Terminal::Abandon);
        let count = |role| played.asked.iter().filter(|asked| **asked == role).count();
        assert_eq!(count(Party::Perceiver), questions, "words that can point at nothing are the goal already");
        assert!(played.result().summary.starts_with("given up: "));
    }
}

#[test]
fn what_cannot_be_taken_back_waits_for_the_person_and_nothing_happens_without_a_yes() {
    let push = json!({ "calls": [{ "tool": "shell", "input": { "command": "git push --force" } }], "done": true, "output": "" });
    for (consent, uses) in [(no as fn(&str) -> bool, 0), (yes, 1)] {
        let mut player = plain();
        player.consent = consent;
        player.answers.get_mut(&Party::Executor).expect("scripted").clear();
        let mut player = player.script(Party::Executor, &[push.clone(), writes()]);
        let played = player.play();
        let pushed = played.used.iter().filter(|job| job.request.tool.as_str() == "shell").count();
        assert_eq!(pushed, uses);
        assert!(played.kinds().contains(&"approval_request".to_owned()));
        assert!(played.kinds().contains(&"approval".to_owned()));
        let is_told = |message: &BusMessage| {
            let BusMessage::ExecutionResult(result) = message else { return false };
            result.tool_calls.iter().any(|call| call.output.contains("did not allow this: not before Friday"))
        };
        assert_eq!(played.said.iter().any(|said| is_told(&said.message)), uses == 0, "the executor hears why");
    }
}

fn no(_: &str) -> bool {
    false
}

fn yes(_: &str) -> bool {
    true
}

#[test]
fn groups_run_one_after_the_other_and_hand_on_what_they_gave() {
    let part = |sequence: u32, intent: &str| {
        json!({
            "sequence": sequence,
            "intent": intent,
            "success_criteria": [{ "text": "it is there", "check": { "file": "hello.txt", "absent": false } }],
        })
    };
    let plan = json!({
        "task_criteria": [{ "text": "all is there", "check": { "file": "hello.txt", "absent": false } }],
        "subtasks": [part(2, "then"), part(1, "first"), part(1, "beside")],
    });
    let mut player = Player::default().script(Party::Perceiver, &[understood()]).script(Party::Planner, &[plan]);
    player.otherwise = |role| if role == Party::Executor { writes().to_string() } else { String::new() };
    let played = player.play();
    assert_eq!(played.result().directive, Terminal::Accept);
    let subtasks = played
        .said
        .iter()
        .filter_map(|said| if let BusMessage::SubTask(subtask) = &said.message { Some(subtask) } else { None });
    let subtasks: Vec<_> = subtasks.collect();
    let of = |intent: &str| subtasks.iter().position(|subtask| subtask.intent == intent).expect("it was sent");
    assert!(of("then") > of("first") && of("then") > of("beside"));
    assert!(subtasks[of("then")].context.contains("I wrote the greeting."), "{:?}", subtasks[of("then")]);
}

#[test]
fn a_person_ends_it_at_any_point_and_memory_hears_nothing_of_that() {
    let whole = plain().play();
    for until in 0..whole.inputs.len() {
        let (mut run, mut effects) = TaskRun::begin(plain().setting(), plain().request());
        for (input, alive_ms) in &whole.inputs[..until] {
            effects.extend(run.take(input.clone(), *alive_ms));
        }
        let end = run.take(RunInput::Heard(BusMessage::Abort(Abort::default())), 1_000);
        let said: Vec<_> = end
            .iter()
            .filter_map(|effect| if let RunEffect::Say(said) = effect { Some(&said.message) } else { None })
            .collect();
        let Some(BusMessage::FinalResult(result)) = said.last() else { panic!("no result: {said:?}") };
        assert_eq!((result.directive, result.forced), (Terminal::Abandon, Some(Forced::Person)));
        assert!(!said.iter().any(|message| matches!(message, BusMessage::Megram(_))));
        assert!(run.has_ended());
        assert_eq!(run.take(RunInput::Heard(BusMessage::Abort(Abort::default())), 1_001), Vec::new());
    }
}

#[test]
fn the_same_inputs_give_the_same_messages() {
    let whole: Played = plain().play();
    let (mut run, mut effects) = TaskRun::begin(plain().setting(), plain().request());
    for (input, alive_ms) in &whole.inputs {
        effects.extend(run.take(input.clone(), *alive_ms));
    }
    let said: Vec<_> = effects
        .into_iter()
        .filter_map(|effect| if let RunEffect::Say(said) = effect { Some(said) } else { None })
        .collect();
    assert_eq!(said.len(), whole.said.len());
    assert!(said.iter().all(|said| whole.said.contains(said)));
}

#[test]
fn an_input_that_nothing_waits_for_changes_nothing() {
    let (mut run, _) = TaskRun::begin(plain().setting(), plain().request());
    let stray =
        RunInput::Answered { key: "planner.r1.1".to_owned().into(), text: plan().to_string(), pace: Pace::default() };
    assert_eq!(run.take(stray, 5), Vec::new());
    let heard = RunInput::Heard(BusMessage::FinalResult(plain().play().result().clone()));
    assert_eq!(run.take(heard, 6), Vec::new());
}

#[test]
fn what_the_round_before_blocked_is_not_planned_again() {
    let logical = |job: &ToolJob| ToolCall {
        result: CallResult::Failed,
        output: "syntax error: wrong approach".to_owned(),
        ..worked(job)
    };
    let mut player = plain();
    player.tool = logical;
    player.check = |_| CheckState::Unmet;
    player.otherwise = insists;
    let played = player.play();
    let manifests = played.said.iter().filter(|said| matches!(said.message, BusMessage::DispatchManifest(_))).count();
    assert_eq!(manifests, 1, "the planner insists on what is blocked: {:?}", played.kinds());
    assert_eq!(played.result().directive, Terminal::Abandon);
}

#[test]
fn a_slow_model_has_more_time_and_a_fast_one_no_less() {
    let meant = RunLimits::default().ggs.time_budget_ms;
    let paced = |tokens, ms| RunLimits::default().at_pace(Pace { tokens, ms }).unwrap_or_default();
    let budget = |tokens, ms| paced(tokens, ms).ggs.time_budget_ms;
    let cases = [
        (100, 2_000, meant),
        (100, 200, meant),
        (100, 10_000, 5 * meant),
        (100, 1_000_000, 12 * meant),
        (3, 1_000_000, meant),
        (u64::MAX / 2_000, u64::MAX, 12 * meant),
    ];
    for (tokens, ms, expected) in cases {
        assert_eq!(budget(tokens, ms), expected, "{tokens} tokens in {ms} ms");
    }
}

/// What failed is not in the way of another approach; a refinement goes on with what is there.
#[test]
fn a_new_approach_begins_from_what_was_there_at_first() {
    let undos = |played: &Played| {
        let of = |input: &RunInput| if let RunInput::Undone { key, .. } = input { Some(key.to_string()) } else { None };
        let all = played.inputs.iter().filter_map(|(input, _)| of(input));
        all.filter(|key| !key.starts_with("undo.proposal")).collect::<Vec<_>>()
    };
    let directives = |played: &Played| {
        let of = |said: &crate::run::BusSaid| {
            if let BusMessage::PlanDirective(said) = &said.message { Some(said.directive) } else { None }
        };
        played.said.iter().filter_map(of).collect::<Vec<_>>()
    };
    let mut player = Player { check: |_| CheckState::Unmet, otherwise: insists, ..Player::default() };
    player = player.script(Party::Perceiver, &[understood()]);
    let played = player.play();
    let is_new = |directive: &Directive| matches!(directive, Directive::ChangeApproach | Directive::BreakSymmetry);
    assert_eq!(undos(&played).len(), directives(&played).iter().filter(|one| is_new(one)).count());
    assert!(!undos(&played).is_empty(), "{:?}", directives(&played));
}
