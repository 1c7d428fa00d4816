//! Artoo, "Key Invariants": a test for each row, named after it, by tasks that were played. Rows of memory's own (what common
//! sense weighs, what consulting it does) are beside memory; that R4b's model is at least as strong as R2's, beside the
//! choice of models.

use serde_json::{Value, json};

use super::player::{Played, Player, passes, plan, understood, worked};
use super::ways::insists;
use crate::bus::{Arrow, MessageKind, Party, may_say};
use crate::criterion::CheckState;
use crate::ggs::{
    Assessment, CallResult, CellOutcome, FinalResult, Forced, Gate, GgsLimits, Gradient, Measures, PlanDirective,
    Pressure, PreviousDirective, Reading, RoundOutcome, SubTaskStatus, Terminal, assess,
};
use crate::message::{BusMessage, DispatchManifest, MegramNote, MemoryAction, MemoryAnswer, Remembered};
use crate::plan::TaskSpec;
use crate::run::ToolJob;
use crate::tool::ToolCall;

fn scripted(player: Player, planned: Value) -> Player {
    let script = [(Party::Perceiver, understood()), (Party::Planner, planned), (Party::AgentValidator, passes())];
    script.into_iter().fold(player, |player, (role, answer)| player.script(role, &[answer]))
}

/// A task that goes well.
fn plain() -> Played {
    scripted(Player { otherwise: insists, ..Player::default() }, plan()).play()
}

/// One in which code finds nothing met, whoever says what, and every call fails.
fn hopeless() -> Played {
    fn fails(job: &ToolJob) -> ToolCall {
        ToolCall { result: CallResult::Failed, output: "connection refused".to_owned(), ..worked(job) }
    }
    let player = Player { check: |_| CheckState::Unmet, tool: fails, otherwise: insists, ..Player::default() };
    scripted(player, plan()).play()
}

fn messages<'p, T: 'p>(played: &'p Played, of: fn(&BusMessage) -> Option<&T>) -> Vec<&'p T> {
    played.said.iter().filter_map(|said| of(&said.message)).collect()
}

fn manifest(message: &BusMessage) -> Option<&DispatchManifest> {
    if let BusMessage::DispatchManifest(manifest) = message { Some(manifest) } else { None }
}

fn round(message: &BusMessage) -> Option<&RoundOutcome> {
    let (BusMessage::OutcomeSummary(round) | BusMessage::ReplanRequest(round)) = message else { return None };
    Some(round)
}

fn directive(message: &BusMessage) -> Option<&PlanDirective> {
    if let BusMessage::PlanDirective(directive) = message { Some(directive) } else { None }
}

fn megram(message: &BusMessage) -> Option<&MegramNote> {
    if let BusMessage::Megram(megram) = message { Some(megram) } else { None }
}

fn result(message: &BusMessage) -> Option<&FinalResult> {
    if let BusMessage::FinalResult(result) = message { Some(result) } else { None }
}

/// Who may say it to whom, of all that there are.
fn arrows(kind: MessageKind) -> Vec<(Party, Party)> {
    let all = Party::ALL.iter().flat_map(|from| Party::ALL.iter().map(move |to| (*from, *to)));
    all.filter(|(from, to)| may_say(&Arrow { from: *from, kind, to: *to })).collect()
}

fn assessed(omega: f64, d: f64, p: f64, gradient: f64) -> Assessment {
    let reading = |number| Reading::of(number).expect("a share");
    let measures = Measures { d: reading(d), p: reading(p), omega: reading(omega) };
    let gradient = Gradient::of(gradient).expect("a gradient");
    assess(measures, gradient, Pressure::default(), &GgsLimits::default())
}

/// D, P and the gradient, each on both sides of every bound.
fn worlds() -> impl Iterator<Item = (f64, f64, f64)> {
    let shares = [0.0, 0.3, 0.31, 0.5, 0.51, 1.0];
    let gradients = [-0.5, -0.1, 0.0, 0.1, 0.11, 0.5];
    shares.into_iter().flat_map(move |d| shares.into_iter().flat_map(move |p| gradients.map(move |rise| (d, p, rise))))
}

#[test]
fn subtask_ids_are_assigned_by_the_engine_never_by_a_model() {
    let mut named = plan();
    named["subtasks"][0]["subtask_id"] = json!("mine");
    let played = scripted(Player { otherwise: insists, ..Player::default() }, named).play();
    let ids: Vec<_> = messages(&played, manifest)[0].subtasks.iter().map(|one| one.subtask_id.as_str()).collect();
    assert_eq!(ids, ["T-r1-s1"]);
}

#[test]
fn the_task_spec_carries_no_success_criteria() {
    let mut wise = understood();
    wise["success_criteria"] = json!(["it is written"]);
    let player = Player { otherwise: insists, ..Player::default() }.script(Party::Perceiver, &[wise]);
    let played = scripted(player, plan()).play();
    let specs = messages(&played, |message| if let BusMessage::TaskSpec(spec) = message { Some(spec) } else { None });
    let spec = serde_json::to_value(specs[0]).expect("JSON");
    let members: Vec<_> = spec.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["constraints", "intent", "raw_input", "slug"]);
}

