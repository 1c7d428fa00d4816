//! The shapes of answers in JSON are published (`docs/schema/answers`), and what commands answer has them: each example of a
//! command's help is asked in JSON on the project of the examples.

mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::examples::{before, examples, world};
use crate::screen::is_reading;

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/answers")
}

fn file_of(name: &str) -> String {
    format!("{}.json", name.replace('/', "."))
}

#[test]
fn the_published_schemas_of_answers_are_up_to_date() {
    let own: BTreeMap<_, _> = annals::cli::schema::answers().map(|(name, text)| (file_of(name), text)).collect();
    #[expect(clippy::disallowed_methods, reason = "the golden logs are written anew by a variable, too")]
    let wanted = std::env::var_os("ANNALS_SCHEMAS");
    if wanted.is_some_and(|value| value == "write") {
        let _ = fs::remove_dir_all(published());
        fs::create_dir_all(published()).expect("made");
        for (file, text) in &own {
            fs::write(published().join(file), text).expect("written");
        }
    }
    let files = fs::read_dir(published()).into_iter().flatten().map(|entry| entry.expect("read").path());
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let there: BTreeMap<_, _> = files.map(|path| (name(&path), fs::read_to_string(&path).expect("read"))).collect();
    let differs: Vec<_> = own.keys().chain(there.keys()).filter(|file| own.get(*file) != there.get(*file)).collect();
    assert!(
        differs.is_empty(),
        "docs/schema/answers: {differs:?}. Where members only came: ANNALS_SCHEMAS=write cargo test --test it -- answers. \
         Where one went, or means something else: the answer needs a new name in src/cli/answers.rs"
    );
}

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
        for example in lines.iter().filter(|line| !line.contains("--follow")).filter_map(|line| in_json(line)) {
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
