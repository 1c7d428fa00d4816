//! What a task that is given up leaves for the person to look at.

use serde_json::{Value, json};

use super::player::{Played, Player, plan, understood, worked};
use super::ways::insists;
use crate::bus::Party;
use crate::criterion::CheckState;
use crate::delegate::{AgentEnd, AgentOutcome};
use crate::ggs::{CallResult, Terminal};
use crate::message::{Abort, BusMessage};
use crate::plan::CriterionCheck;
use crate::run::{GivenUp, RunEffect, RunInput, RunSetting, TaskRun, ToolJob, Undone};
use crate::tool::ToolCall;

/// A plan whose check can never hold: what is right is undone, and the task is given up.
fn hopeless() -> Player {
    let player = Player { check: never_what_it_says, otherwise: insists, ..Player::default() };
    player.script(Party::Perceiver, &[understood()])
}

/// Files are as the words want them, and never as a plan does.
fn never_what_it_says(check: &CriterionCheck) -> CheckState {
    match check {
        CriterionCheck::Untouched { .. }
        | CriterionCheck::Kept { .. }
        | CriterionCheck::Stays { .. }
        | CriterionCheck::Parses { .. } => CheckState::Met,
        CriterionCheck::FileContains { .. }
        | CriterionCheck::FileMatches { .. }
        | CriterionCheck::FileAbsent { .. }
        | CriterionCheck::Run { .. }
        | CriterionCheck::OutputMatches { .. } => CheckState::Unmet,
    }
}

/// What was done for the proposal, in order: tools by name, checks by what they are of, the workspace undone.
fn steps(played: &Played) -> Vec<String> {
    let of = |(input, _): &(RunInput, u64)| match input {
        RunInput::Used { key, call } if key.as_str().contains("-proposal") => Some(call.request.tool.to_string()),
        RunInput::Checked { key, result } if key.as_str().contains("-proposal") => {
            let check = serde_json::to_value(&result.check).expect("JSON");
            check.as_object().and_then(|members| members.keys().next().cloned())
        }
        RunInput::Undone { key, .. } if key.as_str().contains("proposal") => Some(key.to_string()),
        RunInput::Answered { .. }
        | RunInput::Used { .. }
        | RunInput::Delegated { .. }
        | RunInput::NeedsApproval { .. }
        | RunInput::Checked { .. }
        | RunInput::Undone { .. }
        | RunInput::Heard(_) => None,
    };
    played.inputs.iter().filter_map(of).collect()
}

fn proposal(played: &Played) -> Option<&str> {
    let result = played.result();
    assert_eq!(result.directive, Terminal::Abandon, "a proposal is no claim");
    let is_said = result.summary.lines().any(|line| line.starts_with("proposed: ") && line.ends_with("(unverified)"));
    assert_eq!(is_said, result.proposal.is_some());
    result.proposal.as_deref()
}

#[test]
fn what_the_words_ask_for_is_tried_once_more_from_what_was_there_at_first() {
    let played = hopeless().play();
    assert_eq!(proposal(&played), Some("T-proposal"));
    assert_eq!(steps(&played), ["undo.proposal", "glob", "write", "untouched", "parses", "stays"]);
    let asked = played.said.iter().find_map(|said| {
        let BusMessage::SubTask(subtask) = &said.message else { return None };
        (subtask.subtask_id == "T-proposal").then_some(subtask.intent.as_str())
    });
    assert_eq!(asked, Some("write a greeting into hello.txt"), "the words themselves");
    let kinds = played.kinds();
    let tail = ["sub_task", "execution_result", "draft_request", "draft", "megram", "final_result"];
    assert_eq!(kinds[kinds.len() - tail.len()..], tail, "nobody judges it, and memory hears of the task alone");
}

