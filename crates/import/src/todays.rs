//! Importers on transcripts of today's agents, where `ANNALS_AGENTS` names the folder that has them in `fixtures`; without
//! it these tests pass unseen. What is expected was counted by `tests/agents/count.py`, which shares no code with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::sniff::sniff;
use super::testing::{Collected, named_folder};
use super::{Draft, Given, Kind};
use annals_kernel::id::EntryId;

const COUNTS: &str = include_str!("../../../tests/agents/counts.jsonl");

/// The folder of transcripts, and a row of counts for each of them.
fn fixtures() -> Vec<(PathBuf, Value)> {
    let Some(root) = named_folder("ANNALS_AGENTS") else { return Vec::new() };
    let rows = COUNTS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    rows.map(|row| (root.join("fixtures").join(row["file"].as_str().expect("a file")), row)).collect()
}

fn read(path: &Path) -> (Kind, Collected) {
    let bytes = fs::read(path).expect("the transcript can be read");
    let name = path.file_name().expect("a name").to_string_lossy();
    let kind = sniff(&bytes, &name).unwrap_or_else(|| panic!("{}: no kind", path.display()));
    let mut sink = Collected::default();
    kind.import(Given::at(kind, path, &name), &mut &bytes[..], &mut sink).expect("it can be imported");
    (kind, sink)
}

fn count(sink: &Collected) -> Value {
    let mut counts = BTreeMap::<&str, u64>::new();
    let mut add = |what| *counts.entry(what).or_default() += 1;
    for draft in &sink.drafts {
        let by_user = draft.provenance.agent_id.as_ref().is_some_and(|agent| agent.as_str() == "user");
        match (draft.operation.kind.as_str(), &*draft.operation.name) {
            ("tool_call", _) if draft.operation.error.as_deref() == Some("interrupted") => add("interrupted"),
            ("tool_call", _) => {
                add("calls");
                if !draft.operation.success {
                    add("failed");
                }
            }
            ("user_input", "prompt") if by_user => add("prompts"),
            ("user_input", "rejection") => add("rejected"),
            ("system_event", "denial") => add("denied"),
            ("agent_message", "message") => add("messages"),
            ("system_event", "compaction") => add("compactions"),
            ("system_event", "session_start") if draft.operation.input.value()["parent_session"].is_string() => {
                add("children");
            }
            _ => {}
        }
    }
    let usage = sink.usage();
    let mut row = json!({
        "requests": usage.requests,
        "tokens": [usage.input, usage.cache_write, usage.cache_read, usage.output],
    });
    for what in
        ["calls", "failed", "interrupted", "rejected", "denied", "prompts", "messages", "children", "compactions"]
    {
        row[what] = counts.get(what).copied().unwrap_or(0).into();
    }
    row
}

#[test]
fn what_todays_agents_did_is_counted_as_somebody_else_counts_it() {
    let mut wrong = Vec::new();
    for (path, expected) in fixtures() {
        let (_, sink) = read(&path);
        let mut found = count(&sink);
        found["file"] = expected["file"].clone();
        if found != expected {
            wrong.push(format!("{}\n  found {found}\n  expected {expected}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_type_that_todays_agents_write_is_known() {
    for (path, _) in fixtures() {
        assert_eq!(read(&path).1.kinds(), [""; 0], "{}", path.display());
    }
}

#[test]
fn every_sub_agent_names_the_call_that_began_it() {
    // A sub-agent of Claude Code whose small file was not collected says nothing of it.
    let has_beside = |path: &Path| {
        let is_agent = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
        !is_agent || path.with_extension("meta.json").exists()
    };
    for (path, _) in fixtures().into_iter().filter(|(path, _)| has_beside(path)) {
        for draft in read(&path).1.drafts.iter().filter(|draft| &*draft.operation.name == "session_start") {
            let input: Value = draft.operation.input.value();
            assert_eq!(input["parent_session"].is_string(), input["parent_call"].is_string(), "{}", path.display());
        }
    }
}

/// A transcript that is cut anywhere gives entries of the whole, byte for byte.
#[test]
fn a_shorter_snapshot_gives_entries_of_the_longer() {
    for (path, _) in fixtures() {
        let name = path.file_name().expect("a name").to_string_lossy();
        let (kind, whole) = read(&path);
        let by_id: BTreeMap<EntryId, &Draft> = whole.drafts.iter().map(|draft| (draft.id(), draft)).collect();
        assert_eq!(by_id.len(), whole.drafts.len(), "{}", path.display());
        let text = fs::read_to_string(&path).expect("the transcript can be read");
        let lines: Vec<_> = text.lines().collect();
        for end in (1..lines.len()).step_by(7) {
            let mut cut = Collected::default();
            let short = lines[..end].join("\n") + "\n";
            if kind.import(Given::at(kind, &path, &name), &mut short.as_bytes(), &mut cut).is_err() {
                assert!(cut.drafts.is_empty(), "{}: {end} lines", path.display());
                continue;
            }
            let strange = cut.drafts.iter().find(|draft| by_id.get(&draft.id()) != Some(draft));
            assert_eq!(strange, None, "{}: {end} lines", path.display());
        }
    }
}
