//! Every fixture, and the entries that it makes.

use std::fmt::Write as _;

use super::{Agent, Project};
use crate::kernel::entry::HistoryEntry;

/// What an entry says that an import of the same session would say, too.
fn show(entry: &HistoryEntry) -> String {
    let operation = &entry.operation;
    let mut text = format!("{} {} {}\n", &entry.timestamp.to_string()[14..19], operation.kind, operation.name);
    let source = entry.annals.source.as_ref().expect("a source");
    let agent = entry.provenance.agent_id.as_ref().expect("an agent");
    let model = entry.provenance.model_id.as_ref().map_or(String::new(), |model| format!(" ({model})"));
    let _ = writeln!(text, "  by {agent}{model}, record {} of {}", source.record, source.session);
    let _ = writeln!(text, "  in {}", operation.input.text());
    if let Some(output) = &operation.output {
        let _ = writeln!(text, "  out {}", output.text());
    }
    if let Some(duration) = operation.duration_ms {
        let _ = writeln!(text, "  took {duration} ms");
    }
    if !operation.success || operation.error.is_some() {
        let _ = writeln!(text, "  failed: {}", operation.error.as_deref().unwrap_or("?"));
    }
    if let Some(files) = &entry.metadata.files_touched {
        let _ = writeln!(text, "  files {files:?}");
    }
    if let Some(tags) = &entry.metadata.tags {
        let _ = writeln!(text, "  tags {tags:?}");
    }
    text
}

fn becomes(agent: Agent, fixture: &str) {
    let path = format!("{}/tests/hooks/{}/{fixture}.jsonl", env!("CARGO_MANIFEST_DIR"), agent.name());
    let project = Project::new();
    for line in std::fs::read_to_string(path).expect("a fixture").lines() {
        let outcome = project.hook(agent, &serde_json::from_str(line).expect("JSON"));
        assert!(super::went_on(&outcome), "{outcome:?} to {line}");
    }
    let mut shown = project.entries().iter().map(show).collect::<String>();
    if project.open_calls() > 0 {
        let _ = writeln!(shown, "{} calls still open", project.open_calls());
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/hook"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("{} {fixture}", agent.name()), shown));
}

#[test]
fn calls_of_claude_code_are_joined_with_their_ends() {
    becomes(Agent::ClaudeCode, "success");
    becomes(Agent::ClaudeCode, "failures");
    becomes(Agent::ClaudeCode, "light");
}

#[test]
fn refusals_are_no_failures() {
    becomes(Agent::ClaudeCode, "refusals");
}

#[test]
fn a_call_that_never_ends_fails_with_its_session() {
    becomes(Agent::ClaudeCode, "never-ended");
}

#[test]
fn a_sub_agent_has_a_session_of_its_own() {
    becomes(Agent::ClaudeCode, "sub-agent");
    becomes(Agent::Codex, "sub-agent");
}

#[test]
fn what_is_said_is_kept_and_what_tools_say_to_themselves_is_not() {
    becomes(Agent::ClaudeCode, "spoken");
}

#[test]
fn sessions_of_other_agents_look_alike() {
    becomes(Agent::Codex, "session");
    becomes(Agent::Gemini, "session");
}
