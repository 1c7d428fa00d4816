//! What happens in the golden log: every command of every room, allowed and refused, so that each constant of each
//! `decide` matters to some line of it (`tests/mutation` shows that it does).
//!
//! Each part is one writer at one time. Says what is asked, not what comes of it.

use annals::kernel::id::NO_SESSION;
use serde_json::{Value, json};

/// A step of the story.
#[derive(Clone)]
pub enum Step {
    /// Somebody asks something.
    Ask { actor: &'static str, command: &'static str, fields: Value, observed: Value },
    /// Somebody gives an opinion in a blind pass: its seal is observed.
    Submit { actor: &'static str, issue: String, opinion: Value },
    /// Something happens in a session: type, name, input.
    Record { session: &'static str, kind: &'static str, name: &'static str, input: Value },
    /// Time passes, in milliseconds.
    Wait(i64),
    /// The head is signed, and every rule about signatures says no once.
    Sign,
}

/// A session of which no entry knows.
const NOBODY: &str = "nobody-knows-it";

fn ask(actor: &'static str, command: &'static str, fields: Value) -> Step {
    Step::Ask { actor, command, fields, observed: json!({}) }
}

fn user(command: &'static str, fields: Value) -> Step {
    ask("user", command, fields)
}

fn record(session: &'static str, kind: &'static str, name: &'static str, input: Value) -> Step {
    Step::Record { session, kind, name, input }
}

/// Everything that can be asked of a session that is there. `#1` is the session that was started first.
fn moves(session: &str) -> Vec<Step> {
    vec![
        user("history.session.resume", json!({ "session": session })),
        user("history.session.complete", json!({ "session": session })),
        user("history.session.suspend", json!({ "session": session, "reason": "lunch" })),
        user("history.session.abort", json!({ "session": session, "reason": "timeout" })),
    ]
}

/// A session through its whole life, with every step that its state does not allow.
fn life(session: &str) -> Vec<Step> {
    let resume = || user("history.session.resume", json!({ "session": session }));
    let suspend = || user("history.session.suspend", json!({ "session": session }));
    let mut steps = vec![resume(), suspend(), suspend(), Step::Wait(754_321)];
    steps.push(user("history.session.complete", json!({ "session": session })));
    steps.extend([resume(), resume(), Step::Wait(2_400_000), suspend(), Step::Wait(59_999), resume()]);
    steps
}

/// The first writer: sessions.
pub fn sessions() -> Vec<Step> {
    let mut steps = vec![
        user("history.session.start", json!({})),
        user("history.session.start", json!({ "title": "Reactor", "parent_session_id": "#1", "project_id": "engine" })),
        user("history.session.start", json!({ "parent_session_id": NOBODY })),
    ];
    steps.extend(life("#1"));
    let summary = json!({ "summary": {
        "title": "Reactor", "body": "The timeline was wrong.",
        "entities": [{ "name": "src/a.rs", "type": "file", "mentions": 3 }],
    } });
    let complete = json!({ "session": "#1" });
    steps.push(Step::Ask { actor: "coder", command: "history.session.complete", fields: complete, observed: summary });
    steps.extend(moves("#1"));
    steps.push(user("history.session.suspend", json!({ "session": "#2", "reason": "lunch" })));
    steps.push(user("history.session.abort", json!({ "session": "#2", "reason": "power cut" })));
    steps.extend(moves("#2"));
    steps.push(user("history.session.start", json!({ "title": "Short" })));
    steps.push(user("history.session.abort", json!({ "session": "#3", "reason": "timeout" })));
    steps.extend(moves("#3"));
    steps.extend(moves(NOBODY));
    steps.push(user("history.session.start", json!({ "title": "Goes on" })));
    steps
}

/// The first writer: what other tools did, and what is asked of their sessions.
pub fn others() -> Vec<Step> {
    let begun = json!({ "tool": "codex", "native_id": "abc", "parent_session": "#4" });
    let mut steps = vec![
        record("tool-1", "system_event", "session_start", begun),
        record("tool-1", "user_input", "prompt", json!({ "text": "Fix the reactor\nplease" })),
        record("tool-1", "agent_message", "thinking", json!({ "text": "hm" })),
        record("tool-1", "agent_message", "message", json!({ "text": "done" })),
        record("tool-1", "tool_call", "Edit", json!({ "file_path": "src/a.rs" })),
        record("tool-1", "tool_call", "Bash", json!({ "command": "make leaked-value-of-the-golden-log" })),
        record("tool-1", "user_input", "rejection", json!({})),
        record("tool-1", "user_input", "interrupt", json!({})),
        record("tool-1", "system_event", "denial", json!({ "tool": "Bash" })),
        record("tool-1", "system_event", "compaction", json!({})),
        record("tool-1", "cognitive_state", "mood", json!({ "text": "calm" })),
        record("tool-1", "x_of_another_tool", "step", json!({ "text": "?" })),
        record("tool-1", "system_event", "session_end", json!({})),
    ];
    steps.extend(moves("tool-1"));
    steps.push(record("tool-2", "user_input", "prompt", json!({ "text": "Stop" })));
    steps.extend(moves("tool-2"));
    steps.push(record("tool-3", "user_input", "prompt", json!({ "text": "Is silent from here on" })));
    steps.extend([Step::Wait(90 * 60_000), user("history.session.suspend", json!({ "session": "tool-3" }))]);
    steps.extend(summaries());
    steps
}

/// What a model says of sessions; nothing is no summary, and of a session that nobody knows there is none.
fn summaries() -> Vec<Step> {
    let write = |session: &str, observed: Value| Step::Ask {
        actor: "user",
        command: "history.summary.write",
        fields: json!({ "session": session }),
        observed,
    };
    let said = json!({
        "summary": { "title": "The reactor", "body": "It was mended." },
        "model": {
            "entry": "01K00000000000000000000000", "purpose": "summary", "model": "qwen", "prompt": "0", "ms": 9,
            "answer": "{}",
        },
    });
    let silent = json!({ "summary": { "title": "By nobody", "body": "Whose word is this?" } });
    vec![write("tool-3", json!({})), write("tool-3", silent), write("tool-3", said.clone()), write(NOBODY, said)]
}

const PLACES: [&str; 8] = [
    "config.toml", "canon/rules.md", "memory/2026/note.md", "scratchpad/deep/er/note.md", "tools/run.sh",
    "history/2026-11-20.jsonl", "local/lock", "localities/x",
];

/// Every agent tries everything everywhere.
fn attempts() -> Vec<Step> {
    let mut steps = Vec::new();
    for actor in ["user", "coder", "critic"] {
        for path in PLACES {
            for intent in ["read", "write", "execute"] {
                steps.push(ask(actor, "access.path.attempt", json!({ "path": path, "intent": intent })));
            }
        }
    }
    steps
}

/// The first writer: who may write where, under three configurations.
pub fn access() -> Vec<Step> {
    let grant = |agent: &str, folder: &str| json!({ "agent": agent, "folder": folder });
    let mut steps = attempts();
    for folder in ["canon", "tools", "history", "local", "", "memory/2026"] {
        steps.push(user("access.grant.give", grant("critic", folder)));
    }
    steps.push(ask("critic", "access.grant.give", grant("critic", "memory")));
    steps.push(ask("critic", "access.grant.revoke", grant("critic", "canon")));
    steps.push(user("access.grant.revoke", grant("coder", "canon")));
    steps.push(user("access.grant.revoke", grant("critic", "memory")));
    steps.extend(attempts());
    let (read_only, writable) = (json!(["history", "memory", "tools"]), json!(["scratchpad", "memory", "local"]));
    let executable = json!(["scratchpad", "canon", "memory", "history"]);
    let values = json!({ "access.read_only": read_only, "access.writable": writable, "access.executable": executable });
    steps.push(user("config.value.change", json!({ "values": values })));
    steps.extend(attempts());
    steps.push(user("access.grant.revoke", grant("critic", "canon")));
    steps.push(user("access.grant.revoke", grant("critic", "canon")));
    steps.push(user("access.grant.revoke", grant("critic", "tools")));
    let tried = json!({ "path": "canon/x", "intent": "write", "tool": "Edit" });
    steps.push(ask("critic", "access.path.attempt", tried));
    let none: Vec<Step> = ["access.read_only", "access.writable", "access.executable"]
        .map(|key| no_more("config.value.change", key))
        .into();
    steps.extend(none);
    steps
}

fn no_more(command: &'static str, key: &str) -> Step {
    user(command, json!({ "values": { key: null } }))
}

/// The first writer: configuration.
pub fn configuration() -> Vec<Step> {
    let values = |values: Value| json!({ "values": values });
    vec![
        user("config.value.change", values(json!({ "session.idle_minutes": 10, "views.auto": true }))),
        user("config.value.change", values(json!({ "session.idle_minutes": 10 }))),
        user("config.value.change", values(json!({ "session.idle_minutes": 20, "views.auto": true }))),
        user("config.file.adopt", values(json!({ "hook.lock_wait_ms": 100, "session.idle_minutes": null }))),
        user("config.file.adopt", values(json!({ "hook.lock_wait_ms": 100 }))),
        user("config.file.adopt", values(json!({}))),
        no_more("config.value.change", "hook.lock_wait_ms"),
        no_more("config.value.change", "hook.lock_wait_ms"),
        no_more("config.file.adopt", "views.auto"),
        user("config.value.accept", values(json!({ "views.auto": true, "hook.lock_wait_ms": null }))),
        user("config.value.accept", values(json!({ "views.auto": true }))),
        user("config.value.accept", values(json!({}))),
        ask("coder", "config.value.accept", values(json!({ "views.auto": null }))),
        no_more("config.value.accept", "views.auto"),
    ]
}

/// The first writer: what may be taken out, and what not. The lines that these name are in no log.
pub fn erasure() -> Vec<Step> {
    const ENTRY: &str = "01KAGMC4R00000000000000000";
    let scrub = |path: &str, person: &str| json!({ "entry": ENTRY, "path": path, "confirmed_by": person });
    let line =
        |entry: &str, digit: &str| json!({ "entry": entry, "before": digit.repeat(32), "after": "f".repeat(32) });
    let lines = json!({ "lines": [line(ENTRY, "0"), line("01KAGMC4R00000000000000001", "1")] });
    let found = |path: &str, person: &str| Step::Ask {
        actor: "user",
        command: "history.entry.scrub",
        fields: scrub(path, person),
        observed: lines.clone(),
    };
    let structure =
        ["id", "timestamp", "session_id", "operation.type", "operation.success", "extensions.annals", "id.0"];
    let mut steps = vec![found("operation.input.text", ""), found("", "")];
    steps.extend(structure.into_iter().map(|path| found(path, "ann")));
    let below = ["timestamp.0", "session_id.0", "operation.type.0", "operation.success.0", "extensions.annals.source"];
    steps.extend(below.into_iter().map(|path| found(path, "ann")));
    let payload =
        ["operation.output.stdout", "idle", "timestamps", "session_ids", "operation.types", "operation.successes"];
    steps.extend(payload.into_iter().map(|path| found(path, "ann")));
    steps.push(found("extensions.annals_of_another", "user"));
    steps.push(user("history.entry.scrub", scrub("operation.input.text", "ann")));
    steps
}

/// The second writer, who starts from a copy and does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![
        user("history.session.suspend", json!({ "session": "#4" })),
        record("tool-2", "user_input", "prompt", json!({ "text": "From the other side" })),
        Step::Wait(61_000),
        user("history.session.abort", json!({ "session": "#4", "reason": "power cut" })),
        user("history.session.complete", json!({ "session": "#4" })),
        user("access.grant.give", json!({ "agent": "critic", "folder": "memory" })),
        ask("critic", "access.path.attempt", json!({ "path": "memory/x", "intent": "write" })),
    ]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        ask("critic", "access.path.attempt", json!({ "path": "memory/x", "intent": "write" })),
        Step::Wait(30_500),
        user("history.session.complete", json!({ "session": "#4" })),
        user("history.session.suspend", json!({ "session": "#4" })),
        user("config.value.change", json!({ "values": { "access.writable": ["memory"] } })),
        ask("critic", "access.path.attempt", json!({ "path": "memory/x", "intent": "write" })),
    ]
}

