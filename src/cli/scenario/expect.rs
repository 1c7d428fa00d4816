//! What must have come of a step: a value at a dotted path, or something that holds of it.

use std::fmt;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The last part of a path that stands for how many there are.
const COUNT: &str = "count";

/// What is expected at a path.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Expectation {
    /// Something that holds of it.
    Holds(Holds),
    /// This very value.
    Is(Value),
}

/// Each that is given must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holds {
    contains: Option<String>,
    matches: Option<String>,
    not: Option<Value>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    /// Whether there is anything.
    exists: Option<bool>,
    one_of: Option<Vec<Value>>,
}

/// What did not come as it should.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Miss {
    /// Where.
    path: String,
    /// What was expected, in words.
    expected: String,
    /// What came; null where nothing is there.
    came: Value,
}

impl Miss {
    /// A step that could not be played at all.
    pub(super) fn of_step(error: &str) -> Self {
        Self { path: "action".to_owned(), expected: "a step that can be played".to_owned(), came: Value::from(error) }
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, expected, came } = self;
        write!(f, "{path}: expected {expected}, came {came}")
    }
}

/// What is missed of one expectation.
pub(super) fn missed(path: &str, expected: &Expectation, in_all: &Value) -> Vec<Miss> {
    let came = at(path, in_all);
    let words = match expected {
        Expectation::Is(value) => (!same(value, &came)).then(|| value.to_string()).into_iter().collect(),
        Expectation::Holds(holds) => holds.missed(&came),
    };
    words.into_iter().map(|expected| Miss { path: path.to_owned(), expected, came: came.clone() }).collect()
}

/// The value at a dotted path: members, places of lists, and `count` of a list; null where there is none.
fn at(path: &str, in_all: &Value) -> Value {
    let mut here = in_all.clone();
    for part in path.split('.') {
        here = match &here {
            Value::Object(members) => members.get(part).cloned().unwrap_or(Value::Null),
            Value::Array(list) if part == COUNT => Value::from(list.len()),
            Value::Array(list) => {
                part.parse().ok().and_then(|place: usize| list.get(place)).cloned().unwrap_or(Value::Null)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
        };
    }
    here
}

/// Numbers are the same where they are equal, however they are written.
fn same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() < f64::EPSILON)
}

impl Expectation {
    /// What is wrong with it, whatever comes: a pattern that is none.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self::Holds(Holds { matches: Some(pattern), .. }) = self else { return Ok(()) };
        Regex::new(pattern).map(drop).map_err(|error| format!("matches = {pattern:?}: {error}"))
    }
}

impl Holds {
    fn missed(&self, came: &Value) -> Vec<String> {
        let text = came.as_str().map_or_else(|| came.to_string(), str::to_owned);
        let number = came.as_f64();
        let is_there = !came.is_null();
        let mut missed = Vec::new();
        let mut check = |holds: bool, words: String| {
            if !holds {
                missed.push(words);
            }
        };
        if let Some(part) = &self.contains {
            check(is_there && text.contains(part), format!("something with {part:?} in it"));
        }
        if let Some(pattern) = &self.matches {
            let found = Regex::new(pattern).map(|pattern| is_there && pattern.is_match(&text));
            check(found.unwrap_or(false), format!("something that matches {pattern:?}"));
        }
        if let Some(value) = &self.not {
            check(!same(value, came), format!("anything but {value}"));
        }
        if let Some(least) = self.at_least {
            check(number.is_some_and(|number| number >= least), format!("at least {least}"));
        }
        if let Some(most) = self.at_most {
            check(number.is_some_and(|number| number <= most), format!("at most {most}"));
        }
        if let Some(exists) = self.exists {
            check(is_there == exists, if exists { "something" } else { "nothing" }.to_owned());
        }
        if let Some(values) = &self.one_of {
            check(values.iter().any(|value| same(value, came)), format!("one of {}", Value::from(values.clone())));
        }
        missed
    }
}
