//! Which session a rollout holds: what its first record says, or else the name of its file.

use annals_kernel::record::Event;
use std::borrow::Cow;
use std::collections::BTreeSet;

use super::echo::Echo;
use super::prompts::Prompts;
use super::tokens::CodexTokens;
use super::{CodexReader, KIND};
use crate::calls::Calls;
use crate::entries::{EntryStep, Fields, Origin, Spot};
use crate::object::Object;
use crate::{Given, ImportError, Sink};
use annals_kernel::id::{AgentId, SessionId};

impl CodexReader {
    /// Begins a session with the first record of its source.
    pub(super) fn named_by(
        given: &Given<'_>,
        record: &Object<'_>,
        spot: &Spot,
        sink: &mut dyn Sink,
    ) -> Result<Self, ImportError> {
        let meta = if record.text("type").as_deref() == Some("session_meta") {
            record.object("payload")
        } else {
            Object::default()
        };
        let native = meta.text("id").map(Cow::into_owned);
        let native = native.or_else(|| id_in_name(given.file)).unwrap_or_else(|| spot.record.to_string());
        let child = Child::of(&meta, given);
        let mut origin = Origin::new(KIND, &native, given.file);
        origin.version = meta.text("cli_version").map(|version| (&*version).into());
        if child.is_some() {
            origin.agent = AgentId::from(format!("{KIND}/{native}"));
        }
        let at = meta.time("timestamp").unwrap_or(spot.at);
        let start = start(&meta, &native, &child.unwrap_or_default());
        sink.entry(start.at(&origin, Spot { at, ..spot.named("session_start") }))?;
        Ok(Self {
            origin,
            cwd: meta.text("cwd").unwrap_or_default().into_owned(),
            model: None,
            calls: Calls::default(),
            running: BTreeSet::new(),
            path: meta.text("agent_path").map(|path| (&*path).into()),
            prompts: Prompts::default(),
            tokens: CodexTokens::default(),
            echo: Echo::default(),
            images: Vec::new(),
            compactions: 0,
        })
    }
}

fn start(meta: &Object<'_>, native: &str, child: &Child) -> EntryStep {
    let input = Fields::new()
        .with("tool", KIND)
        .with("native_id", native)
        .some("cwd", meta.text("cwd").as_deref())
        .some("version", meta.text("cli_version").as_deref())
        .some("branch", meta.object("git").text("branch").as_deref())
        .some("parent_session", child.parent.as_ref())
        .some("parent_call", child.call.as_deref())
        .some("agent_type", child.agent_type.as_deref());
    EntryStep::event(Event::SessionStart, input)
}

/// What a session says about the one that began it.
#[derive(Default)]
struct Child {
    parent: Option<SessionId>,
    call: Option<String>,
    agent_type: Option<String>,
}

impl Child {
    /// `source` is a word, or `{"subagent": …}` with a word or `{"thread_spawn": {…}}` in it.
    /// Which call it was, and of what kind the agent is, may stand beside the file.
    fn of(meta: &Object<'_>, given: &Given<'_>) -> Option<Self> {
        let source = meta.object("source");
        if !source.has("subagent") {
            return None;
        }
        let spawn = source.object("subagent").object("thread_spawn");
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        Some(Self {
            // By its thread alone, not as `<session>/<agent>`: the parent may be a child itself, and nothing but its
            // thread is told.
            parent: spawn.text("parent_thread_id").map(|parent| SessionId::derived(KIND, &parent)),
            call: owned(spawn.text("spawn_call_id")).or_else(|| given.parent.call.as_deref().map(str::to_owned)),
            agent_type: owned(source.text("subagent").or_else(|| spawn.text("agent_role"))),
        })
    }
}

/// The id in `rollout-2026-06-18T00-57-05-019ed836-b1da-78f1-8a0c-e598363d10f4.jsonl`.
fn id_in_name(file_name: &str) -> Option<String> {
    let stem = file_name.strip_suffix(".jsonl")?;
    let start = stem.len().checked_sub(36)?;
    let id = stem.get(start..)?;
    let dashes = id
        .bytes()
        .enumerate()
        .all(|(index, byte)| if matches!(index, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() });
    dashes.then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_rollout_ends_in_its_id() {
        let id = "019ed836-b1da-78f1-8a0c-e598363d10f4";
        assert_eq!(id_in_name(&format!("rollout-2026-06-18T00-57-05-{id}.jsonl")).as_deref(), Some(id));
        assert_eq!(id_in_name("notes-from-a-meeting-on-the-fifth-of-may.jsonl"), None);
        assert_eq!(id_in_name("a.jsonl"), None);
    }
}
