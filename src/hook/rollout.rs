//! What the rollout that Codex keeps says of a call beyond its hooks: the tool's name there, the exit code, a refusal; and
//! which call has started a sub-agent (FORMATS 2).
//!
//! Looks at the last 64 KiB only; what is not there (yet), nobody knows.

use std::borrow::Cow;
use std::path::Path;

use memchr::memmem;

use crate::import::calls::CallVerdict as Read;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::import::codex::{read_output, tool_of};
use crate::import::object::Object;
use crate::log::disk::Disk;

// A rollout grows with its session, and a hook must cost the same at its end as at its beginning.
const TAIL_BYTES: u64 = 64 << 10;

/// What a rollout says of a call.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Account {
    /// The tool, as an import names it.
    pub(super) tool: Option<Box<str>>,
    /// How it ended, where that is said.
    pub(super) verdict: Option<ClaudeVerdict>,
}

/// What stands there of a call.
pub(super) fn account(disk: &dyn Disk, rollout: &Path, call: &str) -> Account {
    let Some(tail) = tail(disk, rollout) else { return Account::default() };
    let mut account = Account::default();
    let mut code = None;
    for line in lines_with(&tail, call) {
        let line = Object::of(line);
        let payload = line.object("payload");
        match said_by(&payload, call) {
            Some(RolloutRecord::Tool(tool)) => account.tool = account.tool.or(Some(tool)),
            Some(RolloutRecord::Verdict(verdict)) => account.verdict = account.verdict.or(Some(verdict)),
            Some(RolloutRecord::Code(found)) => code = code.or(Some(found)),
            None => {}
        }
    }
    account.verdict = account.verdict.or_else(|| code.map(verdict_of_code));
    account
}

/// The call that has started a sub-agent, by the agent's thread.
pub(super) fn starter(disk: &dyn Disk, rollout: &Path, child: &str) -> Option<Box<str>> {
    let tail = tail(disk, rollout)?;
    lines_with(&tail, child).find_map(|line| {
        let line = Object::of(line);
        let item = line.object("payload").object("item");
        let has_started = item.text("type").as_deref() == Some("SubAgentActivity")
            && item.text("kind").as_deref() == Some("started")
            && item.text("agent_thread_id").as_deref() == Some(child);
        item.text("id").filter(|_| has_started).map(|id| id.into_owned().into())
    })
}

/// The end of a transcript, from somewhere in a line.
pub(super) fn tail(disk: &dyn Disk, rollout: &Path) -> Option<Vec<u8>> {
    let end = disk.look(rollout).ok()??.len;
    let start = end.saturating_sub(TAIL_BYTES);
    let mut bytes = vec![0; usize::try_from(end - start).ok()?];
    let count = disk.open(rollout).ok()?.read_at(&mut bytes, start).ok()?;
    bytes.truncate(count);
    Some(bytes)
}

/// The lines in which a name stands, the last one first.
fn lines_with<'t>(tail: &'t [u8], name: &str) -> impl Iterator<Item = &'t str> {
    // The last first: what a later record says of a call holds.
    let lines = tail.split(|byte| *byte == b'\n').rev();
    lines.filter(move |line| memmem::find(line, name.as_bytes()).is_some()).filter_map(|line| str::from_utf8(line).ok())
}

/// What one record says.
enum RolloutRecord {
    Tool(Box<str>),
    /// In words, which say more than a code.
    Verdict(ClaudeVerdict),
    Code(i64),
}

fn said_by(payload: &Object<'_>, call: &str) -> Option<RolloutRecord> {
    let is_it = |object: &Object<'_>, key| object.text(key).as_deref() == Some(call);
    match &*payload.text("type").unwrap_or_default() {
        "item_completed" => {
            Some(payload.object("item")).filter(|item| is_it(item, "id")).and_then(|item| said_of(&item))
        }
        _ if !is_it(payload, "call_id") => None,
        "exec_command_end" => payload.integer("exit_code").map(RolloutRecord::Code),
        kind if kind.ends_with("_output") => said_in(payload),
        kind if kind.ends_with("_call") => Some(RolloutRecord::Tool(tool_of(payload))),
        _ => payload.integer("exit_code").map(RolloutRecord::Code),
    }
}

/// An item of a finished command, patch or call of a server.
fn said_of(item: &Object<'_>) -> Option<RolloutRecord> {
    if let Some(code) = item.integer("exit_code") {
        return Some(RolloutRecord::Code(code));
    }
    match &*item.text("status")? {
        "completed" => Some(RolloutRecord::Code(0)),
        "failed" => Some(RolloutRecord::Verdict(ClaudeVerdict::Failed(failure_of(item)))),
        "declined" => Some(RolloutRecord::Verdict(ClaudeVerdict::Rejected(None))),
        _ => None,
    }
}

/// The first line of what an item says of its failure.
fn failure_of(item: &Object<'_>) -> Box<str> {
    let error = item.object("error").text("message").or_else(|| item.text("stderr"));
    let line = error.as_deref().and_then(|text| text.lines().next()).filter(|line| !line.is_empty());
    line.unwrap_or("failed").into()
}