#[test]
fn task_criteria_live_in_the_manifest_and_r4b_reads_them_there() {
    let played = plain();
    let criteria: Vec<_> = messages(&played, manifest)[0].task_criteria.iter().map(|one| one.text.as_str()).collect();
    let judged = messages(&played, round)[0].task_verdicts.iter().map(|one| one.criterion.as_str());
    assert_eq!(judged.collect::<Vec<_>>(), criteria);
}

#[test]
fn r4b_rejects_in_doubt() {
    let mut doubtful = plan();
    doubtful["task_criteria"] = json!([{ "text": "the greeting is friendly" }]);
    for said in
        ["", "PASS", "{\"verdicts\":[]}", "{\"verdicts\":[{\"n\":1,\"verdict\":\"pass\",\"evidence\":\"surely\"}]}"]
    {
        let player = Player { otherwise: insists, ..Player::default() };
        let player = player.script(Party::MetaValidator, &[said, said, said, said].map(Value::from));
        let first = scripted(player, doubtful.clone()).play();
        assert_eq!(messages(&first, round)[0].gate, Gate::Rejected, "{said}");
    }
}

#[test]
fn r4b_asks_no_model_while_a_subtask_failed() {
    let played = hopeless();
    let failed = |round: &&RoundOutcome| round.outcomes.iter().any(|one| one.status == SubTaskStatus::Failed);
    assert!(failed(&messages(&played, round)[0]));
    assert!(!played.asked.contains(&Party::MetaValidator));
}

#[test]
fn r4b_sends_a_replan_request_to_r7_never_to_r2() {
    assert_eq!(arrows(MessageKind::ReplanRequest), [(Party::MetaValidator, Party::Solver)]);
    assert_eq!(arrows(MessageKind::OutcomeSummary), [(Party::MetaValidator, Party::Solver)]);
}

#[test]
fn r2_does_not_direct_replanning_itself() {
    assert_eq!(arrows(MessageKind::PlanDirective), [(Party::Solver, Party::Planner)]);
    let played = hopeless();
    let of =
        |kinds: &[&str]| played.kinds().into_iter().filter(|kind| kinds.contains(&kind.as_str())).collect::<Vec<_>>();
    let turns = of(&["dispatch_manifest", "plan_directive"]);
    let without = turns.windows(2).filter(|two| two.iter().all(|kind| kind == "dispatch_manifest"));
    assert!(without.count() == 0 && turns[0] == "dispatch_manifest" && turns.len() > 2, "{turns:?}");
}

#[test]
fn a_plan_cannot_reuse_a_blocked_tool() {
    let played = hopeless();
    let blocked: Vec<_> = messages(&played, directive).iter().flat_map(|said| said.blocked_tools.clone()).collect();
    assert!(blocked.contains(&"write".to_owned()), "{blocked:?}");
    let of = |round: u32| messages(&played, manifest).into_iter().find(move |manifest| manifest.round == round);
    let used_after = played.used.iter().filter(|job| !job.subtask_id.contains("-r1-"));
    let later: Vec<_> = used_after.filter(|job| blocked.contains(&job.request.tool.to_string())).collect();
    assert!(of(2).is_none() || later.is_empty(), "{later:?}");
}

#[test]
fn ggs_gives_up_at_theta_whatever_else_says() {
    for (d, p, gradient) in worlds() {
        assert_eq!(assessed(0.8, d, p, gradient).outcome, CellOutcome::Close(Terminal::Abandon), "{d} {p} {gradient}");
        assert_ne!(assessed(0.79, d, p, gradient).outcome, CellOutcome::Close(Terminal::Abandon), "{d} {p} {gradient}");
    }
}

