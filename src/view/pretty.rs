//! A JSON value as an indented text: names and values, texts in full.
//!
//! Not a format that anything reads again.

use serde_json::Value;

/// A value as lines, each behind so many spaces.
pub fn lines(value: &Value, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| item(name, value, indent, &mut lines)),
        Value::Array(items) => items.iter().for_each(|value| item("-", value, indent, &mut lines)),
        Value::String(text) => text.lines().for_each(|line| lines.push(at(indent, &visible(line)))),
        Value::Null | Value::Bool(_) | Value::Number(_) => lines.push(at(indent, &value.to_string())),
    }
    lines
}

fn item(name: &str, value: &Value, indent: usize, lines: &mut Vec<String>) {
    let name = if name == "-" { name.to_owned() } else { format!("{}:", visible(name)) };
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
        Value::String(text) if !text.trim_end().contains('\n') => Some(visible(text.trim_end())),
        Value::Array(items) if items.is_empty() => Some("[]".to_owned()),
        Value::Object(members) if members.is_empty() => Some("{}".to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn at(indent: usize, text: &str) -> String {
    format!("{:indent$}{text}", "").trim_end().to_owned()
}

/// Nothing in a log may move a terminal's cursor.
pub fn visible(text: &str) -> String {
    let sign = |letter: char| match letter {
        '\t' => '\t',
        '\u{1b}' => '␛',
        letter if letter.is_control() => '·',
        letter => letter,
    };
    text.chars().map(sign).collect()
}

/// The same for a text of many lines.
pub fn visible_page(text: &str) -> String {
    let lines = text.split('\n').map(|line| visible(line.strip_suffix('\r').unwrap_or(line)));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_names_and_texts() {
        let value = serde_json::json!({
            "command": "ls\nwc", "count": 2, "none": {}, "rows": [{"a": "\u{1b}[31mred"}, "b"]
        });
        insta::assert_snapshot!(lines(&value, 2).join("\n"), @r"
          command:
            ls
            wc
          count: 2
          none: {}
          rows:
            -
              a: ␛[31mred
            - b
        ");
    }
}
