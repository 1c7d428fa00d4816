//! Goals: who sets them, what they count, and how they end.

use super::super::command::{DropGoal, SetGoal};
use super::super::goal::{Deadline, End, GoalEnding, GoalMetric};
use super::*;
use annals_kernel::period::Period;

fn goal(metric: GoalMetric, target: u32, deadline: Option<Deadline>) -> SetGoal {
    SetGoal { agent: None, metric, target, deadline, description: "would it not be fine".into() }
}

fn set(state: &mut State, goal: SetGoal) -> Box<str> {
    let outcome = ask(state, "mod", 1, goal);
    let Some(Event::GoalSet(set)) = outcome.events.first() else { panic!("{outcome:?}") };
    set.goal.clone()
}

fn ending(state: &State, over: Option<Period>, minute: u64) -> Option<GoalEnding> {
    let now = moment("system", minute, &Settings::default()).at;
    state.totals.goals.values().find_map(|goal| goal.ending(over, now, 5))
}

/// Control-room 11.9.
#[test]
fn goals_are_set_by_the_user_and_the_moderator_alone() {
    for (actor, may) in [("user", true), ("mod", true), ("writer", false), ("assistant", false), ("stranger", false)] {
        let refusal = ask(&mut swarm(), actor, 1, goal(GoalMetric::TotalCredits, 1, None)).refusal;
        let expected = (!may).then(|| Refusal::NotAGoalSetter { actor: actor.into() });
        assert_eq!(refusal, expected, "{actor}");
    }
}

#[test]
fn a_goal_has_a_target_a_time_to_come_and_somebody_of_the_roster() {
    let past = Some(Deadline::Time(moment("mod", 1, &Settings::default()).at));
    let ghost = SetGoal { agent: Some("ghost".into()), ..goal(GoalMetric::TotalCredits, 1, None) };
    for (goal, refusal) in [
        (goal(GoalMetric::TotalCredits, 0, None), Refusal::NoTarget),
        (goal(GoalMetric::ZeroPenalties, 1, None), Refusal::NoDeadline),
        (goal(GoalMetric::TotalCredits, 1, past), Refusal::PastDeadline),
        (ghost, Refusal::UnknownAgent { agent: "ghost".into() }),
    ] {
        assert_eq!(ask(&mut swarm(), "mod", 1, goal).refusal, Some(refusal));
    }
    let mut state = swarm();
    for minute in 1..=20 {
        assert_eq!(ask(&mut state, "mod", minute, goal(GoalMetric::TotalCredits, 1, None)).refusal, None);
    }
    let refusal = ask(&mut state, "mod", 21, goal(GoalMetric::TotalCredits, 1, None)).refusal;
    assert_eq!(refusal, Some(Refusal::TooManyGoals { most: 20 }));
}

/// Control-room 11.9: all six metrics.
#[test]
fn each_metric_counts_what_it_says_from_when_it_was_set() {
    for (metric, current) in [
        (GoalMetric::TotalCredits, 3000),
        (GoalMetric::VerifiedCitations, 4),
        (GoalMetric::IssuesResolved, 1),
        (GoalMetric::IssuesAppliedInWork, 1),
        (GoalMetric::ZeroPenalties, 0),
        (GoalMetric::DevilsAdvocateConsultations, 1),
    ] {
        let mut state = swarm();
        take(&mut state, 0, awarded("writer", 9000, CreditReason::UserMarkedHelpful, "user"));
        let id = set(&mut state, goal(metric, 100, Some(Deadline::End(End::Session))));
        for event in citing("writer", 4, 1) {
            take(&mut state, 2, event);
        }
        take(&mut state, 3, awarded("critic", 1000, CreditReason::ConsultedDevilsAdvocate, "system"));
        take(&mut state, 4, awarded("critic", 3000, CreditReason::ProposalAcceptedByUser, "user"));
        let at = Timestamp::from_millis(5 * 60_000);
        for entry in [EntryId::new(at, 1), EntryId::new(at, 2)] {
            state.resolved(&issue(), &"writer".into(), entry, at);
        }
        state.applied(None, EntryId::new(at, 3), at);
        assert_eq!(state.totals.goals[&id].current(), current, "{metric}");
    }
}

