//! What git does with packed days and large values, and with what another clone did to them, takes nothing away.

use std::collections::BTreeSet;
use std::fs;

use super::{FOREIGN, Tree, ids_of};
use crate::support::Scribe;

impl Tree {
    /// Records a step with a large value; returns the path of that.
    pub(super) fn record_large(&self) -> String {
        let step = r#"{"operation":{"type":"note","name":"n","success":true,"input":{},"output":"LONG"}}"#;
        let run = self.project.annals(["record", "--stdin"], &step.replace("LONG", &"a long text ".repeat(5000)));
        assert_eq!(run.code, Some(0), "{run:?}");
        let blobs = self.git("ls-files --others .context/history/blobs");
        blobs.lines().next().expect("a large value").to_owned()
    }
}

#[test]
fn a_large_value_that_another_branch_took_is_beside_its_line() {
    let mut tree = Tree::new();
    let blob = tree.record_large();
    tree.git("switch -q -c other");
    tree.git(&format!("add {blob}"));
    tree.git("commit -qm value");
    tree.git("switch -q main");
    assert!(!tree.project.path().join(&blob).exists());
    tree.annals(&["session", "list"]);
    tree.assert_whole("when the branch is left");
    tree.git("merge -q other");
    tree.annals(&["session", "list"]);
    tree.assert_whole("when it is merged");
    let beside = fs::read_dir(tree.project.path().join(&blob).parent().expect("a folder")).expect("a folder");
    assert_eq!(beside.count(), 2, "it and what was put back");
}

#[test]
fn a_large_value_whose_name_garbage_takes_is_put_back() {
    let mut tree = Tree::new();
    let blob = tree.record_large();
    tree.git("switch -q -c ours");
    tree.git("add -A");
    tree.git("commit -qm ours");
    tree.git("switch -q -c foreign");
    fs::remove_file(tree.project.path().join(&blob)).expect("removed");
    tree.project.write(&blob, "garbage");
    tree.git("add -A");
    tree.git("commit -qm foreign");
    tree.git("branch -q -D ours");
    tree.annals(&["session", "list"]);
    tree.assert_whole("when our branch is gone");
}

/// Everything is committed, a clone does something and commits it, and that is pulled.
fn pull_what_a_clone_did(tree: &Tree, arguments: &[&str]) {
    tree.git("add -A");
    tree.git("commit -qm ours");
    let folder = tempfile::tempdir().expect("a folder");
    let theirs = folder.path().join("theirs").display().to_string();
    tree.git(&format!("clone -q . {theirs}"));
    let context = format!("{theirs}/.context");
    tree.annals(&[&["--context", &context], arguments].concat());
    tree.git(&format!("-C {theirs} add -A"));
    tree.git(&format!("-C {theirs} commit -qm theirs"));
    tree.git(&format!("pull -q {theirs} main"));
}

#[test]
fn what_a_clone_packed_is_not_put_back() {
    let mut tree = Tree::new();
    tree.record();
    pull_what_a_clone_did(&tree, &ARCHIVE);
    tree.annals(&["session", "list"]);
    assert_eq!(tree.git("status --short"), "");
    assert!(tree.files().is_empty());
    tree.record();
    let written: String =
        tree.files().into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    assert!(!written.contains("lost") && !written.contains("left"), "nothing is missing: {written}");
    assert_eq!(tree.project.annals(["verify"], "").code, Some(0));
    let packed = || fs::read_dir(tree.project.context().join("history/archive")).into_iter().flatten().count();
    tree.git("reset -q --hard HEAD~1");
    assert_eq!(packed(), 0);
    tree.annals(&["session", "list"]);
    tree.assert_all_here("as they were before");
    tree.git("rm -rq .context/history");
    tree.git("commit -qm gone");
    tree.annals(&["session", "list"]);
    assert_eq!(packed(), 1, "no branch holds the lines now: the archive is put back");
    assert_eq!(tree.project.annals(["verify"], "").code, Some(0));
}

