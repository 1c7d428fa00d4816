//! What the sources of rooms and policies say about each "no": its rule, and the message that is made of it.
//!
//! Reads Rust as text: a rule stands in `fn rule` beside its variant. What is written otherwise is not found, and a test
//! counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use annals::view::refusal::templates;
use regex::Regex;

fn sources(folder: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut next = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(path) = next.pop() {
        if path.is_dir() {
            next.extend(fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if !is_test(&path) {
            texts.push(fs::read_to_string(path).expect("a source"));
        }
    }
    texts
}

fn is_test(path: &Path) -> bool {
    path.file_stem().is_some_and(|name| name == "tests") || path.extension().is_none_or(|end| end != "rs")
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// The rules of the rooms, each with patterns of its messages.
pub fn of_rooms() -> BTreeMap<String, Vec<Regex>> {
    let rule = pattern(r#"Self::(\w+)(?: \{ \.\. \})? => "([a-z_]+\.[a-z_]+)""#);
    let mut all = BTreeMap::new();
    for text in sources("crates/rules/src/domain") {
        for found in rule.captures_iter(&text) {
            let templates = templates().filter(|(rule, _)| *rule == &found[2]);
            all.insert(found[2].to_owned(), templates.map(|(_, says)| like(says)).collect());
        }
    }
    all
}

/// The rules of guards and reviews.
pub fn of_policies() -> Vec<String> {
    let rule = pattern(r#"=> "([a-z_]+\.[a-z_]+)""#);
    let texts = sources("crates/rules/src/policy");
    let found = texts.iter().flat_map(|text| rule.captures_iter(text).map(|found| found[1].to_owned()));
    found.collect()
}

/// A pattern of what a template makes: anything may stand in its gaps.
fn like(template: &str) -> Regex {
    let gap = pattern(r"\{[^}]*\}");
    let template = template.replace("\\\"", "\"");
    let parts: Vec<_> = gap.split(&template).map(regex::escape).collect();
    pattern(&format!("(?s)^{}$", parts.join(".*")))
}