#[test]
fn the_goal_of_one_counts_nobody_else() {
    let mut state = swarm();
    let own = SetGoal { agent: Some("writer".into()), ..goal(GoalMetric::TotalCredits, 1, None) };
    set(&mut state, own);
    take(&mut state, 2, awarded("critic", 9000, CreditReason::UserMarkedHelpful, "user"));
    assert_eq!(ending(&state, None, 3), None);
    take(&mut state, 3, awarded("writer", 1000, CreditReason::UserMarkedHelpful, "user"));
    assert_eq!(ending(&state, None, 4), Some(GoalEnding::Achieved));
}

/// Control-room 11.9: session-end, chapter-end, act-end, and a time.
#[test]
fn a_goal_is_missed_when_its_time_is_over() {
    for (end, period) in [(End::Session, Period::Session), (End::Chapter, Period::Chapter), (End::Act, Period::Act)] {
        let mut state = swarm();
        set(&mut state, goal(GoalMetric::TotalCredits, 1, Some(Deadline::End(end))));
        for other in Period::ALL {
            let expected = (*other == period).then_some(GoalEnding::Missed);
            assert_eq!(ending(&state, Some(*other), 2), expected, "{end} when a {other} ends");
        }
    }
    let mut state = swarm();
    let at = moment("mod", 10, &Settings::default()).at;
    set(&mut state, goal(GoalMetric::TotalCredits, 1, Some(Deadline::Time(at))));
    assert_eq!((ending(&state, None, 10), ending(&state, None, 11)), (None, Some(GoalEnding::Missed)));
    take(&mut state, 12, awarded("writer", 9000, CreditReason::UserMarkedHelpful, "user"));
    assert_eq!(ending(&state, None, 13), Some(GoalEnding::Missed), "what comes too late does not count");
}

/// Control-room 11.9: a goal of no penalties is reached at its deadline, by those who did something.
#[test]
fn a_goal_of_no_penalties_is_judged_when_its_time_is_over() {
    let deadline = Some(Deadline::End(End::Session));
    for (actions, penalty, expected) in
        [(5, false, GoalEnding::Achieved), (4, false, GoalEnding::Missed), (9, true, GoalEnding::Missed)]
    {
        let mut state = swarm();
        set(&mut state, goal(GoalMetric::ZeroPenalties, 1, deadline));
        for number in 0..actions {
            let entry = EntryId::new(Timestamp::from_millis(60_001 + number), 1);
            state.acted(&"writer".into(), &"m".into(), entry, entry.time());
        }
        if penalty {
            take(&mut state, 2, awarded("writer", -1000, CreditReason::CircuitBreakerTriggered, "system"));
        }
        assert_eq!(ending(&state, None, 3), None);
        assert_eq!(ending(&state, Some(Period::Session), 3), Some(expected), "{actions} actions, {penalty}");
    }
}

#[test]
fn a_goal_ends_once() {
    use super::super::event::{GoalAchieved, GoalDropped};
    let mut state = swarm();
    let id = set(&mut state, goal(GoalMetric::TotalCredits, 1, None));
    take(&mut state, 2, GoalAchieved { goal: id.clone(), agent: None, current: 1000 });
    let before = state.clone();
    take(&mut state, 3, GoalAchieved { goal: id.clone(), agent: None, current: 1000 });
    take(&mut state, 3, GoalDropped { goal: id.clone() });
    assert!(state == before, "two branches may both have seen it");
    let refusal = ask(&mut state, "mod", 4, DropGoal { goal: id.clone() }).refusal;
    assert_eq!(refusal, Some(Refusal::UnknownGoal { goal: id }));
}

#[test]
fn a_goal_can_be_taken_back() {
    let mut state = swarm();
    let id = set(&mut state, goal(GoalMetric::TotalCredits, 1, None));
    assert_eq!(ask(&mut state, "user", 2, DropGoal { goal: id.clone() }).refusal, None);
    let ended = state.ended.get(&id).and_then(|goal| goal.ended);
    assert_eq!((state.totals.goals.len(), ended.map(|ended| ended.how)), (0, Some(GoalEnding::Dropped)));
}
