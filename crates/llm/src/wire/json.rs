//! Reading what others wrote: what is missing or of another type is as if it were not there.

use serde_json::Value;

/// A text by its path; empty where there is none.
pub fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// A count by its path.
pub fn count(value: &Value, path: &str) -> Option<u64> {
    value.pointer(path).and_then(Value::as_u64)
}

/// The texts of one member in each part of a list.
pub fn texts(value: &Value, list: &str, member: &str) -> Vec<String> {
    let parts = value.pointer(list).and_then(Value::as_array).into_iter().flatten();
    parts.filter_map(|part| part.get(member)?.as_str()).map(str::to_owned).collect()
}

/// A list of numbers.
pub fn vector(value: &Value) -> Option<Vec<f32>> {
    #[expect(clippy::cast_possible_truncation, reason = "vectors are kept in single precision")]
    let single = |number: &Value| number.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    value.as_array()?.iter().map(single).collect()
}
