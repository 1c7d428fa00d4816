//! What is looked at once more before the whole is accepted.

use serde_json::{Value, json};

use super::player::{Played, Player, passes, plan, understood, writes};
use super::ways::insists;
use crate::bus::Party;
use crate::criterion::CheckState;
use crate::ggs::Terminal;
use crate::message::BusMessage;
use crate::plan::CriterionCheck;
use crate::run::RunInput;

fn scripted(player: Player) -> Player {
    let of = |role, answer: fn() -> Value| (role, answer());
    [
        of(Party::Perceiver, understood),
        of(Party::Planner, plan),
        of(Party::Executor, writes),
        of(Party::AgentValidator, passes),
    ]
    .into_iter()
    .fold(player, |player, (role, answer)| player.script(role, &[answer]))
}

fn in_groups() -> Value {
    let part = |sequence: u32, name: &str| {
        let check = json!({ "file": name, "absent": false });
        let criterion = json!({ "text": format!("{name} is there"), "check": check });
        json!({ "sequence": sequence, "intent": format!("make {name}"), "success_criteria": [criterion] })
    };
    let whole = json!({ "text": "all is there", "check": { "file": "c.txt", "absent": false } });
    json!({ "task_criteria": [whole], "subtasks": [part(1, "a.txt"), part(2, "c.txt")] })
}

/// `mv a.txt c.txt` in the second: "a.txt is there" was cited as shown.
#[test]
fn what_a_later_subtask_undid_is_cited_no_more_and_that_is_said() {
    let says = |role: Party| if role == Party::Executor { writes().to_string() } else { in_groups().to_string() };
    let player = |otherwise| Player { otherwise, ..Player::default() };
    let kept = player(says).script(Party::Perceiver, &[understood()]).play();
    assert_eq!(kept.result().directive, Terminal::Accept);
    assert!(kept.result().summary.contains("met: a.txt is there"), "{}", kept.result().summary);

    let mut undone = player(says).script(Party::Perceiver, &[understood()]);
    undone.gone = Some("a.txt");
    let played = undone.play();
    // One of four is within the document's tolerance, and is said.
    let result = played.result();
    assert_eq!((result.directive, result.rationale.as_str()), (Terminal::Success, "success: D 0.25 <= delta 0.3"));
    assert!(!result.summary.contains("\nmet: a.txt is there"), "{}", result.summary);
    let told = "not met: a.txt is there (it was so, and is no more when all is done)";
    assert!(result.summary.contains(told), "{}", result.summary);
}

/// `rm b.*`, a script, an agent: it is not seen in the call, and the files tell in the end.
#[test]
fn what_the_person_forbade_to_change_is_held_against_what_changed() {
    let mut player = Player { words: "write a greeting into hello.txt, and never touch b.txt", ..Player::default() };
    player.otherwise = insists;
    player.check =
        |check| if matches!(check, CriterionCheck::Untouched { .. }) { CheckState::Unmet } else { CheckState::Met };
    let kept = scripted(Player { words: player.words, ..Player::default() }).play();
    assert_eq!(kept.result().directive, Terminal::Accept, "as it was");
    assert_eq!(keys(&kept, |input| matches!(input, RunInput::Undone { .. })), 0);

    let played = scripted(player).play();
    let result = played.result();
    assert_eq!(result.directive, Terminal::Abandon);
    let rounds = played
        .said
        .iter()
        .filter_map(|said| if let BusMessage::ReplanRequest(round) = &said.message { Some(round) } else { None });
    for round in rounds.clone() {
        assert_eq!(round.unmet_demands, 1);
        assert!(round.summary.contains("b.txt stays as it was: the person forbade to change it"), "{}", round.summary);
    }
    let replans = rounds.count() - 1;
    assert_eq!(keys(&played, |input| matches!(input, RunInput::Undone { .. })), replans, "each round begins anew");
}

