//! Every shape has an example in its natural line, which it finds by itself.

use std::collections::BTreeSet;

use super::joined;
use crate::rules::RULES;
use crate::token;

/// A row a shape: its name, and a line with a seam in the token.
const EXAMPLES: &str = include_str!("examples.tsv");

fn examples() -> impl Iterator<Item = (&'static str, String)> {
    EXAMPLES.lines().map(|row| row.split_once('\t').expect("a row")).map(|(rule, line)| (rule, joined(line)))
}

/// What one shape finds in a line, without any other.
fn found_alone(rule: usize, line: &str) -> Option<&str> {
    let lower = line.to_lowercase();
    let places = RULES[rule].keywords.iter().flat_map(|word| lower.match_indices(word));
    let hits = places.map(|(at, word)| at..at + word.len());
    let text = line.as_bytes();
    let mut likely = hits.filter(|hit| token::is_likely(text, hit, rule));
    let edit = likely.find_map(|hit| token::find(text, &hit, rule))?;
    Some(&line[edit.range])
}

#[test]
fn every_shape_has_an_example() {
    let with: BTreeSet<&str> = examples().map(|(rule, _)| rule).collect();
    let without: Vec<&str> = RULES.iter().map(|rule| rule.name).filter(|name| !with.contains(name)).collect();
    assert_eq!(without, [""; 0]);
    let unknown: Vec<&str> = with.into_iter().filter(|name| RULES.iter().all(|rule| rule.name != *name)).collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn every_shape_finds_its_example_by_itself() {
    let index = |name: &str| RULES.iter().position(|rule| rule.name == name).expect("a shape");
    let silent: Vec<_> = examples().filter(|(rule, line)| found_alone(index(rule), line).is_none()).collect();
    assert!(silent.is_empty(), "{silent:#?}");
}
