//! JSON as bytes: values that stay as they were written, and the one canonical form that is hashed.
//!
//! Does not know an entry; `entry` does.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// A JSON value that stays as it was written, byte for byte.
#[derive(Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// Keeps a text that is known to be one JSON value.
    pub fn from_text(text: String) -> serde_json::Result<Self> {
        RawValue::from_string(text).map(Self)
    }

    /// Writes anything that can be written.
    pub fn of(value: &(impl Serialize + ?Sized)) -> Self {
        let text = serde_json::to_string(value).expect("BUG: a value of ours does not serialize");
        Self::from_text(text).expect("BUG: serde_json wrote something that is not JSON")
    }

    /// `{}`.
    pub fn empty_object() -> Self {
        static EMPTY: LazyLock<Json> = LazyLock::new(|| Json::of(&serde_json::Map::new()));
        EMPTY.clone()
    }

    /// Whether it is `{}`.
    pub fn is_empty_object(&self) -> bool {
        self.text() == "{}"
    }

    /// Keeps a value that was read already.
    pub fn of_raw(raw: &RawValue) -> Self {
        Self(raw.to_owned())
    }

    /// The text as it was written.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Reads it as a type; an error names the place.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.text())
    }

    /// Reads it as a tree; what is nested deeper than 128 levels is `null`.
    pub fn value(&self) -> Value {
        self.read().unwrap_or(Value::Null)
    }

    /// Whether lists and objects lie deeper in it than so many levels.
    pub fn is_deeper_than(&self, levels: usize) -> bool {
        let text = self.text().as_bytes();
        // Each level takes two signs at least: most values are too short to be that deep, and are not walked through.
        if text.len() <= 2 * levels {
            return false;
        }
        let (mut depth, mut within, mut escaped) = (0, false, false);
        text.iter().any(|byte| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = within,
                b'"' => within = !within,
                _ if within => {}
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            depth > levels
        })
    }

    /// Whether it is `{…}`.
    pub fn is_object(&self) -> bool {
        self.text().starts_with('{')
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        Self::of(value)
    }
}

/// The members of an object, in the order in which they were written; a name may be there twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members(Vec<(Box<str>, Json)>);

impl Members {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first member of this name.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }

    /// Takes the first member that has one of these names.
    pub fn take(&mut self, keys: &[&str]) -> Option<Json> {
        let index = self.0.iter().position(|(name, _)| keys.contains(&&**name))?;
        Some(self.0.remove(index).1)
    }

    /// Adds a member at the end, or puts a new value where the name is already there.
    pub fn set(&mut self, key: &str, value: Json) {
        match self.0.iter_mut().find(|(name, _)| &**name == key) {
            // The place stays, because the order of members belongs to what was written.
            Some((_, old)) => *old = value,
            None => self.0.push((key.into(), value)),
        }
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members: Vec<(Box<str>, Json)> = Vec::with_capacity(map.size_hint().unwrap_or(8));
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    members.push((name.into(), map.next_value()?));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// Whether a value is the one that its type begins with; `#[sparse]` asks it of a field.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Writes a value as it is shown.
pub fn as_text<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// The canonical form: keys sorted, no white space, numbers as `serde_json` writes them.
///
/// Equal states have equal canonical forms on every machine.
pub fn canonical(value: &(impl Serialize + ?Sized)) -> String {
    // `serde_json::Map` is ordered by key as long as its feature `preserve_order` is off; a test below watches.
    tree(value).to_string()
}

/// A value as a tree, however deep.
///
/// By its text: `serde_json::to_value` would be made anew for each type, which was a twentieth of what is compiled of the
/// rules. Shares and whole numbers come out as they went in; of other fractions the last digit may differ.
pub fn tree(value: &(impl Serialize + ?Sized)) -> Value {
    let text = serde_json::to_string(value).expect("BUG: a value of ours does not serialize");
    tree_of(&text)
}

fn tree_of(text: &str) -> Value {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).expect("BUG: serde_json wrote something that is not JSON")
}

