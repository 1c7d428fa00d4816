//! Clones that have not everything: without the contents of other branches, or with files that a sparse checkout leaves out.

use std::fs;

use super::Tree;
use super::branches::Beside;

const NOT_FETCHED: &str = "this clone has not fetched what may hold them";

impl Tree {
    /// Line 2 is on another branch alone: in which file, and with which head.
    fn forked() -> (Self, String, String) {
        let mut tree = Self::new();
        tree.git("config uploadpack.allowFilter true");
        tree.step();
        tree.git("switch -qc side");
        let there = tree.step();
        let (_, said) = tree.verified(&[]);
        let head = said.lines().find_map(|line| line.split_once(": 2 lines, head ")).expect("a head").1.to_owned();
        tree.git("switch -q main");
        tree.step();
        (tree, there, head)
    }

    fn doctor(&self) -> String {
        self.project.annals(["doctor"], "").stdout
    }
}

#[test]
fn what_a_partial_clone_has_not_fetched_is_told_and_no_finding() {
    let (tree, _, head) = Tree::forked();
    let beside = Beside::new();
    for filter in ["blob:none", "tree:0"] {
        let to = beside.path(&filter.replace(':', "-")).display().to_string();
        let clone = tree.cloned_with(&format!("--filter={filter}"), &to);
        let (code, said) = clone.verified(&[]);
        assert!(code == Some(0) && said.contains(NOT_FETCHED), "{filter}: {said}");
        assert!(said.contains("not checked: lines 2 to 2 of writer"), "{filter}: {said}");
        assert_eq!(clone.verified(&["--head", &head]).0, Some(1), "{filter}: it was asked for");
        tree.git(&format!("-C {to} fetch -q --refetch --no-filter"));
        let (code, said) = clone.verified(&[]);
        assert!(code == Some(0) && said.contains("on another branch: lines 2 to 2"), "{filter}: {said}");
    }
}

#[test]
fn a_content_that_is_missing_excuses_nothing_in_a_clone_that_is_whole() {
    let (tree, there, _) = Tree::forked();
    assert_eq!(tree.verified(&[]).0, Some(0));
    let id = tree.git(&format!("rev-parse side:{there}"));
    let (start, rest) = id.trim().split_at(2);
    fs::remove_file(tree.project.path().join(format!(".git/objects/{start}/{rest}"))).expect("removed");
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(1) && said.contains("cut off") && !said.contains(NOT_FETCHED), "{said}");
}

#[test]
fn what_a_commit_took_from_this_branch_is_missing_in_a_partial_clone_too() {
    let mut tree = Tree::new();
    tree.git("config uploadpack.allowFilter true");
    tree.step();
    let taken = tree.step();
    tree.git("branch side");
    tree.step();
    tree.git(&format!("rm -q {taken}"));
    tree.git("commit -qm taken");
    let beside = Beside::new();
    let clone = tree.cloned_with("--filter=blob:none", &beside.path("taken").display().to_string());
    let (code, said) = clone.verified(&[]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

#[test]
fn lines_of_no_branch_are_missing_in_a_partial_clone_too() {
    let mut tree = Tree::new();
    tree.git("config uploadpack.allowFilter true");
    tree.step();
    let taken = tree.step();
    tree.git("branch side HEAD~1");
    tree.step();
    tree.rewrite_without(&taken);
    let beside = Beside::new();
    let clone = tree.cloned_with("--filter=blob:none", &beside.path("none").display().to_string());
    let (code, said) = clone.verified(&[]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

#[test]
fn files_that_a_sparse_checkout_leaves_out_are_told_and_no_finding() {
    let mut tree = Tree::new();
    let left_out = tree.step();
    tree.step();
    tree.git(&format!("sparse-checkout set --no-cone /* !/{left_out}"));
    assert!(!tree.project.path().join(&left_out).exists());
    tree.record();
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(0) && said.contains("left out by a sparse checkout: lines 1 to 1 of writer"), "{said}");
    assert!(said.contains("not checked: 1 file that a sparse checkout leaves out"), "{said}");
    assert!(!tree.doctor().contains("BAD"), "{}", tree.doctor());
    tree.git("sparse-checkout disable");
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(0) && !said.contains("sparse"), "{said}");
}

#[test]
fn what_is_gone_from_the_work_tree_alone_is_missing_beside_a_sparse_checkout() {
    let mut tree = Tree::new();
    let left_out = tree.step();
    let gone = tree.step();
    tree.step();
    tree.git(&format!("sparse-checkout set --no-cone /* !/{left_out}"));
    tree.git("branch side");
    fs::remove_file(tree.project.path().join(gone)).expect("removed");
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

#[test]
fn a_folder_that_a_sparse_index_leaves_out_whole_is_no_damage() {
    let mut tree = Tree::new();
    tree.project.write("src/code.txt", "one\n");
    tree.step();
    tree.step();
    tree.git("sparse-checkout set --cone --sparse-index src");
    tree.annals(&["init"]);
    tree.record();
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(0) && said.contains("files that a sparse checkout leaves out"), "{said}");
    let doctor = tree.doctor();
    assert!(!doctor.contains("BAD") && !doctor.contains("git tracks files of local/"), "{doctor}");
}

#[test]
fn large_values_that_a_sparse_checkout_leaves_out_are_counted_and_no_damage() {
    let tree = Tree::new();
    tree.record_in(".", &"large ".repeat(20_000));
    tree.git("add -A");
    tree.git("commit -qm large");
    tree.git("sparse-checkout set --no-cone /* !/.context/history/blobs/");
    assert!(!tree.project.context().join("history/blobs").exists());
    let (code, said) = tree.verified(&["--blobs"]);
    assert!(code == Some(0) && said.contains("not checked: 1 file that a sparse checkout leaves out"), "{said}");
    tree.git("sparse-checkout disable");
    fs::remove_dir_all(tree.project.context().join("history/blobs")).expect("removed");
    assert_eq!(tree.verified(&["--blobs"]).0, Some(1), "it is gone from a work tree that has all");
}

#[test]
fn nothing_that_a_sparse_checkout_leaves_out_is_made_anew() {
    let tree = Tree::new();
    tree.project.write("src/code.txt", "one\n");
    tree.annals(&["config", "set", "history.retention_days", "30"]);
    tree.record_in(".", "one");
    tree.commit_all();
    tree.record_in(".", "two");
    tree.git("sparse-checkout set --cone src");
    assert!(!tree.project.context().join("config.toml").exists());
    let doctor = tree.doctor();
    assert!(!doctor.contains("BAD") && doctor.contains("every setting has its default"), "{doctor}");
    tree.annals(&["init"]);
    assert!(!tree.project.context().join("config.toml").exists());
    tree.git("sparse-checkout disable");
    assert!(tree.git("status --short --untracked-files=no").is_empty());
}

#[test]
fn of_a_folder_that_a_sparse_checkout_leaves_out_whole_it_is_said_how_it_comes_back() {
    let tree = Tree::new();
    tree.project.write("src/code.txt", "one\n");
    tree.commit_all();
    tree.git("sparse-checkout set --cone --sparse-index src");
    assert!(!tree.project.context().exists());
    let run = tree.project.annals(["session", "list"], "");
    assert!(run.code == Some(3) && run.stderr.contains("git sparse-checkout add"), "{run:?}");
}
