//! The importers against the independent counter of `tests/counts`, on real transcripts where they are at hand.
//!
//! `ANNALS_TRANSCRIPTS` names the unpacked folder; without it there is nothing to compare.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use annals::import::sniff::sniff;
use annals::import::{Draft, ImportError, Kind, PassedOver, Sink, Unread};
use annals::kernel::annals::Usage;
use serde_json::{Value, json};

use crate::support::transcripts;

#[derive(Default)]
struct Counter {
    sessions: BTreeSet<String>,
    children: BTreeSet<String>,
    counts: BTreeMap<&'static str, u64>,
    tokens: BTreeMap<String, Usage>,
}

impl Counter {
    fn add(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn call(&mut self, draft: &Draft) {
        match (draft.operation.success, draft.operation.error.as_deref()) {
            (false, Some("interrupted")) => self.add("interrupted"),
            (false, _) => {
                self.add("calls");
                self.add("failed");
            }
            (true, _) => self.add("calls"),
        }
    }
}

impl Sink for Counter {
    fn entry(&mut self, draft: Draft) -> Result<(), ImportError> {
        let session = draft.source.session.to_string();
        self.sessions.insert(session.clone());
        if let Some(usage) = draft.usage {
            *self.tokens.entry(session.clone()).or_default() += usage;
        }
        match (draft.operation.kind.as_str(), &*draft.operation.name) {
            ("tool_call", _) => self.call(&draft),
            ("user_input", "prompt") => self.add("prompts"),
            ("user_input", "command") => self.add("commands"),
            ("user_input", "shell") => self.add("shell"),
            ("user_input", "interrupt") => self.add("interrupts"),
            ("user_input", "rejection") => self.add("rejections"),
            ("system_event", "denial") => self.add("denials"),
            ("agent_message", "message") => self.add("messages"),
            ("agent_message", "thinking") => self.add("thinking"),
            ("system_event", "compaction") => self.add("compactions"),
            ("system_event", "api_error") => self.add("api_errors"),
            ("system_event", "session_start") => {
                let input: Value = draft.operation.input.value();
                if !input["parent_session"].is_null() {
                    self.children.insert(session);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn unread(&mut self, _: Unread) -> Result<(), ImportError> {
        self.add("unread");
        Ok(())
    }

    fn passed_over(&mut self, reason: PassedOver, _: u64) {
        if reason == PassedOver::Unanswered {
            self.add("unanswered");
        } else if reason == PassedOver::Orphaned {
            self.add("orphans");
        }
    }
}

const COMPARED: [&str; 15] = [
    "prompts", "commands", "shell", "interrupts", "rejections", "denials", "messages", "thinking", "calls", "failed",
    "interrupted", "unanswered", "orphans", "compactions", "api_errors",
];

fn tokens(usage: Usage) -> Value {
    json!({
        "requests": usage.requests, "input": usage.input, "cache_write": usage.cache_write,
        "cache_read": usage.cache_read, "output": usage.output,
    })
}

fn count(path: &Path) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let kind: Kind = match sniff(&fs::read(path).expect("the file can be read"), &name) {
        Some(kind) => kind,
        None => return json!({ "kind": "unknown" }),
    };
    let mut counter = Counter::default();
    kind.import(&*name, &mut BufReader::new(File::open(path).expect("opened")), &mut counter).expect("imported");
    let mut row = json!({ "sessions": counter.sessions.len(), "children": counter.children.len() });
    for what in COMPARED {
        row[what] = counter.counts.get(what).copied().unwrap_or(0).into();
    }
    let sum = |of_child: bool| {
        let sessions = counter.tokens.iter().filter(|(session, _)| counter.children.contains(*session) == of_child);
        sessions.fold(Usage::default(), |sum, (_, usage)| sum + *usage)
    };
    row["tokens"] = tokens(sum(false));
    row["child_tokens"] = tokens(sum(true));
    row
}

#[test]
fn the_importers_count_what_an_independent_counter_counts() {
    let Some(folder) = transcripts() else { return };
    let counts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counts/counts.jsonl");
    let mut differences = Vec::new();
    for line in fs::read_to_string(counts).expect("the counts are there").lines() {
        let expected: Value = serde_json::from_str(line).expect("JSON");
        let file = expected["file"].as_str().expect("a file");
        let found = count(&folder.join(file));
        for (what, value) in found.as_object().expect("an object") {
            let other = &expected[what.as_str()];
            if !other.is_null() && other != value {
                differences.push(format!("{file}: {what}: importer {value}, counter {other}"));
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}
