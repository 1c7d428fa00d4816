//! Filters that git puts between files and what it holds of them, as Git LFS does.

use std::fs;

use super::Tree;

const RULE: &str = "*.jsonl filter=shout diff=shout merge=shout -text\n*.zst filter=shout\n";

/// A work tree whose project has every file of some kinds go through a filter.
fn filtered() -> Tree {
    let tree = Tree::new();
    let config = tree.project.path().join(".git/config");
    let text = fs::read_to_string(&config).expect("a configuration");
    fs::write(&config, format!("{text}[filter \"shout\"]\n\tclean = tr a-z A-Z\n")).expect("written");
    tree.project.write(".gitattributes", RULE);
    tree
}

#[test]
fn a_filter_of_the_project_changes_nothing_that_git_takes_of_the_history() {
    let mut tree = filtered();
    let step = tree.step();
    let there = fs::read_to_string(tree.project.path().join(&step)).expect("text");
    assert_eq!(tree.git(&format!("show HEAD:{step}")), there);
    let doctor = tree.project.annals(["doctor"], "").stdout;
    assert!(doctor.contains("branches merge line by line"), "{doctor}");
}

#[test]
fn a_filter_that_holds_for_the_history_is_named() {
    let tree = filtered();
    tree.project.write(".git/info/attributes", RULE);
    let doctor = tree.project.annals(["doctor"], "").stdout;
    assert!(doctor.contains("note  git: the filter shout is set for files of the history"), "{doctor}");
}
