//! Given / when / then for tasks.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::bus::{ARROWS, Arrow, MessageKind, Party, may_say};
use super::command::{Begin, Pause, PauseReason, Resume, Send, Settle, Settlement};
use super::event::{Begun, Ended, Paused, Replanned, Resumed, Sent, Settled};
use super::state::TaskEnd;
use super::{Command, Event, Observed, Refusal, State, Task, TaskPhase, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

const TASK: &str = "00000001V800000000000001AA";

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(minute * 60_000)
}

fn ask(state: &mut State, standing: Standing, command: impl Into<Command>) -> Outcome<Event, Refusal> {
    let (settings, observed, command) = (Settings::default(), Observed::default(), command.into());
    let (id, at) = (EntryId::new(at(1), 1), at(1));
    let moment = Moment { id, at, actor: "who".into(), standing, session: SessionId::from("s"), settings: &settings };
    let outcome = decide(state, &command, &observed, &moment);
    for event in &outcome.events {
        state.evolve(event, &Cause { asked: Some((&command, &observed)), id, at, actor: &moment.actor });
    }
    outcome
}

fn system(state: &mut State, command: impl Into<Command>) -> Outcome<Event, Refusal> {
    ask(state, Standing::System, command)
}

fn begin() -> Begin {
    Begin { request: "fix the login test".into(), models: Vec::new(), setting: Json::of(&json!({})) }
}

fn task_of(state: &State) -> Box<str> {
    state.latest(1)[0].0.into()
}

fn say(state: &State, n: u32, from: Party, kind: MessageKind, to: Party) -> Send {
    let body = if kind == MessageKind::FinalResult {
        json!({ "directive": "accept", "summary": "done" })
    } else if kind == MessageKind::PlanDirective {
        json!({ "directive": "refine", "replans": 1 })
    } else {
        json!({})
    };
    Send { task: task_of(state), n, from, to, kind, body: Json::of(&body), alive_ms: 5 }
}

fn request(state: &State, n: u32) -> Send {
    say(state, n, Party::User, MessageKind::Request, Party::Perceiver)
}

fn begun() -> State {
    let mut state = State::default();
    assert_eq!(system(&mut state, begin()).refusal, None);
    state
}

#[test]
fn a_task_has_the_id_of_the_entry_in_which_it_began() {
    let state = begun();
    assert_eq!(&*task_of(&state), EntryId::new(at(1), 1).to_string());
}

#[test]
fn a_message_is_said_once_and_in_its_turn() {
    let mut state = begun();
    let first = request(&state, 1);
    let Send { task, n, from, to, kind, .. } = first.clone();
    assert_eq!(system(&mut state, first.clone()), Outcome::of(Sent { task: task.clone(), n, from, to, kind }));
    for n in [1, 3] {
        let again = Send { n, ..first.clone() };
        let refusal = Refusal::OutOfTurn { task: task.clone(), n, next: 2 };
        assert_eq!(system(&mut state, again), Outcome::refused(refusal));
    }
}

#[test]
fn what_is_not_in_the_table_of_the_bus_is_not_said() {
    for &from in Party::ALL {
        for &kind in MessageKind::ALL {
            for &to in Party::ALL {
                let mut state = begun();
                let said = say(&state, 1, from, kind, to);
                let is_said = system(&mut state, said).refusal.is_none();
                assert_eq!(is_said, may_say(&Arrow { from, kind, to }), "{from} {kind} {to}");
            }
        }
    }
}

#[test]
fn each_kind_of_message_has_one_arrow() {
    let of = |kind: MessageKind| ARROWS.iter().filter(|arrow| arrow.kind == kind).count();
    assert!(MessageKind::ALL.iter().all(|kind| of(*kind) == 1));
}

#[test]
fn nobody_instructs_the_auditor_but_the_person_and_it_instructs_nobody() {
    let to: Vec<_> = ARROWS.iter().filter(|arrow| arrow.to == Party::Auditor).map(|arrow| arrow.from).collect();
    let from: Vec<_> = ARROWS.iter().filter(|arrow| arrow.from == Party::Auditor).map(|arrow| arrow.to).collect();
    assert_eq!((to, from), (vec![Party::User], vec![Party::User]));
}

#[test]
fn nothing_is_said_behind_the_final_result() {
    let mut state = begun();
    let end = say(&state, 1, Party::Solver, MessageKind::FinalResult, Party::User);
    let task = task_of(&state);
    let ended: Event = Ended { task: task.clone(), end: TaskEnd::Accept }.into();
    assert_eq!(system(&mut state, end).events.last(), Some(&ended));
    let has_ended = Outcome::refused(Refusal::HasEnded { task: task.clone() });
    let late = request(&state, 2);
    assert_eq!(system(&mut state, late), has_ended);
    assert_eq!(system(&mut state, Resume { task: task.clone(), in_flight: 2 }), has_ended);
    assert_eq!(system(&mut state, Pause { task, reason: PauseReason::Person }), has_ended);
}

#[test]
fn a_result_that_says_no_end_is_none() {
    let mut state = begun();
    let mut end = say(&state, 1, Party::Solver, MessageKind::FinalResult, Party::User);
    for body in [json!({}), json!({ "directive": "refine" }), json!(null), json!([1])] {
        end.body = Json::of(&body);
        let refusal = Refusal::BadMessage { kind: MessageKind::FinalResult };
        assert_eq!(system(&mut state, end.clone()), Outcome::refused(refusal));
    }
}

