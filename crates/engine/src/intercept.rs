//! Interception of tool calls (AFS 2.4, decision 2): one entry a finished call, whoever makes it.
//!
//! The library's own door; hooks and `annals exec` use the same store and the same recovery. Does not run tools.

use std::time::Duration;

use super::calls::{CallKey, OpenCall};
use super::{Engine, EngineError};
use annals_kernel::annals::{Annals, Usage};
use annals_kernel::entry::{HistoryEntry, Metadata, Operation, OperationType, Provenance};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::{Json, Members};
use annals_kernel::time::Timestamp;
use annals_log::LogError;

/// Why a call failed that never ended.
pub const INTERRUPTED: &str = "interrupted";

/// Records the calls of one session.
///
/// ```no_run
/// # fn demo(engine: &annals_engine::Engine) -> Result<(), annals_engine::EngineError> {
/// use annals_engine::intercept::Interceptor;
/// use annals_kernel::{entry::Provenance, json::Json};
///
/// let calls = Interceptor::new(engine, "01K7ZC5QW4M0N4T7V5R2B8XQ6D".into());
/// let provenance = Provenance { agent_id: Some("coder".into()), ..Provenance::default() };
/// let call = calls.on_tool_call_start("read", &Json::of(&serde_json::json!({ "path": "a.rs" })), provenance)?;
/// calls.on_tool_call_complete(&call, &Json::of(&"fn main() {}"), std::time::Duration::from_millis(3))?;
/// # Ok(())
/// # }
/// ```
pub struct Interceptor<'e> {
    engine: &'e Engine,
    session: SessionId,
}

/// A call that has begun, and its handle.
#[derive(Debug, Clone)]
pub struct Begun {
    key: CallKey,
    call: OpenCall,
}

impl Begun {
    /// By what its end finds it again.
    pub fn key(&self) -> &CallKey {
        &self.key
    }
}

/// How a call ended.
#[derive(Debug, Clone, Default)]
pub struct CallEnd {
    /// What came out.
    pub output: Option<Json>,
    /// Why it failed; `None` where it did what it was asked.
    pub error: Option<Box<str>>,
    /// How long it took.
    pub duration: Duration,
    /// Files that it read or wrote.
    pub files_touched: Option<Vec<Box<str>>>,
    /// What of models it used up, where it says so.
    pub usage: Option<Usage>,
}

impl<'e> Interceptor<'e> {
    /// For the calls of a session.
    pub fn new(engine: &'e Engine, session: SessionId) -> Self {
        Self { engine, session }
    }

    /// Called before a tool runs. The handle survives a crash in `local/calls/`; the entry is written at the end.
    pub fn on_tool_call_start(
        &self,
        tool: &str,
        params: &Json,
        provenance: Provenance,
    ) -> Result<CallKey, EngineError> {
        let begun = self.begun(tool, params, provenance);
        self.engine.begin_call(&begun.key, begun.call)?;
        Ok(begun.key)
    }

    /// The same, for whoever is there until the end: what takes the handle away meanwhile (`git clean -fdx`) takes nothing
    /// of the call, and neither does a handle that cannot be written.
    pub fn start(&self, tool: &str, params: &Json, provenance: Provenance) -> Begun {
        let begun = self.begun(tool, params, provenance);
        let _ = self.engine.begin_call(&begun.key, begun.call.clone());
        begun
    }

    fn begun(&self, tool: &str, params: &Json, provenance: Provenance) -> Begun {
        let key = CallKey::of(&self.session, &format!("{:032x}", self.engine.clock().chance()));
        let mut entry = call(tool, params, &self.session, self.engine.clock().now());
        entry.provenance = provenance;
        Begun { key, call: OpenCall { parent: None, prompt: None, entry } }
    }

    /// Called after a tool did what it was asked.
    pub fn on_tool_call_complete(
        &self,
        call: &CallKey,
        result: &Json,
        duration: Duration,
    ) -> Result<EntryId, EngineError> {
        self.end(call, CallEnd { output: Some(result.clone()), duration, ..CallEnd::default() })
    }

    /// Called after a tool failed.
    pub fn on_tool_call_error(&self, call: &CallKey, error: &str, duration: Duration) -> Result<EntryId, EngineError> {
        self.end(call, CallEnd { error: Some(error.into()), duration, ..CallEnd::default() })
    }

    /// Called when a tool has ended, with all that is known of it.
    pub fn end(&self, key: &CallKey, end: CallEnd) -> Result<EntryId, EngineError> {
        let begun = self.engine.open_call(key)?;
        let call = begun.ok_or_else(|| EngineError::UnknownCall { call: key.to_string() })?;
        self.finish(Begun { key: key.clone(), call }, end)
    }

