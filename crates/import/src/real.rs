//! Importers on real transcripts, where `ANNALS_TRANSCRIPTS` names their folder; without it these tests pass unseen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::sniff::{HEAD_BYTES, NotImportable, weigh};
use super::testing::{Collected, Import, transcripts};
use super::{Kind, PassedOver, aider, codex, copilot_cli, gemini_cli, openhands, swe_agent};
use annals_kernel::annals::Usage;
use annals_kernel::id::EntryId;

fn importer(kind: Kind) -> Option<Import> {
    match kind {
        Kind::ClaudeCode => None,
        Kind::Codex => Some(codex::import),
        Kind::CopilotCli => Some(copilot_cli::import),
        Kind::GeminiCli => Some(gemini_cli::import),
        Kind::SweAgent => Some(swe_agent::import),
        Kind::OpenHands => Some(openhands::import),
        Kind::Aider => Some(aider::import),
    }
}

/// The rows of `INDEX.tsv`: path, kind, notes.
fn index(root: &Path) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(root.join("INDEX.tsv")).expect("the index can be read");
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| (row[0].to_owned(), row[1].to_owned(), (*row.get(6).unwrap_or(&"")).to_owned())).collect()
}

fn read(import: Import, path: &Path) -> Collected {
    let bytes = fs::read(path).expect("the transcript can be read");
    let mut sink = Collected::default();
    let name = path.to_string_lossy();
    import(&(&*name).into(), &mut &bytes[..], &mut sink).unwrap_or_else(|error| panic!("{name}: {error}"));
    sink
}

/// The kind that the index means, for what can be imported at all.
fn expected_kind(path: &str, kind: &str) -> Option<Kind> {
    match kind {
        "codex-records" => (!path.ends_with("manifest.json")).then_some(Kind::Codex),
        "mutation" if path.contains("/codex-") => Some(Kind::Codex),
        "mutation" | "claude-code-records" => Some(Kind::ClaudeCode),
        _ => kind.parse().ok(),
    }
}

#[test]
fn the_kind_of_every_transcript_is_found_by_its_content() {
    let Some(root) = transcripts() else { return };
    for (path, kind, _) in index(&root) {
        let bytes = fs::read(root.join(&path)).expect("the transcript can be read");
        let weighed = weigh(&bytes[..bytes.len().min(HEAD_BYTES)], "unnamed");
        let found = weighed.kind;
        assert_eq!(found.ok(), expected_kind(&path, &kind), "{path}");
        assert_eq!(weighed.runner_up, None, "{path}");
        if ["beads", "codex-exec-stream"].contains(&&*kind) || path.contains("who-and-when") {
            assert!(matches!(found, Err(NotImportable::Foreign(_))), "{path}");
        }
    }
}

#[test]
fn every_transcript_can_be_imported_and_its_entries_have_ids_of_their_own() {
    let Some(root) = transcripts() else { return };
    for (path, kind, _) in index(&root) {
        let Some(import) = expected_kind(&path, &kind).and_then(importer) else { continue };
        let sink = read(import, &root.join(&path));
        let mut ids: Vec<EntryId> = sink.drafts.iter().map(super::Draft::id).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "{path}");
        assert_eq!(read(import, &root.join(&path)), sink, "{path}");
    }
}

#[test]
fn codex_totals_are_those_of_another_tool() {
    let Some(root) = transcripts() else { return };
    let oracle = fs::read_to_string(root.join("ORACLE_TOKENS.tsv")).expect("the totals can be read");
    let mut rows = 0;
    for row in
        oracle.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[0].starts_with("codex/"))
    {
        let number = |index: usize| row[index].parse::<i64>().expect("a number");
        let usage = Usage { reasoning: 0, ..read(codex::import, &root.join(row[0])).usage() };
        let expected = Usage {
            input: number(2),
            cache_write: number(3),
            cache_read: number(4),
            output: number(5),
            requests: number(6),
            ..Usage::default()
        };
        assert_eq!(usage, expected, "{}", row[0]);
        rows += 1;
    }
    assert_eq!(rows, 3);
}

/// Every draft of a snapshot is in the longer ones, too, byte for byte.
fn chain(import: Import, root: &Path, paths: &[&str]) {
    let sinks: Vec<_> = paths.iter().map(|path| read(import, &root.join(path))).collect();
    for pair in sinks.windows(2) {
        let [short, long] = pair else { continue };
        let named = |sink: &Collected| -> BTreeMap<EntryId, super::Draft> {
            let without_file = |draft: &super::Draft| {
                let mut draft = draft.clone();
                draft.source.file = None;
                (draft.id(), draft)
            };
            sink.drafts.iter().map(without_file).collect()
        };
        let (short, long) = (named(short), named(long));
        assert!(short.iter().all(|(id, draft)| long.get(id) == Some(draft)));
        assert!(short.len() < long.len());
    }
}

#[test]
fn a_longer_snapshot_gives_the_shorter_one_and_more() {
    let Some(root) = transcripts() else { return };
    let codex = ["a8-54a7cb1c1f", "8d-1ecb6dc628", "a5-7b22d8d4bd"].map(|name| format!("codex/agentv/{name}-0.jsonl"));
    chain(codex::import, &root, &codex.each_ref().map(|path| &**path));
    let gemini = ["c9-45f262e88d", "9c-53780d06b7", "ab-2b9748b105"]
        .map(|name| format!("gemini-cli/entireio-cli/{name}-0.json"));
    chain(gemini_cli::import, &root, &gemini.each_ref().map(|path| &**path));
}

