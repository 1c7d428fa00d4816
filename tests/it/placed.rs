//! Where a task acts: what it is not told there, and what stays the person's.

use serde_json::json;

use crate::acting::{RUN, Yard, plan, says, understood, writes};

/// Law 1, in a folder without git.
#[test]
fn what_the_person_did_meanwhile_is_not_dropped() {
    let yard = Yard::without_git();
    yard.script(&[understood(), plan(), writes("hello\n")]);
    assert_eq!(yard.annals(RUN).code, Some(0));
    yard.project.write("hello.txt", "hello, and mine\n");
    yard.project.write("mine.txt", "mine\n");
    let refused = yard.annals("task drop");
    assert_ne!(refused.code, Some(0), "{refused:?}");
    assert!(refused.stderr.contains("hello.txt;") && refused.stderr.contains("--copy-to"), "{}", refused.stderr);
    assert_eq!(yard.project.read("hello.txt"), "hello, and mine\n");
    let dropped = yard.annals("task drop --copy-to aside");
    assert_eq!(dropped.stdout, "dropped\n", "{dropped:?}");
    assert!(!yard.project.path().join("hello.txt").exists());
    assert_eq!(yard.project.read("aside/hello.txt"), "hello, and mine\n");
    assert_eq!(yard.project.read("mine.txt"), "mine\n");
}
