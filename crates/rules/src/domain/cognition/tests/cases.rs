//! AFS 4: cases of the upstream tests, limits, lists.

use std::collections::BTreeMap;

use super::super::command::{AddFact, Feel};
use super::super::emotion::{Frustration, MOST_FEELINGS, MOST_MOODS};
use super::super::epistemic::EpistemicState;
use super::super::goal::{CONFLICTS, GoalKind, GoalStatus};
use super::super::limits::CognitionLimits;
use super::super::metacognition::{Help, Load, Progress, percent};
use super::super::mind::Mind;
use super::super::refusal::Refusal;
use super::super::watch::{EndedCall, Watch};
use super::room::{TestRoom, goal, progress};
use annals_kernel::call::{Action, Call, CallKind};
use annals_kernel::envelope::Ending;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// One after the other, none of them beside another.
fn ended(ending: Ending) -> EndedCall {
    let at = Timestamp::from_millis(0);
    EndedCall { ending, at, asked_at: at }
}

fn limits() -> CognitionLimits {
    CognitionLimits::of(&Settings::default())
}

fn call(action: &str) -> Call<'_> {
    let (kind, action) = (CallKind::Shell, Action::of("Bash", action));
    Call { kind, tool: "x".into(), target: "".into(), file: None, action }
}

fn after(actions: &[&str]) -> Mind {
    let mut mind = Mind::default();
    for action in actions {
        mind.watch.call(&call(action), ended(Ending::Succeeded), None);
    }
    mind
}

/// AFS 4.2, `spin_detection`; the counter is of repetitions after the first action.
#[test]
fn the_same_action_five_times_in_a_row_is_spinning() {
    for (actions, expected) in [
        (&["a", "a", "a", "b", "a", "a", "a"][..], (2, Progress::MakingProgress)),
        (&["a", "a", "a", "a", "a"], (4, Progress::Spinning)),
        (&["a", "a", "a", "a"], (3, Progress::MakingProgress)),
        (&["a", "a", "a", "a", "a", "b"], (0, Progress::MakingProgress)),
    ] {
        let mind = after(actions);
        assert_eq!((mind.watch.repeats, mind.brief(&limits()).progress), expected, "{actions:?}");
    }
}

/// AFS 5.3, `tool-repetition`: five reads of different files are how one reads oneself in.
#[test]
fn only_what_brings_nothing_new_repeats_a_tool() {
    let read = |file: &'static str| Call { tool: "Read".into(), ..call(file) };
    for (files, ending, expected) in [
        (["a", "b", "c", "d", "e"], Ending::Succeeded, 1),
        (["a", "a", "a", "a", "a"], Ending::Succeeded, 1),
        (["a", "b", "c", "d", "e"], Ending::Failed, 5),
    ] {
        let mut watch = Watch::default();
        for file in files {
            watch.call(&read(file), ended(ending), None);
        }
        assert_eq!(watch.same_tool, expected, "{files:?} {ending:?}");
    }
}

#[test]
fn what_a_person_asks_for_again_is_no_repetition() {
    let mut mind = after(&["a", "a", "a", "a"]);
    mind.watch.prompt();
    mind.watch.call(&call("a"), ended(Ending::Succeeded), None);
    assert_eq!((mind.watch.repeats, mind.watch.same_tool), (0, 1));
}

#[test]
fn waiting_is_no_repetition_and_no_failure() {
    let mut mind = after(&["a"]);
    let before = mind.watch.clone();
    let wait = Call { kind: CallKind::Wait, ..call("w") };
    (0..9).for_each(|_| mind.watch.call(&wait, ended(Ending::Failed), None));
    assert_eq!(mind.watch, before);
}

/// AFS 4.2, `cognitive_load`: seven things at most.
#[test]
fn load_is_what_is_in_focus_of_seven() {
    for (items, text, overloaded) in
        [(0, "0 %", false), (4, "57 %", false), (6, "85 %", false), (7, "100 %", true), (9, "100 %", true)]
    {
        let load = Load::of(items, 7);
        assert_eq!((percent(load.current), load.is_overloaded()), (text.to_owned(), overloaded), "{items}");
    }
}

/// AFS 4.2, `help_seeking`: strictly more than 0.3.
#[test]
fn uncertainty_at_the_limit_needs_no_help() {
    let asks = |uncertainty, failures| Help::of(Share::thousandths(uncertainty), failures, &limits()).should_ask_user;
    assert_eq!([asks(300, 0), asks(301, 0), asks(0, 1), asks(0, 2)], [false, true, false, true]);
}