#[test]
fn ggs_says_success_below_theta_and_delta_whatever_else_says() {
    for (d, p, gradient) in worlds() {
        let is_success = assessed(0.79, d, p, gradient).outcome == CellOutcome::Close(Terminal::Success);
        assert_eq!(is_success, d <= 0.3, "{d} {p} {gradient}");
    }
}

#[test]
fn blocked_targets_accumulate_over_all_rounds_of_a_task() {
    let played = hopeless();
    let blocked: Vec<_> = messages(&played, directive).iter().map(|said| said.blocked_targets.clone()).collect();
    assert!(blocked.len() > 1 && !blocked[0].is_empty());
    let grow = |two: &[Vec<String>]| two[0].iter().all(|target| two[1].contains(target));
    assert!(blocked.windows(2).all(grow), "{blocked:?}");
}

#[test]
fn ggs_is_the_sole_emitter_of_the_final_result() {
    assert_eq!(arrows(MessageKind::FinalResult), [(Party::Solver, Party::User)]);
    for played in [plain(), hopeless()] {
        assert_eq!(messages(&played, result).len(), 1);
    }
}

#[test]
fn a_final_result_is_one_of_accept_success_and_abandon() {
    let words: Vec<_> = Terminal::ALL.iter().map(|one| one.as_str()).collect();
    assert_eq!(words, ["accept", "success", "abandon"]);
}

#[test]
fn ggs_is_the_sole_writer_to_memory() {
    assert_eq!(arrows(MessageKind::Megram), [(Party::Solver, Party::Memory)]);
}

#[test]
fn there_is_one_megram_a_blocked_target() {
    let played = hopeless();
    let last = messages(&played, directive).last().expect("it was replanned").blocked_targets.clone();
    let of = |target: &str| {
        messages(&played, megram).into_iter().filter(|note| note.entity == format!("path:{target}")).count()
    };
    assert!(last.iter().all(|target| of(target) == 1), "{last:?}");
}

#[test]
fn megrams_are_not_waited_for() {
    // The player answers nothing to a megram, and the task goes on to its end.
    let played = hopeless();
    assert!(!messages(&played, megram).is_empty());
    assert!(played.run.has_ended() && played.run.pending().count() == 0);
    assert!(arrows(MessageKind::Megram).iter().all(|(_, to)| *to == Party::Memory));
}

#[test]
fn memory_returns_data_and_r2_makes_the_prompt() {
    let known = Remembered {
        space: "tool:write".to_owned(),
        entity: "path:hello.txt".to_owned(),
        action: MemoryAction::Caution,
        content: vec!["the disk was full".to_owned()],
    };
    let data = serde_json::to_value(&known).expect("JSON");
    let expected = json!({ "space": "tool:write", "entity": "path:hello.txt", "action": "caution", "content": ["the disk was full"] });
    assert_eq!(data, expected);
    let memory = MemoryAnswer { remembered: vec![known] };
    let spec: TaskSpec =
        serde_json::from_value(json!({ "slug": "a", "intent": "a", "raw_input": "a" })).expect("a spec");
    let prompt = crate::planner::question(&crate::planner::PlanQuery {
        spec: &spec,
        memory: &memory,
        directive: None,
        is_anew: false,
        outcomes: &[],
        rejected: None,
        tools: &[],
        place: "",
        checks: &[],
    });
    assert!(prompt.user.contains("CAUTION (confirm first") && prompt.user.contains("the disk was full"));
}

#[test]
fn the_directive_before_the_first_round_is_init() {
    let played = hopeless();
    let before: Vec<_> = messages(&played, directive).iter().map(|said| said.prev_directive).collect();
    assert_eq!(before[0], PreviousDirective::Init);
    assert!(before[1..].iter().all(|one| *one != PreviousDirective::Init));
}

#[test]
fn two_worsening_rounds_one_after_the_other_end_a_task() {
    let worsening = |rounds| {
        let pressure = Pressure { worsening: rounds, ..Pressure::default() };
        let reading = |number| Reading::of(number).expect("a share");
        let measures = Measures { d: reading(0.9), p: reading(0.1), omega: reading(0.1) };
        assess(measures, Gradient::of(0.2).expect("a gradient"), pressure, &GgsLimits::default()).forced
    };
    assert_eq!([0, 1, 2].map(worsening), [None, None, Some(Forced::Law2)]);
}
