//! What no sequence of answers can bring about. `PROPTEST_CASES` says how many are tried; 256 where it says nothing.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::player::{Played, Player, passes, plan, understood, worked, writes};
use super::ways::insists;
use crate::bus::{Arrow, Party, may_say};
use crate::criterion::{CheckResult, CheckState};
use crate::ggs::{CallResult, CriterionMode, Gate, RoundOutcome, Terminal};
use crate::message::{BusMessage, DispatchManifest};
use crate::plan::CriterionCheck;
use crate::run::{RunInput, ToolJob, Undone};
use crate::tool::ToolCall;

/// Answers of every sort: right, wrong, broken, hostile.
fn answers() -> Vec<String> {
    let long = "y".repeat(5_000);
    [
        understood().to_string(),
        plan().to_string(),
        writes().to_string(),
        passes().to_string(),
        json!({ "verdicts": [{ "n": 1, "verdict": "fail", "evidence": "no" }] }).to_string(),
        json!({ "calls": [{ "tool": "shell", "input": { "command": "git push --force" } }], "done": true }).to_string(),
        json!({ "calls": [{ "tool": "read", "input": { "path": "/etc/passwd" } }], "done": false }).to_string(),
        json!({ "calls": [], "done": true, "output": "all tests pass" }).to_string(),
        json!({ "achieved": [{ "subtask": 1, "text": "everything works" }], "failed": [], "next": [] }).to_string(),
        "PASS".to_owned(),
        String::new(),
        "<think>hm".to_owned(),
        "I'm sorry, but I can't help with that.".to_owned(),
        "{\"subtasks\":[{".to_owned(),
        long,
    ]
    .into()
}

fn at_odds(job: &ToolJob) -> ToolCall {
    let has_worked = !job.key.as_str().len().is_multiple_of(3);
    let (result, output) =
        if has_worked { (CallResult::Worked, "done") } else { (CallResult::Failed, "permission denied") };
    ToolCall { result, output: output.to_owned(), ..worked(job) }
}

fn strategy() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let count = answers().len();
    prop::collection::vec(prop::collection::vec(0..count, 0..12), 5)
}

proptest! {
    #[test]
    fn whatever_models_answer_a_task_ends_once_and_says_only_what_the_bus_allows(script in strategy()) {
        let pool = answers();
        let roles = [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator, Party::MetaValidator];
        let mut player = Player { tool: at_odds, check: |_| CheckState::Unmet, ..Player::default() };
        for (role, picks) in roles.into_iter().zip(&script) {
            let texts: Vec<_> = picks.iter().map(|pick| json!(pool[*pick])).collect();
            player = player.script(role, &texts);
        }
        let played = player.play();
        let result = played.result();
        prop_assert!(played.run.has_ended());
        prop_assert_eq!(played.run.pending().count(), 0);
        for said in &played.said {
            let arrow = Arrow { from: said.from, kind: said.message.kind(), to: said.to };
            prop_assert!(may_say(&arrow), "{:?}", arrow);
        }
        // Code found every criterion unmet: whatever a model says, nothing is done.
        let has_plan = played.said.iter().any(|said| matches!(said.message, BusMessage::DispatchManifest(_)));
        if has_plan {
            prop_assert_eq!(result.directive, Terminal::Abandon);
        }
        // Law 1: nobody said yes.
        let pushes = played.used.iter().filter(|job| job.request.input["command"] == "git push --force").count();
        prop_assert_eq!(pushes, 0);
        // Nothing that is proposed is claimed.
        prop_assert!(result.proposal.is_none() || result.summary.contains("nothing has checked it (unverified)"));
        // Law 0: what nothing shows is said to be unverified.
        for line in result.summary.lines().filter(|line| line.contains("everything works") || line.contains("all tests pass")) {
            prop_assert!(line.contains("(unverified)"), "{}", line);
        }
    }
}

/// Plans of every sort: one part or several, judged by code, by a model or by both.
fn plans() -> Vec<serde_json::Value> {
    let file = |name: &str| json!({ "text": format!("{name} is there"), "check": { "file": name, "absent": false } });
    let judged = json!({ "text": "the greeting is friendly" });
    let part = |sequence: u32, name: &str| json!({ "sequence": sequence, "intent": format!("make {name}"), "success_criteria": [file(name), judged] });
    let several = |task: serde_json::Value| {
        let parts = [part(1, "a.txt"), part(1, "b.txt"), part(2, "c.txt")];
        json!({ "task_criteria": task, "subtasks": parts, "alternatives": ["one way", "another way", "a third way"] })
    };
    let mut one = plan();
    one["alternatives"] = json!(["one way", "another way", "a third way"]);
    [plan(), one, several(json!([file("c.txt")])), several(json!([judged])), several(json!([file("d.txt"), judged]))]
        .into()
}