/// AFS 4.2, `flow_state`: six things in focus are in its way.
#[test]
fn work_flows_when_nothing_is_in_its_way() {
    let mut mind = after(&["a", "b", "c", "d", "e"]);
    assert_eq!(mind.brief(&limits()).obstacle(&limits()), None);
    let state = |change: &dyn Fn(&mut Mind)| {
        let mut other = mind.clone();
        change(&mut other);
        other.brief(&limits()).obstacle(&limits()).map(|obstacle| obstacle.to_string())
    };
    let focus = |count: usize| move |mind: &mut Mind| mind.stated.focus = vec!["x".into(); count];
    assert_eq!(state(&focus(4)), None);
    assert_eq!(state(&focus(6)).as_deref(), Some("load 85 %"));
    assert_eq!(state(&|mind| mind.stated.blocked = Some("x".into())).as_deref(), Some("progress: blocked"));
    assert_eq!(
        state(&|mind| mind.stated.uncertainty = Some(Share::WHOLE)).as_deref(),
        Some("a person should be asked")
    );
    let weak = |mind: &mut Mind| mind.stated.effectiveness = Some(Share::thousandths(599));
    assert_eq!(state(&weak).as_deref(), Some("the strategy does not work well enough"));
    let frustrated = |mind: &mut Mind| mind.emotions.get_or_insert_default().frustrations.push(frustration("f", 4));
    assert_eq!(state(&frustrated).as_deref(), Some("frustration 0.4"));
    mind.watch.call(&call("f"), ended(Ending::Failed), None);
    assert_eq!(
        mind.brief(&limits()).obstacle(&limits()).map(|obstacle| obstacle.to_string()).as_deref(),
        Some("too few calls in a row succeeded")
    );
}

/// AFS 4.2, `strategy_effectiveness`, where nobody stated it.
#[test]
fn effectiveness_of_fewer_than_five_calls_is_unknown() {
    let mut watch = Watch::default();
    let mut seen = Vec::new();
    for (place, ending) in
        [Ending::Failed, Ending::Failed, Ending::Failed, Ending::Succeeded, Ending::Failed].into_iter().enumerate()
    {
        watch.call(&call(&place.to_string()), ended(ending), None);
        seen.push(watch.effectiveness());
    }
    assert_eq!(seen, [None, None, None, None, Some(Share::thousandths(200))]);
}

/// AFS 5.3, `edits-without-tests`.
#[test]
fn a_test_forgets_the_edits_before_it() {
    let mut watch = Watch::default();
    let edit = Call { kind: CallKind::Edit, file: Some("src/a.rs".into()), ..call("e") };
    let test = Call { kind: CallKind::Test, ..call("t") };
    (0..3).for_each(|_| watch.call(&edit, ended(Ending::Succeeded), None));
    watch.call(&edit, ended(Ending::Failed), None);
    assert_eq!((watch.edits, watch.tests), (3, 0));
    watch.call(&test, ended(Ending::Failed), None);
    assert_eq!((watch.edits, watch.tests), (0, 1));
}

/// What shows that the edits are right need not be a test.
#[test]
fn a_build_or_a_run_of_the_project_answers_for_edits_too() {
    for (command, left) in [("xcodebuild -scheme A build", 0), ("python3 train.py", 0), ("git push", 1)] {
        let mut watch = Watch::default();
        let edit = Call { kind: CallKind::Edit, file: Some("src/a.rs".into()), ..call("e") };
        watch.call(&edit, ended(Ending::Succeeded), None);
        watch.call(&Call { target: command.into(), ..call(command) }, ended(Ending::Succeeded), None);
        assert_eq!(watch.edits, left, "{command}");
    }
}

/// Calls of one reply, side by side.
#[test]
fn what_failed_side_by_side_is_one_failure_in_a_row() {
    let mut watch = Watch::default();
    let failed = |at, asked_at| EndedCall {
        ending: Ending::Failed,
        at: Timestamp::from_millis(at),
        asked_at: Timestamp::from_millis(asked_at),
    };
    watch.call(&call("a"), failed(50, 0), None);
    watch.call(&call("b"), failed(90, 10), None);
    assert_eq!(watch.failures, 1);
    watch.call(&call("c"), failed(200, 100), None);
    assert_eq!(watch.failures, 2);
}

fn frustration(id: &str, intensity: u8) -> Frustration {
    let (description, timestamp) = ("x".into(), Timestamp::default());
    Frustration { id: id.into(), description, intensity, resolved: false, timestamp }
}

/// AFS 4.3, `progress`.
#[test]
fn progress_is_clamped_and_the_whole_is_reached() {
    for (given, expected) in [
        (-500, (Share::NONE, GoalStatus::Pending)),
        (500, (Share::thousandths(500), GoalStatus::Pending)),
        (1500, (Share::WHOLE, GoalStatus::Completed)),
        (1000, (Share::WHOLE, GoalStatus::Completed)),
    ] {
        let mut room = TestRoom::new();
        room.agent(goal(GoalKind::Primary, "build it", &[])).expect("added");
        let id = room.goals().primary_goal.as_ref().expect("a goal").id.clone();
        room.agent(progress(&id, given)).expect("advanced");
        let primary = room.goals().primary_goal.as_ref().expect("a goal");
        assert_eq!((primary.progress, primary.status), expected, "{given}");
    }
}

