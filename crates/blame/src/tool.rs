//! What the editors of the usual agents did, by their arguments and results.
//!
//! Does not read command lines; `shell` does.

use annals_kernel::call::{self, CallKind};
use serde_json::Value;

use super::deed::{Before, Deed, Done, Hunk, HunkLine, LineRange, Places, Replaced, Side, What};
use super::hunk::before;
use super::text::Text;

/// More edits than this in one call are not looked at.
const MOST_EDITS: usize = 1000;

/// The command line of a call, where it is one of a shell.
pub(crate) fn command_line(call: &Done<'_>) -> Option<String> {
    if call::by_name(call.tool) != CallKind::Shell {
        return None;
    }
    ["command", "cmd", "script"].iter().find_map(|key| match call.input.get(key)? {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => line_of(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    })
}

/// The line of words: what a shell is given, or the words in quotes.
fn line_of(words: &[&str]) -> Option<String> {
    match words {
        [program, flag, line] if call::is_shell(super::shell::base(program)) && flag.starts_with('-') => {
            Some((*line).to_owned())
        }
        [] => None,
        words => {
            Some(words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect::<Vec<_>>().join(" "))
        }
    }
}

/// The first of some members that is a text.
pub(crate) fn text<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| value.get(key)?.as_str())
}

const PATHS: [&str; 8] =
    ["file_path", "filePath", "absolute_path", "notebook_path", "path", "filename", "target_file", "relative_path"];

/// The file that a call names.
pub(crate) fn path<'c>(call: &Done<'c>) -> Option<&'c str> {
    text(call.input, &PATHS).or_else(|| call.files.first().map(|file| &**file)).filter(|path| !path.is_empty())
}

/// What a call of an editor did.
pub(crate) fn deeds(call: &Done<'_>) -> Vec<Deed> {
    let Some(path) = path(call).filter(|_| call::may_write(call.tool)) else { return Vec::new() };
    let verb = text(call.input, &["command"]).unwrap_or_default();
    if verb == "view" {
        return Vec::new();
    }
    let whats = shown(call).unwrap_or_else(|| asked(call, verb));
    whats.into_iter().map(|what| Deed::new(path, what)).collect()
}

/// What the result shows of it: the hunks, with their places.
fn shown(call: &Done<'_>) -> Option<Vec<What>> {
    let hunks = hunks(call.output)?;
    if let Some(content) = text(call.input, &["content"]) {
        let content = Text::of(content);
        let is_new = text(call.output, &["type"]) == Some("create");
        if is_new {
            return Some(vec![What::Whole(content, Before::Absent)]);
        }
        if hunks.is_empty() {
            return None;
        }
        let seen = before(&content, &hunks).map(|text| What::Seen(1, text, super::deed::Extent::All));
        return Some(seen.into_iter().chain([What::Whole(content, Before::There)]).collect());
    }
    if hunks.is_empty() {
        return None;
    }
    let proposed = text(call.input, &["new_string"]).map(Text::of).unwrap_or_default();
    if call.output.get("userModified") == Some(&Value::Bool(true)) {
        return Some(vec![What::Hunks(foreign(hunks, &proposed))]);
    }
    let hunks = indented(hunks, &proposed);
    Some(vec![match replaced(call, call.input) {
        Some(What::Replaced(replaced)) => What::Shown(replaced, hunks),
        Some(_) | None => What::Hunks(hunks),
    }])
}

/// New lines as they were proposed: tools show tabs as blanks.
fn indented(mut hunks: Vec<Hunk>, proposed: &Text) -> Vec<Hunk> {
    let mut rest = proposed.lines.as_slice();
    for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines).filter(|line| line.side == Side::New) {
        if let Some(at) = rest.iter().position(|one| one.trim() == line.text.trim()) {
            line.text = rest[at].to_string();
            rest = &rest[at + 1..];
        }
    }
    hunks
}

fn hunks(output: &Value) -> Option<Vec<Hunk>> {
    let hunks = output.get("structuredPatch")?.as_array()?;
    hunks
        .iter()
        .take(MOST_EDITS)
        .map(|hunk| {
            let first = usize::try_from(hunk.get("oldStart")?.as_u64()?).ok()?;
            let lines = hunk.get("lines")?.as_array()?.iter().filter_map(|line| side(line.as_str()?)).collect();
            Some(Hunk { first: Some(first), below: None, lines })
        })
        .collect()
}

