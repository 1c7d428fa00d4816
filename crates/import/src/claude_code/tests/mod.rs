//! Found lines of a session file, when they are imported, then these entries come out: one line for each.

mod agents;
mod calls;
mod data;
mod records;
mod spoken;
mod tokens;

use super::*;
use crate::Unread;
use annals_kernel::annals::Annals;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::json::Members;

/// What an import gave.
#[derive(Debug, Default, PartialEq)]
struct Imported {
    drafts: Vec<Draft>,
    /// Types that nobody knows; their records are entries, as where they are kept.
    unread: Vec<Box<str>>,
    over: Vec<(PassedOver, u64)>,
}

impl Sink for Imported {
    fn entry(&mut self, draft: Draft) -> Result<(), ImportError> {
        self.drafts.push(draft);
        Ok(())
    }

    fn unread(&mut self, unread: Unread) -> Result<(), ImportError> {
        self.unread.push(unread.kind);
        self.entry(unread.whole)
    }

    fn passed_over(&mut self, reason: PassedOver, line: u64) {
        self.over.push((reason, line));
    }
}

fn import_bytes(bytes: &[u8]) -> Imported {
    let mut given = Imported::default();
    import(&"ses-1.jsonl".into(), &mut &*bytes, &mut given).expect("memory can be read");
    given
}

/// Imports lines, each the members of a record: an envelope is put around them, at second `n` of line `n`.
fn import_lines(lines: &[&str]) -> Imported {
    import_bytes(enveloped(lines).as_bytes())
}

fn enveloped(lines: &[&str]) -> String {
    let lines = lines.iter().enumerate().map(|(index, members)| {
        let n = index + 1;
        let envelope = format!(
            r#""uuid":"u{n}","sessionId":"ses-1","timestamp":"2026-01-02T03:04:{n:02}.000Z","cwd":"/app","version":"2.1.9","gitBranch":"main""#
        );
        if members.starts_with('{') { (*members).to_owned() } else { format!("{{{envelope},{members}}}") }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of a person.
fn typed(text: &str) -> String {
    format!(r#""type":"user","message":{{"role":"user","content":{}}}"#, serde_json::json!(text))
}

/// A line of the model, with these blocks and no counts.
fn said(blocks: &str) -> String {
    format!(r#""type":"assistant","message":{{"id":"msg_1","model":"opus","role":"assistant","content":[{blocks}]}}"#)
}

/// A line with one call.
fn called(id: &str, name: &str, input: &str) -> String {
    said(&format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#))
}

/// A line with the result of a call; `more` are further members of the line.
fn gave(id: &str, content: &str, more: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":{content}}}"#);
    format!(r#""type":"user","message":{{"role":"user","content":[{block}]}}{more}"#)
}

/// A line with a result whose flag is up.
fn failed(id: &str, text: &str) -> String {
    let text = serde_json::json!(text);
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":{text},"is_error":true}}"#);
    format!(r#""type":"user","message":{{"role":"user","content":[{block}]}},"toolUseResult":"Error: it failed""#)
}

impl Imported {
    /// A line for each entry but the `session_start` of the main session, then one for each record passed over.
    fn told(&self) -> String {
        let is_first = |draft: &&Draft| &*draft.source.record != "session_start" || draft.source.session.contains('/');
        let entries = self.drafts.iter().filter(is_first).map(told);
        let over = self.over.iter().map(|(reason, line)| format!("line {line}: {}", reason.as_str()));
        entries.chain(over).collect::<Vec<_>>().join("\n")
    }
}

/// One entry in one line: where, who, what, how it ended.
fn told(draft: &Draft) -> String {
    let operation = &draft.operation;
    let agent = draft.provenance.agent_id.as_ref().map(ToString::to_string).unwrap_or_default();
    let time = draft.at.to_string()[17..23].to_owned();
    let mut line = format!("{time} #{} {agent} {}/{} ", draft.source.record, operation.kind, operation.name);
    line += operation.input.text();
    let mut add = |part: Option<String>| line += &part.map(|part| format!(" {part}")).unwrap_or_default();
    add(operation.output.as_ref().map(|output| format!("→ {}", output.text())));
    add(operation.duration_ms.map(|millis| format!("{millis}ms")));
    add((!operation.success).then(|| format!("FAILED {:?}", operation.error)));
    add(draft.metadata.files_touched.as_ref().map(|files| format!("{files:?}")));
    add(draft.source.time.as_ref().map(|time| format!("({time})")));
    add(draft.usage.map(|usage| {
        let [requests, input] = [usage.requests, usage.input];
        format!("+{requests} request +{input} +{} +{} → +{}", usage.cache_write, usage.cache_read, usage.output)
    }));
    line
}

/// The line that a log will have of a draft, but for the chain.
fn line_of(draft: &Draft) -> String {
    let Draft { at, operation, provenance, metadata, source, usage } = draft.clone();
    let annals = Annals { source: Some(source), usage, ..Annals::default() };
    let entry = HistoryEntry {
        id: draft.id(),
        timestamp: at,
        session_id: draft.session(),
        project_id: None,
        operation,
        provenance,
        metadata,
        annals,
        extensions: Members::default(),
        unknown: Members::default(),
    };
    entry.to_line()
}

/// Checks the entries and the records passed over, one line each.
#[track_caller]
fn check(lines: &[&str], expected: &[&str]) {
    let told = import_lines(lines).told();
    assert_eq!(told, expected.join("\n"), "\ngot:\n{told}\n");
}
