//! The lock is one file, wherever git takes its name away.

use std::fs;

use annals::log::disk::{Disk, RealDisk};

use super::Tree;

#[test]
fn who_finds_no_lock_waits_for_the_one_who_holds_it() {
    let mut tree = Tree::new();
    tree.record();
    let (kept, local) =
        (tree.project.path().join(".git/annals/main/.context/local"), tree.project.context().join("local"));
    let writer = RealDisk.lock(&kept.join("lock")).expect("free");
    tree.git("clean -qfdx");
    // As a process leaves it that stops while it puts `local/` back.
    fs::create_dir_all(&local).expect("made");
    fs::hard_link(kept.join("bookmark"), local.join("bookmark")).expect("linked");
    let before = tree.ids();
    tree.hook();
    assert_eq!(tree.ids(), before, "a hook that does not get the lock leaves its payload for the next command");
    drop(writer);
    tree.annals(&["session", "list"]);
    assert!(tree.ids().len() >= before.len() + 2, "the line that was put back, and the one that waited");
    tree.assert_whole("when the writer is done");
}
