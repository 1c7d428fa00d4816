//! What is known of a session beside its own file: which call of which session began it.
//!
//! Claude Code keeps it in a small file beside a sub-agent's, Codex and the Gemini CLI in the transcript of the session
//! above. Reads no more of those than that. A file that is not there, or says nothing, is no error.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::Kind;
use super::object::Object;
use super::plain::{Links, open};
use super::records::{Found, each_record};

/// A source, as whoever imports it knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given<'g> {
    /// The name of the file, without folders.
    pub file: &'g str,
    /// What began its session.
    pub parent: Parent,
}

/// What began a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parent {
    /// The session above, by the name that its tool gave it.
    pub session: Option<Box<str>>,
    /// The call in it.
    pub call: Option<Box<str>>,
    /// What kind of agent was asked for.
    pub agent_type: Option<Box<str>>,
}

impl<'g> From<&'g str> for Given<'g> {
    fn from(file: &'g str) -> Self {
        Self { file, parent: Parent::default() }
    }
}

impl<'g> Given<'g> {
    /// A file on the disk, and what stands beside it.
    pub fn at(kind: Kind, path: &Path, file: &'g str) -> Self {
        Self { file, parent: beside(kind, path).unwrap_or_default() }
    }
}

/// A small file is read to its end, and no further.
const SMALL_BYTES: u64 = 64 << 10;

fn beside(kind: Kind, path: &Path) -> Option<Parent> {
    match kind {
        Kind::ClaudeCode => claude_code(path),
        Kind::Codex => codex(path),
        Kind::GeminiCli => gemini_cli(path),
        Kind::CopilotCli | Kind::SweAgent | Kind::OpenHands | Kind::Aider => None,
    }
}

/// `agent-a1.meta.json` beside `agent-a1.jsonl`.
fn claude_code(path: &Path) -> Option<Parent> {
    path.file_stem()?.to_str().filter(|stem| stem.starts_with("agent-"))?;
    let mut text = String::new();
    open(&path.with_extension("meta.json"), Links::Followed).ok()?.take(SMALL_BYTES).read_to_string(&mut text).ok()?;
    let meta = Object::of(&text);
    let named = |key| meta.text(key).filter(|text| !text.is_empty()).map(|text| Box::from(&*text));
    Some(Parent { session: None, call: named("toolUseId"), agent_type: named("agentType") })
}

/// The first record names the thread above; that thread's rollout says which call began this one.
fn codex(path: &Path) -> Option<Parent> {
    let mut first = String::new();
    // The first record of a rollout carries the base instructions, so that it is no small one.
    BufReader::new(open(path, Links::Followed).ok()?.take(SMALL_BYTES << 4)).read_line(&mut first).ok()?;
    let meta = Object::of(&first).object("payload");
    let spawn = meta.object("source").object("subagent").object("thread_spawn");
    let (own, above) = (meta.text("id")?, spawn.text("parent_thread_id")?);
    let name = |file: &str| file.starts_with("rollout-") && file.ends_with(&format!("-{above}.jsonl"));
    let call = find_record(&near(path, &name)?, &own, |record| {
        let item = record.object("payload").object("item");
        let began = item.text("kind").is_some_and(|kind| kind == "started");
        let is_own = item.text("agent_thread_id").is_some_and(|thread| thread == own);
        item.text("id").filter(|_| began && is_own).map(|id| Box::from(&*id))
    });
    Some(Parent { session: Some((&*above).into()), call, agent_type: None })
}

/// A folder named by the session above; in that session's file the call names the agent.
fn gemini_cli(path: &Path) -> Option<Parent> {
    let folder = path.parent()?;
    let above = folder.file_name()?.to_str().filter(|name| is_uuid(name))?;
    let own = path.file_stem()?.to_str()?;
    let short = above.get(..8)?;
    let name = |file: &str| file.starts_with("session-") && file.ends_with(&format!("-{short}.jsonl"));
    let found = near(folder, &name).and_then(|file| {
        find_record(&file, own, |record| {
            let calls = record.list("toolCalls").into_iter().map(|call| Object::of(call.get()));
            let mut ours = calls.filter(|call| call.text("agentId").is_some_and(|agent| agent == own));
            let call = ours.next()?;
            let agent_type = call.object("args").text("agent_name").map(|name| Box::from(&*name));
            Some((call.text("id").map(|id| Box::from(&*id)), agent_type))
        })
    });
    let (call, agent_type) = found.unwrap_or_default();
    Some(Parent { session: Some(above.into()), call, agent_type })
}

