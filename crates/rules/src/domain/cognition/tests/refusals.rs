//! What a mind does not take.

use super::super::Amount;
use super::super::command::{Command, Feel, Focus, SetTone, Think};
use super::super::critic::{Tone, ToneReason};
use super::super::goal::GoalKind;
use super::super::metacognition::MOST_FOCUS;
use super::super::refusal::Refusal;
use super::room::{TestRoom, goal};
use annals_kernel::actor::Standing;

fn feel() -> Feel {
    Feel { session: "s".into(), ..Feel::default() }
}

#[test]
fn something_must_be_said() {
    for command in [Command::from(feel()), Think { session: "s".into(), ..Think::default() }.into()] {
        assert_eq!(TestRoom::new().agent(command), Err(Refusal::NothingSaid));
    }
}

#[test]
fn numbers_stay_in_their_range_and_lists_and_texts_in_their_length() {
    let mut room = TestRoom::new();
    let valence = Feel { valence: Some(Amount::thousandths(1001)), ..feel() };
    assert_eq!(room.agent(valence), Err(Refusal::OutOfRange { what: "a valence", low: -1, high: 1 }));
    let strength = Feel { strength: Some(11), ..feel() };
    assert_eq!(room.agent(strength), Err(Refusal::OutOfRange { what: "a strength", low: 1, high: 10 }));
    let focus = vec!["gate".into(); MOST_FOCUS + 1];
    let think = Think { session: "s".into(), focus: Some(focus), ..Think::default() };
    assert_eq!(room.agent(think), Err(Refusal::TooMany { what: "things in focus", most: MOST_FOCUS }));
    let mood = Feel { trigger: Some("x".repeat(2001).into()), ..feel() };
    assert_eq!(room.agent(mood), Err(Refusal::TooMany { what: "a_text", most: 2000 }));
}

#[test]
fn there_is_one_aim_at_a_time_and_no_focus_where_nothing_is_worked_on() {
    let mut room = TestRoom::new();
    let back = || Focus { session: "s".into(), goal: None };
    assert_eq!(room.agent(back()), Err(Refusal::NoFocus));
    room.agent(goal(GoalKind::Primary, "bake a pie", &[])).expect("added");
    let first = room.goals().primary_goal.as_ref().expect("a goal").id.clone();
    assert_eq!(room.agent(goal(GoalKind::Primary, "bake bread", &[])), Err(Refusal::SecondPrimary { goal: first }));
}

#[test]
fn the_configuration_may_hold_the_tone() {
    let mut room = TestRoom::new();
    let set = |tone| SetTone { session: "s".into(), tone, reason: ToneReason::User, cause: None };
    room.ask("user", Standing::User, set(Tone::Direct)).expect("a milder tone");
    for (key, tone) in
        [("analysis.critic.allow_user_escalation", Tone::Harsh), ("analysis.critic.allow_user_override", Tone::Neutral)]
    {
        room.settings.set(key, Some(false.into()));
        assert_eq!(room.ask("user", Standing::User, set(tone)), Err(Refusal::Held { setting: key }));
    }
}