    /// Called when a tool has ended, by whoever has been there since it began.
    pub fn finish(&self, begun: Begun, end: CallEnd) -> Result<EntryId, EngineError> {
        let Begun { key, call: OpenCall { mut entry, .. } } = begun;
        // A call is of the time of its end, as an import has it (docs/IMPORT.md).
        entry.timestamp = self.engine.clock().now();
        entry.operation.output = end.output;
        entry.operation.duration_ms = u64::try_from(end.duration.as_millis()).ok();
        entry.operation.success = end.error.is_none();
        entry.operation.error = end.error;
        entry.metadata.files_touched = end.files_touched.or(entry.metadata.files_touched);
        entry.annals.usage = end.usage.or(entry.annals.usage);
        // The entry comes before its handle goes: a crash in between leaves a call that is told to have failed as
        // well, and not one that is lost.
        let appended = self.engine.note(vec![entry])?;
        self.engine.forget_call(&key)?;
        Ok(appended.first().expect("BUG: one entry was given and none written").id)
    }
}

/// The entry of a call that has begun now; until its end is known, it has none.
pub fn call(tool: &str, params: &Json, session: &SessionId, at: Timestamp) -> HistoryEntry {
    let input = if params.is_object() { params.clone() } else { Json::of(&serde_json::json!({ "arguments": params })) };
    HistoryEntry {
        id: EntryId::MIN,
        timestamp: at,
        session_id: session.clone(),
        project_id: None,
        operation: Operation {
            kind: OperationType::ToolCall,
            name: tool.into(),
            input,
            output: None,
            duration_ms: None,
            success: false,
            error: Some(INTERRUPTED.into()),
            unknown: Members::default(),
        },
        provenance: Provenance::default(),
        metadata: Metadata::default(),
        annals: Annals::default(),
        extensions: Members::default(),
        unknown: Members::default(),
    }
}

/// Which open calls can no longer end.
#[derive(Debug, Clone, Copy)]
pub enum Unfinished<'a> {
    /// Those of a session that has ended, and of its sub-agents.
    WithSession(&'a SessionId),
    /// Those of a session that was stopped; its sub-agents may go on.
    InSession(&'a SessionId),
    /// Those of a session that were made for another prompt than this one. One that is not named is another one.
    BeforePrompt(&'a SessionId, Option<&'a str>),
    /// The same, but only where both prompts are named.
    OfOtherPrompt(&'a SessionId, &'a str),
    /// Those that began before this time.
    BegunBefore(Timestamp),
}

impl Unfinished<'_> {
    fn is(&self, call: &OpenCall) -> bool {
        match self {
            Self::WithSession(session) => call.belongs_to(session),
            Self::InSession(session) => call.entry.session_id == **session,
            Self::BeforePrompt(session, prompt) => {
                call.entry.session_id == **session && (prompt.is_none() || call.prompt.as_deref() != *prompt)
            }
            Self::OfOtherPrompt(session, prompt) => {
                let is_other = call.prompt.as_deref().is_some_and(|made_for| made_for != *prompt);
                call.entry.session_id == **session && is_other
            }
            Self::BegunBefore(time) => call.entry.timestamp < *time,
        }
    }
}

impl Engine {
    /// Makes failed entries, `interrupted` at this time, of calls that can no longer end; returns how many.
    pub fn recover_calls(&self, which: Unfinished<'_>, at: Timestamp) -> Result<usize, EngineError> {
        self.end_calls(which, at, &|call| call.entry)
    }

    /// Makes entries of calls that can no longer end, at this time; returns how many. What began later is not meant.
    pub fn end_calls(
        &self,
        which: Unfinished<'_>,
        at: Timestamp,
        ending: &dyn Fn(OpenCall) -> HistoryEntry,
    ) -> Result<usize, EngineError> {
        if self.open_calls()?.is_empty() {
            return Ok(0);
        }
        let path = self.place().local().join("calls.lock");
        // Two hooks that end one session at the same time would each write an entry for the same call.
        let _lock = self.disk().lock(&path).map_err(LogError::at("lock", &path))?;
        let mut count = 0;
        let mut calls = self.open_calls()?;
        // By their beginning, because keys are hashes: the failed entries would else stand in an order that means
        // nothing.
        calls.sort_by_key(|(_, call)| call.as_ref().map(|call| call.entry.timestamp));
        for (key, call) in calls {
            let Some(call) = call else {
                self.forget_call(&key)?;
                continue;
            };
            // The beginning of a session may be recorded late, and must not end calls that began after it.
            if call.entry.timestamp <= at && which.is(&call) {
                self.note(vec![HistoryEntry { timestamp: at, ..ending(call) }])?;
                self.forget_call(&key)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
