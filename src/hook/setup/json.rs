//! Changes a JSON text where it must be changed, and nowhere else: comments, indentation, order and spelling of the rest stay.
//!
//! Only adds at the end of an object or list, and takes out, so that taking out what was added gives the old bytes. Reads
//! with `jsonc-parser`, which says where each value stands. Does not know what the text is about.

use std::collections::BTreeSet;

use jsonc_parser::ast::{ObjectProp, Value as Read};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

/// A value in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The offset behind its key, where it has one; else that of its first byte.
    lead: usize,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset behind its last byte.
    pub end: usize,
    /// What is in it.
    pub kind: ValueKind,
}

/// What is in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind {
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
        let ValueKind::Object(members) = &self.kind else { return None };
        members.iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// One of some keys that stands in it twice: readers do not agree which of the two counts.
    pub fn repeated(&self, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let ValueKind::Object(members) = &self.kind else { return None };
        let mut seen = BTreeSet::new();
        let mut keys = members.iter().map(|member| &*member.key).filter(|key| is_meant(key));
        keys.find(|key| !seen.insert(*key))
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Node]> {
        if let ValueKind::List(elements) = &self.kind { Some(elements) } else { None }
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.kind, ValueKind::Object(_))
    }

    /// Where each of its parts begins and ends: a member begins with its key.
    fn parts(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            ValueKind::Object(members) => members.iter().map(|member| (member.start, member.value.end)).collect(),
            ValueKind::List(elements) => elements.iter().map(|element| (element.start, element.end)).collect(),
            ValueKind::Scalar => Vec::new(),
        }
    }

    /// The value that it stands for.
    pub fn value(&self, text: &str) -> Value {
        read(&text[self.start..self.end]).ok().flatten().map_or(Value::Null, Value::from)
    }

    /// Whether it may go with one of its parts: it has no other part, and no comment stands in it or behind its key.
    pub(crate) fn is_spent_without_one(&self, text: &str) -> bool {
        self.is_empty_without_one(text) && !text[self.lead..self.start].contains('/')
    }

    fn is_empty_without_one(&self, text: &str) -> bool {
        self.parts().len() < 2 && !self.has_comments(text)
    }

    /// Whether a comment stands between its parts.
    pub(crate) fn has_comments(&self, text: &str) -> bool {
        let parts = self.parts();
        let starts = parts.iter().map(|part| part.0).chain([self.end - 1]);
        let ends = [self.start + 1].into_iter().chain(parts.iter().map(|part| part.1));
        ends.zip(starts).any(|(end, start)| text[end..start].contains('/'))
    }
}

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
    /// More values stand in each other than the parser reads; on which line.
    TooDeep {
        /// The line.
        line: usize,
    },
    /// No value stands in it, only comments.
    Nothing,
}

impl From<ParseError> for BadJson {
    fn from(error: ParseError) -> Self {
        let line = error.line_display();
        if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) {
            return Self::TooDeep { line };
        }
        Self::Syntax { line, column: error.column_display() }
    }
}

/// Comments and trailing commas are read, because the agents read them; what else is laxer than JSON is not.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn read(text: &str) -> Result<Option<Read<'_>>, ParseError> {
    Ok(parse_to_ast(text, &CollectOptions::default(), &OPTIONS)?.value)
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Node, BadJson> {
    read(text)?.map(Node::from).ok_or(BadJson::Nothing)
}

impl From<Read<'_>> for Node {
    fn from(read: Read<'_>) -> Self {
        let range = read.range();
        let kind = match read {
            Read::Object(object) => ValueKind::Object(object.properties.into_iter().map(Member::from).collect()),
            Read::Array(list) => ValueKind::List(list.elements.into_iter().map(Self::from).collect()),
            Read::StringLit(_) | Read::NumberLit(_) | Read::BooleanLit(_) | Read::NullKeyword(_) => ValueKind::Scalar,
        };
        Self { lead: range.start, start: range.start, end: range.end, kind }
    }
}

impl From<ObjectProp<'_>> for Member {
    fn from(read: ObjectProp<'_>) -> Self {
        let lead = read.name.range().end;
        Self { start: read.range.start, key: read.name.into_string(), value: Node { lead, ..read.value.into() } }
    }
}

/// How a text is laid out.
struct JsonLayout {
    newline: &'static str,
    unit: String,
}

