//! What an entry says, in one line.
//!
//! Knows how tools name the telling part of their arguments. Does not cut to a width; `cut` does, when asked.

use serde::Deserialize as _;
use serde_json::Value;

mod arguments;

pub(crate) use self::arguments::telling_of;
pub use self::arguments::{asked, telling};
use crate::kernel::decision::Refusal;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::record::{Event, Input, Kind};
use crate::log::blob::BlobRef;
use crate::view::refusal::told;

/// Members of an output that hold what a person would read.
const READABLE: [&str; 9] = ["stdout", "text", "content", "output", "result", "message", "stderr", "summary", "file"];

/// Longer JSON without a readable member says nothing in a line.
const SHORT_JSON: usize = 100;

/// An entry in one line, without its name.
pub fn gist(entry: &HistoryEntry) -> String {
    let operation = &entry.operation;
    let input = operation.input.value();
    match entry.record() {
        Kind::Call => call(asked(entry), operation.error.as_deref()),
        Kind::Input(Input::Rejection) => no(&input),
        Kind::Input(Input::Command) => {
            [text_at(&input, "command"), text_at(&input, "args")].join(" ").trim().to_owned()
        }
        Kind::Speech(_) => Some(telling(&input)).filter(|line| !line.is_empty()).unwrap_or_else(|| spoken(entry)),
        Kind::Event(_) if entry.annals.is_decision() => decision(entry),
        Kind::Event(Event::Usage) => usage(entry),
        Kind::Event(kind) => event(kind, &input, operation.error.as_deref()),
        Kind::Input(_) | Kind::State | Kind::Other => telling(&input),
    }
}

fn call(asked: String, error: Option<&str>) -> String {
    match error {
        Some(error) => format!("{asked} → {}", error_line(error)),
        None => asked,
    }
}

/// What an agent said where results stand.
fn spoken(entry: &HistoryEntry) -> String {
    words(entry).map(|text| first_line(&text)).unwrap_or_default()
}

/// A call that a person or a rule refused.
pub fn no(input: &Value) -> String {
    let tool = text_at(input, "tool");
    let arguments = input.get("input").map(|input| telling_of(&tool, input)).unwrap_or_default();
    let call = [tool, arguments].join(" ");
    let reason = text_at(input, "reason");
    if reason.is_empty() { call.trim().to_owned() } else { format!("{}: {reason}", call.trim()) }
}

/// What was decided, and the "no" if there was one.
fn decision(entry: &HistoryEntry) -> String {
    let output = entry.operation.output.as_ref().map(crate::kernel::json::Json::value).unwrap_or_default();
    if let Some(refused) = refused(&output) {
        return format!("refused: {refused}");
    }
    let mut command = entry.operation.input.value().get("command").cloned().unwrap_or_default();
    if let Some(members) = command.as_object_mut() {
        // The session is where it stands.
        members.remove("session");
    }
    match command.as_object().map(|members| members.values().collect::<Vec<_>>()).as_deref() {
        Some([]) => String::new(),
        Some([only]) => text_of(only),
        Some(_) | None => text_of(&command),
    }
}

/// Why something was refused, where it was. Lines from before refusals were data say it themselves.
pub fn refused(output: &Value) -> Option<String> {
    let refusal = output.get("refusal")?;
    let said = refusal.get("message").and_then(Value::as_str).map(ToOwned::to_owned);
    said.or_else(|| Some(told(&Refusal::deserialize(refusal).ok()?).message))
}

fn usage(entry: &HistoryEntry) -> String {
    let Some(usage) = entry.annals.usage else { return String::new() };
    let parts = [(usage.input, "input"), (usage.cache_read + usage.cache_write, "cached"), (usage.output, "output")];
    let parts =
        parts.iter().filter(|(tokens, _)| *tokens != 0).map(|(tokens, name)| format!("{} {name}", count(*tokens)));
    parts.collect::<Vec<_>>().join(", ")
}

/// What events say, where they have members of their own.
const TOLD: [(Event, &[&str]); 4] = [
    (Event::SessionStart, &["tool", "version", "model", "agent_type", "cwd"]),
    (Event::SessionEnd, &["reason"]),
    (Event::Compaction, &["trigger", "tokens_before", "summary"]),
    (Event::ApiError, &["error"]),
];

fn event(kind: Event, input: &Value, error: Option<&str>) -> String {
    let join = |keys: &[&str]| {
        keys.iter().map(|key| text_at(input, key)).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let keys = TOLD.iter().find(|(told, _)| *told == kind).map(|(_, keys)| *keys);
    let text = match (kind, keys) {
        (Event::Denial, _) => no(input),
        (Event::UnknownRecord, _) => unknown(input),
        (_, Some(keys)) => join(keys),
        (_, None) => telling(input),
    };
    match error {
        Some(error) if text.is_empty() => error_line(error),
        Some(_) | None => text,
    }
}

/// A record of a type that its importer does not know: the type, where it names one.
fn unknown(input: &Value) -> String {
    let record = input.get("record").unwrap_or(input);
    let kind = text_at(record, "type");
    if kind.is_empty() { text_of(record) } else { kind }
}

fn text_at(input: &Value, key: &str) -> String {
    input.get(key).map(text_of).unwrap_or_default()
}

/// Any value in one line.
pub fn text_of(value: &Value) -> String {
    if let Some(blob) = BlobRef::of(value) {
        return format!("{}…", first_line(&blob.preview));
    }
    match value {
        Value::String(text) => first_line(text),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).map(fold).collect::<Vec<_>>().join(" ")
        }
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => fold(&value.to_string()),
    }
}