#[test]
fn a_directive_counts_as_a_replan() {
    let mut state = begun();
    let directive = say(&state, 1, Party::Solver, MessageKind::PlanDirective, Party::Planner);
    let task = task_of(&state);
    let replanned: Event = Replanned { task: task.clone(), directive: "refine".into(), replans: 1 }.into();
    assert_eq!(system(&mut state, directive).events.last(), Some(&replanned));
    assert_eq!(state.task(&task).map(|task| task.replans), Some(1));
}

#[test]
fn only_the_loop_speaks_and_only_the_person_settles() {
    let state = begun();
    for standing in [Standing::User, Standing::Agent(Role::TeamLead), Standing::Stranger] {
        let mut state = state.clone();
        let refusal = Outcome::refused(Refusal::NotSystem { actor: "who".into() });
        let first = request(&state, 1);
        assert_eq!(ask(&mut state, standing.clone(), first), refusal);
        assert_eq!(ask(&mut state, standing, begin()), refusal);
    }
    for standing in [Standing::System, Standing::Agent(Role::TeamLead), Standing::Stranger] {
        let mut state = state.clone();
        let settle = Settle { task: task_of(&state), settlement: Settlement::Applied };
        assert_eq!(ask(&mut state, standing, settle), Outcome::refused(Refusal::NotUser { actor: "who".into() }));
    }
}

#[test]
fn changes_are_settled_once_behind_the_end() {
    let mut state = begun();
    let task = task_of(&state);
    let settle = |settlement| Settle { task: task.clone(), settlement };
    let goes_on = Outcome::refused(Refusal::GoesOn { task: task.clone() });
    assert_eq!(ask(&mut state, Standing::User, settle(Settlement::Kept)), goes_on);
    let end = say(&state, 1, Party::Solver, MessageKind::FinalResult, Party::User);
    system(&mut state, end);
    let settled = Outcome::of(Settled { task: task.clone(), settlement: Settlement::Kept });
    assert_eq!(ask(&mut state, Standing::User, settle(Settlement::Kept)), settled);
    let is_settled = Outcome::refused(Refusal::IsSettled { task: task.clone() });
    assert_eq!(ask(&mut state, Standing::User, settle(Settlement::Dropped)), is_settled);
}

#[test]
fn a_run_stops_and_goes_on() {
    let mut state = begun();
    let task = task_of(&state);
    let paused = Outcome::of(Paused { task: task.clone(), reason: PauseReason::NoModel });
    assert_eq!(system(&mut state, Pause { task: task.clone(), reason: PauseReason::NoModel }), paused);
    let resumed = Outcome::of(Resumed { task: task.clone(), n: 0, in_flight: 2 });
    assert_eq!(system(&mut state, Resume { task: task.clone(), in_flight: 2 }), resumed);
    let (begun_at, begun_in) = (at(1), EntryId::new(at(1), 1));
    let expected = Task {
        title: "fix the login test".into(),
        session: SessionId::from("s"),
        begun_at,
        begun_in,
        phase: TaskPhase::Running,
        messages: 0,
        last: None,
        kinds: BTreeMap::new(),
        replans: 0,
        directive: None,
        end: None,
        ended_in: None,
        ended_at: None,
        paused: None,
        resumed: 1,
        asked_again: 2,
        settlement: None,
    };
    assert_eq!(state.task(&task), Some(&expected));
}

#[test]
fn what_names_no_task_or_asks_for_nothing_is_refused() {
    let mut state = State::default();
    let unknown = Outcome::refused(Refusal::Unknown { task: TASK.into() });
    assert_eq!(system(&mut state, Resume { task: TASK.into(), in_flight: 0 }), unknown);
    for request in ["", " \n", &"x".repeat(32_001)] {
        let begin = Begin { request: request.into(), models: Vec::new(), setting: Json::of(&json!({})) };
        assert_eq!(system(&mut state, begin), Outcome::refused(Refusal::BadRequest { most: 32_000 }));
    }
}

#[test]
fn events_that_name_no_task_change_nothing() {
    let mut state = State::default();
    let (id, at, actor) = (EntryId::new(at(1), 1), at(1), "who".into());
    let ended: Event = Ended { task: TASK.into(), end: TaskEnd::Abandon }.into();
    state.evolve(&ended, &Cause { asked: None, id, at, actor: &actor });
    assert_eq!(state.tasks.first_by_rank(1), Vec::new());
}

proptest! {
    /// Whatever is tried, the messages of a task are numbered without a gap, and nothing follows its end.
    #[test]
    fn the_record_of_a_task_has_no_gap(tries in prop::collection::vec((0_u32..6, 0..ARROWS.len()), 0..40)) {
        let mut state = begun();
        let mut said = Vec::new();
        for (n, which) in tries {
            let Arrow { from, kind, to } = ARROWS[which];
            let send = say(&state, n, from, kind, to);
            if system(&mut state, send).refusal.is_none() {
                said.push((n, kind));
            }
        }
        let numbers: Vec<_> = said.iter().map(|(n, _)| *n).collect();
        prop_assert_eq!(&numbers, &(1..=u32::try_from(said.len()).expect("small")).collect::<Vec<_>>());
        let end = said.iter().position(|(_, kind)| *kind == MessageKind::FinalResult);
        prop_assert!(end.is_none_or(|end| end + 1 == said.len()));
        let begun: Event = Begun { task: task_of(&state), session: SessionId::from("s") }.into();
        prop_assert_eq!(begun.name(), "tasks.task.begun");
    }
}
