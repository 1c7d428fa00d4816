//! What R4b's model is asked, and when it is not.

use super::super::{checks, question};
use super::*;
use crate::prompt::BadAnswer;
use crate::testing::{criterion, hostile_answers, verifiable};

fn plan() -> DispatchManifest {
    manifest(&[criterion("both are there"), verifiable("it builds", "make")], &[("a", 1), ("b", 1)])
}

#[test]
fn a_question_shows_claims_and_what_tools_gave_apart() {
    let round = heard(plan(), &[matched("a", "A."), matched("b", "B.")]);
    assert_eq!(checks(round.manifest()), [check("make")]);
    let prompt = question(&round, &[found("make", CheckState::Met)], None).expect("a question");
    let shown = |number: usize, id: &str, claim: &str| {
        format!(
            "Subtask {number}:\n```\ndo {id}\n```\nWhat is said (a claim):\n```\n{claim}\n```\nWhat tools gave:\n\
             ```\nthe output of {id}\nread {id} ->\nthe output of {id}\n```"
        )
    };
    let expected =
        format!("{}\n\n{}\n\nCriteria:\n```\n1. both are there\n```", shown(1, "a", "A."), shown(2, "b", "B."));
    assert_eq!(prompt.user, expected);
    assert!(!prompt.may_think && prompt.system.chars().count() < 1100);
    let again = question(&round, &[found("make", CheckState::Met)], Some(&BadAnswer::CutOff)).expect("a question");
    assert!(again.user.contains("could not be used: the answer was cut off.\nAnswer with one JSON object"));
}

#[test]
fn nothing_is_asked_where_anything_failed_or_code_decides() {
    let met = [found("make", CheckState::Met)];
    let all = [matched("a", "A."), matched("b", "B.")];
    let ask = |reports: &[OutcomeReport], checks: &[CheckResult]| question(&heard(plan(), reports), checks, None);
    assert!(ask(&all, &met).is_some());
    assert_eq!(ask(&all[..1], &met), None, "not over");
    assert_eq!(ask(&[matched("a", "A."), failed("b", None)], &met), None);
    assert_eq!(ask(&all, &[found("make", CheckState::Unmet)]), None);
    assert_eq!(ask(&all, &[]), None, "not checked");
    let by_code = heard(manifest(&[verifiable("it builds", "make")], &[("a", 1)]), &[matched("a", "A.")]);
    assert_eq!(question(&by_code, &met, None), None);
}

#[test]
fn what_is_no_answer_gives_no_verdict() {
    for raw in hostile_answers() {
        assert!(read(&raw, &plan()).is_err());
    }
}

#[test]
fn a_question_has_bounds_whatever_was_said() {
    let long = "`x\n".repeat(100_000);
    let mut report = matched("a", &long);
    report.calls = vec![CallEvidence { output: long.clone(), request: long.clone(), entry: None }; 40];
    let round = heard(manifest(&[criterion(&long)], &[("a", 1)]), &[report]);
    let prompt = question(&round, &[], None).expect("a question");
    assert!(prompt.user.chars().count() < 20_000, "{}", prompt.user.chars().count());
}