/// What the user decides about the log itself. The lines and the writer that these name are in no log.
fn history() -> Vec<Step> {
    const ENTRY: &str = "01KAGMC4R00000000000000000";
    let hole = |n: u64| json!({ "w": "k3f9x2ab", "n": n, "p": "1".repeat(32) });
    let told = json!({ "w": "k3f9x2ab", "n": 7, "p": "2".repeat(32), "why": "the disk" });
    let settle = |digit: &str, versions: Value| Step::Ask {
        actor: "user",
        command: "history.conflict.settle",
        fields: json!({ "id": ENTRY, "hash": digit.repeat(32) }),
        observed: json!({ "versions": versions }),
    };
    let both = || json!(["0".repeat(32), "1".repeat(32)]);
    let mend = |from: u64, to: u64, shift: i64| {
        user("history.clock.mend", json!({ "w": "k3f9x2ab", "from": from, "to": to, "shift": shift }))
    };
    let mut steps: Vec<_> = [0, 1, 7, 7].map(|n| user("history.hole.acknowledge", hole(n))).into();
    steps.extend([user("history.hole.acknowledge", told.clone()), user("history.hole.acknowledge", told)]);
    steps.push(ask("critic", "history.hole.acknowledge", hole(8)));
    steps.push(user("history.conflict.settle", json!({ "id": ENTRY, "hash": "0".repeat(32) })));
    steps.extend([settle("0", json!(["0".repeat(32)])), settle("0", both()), settle("2", both()), settle("1", both())]);
    steps.extend([mend(0, 3, -1), mend(4, 3, -1), mend(3, 9, 0), mend(3, 9, -1), mend(3, 9, -1), mend(9, 9, -1)]);
    steps.extend([mend(1, 2, 0), mend(1, 3, 0), mend(1, 3, 0), mend(9, 12, 0), mend(10, 12, 0), mend(13, 13, 0)]);
    steps
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    let mut steps = moves("#4");
    steps.extend(history());
    steps.push(ask("critic", "access.path.attempt", json!({ "path": "memory/x", "intent": "execute" })));
    steps.push(record(NO_SESSION, "system_event", "note", json!({ "text": "the end" })));
    steps.push(Step::Sign);
    steps
}