fn side(line: &str) -> Option<HunkLine> {
    let (side, text) = match line.chars().next() {
        Some('+') => (Side::New, &line[1..]),
        Some('-') => (Side::Old, &line[1..]),
        Some(' ') => (Side::Both, &line[1..]),
        // "\ No newline at end of file"
        Some(_) => return None,
        None => (Side::Both, line),
    };
    Some(HunkLine { side, text: text.strip_suffix('\r').unwrap_or(text).to_owned() })
}

/// Where a person changed a proposal, only lines that were proposed are the call's.
fn foreign(mut hunks: Vec<Hunk>, proposed: &Text) -> Vec<Hunk> {
    for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines).filter(|line| line.side == Side::New) {
        match proposed.lines.iter().find(|one| one.trim() == line.text.trim()) {
            Some(one) => line.text = one.to_string(),
            None => line.side = Side::Foreign,
        }
    }
    hunks
}

/// What the arguments ask for.
fn asked(call: &Done<'_>, verb: &str) -> Vec<What> {
    let input = call.input;
    if let Some(edits) = input.get("edits").and_then(Value::as_array) {
        return edits.iter().take(MOST_EDITS).map(|edit| replaced(call, edit).unwrap_or(What::Opaque)).collect();
    }
    let line = |key: &str| input.get(key).and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
    if let (Some(after), Some(new)) = (line("insert_line"), text(input, &["new_str", "insert_text", "new_string"])) {
        return vec![What::Inserted(after, Text::of(new))];
    }
    if let Some(new) = text(input, &["file_text", "content", "contents"]) {
        return vec![written(call, verb, new)];
    }
    vec![replaced(call, input).unwrap_or(What::Opaque)]
}

fn written(call: &Done<'_>, verb: &str, new: &str) -> What {
    if call.tool.to_ascii_lowercase().contains("append") {
        return What::Appended(new.to_owned());
    }
    let says = super::output::printed(call.output).unwrap_or_default();
    let before = if verb == "create" || call.tool == "create" || says.contains("created") || says.contains("new file") {
        Before::Absent
    } else if says.contains("overwrote") || says.contains("updated") {
        Before::There
    } else {
        Before::Unsaid
    };
    What::Whole(Text::of(new), before)
}

fn replaced(call: &Done<'_>, edit: &Value) -> Option<What> {
    let new = text(edit, &["new_string", "new_str", "replace", "newText", "new_text"])?;
    let old = text(edit, &["old_string", "old_str", "search", "oldText", "old_text"]).unwrap_or_default();
    if old.is_empty() {
        return Some(What::Whole(Text::of(new), Before::Unsaid));
    }
    let is_all = ["replace_all", "replaceAll"].iter().any(|key| edit.get(key) == Some(&Value::Bool(true)));
    // Gemini's `replace` says how often it expects the text.
    let expected = edit.get("expected_replacements").and_then(Value::as_u64).unwrap_or(1);
    let places = if is_all || expected > 1 { Places::All } else { Places::Only };
    let places = if call.tool == "edit" && edit.get("search").is_some() { Places::First } else { places };
    Some(What::Replaced(Replaced { old: old.to_owned(), new: new.to_owned(), places }))
}

/// `edit 12:15`, new lines, `end_of_edit`: the editor of SWE-agent.
pub(crate) fn numbered(command: &str) -> Option<What> {
    let (head, rest) = command.trim_start().strip_prefix("edit ")?.split_once('\n')?;
    let (first, last) = head.trim().split_once(':')?;
    let range = LineRange { first: first.trim().parse().ok()?, last: last.trim().parse().ok()? };
    let new = rest.split("\nend_of_edit").next()?.trim_end_matches("end_of_edit");
    let new = if new.is_empty() { String::new() } else { format!("{}\n", new.strip_suffix('\n').unwrap_or(new)) };
    Some(What::Lines(range, Text::of(&new)))
}
