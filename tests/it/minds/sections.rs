//! Every section, rule list and decision that the minds are built from is named by a test.

use std::collections::BTreeSet;

use crate::control::sections::{all_tests, sections_in};

/// Sections of the AFS document with something to build.
const AFS: &str = "4.1 4.2 4.3 4.4 4.5 5.1 5.2.1 5.2.2 5.2.3 5.2.4 5.2.5 5.2.6 5.2.7 5.2.8 5.3 5.4 6.1 6.2 6.3 6.4 6.5 \
     7.1 7.2 7.3 7.4 13.2 13.3";
/// Rows of the decisions.
const DECISIONS: &str = "20 21 22 23 24 25 26 26a 26b 31 34 36";
/// Headings of the documents that have no numbers.
const HEADINGS: [&str; 15] = [
    "Artoo R5",
    "Galatea 3",
    "Dialectic, \"CSP/1 Protocol Extensions\"",
    "Dialectic, \"Planning Debate Flow\"",
    "Dialectic, \"Failure Debate Flow\"",
    "Dialectic, \"Synthesis Rules\"",
    "Dialectic, \"Synthesis Judgment Criteria\"",
    "Dialectic, \"Logging Format\"",
    "Dialectic, \"Error Fingerprinting\"",
    "Dialectic, \"Staleness Reset Logic\"",
    "Dialectic, \"Failure Tracking State\"",
    "Dialectic, \"Query Before Each Attempt\"",
    "Dialectic, \"Semantic collision handling\"",
    "Dialectic, \"Response limits\"",
    "Dialectic, \"Performance Monitoring\"",
];

#[test]
fn a_test_names_each_of_them() {
    let texts = all_tests();
    let named = |document| texts.iter().flat_map(|text| sections_in(text, document)).collect::<BTreeSet<_>>();
    let missing = |document, wanted: &'static str| {
        let named = named(document);
        wanted.split_whitespace().filter(|one| !named.contains(*one)).collect::<Vec<_>>()
    };
    let headings: Vec<_> = HEADINGS.into_iter().filter(|name| !texts.iter().any(|text| text.contains(name))).collect();
    let decisions = [missing("ecision ", DECISIONS), missing("ecisions ", DECISIONS)];
    let decisions: Vec<_> = decisions[0].iter().filter(|one| decisions[1].contains(one)).collect();
    assert_eq!((missing("AFS ", AFS), decisions, headings), (vec![], vec![], vec![]), "no test names these");
}
