//! From types to the schemas that clients of every sort read, and from arguments to types, within limits.
//!
//! Clients hand schemas on to models that take a part of JSON Schema alone: no references, no null, no booleans in place of
//! a schema.

use annals_mcp::Members;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::cli::shell::Usage;

/// A longer text is no argument, in bytes.
const MOST_TEXT_BYTES: usize = 64 << 10;
/// Nor is a longer list.
const MOST_ITEMS: usize = 100;
/// Nor anything deeper.
const MOST_LEVELS: usize = 4;

/// The schema of a type, in plain words.
pub(super) fn schema_of<T: JsonSchema>() -> Members {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut schema = plain(schema);
    let members = schema.as_object_mut().expect("BUG: the schema of an object is one");
    for name in ["$schema", "title", "description"] {
        members.remove(name);
    }
    std::mem::take(members)
}

/// Without null, without formats that say how a program keeps a number.
fn plain(schema: Value) -> Value {
    let Value::Object(mut members) = schema else {
        // `true`: anything, which is an object wherever we say it.
        return json!({ "type": "object" });
    };
    if let Some(Value::Array(kinds)) = members.get("type") {
        let kind = kinds.iter().find(|kind| *kind != "null").cloned();
        members.insert("type".to_owned(), kind.unwrap_or_else(|| "object".into()));
    }
    if let Some(Value::Array(choices)) = members.remove("anyOf") {
        let choice = choices.into_iter().find(|choice| choice["type"] != "null");
        if let Some(Value::Object(choice)) = choice {
            members = choice.into_iter().chain(members).collect();
        }
    }
    for name in ["format", "default"] {
        members.remove(name);
    }
    for (name, value) in &mut members {
        match name.as_str() {
            "properties" => {
                let Value::Object(properties) = value else { continue };
                properties.values_mut().for_each(|value| *value = plain(value.take()));
            }
            "items" => *value = plain(value.take()),
            _ => {}
        }
    }
    Value::Object(members)
}

/// Arguments, as a tool takes them.
pub(super) fn read<T: DeserializeOwned>(arguments: Members) -> Result<T, Usage> {
    let value = Value::Object(arguments);
    check(&value, MOST_LEVELS)?;
    serde_json::from_value(value).map_err(|error| Usage(format!("the arguments do not fit: {error}")))
}

fn check(value: &Value, levels: usize) -> Result<(), Usage> {
    let too = |what: &str| Usage(format!("the arguments do not fit: {what}"));
    let Some(below) = levels.checked_sub(1) else { return Err(too("values stand in each other more than 4 times")) };
    match value {
        Value::String(text) if text.len() > MOST_TEXT_BYTES => Err(too("a text is longer than 65536 bytes")),
        Value::Array(items) if items.len() > MOST_ITEMS => Err(too("a list has more than 100 items")),
        Value::Array(items) => items.iter().try_for_each(|item| check(item, below)),
        Value::Object(members) => members.values().try_for_each(|value| check(value, below)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read for its form alone")]
    struct SchemaSample {
        /// The text.
        text: String,
        #[serde(default)]
        tags: Vec<String>,
        most: Option<u32>,
    }

    #[test]
    fn a_schema_has_no_null_no_reference_and_no_other_members() {
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "text": { "type": "string", "description": "The text." },
                "tags": { "type": "array", "items": { "type": "string" } },
                "most": { "type": "integer", "minimum": 0 },
            },
            "required": ["text"],
        });
        assert_eq!(Value::Object(schema_of::<SchemaSample>()), expected);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_named() {
        let refused = |value: Value| {
            let Value::Object(members) = value else { panic!("an object") };
            read::<SchemaSample>(members).expect_err("refused").to_string()
        };
        for (arguments, part) in [
            (json!({}), "missing field `text`"),
            (json!({"text": 1}), "expected a string"),
            (json!({"text": "a", "as": "user"}), "unknown field `as`"),
            (json!({"text": "a".repeat(MOST_TEXT_BYTES + 1)}), "longer than"),
            (json!({"text": "a", "tags": vec!["x"; MOST_ITEMS + 1]}), "more than 100"),
            (json!({"text": "a", "most": -1}), "invalid value"),
            (json!({"text": [[[[[]]]]]}), "more than 4 times"),
        ] {
            let said = refused(arguments);
            assert!(said.contains(part), "{said}");
        }
    }
}
