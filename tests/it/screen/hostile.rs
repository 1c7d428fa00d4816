//! A log in which every string that a user, an agent or an import may choose wants to do something to the screen.
//!
//! Made of the golden logs, in which every command of every room is asked: whatever string of theirs can be another one
//! becomes hostile, everywhere in the same way, so that what names something goes on naming it.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use annals::domain::{Command, Event};
use annals::kernel::entry::{HistoryEntry, OperationType};
use annals::kernel::json::Json;
use regex::Regex;
use serde_json::{Value, json};

use crate::program::Project;
use crate::support::day_files;

/// A title, a cleared screen, text from right to left, a colour in one byte, a fake line, things that are not seen.
pub const HOSTILE: &str = "\x1b]0;pwned\x07\x1b[2J\u{202e}\u{9b}31m\u{2028}\n\tfake\r\u{200b}\u{e0041}\u{7f}";

/// Wide letters, letters of several characters, marks that take no column, and many words.
pub const WIDE: &str = " 漢字かなの長い題名 👨\u{200d}👩\u{200d}👧 e\u{301}a\u{308} लंबा and words that go on, from a/rather/deep/folder/of/the/project/file.rs";

/// The golden logs, made hostile.
pub struct Hostile {
    /// What stands behind every string.
    pub mark: &'static str,
    /// Lines by the name of their file.
    files: Vec<(String, String)>,
}

impl Hostile {
    pub fn new(mark: &'static str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = std::collections::BTreeMap::<String, String>::new();
        for (folder, sign) in [("tests/golden", 'A'), ("tests/golden/control", 'B'), ("tests/golden/minds", 'C')] {
            for (name, text) in day_files(&root.join(folder)) {
                let lines = text.lines().map(|line| hostile_line(&own_ids(line, sign), mark) + "\n");
                files.entry(name).or_default().extend(lines);
            }
        }
        files.entry("2026-11-20.jsonl".to_owned()).or_default().push_str(&records(mark));
        Self { mark, files: files.into_iter().collect() }
    }

    /// A project whose history it is.
    pub fn project(&self) -> Project {
        let project = Project::new();
        for (name, text) in &self.files {
            fs::write(project.context().join("history").join(name), text).expect("written");
        }
        project
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|(_, text)| text.lines())
    }

    /// The texts at a place of the commands or events of a name.
    pub fn told(&self, name: &str, pointer: &str) -> Vec<String> {
        let of_line = |line: &str| {
            let value: Value = serde_json::from_str(line).expect("JSON");
            let events = value["operation"]["output"]["events"].as_array().cloned().unwrap_or_default();
            let own = events.into_iter().filter(|one| one["name"] == name).map(|one| one["data"].clone());
            let asked = (value["operation"]["name"] == name).then(|| value["operation"]["input"]["command"].clone());
            let texts = own.chain(asked).filter_map(|data| data.pointer(pointer)?.as_str().map(str::to_owned));
            texts.collect::<Vec<_>>()
        };
        let mut texts: Vec<_> = self.lines().flat_map(of_line).collect();
        texts.dedup();
        assert!(!texts.is_empty(), "no {name} has {pointer}");
        texts
    }

    /// One of them that is hostile, where there is one.
    pub fn one(&self, name: &str, pointer: &str) -> String {
        let texts = self.told(name, pointer);
        texts.iter().find(|text| text.contains(self.mark)).unwrap_or(&texts[0]).clone()
    }
}

