//! A JSON value as an indented text: names and values, texts in full.
//!
//! Not a format that anything reads again. Texts are as they are, for whoever prints them to make harmless; names stand in
//! one line.

use serde_json::Value;

use super::escape;

/// A value as lines, each behind so many spaces.
pub fn lines(value: &Value, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| item(name, value, indent, &mut lines)),
        Value::Array(items) => items.iter().for_each(|value| item("-", value, indent, &mut lines)),
        Value::String(text) => text.lines().for_each(|line| lines.push(at(indent, line))),
        Value::Null | Value::Bool(_) | Value::Number(_) => lines.push(at(indent, &value.to_string())),
    }
    lines
}

fn item(name: &str, value: &Value, indent: usize, lines: &mut Vec<String>) {
    let name = if name == "-" { name.to_owned() } else { format!("{}:", escape::line(name)) };
    if let Some(text) = short(value) {
        lines.push(at(indent, &format!("{name} {text}")));
    } else {
        lines.push(at(indent, &name));
        lines.extend(self::lines(value, indent + 2));
    }
}

/// A value that fits behind its name.
fn short(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim_end().contains('\n') => Some(text.trim_end().to_owned()),
        Value::Array(items) if items.is_empty() => Some("[]".to_owned()),
        Value::Object(members) if members.is_empty() => Some("{}".to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn at(indent: usize, text: &str) -> String {
    format!("{:indent$}{text}", "").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_names_and_texts() {
        let value = serde_json::json!({
            "command": "ls\nwc", "count": 2, "none": {}, "rows": [{"a\n\u{1b}": "red"}, "b"]
        });
        insta::assert_snapshot!(lines(&value, 2).join("\n"), @r"
          command:
            ls
            wc
          count: 2
          none: {}
          rows:
            -
              a\n\u{1b}: red
            - b
        ");
    }
}