#[test]
fn what_a_clone_scrubbed_is_not_put_back() {
    let mut tree = Tree::new();
    tree.record_large();
    tree.record();
    pull_what_a_clone_did(&tree, &["scrub", "--value", "long text", "--reason", "a test", "--yes"]);
    tree.annals(&["session", "list"]);
    assert_eq!(tree.git("status --short"), "");
    let git_dir = tree.project.path().join(".git/annals");
    let is_there = |root: &std::path::Path| {
        walkdir::WalkDir::new(root).into_iter().flatten().any(|file| {
            let bytes = fs::read(file.path()).unwrap_or_default();
            let text = zstd::decode_all(bytes.as_slice()).unwrap_or(bytes);
            String::from_utf8_lossy(&text).contains("long text")
        })
    };
    assert!(!is_there(&tree.project.context()) && !is_there(&git_dir));
    assert_eq!(tree.project.annals(["verify", "--blobs"], "").code, Some(0));
}

#[test]
fn a_day_of_many_segments_is_packed_in_the_order_of_its_lines() {
    let mut tree = Tree::new();
    for _ in 0..11 {
        tree.record();
        tree.git("add -A");
        tree.git("commit -qm one");
    }
    tree.annals(&["archive", "--before", "9999-01-01"]);
    let verify = tree.project.annals(["verify"], "");
    assert_eq!(verify.code, Some(0), "{verify:?}");
}

impl Tree {
    /// The ids of the lines of the archive.
    fn packed_ids(&self) -> BTreeSet<String> {
        let files = fs::read_dir(self.project.context().join("history/archive")).into_iter().flatten().flatten();
        let text = |path| zstd::decode_all(fs::read(path).expect("read").as_slice()).expect("packed lines");
        files.flat_map(|file| ids_of(&String::from_utf8_lossy(&text(file.path())))).collect()
    }
}

const ARCHIVE: [&str; 3] = ["archive", "--before", "9999-01-01"];

#[test]
fn what_is_packed_to_a_file_that_git_brought_is_put_back_like_any_other() {
    let mut tree = Tree::new();
    tree.record();
    pull_what_a_clone_did(&tree, &ARCHIVE);
    tree.git("checkout -q HEAD~1 -- .context/history");
    tree.annals(&ARCHIVE);
    assert!(tree.files().is_empty());
    tree.git("reset -q --hard HEAD~2");
    tree.annals(&["session", "list"]);
    assert_eq!(tree.packed_ids(), tree.acknowledged);
}

#[test]
fn another_file_under_the_name_of_a_packed_day_takes_no_line() {
    let mut tree = Tree::new();
    tree.record();
    let text = tree.files();
    tree.annals(&ARCHIVE);
    let archive = fs::read_dir(tree.project.context().join("history/archive")).expect("a folder");
    let packed = archive.flatten().next().expect("a packed day").path();
    fs::remove_file(&packed).expect("removed");
    fs::write(&packed, zstd::encode_all(FOREIGN.as_bytes(), 1).expect("packed")).expect("written");
    for (name, bytes) in text {
        fs::write(tree.project.context().join("history").join(name), bytes).expect("written");
    }
    tree.annals(&ARCHIVE);
    assert_eq!(tree.packed_ids(), tree.acknowledged);
}

/// A few kilobytes that unpack to a hundred megabytes.
fn bomb(name: &str) -> Vec<u8> {
    let mut bomb = zstd::encode_all(name.as_bytes(), 1).expect("packed");
    bomb.extend(zstd::encode_all(vec![b' '; 100 << 20].as_slice(), 1).expect("packed"));
    bomb
}

