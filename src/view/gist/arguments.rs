//! The telling part of a call's arguments, in one line.

use serde_json::Value;

use super::{fold, text_of};
use crate::kernel::call::{CallKind, by_name};
use crate::kernel::entry::HistoryEntry;

/// Arguments that say most about a call, the most telling first.
const TELLING: [&str; 24] = [
    "command", "cmd", "file_path", "filePath", "absolute_path", "notebook_path", "pattern", "query", "url", "path",
    "explanation", "subject", "description", "skill", "prompt", "text", "message", "content", "patch", "input", "code",
    "name", "chars", "arguments",
];

/// Lists of things to do, and what the members of one are called.
const PLANS: [&str; 2] = ["todos", "plan"];

/// The most telling part of a call's arguments; a file as its entry names it, relative to where the session works.
pub fn asked(entry: &HistoryEntry) -> String {
    let text = telling_of(&entry.operation.name, &entry.operation.input.value());
    let files = entry.metadata.files_touched.iter().flatten();
    let named = files.filter(|_| text.starts_with('/')).find(|file| {
        let folder = text.strip_suffix(&***file);
        folder.is_some_and(|folder| folder.ends_with('/'))
    });
    named.map_or_else(|| text.clone(), ToString::to_string)
}

/// The most telling part of the arguments of a tool: of an editor with commands of its own, one of them and its file.
pub(crate) fn telling_of(tool: &str, input: &Value) -> String {
    // A word without a blank is an editor's (`view`, `str_replace`): a shell's line mostly has one.
    let command = input.get("command").and_then(Value::as_str).filter(|command| !command.contains(' '));
    match (command, input.get("path")) {
        (Some(command), Some(Value::String(path))) if by_name(tool) != CallKind::Shell => {
            [fold(command), fold(path)].join(" ")
        }
        (Some(_) | None, _) => telling(input),
    }
}

/// The most telling part of some arguments; all of them where none is known.
pub fn telling(input: &Value) -> String {
    let found = TELLING.iter().find_map(|key| input.get(key).map(said).filter(|text| !text.is_empty()));
    match (found, input) {
        (Some(text), _) => text,
        (None, Value::Object(members)) if members.is_empty() => String::new(),
        (None, Value::Null) => String::new(),
        (None, other) => plan(other).or_else(|| pairs(other)).unwrap_or_else(|| text_of(other)),
    }
}

/// Members that are all plain, those that say something: `status=completed taskId=2`.
fn pairs(input: &Value) -> Option<String> {
    let members =
        input.as_object().filter(|members| members.values().all(|value| !value.is_array() && !value.is_object()))?;
    let pairs = members.iter().map(|(name, value)| (name, text_of(value))).filter(|(_, text)| !text.is_empty());
    Some(pairs.map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(" "))
}

fn said(value: &Value) -> String {
    value.as_str().and_then(patched).unwrap_or_else(|| text_of(value))
}

/// The files of a patch, and what is done to them.
fn patched(text: &str) -> Option<String> {
    let patch = text.trim_start().strip_prefix("*** Begin Patch")?;
    let files = patch.lines().filter_map(|line| line.strip_prefix("*** "));
    let files: Vec<_> = files.filter(|line| line.contains(" File: ")).map(|line| line.replace(" File:", "")).collect();
    Some(fold(&files.join(", "))).filter(|files| !files.is_empty())
}

/// How far a plan has come, and what is being done.
fn plan(input: &Value) -> Option<String> {
    let steps = PLANS.iter().find_map(|key| input.get(key))?.as_array()?;
    let text = |step: &Value| ["content", "step"].iter().find_map(|key| step.get(key)).map(text_of);
    let with =
        |status: &'static str| steps.iter().filter(move |step| step.get("status").is_some_and(|at| at == status));
    let done = format!("{} of {} done", with("completed").count(), steps.len());
    let now = with("in_progress").find_map(text);
    Some(now.map_or_else(|| done.clone(), |now| format!("{done}: {now}")))
}
