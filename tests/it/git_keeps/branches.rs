//! Lines that are missing here and stand on another branch: no hole, where they are those very lines, this branch never had
//! them, and nobody asks for them.

use std::fs;
use std::path::PathBuf;

use super::Tree;

/// A folder for clones, beside the work tree.
pub(super) struct Beside(tempfile::TempDir);

impl Beside {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Tree {
    /// Records a step in a commit of its own; returns the file that holds it.
    pub(super) fn step(&mut self) -> String {
        let before = self.files();
        self.record();
        let added: Vec<_> = self.files().into_keys().filter(|name| !before.contains_key(name)).collect();
        self.git("add -A");
        self.git("commit -qm step");
        format!(".context/history/{}", added.first().expect("a new file"))
    }

    pub(super) fn verified(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let run = self.project.annals([&["verify"], arguments].concat(), "");
        (run.code, run.stdout)
    }

    /// Has no commit of the branch know that a file was ever there.
    pub(super) fn rewrite_without(&self, file: &str) {
        self.git(&format!("rm -qf {file}"));
        let tree = self.git("write-tree").trim().to_owned();
        let commit = self.git(&format!("commit-tree -m root {tree}")).trim().to_owned();
        self.git(&format!("reset -q --hard {commit}"));
    }

    /// Clones the branch main, with all others.
    fn cloned(&self, to: &str) -> Clone<'_> {
        self.cloned_with("--no-local", to)
    }

    pub(super) fn cloned_with(&self, option: &str, to: &str) -> Clone<'_> {
        self.git(&format!("clone -q {option} file://{} {to}", self.project.path().display()));
        Clone { tree: self, context: format!("{to}/.context") }
    }
}

pub(super) struct Clone<'t> {
    tree: &'t Tree,
    context: String,
}

impl Clone<'_> {
    pub(super) fn verified(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let run = self.tree.project.annals([&["--context", &self.context, "verify"], arguments].concat(), "");
        (run.code, run.stdout)
    }
}

#[test]
fn lines_of_another_branch_are_no_hole_and_are_told() {
    let mut tree = Tree::new();
    tree.step();
    tree.git("switch -qc side");
    tree.step();
    tree.git("switch -q main");
    tree.step();
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(0) && said.contains("on another branch: lines 2 to 2"), "{said}");
}

#[test]
fn lines_that_a_commit_took_from_this_branch_are_missing_although_a_tag_holds_them() {
    let mut tree = Tree::new();
    tree.step();
    let taken = tree.step();
    tree.git("tag v1.0");
    tree.step();
    tree.git(&format!("rm -q {taken}"));
    tree.git("commit -qm taken");
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(1) && said.contains("line 2 of writer"), "{said}");
    assert!(!said.contains("on another branch"), "{said}");
    tree.git(&format!("restore --source v1.0 {taken}"));
    assert_eq!(tree.verified(&[]).0, Some(0));
}

#[test]
fn a_merge_that_takes_lines_away_takes_them_from_this_branch() {
    let mut tree = Tree::new();
    tree.step();
    tree.git("branch side");
    tree.step();
    tree.git("tag v1.0");
    tree.step();
    tree.git("switch -q side");
    tree.project.write("other.txt", "one\n");
    tree.git("add -A");
    tree.git("commit -qm other");
    tree.git("switch -q main");
    tree.git("merge -q --no-commit side");
    let taken = tree.git("ls-tree --name-only -r v1.0 .context/history");
    tree.git(&format!("rm -qf {}", taken.lines().last().expect("a file")));
    tree.git("commit -qm merged");
    let (code, said) = tree.verified(&[]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

#[test]
fn a_branch_that_only_claims_the_missing_lines_has_none_of_them() {
    let mut tree = Tree::new();
    let first = tree.step();
    let taken = tree.step();
    tree.step();
    let text = fs::read_to_string(tree.project.path().join(&first)).expect("text");
    tree.rewrite_without(&taken);
    tree.git("switch -qc claims");
    let claimed = text.replace("\"n\":1,", "\"n\":2,");
    assert_ne!(claimed, text);
    tree.project.write(&taken.replace(".2.jsonl", ".99.jsonl"), &claimed);
    tree.git("add -A");
    tree.git("commit -qm claims");
    tree.git("switch -q main");
    let beside = Beside::new();
    let clone = tree.cloned(&beside.path("fresh").display().to_string());
    let (code, said) = clone.verified(&[]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

#[test]
fn lines_that_are_signed_or_asked_for_must_be_here_whatever_another_branch_has() {
    let mut tree = Tree::new();
    tree.step();
    let taken = tree.step();
    tree.git("branch side");
    tree.step();
    let beside = Beside::new();
    tree.rewrite_without(&taken);
    let clone = tree.cloned(&beside.path("unsigned").display().to_string());
    let (code, said) = clone.verified(&[]);
    assert!(code == Some(0) && said.contains("on another branch: lines 2 to 2"), "{said}");
    let head = said.lines().find_map(|line| line.split_once("head ")).expect("a head").1.to_owned();
    let hash = head.rsplit(':').next().expect("a hash");
    for asked in [&head, hash] {
        let (code, said) = clone.verified(&["--head", asked]);
        assert!(code == Some(1) && said.contains("removed"), "{asked}: {said}");
    }
    tree.annals(&["seal"]);
    tree.git("add -A");
    tree.git("commit -qm sealed");
    let clone = tree.cloned(&beside.path("signed").display().to_string());
    let (code, said) = clone.verified(&["--require-signed"]);
    assert!(code == Some(1) && said.contains("removed"), "{said}");
}

/// What a person has set for `git log`, or git for its hooks, changes no answer.
#[test]
fn no_setting_and_no_variable_of_git_excuses_what_a_merge_took_away() {
    let mut tree = Tree::new();
    tree.step();
    tree.git("branch side");
    let taken = tree.step();
    tree.git("tag keep");
    let last = tree.step();
    tree.git("switch -q side");
    tree.git("commit -q --allow-empty -m x");
    tree.git("merge -q -s ours -m ours main");
    tree.git(&format!("checkout -q main -- {last}"));
    tree.git("commit -qm third");
    assert!(!tree.project.path().join(taken).exists());
    for how in ["separate", "combined", "first-parent", "dense-combined", "off"] {
        tree.git(&format!("config log.diffMerges {how}"));
        assert_eq!(tree.verified(&[]).0, Some(1), "{how}");
    }
    let mut verify = tree.project.command(["verify"]);
    verify.env("GIT_LITERAL_PATHSPECS", "1");
    assert_eq!(crate::program::run(verify, "").code, Some(1));
}

/// The names of branches may have folders, which stay where one goes.
#[test]
fn what_a_branch_below_a_folder_held_is_put_back_when_it_goes() {
    let mut tree = Tree::new();
    tree.step();
    tree.git("branch feature/y");
    tree.git("switch -qc feature/x");
    let there = tree.step();
    tree.git("switch -q main");
    let held = tree.project.path().join(".git/refs/heads");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    for folder in [held.clone(), held.join("feature"), tree.project.context().join("history")] {
        fs::File::open(folder).and_then(|folder| folder.set_modified(long_ago)).expect("set");
    }
    for _ in 0..2 {
        tree.annals(&["session", "list"]);
    }
    tree.git("branch -q -D feature/x");
    let before = tree.files().len();
    tree.annals(&["session", "list"]);
    assert_eq!(tree.files().len(), before + 1, "{there}");
}
