//! JSON schemas as servers that constrain want them.
//!
//! Checks no answer against one: its reader does.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Bounds that a grammar cannot keep; servers refuse schemas that have them. The reader of the answer checks them.
const BOUNDS: &[&str] = &[
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "default", "examples",
];

/// A schema as it is sent: of each object the members in the order in which it requires them.
///
/// A server that constrains writes them in that order, and a model chooses better what it does before on what.
#[derive(Debug, Clone, PartialEq)]
pub struct WireSchema(pub Value);

impl fmt::Display for WireSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).expect("BUG: a schema is JSON"))
    }
}

impl Serialize for WireSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Part::of(&self.0).serialize(serializer)
    }
}

/// A part of a schema, and which of its members come first.
struct Part<'s> {
    value: &'s Value,
    first: &'s [Value],
}

impl<'s> Part<'s> {
    fn of(value: &'s Value) -> Self {
        Self { value, first: &[] }
    }

    fn member(&self, name: &str, value: &'s Value) -> Self {
        let required = self.value.get("required").and_then(Value::as_array);
        let first = required.filter(|_| name == "properties").map(Vec::as_slice).unwrap_or_default();
        Self { value, first }
    }
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Object(members) => {
                let place = |name: &String| self.first.iter().position(|one| one == name.as_str());
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
                serializer.collect_map(members.into_iter().map(|(name, value)| (name, self.member(name, value))))
            }
            Value::Array(parts) => serializer.collect_seq(parts.iter().map(Part::of)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.value.serialize(serializer),
        }
    }
}

/// With every object closed that names its members, which servers that constrain ask for.
pub fn closed(schema: &Value) -> Value {
    rebuilt(schema, &mut |members| {
        if members.get("properties").is_some_and(Value::is_object) {
            members.entry("additionalProperties").or_insert(Value::Bool(false));
        }
    })
}

/// Without bounds on numbers, lengths and counts.
pub fn unbounded(schema: &Value) -> Value {
    rebuilt(schema, &mut |members| members.retain(|name, _| !BOUNDS.contains(&name.as_str())))
}

/// Whether every object is closed and requires all of its members: what `strict` promises.
pub fn is_strict(schema: &Value) -> bool {
    let mut is_strict = true;
    rebuilt(schema, &mut |members| is_strict &= is_strict_object(members));
    is_strict
}

fn is_strict_object(members: &Map<String, Value>) -> bool {
    let Some(properties) = members.get("properties").and_then(Value::as_object) else {
        return members.get("type").and_then(Value::as_str) != Some("object");
    };
    let required = members.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|one| one == name.as_str()));
    members.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(is_required)
}

/// Each subschema changed. Members of `properties` and `$defs` are names, and what they hold are subschemas.
fn rebuilt(schema: &Value, change: &mut dyn FnMut(&mut Map<String, Value>)) -> Value {
    match schema {
        Value::Array(schemas) => schemas.iter().map(|schema| rebuilt(schema, change)).collect(),
        Value::Object(members) => {
            let mut members: Map<_, _> =
                members.iter().map(|(name, value)| (name.clone(), member(name, value, change))).collect();
            change(&mut members);
            Value::Object(members)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

fn member(name: &str, value: &Value, change: &mut dyn FnMut(&mut Map<String, Value>)) -> Value {
    match (name, value) {
        ("properties" | "$defs" | "definitions", Value::Object(named)) => {
            named.iter().map(|(name, schema)| (name.clone(), rebuilt(schema, change))).collect()
        }
        ("items" | "anyOf" | "oneOf" | "allOf" | "prefixItems" | "additionalProperties" | "not", _) => {
            rebuilt(value, change)
        }
        _ => value.clone(),
    }
}
