//! What is said of refusals: every rule has words, and every word stands for a fact.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::*;
use crate::domain::access;
use crate::domain::access::policy::{Intent, Policy};
use crate::domain::canon::anchor::Number;
use crate::domain::canon::claim::Claim;
use crate::domain::canon::event::Conflict;

/// The facts of each rule, as the sources declare them.
type Declared = BTreeMap<String, Vec<BTreeSet<String>>>;

fn sources(folder: &Path, found: &mut Vec<String>) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(&path).expect("read"));
        }
    }
}

/// The fields of each variant of an enum that begins here.
fn variants(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let body = &text[..text.find("\n}").unwrap_or(text.len())];
    let plain: Vec<_> =
        body.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.is_empty()).collect();
    let (mut all, mut inside): (BTreeMap<String, BTreeSet<String>>, Option<String>) = Default::default();
    for line in plain.iter().skip(1) {
        let line = line.trim_start_matches("#[serde(serialize_with = \"as_text\")] ");
        match (&inside, line.split_once(" {")) {
            (None, Some((name, fields))) => {
                let fields = fields.replace("#[serde(serialize_with = \"as_text\")]", "");
                let names = fields.split(',').filter_map(|field| Some(field.split_once(':')?.0.trim().to_owned()));
                all.insert(name.to_owned(), names.collect());
                inside = (!line.contains('}')).then(|| name.to_owned());
            }
            (None, None) => drop(all.insert(line.trim_end_matches(',').to_owned(), BTreeSet::new())),
            (Some(_), _) if line.starts_with('}') => inside = None,
            (Some(name), _) => {
                if let Some((field, _)) = line.trim_start_matches("pub ").split_once(':') {
                    all.entry(name.clone()).or_default().insert(field.to_owned());
                }
            }
        }
    }
    all
}

/// All rules of a text, with the facts of each.
fn rules(text: &str, declared: &mut Declared) {
    for kind in ["enum Refusal {", "enum Unhealthy {"] {
        let Some(start) = text.find(kind) else { continue };
        let variants = variants(&text[start..]);
        let rule_of = text.find("fn rule(&self)").expect("a rule");
        let body = &text[rule_of..rule_of + text[rule_of..].find("\n    }\n").expect("an end")];
        for arm in body.split("Self::").skip(1) {
            let name = arm.split([' ', '(', '{', '=']).next().expect("a name");
            let rule = body[body.find(&format!("Self::{name}")).expect("there")..].split('"').nth(1).expect("a rule");
            declared.entry(rule.to_owned()).or_default().push(variants[name].clone());
        }
    }
}

fn declared() -> Declared {
    let (mut texts, mut declared) = (Vec::new(), Declared::new());
    for folder in ["domain", "policy"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/rules/src").join(folder), &mut texts);
    }
    for text in &texts {
        rules(text, &mut declared);
    }
    let of = |names: &[&str]| vec![names.iter().map(ToString::to_string).collect::<BTreeSet<_>>()];
    for rule in crate::domain::breaker::Rule::ALL {
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
        policy: Policy::Closed,
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
    let conflict = Conflict { claim, key: "mara".into(), version, value: "amber".into(), said: None, source: None };
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
