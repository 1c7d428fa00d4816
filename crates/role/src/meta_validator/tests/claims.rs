//! Law 0: what nothing shows is said to be unverified.

use super::super::{CitedSummary, cited};
use super::*;
use crate::ggs::SubTaskStatus;

fn text_of(output: &str, reports: &[OutcomeReport]) -> String {
    cited(output, reports).text
}

fn gave(id: &str, output: &str, given: &str) -> OutcomeReport {
    let mut report = matched(id, output);
    given.clone_into(&mut report.calls[0].output);
    report
}

#[test]
fn a_sentence_that_a_tool_gave_to_the_letter_cites_its_call() {
    let reports = [gave("a", "", "There are 3 files.\nOne of them is empty!"), gave("b", "", "7 passed; 0 failed")];
    let expected = CitedSummary {
        text: "There are 3 files. [evidence: e-a]\nOne of them is empty! [evidence: e-a]\n7 passed; 0 failed [evidence: e-b]"
            .to_owned(),
        entries: vec!["e-a".to_owned(), "e-b".to_owned()],
        is_evidenced: true,
    };
    assert_eq!(cited("There  are 3 files. One of them is empty!\n7 passed; 0 failed", &reports), expected);
}

/// Paid for having a lie cited: a matched subtask says more than was done.
#[test]
fn what_a_subtask_says_of_itself_is_unverified() {
    let said = "Fixed the login bug, deployed version 7 to production and ran all 120 tests: every one passed.";
    let reports = [matched("out.txt holds done", said)];
    assert_eq!(text_of(said, &reports), format!("{said} (unverified)"));
    assert_eq!(text_of("out.txt holds done.", &reports), "out.txt holds done. [evidence: e-out.txt holds done]");
    let met = super::super::claim::met(&reports);
    assert_eq!(met, ["met: out.txt holds done: the output of out.txt holds done [evidence: e-out.txt holds done]"]);
}

#[test]
fn what_no_tool_gave_is_unverified() {
    let reports = [gave("a", "The tests pass.", "a.rs:3: The file has 3 lines.")];
    for (claim, is_evidenced) in [
        ("The file has 3 lines.", true),
        ("the tests pass.", false),
        ("The tests pass.", false),
        ("The file has 3 lines. All is well.", false),
        ("", false),
        ("...\n---", false),
    ] {
        assert_eq!(cited(claim, &reports).is_evidenced, is_evidenced, "{claim}");
    }
    assert_eq!(text_of("The tests pass.", &reports), "The tests pass. (unverified)");
    assert_eq!(text_of("---", &reports), "");
}

#[test]
fn a_subtask_shows_anything_only_where_every_criterion_rests_on_entries() {
    let good = gave("a", "", "All 7 are done.");
    let mut failing = good.clone();
    failing.outcome.status = SubTaskStatus::Failed;
    let mut one_unmet = good.clone();
    one_unmet.outcome.criteria_verdicts.push(verdict("z", Verdict::Fail, None));
    let mut without_entry = good.clone();
    without_entry.evidence[0].entries.clear();
    let mut unchecked = good.clone();
    unchecked.evidence.clear();
    unchecked.outcome.criteria_verdicts.clear();
    let mut one_without = good.clone();
    one_without.outcome.criteria_verdicts.push(verdict("z", Verdict::Pass, None));
    for bad in [failing, one_unmet, without_entry, unchecked, one_without] {
        assert_eq!(text_of("All 7 are done.", std::slice::from_ref(&bad)), "All 7 are done. (unverified)", "{bad:?}");
        assert_eq!(text_of("All 7 are done.", &[bad, good.clone()]), "All 7 are done. [evidence: e-a]");
    }
}

#[test]
fn a_citation_that_is_made_up_is_none() {
    let reports = [gave("a", "", "All pass [evidence: e-999].")];
    assert_eq!(text_of("Deployed [evidence: e-a].", &reports), "Deployed (evidence: e-a]. (unverified)");
    let own = cited("All pass [evidence: e-999].", &reports);
    assert_eq!(
        (own.text.as_str(), own.entries),
        ("All pass (evidence: e-999]. [evidence: e-a]", vec!["e-a".to_owned()])
    );
}
