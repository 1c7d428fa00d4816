//! What is told of the calls that wrote lines: who called, for which prompt, what came of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{BlamedCall, BlamedPrompt};
use crate::engine::EngineError;
use crate::engine::query::Reader;
use crate::engine::query::filter::Filter;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::record::{Input, Kind, Speech};
use crate::view::gist::gist;

/// The calls, the oldest first.
pub(super) fn calls(
    reader: &mut Reader<'_>,
    counts: &BTreeMap<EntryId, usize>,
) -> Result<Vec<BlamedCall>, EngineError> {
    let found = reader.by_id(counts.keys().copied().collect(), EntryId::MAX)?;
    let mut prompts = BTreeMap::new();
    let entries: Vec<HistoryEntry> = found.into_values().flatten().map(|found| found.entry).collect();
    let sessions: BTreeSet<&SessionId> = entries.iter().map(|entry| &entry.session_id).collect();
    for session in sessions {
        prompts.insert(session.clone(), of_session(reader, session)?);
    }
    let call = |entry: &HistoryEntry| {
        let prompts = prompts.get(&entry.session_id);
        let prompt = prompts.and_then(|all| all.iter().rev().find(|prompt| prompt.entry < entry.id)).cloned();
        BlamedCall {
            entry: entry.id,
            session: entry.session_id.clone(),
            agent: entry.provenance.agent_id.clone(),
            at: entry.timestamp,
            tool: entry.operation.name.to_string(),
            did: gist(entry),
            prompt,
            lines: counts.get(&entry.id).copied().unwrap_or_default(),
        }
    };
    Ok(entries.iter().map(call).collect())
}

/// What was asked for in a session, the oldest first; of a sub-agent the task that it was given.
fn of_session(reader: &mut Reader<'_>, session: &SessionId) -> Result<Vec<BlamedPrompt>, EngineError> {
    let kinds = ["user_input", "agent_message"].map(str::to_owned).to_vec();
    let names = [Input::Prompt.name(), Input::Queued.name(), Input::Command.name(), Speech::Task.name()];
    let names = names.map(str::to_owned).to_vec();
    let filter = Filter { session: Some(session.clone()), kinds, names, ..Filter::default() };
    let entries = reader.joined(&filter)?;
    let is_prompt = |entry: &&HistoryEntry| match entry.record() {
        Kind::Input(input) => input != Input::Other,
        Kind::Speech(speech) => speech == Speech::Task,
        Kind::Call | Kind::Event(_) | Kind::State | Kind::Other => false,
    };
    let prompts = entries.iter().filter(is_prompt).map(|entry| {
        let input = entry.operation.input.value();
        let text = input.get("text").and_then(serde_json::Value::as_str).map(str::to_owned);
        BlamedPrompt { entry: entry.id, text: text.unwrap_or_else(|| gist(entry)) }
    });
    Ok(prompts.collect())
}
