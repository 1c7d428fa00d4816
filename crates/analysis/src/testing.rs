//! Sessions for tests, step by step: the entry number n has the id `id(n)`, from 1.

use serde_json::{Value, json};

use super::step::Record;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::EntryId;
use annals_kernel::settings::{AnySetting, Settings};
use annals_kernel::time::Timestamp;
use annals_rules::domain::cognition::Mind;
use annals_rules::world::World;

/// The id of the entry number n.
pub fn id(number: usize) -> EntryId {
    EntryId::new(Timestamp::from_millis(i64::try_from(number).expect("few") * 1000), 0)
}

/// A session of these steps.
pub fn session(steps: &[Value]) -> Record {
    Record::of("s", &entries("s", 1, steps), Vec::new())
}

/// What the live mind of a session knows after the same steps.
pub fn mind(steps: &[Value]) -> Mind {
    let mut world = World::default();
    for entry in entries("s", 1, steps) {
        let line = entry.to_line();
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        world.apply(&Envelope::new(line.as_bytes(), &span));
    }
    world.rooms.cognition.mind("s").cloned().unwrap_or_default()
}

/// A session with others below it; each begins before the first step of the session.
pub(crate) fn session_above(steps: &[Value], children: Vec<Record>) -> Record {
    Record::of("s", &entries("s", 1, steps), children)
}

/// A session below another, its entries numbered from `first`.
pub fn child(name: &str, agent: &str, first: usize, steps: &[Value]) -> Record {
    let steps: Vec<_> = steps.iter().cloned().map(|step| by(agent, step)).collect();
    Record::of(name, &entries(name, first, &steps), Vec::new())
}

fn entries(session: &str, first: usize, steps: &[Value]) -> Vec<HistoryEntry> {
    steps.iter().enumerate().map(|(index, step)| entry(session, first + index, step)).collect()
}

fn entry(session: &str, number: usize, step: &Value) -> HistoryEntry {
    let id = id(number);
    let agent = step["agent"].as_str().unwrap_or("claude-code");
    let line = json!({
        "id": id, "timestamp": id.time(), "session_id": session, "operation": step["operation"],
        "provenance": { "agent_id": agent }, "metadata": {}, "extensions": step.get("extensions").unwrap_or(&json!({})),
    });
    HistoryEntry::read(&line.to_string()).expect("an entry")
}

fn step(agent: &str, kind: &str, name: &str, input: &Value) -> Value {
    json!({ "agent": agent, "operation": { "type": kind, "name": name, "input": input, "success": true } })
}

/// By another agent.
pub fn by(agent: &str, mut step: Value) -> Value {
    step["agent"] = agent.into();
    step
}

/// A person asks.
pub fn prompt(text: &str) -> Value {
    step("user", "user_input", "prompt", &json!({ "text": text }))
}

/// An agent asks another one.
pub(crate) fn task(text: &str) -> Value {
    step("claude-code", "agent_message", "task", &json!({ "text": text }))
}

/// A person gives a command to the tool.
pub fn typed(text: &str) -> Value {
    step("user", "user_input", "command", &json!({ "command": text }))
}

/// A person runs a command by hand.
pub(crate) fn ran_by_hand(command: &str) -> Value {
    step("user", "user_input", "shell", &json!({ "command": command }))
}

/// A decision of Annals in the session.
pub fn decision() -> Value {
    let mut decision = step("system", "system_event", "analysis.trigger.fire", &json!({ "command": {} }));
    decision["extensions"] = json!({ "annals": { "r": 1 } });
    decision
}

/// What Annals measured in the session.
pub fn measured() -> Value {
    step("system", "cognitive_state", "metacognition", &json!({ "flow_state": false }))
}

/// An agent says something.
pub fn said(text: &str) -> Value {
    step("claude-code", "agent_message", "message", &json!({ "text": text }))
}

/// An agent thinks something.
pub fn thought(text: &str) -> Value {
    step("claude-code", "agent_message", "thinking", &json!({ "text": text }))
}

/// A person stops the agent.
pub fn interrupt() -> Value {
    step("user", "user_input", "interrupt", &json!({}))
}

/// A person refuses a call.
pub fn rejection(tool: &str, input: &Value, reason: &str) -> Value {
    step("user", "user_input", "rejection", &json!({ "tool": tool, "input": input, "reason": reason }))
}

/// A call that ended well.
#[expect(clippy::needless_pass_by_value, reason = "a step reads better so")]
pub fn call(tool: &str, input: Value, output: &str) -> Value {
    let mut call = step("claude-code", "tool_call", tool, &input);
    call["operation"]["output"] = output.into();
    call
}

/// A call that failed.
#[expect(clippy::needless_pass_by_value, reason = "a step reads better so")]
pub fn failed(tool: &str, input: Value, error: &str) -> Value {
    let mut call = step("claude-code", "tool_call", tool, &input);
    call["operation"]["success"] = false.into();
    call["operation"]["error"] = error.into();
    call
}

/// A command of a shell that ended well.
pub fn ran(command: &str, output: &str) -> Value {
    call("Bash", json!({ "command": command }), output)
}

/// A command of a shell that failed.
pub fn broke(command: &str, error: &str) -> Value {
    failed("Bash", json!({ "command": command }), error)
}

/// An edit of a file.
pub fn edit(file: &str, old: &str, new: &str) -> Value {
    call("Edit", json!({ "file_path": file, "old_string": old, "new_string": new }), "")
}

/// An edit by a tool that does not see to it that its file was read.
pub(crate) fn patch(file: &str, old: &str, new: &str) -> Value {
    call("edit_file", json!({ "file_path": file, "old_string": old, "new_string": new }), "")
}

/// A new file.
pub fn write(file: &str, content: &str) -> Value {
    call("Write", json!({ "file_path": file, "content": content }), "")
}

/// A look into a file.
pub fn read(file: &str) -> Value {
    call("Read", json!({ "file_path": file }), "…")
}

/// Settings with one value set.
pub fn with(setting: &dyn AnySetting, value: Value) -> Settings {
    setting.check(&value).expect("a value of the setting");
    let mut settings = Settings::default();
    settings.set(setting.key(), Some(value));
    settings
}
