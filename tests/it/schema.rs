//! Every kind of entry is as the published schema says.
//!
//! The schema needs a dozen keywords, so they are checked here, by a page of our own; a validator for all of JSON
//! Schema would bring forty crates. A keyword that is not known here fails the test, so that none is passed over.

use std::path::Path;

use annals::kernel::time::Timestamp;
use regex::Regex;
use serde_json::{Value, json};

use crate::golden;
use crate::program::Project;
use crate::support::day_files;

fn schema() -> Value {
    serde_json::from_str(&annals::cli::schema::history_entry()).expect("JSON")
}

/// What is wrong with a value, by its place.
fn problems(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if schema == &json!(true) {
        return;
    }
    for (keyword, rule) in schema.as_object().expect("a schema") {
        let fits = match keyword.as_str() {
            "$ref" => {
                let name = rule.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a local name");
                problems(root, &root["$defs"][name], value, at, found);
                true
            }
            "anyOf" => rule.as_array().expect("a list").iter().any(|one| is_valid(root, one, value)),
            "type" => {
                let one = std::slice::from_ref(rule);
                rule.as_array().map_or(one, Vec::as_slice).iter().any(|name| is_of(name, value))
            }
            "properties" | "required" | "additionalProperties" => {
                members(root, schema, (keyword, rule), value, at, found);
                true
            }
            "items" | "prefixItems" | "minItems" | "maxItems" => items(root, schema, (keyword, rule), value, at, found),
            "pattern" => value
                .as_str()
                .is_none_or(|text| Regex::new(rule.as_str().expect("a pattern")).expect("a pattern").is_match(text)),
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().expect("a number"))
            }
            "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().expect("a number")),
            "format" => has_format(rule.as_str().expect("a name"), value),
            "$defs" | "$id" | "$schema" | "title" | "description" | "examples" => true,
            other => panic!("the test does not know {other}"),
        };
        if !fits {
            found.push(format!("{at}: {keyword} {rule}: {value}"));
        }
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type") {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        other => panic!("the test does not know the type {other}"),
    }
}

fn has_format(name: &str, value: &Value) -> bool {
    match name {
        "date-time" => value.as_str().is_none_or(|text| text.parse::<Timestamp>().is_ok()),
        "uint32" => value.as_u64().is_none_or(|number| u32::try_from(number).is_ok()),
        "uint64" => !value.is_number() || value.is_u64(),
        "int64" => !value.is_number() || value.is_i64(),
        other => panic!("the test does not know the format {other}"),
    }
}

type Keyword<'s> = (&'s String, &'s Value);

fn members(
    root: &Value,
    schema: &Value,
    (keyword, rule): Keyword<'_>,
    value: &Value,
    at: &str,
    found: &mut Vec<String>,
) {
    let Some(members) = value.as_object() else { return };
    match keyword.as_str() {
        "required" => {
            let names = rule.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name"));
            found.extend(names.filter(|name| !members.contains_key(*name)).map(|name| format!("{at}: no {name}")));
        }
        "properties" => {
            for (name, inner) in rule.as_object().expect("an object") {
                if let Some(value) = members.get(name) {
                    problems(root, inner, value, &format!("{at}.{name}"), found);
                }
            }
        }
        _ => {
            let others = members.iter().filter(|(name, _)| schema["properties"].get(name.as_str()).is_none());
            others.for_each(|(name, value)| problems(root, rule, value, &format!("{at}.{name}"), found));
        }
    }
}

fn items(
    root: &Value,
    schema: &Value,
    (keyword, rule): Keyword<'_>,
    value: &Value,
    at: &str,
    found: &mut Vec<String>,
) -> bool {
    let Some(items) = value.as_array() else { return true };
    let length = || usize::try_from(rule.as_u64().expect("a number")).expect("a length");
    match keyword.as_str() {
        "minItems" => items.len() >= length(),
        "maxItems" => items.len() <= length(),
        "prefixItems" => {
            for (index, (inner, value)) in rule.as_array().expect("a list").iter().zip(items).enumerate() {
                problems(root, inner, value, &format!("{at}.{index}"), found);
            }
            true
        }
        _ => {
            let first = schema["prefixItems"].as_array().map_or(0, Vec::len);
            items.iter().skip(first).for_each(|value| problems(root, rule, value, at, found));
            true
        }
    }
}

fn is_valid(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut found = Vec::new();
    problems(root, schema, value, "", &mut found);
    found.is_empty()
}

fn check(lines: &str) -> usize {
    let schema = schema();
    for line in lines.lines() {
        let mut found = Vec::new();
        problems(&schema, &schema, &serde_json::from_str(line).expect("JSON"), "", &mut found);
        assert_eq!(found, [""; 0], "{line}");
    }
    lines.lines().count()
}

fn history(project: &Project) -> String {
    day_files(&project.context()).into_values().collect()
}

#[test]
fn the_golden_logs_are_as_the_schema_says() {
    assert!(check(&golden::all_lines()) > 1000);
}

#[test]
fn imported_sessions_are_as_the_schema_says() {
    let project = Project::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in ["claude-code-session.jsonl", "codex-rollout.jsonl"] {
        let path = examples.join(name).to_string_lossy().into_owned();
        assert_eq!(project.annals(["import", &path], "").code, Some(0), "{name}");
    }
    assert!(check(&history(&project)) > 20);
}

#[test]
fn what_is_recorded_by_hand_is_as_the_schema_says() {
    let project = Project::new();
    let record = ["record", "--type", "tool_call", "--name", "Bash", "--input", r#"{"command":"x"}"#];
    let more =
        ["--output", "a text", "--agent", "a", "--model", "m", "--tag", "t", "--file", "f", "--duration-ms", "5"];
    assert_eq!(project.annals([&record[..], &more].concat(), "").code, Some(0));
    assert_eq!(project.annals([&record[..], &["--failed", "--error", "no"]].concat(), "").code, Some(0));
    assert_eq!(project.annals(["exec", "--", "true"], "").code, Some(0));
    let foreign =
        r#"{"id":"mine","sessionId":"s","operation":{"type":"x_own","name":"n","input":{},"success":true},"colour":1}"#;
    assert_eq!(project.annals(["record", "--stdin"], foreign).code, Some(0));
    assert_eq!(check(&history(&project)), 4);
}

#[test]
fn what_is_no_entry_is_not_as_the_schema_says() {
    let schema = schema();
    let lines = golden::all_lines();
    let good: Value = serde_json::from_str(lines.lines().nth(1).expect("a line")).expect("JSON");
    let changes: [(&str, Value); 12] = [
        ("/id", json!("01k0000000000000000000000u")),
        ("/timestamp", json!("yesterday")),
        ("/session_id", json!(1)),
        ("/operation/type", json!("")),
        ("/operation/input", json!([])),
        ("/operation/success", json!("yes")),
        ("/operation/duration_ms", json!(-1)),
        ("/provenance", json!([])),
        ("/extensions/annals/p", json!("00")),
        ("/extensions/annals/r", json!(-1)),
        ("/extensions/annals/n", json!("1")),
        ("/metadata", json!({ "tags": [1] })),
    ];
    for (place, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        assert!(!is_valid(&schema, &schema, &bad), "{place}");
    }
    for (place, name) in [("", "id"), ("", "timestamp"), ("", "operation"), ("/operation", "name")] {
        let mut bad = good.clone();
        let members = bad.pointer_mut(place).and_then(Value::as_object_mut).expect("an object");
        members.remove(name).expect("a member");
        assert!(!is_valid(&schema, &schema, &bad), "{place} without {name}");
    }
}
