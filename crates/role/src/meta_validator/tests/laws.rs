//! What holds for any reports and any answers.

use proptest::prelude::*;

use super::super::question;
use super::*;
use crate::testing::{criterion, verifiable};

fn any_raw() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["pass", "fail", "maybe"]);
    let quote = prop::sample::select(vec!["the output of a", "made up for this", "a claim of what failed", ""]);
    let row = (0..4, word, quote)
        .prop_map(|(n, verdict, evidence)| json!({ "n": n, "verdict": verdict, "evidence": evidence }));
    let formed = prop::collection::vec(row, 0..4).prop_map(|rows| json!({ "verdicts": rows }).to_string());
    prop_oneof![4 => formed, 1 => "\\PC{0,40}"]
}

proptest! {
    #![proptest_config(crate::testing::at_least(1000))]

    /// Artoo, "Key Invariants": nothing is accepted while a subtask failed, a check is unmet, or evidence is missing.
    #[test]
    fn nothing_is_accepted_that_is_not_whole(
        heard_of in prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "z"]), any::<bool>()), 0..6),
        raw in any_raw(),
        state in prop::option::of(prop::sample::select(CheckState::ALL)),
    ) {
        let plan = manifest(&[criterion("x"), verifiable("y", "make")], &[("a", 1), ("b", 1), ("c", 2)]);
        let reports: Vec<_> = heard_of.iter().map(|(id, fails)| if *fails { failed(id, None) } else { matched(id, "A.") }).collect();
        let round = heard(plan.clone(), &reports);
        let checks: Vec<_> = state.into_iter().map(|state| found("make", state)).collect();
        let verdicts = read(&raw, &plan).unwrap_or_default();
        let any_failed = heard_of.iter().any(|(id, fails)| *fails && *id != "z");
        if any_failed {
            prop_assert_eq!(question(&round, &checks, None), None);
        }
        let outcome = gated(&round, &checks, &verdicts);
        if outcome.gate == Gate::Accepted {
            prop_assert!(!any_failed && round.is_complete());
            prop_assert_eq!((outcome.outcomes.len(), outcome.task_verdicts.len()), (3, 2));
            prop_assert_eq!(state, Some(CheckState::Met));
            prop_assert_eq!(outcome.task_verdicts[0].evidence.as_str(), "the output of a");
        }
    }

    /// Whatever is heard, in whatever order: groups start in order, each subtask once, and the round ends.
    #[test]
    fn a_round_ends_and_starts_each_subtask_at_most_once(
        sequences in prop::collection::vec(0_u32..4, 1..8),
        fails in prop::collection::vec(any::<bool>(), 8),
    ) {
        let names: Vec<_> = (0..sequences.len()).map(|at| format!("p{at}")).collect();
        let parts: Vec<_> = names.iter().map(String::as_str).zip(sequences).collect();
        let mut round = Gathering::of(manifest(&[], &parts));
        let mut started: Vec<SubTask> = Vec::new();
        while !round.is_complete() {
            let group = round.group();
            prop_assert!(!group.is_empty());
            for subtask in group {
                round.started(&subtask.subtask_id);
                let fails = fails[started.len()];
                let id = subtask.subtask_id.clone();
                started.push(subtask);
                round.heard(if fails { failed(&id, None) } else { matched(&id, "A.") });
            }
        }
        prop_assert!(started.is_sorted_by_key(|subtask| subtask.sequence));
        let mut once = ids(&started);
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), started.len());
        prop_assert_eq!(started.len() + round.never_started().len(), parts.len());
        prop_assert_eq!(round.has_failed(), fails[..started.len()].contains(&true));
    }

    /// A text is never made to look better than it was: each line is cited or marked.
    #[test]
    fn every_claim_is_cited_or_marked(text in "(\\PC|\\n|\\. ){0,60}") {
        let reports = [matched("a", "All pass.")];
        let found = super::super::cited(&text, &reports);
        for line in found.text.lines() {
            let shown = line.strip_suffix(" [evidence: e-a]").map(|text| text.trim_matches(|letter: char| !letter.is_alphanumeric()));
            let is_shown = shown.is_some_and(|text| text == "a" || "the output of a".contains(text));
            prop_assert!(line.ends_with(" (unverified)") || is_shown, "{line}");
        }
        prop_assert!(!found.is_evidenced || found.entries == ["e-a"]);
    }
}
