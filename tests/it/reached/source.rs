//! The messages that may be made of each rule of the rooms.
//!
//! A pattern fits what a template makes, whatever stands in its gaps.

use std::collections::BTreeMap;

use annals::view::refusal::templates;
use regex::Regex;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// The rules of the rooms, each with patterns of its messages.
pub fn of_rooms() -> BTreeMap<String, Vec<Regex>> {
    let of = |name: &str| templates().filter(|(rule, _)| *rule == name).map(|(_, says)| like(says)).collect();
    annals::domain::rule_docs().map(|doc| (doc.rule.to_owned(), of(doc.rule))).collect()
}

/// A pattern of what a template makes: anything may stand in its gaps.
fn like(template: &str) -> Regex {
    let gap = pattern(r"\{[^}]*\}");
    let template = template.replace("\\\"", "\"");
    let parts: Vec<_> = gap.split(&template).map(regex::escape).collect();
    pattern(&format!("(?s)^{}$", parts.join(".*")))
}