/// The text of what an entry says, in full; `None` where it says nothing in words. What an agent said may stand where
/// results do.
pub fn words(entry: &HistoryEntry) -> Option<String> {
    let operation = &entry.operation;
    let input = operation.input.value();
    if let Some(value) = ["text", "command", "content", "prompt", "message"].iter().find_map(|key| input.get(key)) {
        return in_full(value);
    }
    let output = operation.output.as_ref().filter(|_| matches!(entry.record(), Kind::Speech(_)))?;
    in_full(&output.value())
}

fn in_full(value: &Value) -> Option<String> {
    match BlobRef::of(value) {
        Some(blob) => Some(format!("{}… ({} bytes)", blob.preview, blob.bytes)),
        None => value.as_str().map(str::to_owned),
    }
}

/// What came out of a call, in one line: the first line, and how many there are.
pub fn outcome(output: &Value) -> String {
    let text = readable(output);
    let text = without_head(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    match lines {
        0 => String::new(),
        1 => first_line(text),
        2 => format!("{} (+1 line)", first_line(text)),
        more => format!("{} (+{} lines)", first_line(text), more - 1),
    }
}

/// Codex puts the exit code and the like before what a command printed.
fn without_head(text: &str) -> &str {
    let has_head = ["Chunk ID: ", "Exit code: ", "Wall time: "].iter().any(|head| text.starts_with(head));
    let printed = text.split_once("\nOutput:\n").filter(|_| has_head);
    printed.map_or(text, |(_, printed)| printed)
}

fn readable(output: &Value) -> String {
    if let Some(blob) = BlobRef::of(output) {
        return format!("{}…", blob.preview);
    }
    match output {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(readable).find(|text| !text.is_empty()).unwrap_or_default(),
        Value::Object(members) if members.is_empty() => String::new(),
        Value::Object(_) => {
            let mut members = READABLE.iter().filter_map(|key| output.get(key));
            members.by_ref().map(readable).find(|text| !text.trim().is_empty()).unwrap_or_else(|| {
                let is_known = ["filePath", "file_path"].iter().chain(&READABLE).any(|key| output.get(key).is_some());
                Some(output.to_string()).filter(|text| !is_known && text.len() <= SHORT_JSON).unwrap_or_default()
            })
        }
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => output.to_string(),
    }
}

/// The first line that says something.
pub fn first_line(text: &str) -> String {
    fold(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}

/// What went wrong: the first line of an error, and the second where the first only gives the exit code.
pub(crate) fn error_line(error: &str) -> String {
    let mut lines = error.lines().filter(|line| !line.trim().is_empty());
    let first = fold(lines.next().unwrap_or_default());
    let is_code =
        first.to_ascii_lowercase().starts_with("exit") && first.ends_with(|letter: char| letter.is_ascii_digit());
    match lines.next().filter(|_| is_code) {
        Some(second) => format!("{first}: {}", fold(second)),
        None => first,
    }
}

/// White space and control characters as single spaces: nothing in a log may move a terminal's cursor.
pub fn fold(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// At most so many characters, the last of them `…` where something is missing.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// A duration for people: `950ms`, `1.2s`, `3m05s`, `2h10m`.
pub fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match millis {
        0..1000 => format!("{millis}ms"),
        1000..60_000 => format!("{seconds}.{}s", millis % 1000 / 100),
        60_000..3_600_000 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// A count for people: `999`, `12.3k`, `4.5M`.
pub fn count(number: i64) -> String {
    let tenths = |unit: i64, name: &str| format!("{}.{}{name}", number / unit, number % unit * 10 / unit);
    match number {
        1_000_000.. => tenths(1_000_000, "M"),
        10_000.. => tenths(1000, "k"),
        _ => number.to_string(),
    }
}

/// The characters at the end of an id that tell it from others.
pub(crate) const SHORT_ID: usize = 8;

/// The end of an id, which tells it from others; short names stay whole.
pub(crate) fn short_id(id: &str) -> &str {
    // Names of a person's own choice (`exec`, `record`) are shorter and say nothing by their ends.
    const WHOLE: usize = 12;
    match id.char_indices().rev().nth(SHORT_ID - 1) {
        Some((at, _)) if id.chars().count() > WHOLE => &id[at..],
        Some(_) | None => id,
    }
}

#[cfg(test)]
mod tests;