/// Records that other programs brought, with everything in them hostile: names, keys, files, tags, errors.
fn records(mark: &str) -> String {
    let bad = |text: &str| format!("{text}{mark}");
    let record = |number: u32, kind: &str, name: &str, input: Value, output: Value| {
        json!({
            "id": format!("01M7W2Y8K9Z2VPTW9KF3BB{number:04}"), "timestamp": "2026-11-20T09:00:01.001Z",
            "session_id": bad("s1"), "project_id": bad("p"),
            "operation": { "type": kind, "name": bad(name), "input": input, "output": output, "duration_ms": 3,
                "success": number.is_multiple_of(2), "error": bad("ENOENT no such file") },
            "provenance": { "agent_id": bad("claude"), "model_id": bad("model") },
            "metadata": { "tags": [bad("#tag")], "files_touched": [bad("src/a.rs")] },
            "extensions": { "annals": { "v": 1, "source":
                { "kind": bad("test"), "session": bad("native"), "record": format!("r{number}{mark}"), "file": bad("f") } } }
        })
    };
    let call = json!({ bad("key"): bad("value"), "command": bad("cargo test"), "file_path": bad("src/a.rs") });
    let lines = [
        record(1, "user_input", "prompt", json!({ "text": bad("please fix it") }), Value::Null),
        record(2, "agent_message", "message", json!({ "text": bad("I have fixed it") }), Value::Null),
        record(3, "tool_call", "Bash", call.clone(), json!({ "stdout": bad("out"), bad("k"): [bad("a"), [bad("b")]] })),
        record(4, "tool_call", "Edit", call, json!(bad("done"))),
        record(5, "cognitive_state", "mood", json!({ "mood": bad("well") }), Value::Null),
        record(6, "system_event", "note", json!(bad("note")), Value::Null),
        record(7, "hostile\u{202e}type", "x", json!([bad("x")]), Value::Null),
    ];
    // As another program would write it: only what JSON must escape is escaped.
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

/// The logs were told with one seed: an id of one of them may be one of another, too.
fn own_ids(line: &str, sign: char) -> String {
    static ID: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(01[0-9A-HJKMNP-TV-Z]{8})[0-9A-HJKMNP-TV-Z]([0-9A-HJKMNP-TV-Z]{15})\b").expect("a pattern")
    });
    ID.replace_all(line, format!("${{1}}{sign}${{2}}")).into_owned()
}

fn hostile_line(line: &str, mark: &str) -> String {
    let mut value: Value = serde_json::from_str(line).expect("JSON");
    let operation = &value["operation"];
    let name = operation["name"].as_str().expect("a name").to_owned();
    let is_decision = value["extensions"]["annals"]["r"].is_u64();
    if is_decision {
        harden(&mut value["operation"]["input"]["command"], mark, &|command| {
            Command::read(&name, &Json::of(command)).is_ok()
        });
        for event in value["operation"]["output"]["events"].as_array_mut().into_iter().flatten() {
            let name = event["name"].as_str().expect("a name").to_owned();
            harden(&mut event["data"], mark, &|data| Event::read_text(&name, &data.to_string()).is_ok());
        }
        harden(&mut value["operation"]["output"]["refusal"], mark, &|_| true);
        for part in ["session_id", "provenance", "metadata"] {
            harden_entry(&mut value, part, mark);
        }
    } else {
        for part in ["session_id", "operation", "provenance", "metadata", "extensions"] {
            harden_entry(&mut value, part, mark);
        }
    }
    value.to_string()
}

/// Makes every string below hostile that may be another one.
fn harden(value: &mut Value, mark: &str, fits: &dyn Fn(&Value) -> bool) {
    harden_places(value, &places(value), mark, fits);
}

/// All of them at once where that fits, else by halves: most strings of most lines may be another one.
fn harden_places(value: &mut Value, places: &[String], mark: &str, fits: &dyn Fn(&Value) -> bool) {
    let before: Vec<_> = places.iter().map(|place| value.pointer(place).cloned().expect("a place")).collect();
    for (place, text) in places.iter().zip(&before) {
        let text = text.as_str().expect("a text");
        *value.pointer_mut(place).expect("the same place") = format!("{text}{mark}").into();
    }
    if places.is_empty() || fits(value) {
        return;
    }
    for (place, text) in places.iter().zip(before) {
        *value.pointer_mut(place).expect("the same place") = text;
    }
    if places.len() > 1 {
        let (left, right) = places.split_at(places.len() / 2);
        harden_places(value, left, mark, fits);
        harden_places(value, right, mark, fits);
    }
}

/// The same in a part of an entry: it must still be one of the same type.
fn harden_entry(entry: &mut Value, part: &str, mark: &str) {
    let whole = entry.clone();
    let kind = |value: &Value| HistoryEntry::read(&value.to_string()).ok().map(|entry| entry.operation.kind);
    let before: Option<OperationType> = kind(&whole);
    harden(&mut entry[part], mark, &|value| {
        let mut entry = whole.clone();
        entry[part] = value.clone();
        kind(&entry) == before
    });
}

/// Where strings stand, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    match value {
        Value::String(_) => vec![String::new()],
        Value::Array(items) => below(items.iter().enumerate().map(|(at, item)| (at.to_string(), item))),
        Value::Object(members) => below(members.iter().map(|(name, item)| (name.clone(), item))),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn below<'v>(items: impl Iterator<Item = (String, &'v Value)>) -> Vec<String> {
    let place = |name: &str, rest: String| format!("/{}{rest}", name.replace('~', "~0").replace('/', "~1"));
    items.flat_map(|(name, item)| places(item).into_iter().map(move |rest| place(&name, rest))).collect()
}