/// The file of such a name in the same folder.
fn near(path: &Path, fits: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    let files = path.parent()?.read_dir().ok()?.filter_map(Result::ok);
    let mut found: Vec<_> = files.filter(|file| file.file_name().to_str().is_some_and(fits)).collect();
    // Names begin with the time: of a session that was resumed into a new file the last one counts.
    found.sort_by_key(std::fs::DirEntry::file_name);
    found.pop().map(|file| file.path())
}

/// The first that a record with this word in it says.
fn find_record<T>(path: &Path, word: &str, says: impl Fn(&Object<'_>) -> Option<T>) -> Option<T> {
    let mut found = None;
    let mut input = BufReader::new(open(path, Links::Followed).ok()?);
    let ended = each_record(&mut input, |record| {
        if let Found::Record { text, .. } = record
            && text.contains(word)
        {
            found = says(&Object::of(&text));
        }
        // An error ends the reading where there is nothing more to be found.
        if found.is_some() { Err(std::io::ErrorKind::Other.into()) } else { Ok::<(), std::io::Error>(()) }
    });
    found.filter(|_| ended.is_err())
}

/// Whether a name looks like the id of a session.
fn is_uuid(name: &str) -> bool {
    let fits = |(index, byte): (usize, u8)| match index {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    name.len() == 36 && name.bytes().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOVE: &str = "0199aaaa-1111-7222-8333-444455556666";
    const OWN: &str = "0199bbbb-1111-7222-8333-444455556666";

    fn written(folder: &Path, path: &str, text: &str) -> PathBuf {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
        path
    }

    fn parent(session: Option<&str>, call: Option<&str>, agent_type: Option<&str>) -> Parent {
        Parent { session: session.map(Into::into), call: call.map(Into::into), agent_type: agent_type.map(Into::into) }
    }

    #[test]
    fn claude_code_keeps_it_in_a_file_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(folder.path(), "subagents/agent-a1.jsonl", "");
        assert_eq!(Given::at(Kind::ClaudeCode, &path, "agent-a1.jsonl"), "agent-a1.jsonl".into());
        written(folder.path(), "subagents/agent-a1.meta.json", r#"{"agentType":"scout","toolUseId":"toolu_7"}"#);
        assert_eq!(
            Given::at(Kind::ClaudeCode, &path, "agent-a1.jsonl").parent,
            parent(None, Some("toolu_7"), Some("scout"))
        );
    }

    #[test]
    fn codex_keeps_it_in_the_rollout_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let spawn = format!(r#"{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{ABOVE}"}}}}}}"#);
        let own = format!(r#"{{"type":"session_meta","payload":{{"id":"{OWN}","source":{spawn}}}}}"#);
        let path = written(folder.path(), &format!("rollout-2026-11-22T07-00-01-{OWN}.jsonl"), &own);
        assert_eq!(Given::at(Kind::Codex, &path, "r").parent, Parent::default());
        let item = |kind: &str| {
            let item = format!(
                r#"{{"type":"SubAgentActivity","id":"call_{kind}","kind":"{kind}","agent_thread_id":"{OWN}"}}"#
            );
            format!(r#"{{"type":"event_msg","payload":{{"type":"item_completed","item":{item}}}}}"#)
        };
        let lines =
            format!("{}\n{}\n{}", item("completed"), item("started"), item("started").replace("call_", "other_"));
        written(folder.path(), &format!("rollout-2026-11-22T07-00-00-{ABOVE}.jsonl"), &lines);
        assert_eq!(Given::at(Kind::Codex, &path, "r").parent, parent(Some(ABOVE), Some("call_started"), None));
    }

    #[test]
    fn the_gemini_cli_keeps_it_in_the_name_of_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(folder.path(), &format!("chats/{ABOVE}/{OWN}.jsonl"), "");
        assert_eq!(Given::at(Kind::GeminiCli, &path, "x").parent, parent(Some(ABOVE), None, None));
        let call = format!(r#"{{"id":"call_3","agentId":"{OWN}","args":{{"agent_name":"scout"}}}}"#);
        let line = format!("{{\"torn\n{{\"id\":\"m1\",\"type\":\"gemini\",\"toolCalls\":[{{\"id\":\"c\"}},{call}]}}");
        written(folder.path(), "chats/session-2026-11-22T07-07-0199aaaa.jsonl", &line);
        assert_eq!(Given::at(Kind::GeminiCli, &path, "x").parent, parent(Some(ABOVE), Some("call_3"), Some("scout")));
        let main = folder.path().join("chats/session-2026-11-22T07-07-0199aaaa.jsonl");
        assert_eq!(Given::at(Kind::GeminiCli, &main, "x").parent, Parent::default());
    }
}
