//! Laws of analysis: whatever a session holds, every mode answers, and cites what is there.

use std::collections::BTreeSet;

use annals::analysis::step::Record;
use annals::analysis::{AnalysisMode, analyse};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::settings::Settings;
use annals::kernel::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::program::Project;
use crate::support::transcripts;

/// Texts that rules look into, and texts that nobody would write.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 24] = [
        "All tests pass.", "```\n", "`", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "*** Begin Patch\n",
        "*** Update File: ä.rs\n", "@@\n", "+if a && b {\n", "-x\n", "12 passed; 3 failed", "don't touch ",
        "are you sure? ", "except:\n", "\u{0}", "🦀", "i̇İ", "\r\n\t", "edit 1:99999999999999999999\n",
        "git reset --hard; ", "# ", "\n\n", "// TODO ",
    ];
    let piece = prop_oneof![4 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => "\\PC{0,12}"];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => proptest::collection::vec(text(), 0..4).prop_map(Value::from),
        1 => text().prop_map(|text| json!({ "$blob": { "preview": text, "bytes": 1 } })),
    ]
}

fn operation() -> impl Strategy<Value = Value> {
    const KINDS: [(&str, &str); 14] = [
        ("user_input", "prompt"),
        ("user_input", "queued"),
        ("user_input", "rejection"),
        ("user_input", "interrupt"),
        ("system_event", "denial"),
        ("agent_message", "message"),
        ("agent_message", "thinking"),
        ("tool_call", "Bash"),
        ("tool_call", "Edit"),
        ("tool_call", "apply_patch"),
        ("tool_call", "Write"),
        ("tool_call", "Task"),
        ("cognitive_state", "x"),
        ("odd", ""),
    ];
    const KEYS: [&str; 12] = [
        "text", "command", "file_path", "old_string", "new_string", "content", "arguments", "tool", "input", "reason",
        "insert_line", "edits",
    ];
    let input = proptest::collection::btree_map(proptest::sample::select(&KEYS[..]), value(), 0..5);
    (proptest::sample::select(&KINDS[..]), input, value(), any::<bool>()).prop_map(|((kind, name), input, output, success)| {
        json!({ "type": kind, "name": name, "input": input, "output": output, "success": success })
    })
}

fn entries(operations: &[Value]) -> Vec<HistoryEntry> {
    let agents = ["user", "claude-code", "codex", "system"];
    let entry = |(number, operation): (usize, &Value)| {
        let id = EntryId::new(Timestamp::from_millis(i64::try_from(number).expect("few")), 0);
        let session = if number % 9 == 8 { "other" } else { "s" };
        let agent = agents[if operation["type"] == "user_input" { 0 } else { number % 3 + 1 }];
        let line = json!({
            "id": id, "timestamp": id.time(), "session_id": session, "operation": operation,
            "provenance": { "agent_id": agent }, "metadata": {},
        });
        HistoryEntry::read(&line.to_string()).expect("an entry")
    };
    operations.iter().enumerate().map(entry).collect()
}

/// Every id that an answer has, under whatever key.
fn cited(value: &Value, into: &mut BTreeSet<EntryId>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let ids =
                    if value.is_array() { value.as_array().cloned().unwrap_or_default() } else { vec![value.clone()] };
                if ["entry", "entries", "id"].contains(&key.as_str()) {
                    into.extend(ids.iter().filter_map(Value::as_str).map(|id| id.parse::<EntryId>().expect("an id")));
                }
                cited(value, into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| cited(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The modes of AFS 5.1.
    #[test]
    fn every_mode_answers_whatever_a_session_holds(operations in proptest::collection::vec(operation(), 0..24)) {
        let entries = entries(&operations);
        let ids: BTreeSet<_> = entries.iter().map(|entry| entry.id).collect();
        let record = Record::of("s", &entries, vec![Record::of("other", &entries[..entries.len().min(3)], Vec::new())]);
        for mode in AnalysisMode::ALL {
            let Some(found) = analyse(*mode, &record, &Settings::default()) else { continue };
            let again = analyse(*mode, &record, &Settings::default());
            prop_assert_eq!(Some(&found), again.as_ref());
            let mut all = BTreeSet::new();
            cited(&serde_json::to_value(&found).expect("JSON"), &mut all);
            all.extend(found.told().findings.iter().flat_map(|finding| finding.entries.clone()));
            prop_assert!(all.is_subset(&ids), "{} cites what is not there", mode);
        }
    }
}

fn answer(project: &Project, arguments: &[&str]) -> Value {
    let run = project.annals(arguments, "");
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Bar 4: every mode shows different results on two real sessions, and cites entries that are there.
#[test]
fn every_mode_tells_real_sessions_apart() {
    let Some(root) = transcripts() else { return };
    let project = Project::new();
    for folder in ["claude-code", "codex", "swe-agent", "openhands", "aider"] {
        let path = root.join(folder);
        let run = project.annals(["import", &path.to_string_lossy()], "");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let ids: BTreeSet<EntryId> = project.entries().iter().map(|entry| entry.id).collect();
    let list = answer(&project, &["session", "list", "--all", "--json"]);
    let mut sessions: Vec<_> = list["sessions"].as_array().expect("sessions").clone();
    sessions.sort_by_key(|session| std::cmp::Reverse(session["stats"]["operation_count"].as_u64()));
    for mode in AnalysisMode::ALL.iter().filter(|mode| **mode != AnalysisMode::None) {
        let mut seen = BTreeSet::new();
        for (number, session) in sessions.iter().enumerate() {
            if number >= 10 && seen.len() >= 2 {
                break;
            }
            let id = session["id"].as_str().expect("an id");
            let found = answer(&project, &["analyse", id, "--mode", mode.as_str(), "--json"]);
            let mut all = BTreeSet::new();
            cited(&found["analysis"], &mut all);
            assert!(all.is_subset(&ids), "{mode} of {id} cites what is not there");
            if !all.is_empty() {
                seen.insert(found["analysis"].to_string());
            }
        }
        assert!(seen.len() >= 2, "{mode} has different results with entries on {} sessions", seen.len());
    }
}
