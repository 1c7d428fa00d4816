//! What several tests need: a project in a temporary folder, entries to put into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals::engine::clock::Clock;
use annals::engine::live::Cache;
use annals::engine::{By, Engine};
use annals::kernel::entry::{HistoryEntry, Metadata, Operation, OperationType, Provenance};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::{Json, Members};
use annals::kernel::time::Timestamp;
use annals::log::disk::RealDisk;

/// A `.context` in a temporary folder that goes with its value.
pub struct Project {
    _folder: tempfile::TempDir,
    /// The `.context` folder.
    pub context: PathBuf,
}

impl Project {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let context = folder.path().join(".context");
        std::fs::create_dir_all(context.join("history")).expect("made");
        Self { _folder: folder, context }
    }

    /// Its engine, with chance from a seed and the machine's time.
    pub fn engine(&self, seed: &str) -> Engine {
        open(&self.context, seed)
    }

    /// The hash of its state, folded without any cache.
    pub fn fresh_hash(&self) -> String {
        let engine = open(&self.context, "fresh").with_cache(Cache::Ignored);
        engine.ask(annals::world::World::hash).expect("folded")
    }
}

/// An engine on a folder.
pub fn open(context: &Path, seed: &str) -> Engine {
    let clock = Clock::new(None, Some(seed.to_owned()));
    Engine::open(Arc::new(RealDisk), context, clock).expect("opened")
}

/// Somebody who asks outside of any session.
pub fn user() -> By {
    By { actor: AgentId::from("user"), session: SessionId::from(NO_SESSION) }
}

/// An entry about a call, at a time, in a session.
pub fn call(session: &str, millis: i64, number: u128) -> HistoryEntry {
    let at = Timestamp::from_millis(millis);
    HistoryEntry {
        id: EntryId::new(at, number),
        timestamp: at,
        session_id: SessionId::from(session),
        project_id: None,
        operation: Operation {
            kind: OperationType::ToolCall,
            name: "Bash".into(),
            input: Json::of(&serde_json::json!({ "command": format!("step {number}") })),
            output: None,
            duration_ms: Some(5),
            success: !number.is_multiple_of(7),
            error: None,
            unknown: Members::default(),
        },
        provenance: Provenance { agent_id: Some(AgentId::from("coder")), ..Provenance::default() },
        metadata: Metadata { token_count: Some(3), ..Metadata::default() },
        annals: annals::kernel::annals::Annals::default(),
        extensions: Members::default(),
        unknown: Members::default(),
    }
}
