//! The parts of an entry that hold what somebody wrote, in one list: for what is cleaned before it is written, and for what
//! a scrub takes out afterwards. Structure stays out of it: the entry's id, times, numbers, its chain.
//!
//! Does not say what becomes of a part.

use annals_kernel::entry::{HistoryEntry, OperationType};
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::json::{Json, Members};

/// What a name in an entry is for: others find something by it, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Who acts.
    Actor,
    /// The model behind the agent: nothing is found by it.
    Model,
    /// The session.
    Session,
    /// Where another tool has it: tool, session and record.
    Source,
}

/// Takes something out of parts.
pub(super) trait Parts {
    /// What went into a call, or came out of it.
    fn call(&mut self, json: &mut Json);
    /// Why a call failed.
    fn error(&mut self, text: &mut Box<str>);
    /// What a step is called.
    fn name(&mut self, text: &mut Box<str>);
    /// Any other text.
    fn text(&mut self, text: &mut Box<str>);
    /// Members that other programs added.
    fn members(&mut self, members: &mut Members);
    /// What stands in the place of a name; `None` where it stays.
    fn id(&mut self, names: Names, id: &str) -> Option<Box<str>>;
}

/// Shows all parts of an entry.
pub(super) fn each_part(entry: &mut HistoryEntry, parts: &mut impl Parts) {
    let operation = &mut entry.operation;
    parts.call(&mut operation.input);
    operation.output.iter_mut().for_each(|output| parts.call(output));
    operation.error.iter_mut().for_each(|error| parts.error(error));
    parts.name(&mut operation.name);
    if let OperationType::Other(kind) = &mut operation.kind {
        parts.text(kind);
    }
    let others = [&mut operation.unknown, &mut entry.provenance.unknown, &mut entry.metadata.unknown];
    let added = [&mut entry.extensions, &mut entry.annals.unknown, &mut entry.unknown];
    others.into_iter().chain(added).for_each(|members| parts.members(members));
    let lists = entry.metadata.tags.iter_mut().chain(entry.metadata.files_touched.iter_mut());
    lists.flatten().for_each(|text| parts.text(text));
    entry.project_id.iter_mut().chain(&mut entry.provenance.parent_message_id).for_each(|text| parts.text(text));
    each_name(entry, parts);
}

fn each_name(entry: &mut HistoryEntry, parts: &mut impl Parts) {
    if let Some(session) = parts.id(Names::Session, entry.session_id.as_str()) {
        entry.session_id = SessionId::from(session);
    }
    if let Some(agent) = &mut entry.provenance.agent_id {
        *agent = parts.id(Names::Actor, agent.as_str()).map_or_else(|| agent.clone(), AgentId::from);
    }
    if let Some(model) = &mut entry.provenance.model_id {
        *model = parts.id(Names::Model, model.as_str()).map_or_else(|| model.clone(), ModelId::from);
    }
    if let Some(source) = &mut entry.annals.source {
        for name in [&mut source.kind, &mut source.session, &mut source.record] {
            *name = parts.id(Names::Source, name).unwrap_or_else(|| std::mem::take(name));
        }
        source.file.iter_mut().chain(&mut source.time).for_each(|text| parts.text(text));
    }
}
