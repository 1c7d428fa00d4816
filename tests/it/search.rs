//! `annals search` where somebody has prepared the folder, and where what is found must not be shown.

use std::fs;

use annals::kernel::annals::Annals;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::json::Json;
use serde_json::Value;

use crate::program::Project;
use crate::support::imported;

fn at(project: &Project, time: &str, arguments: &[&str]) -> String {
    let mut command = project.command(arguments);
    command.env("ANNALS_NOW", time).env("ANNALS_SEED", time);
    let run = crate::program::run(command, "");
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.stdout.trim().to_owned()
}

fn call(project: &Project, time: &str, input: &str) {
    at(project, time, &["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input", input]);
}

/// The ids that a search finds.
fn found(project: &Project, time: &str, words: &[&str]) -> Vec<String> {
    let answer = at(project, time, &[&["search", "--json", "--by", "text"], words].concat());
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let hits = answer["hits"].as_array().expect("hits").iter();
    hits.map(|hit| hit["id"].as_str().expect("an id").to_owned()).collect()
}

const LATER: &str = "2026-11-22T10:00:00Z";

#[test]
fn metrics_that_cannot_be_kept_stop_no_search() {
    let project = Project::given("2026-10-31T09:00:00Z");
    call(&project, "2026-11-21T10:00:00Z", r#"{"command":"connection refused"}"#);
    let elsewhere = project.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    let metrics = project.path().join(".context/metrics");
    assert_eq!(found(&project, LATER, &["connection"]).len(), 1);
    assert!(metrics.join("search-performance.json").exists());
    fs::remove_dir_all(&metrics).expect("removed");
    // A file in its place, a link in its place, and one that says anything.
    fs::write(&metrics, "no folder").expect("written");
    assert_eq!(found(&project, LATER, &["connection"]).len(), 1);
    fs::remove_file(&metrics).expect("removed");
    std::os::unix::fs::symlink(&elsewhere, &metrics).expect("linked");
    assert_eq!(found(&project, LATER, &["connection"]).len(), 1);
    assert_eq!(fs::read_dir(&elsewhere).expect("listed").count(), 0);
    fs::remove_file(&metrics).expect("removed");
    fs::create_dir(&metrics).expect("made");
    let hostile = r#"{"queries":[{"id":"x","query":"\u001b[2J","modes_used":[],"results_count":1,"latency_ms":0,"timestamp":"2026-11-21T10:00:00.000Z","results":[{"source":"text","kind":"session","id":"\u001b[2J; rm"}]}],"aggregates":{"text":{"query_count":18446744073709551615,"avg_latency_ms":1e308,"selection_rate":-1e308,"avg_result_rank":0}}}"#;
    fs::write(metrics.join("search-performance.json"), hostile).expect("written");
    let shown = at(&project, LATER, &["search", "--open", "1"]);
    assert!(!shown.contains('\u{1b}') && shown.contains(r"\u{1b}[2J"), "{shown}");
    assert_eq!(found(&project, LATER, &["connection"]).len(), 1);
}

#[test]
fn what_a_terminal_would_obey_is_written_out() {
    let project = Project::given("2026-10-31T09:00:00Z");
    call(&project, "2026-11-21T10:00:00Z", r#"{"command":"needle \u001b[2J\u202e evil"}"#);
    for arguments in
        [&["search", "needle"][..], &["search", "needle", "--json"], &["search", "needle", "--color", "always"]]
    {
        let shown = at(&project, LATER, arguments);
        assert!(shown.contains("needle") && !shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    }
    // Each character is found as it is.
    assert_eq!(found(&project, LATER, &["\u{202e} evil"]).len(), 1);
}

#[test]
fn a_scrubbed_value_is_found_no_more_and_the_index_goes_with_it() {
    let project = Project::given("2026-10-31T09:00:00Z");
    call(&project, "2026-11-21T10:00:00Z", r#"{"command":"echo zebra-quagga-0451"}"#);
    call(&project, "2026-11-21T10:01:00Z", r#"{"command":"echo other"}"#);
    let index = project.path().join(".context/local/search");
    fs::create_dir_all(&index).expect("made");
    fs::write(index.join("0123.edges"), "zebra-quagga-0451").expect("written");
    assert_eq!(found(&project, LATER, &["quagga"]).len(), 1);
    at(&project, LATER, &["scrub", "--value", "zebra-quagga-0451", "--yes"]);
    assert_eq!(found(&project, LATER, &["quagga"]), [""; 0]);
    assert!(!index.join("0123.edges").exists());
}

/// Of two versions of one record the more redacted counts (decision 44): what it took out is not found in the other. Of
/// lines that say different things under one id none counts.
#[test]
fn what_does_not_count_is_not_found() {
    let line = |text: &str, redacted: Option<bool>| {
        let mut entry = imported("2026-11-20T10:00:00Z", "s", "record");
        entry.operation.input = Json::of(&serde_json::json!({ "text": text }));
        entry.metadata.redacted = redacted;
        entry
    };
    let project = Project::given("2026-10-31T09:00:00Z");
    let write = |name: &str, entry: &HistoryEntry| {
        project.write(&format!(".context/history/2026-11-20.{name}.1.jsonl"), &format!("{}\n", entry.to_line()));
    };
    write("aaaaaaaa", &line("the quagga is secret", None));
    assert_eq!(found(&project, LATER, &["quagga"]).len(), 1);
    write("bbbbbbbb", &line("the [REDACTED] is secret", Some(true)));
    assert_eq!(found(&project, LATER, &["quagga"]).len(), 0);
    assert_eq!(found(&project, LATER, &["is", "secret"]).len(), 1);
    let other = HistoryEntry { annals: Annals::default(), ..line("says something else", None) };
    write("cccccccc", &other);
    assert_eq!(found(&project, LATER, &["something", "else"]).len(), 0);
}

#[test]
fn a_question_without_end_is_refused_and_one_without_lock_is_answered() {
    let project = Project::given("2026-10-31T09:00:00Z");
    call(&project, "2026-11-21T10:00:00Z", r#"{"command":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}"#);
    let long = "a".repeat(100_000);
    let mut command = project.command(["search", &long]);
    command.env("ANNALS_NOW", LATER).env("ANNALS_SEED", LATER);
    let run = crate::program::run(command, "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.len() < 1000 && run.stderr.contains("100"), "{}", run.stderr);
    // What catches other engines in their own tail is linear here.
    assert_eq!(found(&project, LATER, &["--regex", "(a+)+!"]).len(), 1);
    let lock = fs::File::create(project.path().join(".context/local/lock")).expect("made");
    lock.lock().expect("locked");
    assert_eq!(found(&project, LATER, &["aaa"]).len(), 1);
}
