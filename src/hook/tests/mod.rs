//! Hooks from payload to entry: fixtures in `tests/hooks`, in the shape of captured ones, and what becomes of them.

mod captured;
mod children;
mod codex;
mod copilot;
mod destructive;
mod fixtures;
mod guard;
mod later;
mod trouble;
mod verdicts;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Agent, Around, HookAnswer, HookOutcome, handle};
use crate::engine::clock::Clock;
use crate::engine::consent::{Consent, Entered};
use crate::engine::{Engine, settings};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::EntryId;
use crate::kernel::time::Timestamp;
use crate::log::disk::RealDisk;
use crate::log::place::Place;

/// The time of the first payload: noon.
const START: i64 = 1_795_262_400_000;

/// A project with a `.context`.
pub(super) struct Project {
    folder: tempfile::TempDir,
    /// How many payloads came; each comes a second later.
    count: std::cell::Cell<i64>,
}

impl Project {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["history", "local", "scratchpad", "memory"] {
            std::fs::create_dir_all(folder.path().join(".context").join(name)).expect("made");
        }
        Self { folder, count: std::cell::Cell::new(0) }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn context(&self) -> PathBuf {
        self.path().join(".context")
    }

    /// The file says it, and the user entered here what of it weakens.
    fn configure(&self, text: &str) {
        std::fs::write(self.context().join("config.toml"), text).expect("written");
        let place = Place::new(&self.context());
        let Ok(file) = settings::load(&RealDisk, &self.context().join("config.toml")) else { return };
        let mut consent = Consent::default();
        for (key, value) in file.settings.iter() {
            consent.enter(key, Entered { value: Some(value.clone()), entry: EntryId::MIN });
        }
        consent.save(&RealDisk, &place, None).expect("kept");
    }

    fn clock(&self) -> Clock {
        let at = Timestamp::from_millis(START + 1000 * self.count.get());
        Clock::new(Some(at), Some(format!("seed {}", self.count.get())))
    }

    /// A payload, a second after the one before.
    pub(super) fn hook(&self, agent: Agent, payload: &Value) -> HookOutcome {
        self.count.set(self.count.get() + 1);
        let around = Around {
            context: self.context(),
            directory: self.path().to_owned(),
            clock: self.clock(),
            ..Around::default()
        };
        handle(agent, &payload.to_string(), around)
    }

    /// Lets hours pass.
    fn wait_hours(&self, hours: i64) {
        self.count.set(self.count.get() + 3600 * hours);
    }

    fn engine(&self) -> Engine {
        Engine::open(std::sync::Arc::new(RealDisk), &self.context(), self.clock()).expect("opened")
    }

    /// Every entry, in the order in which they were written.
    fn entries(&self) -> Vec<HistoryEntry> {
        let mut files: Vec<_> = std::fs::read_dir(self.context().join("history"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("read"));
        let all = texts.flat_map(|text| text.lines().map(read_entry).collect::<Vec<_>>());
        // What was recorded, without what was learnt from it behind the turn.
        let is_learnt = |name: &str| ["memory.", "knowledge."].iter().any(|room| name.starts_with(room));
        all.filter(|entry| !is_learnt(&entry.operation.name)).collect()
    }

    /// Names, and whether they did what they were asked.
    fn names(&self) -> Vec<String> {
        let name = |entry: &HistoryEntry| match &entry.operation.error {
            Some(error) => format!("{}: {error}", entry.operation.name),
            None => entry.operation.name.to_string(),
        };
        self.entries().iter().map(name).collect()
    }

    fn open_calls(&self) -> usize {
        self.engine().open_calls().expect("listed").len()
    }

    fn waiting(&self) -> usize {
        super::spool::count(&RealDisk, self.engine().place()).expect("counted")
    }
}

fn read_entry(line: &str) -> HistoryEntry {
    HistoryEntry::read(line).expect("an entry")
}

/// A call of Claude Code in a session of its own.
fn call(event: &str, id: &str, command: &str) -> Value {
    json!({
        "session_id": "s1", "cwd": "/nowhere", "hook_event_name": event, "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": id, "tool_response": {"stdout": "done"},
    })
}

fn event(event: &str) -> Value {
    json!({"session_id": "s1", "cwd": "/nowhere", "hook_event_name": event, "prompt": "hello", "reason": "other"})
}

fn went_on(outcome: &HookOutcome) -> bool {
    *outcome == HookOutcome { answer: HookAnswer::Go, problem: None }
}
