//! How settings are read from `config.toml` and written to it.

use super::*;
use crate::log::disk::RealDisk;

#[test]
fn known_keys_are_read_and_others_named() {
    let file = parse("[history]\nrotation = \"weekly\"\ncolour = 1\n[unheard]\nof = true\n").expect("TOML");
    assert_eq!(file.settings.get(&ROTATION), Rotation::Weekly);
    assert_eq!(file.settings.get(&INLINE_BYTES), 32 << 10);
    assert_eq!(file.unknown, ["history.colour", "unheard.of"]);
}

#[test]
fn a_value_of_the_wrong_type_is_named() {
    let error = parse("[history]\nrotation = \"hourly\"\n").expect_err("hourly is no rotation");
    assert_eq!(
        error.to_string(),
        "config.toml: history.rotation: unknown variant `hourly`, expected one of `daily`, `weekly`, `none`"
    );
}

/// A stranger's file costs no more than the time to say what is wrong with it.
#[test]
fn a_file_that_no_person_wrote_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    let said = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        load(&RealDisk, &path).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(said(&vec![b'#'; 256 << 10]), Ok(()));
    let megabyte = "config.toml: 1048576 bytes are more than the 262144 that are read: shorten it";
    assert_eq!(said(&vec![b'#'; 1 << 20]), Err(megabyte.to_owned()));
    assert_eq!(said(b"# \xff"), Err("config.toml: not UTF-8 from byte 2 on".to_owned()));
    let twice = said(b"[views]\nauto = false\nauto = true\n").expect_err("a key twice");
    assert!(twice.contains("duplicate key"), "{twice}");
    let deep = format!("{}1", "a.".repeat(100_000)) + " = 1\n";
    said(deep.as_bytes()).expect_err("deeper than anything");
    let nested = format!("a = {}", "[".repeat(100_000));
    said(nested.as_bytes()).expect_err("deeper than anything");
    let huge = said(b"[session]\nidle_minutes = 9000000000000000000\n").expect_err("for ever");
    assert_eq!(huge, "config.toml: session.idle_minutes: 9000000000000000000 is not within 0 and 5256000");
}

#[test]
fn a_value_of_protection_that_cannot_be_is_named_and_its_default_holds() {
    let file = parse("[hook]\nlock_wait_ms = 9000000000000000000\n[views]\nauto = false\n").expect("read");
    let bad: Vec<_> = file.bad.iter().map(ToString::to_string).collect();
    assert_eq!(bad, ["hook.lock_wait_ms: 9000000000000000000 is not within 0 and 60000"]);
    assert_eq!((file.settings.get(&LOCK_WAIT_MS), file.settings.iter().count()), (500, 1));
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