/// AFS 4.3, `dependencies`.
#[test]
fn what_depends_on_another_comes_after_it() {
    let mut room = TestRoom::new();
    room.agent(goal(GoalKind::Primary, "build it", &[])).expect("added");
    room.agent(goal(GoalKind::Subgoal, "one", &[])).expect("added");
    let one = room.goals().subgoals[0].id.clone();
    room.agent(goal(GoalKind::Subgoal, "two", &[&one])).expect("added");
    let next = |room: &TestRoom| room.goals().next_actionable().map(|goal| goal.description.to_owned());
    assert_eq!(next(&room).as_deref(), Some("one"));
    room.agent(progress(&one, 1000)).expect("advanced");
    assert_eq!(next(&room).as_deref(), Some("two"));
    let two = room.goals().subgoals[1].id.clone();
    room.agent(progress(&two, 1000)).expect("advanced");
    assert_eq!(next(&room), None, "the whole is reached with its parts");
}

/// AFS 4.3: a goal is reached with the last of its parts, and so is the one of which it is the last part.
#[test]
fn a_goal_is_reached_with_its_parts() {
    let mut room = TestRoom::new();
    room.agent(goal(GoalKind::Primary, "build it", &[])).expect("added");
    for part in ["one", "two"] {
        room.agent(goal(GoalKind::Subgoal, part, &[])).expect("added");
    }
    let parts: Vec<_> = room.goals().subgoals.iter().map(|goal| goal.id.clone()).collect();
    let mut advanced = |part: &str, given| {
        let events = room.agent(progress(part, given)).expect("advanced");
        events.iter().filter(|name| **name == "cognitive.goal.advanced").count()
    };
    assert_eq!([advanced(&parts[0], 1000), advanced(&parts[1], 500), advanced(&parts[1], 1000)], [1, 1, 2]);
    let primary = room.goals().primary_goal.as_ref().expect("a goal");
    assert_eq!((primary.status, primary.progress), (GoalStatus::Completed, Share::WHOLE));
    assert_eq!(room.goals().next_actionable(), None);
}

/// AFS 4.3, `conflicts`.
#[test]
fn to_change_little_and_to_refactor_contradict() {
    let mut room = TestRoom::new();
    room.agent(goal(GoalKind::Primary, "Fix the parser with a minimal diff", &[])).expect("added");
    room.agent(goal(GoalKind::Subgoal, "Refactor the lexer", &[])).expect("added");
    let kinds: Vec<_> = room.goals().conflicts.iter().map(|conflict| &*conflict.kind).collect();
    assert_eq!(kinds, ["minimize_vs_refactor"]);
}

/// AFS 4.2: no threshold makes every call a spin, and none makes no repetition one.
#[test]
fn the_spin_threshold_stays_in_its_bounds() {
    use super::super::limits::{CognitionLimits, SPINNING};
    use annals_kernel::settings::AnySetting;
    let problem = |value: u32| SPINNING.check(&value.into()).map_err(|bad| bad.problem).err();
    assert_eq!(problem(0).as_deref(), Some("0 is not within 1 and 20"));
    assert_eq!((problem(1), problem(20)), (None, None));
    for (stored, expected) in [(0, 1), (4, 4), (99, 20)] {
        let mut settings = Settings::default();
        settings.set(SPINNING.key(), Some(stored.into()));
        assert_eq!(CognitionLimits::of(&settings).spinning, expected);
    }
}

/// AFS 4.3, `conflicts`.
#[test]
fn fast_and_thorough_contradict() {
    let mut room = TestRoom::new();
    room.agent(goal(GoalKind::Primary, "Get this done fast, it's urgent", &[])).expect("added");
    let events = room.agent(goal(GoalKind::Subgoal, "Make it comprehensive and thorough", &[])).expect("added");
    assert_eq!(events, ["cognitive.goal.added", "cognitive.conflict.found"]);
    let kinds: Vec<_> = room.goals().conflicts.iter().map(|conflict| &*conflict.kind).collect();
    assert_eq!(kinds, ["speed_vs_quality"]);
    let rules: BTreeMap<_, _> = Settings::default().get(&CONFLICTS);
    assert!(
        room.goals().conflicts_of("new", "A mustard-coloured button, faster than quality", &BTreeMap::new()).is_empty()
    );
    assert!(room.goals().conflicts_of("new", "rename the button", &rules).is_empty());
}