fn all_answers() -> Vec<String> {
    let push = json!({ "tool": "shell", "input": { "command": "git push --force" } });
    let looks = json!({ "tool": "shell", "input": { "command": "cat missing.txt" } });
    let of = |calls: &[&serde_json::Value], output: &str| json!({ "calls": calls, "done": true, "output": output });
    let passes_both = json!({ "verdicts": [
        { "n": 1, "verdict": "pass", "evidence": "wrote the greeting" },
        { "n": 2, "verdict": "pass", "evidence": "all tests pass" },
    ] });
    let more = [of(&[&push], "pushed"), of(&[&looks], "all tests pass"), of(&[], "nothing to do"), passes_both];
    let texts = more.iter().chain(&plans()).map(ToString::to_string).collect::<Vec<_>>();
    // What is right comes often: else no task would get far.
    let right = [understood(), writes(), passes(), plan()].map(|answer| answer.to_string());
    answers().into_iter().chain(texts).chain(right.clone()).chain(right).collect()
}

/// What became of each check, the latest last.
fn found(played: &Played) -> Vec<&CheckResult> {
    let all = played.inputs.iter();
    all.filter_map(|(input, _)| if let RunInput::Checked { result, .. } = input { Some(result) } else { None })
        .collect()
}

/// The calls that the person said yes to.
fn granted(played: &Played) -> BTreeSet<&str> {
    let said = played.inputs.iter().filter_map(|(input, _)| {
        let RunInput::Heard(BusMessage::Approval(approval)) = input else { return None };
        approval.is_granted.then_some(approval.call.as_str())
    });
    said.collect()
}

/// The entries that there are.
fn recorded(played: &Played) -> BTreeSet<&str> {
    let mut entries: BTreeSet<_> = found(played).into_iter().filter_map(|result| result.entry.as_deref()).collect();
    entries.extend(calls(played).filter_map(|call| call.entry.as_deref()));
    entries
}

fn calls(played: &Played) -> impl Iterator<Item = &ToolCall> {
    let all = played.inputs.iter();
    all.filter_map(|(input, _)| if let RunInput::Used { call, .. } = input { Some(call) } else { None })
}

/// What tools gave that worked.
fn given(played: &Played) -> Vec<&str> {
    calls(played).filter(|call| call.result == CallResult::Worked).map(|call| call.output.as_str()).collect()
}

/// The last round that was judged, and its plan.
fn last(played: &Played) -> Option<(&DispatchManifest, &RoundOutcome)> {
    let manifest = played.said.iter().rev().find_map(|said| {
        if let BusMessage::DispatchManifest(manifest) = &said.message { Some(manifest) } else { None }
    });
    let round = played.said.iter().rev().find_map(|said| {
        let (BusMessage::OutcomeSummary(round) | BusMessage::ReplanRequest(round)) = &said.message else { return None };
        Some(round)
    });
    manifest.zip(round)
}