/// `echo … > text.py`, a script, an agent: the whole-file form and `write` are refused, and the files tell in the end.
#[test]
fn where_something_is_only_added_what_was_there_is_there_still() {
    let adds = |check: fn(&CriterionCheck) -> CheckState| Player {
        words: "add a greeting to hello.txt",
        otherwise: insists,
        check,
        ..Player::default()
    };
    let is_kept = |check: &CriterionCheck| matches!(check, CriterionCheck::Kept { .. });
    let kept = scripted(adds(|_| CheckState::Met)).play();
    assert_eq!(kept.result().directive, Terminal::Accept, "it is");
    let asked = kept
        .inputs
        .iter()
        .filter(|(input, _)| matches!(input, RunInput::Checked { result, .. } if is_kept(&result.check)));
    assert_eq!(asked.count(), 1, "it was looked at");

    let lost =
        scripted(adds(
            |check| {
                if matches!(check, CriterionCheck::Kept { .. }) { CheckState::Unmet } else { CheckState::Met }
            },
        ));
    let result = { lost }.play().result().clone();
    assert_eq!(result.directive, Terminal::Abandon);
    assert!(result.summary.contains("\nnot met: what was there is there still"), "{}", result.summary);

    // The person's own check says when it is done.
    let mut own =
        scripted(adds(
            |check| {
                if matches!(check, CriterionCheck::Kept { .. }) { CheckState::Unmet } else { CheckState::Met }
            },
        ));
    own.checks = vec!["grep -q hello hello.txt".to_owned()];
    assert_eq!(own.play().result().directive, Terminal::Accept);
}

/// `rm tests.py`, and the check holds.
#[test]
fn where_nothing_is_taken_away_every_file_is_there_still() {
    let is_gone = |check: &CriterionCheck| {
        if matches!(check, CriterionCheck::Stays { .. }) { CheckState::Unmet } else { CheckState::Met }
    };
    let of = |words, check: fn(&CriterionCheck) -> CheckState| Player {
        words,
        otherwise: insists,
        check,
        ..Player::default()
    };
    let ended = |player: Player| scripted(player).play().result().clone();
    assert_eq!(ended(of("mend hello.txt", |_| CheckState::Met)).directive, Terminal::Accept);
    let result = ended(of("mend hello.txt", is_gone));
    assert_eq!(result.directive, Terminal::Abandon);
    assert!(result.summary.contains("\nnot met: every file is there still"), "{}", result.summary);
    assert_eq!(ended(of("merge old.txt into hello.txt", is_gone)).directive, Terminal::Accept, "it may be gone");
}

/// The executor writes 5, and nothing counted anything.
#[test]
fn a_figure_that_no_tool_gave_is_not_believed() {
    let counts = |checks: &[&str]| {
        let mut player = Player { words: "write the number of lines of a.csv into hello.txt", ..Player::default() };
        player.otherwise = |role| if role == Party::Executor { writes_five().to_string() } else { insists(role) };
        player.checks = checks.iter().map(|&check| check.to_owned()).collect();
        let of = |role, answer: fn() -> Value| (role, answer());
        let roles = [of(Party::Perceiver, understood), of(Party::Planner, plan), of(Party::AgentValidator, passes)];
        let mut player = roles.into_iter().fold(player, |player, (role, answer)| player.script(role, &[answer]));
        player.play()
    };
    let played = counts(&[]);
    assert_eq!(played.result().directive, Terminal::Abandon);
    let why = "the figure 5 in hello.txt stands in nothing that a tool gave";
    let tells = |message: &BusMessage| matches!(message, BusMessage::CorrectionSignal(signal) if signal.what_was_wrong.contains(why));
    assert!(played.said.iter().any(|said| tells(&said.message)), "the executor is told");
    assert_eq!(counts(&["grep -qx 5 hello.txt"]).result().directive, Terminal::Accept, "the person's check tells");
}

fn writes_five() -> Value {
    let input = json!({ "path": "hello.txt", "content": "5\n" });
    json!({ "calls": [{ "tool": "write", "input": input }], "done": true, "output": "counted" })
}

fn keys(played: &Played, is_one: fn(&RunInput) -> bool) -> usize {
    played.inputs.iter().filter(|(input, _)| is_one(input)).count()
}