#[test]
fn what_would_be_refused_in_any_task_is_undone_again() {
    type Paper = fn(&CriterionCheck) -> CheckState;
    let breaks: [(&str, Paper); 4] = [
        ("write a greeting into hello.txt", |check| found(check, |one| matches!(one, CriterionCheck::Parses { .. }))),
        ("write a greeting into hello.txt", |check| found(check, |one| matches!(one, CriterionCheck::Stays { .. }))),
        ("add a greeting to hello.txt", |check| found(check, |one| matches!(one, CriterionCheck::Kept { .. }))),
        ("write hello.txt, never touch b.txt", |check| {
            found(check, |one| matches!(one, CriterionCheck::Untouched { .. }))
        }),
    ];
    for (words, check) in breaks {
        let player = Player { words, check, otherwise: insists, ..Player::default() };
        let played = player.script(Party::Perceiver, &[understood()]).play();
        assert_eq!(proposal(&played), None, "{words}");
        assert_eq!(steps(&played).last().map(String::as_str), Some("undo.proposal.back"), "{words}");
    }
}

fn found(check: &CriterionCheck, is_broken: fn(&CriterionCheck) -> bool) -> CheckState {
    if is_broken(check) { CheckState::CouldNotRun } else { never_what_it_says(check) }
}

#[test]
fn what_changes_nothing_is_no_proposal() {
    fn broken(job: &ToolJob) -> ToolCall {
        ToolCall { result: CallResult::Failed, output: "connection refused".to_owned(), ..worked(job) }
    }
    let played = Player { tool: broken, changed: CheckState::Met, ..hopeless() }.play();
    assert_eq!((proposal(&played), steps(&played).last().map(String::as_str)), (None, Some("undo.proposal.back")));
    let same = Player { changed: CheckState::Met, ..hopeless() }.play();
    assert_eq!((proposal(&same), steps(&same).last().map(String::as_str)), (None, Some("undo.proposal.back")));
    let silent = |role| if role == Party::Executor { "I cannot.".to_owned() } else { insists(role) };
    assert_eq!(proposal(&Player { otherwise: silent, ..hopeless() }.play()), None);
}

#[test]
fn a_figure_that_was_made_up_is_no_proposal() {
    fn writes_five() -> Value {
        let input = json!({ "path": "hello.txt", "content": "5\n" });
        json!({ "calls": [{ "tool": "write", "input": input }], "done": true, "output": "counted" })
    }
    let otherwise = |role| if role == Party::Executor { writes_five().to_string() } else { insists(role) };
    let words = "write the number of lines of a.csv into hello.txt";
    let played = Player { otherwise, words, ..hopeless() }.play();
    assert_eq!((proposal(&played), steps(&played).last().map(String::as_str)), (None, Some("undo.proposal.back")));
}

/// The person would be asked about a task that is given up already.
#[test]
fn what_cannot_be_taken_back_is_no_proposal_and_nobody_is_asked() {
    fn pushes() -> Value {
        let push = json!({ "tool": "shell", "input": { "command": "git push --force" } });
        json!({ "calls": [push], "done": true, "output": "pushed" })
    }
    let otherwise = |role| if role == Party::Executor { pushes().to_string() } else { insists(role) };
    let played = Player { otherwise, consent: |_| true, ..hopeless() }.play();
    assert_eq!(proposal(&played), None);
    let asked = |said: &&crate::run::BusSaid| matches!(&said.message, BusMessage::ApprovalRequest(asked) if asked.subtask_id == "T-proposal");
    assert_eq!(played.said.iter().filter(asked).count(), 0);
    let is_push = |job: &&ToolJob| job.request.input["command"] == "git push --force";
    let pushed: Vec<_> = played.used.iter().filter(is_push).filter(|job| job.subtask_id == "T-proposal").collect();
    assert_eq!(pushed, Vec::<&ToolJob>::new(), "it was not run");
}

#[test]
fn nothing_is_proposed_where_there_is_more_to_lose() {
    let nothing = |player: Player, why: &str| {
        let played = { player }.play();
        assert_eq!((proposal(&played), steps(&played)), (None, Vec::new()), "{why}");
    };
    let part = |check: &CriterionCheck| {
        let is_of_task = matches!(check, CriterionCheck::FileContains { .. });
        if is_of_task { CheckState::Unmet } else { CheckState::Met }
    };
    nothing(Player { check: part, ..hopeless() }, "a criterion of the last round holds");
    nothing(Player { checks: vec!["grep -q hello hello.txt".to_owned()], ..hopeless() }, "the person's check tells");
    nothing(Player { step_ms: 60_000, ..hopeless() }, "the time is used up");
    let agent = |_: &crate::delegate::AgentJob| AgentOutcome::silent(AgentEnd::Exited { code: 2 });
    nothing(Player { agent: Some(agent), ..hopeless() }, "an agent made the attempts");
}