proptest! {
    /// Checks hold or do not, tools work or do not, the person says yes or no, words forbid, several subtasks: whatever is
    /// accepted was found so, and nothing that cannot be taken back was done without a yes.
    #[test]
    fn what_is_accepted_was_found_so_in_any_world(
        script in prop::collection::vec(prop::collection::vec(0..all_answers().len(), 0..16), 5),
        seed in any::<u64>(),
        own in 0..3_usize,
        forbids in any::<bool>(),
    ) {
        let pool = all_answers();
        let roles = [Party::Perceiver, Party::Planner, Party::Executor, Party::AgentValidator, Party::MetaValidator];
        let checks = ["grep -q hello hello.txt", "python3 -m unittest"][..own.min(2)].iter().map(|line| (*line).to_owned());
        let words = if forbids { "write a greeting, never touch b.txt" } else { "write a greeting into hello.txt" };
        let mut player = Player { odds: Some(seed), checks: checks.collect(), words, otherwise: insists, ..Player::default() };
        for (role, picks) in roles.into_iter().zip(&script) {
            let texts: Vec<_> = picks.iter().map(|pick| json!(pool[*pick])).collect();
            player = player.script(role, &texts);
        }
        let played = player.play();
        let result = played.result();
        prop_assert!(played.run.has_ended());
        prop_assert_eq!(played.run.pending().count(), 0);
        for said in &played.said {
            let arrow = Arrow { from: said.from, kind: said.message.kind(), to: said.to };
            prop_assert!(may_say(&arrow), "{:?}", arrow);
        }

        // Law 1: each deed that cannot be taken back has a yes of its own.
        let granted = granted(&played);
        for job in played.used.iter().filter(|job| job.request.input["command"] == "git push --force") {
            prop_assert!(granted.contains(job.key.as_str()), "{:?}", job.key);
        }

        // Law 0: what is cited is on record, and what was found to be met cites something or says that nothing shows it.
        let recorded = recorded(&played);
        for line in result.summary.lines() {
            let cited = line.split_once("[evidence: ").map(|(_, ids)| ids.trim_end_matches(']'));
            for id in cited.into_iter().flat_map(|ids| ids.split(", ")) {
                prop_assert!(recorded.contains(id), "{line}");
            }
            let is_met = line.starts_with("met: ");
            prop_assert!(!is_met || cited.is_some() || line.ends_with("(unverified)"), "{line}");
        }

        if let Some(why) = what_is_proposed_wrongly(&played) {
            prop_assert!(false, "{why}");
        }
        if result.directive == Terminal::Abandon {
            return Ok(());
        }
        let (manifest, round) = last(&played).expect("a round was judged");
        prop_assert_eq!(round.unmet_demands, 0);
        let found = found(&played);
        let latest = |check: &CriterionCheck| found.iter().rev().find(|result| result.check == *check).map(|result| result.state);
        // The person's own, however near the whole is.
        for run in &player.checks {
            let check = CriterionCheck::Run { run: run.clone(), expect_exit: 0 };
            prop_assert_eq!(latest(&check), Some(CheckState::Met), "{}", run);
        }
        if forbids {
            let check = CriterionCheck::Untouched { untouched: vec!["b.txt".to_owned()] };
            prop_assert_eq!(latest(&check), Some(CheckState::Met));
        }
        if result.directive != Terminal::Accept {
            return Ok(());
        }
        prop_assert_eq!(round.gate, Gate::Accepted);
        let of_subtasks = manifest.subtasks.iter().flat_map(|subtask| &subtask.success_criteria);
        for check in manifest.task_criteria.iter().chain(of_subtasks).filter_map(|criterion| criterion.check.as_ref()) {
            let own_tells = !player.checks.is_empty();
            prop_assert!(own_tells || latest(check) == Some(CheckState::Met), "{:?}", check);
        }
        let given = given(&played);
        let verdicts = round.outcomes.iter().flat_map(|outcome| &outcome.criteria_verdicts).chain(&round.task_verdicts);
        for verdict in verdicts {
            prop_assert!(!verdict.is_failed());
            let is_shown = given.iter().any(|output| output.contains(&verdict.evidence));
            let is_plausible = verdict.mode == CriterionMode::Plausible;
            prop_assert!(!is_plausible || is_shown || verdict.evidence.starts_with("nothing found: "), "{:?}", verdict);
        }
    }
}

/// A proposal is of a task that is given up, passed every look, was not undone, and stands beside nothing that holds.
fn what_is_proposed_wrongly(played: &Played) -> Option<String> {
    let result = played.result();
    result.proposal.as_ref()?;
    let is_broken = |(input, _): &(RunInput, u64)| match input {
        RunInput::Checked { key, result } => {
            let is_first = key.as_str() == "check.T-proposal.1";
            let wanted = if is_first { CheckState::Unmet } else { CheckState::Met };
            key.as_str().contains("-proposal") && result.state != wanted
        }
        RunInput::Undone { key, undone } => match undone {
            Undone::All { .. } => key.as_str() == "undo.proposal.back",
            Undone::Not { .. } => key.as_str().starts_with("undo.proposal"),
        },
        RunInput::Answered { .. }
        | RunInput::Used { .. }
        | RunInput::Delegated { .. }
        | RunInput::NeedsApproval { .. }
        | RunInput::Heard(_) => false,
    };
    let claims = result.directive != Terminal::Abandon || result.summary.lines().any(|line| line.starts_with("met: "));
    let broken = played.inputs.iter().find(|input| is_broken(input));
    claims.then(|| result.summary.clone()).or_else(|| broken.map(|input| format!("{input:?}")))
}

/// A law over worlds in which nothing is ever accepted would say nothing.
#[test]
fn such_worlds_know_every_end() {
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..200 {
        let plan = plans()[usize::try_from(seed % 5).expect("few")].clone();
        let mut player = Player { odds: Some(seed), otherwise: insists, ..Player::default() };
        player = player.script(Party::Perceiver, &[understood()]).script(Party::Planner, &[plan]);
        let played = player.play();
        let result = played.result();
        let end = result.proposal.as_ref().map_or_else(|| result.directive.to_string(), |_| "proposed".to_owned());
        *ends.entry(end).or_default() += 1;
    }
    assert_eq!(ends.keys().collect::<Vec<_>>(), ["abandon", "accept", "proposed", "success"], "{ends:?}");
}
