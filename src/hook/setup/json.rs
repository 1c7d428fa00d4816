//! Changes a JSON text where it must be changed, and nowhere else: indentation, order and spelling of the rest stay.
//!
//! Only adds at the end of an object or list, and takes out, so that taking out what was added gives the old bytes.
//! Does not know what the text is about.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// A value in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
    /// What is in it.
    pub kind: Kind,
}

/// What is in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Members, in the order in which they stand.
    Object(Vec<Member>),
    /// Elements.
    List(Vec<Node>),
    /// No other values.
    Scalar,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The offset of its key.
    pub start: usize,
    /// The key, decoded.
    pub key: String,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The member of this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Object(members) = &self.kind else { return None };
        members.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// One of some keys that stands in it twice: readers do not agree which of the two counts.
    pub fn repeated(&self, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let Kind::Object(members) = &self.kind else { return None };
        let mut seen = BTreeSet::new();
        let mut keys = members.iter().map(|member| &*member.key).filter(|key| is_meant(key));
        keys.find(|key| !seen.insert(*key))
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Node]> {
        if let Kind::List(elements) = &self.kind { Some(elements) } else { None }
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    /// Where each of its parts begins and ends: a member begins with its key.
    fn parts(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|member| (member.start, member.value.end)).collect(),
            Kind::List(elements) => elements.iter().map(|element| (element.start, element.end)).collect(),
            Kind::Scalar => Vec::new(),
        }
    }

    /// The value that it stands for.
    pub fn value(&self, text: &str) -> Value {
        serde_json::from_str(&text[self.start..self.end]).unwrap_or(Value::Null)
    }
}

/// So many values stand in each other at most: reading them takes a frame of the stack each.
pub const MOST_DEPTH: usize = 128;

/// Why a text is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadJson {
    /// It is no JSON; from which line and column on, from 1.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// More than `MOST_DEPTH` values stand in each other; on which line.
    TooDeep {
        /// The line.
        line: usize,
    },
}

/// Reads a text. Whether it is JSON is found out without recursion, so that its depth can be counted before it is read.
pub fn parse(text: &str) -> Result<Node, BadJson> {
    let syntax = |error: serde_json::Error| BadJson::Syntax { line: error.line(), column: error.column() };
    serde_json::from_str::<IgnoredAny>(text).map_err(syntax)?;
    if let Some(at) = too_deep(text) {
        return Err(BadJson::TooDeep { line: text[..at].lines().count() });
    }
    let mut reader = Reader { text, at: 0 };
    reader.space();
    Ok(reader.value())
}

/// Where a text that is known to be JSON opens a bracket too many.
fn too_deep(text: &str) -> Option<usize> {
    let mut reader = Reader { text, at: 0 };
    let mut depth = 0usize;
    while reader.at < text.len() {
        match reader.peek() {
            b'"' => {
                reader.string();
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        reader.at += 1;
        if depth > MOST_DEPTH {
            return Some(reader.at);
        }
    }
    None
}

/// Reads a text that is known to be JSON, and not deep.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Node {
        let start = self.at;
        let kind = match self.peek() {
            b'{' => Kind::Object(self.parts(b'}', Self::member)),
            b'[' => Kind::List(self.parts(b']', Self::value)),
            b'"' => {
                self.string();
                Kind::Scalar
            }
            _ => {
                while !matches!(self.peek(), 0 | b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r') {
                    self.at += 1;
                }
                Kind::Scalar
            }
        };
        Node { start, end: self.at, kind }
    }

    fn parts<T>(&mut self, close: u8, mut part: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut parts = Vec::new();
        self.at += 1;
        self.space();
        while self.peek() != close && self.peek() != 0 {
            parts.push(part(self));
            self.space();
            if self.peek() == b',' {
                self.at += 1;
                self.space();
            }
        }
        self.at += 1;
        parts
    }

    fn member(&mut self) -> Member {
        let start = self.at;
        self.string();
        let key = serde_json::from_str(&self.text[start..self.at]).unwrap_or_default();
        self.space();
        self.at += 1;
        self.space();
        Member { start, key, value: self.value() }
    }

    fn string(&mut self) {
        self.at += 1;
        while !matches!(self.peek(), b'"' | 0) {
            self.at += 1 + usize::from(self.peek() == b'\\');
        }
        self.at += 1;
    }
}

/// How a text is laid out.
struct Layout {
    newline: &'static str,
    unit: String,
}

impl Layout {
    fn of(text: &str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indented = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        let unit = indented.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
        Self { newline, unit: unit.to_owned() }
    }

    /// Writes a value whose first line stands behind an indentation.
    fn pretty(&self, value: &impl Serialize, indent: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.unit.as_bytes());
        let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
        written.expect("BUG: a value of ours does not serialize");
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{indent}", self.newline))
    }
}