impl JsonLayout {
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
    let layout = JsonLayout::of(text);
    let key = key.map_or_else(String::new, |key| format!("{}: ", Value::from(key)));
    let tall = |indent: &str| format!("{}{indent}{key}{}", layout.newline, layout.pretty(value, indent));
    let parts = to.parts();
    let (Some(first), Some((start, end))) = (parts.first(), parts.last().copied()) else {
        let outer = indent_of(text, to.start);
        return fill(text, to, &tall(&format!("{outer}{}", layout.unit)), &format!("{}{outer}", layout.newline));
    };
    let close = to.end - 1;
    let comma = uncommented(&text[end..close], ',').map(|at| end + at + 1);
    let behind = behind_comments(text, comma.unwrap_or(end), close);
    let is_tall = text[to.start + 1..first.0].contains('\n') || text[end..behind].contains("//");
    let part = if is_tall {
        tall(indent_of(text, start))
    } else {
        format!(" {key}{}", serde_json::to_value(value).unwrap_or_default())
    };
    match comma {
        Some(_) => splice(text, behind, behind, &format!("{part},")),
        None => splice(text, end, behind, &format!(",{}{part}", &text[end..behind])),
    }
}

/// Puts the first part into an object or list, behind the comments that stand in it, which keep the space to the bracket.
fn fill(text: &str, to: &Node, part: &str, end: &str) -> String {
    let (open, close) = (to.start + 1, to.end - 1);
    match text[open..close].trim_end().len() {
        0 => splice(text, open, close, &format!("{part}{end}")),
        comments => splice(text, open + comments, open + comments, part),
    }
}

/// The offset behind the comments on the line of an offset, which are about the part that ends there.
fn behind_comments(text: &str, from: usize, close: usize) -> usize {
    let line = uncommented(&text[from..close], '\n').map_or(close, |at| from + at);
    from + text[from..line].trim_end().len()
}

/// Puts another value in the place of one.
pub fn replace(text: &str, node: &Node, value: &impl Serialize) -> String {
    let new = JsonLayout::of(text).pretty(value, indent_of(text, node.start));
    splice(text, node.start, node.end, &new)
}

/// Takes a part out of an object or list, and leaves the comments beside it. Without parts and comments it is written `{}` or `[]`.
pub fn remove(text: &str, from: &Node, index: usize) -> String {
    let parts = from.parts();
    let (start, end) = parts[index];
    let next = parts.get(index + 1).map(|part| part.0);
    let gap = &text[end..next.unwrap_or(from.end - 1)];
    if from.is_empty_without_one(text) {
        return splice(text, from.start + 1, from.end - 1, "");
    }
    if let Some(next) = next.filter(|_| !gap.contains('/')) {
        return splice(text, start, next, "");
    }
    let comma = uncommented(gap, ',').map(|at| end + at);
    // Comments between a part and its comma stay as well.
    let inner = comma.map_or("", |at| comments_of(&text[end..at]));
    let end = comma.map_or(end, |at| at + 1);
    let first = space_before(text, start, if inner.is_empty() { &text[end..] } else { inner });
    let before = index.checked_sub(1).map(|before| parts[before].1).filter(|_| comma.is_none());
    let comma_before = before.and_then(|before| uncommented(&text[before..start], ',').map(|at| before + at));
    let kept = comma_before.map_or("", |at| &text[at + 1..first]);
    splice(text, comma_before.unwrap_or(first), end, &format!("{kept}{inner}"))
}

/// The comments of a space between parts, with the end of a line that closes the last of them.
fn comments_of(gap: &str) -> &str {
    let comments = gap.trim_end();
    let is_open = uncommented(&format!("{comments};"), ';').is_none();
    let newline = is_open.then(|| gap[comments.len()..].find('\n')).flatten();
    &gap[..comments.len() + newline.map_or(0, |at| at + 1)]
}

/// Where the white space before a part begins: with the line, unless what follows would end up in a comment.
fn space_before(text: &str, start: usize, follows: &str) -> usize {
    let before = text[..start].trim_end_matches([' ', '\t']);
    let Some(lines) = before.strip_suffix('\n') else { return before.len() };
    let lines = lines.strip_suffix('\r').unwrap_or(lines);
    let ends_line = follows.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    let is_commented = lines.lines().next_back().is_some_and(|line| line.contains("//"));
    if ends_line || !is_commented { lines.len() } else { start }
}

/// Where a sign first stands in the space between parts, outside of comments.
fn uncommented(gap: &str, sign: char) -> Option<usize> {
    let mut at = 0;
    while let Some(letter) = gap[at..].chars().next() {
        let rest = &gap[at..];
        at += match letter {
            _ if letter == sign => return Some(at),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            _ => letter.len_utf8(),
        };
    }
    None
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests;
