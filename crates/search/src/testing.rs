//! Logs for tests: lines as other programs write them, in a folder of their own.

use std::path::Path;
use std::sync::Arc;

use annals_engine::Engine;
use annals_engine::clock::Clock;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_log::disk::RealDisk;
use serde_json::{Value, json};

/// 2026-11-21.
const DAY_MS: i64 = 1_795_219_200_000;

/// A log in a folder that goes with it.
pub(crate) struct TestLog {
    folder: tempfile::TempDir,
}

impl TestLog {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("history")).expect("made");
        Self { folder }
    }

    pub(crate) fn context(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::open(Arc::new(RealDisk), self.context(), Clock::default()).expect("an engine")
    }

    /// Puts lines behind those of a segment.
    pub(crate) fn append(&self, segment: &str, lines: &[String]) {
        let path = self.context().join("history").join(segment);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let lines: String = lines.iter().flat_map(|line| [line.clone(), "\n".to_owned()]).collect();
        std::fs::write(path, before + &lines).expect("written");
    }
}

/// The so-manyeth id of the day.
pub(crate) fn id(number: u32) -> EntryId {
    EntryId::new(Timestamp::from_millis(DAY_MS + i64::from(number) * 1000), 7)
}

/// A call with this input and output.
pub(crate) fn call(number: u32, input: &Value, output: &Value) -> Value {
    json!({
        "id": id(number), "timestamp": Timestamp::from_millis(DAY_MS + i64::from(number) * 1000),
        "session_id": format!("session-{}", number / 5),
        "operation": { "type": "tool_call", "name": "Bash", "input": input, "output": output, "success": true },
        "provenance": { "agent_id": "claude" }, "metadata": { "files_touched": [format!("src/{}.rs", number % 3)] },
    })
}
