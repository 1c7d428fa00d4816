//! What of an entry no model is told: what a call on a file that holds secrets was given and brought, and the lines that other
//! calls brought of one (AFS 11.3, `shouldExcludeFile`). Every place that shows entries to a model comes here.
//!
//! By names: of files touched, of arguments, in a command line, before lines. What a program prints of such a file under no
//! name, or an agent tells of it in its own words, is only cleaned, like everything else, by what secrets look like.

use std::ops::AddAssign;

use serde_json::{Value, json};

use annals_kernel::call::command_line;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::json::Json;
use annals_kernel::record::{Input, Kind};
use annals_sanitizer::Sanitizer;

/// Arguments and results that name files.
const NAMING: [&str; 19] = [
    "file_path", "filePath", "absolute_path", "notebook_path", "path", "paths", "file", "files", "file_name",
    "filename", "target_file", "relative_path", "source", "destination", "old_path", "new_path", "glob", "include",
    "uri",
];

/// What stands in place of what is left out.
const LEFT_OUT: &str = "[left out: it is of a file that holds secrets]";

/// How much was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Withheld {
    /// Calls, and what a person ran: all that they were given and brought.
    pub steps: usize,
    /// Lines of what others brought.
    pub lines: usize,
}

impl Withheld {
    /// Both, as one number.
    pub fn count(self) -> usize {
        self.steps + self.lines
    }
}

impl AddAssign for Withheld {
    fn add_assign(&mut self, more: Self) {
        self.steps += more.steps;
        self.lines += more.lines;
    }
}

/// Leaves out of entries what no model is told, and says how much that was.
pub fn withhold_all(sanitizer: &Sanitizer, entries: &mut [HistoryEntry]) -> Withheld {
    let mut all = Withheld::default();
    for entry in entries {
        all += withhold(sanitizer, entry);
    }
    all
}

/// Leaves out of an entry what no model is told, and says how much that was. Ids, times and names stay.
pub fn withhold(sanitizer: &Sanitizer, entry: &mut HistoryEntry) -> Withheld {
    if let Some(file) = excluded_file(sanitizer, entry) {
        let is_call = entry.record() == Kind::Call;
        let operation = &mut entry.operation;
        let input = if is_call { json!({ "path": file }) } else { json!({ "text": LEFT_OUT }) };
        operation.input = Json::of(&input);
        operation.output = operation.output.take().map(|_| Json::of(LEFT_OUT));
        operation.error = operation.error.take().map(|_| LEFT_OUT.into());
        return Withheld { steps: 1, lines: 0 };
    }
    let mut lines = 0;
    let operation = &mut entry.operation;
    if let Some(output) = &operation.output {
        let mut value = output.value();
        let left_out = without_lines(sanitizer, &mut value);
        if left_out > 0 {
            operation.output = Some(Json::of(&value));
            lines += left_out;
        }
    }
    if let Some(error) = &operation.error {
        let shown = sanitizer.without_excluded(error);
        if shown.left_out > 0 {
            lines += shown.left_out;
            operation.error = Some(format!("{}\n{LEFT_OUT}", shown.text).into());
        }
    }
    Withheld { steps: 0, lines }
}

/// The file that holds secrets on which an entry is; none of words, whatever they speak of.
pub fn excluded_file(sanitizer: &Sanitizer, entry: &HistoryEntry) -> Option<String> {
    let operation = &entry.operation;
    let is_words = match entry.record() {
        Kind::Speech(_) | Kind::Input(Input::Prompt | Input::Queued | Input::Interrupt) => true,
        Kind::Call | Kind::Input(_) | Kind::Event(_) | Kind::State | Kind::Other => false,
    };
    if is_words || entry.annals.is_decision() {
        return None;
    }
    let touched = entry.metadata.files_touched.iter().flatten().map(|file| &**file);
    let touched = touched.filter(|file| sanitizer.should_exclude_file(file)).map(str::to_owned).next();
    let input = operation.input.value();
    touched
        .or_else(|| named(sanitizer, &input))
        .or_else(|| operation.output.as_ref().and_then(|output| named(sanitizer, &output.value())))
        .or_else(|| run(sanitizer, &operation.name, &input, operation.input.text()))
}

/// A command line may stand in an object of its own: what a person said no to, what a program calls with.
fn run(sanitizer: &Sanitizer, name: &str, input: &Value, text: &str) -> Option<String> {
    let of = |line: &str| sanitizer.excluded_word(line).map(str::to_owned);
    let by_tool = command_line(name, text).and_then(|line| of(&line));
    by_tool.or_else(|| {
        let inner = input.get("input").map(|inner| command_line("shell", &inner.to_string()));
        inner.flatten().and_then(|line| of(&line))
    })
}