#[test]
fn archives_of_a_branch_that_unpack_to_gigabytes_are_read_to_a_bound_and_named() {
    let tree = Tree::new();
    tree.git("switch -q -c other");
    let archive = tree.project.context().join("history/archive");
    fs::create_dir_all(&archive).expect("a folder");
    for day in 1..=3 {
        fs::write(archive.join(format!("2020-01-0{day}.jsonl.zst")), bomb(&format!("{day}\n"))).expect("written");
    }
    tree.git("add -f .context/history");
    tree.git("commit -qm bombs");
    tree.git("switch -q main");
    let mut stranger = Scribe::new("stranger");
    let lines = ["one", "two", "three"].map(|text| stranger.line("2025-11-21T10:00:00Z", text));
    tree.project.write(".context/history/2025-11-21.stranger.1.jsonl", &format!("{}\n{}\n", lines[0], lines[2]));
    let run = tree.project.annals(["verify"], "");
    assert!(run.stdout.contains("removed"), "{run:?}");
    for day in 1..=3 {
        let said = format!("history/archive/2020-01-0{day}.jsonl.zst of another branch is not read to its end");
        assert!(run.stderr.contains(&said), "{run:?}");
    }
}

#[test]
fn a_large_value_of_packed_lines_that_another_branch_took_is_beside_them() {
    let mut tree = Tree::new();
    tree.record_large();
    tree.git("switch -q -c other");
    tree.git("add -A");
    tree.git("commit -qm value");
    tree.annals(&ARCHIVE);
    tree.git("stash -q");
    tree.git("switch -q main");
    tree.annals(&["session", "list"]);
    tree.assert_whole("when the branch is left");
    tree.git("clean -qfdx");
    tree.annals(&["session", "list"]);
    tree.assert_whole("when the packed lines are put back");
    assert_eq!(tree.packed_ids().len(), 1);
}

#[test]
fn a_packed_day_whose_name_another_file_takes_is_put_back() {
    let mut tree = Tree::new();
    tree.record();
    tree.annals(&ARCHIVE);
    tree.git("switch -q -c ours");
    tree.git("add -A");
    tree.git("commit -qm ours");
    tree.git("switch -q -c foreign");
    let mut archive = fs::read_dir(tree.project.context().join("history/archive")).expect("a folder").flatten();
    let path = archive.next().expect("a packed day").path();
    fs::remove_file(&path).expect("removed");
    fs::write(&path, zstd::encode_all(FOREIGN.as_bytes(), 1).expect("packed")).expect("written");
    tree.git("add -A");
    tree.git("commit -qm foreign");
    tree.git("branch -q -D ours");
    let said = tree.project.annals(["session", "list"], "").stderr;
    assert!(said.contains("history/ has archive/") && !said.contains("large value"), "{said}");
    assert!(tree.packed_ids().is_superset(&tree.acknowledged));
}

#[test]
fn a_packed_day_that_cannot_be_unpacked_stops_nothing() {
    let mut tree = Tree::new();
    tree.record();
    tree.annals(&ARCHIVE);
    tree.git("add -A");
    tree.git("commit -qm packed");
    let archive = tree.project.context().join("history/archive");
    let packed = fs::read_dir(&archive).expect("a folder").flatten().next().expect("a packed day").path();
    let bytes = fs::read(&packed).expect("read");
    // What a large file store, a torn download and a stranger leave there.
    for damaged in [&b"version 1\nsize 12345\n"[..], &bytes[..bytes.len() / 2], b""] {
        fs::remove_file(&packed).expect("removed");
        fs::write(&packed, damaged).expect("written");
        tree.record();
        tree.annals(&["session", "list"]);
        let verify = tree.project.annals(["verify"], "");
        assert!(verify.code == Some(1) && verify.stdout.contains("cannot be found"), "{verify:?}");
        assert_eq!(verify.stdout.contains("packed badly"), !damaged.is_empty(), "{verify:?}");
    }
    tree.git("checkout -q -- .context/history/archive");
    let here: BTreeSet<_> = tree.packed_ids().union(&tree.ids()).cloned().collect();
    assert!(tree.acknowledged.is_subset(&here), "when it is as it was");
    assert_eq!(tree.project.annals(["verify"], "").code, Some(0));
}