/// JSON on one line: where a value was written over several, the white space between its tokens goes.
pub fn on_one_line(text: String) -> String {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let mut line = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in text.chars() {
        if in_string || !letter.is_ascii_whitespace() {
            line.push(letter);
        }
        in_string ^= letter == '"' && !escaped;
        escaped = in_string && letter == '\\' && !escaped;
    }
    line
}

/// What a value says where programs do, errors first: itself, or its members with the usual names.
pub fn said(value: &Value) -> String {
    const NAMES: [&str; 5] = ["stderr", "output", "stdout", "content", "text"];
    match value {
        Value::String(text) => text.clone(),
        Value::Object(members) => {
            let texts: Vec<&str> = NAMES.iter().filter_map(|name| members.get(*name)?.as_str()).collect();
            texts.join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => String::new(),
    }
}

/// All that a value says, one text below the other.
pub fn texts(value: &Value) -> String {
    let mut text = String::new();
    gather(value, &mut text, 0);
    text
}

/// Nested deeper than this nobody wrote it.
const MOST_NESTED: usize = 16;

fn gather(value: &Value, into: &mut String, depth: usize) {
    if depth > MOST_NESTED {
        return;
    }
    match value {
        Value::String(text) => {
            if !into.is_empty() {
                into.push('\n');
            }
            into.push_str(text);
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, into, depth + 1)),
        Value::Object(members) => members.values().for_each(|item| gather(item, into, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// SHA-256 as lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The same for bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        Digest::update(&mut self.0, bytes);
    }

    /// The hash of all of them.
    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_counted_outside_of_texts() {
        let deep = |levels: usize| Json::from_text(["[".repeat(levels), "]".repeat(levels)].concat()).expect("JSON");
        assert!(!deep(9).is_deeper_than(9) && deep(10).is_deeper_than(9));
        let text = Json::of(&serde_json::json!({ "a": ["[[[[\\\"[[[[", "]]]]"], "b": [[1]] }));
        assert!(!text.is_deeper_than(3) && text.is_deeper_than(2));
    }

    #[test]
    fn a_marked_field_is_written_where_it_is_not_the_default() {
        #[annals_sparse::sparse(marked)]
        #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
        struct Row {
            #[sparse]
            text: String,
            #[sparse]
            count: u32,
            plain: u32,
            list: Vec<u32>,
        }
        let empty = Row { text: String::new(), count: 0, plain: 0, list: Vec::new() };
        assert_eq!(Json::of(&empty).text(), r#"{"plain":0,"list":[]}"#);
        assert_eq!(serde_json::from_str::<Row>(r#"{"plain":0,"list":[]}"#).expect("a row"), empty);
        let full = Row { text: "a".to_owned(), count: 2, ..empty };
        assert_eq!(Json::of(&full).text(), r#"{"text":"a","count":2,"plain":0,"list":[]}"#);
    }

    #[test]
    fn the_canonical_form_sorts_keys() {
        let value: Value = serde_json::from_str(r#"{ "b": [1, 2.5], "a": {"d": null, "c": "ü"} }"#).expect("JSON");
        assert_eq!(canonical(&value), r#"{"a":{"c":"ü","d":null},"b":[1,2.5]}"#);
    }

    #[test]
    fn a_value_of_several_lines_comes_on_one() {
        let text = "{\n  \"a b\" : [ 1,\r\n \"c \\\" \\\\\" ],\n\t\"d\": \"  \"\n}";
        assert_eq!(on_one_line(text.to_owned()), r#"{"a b":[1,"c \" \\"],"d":"  "}"#);
        assert_eq!(on_one_line("{ }".to_owned()), "{ }");
    }

    #[test]
    fn members_keep_bytes_and_order() {
        let text = r#"{"z":1.50,"a":{ "k" : [ ] },"\u0061b":"\u00fc"}"#;
        let members: Members = serde_json::from_str(text).expect("JSON");
        let written = serde_json::to_string(&members).expect("JSON");
        assert_eq!(written, r#"{"z":1.50,"a":{ "k" : [ ] },"ab":"\u00fc"}"#);
    }

    #[test]
    fn a_value_nested_a_million_deep_is_kept() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let json = Json::from_text(deep.clone()).expect("JSON");
        assert_eq!(json.text(), deep);
        assert_eq!(json.value(), Value::Null);
    }
}
