//! The texts of a bead as they stand in ours: who wrote them, and when, comes first, in words.
//!
//! An entry says who asked for it and when; that is whoever imports. The authors of another log are not ours to claim.

use serde_json::Value;

use super::read::{BeadComment, BeadLine};
use annals_kernel::time::Timestamp;
use annals_kernel::whole::beginning;

/// A point in time that beads wrote, whatever its zone and its digits.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

/// A title has at most so many characters.
// The room of issues refuses a longer one (`domain::issue::decide`).
const TITLE_CHARS: usize = 200;

pub(super) fn title(text: &str) -> Box<str> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\0', "");
    let line = if line == text { text.to_owned() } else { line };
    match line.as_str() {
        "" => "(without a title)".into(),
        _ if line.chars().count() <= TITLE_CHARS => line.into(),
        _ => format!("{}…", beginning(&line, TITLE_CHARS - 1).unwrap_or(&line)).into(),
    }
}

/// The type as a tag; beads call nearly everything a task.
pub(super) fn tag(issue_type: &str) -> Option<Box<str>> {
    (!issue_type.is_empty()).then(|| issue_type.into())
}

/// The text: where it comes from, then every part of it under its name.
pub(super) fn body(line: &BeadLine, whole_title: Option<&String>) -> Box<str> {
    let kind = if line.issue_type.is_empty() { "issue" } else { &line.issue_type };
    let mut parts = vec![format!("_{} of beads{}_", capitalised(kind), by(&line.created_by, &line.created_at))];
    let title = whole_title.map(String::as_str).unwrap_or_default();
    let sections = [
        ("Title", title),
        ("", line.description.as_str()),
        ("Design", &line.design),
        ("Acceptance criteria", &line.acceptance_criteria),
        ("Notes", &line.notes),
    ];
    for (heading, text) in sections.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        parts.push(if heading.is_empty() { text.to_owned() } else { format!("## {heading}\n\n{text}") });
    }
    parts.join("\n\n").into()
}

pub(super) fn comment(comment: &BeadComment) -> Box<str> {
    format!("_Comment in beads{}_\n\n{}", by(&comment.author, &comment.created_at), comment.text).into()
}

/// When and why it ended.
pub(super) fn ending(line: &BeadLine) -> Box<str> {
    let closed = format!("closed in beads{}", by("", &line.closed_at));
    if line.close_reason.is_empty() { closed.into() } else { format!("{closed}: {}", line.close_reason).into() }
}

/// `, by ada, on 2026-…`, as far as it is known.
fn by(author: &str, at: &str) -> String {
    let author = if author.is_empty() { String::new() } else { format!(", by {author}") };
    let at = match (instant(at), at) {
        (Some(time), _) => format!(", {}Z", time.to_string()[..16].replace('T', " ")),
        (None, "") => String::new(),
        (None, other) => format!(", {other}"),
    };
    author + &at
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// A field that says nothing is nothing that is lost.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is_set) => !is_set,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}
