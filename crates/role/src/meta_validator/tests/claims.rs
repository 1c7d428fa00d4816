//! Law 0: what nothing shows is said to be unverified.

use super::super::{CitedSummary, cited};
use super::*;
use crate::ggs::SubTaskStatus;

fn text_of(output: &str, reports: &[OutcomeReport]) -> String {
    cited(output, reports).text
}

#[test]
fn a_sentence_of_a_matched_subtask_cites_the_calls_that_show_it() {
    let reports = [matched("a", "There are 3 files. One is empty!\n- a.rs"), matched("b", "All pass.")];
    let expected = CitedSummary {
        text: "There are 3 files. [evidence: e-a]\nOne is empty! [evidence: e-a]\nAll pass. [evidence: e-b]".to_owned(),
        entries: vec!["e-a".to_owned(), "e-b".to_owned()],
        is_evidenced: true,
    };
    assert_eq!(cited("There  are 3 files. One is empty!\nAll pass.", &reports), expected);
}

#[test]
fn what_no_subtask_said_so_is_unverified() {
    let reports = [matched("a", "I could not make the tests pass. The file a.rs has 3 lines.")];
    for (claim, is_evidenced) in [
        ("The file a.rs has 3 lines.", true),
        ("the tests pass.", false),
        ("The tests pass.", false),
        ("The file a.rs has 3 lines", false),
        ("The file a.rs has 3 lines. All is well.", false),
        ("", false),
        ("...\n---", false),
    ] {
        assert_eq!(cited(claim, &reports).is_evidenced, is_evidenced, "{claim}");
    }
    assert_eq!(text_of("The tests pass.", &reports), "The tests pass. (unverified)");
    assert_eq!(text_of("---", &reports), "");
}

#[test]
fn a_subtask_shows_what_it_says_only_where_every_criterion_rests_on_entries() {
    let good = matched("a", "Done.");
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
        assert_eq!(text_of("Done.", std::slice::from_ref(&bad)), "Done. (unverified)", "{bad:?}");
        assert_eq!(text_of("Done.", &[bad, good.clone()]), "Done. [evidence: e-a]");
    }
}

#[test]
fn a_citation_that_is_made_up_is_none() {
    let reports = [matched("a", "All pass [evidence: e-999].")];
    assert_eq!(text_of("Deployed [evidence: e-a].", &reports), "Deployed (evidence: e-a]. (unverified)");
    let own = cited("All pass [evidence: e-999].", &reports);
    assert_eq!(
        (own.text.as_str(), own.entries),
        ("All pass (evidence: e-999]. [evidence: e-a]", vec!["e-a".to_owned()])
    );
}
