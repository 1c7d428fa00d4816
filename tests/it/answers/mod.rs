//! What commands answer in JSON has the shapes that are published (`docs/schema/answers`): each example of a command's help is
//! asked in JSON on the project of the examples. Does not compare the shapes with types; `cli::answers` does.

mod shape;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::examples::{before, examples, goes_on, world};
use crate::screen::is_reading;

/// Questions whose answers no example gives.
const MORE: &[&str] = &[
    "annals analyse SESSION --json",
    "annals issue comment 1 \"I agree.\" --check --json",
    "annals record --each --json < entries.jsonl",
    "annals triggers --json",
    "annals why issues.issue.resolved --json",
];

/// An example that asks in JSON, where its last command is a plain one of ours.
fn in_json(example: &str) -> Option<String> {
    let example = example.split("  #").next()?.split(" # ").next()?.split(" || ").next()?.trim();
    let is_plain = !example.contains(['>', ';']) && !example.contains("$(") && !example.contains("--raw");
    is_plain.then(|| match example.split_once(" -- ") {
        Some((command, rest)) => format!("{command} --json -- {rest}"),
        None => match example.split_once(" < ") {
            Some((command, rest)) => format!("{command} --json < {rest}"),
            None => format!("{example} --json"),
        },
    })
}

/// What the answers of an example say that their schemas do not, and their names.
fn faults(schemas: &BTreeMap<&str, Value>, example: &str, said: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for answer in said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some(name) = answer["schema"].as_str() else { continue };
        let held = match schemas.get(name) {
            Some(schema) => shape::check(schema, &answer),
            None => Err(format!("{name} is not published")),
        };
        seen.insert(name.to_owned());
        faults.extend(held.err().map(|fault| format!("{example}\n  {name}{fault}")));
    }
    faults
}

#[test]
fn answers_in_json_have_the_shapes_that_are_published() {
    let schemas: Vec<_> = annals::cli::schema::answers().collect();
    let schemas: BTreeMap<_, _> =
        schemas.iter().map(|(name, text)| (*name, serde_json::from_str(text).expect("JSON"))).collect();
    let (mut seen, mut wrong, mut reading) = (BTreeSet::new(), Vec::new(), Vec::new());
    for (command, lines) in examples() {
        let before = before(&command);
        for example in lines.iter().filter(|line| !goes_on(line)).filter_map(|line| in_json(line)) {
            if before.is_empty() && is_reading(&command) {
                reading.push(example);
            } else {
                wrong.extend(faults(&schemas, &example, &world().ask(&before, &example), &mut seen));
            }
        }
    }
    reading.extend(MORE.iter().map(|line| (*line).to_owned()));
    wrong.extend(faults(&schemas, "what reads", &world().ask_all(&reading), &mut seen));
    let unseen: Vec<_> = schemas.keys().filter(|name| !seen.contains(**name)).collect();
    assert!(wrong.is_empty() && unseen.is_empty(), "{}\nno example gives {unseen:?}", wrong.join("\n"));
}

#[test]
fn what_a_schema_does_not_say_is_found() {
    let schema = json!({
        "type": "object",
        "required": ["schema", "rows"],
        "properties": { "schema": { "const": "a/v1" }, "rows": { "type": "array", "items": { "$ref": "#/$defs/Row" } } },
        "$defs": { "Row": {
            "type": "object", "required": ["id"],
            "properties": { "id": { "type": "string" }, "count": { "type": ["integer", "null"] } },
        } },
    });
    let rows = [
        (json!({ "schema": "a/v1", "rows": [{ "id": "1", "count": null }] }), ""),
        (json!({ "schema": "a/v1" }), ": no \"rows\""),
        (json!({ "schema": "a/v2", "rows": [] }), "/schema: \"a/v2\" against const \"a/v1\""),
        (json!({ "schema": "a/v1", "rows": [{ "id": 1 }] }), "/rows/0/id: 1 against type \"string\""),
        (json!({ "schema": "a/v1", "rows": [{ "count": 1 }] }), "/rows/0: no \"id\""),
        (json!({ "schema": "a/v1", "rows": [{ "id": "1", "more": 1 }] }), "/rows/0/more: not in the schema"),
    ];
    for (value, fault) in rows {
        assert_eq!(shape::check(&schema, &value).err().unwrap_or_default(), fault, "{value}");
    }
}