/// The white space at the beginning of the line in which an offset lies.
fn indent_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Adds a part at the end of an object (then with a key) or list, laid out as the parts before it.
pub fn add(text: &str, to: &Node, key: Option<&str>, value: &impl Serialize) -> String {
    let layout = Layout::of(text);
    let key = key.map_or_else(String::new, |key| format!("{}: ", Value::from(key)));
    let parts = to.parts();
    let Some((last_start, last_end)) = parts.last().copied() else {
        let outer = indent_of(text, to.start);
        let inner = format!("{outer}{}", layout.unit);
        let (open, close) = if to.is_object() { ('{', '}') } else { ('[', ']') };
        let (newline, value) = (layout.newline, layout.pretty(value, &inner));
        let new = format!("{open}{newline}{inner}{key}{value}{newline}{outer}{close}");
        return splice(text, to.start, to.end, &new);
    };
    let gap = &text[to.start + 1..parts[0].0];
    let new = if gap.contains('\n') {
        let inner = indent_of(text, last_start);
        format!(",{}{inner}{key}{}", layout.newline, layout.pretty(value, inner))
    } else {
        format!(", {key}{}", serde_json::to_value(value).unwrap_or_default())
    };
    splice(text, last_end, last_end, &new)
}

/// Puts another value in the place of one.
pub fn replace(text: &str, node: &Node, value: &impl Serialize) -> String {
    let new = Layout::of(text).pretty(value, indent_of(text, node.start));
    splice(text, node.start, node.end, &new)
}

/// Takes a part out of an object or list. Without parts it is written `{}` or `[]`.
pub fn remove(text: &str, from: &Node, index: usize) -> String {
    let parts = from.parts();
    let (start, end) = parts[index];
    match (index.checked_sub(1).map(|before| parts[before]), parts.get(index + 1)) {
        (Some((_, before)), None) => splice(text, before, end, ""),
        (_, Some((after, _))) => splice(text, start, *after, ""),
        (None, None) => splice(text, from.start + 1, from.end - 1, ""),
    }
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn added(text: &str, path: &[&str], key: Option<&str>, value: &Value) -> String {
        let root = parse(text).expect("JSON");
        let node = path.iter().fold(&root, |node, key| node.get(key).expect("there"));
        add(text, node, key, value)
    }

    #[test]
    fn what_is_added_looks_like_what_is_there() {
        let text = "{\n    \"a\": 1,\n    \"b\": [\n        {\"c\": \"}\\\"]\"}\n    ]\n}\n";
        let new = "{\n    \"a\": 1,\n    \"b\": [\n        {\"c\": \"}\\\"]\"},\n        {\n            \"d\": 2\n        }\n    ]\n}\n";
        assert_eq!(added(text, &["b"], None, &json!({ "d": 2 })), new);
        assert_eq!(added("{\"a\": [1, 2]}", &["a"], None, &json!([3])), "{\"a\": [1, 2, [3]]}");
        assert_eq!(
            added("{\r\n\t\"a\": {}\r\n}", &["a"], Some("b"), &json!(1)),
            "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}"
        );
        assert_eq!(added("{}", &[], Some("é\""), &json!([])), "{\n  \"é\\\"\": []\n}");
    }

    #[test]
    fn a_part_is_taken_out_with_its_comma() {
        let take = |text: &str, index| remove(text, &parse(text).expect("JSON"), index);
        assert_eq!(take("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", 1), "{\n  \"a\": 1,\n  \"c\": 3\n}");
        assert_eq!(take("{\n  \"a\": 1,\n  \"b\": 2\n}", 1), "{\n  \"a\": 1\n}");
        assert_eq!(take("[1, 2]", 0), "[2]");
        assert_eq!(take("[\n 1\n]", 0), "[]");
    }

    #[test]
    fn comments_are_no_json() {
        let error = parse("{\n  // mine\n  \"a\": 1\n}").expect_err("a comment");
        assert_eq!(error, BadJson::Syntax { line: 2, column: 3 });
    }

    #[test]
    fn brackets_in_each_other_are_counted_before_they_are_read() {
        let nested = |depth: usize| format!("{{\n\"a\": {}\"[[[[\\\"[[\"{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MOST_DEPTH - 1)).is_ok());
        for depth in [MOST_DEPTH, 500_000] {
            assert_eq!(parse(&nested(depth)), Err(BadJson::TooDeep { line: 2 }));
        }
        let wide = format!("[{}[]]", "[{}],".repeat(MOST_DEPTH * 2));
        assert!(parse(&wide).is_ok(), "beside each other is not in each other");
        assert!(matches!(parse(&"[".repeat(500_000)), Err(BadJson::Syntax { .. })));
    }
}
