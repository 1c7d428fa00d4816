//! The auditor's own log: who is heard, and what was done to it.

use serde_json::{Value, json};

use crate::acting::{RUN, Yard, plan, understood, writes};

/// Decision 33: what was done to the auditor's log is told.
#[test]
fn the_auditor_hears_every_message_and_notices_a_line_that_was_changed() {
    let yard = Yard::new();
    yard.script(&[understood(), plan(), writes("hello\n")]);
    assert_eq!(yard.annals(RUN).code, Some(0));
    let log = yard.state.path().join("annals/audit/audit.jsonl");
    let text = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(text.lines().count(), yard.messages());
    let report: Value = serde_json::from_str(&yard.annals("audit --json").stdout).expect("JSON");
    assert_eq!((&report["reports"][0]["tasks_observed"], &report["broken"]), (&json!(1), &Value::Null));
    // A report begins the next window, also for the next program.
    let report: Value = serde_json::from_str(&yard.annals("audit --json").stdout).expect("JSON");
    assert_eq!(report["reports"][0]["tasks_observed"], 0);
    std::fs::write(&log, text.replacen("\"from\":\"solver\"", "\"from\":\"planner\"", 1)).expect("written");
    let audited = yard.annals("audit");
    assert_eq!(audited.code, Some(1), "{audited:?}");
    assert!(audited.stderr.contains("changed"), "{}", audited.stderr);
    std::fs::write(log.with_file_name("head.json"), "x").expect("written");
    let broken = yard.annals("audit");
    assert!(broken.stderr.contains("head.json is not as it was written"), "{}", broken.stderr);
}

/// The adversary of the auditor: all that it wrote is gone, before or in the middle of a task, or another log stands in its place.
#[test]
fn tasks_on_record_that_the_log_knows_nothing_of_are_named() {
    let yard = Yard::new();
    assert_eq!(yard.annals("audit").code, Some(0), "there is no task yet");
    yard.script(&[understood(), plan(), writes("hello\n")]);
    assert_eq!(yard.annals(RUN).code, Some(0));
    assert_eq!(yard.annals("audit").code, Some(0));
    let folder = yard.state.path().join("annals/audit");
    std::fs::remove_dir_all(&folder).expect("removed");
    for _ in 0..2 {
        let audited = yard.annals("audit");
        assert_eq!(audited.code, Some(1), "{audited:?}");
        assert!(audited.stderr.contains("no beginning of 1 tasks on record: "), "{audited:?}");
    }
    yard.script(&[understood()]);
    assert_eq!(yard.annals(RUN).code, Some(1), "it stops, for there is no plan");
    std::fs::remove_dir_all(&folder).expect("removed in the middle");
    assert_eq!(yard.annals("task abort").code, Some(0));
    let audited: Value = serde_json::from_str(&yard.annals("audit --json").stdout).expect("JSON");
    assert_eq!(audited["unheard"].as_array().map(Vec::len), Some(2), "{audited}");
}

/// The adversary of the auditor: its head and its last line are taken away, and a later task would make a new head.
#[test]
fn a_log_whose_head_is_gone_is_not_believed_and_no_later_line_mends_it() {
    let yard = Yard::new();
    yard.script(&[understood()]);
    assert_eq!(yard.annals(RUN).code, Some(1), "it stops, for there is no plan");
    assert_eq!(yard.annals("task abort").code, Some(0));
    let log = yard.state.path().join("annals/audit/audit.jsonl");
    let text = std::fs::read_to_string(&log).expect("a log");
    assert_eq!(text.lines().count(), yard.messages(), "what ends a task is heard, too");
    assert!(text.contains("\"abort\"") && text.contains("\"final_result\""), "{text}");
    let without = text.trim_end().rsplit_once('\n').expect("lines").0.to_owned() + "\n";
    std::fs::write(&log, without).expect("written");
    for head in [None, Some("{}")] {
        let path = log.with_file_name("head.json");
        head.map_or_else(|| std::fs::remove_file(&path), |text| std::fs::write(&path, text)).expect("tampered");
        let audited = yard.annals("audit");
        assert_eq!(audited.code, Some(1), "{audited:?}");
        assert!(audited.stderr.contains("its head, head.json, is gone"), "{}", audited.stderr);
    }
    yard.script(&[understood(), plan(), writes("hello\n")]);
    assert_eq!(yard.annals(RUN).code, Some(0));
    let later = yard.annals("audit");
    assert_eq!(later.code, Some(1), "{later:?}");
}
