//! The cases that came with the documents (`metaval.json`).

use std::collections::BTreeMap;

use super::super::failure_class;
use super::*;
use crate::ggs::{FailureMix, GapAttempt};

#[derive(serde::Deserialize)]
struct Case {
    input: String,
    expect: String,
}

const LOGICAL: Option<FailureClass> = Some(FailureClass::Logical);
const ENVIRONMENTAL: Option<FailureClass> = Some(FailureClass::Environmental);

#[test]
fn metaval_failure_class() {
    let cases: BTreeMap<String, Vec<Case>> = serde_json::from_str(include_str!("cases.json")).expect("cases");
    assert_eq!(cases.keys().collect::<Vec<_>>(), ["metaval.failure_class"]);
    for Case { input, expect } in cases.into_values().flatten() {
        let classes = match input.as_str() {
            "failed but unclassified" => vec![None, None],
            "all environmental" => vec![ENVIRONMENTAL, ENVIRONMENTAL],
            "both" => vec![ENVIRONMENTAL, LOGICAL],
            "all failed criteria logical" => vec![LOGICAL, LOGICAL],
            other => panic!("{other}"),
        };
        let verdicts: Vec<_> = classes.into_iter().map(|class| verdict("x", Verdict::Fail, class)).collect();
        let together = [outcome("a", SubTaskStatus::Failed, verdicts.clone())];
        let apart: Vec<_> = verdicts.into_iter().map(|one| outcome("a", SubTaskStatus::Failed, vec![one])).collect();
        for outcomes in [together.to_vec(), apart] {
            assert_eq!(failure_class(&outcomes).map_or("", FailureMix::as_str), expect, "{input}");
        }
    }
}

#[test]
fn where_no_verdict_has_a_class_the_last_attempt_tells() {
    let gap = |class| GapAttempt { unmet_criteria: Vec::new(), failure_class: class };
    let mut failing = outcome("a", SubTaskStatus::Failed, Vec::new());
    failing.gap_trajectory = vec![gap(LOGICAL), gap(ENVIRONMENTAL)];
    assert_eq!(failure_class(&[failing.clone()]), Some(FailureMix::Environmental));
    let fine = SubTaskOutcome { status: SubTaskStatus::Matched, ..failing };
    assert_eq!(failure_class(&[fine]), None, "what matched is no failure");
}
