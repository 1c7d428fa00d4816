//! What branches, tags, remote branches and heads hold.

use std::collections::BTreeSet;

use super::*;
use crate::git::{BlobId, GitError};

fn paths(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// The contents that tips have for one path.
fn held(repository: &Repository, path: &str) -> Vec<String> {
    let held = repository.held(&paths(&[path])).expect("asked");
    let ids = held.blobs.get(path).cloned().unwrap_or_default();
    let contents = repository.contents(&ids).expect("read");
    contents.into_values().map(|bytes| String::from_utf8(bytes).expect("text")).collect()
}

#[test]
fn a_branch_a_tag_and_a_detached_head_hold_what_they_have() {
    for options in [&[][..], &["--object-format=sha256"], &["--ref-format=reftable"]] {
        let scene = Scene::with(options);
        assert_eq!(held(&scene.repository(), SEGMENT), [""; 0]);
        scene.commit();
        scene.git(&["tag", "-am", "annotated", "first"]);
        scene.git(&["switch", "-q", "-c", "other"]);
        scene.write(SEGMENT, "one\ntwo\n");
        scene.commit();
        scene.git(&["switch", "-q", "--detach"]);
        scene.git(&["branch", "-q", "-D", "other", "main"]);
        let mut both = held(&scene.repository(), SEGMENT);
        both.sort();
        assert_eq!(both, ["one\n", "one\ntwo\n"]);
        assert_eq!(held(&scene.repository(), "history/other.jsonl"), [""; 0]);
    }
}

#[test]
fn a_stash_and_the_log_of_refs_hold_nothing() {
    let scene = Scene::new();
    scene.git(&["commit", "-q", "--allow-empty", "-m", "zero"]);
    scene.commit();
    scene.write("history/stashed.jsonl", "s\n");
    scene.git(&["stash", "-u", "-q"]);
    scene.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let found = scene.repository().held(&paths(&[SEGMENT, "history/stashed.jsonl"])).expect("asked");
    assert_eq!((found.blobs.len(), found.tips), (0, 1));
}

#[test]
fn a_remote_branch_and_the_head_of_another_work_tree_hold_what_they_have() {
    let scene = Scene::new();
    scene.commit();
    scene.git(&["clone", "-q", ".", "../clone"]);
    let clone = scene.root().parent().expect("a parent").join("clone");
    git(&clone, &["worktree", "add", "-q", "--detach", "../linked"]);
    let linked = clone.join("../linked").canonicalize().expect("a path");
    write(&linked.join(".context/history/far.jsonl"), "far\n");
    git(&linked, &["add", "-A"]);
    git(&linked, &["commit", "-qm", "far"]);
    git(&clone, &["switch", "-q", "--orphan", "empty"]);
    git(&clone, &["branch", "-q", "-D", "main"]);
    let found = discover(&clone.join(".context")).expect("a repository");
    assert_eq!(
        (held(&found, SEGMENT), held(&found, "history/far.jsonl")),
        (vec!["one\n".to_owned()], vec!["far\n".to_owned()])
    );
}

#[test]
fn a_blob_in_a_folder_of_folders_is_found() {
    let scene = Scene::new();
    scene.write("history/blobs/ab/ab12.zst", "blob");
    scene.commit();
    assert_eq!(held(&scene.repository(), "history/blobs/ab/ab12.zst"), ["blob"]);
    let missing = BTreeSet::from([BlobId::parse(&"0".repeat(40)).expect("an id")]);
    assert_eq!(scene.repository().contents(&missing).expect("asked").len(), 0);
}

#[test]
fn many_tags_of_one_folder_are_looked_into_once() {
    let scene = Scene::new();
    scene.commit();
    let commit = scene.git(&["rev-parse", "HEAD"]);
    let tags: Vec<_> = (0..2000).map(|number| format!("create refs/tags/v{number} {commit}\n")).collect();
    let tags_file = scene.root().join("tags");
    fs::write(&tags_file, tags.concat()).expect("written");
    Command::new("git")
        .current_dir(scene.root())
        .args(["update-ref", "--stdin"])
        .stdin(fs::File::open(tags_file).expect("opened"))
        .status()
        .expect("git runs");
    for number in 0..20 {
        scene.git(&["commit", "-q", "--allow-empty", "-m", "more"]);
        scene.git(&["tag", &format!("more{number}")]);
    }
    let found = scene.repository().held(&paths(&[SEGMENT])).expect("asked");
    assert_eq!((found.tips, found.folders, found.blobs.len()), (21, 1, 1));
}

#[test]
fn nothing_that_the_repository_configures_runs() {
    let scene = Scene::new();
    scene.commit();
    let ran = scene.root().join("ran");
    let program = scene.root().join("program");
    write(&program, &format!("#!/bin/sh\ntouch {}\n", ran.display()));
    git(&scene.root(), &["update-index", "--chmod=+x", "--add", "program"]);
    Command::new("chmod").arg("+x").arg(&program).status().expect("runs");
    let text = program.to_str().expect("text");
    for key in ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.askPass", "pager.worktree"] {
        scene.git(&["config", key, text]);
    }
    for hook in ["reference-transaction", "post-index-change", "post-checkout"] {
        fs::create_dir_all(scene.root().join(".git/hooks")).expect("made");
        fs::copy(&program, scene.root().join(".git/hooks").join(hook)).expect("copied");
    }
    assert_eq!(held(&scene.repository(), SEGMENT), ["one\n"]);
    assert!(!ran.exists());
}

#[test]
fn a_repository_that_is_damaged_is_an_error_and_not_an_absence() {
    let scene = Scene::new();
    scene.commit();
    let repository = scene.repository();
    write(&scene.root().join(".git/config"), "[core\n");
    assert!(matches!(repository.held(&paths(&[SEGMENT])), Err(GitError::Failed { .. })));
}
