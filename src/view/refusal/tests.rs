//! What is said of refusals: every rule has words, and every word stands for a fact.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::*;
use crate::domain::access;
use crate::domain::access::policy::{FolderPolicy, Intent};
use crate::domain::canon::anchor::Number;
use crate::domain::canon::claim::Claim;
use crate::domain::canon::event::ClaimConflict;

/// The facts of each rule, as they are declared.
type Declared = BTreeMap<String, Vec<BTreeSet<String>>>;

fn declared() -> Declared {
    let mut declared = Declared::new();
    for doc in crate::domain::rule_docs().chain(crate::policy::rule_docs()) {
        let facts = doc.facts.iter().map(ToString::to_string).collect();
        declared.entry(doc.rule.to_owned()).or_default().push(facts);
    }
    let of = |names: &[&str]| vec![names.iter().map(ToString::to_string).collect::<BTreeSet<_>>()];
    for rule in crate::domain::breaker::BreakerRule::ALL {
        declared.insert(format!("breakers.{rule}"), of(&["violations", "advice"]));
    }
    declared.insert("log.cause_ahead".to_owned(), of(&["id", "at", "ahead", "until"]));
    declared.insert("world.consequences.endless".to_owned(), of(&["steps"]));
    declared
}

fn names(words: &str) -> BTreeSet<String> {
    let parts = words.split('{').skip(1).filter_map(|part| part.split_once('}'));
    parts.map(|(name, _)| name.split([':', '.']).next().expect("a name").to_owned()).collect()
}

#[test]
fn every_rule_of_standing_is_a_rule() {
    let declared = declared();
    let unknown: Vec<_> = crate::policy::STANDING_RULES.iter().filter(|rule| !declared.contains_key(**rule)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_rule_has_words_and_every_word_stands_for_a_fact() {
    let declared = declared();
    assert!(declared.len() > 230, "only {} rules were found", declared.len());
    let rows: Vec<_> = TABLES.iter().copied().flatten().collect();
    let worded: BTreeSet<_> = rows.iter().map(|words| words.rule).collect();
    let ruled: BTreeSet<_> = declared.keys().map(String::as_str).collect();
    assert_eq!(worded, ruled);
    for Words { rule, says, hint } in rows {
        assert!(!says.is_empty() && !hint.is_empty(), "{rule}");
        let used = &names(says) | &names(hint);
        assert!(declared[*rule].iter().any(|facts| used.is_subset(facts)), "{rule}: {used:?} of {:?}", declared[*rule]);
    }
}

fn said(rule: &str, data: impl Serialize) -> (String, Option<String>) {
    let told = told(&Refusal::of(rule, &data));
    (told.message, told.hint)
}

#[test]
fn facts_stand_in_sentences() {
    let forbidden = access::Refusal::Forbidden {
        agent: "critic".into(),
        intent: Intent::Write,
        path: "history/a".into(),
        folder: "history".into(),
        policy: FolderPolicy::Closed,
    };
    let forbidden = told(&Refusal::of(forbidden.rule(), &forbidden));
    assert_eq!(forbidden.message, "critic may not write history/a: .context/history is for Annals alone");
    let issue = |data| said("issues.not_then", data).0;
    assert_eq!(
        issue(json!({ "label": "43b", "from": "resolved", "what": "a_comment" })),
        "issue #43b is resolved, and a comment is not allowed then"
    );
    assert_eq!(said("roster.bad_seal", json!(null)).0, "a seal is 64 hexadecimal digits");
    let nowhere = [json!({ "path": "operation.input", "entry": "01K7" }), json!({ "path": "operation.input" })];
    assert_eq!(
        nowhere.map(|data| said("erasure.nothing_there", data).0),
        ["no line holds a value at operation.input of 01K7", "no line holds the value"]
    );
}

#[test]
fn what_contradicts_and_what_was_violated_is_listed() {
    let version = Number::read("2").expect("a number");
    let claim = Claim { subject: "mara".into(), attribute: "eyes".into(), value: "green".into(), said: None };
    let conflict =
        ClaimConflict { claim, key: "mara".into(), version, value: "amber".into(), said: None, source: None };
    let contradicted = said("canon.contradicted", json!({ "conflicts": [conflict] })).0;
    assert_eq!(contradicted, "canon says otherwise: mara@2 has mara, eyes: amber (not green)");
    let check = |rule: &str, value: u64, limit: u64, found: Value| json!({ "rule": rule, "value": value, "limit": limit, "violation": "freeze", "found": found });
    let violations = json!({ "violations": [
        check("comment-budget-exceeded", 2, 2, json!({ "agent": "critic" })),
        check("escalation-language", 1, 0, json!({ "keywords": ["urgent"] })),
        check("ping-pong-detected", 3, 2, json!({ "agent": "critic", "other": "anna" })),
        check("missing-evidence-for-impact", 1, 2, json!({ "impact": "canon-changing", "files": 1 })),
    ]});
    assert_eq!(
        said("breakers.comment-budget-exceeded", violations).0,
        "critic has used 2 of 2 comments on this issue; 1 word of alarm (urgent), and the most allowed is 0; \
         critic and anna have alternated 3 times, and the most allowed is 2; a canon-changing comment must cite at least \
         one file and one issue or entry of canon; this one cites 1 file and 0 others"
    );
}

/// The same rule rejects or freezes, as it is configured.
#[test]
fn what_to_do_about_a_violation_follows_from_what_it_does() {
    let hint = |violation: &str| {
        let check = json!({ "rule": "missing-evidence-for-impact", "value": 0, "limit": 1, "violation": violation });
        said("breakers.missing-evidence-for-impact", json!({ "violations": [check] })).1.expect("a hint")
    };
    assert!(hint("reject").starts_with("say why, cite files"), "{}", hint("reject"));
    assert!(hint("freeze").starts_with("the issue is frozen"), "{}", hint("freeze"));
}

#[test]
fn a_rule_of_a_later_version_is_named_with_its_facts() {
    assert_eq!(
        said("issues.too_loud", json!({ "decibel": 90 })),
        ("rule issues.too_loud: decibel: 90".to_owned(), None)
    );
    assert_eq!(said("issues.too_loud", json!({})), ("rule issues.too_loud".to_owned(), None));
}
