//! How settings are read from `config.toml` and written to it.

use serde_json::Value;

use super::file::{parse, read};
use super::*;
use annals_log::disk::RealDisk;

#[test]
fn known_keys_are_read_and_others_named() {
    let file = parse("[history]\nrotation = \"weekly\"\ncolour = 1\n[unheard]\nof = true\n").expect("TOML");
    assert_eq!(file.settings.get(&ROTATION), Rotation::Weekly);
    assert_eq!(file.settings.get(&INLINE_BYTES), 32 << 10);
    assert_eq!(file.unknown, ["history.colour", "unheard.of"]);
}

fn flaws(file: &FromFile) -> Vec<(String, Fallback)> {
    file.flaws.iter().map(|flaw| (flaw.problem.to_string(), flaw.holds)).collect()
}

#[test]
fn a_value_that_cannot_be_is_named_and_its_default_holds() {
    let file =
        read("[history]\nrotation = \"hourly\"\n[hook]\nlock_wait_ms = 9000000000000000000\n[views]\nauto = true\n");
    let hourly = "config.toml: history.rotation: unknown variant `hourly`, expected one of `daily`, `weekly`, `none`";
    let wait = "config.toml: hook.lock_wait_ms: 9000000000000000000 is not within 0 and 60000";
    assert_eq!(flaws(&file), [(hourly.to_owned(), Fallback::Default), (wait.to_owned(), Fallback::Default)]);
    assert_eq!((file.settings.get(&LOCK_WAIT_MS), file.settings.iter().count()), (500, 1));
}

/// A stranger's file costs no more than the time to say what is wrong with it.
#[test]
fn a_file_that_no_person_wrote_is_named_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    let said = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        let file = load(&RealDisk, &path).expect("read");
        assert!(file.settings.iter().next().is_none());
        flaws(&file)
    };
    let defaults = |said: &str| vec![(said.to_owned(), Fallback::Defaults)];
    assert_eq!(said(&vec![b'#'; 256 << 10]), []);
    let megabyte = "config.toml: 1048576 bytes are more than the 262144 that are read: shorten it";
    assert_eq!(said(&vec![b'#'; 1 << 20]), defaults(megabyte));
    assert_eq!(said(b"# \xff"), defaults("config.toml: not UTF-8 from byte 2 on"));
    assert_eq!(said(b"[views]\nauto = false\nauto = true\n"), defaults("config.toml: line 3: duplicate key"));
    for deep in [format!("{}1", "a.".repeat(100_000)) + " = 1\n", format!("a = {}", "[".repeat(100_000))] {
        assert_eq!(said(deep.as_bytes())[0].1, Fallback::Defaults);
    }
}

#[test]
fn of_a_merge_that_is_not_resolved_this_branch_counts() {
    let [ours, base, theirs] = ["weekly", "daily", "none"].map(|word| format!("rotation = \"{word}\"\n"));
    for base in [String::new(), format!("||||||| base\n{base}")] {
        let text =
            format!("[history]\n<<<<<<< HEAD\n{ours}{base}=======\n{theirs}>>>>>>> other\n[views]\nauto = true\n");
        let file = read(&text);
        let conflict = "config.toml: a merge left conflict markers in it".to_owned();
        assert_eq!(flaws(&file), [(conflict, Fallback::Ours)]);
        assert_eq!((file.settings.get(&ROTATION), file.settings.iter().count()), (Rotation::Weekly, 2));
    }
}

#[test]
fn a_change_keeps_comments_and_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    std::fs::write(&path, "# ours\n[history] # here\nrotation = \"daily\"\n\n[hook]\n").expect("written");
    store(&RealDisk, &path, "history.rotation", Some(&Value::from("none"))).expect("stored");
    store(&RealDisk, &path, "history.inline_bytes", Some(&Value::from(7))).expect("stored");
    store(&RealDisk, &path, "access.writable", Some(&serde_json::json!(["a", "b"]))).expect("stored");
    store(&RealDisk, &path, "history.rotation", None).expect("stored");
    let text = std::fs::read_to_string(&path).expect("read");
    insta::assert_snapshot!(text, @r#"
    # ours
    [history] # here
    inline_bytes = 7

    [hook]

    [access]
    writable = ["a", "b"]
    "#);
}
