//! What must have come of a step: a value at a dotted path, or something that holds of it.
//!
//! Of a path at which nothing is, nothing holds but that it does not exist: it may be misspelt.

use std::fmt;

use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The last part of a path that stands for how many there are.
const COUNT: &str = "count";
/// What is expected of every path, but where nothing is asked for.
const NOTHING_THERE: &str = "something at this path (`exists = false` asks for nothing)";

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
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
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
    let found = at(path, in_all);
    let came = found.clone().unwrap_or_default();
    let words = match (expected, found) {
        (Expectation::Holds(Holds { exists: Some(false), .. }), None) => Vec::new(),
        (Expectation::Is(_) | Expectation::Holds(_), None) => vec![NOTHING_THERE.to_owned()],
        (Expectation::Is(value), Some(_)) => (!same(value, &came)).then(|| value.to_string()).into_iter().collect(),
        (Expectation::Holds(holds), Some(_)) => holds.missed(&came),
    };
    words.into_iter().map(|expected| Miss { path: path.to_owned(), expected, came: came.clone() }).collect()
}

/// The value at a dotted path: members, places of lists, and `count` of a list; none where nothing has that path.
fn at(path: &str, in_all: &Value) -> Option<Value> {
    let mut here = in_all.clone();
    for part in path.split('.') {
        here = match &here {
            Value::Object(members) => members.get(part)?.clone(),
            Value::Array(list) if part == COUNT => Value::from(list.len()),
            Value::Array(list) => list.get(part.parse::<usize>().ok()?)?.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
    }
    Some(here)
}

/// Numbers are the same where they are equal, however they are written.
fn same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() < f64::EPSILON)
}

impl Expectation {
    /// What is wrong with it, whatever comes: a pattern that is none, or nothing that is to hold.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self::Holds(holds) = self else { return Ok(()) };
        if *holds == Holds::default() {
            return Err("{} expects nothing: say what is to hold".to_owned());
        }
        let Some(pattern) = &holds.matches else { return Ok(()) };
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_holds_of_a_path_that_is_not_there_but_that_it_does_not_exist() {
        let tick = json!({ "response": "make", "trace": { "results": ["a"] }, "reply": null });
        let expectations = [
            json!({ "not": "x" }),
            json!({ "at_most": 1 }),
            json!({ "one_of": [null] }),
            json!({ "matches": ".*" }),
            json!({ "contains": "" }),
            json!({ "exists": true }),
            json!({ "exists": true, "not": "x" }),
            json!(null),
            json!("x"),
        ];
        let absent = [
            "response2", "response.text", "trace.result.count", "trace.results.1", "trace.results.counts",
            "trace.count", "reply.text", "",
        ];
        let misses = |path: &str, expected: &Value| {
            let expected = serde_json::from_value(expected.clone()).expect("an expectation");
            missed(path, &expected, &tick)
        };
        for path in absent {
            for expected in &expectations {
                let told: Vec<_> = misses(path, expected).iter().map(ToString::to_string).collect();
                assert_eq!(told, [format!("{path}: expected {NOTHING_THERE}, came null")], "{expected}");
            }
            assert_eq!(misses(path, &json!({ "exists": false })), [], "{path}");
        }
        for (path, expected, is_missed) in [
            ("response", json!({ "not": "x" }), false),
            ("response", json!({ "exists": false }), true),
            ("trace.results.count", json!(1), false),
            ("trace.results.0", json!({ "not": "a" }), true),
            // What is there and empty is there.
            ("reply", json!(null), false),
            ("reply", json!({ "not": "x" }), false),
            ("reply", json!({ "exists": false }), false),
        ] {
            assert_eq!(!misses(path, &expected).is_empty(), is_missed, "{path} {expected}");
        }
    }

    #[test]
    fn an_expectation_of_nothing_is_none() {
        let check = |expected: Value| serde_json::from_value::<Expectation>(expected).expect("an expectation").check();
        assert!(check(json!({})).is_err() && check(json!({ "matches": "(" })).is_err());
        assert_eq!((check(json!({ "exists": false })), check(json!([]))), (Ok(()), Ok(())));
    }
}