/// AFS 4.4: 10 golden, 100 working facts.
#[test]
fn the_least_sure_fact_goes_where_there_is_no_room_and_golden_ones_stay() {
    let mut room = TestRoom::new();
    let fact = |number: u16| AddFact {
        session: "s".into(),
        fact: format!("fact {number}").into(),
        confidence: Share::thousandths(if number == 7 { 1 } else { 500 }),
        source: "".into(),
    };
    for number in 0..100 {
        assert_eq!(room.agent(fact(number)), Ok(vec!["cognitive.fact.added"]));
    }
    assert_eq!(room.agent(fact(100)), Ok(vec!["cognitive.fact.dropped", "cognitive.fact.added"]));
    let known = |room: &TestRoom| room.mind().epistemic.clone().expect("facts");
    assert!(known(&room).working_facts.iter().all(|fact| &*fact.fact != "fact 7"));
    for number in 0..11 {
        let fact = known(&room).working_facts[0].id.clone();
        let verify = super::super::command::VerifyFact { session: "s".into(), fact, source: "test".into() };
        let expected =
            if number < 10 { Ok(vec!["cognitive.fact.verified"]) } else { Err(Refusal::GoldenFull { most: 10 }) };
        assert_eq!(room.agent(verify), expected);
    }
    assert_eq!(known(&room).golden_facts.len(), 10);
    assert_eq!((EpistemicState::default().max_golden, EpistemicState::default().max_working), (10, 100));
}

/// AFS 4.1: lists are bounded.
#[test]
fn feelings_are_remembered_up_to_a_limit() {
    let mut room = TestRoom::new();
    for number in 0..60 {
        let feel = Feel {
            session: "s".into(),
            mood: Some(format!("mood {number}").into()),
            satisfied: Some("x".into()),
            frustrated: Some(format!("y {number}").into()),
            ..Feel::default()
        };
        room.agent(feel).expect("felt");
    }
    let felt = room.mind().emotions.clone().expect("feelings");
    let lengths = (felt.satisfactions.len(), felt.frustrations.len(), felt.mood_history.len());
    assert_eq!(lengths, (MOST_FEELINGS, MOST_FEELINGS, MOST_MOODS));
    assert_eq!((&*felt.mood.current, &*felt.frustrations[19].description), ("mood 59", "y 59"));
}

/// AFS 4.5: snapshots at a change, now and then, or at a change that is large enough.
#[test]
fn a_state_is_told_as_often_as_its_mode_says() {
    let steps = [(100, "a"), (100, "a"), (150, "a"), (200, "a"), (900, "b")];
    for (mode, expected) in [
        ("on_change", [true, false, true, true, true]),
        ("delta", [true, false, false, true, true]),
        ("throttled", [true, false, false, false, false]),
    ] {
        let mut room = TestRoom::new();
        room.settings.set("cognition.snapshots.mode", Some(mode.into()));
        room.settings.set("cognition.snapshots.min_interval_ms", Some(60_000.into()));
        let told = steps.map(|(anxiety, mood)| {
            let anxiety = Some(Share::thousandths(anxiety));
            let feel = Feel { session: "s".into(), anxiety, mood: Some(mood.into()), ..Feel::default() };
            let events = room.agent(feel).expect("felt");
            events.contains(&"cognitive.emotions.updated")
        });
        // In mode throttled the first comes because the last was long ago, at the beginning of time.
        let first = if mode == "throttled" { told[0] } else { expected[0] };
        assert_eq!(told, [first, expected[1], expected[2], expected[3], expected[4]], "{mode}");
    }
}

/// AFS 5.3, `new-territory-explore`: where nothing was ever looked at, nothing can be said.
#[test]
fn an_edit_where_nothing_was_looked_at_is_new_territory() {
    let on = |kind, file: &'static str| Call { kind, file: Some(file.into()), ..call(file) };
    let mut watch = Watch::default();
    let mut seen = Vec::new();
    for (kind, file) in [
        (CallKind::Edit, "a/x.rs"),
        (CallKind::Read, "b/x.rs"),
        (CallKind::Edit, "b/y.rs"),
        (CallKind::Edit, "c/x.rs"),
        (CallKind::Edit, "c/y.rs"),
    ] {
        watch.call(&on(kind, file), ended(Ending::Succeeded), None);
        seen.push(watch.unfamiliar);
    }
    assert_eq!(seen, [false, false, false, true, false]);
    watch.call(&Call { tool: "Edit".into(), ..on(CallKind::Edit, "d/x.rs") }, ended(Ending::Succeeded), None);
    assert!(!watch.unfamiliar, "a tool that refuses to edit what was not read has seen to it");
    watch.edits -= 1;
    watch.call(&on(CallKind::Edit, "docs/a.md"), ended(Ending::Succeeded), None);
    assert_eq!(watch.edits, 4, "no test covers prose");
}