/// Cut anywhere between its lines, a session gives entries that the whole session gives, too.
#[test]
fn a_rollout_that_is_cut_anywhere_gives_entries_of_the_whole() {
    let Some(root) = transcripts() else { return };
    let text = fs::read_to_string(root.join("codex/agentv/a3-92ff332928-0.jsonl")).expect("the rollout can be read");
    let whole = Collected::of(codex::import, "a.jsonl", &text);
    let ends = text.match_indices('\n').map(|(end, _)| end);
    for end in ends {
        let cut = Collected::of(codex::import, "a.jsonl", &text[..end]);
        assert!(cut.drafts.iter().all(|draft| whole.drafts.contains(draft)), "cut at {end}");
    }
}

fn mutation(root: &Path, name: &str) -> Collected {
    read(codex::import, &root.join("mutations").join(format!("codex-{name}.jsonl")))
}

/// Without what depends on where a record stands.
fn content(sink: &Collected) -> BTreeMap<EntryId, super::Draft> {
    let placeless = |draft: &super::Draft| {
        let mut draft = draft.clone();
        (draft.source.line, draft.source.file) = (None, None);
        (draft.id(), draft)
    };
    sink.drafts.iter().map(placeless).collect()
}

#[test]
fn a_mutated_rollout_gives_what_is_expected_of_it() {
    let Some(root) = transcripts() else { return };
    let straight = mutation(&root, "bom-crlf");
    let same = content(&straight);
    assert_eq!(straight.passed(PassedOver::Damaged), 0);
    for (name, reason, count) in [
        ("blank-lines", PassedOver::Damaged, 0),
        ("glued", PassedOver::Damaged, 0),
        ("nul-tail", PassedOver::Damaged, 1),
        ("nondict", PassedOver::NotAnObject, 4),
        ("doubled", PassedOver::Repeated, 40),
        ("shuffled", PassedOver::Repeated, 0),
    ] {
        let sink = mutation(&root, name);
        assert_eq!((content(&sink), sink.passed(reason)), (same.clone(), count), "{name}");
    }
    for name in ["unknown-type", "deep"] {
        let sink = mutation(&root, name);
        let (unknown, known): (Vec<_>, Vec<_>) =
            content(&sink).into_values().partition(|draft| &*draft.operation.name == "unknown_record");
        assert_eq!((unknown.len(), known.len()), (1, same.len()), "{name}");
    }
    for (name, line) in [("torn-middle", 21), ("truncated-tail", 40)] {
        let sink = mutation(&root, name);
        assert_eq!(sink.passed.iter().filter(|passed| **passed == (PassedOver::Damaged, line)).count(), 1, "{name}");
        let lost = same.iter().filter(|(id, _)| !content(&sink).contains_key(id)).count();
        assert!(lost <= 1, "{name} lost {lost}");
    }
    let sink = mutation(&root, "invalid-utf8");
    assert_eq!((sink.drafts.len(), sink.passed(PassedOver::Damaged)), (same.len(), 0));
}

#[test]
fn copilot_totals_are_those_of_its_own_metrics() {
    let Some(root) = transcripts() else { return };
    let mut checked = 0;
    for (path, _, _) in index(&root).into_iter().filter(|(_, kind, _)| kind == "copilot-cli") {
        let text = fs::read_to_string(root.join(&path)).expect("the session can be read");
        let Some(end) = text.lines().find(|line| line.contains("\"session.shutdown\"")) else { continue };
        let end: serde_json::Value = serde_json::from_str(end).expect("JSON");
        let mut expected = Usage::default();
        for metrics in end["data"]["modelMetrics"].as_object().into_iter().flat_map(|models| models.values()) {
            let count = |key: &str| metrics["usage"][key].as_i64().unwrap_or(0);
            expected.requests += metrics["requests"]["count"].as_i64().unwrap_or(0);
            expected.input += count("inputTokens") - count("cacheReadTokens") - count("cacheWriteTokens");
            expected.cache_read += count("cacheReadTokens");
            expected.cache_write += count("cacheWriteTokens");
            expected.output += count("outputTokens");
            expected.reasoning += count("reasoningTokens");
        }
        assert_eq!(read(copilot_cli::import, &root.join(&path)).usage(), expected, "{path}");
        checked += 1;
    }
    assert_eq!(checked, 7);
}

#[test]
fn the_tokens_of_an_evaluation_are_those_of_its_metrics() {
    let Some(root) = transcripts() else { return };
    let path = root.join("openhands/openhands/examples-output.jsonl");
    let text = fs::read_to_string(&path).expect("the evaluation can be read");
    let total = |key: &str| -> i64 {
        let tasks = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        tasks.filter_map(|task| task["metrics"]["accumulated_token_usage"][key].as_i64()).sum()
    };
    let sink = read(openhands::import, &path);
    assert_eq!((sink.usage().input, sink.usage().output), (total("prompt_tokens"), total("completion_tokens")));
    assert_eq!((sink.named("session_start"), sink.named("session_end"), sink.named("prompt")), (3, 3, 3));
}

#[test]
fn every_session_of_an_aider_history_is_one() {
    let Some(root) = transcripts() else { return };
    let path: PathBuf = root.join("aider/aider/chat-history.part1.md");
    let text = fs::read_to_string(&path).expect("the history can be read");
    let count = |wanted: &str| text.lines().filter(|line| line.starts_with(wanted) && line.ends_with("  ")).count();
    let sink = read(aider::import, &path);
    let edited = sink.drafts.iter().filter(|draft| &*draft.operation.name == "edit" && draft.operation.success).count();
    assert_eq!(edited, count("> Applied edit to "));
    assert_eq!(sink.named("interrupt"), count("> ^C KeyboardInterrupt") + count("> ^C again to exit"));
    assert_eq!(sink.named("usage"), count("> Tokens: "));
    let headers = text.lines().filter(|line| line.starts_with("# aider chat started at ")).count();
    assert_eq!((headers, sink.named("session_start")), (793, 794));
}
