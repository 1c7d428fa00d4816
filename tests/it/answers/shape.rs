//! Whether a value has the shape that a JSON Schema describes, and no member that it does not name. Knows the words that
//! published schemas use, and fails on others.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Says where the value is not what the schema says.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    whole(schema, schema, value, "")
}

/// A value, and that no member of it is left over.
fn whole(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let mut named = Named::These(BTreeSet::new());
    part(root, schema, value, at, &mut named)?;
    let Named::These(named) = named else { return Ok(()) };
    let left = value.as_object().into_iter().flat_map(Map::keys).find(|name| !named.contains(*name));
    left.map_or(Ok(()), |name| Err(format!("{at}/{name}: not in the schema")))
}

/// The members that a schema names.
enum Named {
    These(BTreeSet<String>),
    All,
}

impl Named {
    fn add(&mut self, name: &str) {
        if let Self::These(names) = self {
            names.insert(name.to_owned());
        }
    }

    fn join(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::These(names), Self::These(more)) => names.extend(more),
            (Self::All, _) | (_, Self::All) => *self = Self::All,
        }
    }
}

/// Words of which one stands in each schema that says more than what a value is for.
const SAYING: [&str; 8] = ["$ref", "allOf", "anyOf", "const", "enum", "oneOf", "properties", "type"];

fn part(root: &Value, schema: &Value, value: &Value, at: &str, named: &mut Named) -> Result<(), String> {
    let Some(rules) = schema.as_object().filter(|rules| !rules.is_empty()) else {
        *named = Named::All;
        return if *schema == Value::Bool(false) { Err(format!("{at}: not allowed")) } else { Ok(()) };
    };
    if !rules.keys().any(|word| SAYING.contains(&word.as_str())) {
        // Any value may stand there.
        *named = Named::All;
    }
    rules.iter().try_for_each(|(word, rule)| match word.as_str() {
        "$ref" => {
            let path = rule.as_str().expect("a text").trim_start_matches('#');
            part(root, root.pointer(path).unwrap_or_else(|| panic!("no {path}")), value, at, named)
        }
        "anyOf" | "oneOf" => any(root, rule, value, at, named),
        "allOf" => list(rule).iter().try_for_each(|one| part(root, one, value, at, named)),
        "required" => required(rule, value, at),
        "properties" => rule.as_object().expect("an object").iter().try_for_each(|(name, schema)| {
            named.add(name);
            value.get(name).map_or(Ok(()), |value| whole(root, schema, value, &format!("{at}/{name}")))
        }),
        "additionalProperties" => {
            let known = rules.get("properties").and_then(Value::as_object);
            let is_more = |(name, _): &(&String, &Value)| known.is_none_or(|known| !known.contains_key(*name));
            value.as_object().into_iter().flatten().filter(is_more).try_for_each(|(name, value)| {
                named.add(name);
                whole(root, rule, value, &format!("{at}/{name}"))
            })
        }
        "items" => {
            let first = rules.get("prefixItems").map_or(0, |first| list(first).len());
            let mut items = value.as_array().into_iter().flatten().enumerate().skip(first);
            items.try_for_each(|(number, item)| whole(root, rule, item, &format!("{at}/{number}")))
        }
        "prefixItems" => {
            let mut items = value.as_array().into_iter().flatten().zip(list(rule)).enumerate();
            items.try_for_each(|(number, (item, schema))| whole(root, schema, item, &format!("{at}/{number}")))
        }
        word if holds(word, rule, value) => Ok(()),
        word => Err(format!("{at}: {value} against {word} {rule}")),
    })
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().expect("a list")
}

fn required(rule: &Value, value: &Value, at: &str) -> Result<(), String> {
    let is_missing = |name: &&Value| value.get(name.as_str().expect("a name")).is_none();
    let missing = list(rule).iter().find(is_missing).filter(|_| value.is_object());
    missing.map_or(Ok(()), |name| Err(format!("{at}: no {name}")))
}

/// Words that ask of the value only, and not of what is in it.
fn holds(word: &str, rule: &Value, value: &Value) -> bool {
    let number =
        |is: fn(f64, f64) -> bool| value.as_f64().is_none_or(|number| is(number, rule.as_f64().expect("a number")));
    let count = |is: fn(u64, u64) -> bool| {
        value.as_array().is_none_or(|items| is(items.len() as u64, rule.as_u64().expect("a count")))
    };
    match word {
        "type" => is_of_type(rule, value),
        "const" => rule == value,
        "enum" => list(rule).contains(value),
        "minimum" => number(|number, least| number >= least),
        "maximum" => number(|number, most| number <= most),
        "pattern" => {
            let pattern = regex::Regex::new(rule.as_str().expect("a text")).expect("a pattern");
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "minItems" => count(|count, least| count >= least),
        "maxItems" => count(|count, most| count <= most),
        "minLength" => value.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().expect("a length")),
        "uniqueItems" | "examples" | "format" | "description" | "title" | "$schema" | "$id" | "$defs" | "default" => {
            true
        }
        word => panic!("{word:?} in a schema is not known here"),
    }
}

/// One of them at least; members count as named by all that hold.
fn any(root: &Value, rule: &Value, value: &Value, at: &str, named: &mut Named) -> Result<(), String> {
    let mut faults = Vec::new();
    for schema in list(rule) {
        let mut own = Named::These(BTreeSet::new());
        match part(root, schema, value, at, &mut own) {
            Ok(()) => named.join(own),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.len() == list(rule).len() { Err(faults.join("\n  or ")) } else { Ok(()) }
}

fn is_of_type(rule: &Value, value: &Value) -> bool {
    let is_one = |kind: &Value| match kind.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("what is a {kind}?"),
    };
    rule.as_array().map_or_else(|| is_one(rule), |kinds| kinds.iter().any(is_one))
}
