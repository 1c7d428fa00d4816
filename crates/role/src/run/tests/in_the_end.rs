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

fn keys(played: &Played, is_one: fn(&RunInput) -> bool) -> usize {
    played.inputs.iter().filter(|(input, _)| is_one(input)).count()
}