/// The rounds after it have no plan: what the first left is there still, unless another approach began from what was there.
#[test]
fn what_code_found_to_hold_stays_until_it_is_undone() {
    let part = |check: &CriterionCheck| {
        let is_of_task = matches!(check, CriterionCheck::FileContains { .. });
        if is_of_task { CheckState::Unmet } else { CheckState::Met }
    };
    let dumb = |role| if role == Party::Planner { "no plan".to_owned() } else { insists(role) };
    let rounds_stay = |job: &crate::run::UndoJob| match job.key.as_str() {
        "undo.proposal" => Undone::All { files: Vec::new() },
        _ => Undone::Not { why: "it is held open".to_owned() },
    };
    let of = |player: Player| {
        let player = Player { check: part, otherwise: dumb, ..player };
        player.script(Party::Planner, &[plan()]).play()
    };
    assert_eq!(proposal(&of(hopeless())), Some("T-proposal"), "it was undone on the way");
    let played = of(Player { undo: rounds_stay, ..hopeless() });
    assert_eq!((proposal(&played), steps(&played)), (None, Vec::new()));
}

/// The person's own folder: nobody knows who changed what in it meanwhile.
#[test]
fn nothing_is_put_on_top_of_what_cannot_be_undone() {
    let undo = |_: &crate::run::UndoJob| Undone::Not { why: "the folder is your own".to_owned() };
    let played = Player { undo, ..hopeless() }.play();
    assert_eq!((proposal(&played), steps(&played)), (None, vec!["undo.proposal".to_owned()]));
    // What cannot be undone in the end is said to be there, though not as a proposal.
    let back = |job: &crate::run::UndoJob| match job.key.as_str() {
        "undo.proposal.back" => Undone::Not { why: "it is held open".to_owned() },
        _ => Undone::All { files: Vec::new() },
    };
    let check = |check: &CriterionCheck| found(check, |one| matches!(one, CriterionCheck::Stays { .. }));
    assert_eq!(proposal(&Player { undo: back, check, ..hopeless() }.play()), None);
}

/// What the solver blocked was for plans.
#[test]
fn tools_that_the_solver_blocked_are_open_again() {
    fn only_the_proposal(job: &ToolJob) -> ToolCall {
        let output = "permission denied".to_owned();
        if job.subtask_id == "T-proposal" {
            worked(job)
        } else {
            ToolCall { result: CallResult::Failed, output, ..worked(job) }
        }
    }
    let played = Player { tool: only_the_proposal, ..hopeless() }.play();
    let blocked = played.said.iter().any(|said| {
        matches!(&said.message, BusMessage::PlanDirective(directive) if directive.blocked_tools.contains(&"write".to_owned()))
    });
    assert!(blocked);
    assert_eq!(proposal(&played), Some("T-proposal"));
}

#[test]
fn whoever_wants_no_more_of_it_ends_it_amid_a_proposal() {
    let player = hopeless();
    let (mut run, _) = TaskRun::begin(player.setting(), player.request());
    let amid = |(input, _): &(RunInput, u64)| !matches!(input, RunInput::Used { key, .. } if key.as_str().contains("-proposal"));
    for (input, alive_ms) in hopeless().play().inputs.into_iter().take_while(amid) {
        run.take(input, alive_ms);
    }
    assert!(!run.has_ended());
    let effects = run.take(RunInput::Heard(BusMessage::Abort(Abort { by: None })), 0);
    assert!(run.has_ended());
    assert_eq!(run.pending().count(), 0);
    let Some(RunEffect::Say(said)) = effects.last() else { panic!("it has an end") };
    let BusMessage::FinalResult(result) = &said.message else { panic!("it has an end") };
    assert_eq!((result.directive, result.proposal.as_deref()), (Terminal::Abandon, None));
}

#[test]
fn a_task_that_began_before_leaves_what_its_last_round_left() {
    let mut setting = serde_json::to_value(hopeless().setting()).expect("JSON");
    setting.as_object_mut().expect("an object").remove("given_up");
    let setting: RunSetting = serde_json::from_value(setting).expect("a setting of before");
    assert_eq!(setting.given_up, GivenUp::AsItIs);
}