/// A file that holds secrets, under a key that names files; an object may stand in another, and names may stand in a list.
fn named(sanitizer: &Sanitizer, value: &Value) -> Option<String> {
    let is_excluded = |text: &&str| sanitizer.should_exclude_file(text) && !text.contains('\n');
    match value {
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let names = if NAMING.contains(&key.as_str()) { texts(value) } else { Vec::new() };
            names.into_iter().find(is_excluded).map(str::to_owned).or_else(|| named(sanitizer, value))
        }),
        Value::Array(items) => items.iter().find_map(|item| named(sanitizer, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn without_lines(sanitizer: &Sanitizer, value: &mut Value) -> usize {
    match value {
        Value::String(text) => {
            let shown = sanitizer.without_excluded(text);
            let left_out = shown.left_out;
            if left_out > 0 {
                *text = format!("{}\n{LEFT_OUT}", shown.text);
            }
            left_out
        }
        Value::Array(items) => items.iter_mut().map(|item| without_lines(sanitizer, item)).sum(),
        Value::Object(members) => members.values_mut().map(|item| without_lines(sanitizer, item)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use annals_sanitizer::Config;

    use super::*;

    fn entry(kind: &str, name: &str, input: &Value, output: &Value, touched: &[&str]) -> HistoryEntry {
        let line = json!({
            "id": "01ARZ3NDEKTSV4RRFFQ69G0001", "timestamp": "2026-11-21T03:10:00.123Z", "session_id": "s",
            "operation": {"type": kind, "name": name, "input": input, "output": output, "success": true},
            "provenance": {}, "metadata": {"files_touched": touched},
        });
        HistoryEntry::read(&line.to_string()).expect("an entry")
    }

    /// What is left of what it was given and brought, and how much went.
    fn left(mut entry: HistoryEntry) -> (String, Withheld) {
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let withheld = withhold(&sanitizer, &mut entry);
        let output = entry.operation.output.map(|output| output.text().to_owned()).unwrap_or_default();
        (format!("{} {output}", entry.operation.input.text()), withheld)
    }

    const STEP: Withheld = Withheld { steps: 1, lines: 0 };

    #[test]
    fn nothing_that_a_call_on_a_file_with_secrets_was_given_or_brought_is_told() {
        let secret = json!({ "text": "PLAINWORD" });
        for (kind, name, input, output, touched) in [
            ("tool_call", "Read", json!({ "file_path": "/p/.env" }), secret.clone(), &[][..]),
            ("tool_call", "Read", json!({ "target": "x" }), secret.clone(), &["config/prod.env"]),
            ("tool_call", "Write", json!({ "file_path": ".env", "content": "PLAINWORD" }), json!("ok"), &[]),
            ("tool_call", "Bash", json!({ "command": "cat .env" }), json!({ "stdout": "PLAINWORD" }), &[]),
            ("tool_call", "Bash", json!({ "command": "echo PLAINWORD > .env" }), json!(""), &[]),
            ("tool_call", "shell", json!({ "command": ["bash", "-lc", "cat .env"] }), secret.clone(), &[]),
            ("tool_call", "Grep", json!({ "pattern": ".", "glob": ".env*" }), secret.clone(), &[]),
            ("tool_call", "mcp__fs__read_files", json!({ "paths": ["a.rs", ".env"] }), secret.clone(), &[]),
            (
                "tool_call",
                "view",
                json!({ "id": 3 }),
                json!({ "file": { "filePath": "a/.env", "content": "PLAINWORD" } }),
                &[],
            ),
            ("user_input", "shell", json!({ "command": "cat .env" }), secret.clone(), &[]),
            (
                "user_input",
                "rejection",
                json!({ "tool": "Bash", "input": { "command": "echo PLAINWORD >.env" } }),
                Value::Null,
                &[],
            ),
            (
                "user_input",
                "rejection",
                json!({ "tool": "Write", "input": { "file_path": ".env", "content": "PLAINWORD" } }),
                Value::Null,
                &[],
            ),
        ] {
            let (text, withheld) = left(entry(kind, name, &input, &output, touched));
            assert!(!text.contains("PLAINWORD") && withheld == STEP, "{name} {input}: {text} {withheld:?}");
        }
    }

    #[test]
    fn lines_of_such_a_file_are_left_out_of_what_other_calls_bring_and_words_stay() {
        let found = json!({ "stdout": "a.rs:1:fine\n./.env:1:PLAINWORD" });
        let (text, withheld) = left(entry("tool_call", "Bash", &json!({ "command": "grep -rn x ." }), &found, &[]));
        assert!(!text.contains("PLAINWORD") && text.contains("a.rs:1:fine"), "{text}");
        assert_eq!(withheld, Withheld { steps: 0, lines: 1 });
        for (kind, name, input) in [
            ("user_input", "prompt", json!({ "text": "what is in .env?" })),
            ("agent_message", "message", json!({ "text": "see .env" })),
            ("tool_call", "Read", json!({ "file_path": ".env.example" })),
            ("tool_call", "Edit", json!({ "file_path": "a.ts", "new_string": "process.env.PORT" })),
        ] {
            let (text, withheld) = left(entry(kind, name, &input, &json!("fine"), &[]));
            assert_eq!((text, withheld), (format!("{input} \"fine\""), Withheld::default()), "{name}");
        }
    }
}