fn said_in(payload: &Object<'_>) -> Option<RolloutRecord> {
    let code = payload.text("output").and_then(|text: Cow<'_, str>| code_in_text(&text));
    match read_output(payload.raw("output")).verdict {
        Read::Done => code.map(RolloutRecord::Code),
        Read::Failed(_) if code.is_some() => code.map(RolloutRecord::Code),
        Read::Failed(text) => Some(RolloutRecord::Verdict(ClaudeVerdict::Failed(text.into()))),
        Read::Rejected(text) => Some(RolloutRecord::Verdict(ClaudeVerdict::Rejected(Some(text.into())))),
        Read::Denied(text) => Some(RolloutRecord::Verdict(ClaudeVerdict::Denied(text.into()))),
    }
}

fn verdict_of_code(code: i64) -> ClaudeVerdict {
    if code == 0 { ClaudeVerdict::Done } else { ClaudeVerdict::Failed(format!("exit code {code}").into()) }
}

/// `{"metadata":{"exit_code":0}}`, or a head with `Process exited with code 0` or `Exit code: 0` before `Output:`.
fn code_in_text(text: &str) -> Option<i64> {
    let object = Object::of(text);
    let wrapped = object.object("metadata").integer("exit_code").or_else(|| object.integer("exit_code"));
    let head = text.lines().take(8).take_while(|line| *line != "Output:");
    let code = |line: &str| {
        let code = line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse().ok()
    };
    wrapped.or_else(|| head.into_iter().find_map(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::disk::RealDisk;

    fn rollout(lines: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, lines).expect("written");
        (folder, path)
    }

    fn found(lines: &str) -> Account {
        let (_folder, path) = rollout(lines);
        account(&RealDisk, &path, "call_1")
    }

    fn failed(text: &str) -> Account {
        Account { tool: None, verdict: Some(ClaudeVerdict::Failed(text.into())) }
    }

    #[test]
    fn the_code_stands_in_one_of_four_places() {
        let event = r#"{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"call_1","exit_code":3}}"#;
        assert_eq!(found(event), failed("exit code 3"));
        let item = r#"{"payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1","status":"failed","exit_code":2}}}"#;
        assert_eq!(found(item), failed("exit code 2"));
        let head = r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"Chunk ID: a\nProcess exited with code 4\nOutput:\n"}}"#;
        assert_eq!(found(&format!("{head}\n{{\"payload\":{{}}}}\n")), failed("exit code 4"));
        let wrapped = r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":5}}"}}"#;
        assert_eq!(found(wrapped), failed("exit code 5"));
    }

    #[test]
    fn words_say_more_than_a_code() {
        let output =
            r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"aborted by user after 2s"}}"#;
        let item =
            r#"{"payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1","exit_code":-1}}}"#;
        for lines in [format!("{output}\n{item}\n"), format!("{item}\n{output}\n")] {
            assert_eq!(found(&lines), failed("aborted by user after 2s"));
        }
        let no = r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"exec command rejected by user"}}"#;
        assert_eq!(found(no).verdict, Some(ClaudeVerdict::Rejected(Some("exec command rejected by user".into()))));
    }

    #[test]
    fn a_patch_has_no_code_but_a_status() {
        let item = |status| {
            format!(
                r#"{{"payload":{{"type":"item_completed","item":{{"type":"FileChange","id":"call_1","status":"{status}"}}}}}}"#
            )
        };
        assert_eq!(found(&item("completed")).verdict, Some(ClaudeVerdict::Done));
        assert_eq!(found(&item("failed")), failed("failed"));
        assert_eq!(found(&item("declined")).verdict, Some(ClaudeVerdict::Rejected(None)));
    }

    #[test]
    fn the_name_of_the_tool_is_that_of_an_import() {
        let call = r#"{"payload":{"type":"function_call","call_id":"call_1","name":"dig","namespace":"mcp__garden__","arguments":"{}"}}"#;
        assert_eq!(found(call), Account { tool: Some("mcp__garden__dig".into()), verdict: None });
        let running = r#"{"payload":{"type":"function_call_output","call_id":"call_1","output":"Wall time: 1 seconds\nProcess running with session ID 5\nOutput:\n"}}"#;
        assert_eq!(found(running), Account::default(), "it goes on");
    }

    #[test]
    fn the_code_of_another_call_is_not_taken() {
        let other =
            r#"{"payload":{"type":"function_call_output","call_id":"call_11","output":"Exit code: 1\nOutput:\n"}}"#;
        assert_eq!(found(other), Account::default());
        assert_eq!(
            found("{\"payload\":{\"call_id\":\"call_1\",\"name\":\"shell\"}}\ncut off \"call_1\""),
            Account::default()
        );
    }

    #[test]
    fn only_the_end_of_a_long_rollout_is_read() {
        let call = r#"{"payload":{"type":"exec_command_end","call_id":"call_1","exit_code":3}}"#;
        let filler = format!("{{\"payload\":\"{}\"}}\n", "x".repeat(1000)).repeat(70);
        assert_eq!(found(&format!("{call}\n{filler}")), Account::default());
        assert_eq!(found(&format!("{filler}{call}\n")), failed("exit code 3"));
    }

    #[test]
    fn the_call_that_started_an_agent_is_named_beside_its_thread() {
        let item = r#"{"payload":{"type":"item_completed","item":{"type":"SubAgentActivity","id":"call_7","kind":"started","agent_thread_id":"th-2"}}}"#;
        let (_folder, path) = rollout(&format!("{item}\n{{\"payload\":{{\"thread\":\"th-2\"}}}}\n"));
        assert_eq!(starter(&RealDisk, &path, "th-2").as_deref(), Some("call_7"));
        assert_eq!(starter(&RealDisk, &path, "th-3"), None);
    }
}
