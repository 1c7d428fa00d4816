//! Another project folder stands where one was: what git took from the first comes back where that is now, and nowhere else.

use std::collections::BTreeSet;
use std::fs;

use super::Tree;

impl Tree {
    /// A project with a line that a commit has, and one that none has.
    fn project_with_lines(&self, folder: &str) -> BTreeSet<String> {
        self.project_in(folder);
        let committed = self.record_in(folder, &format!("{folder}: committed"));
        self.git(&format!("add {folder}"));
        self.git(&format!("commit -qm {folder}"));
        BTreeSet::from([committed, self.record_in(folder, &format!("{folder}: not committed"))])
    }

    fn swap(&self, one: &str, other: &str) {
        for (from, to) in [(one, "between"), (other, one), ("between", other)] {
            self.git(&format!("mv {from} {to}"));
        }
    }

    /// A folder has all lines of a project, and none of any other.
    #[track_caller]
    fn assert_has(&self, folder: &str, lines: &BTreeSet<String>) {
        self.annals_in(folder, &["session", "list"]);
        assert_eq!(self.ids_in(folder), *lines, "{folder}");
        self.annals_in(folder, &["verify", "--blobs"]);
    }
}

#[test]
fn what_git_takes_from_folders_that_changed_places_comes_back_to_each() {
    let tree = Tree::new();
    let [a, c] = ["a", "c"].map(|folder| tree.project_with_lines(folder));
    tree.git("mv a b");
    tree.git("mv c a");
    tree.git("commit -qm moved");
    tree.git("clean -qfdx");
    tree.assert_has("a", &c);
    tree.assert_has("b", &a);
}

#[test]
fn folders_that_changed_places_keep_what_is_theirs() {
    let tree = Tree::new();
    let [a, b] = ["a", "b"].map(|folder| tree.project_with_lines(folder));
    tree.swap("a", "b");
    tree.assert_has("a", &b);
    tree.git("clean -qfdx");
    tree.assert_has("a", &b);
    tree.assert_has("b", &a);
}

#[test]
fn a_scrub_in_a_folder_that_changed_places_leaves_nothing_in_the_other_one() {
    let tree = Tree::new();
    for folder in ["a", "b"] {
        tree.project_in(folder);
        tree.record_in(folder, &format!("Kartoffelpuffer of {folder}"));
    }
    for (from, to) in [("a", "between"), ("b", "a"), ("between", "b")] {
        let path = |name: &str| tree.project.path().join(name);
        fs::rename(path(from), path(to)).expect("moved");
    }
    tree.annals_in("b", &["scrub", "--value", "Kartoffelpuffer of a", "--yes"]);
    assert_eq!(tree.kept_with("Kartoffelpuffer of a"), Vec::<String>::new());
    assert_eq!(tree.kept_with("Kartoffelpuffer of b").len(), 1);
}

#[test]
fn a_new_project_where_one_was_gets_nothing_of_its_lines() {
    let tree = Tree::new();
    let old = tree.project_with_lines("pkg");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("clean -qfdx");
    tree.project_in("pkg");
    let new = BTreeSet::from([tree.record_in("pkg", "of the new one")]);
    tree.assert_has("pkg", &new);
    tree.assert_has("pkg2", &old);
}

#[test]
fn a_copy_that_lives_on_a_branch_keeps_its_lines_for_when_it_comes_back() {
    let tree = Tree::new();
    let a = tree.project_with_lines("a");
    tree.git("add a");
    tree.git("commit -qm a");
    tree.git("switch -q -c topic");
    tree.copy("a", "b");
    let mut b = a.clone();
    b.insert(tree.record_in("b", "committed"));
    tree.commit_all();
    b.insert(tree.record_in("b", "not committed"));
    tree.git("clean -qfdx");
    tree.git("switch -q main");
    tree.assert_has("a", &a);
    tree.git("switch -q topic");
    tree.assert_has("b", &b);
    tree.assert_has("a", &a);
}

#[test]
fn what_a_folder_left_behind_when_it_moved_can_be_forgotten() {
    let tree = Tree::new();
    tree.project_with_lines("pkg");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("clean -qfdx");
    let asked = tree.project.annals(["--context", "pkg2/.context", "forget"], "");
    assert!(asked.code == Some(2) && asked.stderr.contains("this would be gone for good: history/"), "{asked:?}");
    tree.annals_in("pkg2", &["forget", "--yes"]);
    tree.annals_in("pkg2", &["session", "list"]);
    assert_eq!(tree.ids_in("pkg2").len(), 1);
}

#[test]
fn a_scrub_names_what_a_folder_left_where_it_was() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in("pkg", "a Kartoffelpuffer");
    tree.commit_all();
    tree.git("branch moved");
    tree.record_in("pkg", "another Kartoffelpuffer");
    let beside = super::branches::Beside::new();
    let clone = beside.path("clone").display().to_string();
    tree.git(&format!("worktree add -q {clone} moved"));
    tree.git(&format!("-C {clone} mv pkg pkg2"));
    tree.git(&format!("-C {clone} commit -qm moved"));
    tree.git("merge -q moved");
    let scrub = ["scrub", "--value", "Kartoffelpuffer", "--yes"];
    let run = tree.project.annals([&["--context", "pkg2/.context"][..], &scrub].concat(), "");
    assert!(
        run.stderr.contains("another work tree or folder of this repository holds it, too (main: pkg/.context)"),
        "{run:?}"
    );
}

#[test]
fn a_history_that_stays_out_of_git_does_so_where_its_folder_moves() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.commit_all();
    tree.annals_in("pkg", &["init", "--git", "nothing"]);
    tree.record_in("pkg", "one");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("checkout -q .");
    tree.git("clean -qfdx");
    tree.record_in("pkg2", "two");
    tree.git("add -A");
    assert!(!tree.git("ls-files").contains(".jsonl"));
}

#[test]
fn what_git_leaves_of_a_folder_that_it_moves_is_named() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.commit_all();
    tree.git("branch moved");
    tree.record_in("pkg", "not committed");
    let beside = super::branches::Beside::new();
    let clone = beside.path("clone").display().to_string();
    tree.git(&format!("worktree add -q {clone} moved"));
    tree.git(&format!("-C {clone} mv pkg pkg2"));
    tree.git(&format!("-C {clone} commit -qm moved"));
    tree.git("merge -q moved");
    let doctor = tree.doctor_in("pkg2");
    assert!(doctor.contains("pkg/.context has a history and nothing else"), "{doctor}");
}

/// Git's index knows nothing of a plain `mv`: where nobody can be pointed at, what was kept at a place stays there.
#[test]
fn what_git_takes_after_a_swap_that_it_knows_nothing_of_comes_back() {
    let tree = Tree::new();
    let [a, b] = ["a", "b"].map(|folder| tree.project_with_lines(folder));
    for (from, to) in [("a", "between"), ("b", "a"), ("between", "b")] {
        let path = |name: &str| tree.project.path().join(name);
        fs::rename(path(from), path(to)).expect("moved");
    }
    tree.assert_has("a", &b);
    tree.assert_has("b", &a);
    tree.git("clean -qfdx");
    tree.assert_has("a", &b);
    tree.assert_has("b", &a);
}

#[test]
fn what_git_takes_after_a_move_that_it_took_back_comes_back() {
    let tree = Tree::new();
    tree.project_in("a");
    tree.commit_all();
    let lines = BTreeSet::from([tree.record_in("a", "one"), tree.record_in("a", "two")]);
    tree.git("mv a b");
    tree.git("reset -q --hard");
    tree.annals_in("a", &["session", "list"]);
    tree.git("clean -qfdx");
    tree.assert_has("a", &lines);
}

#[test]
fn a_copy_of_links_elsewhere_takes_nothing_along() {
    let tree = Tree::new();
    tree.project_in("a");
    tree.commit_all();
    let lines = BTreeSet::from([tree.record_in("a", "one")]);
    let beside = super::branches::Beside::new();
    let path = |name: &str| tree.project.path().join(name);
    let copied = std::process::Command::new("cp").arg("-al").arg(path("a")).arg(beside.path("copy")).status();
    assert!(copied.expect("copied").success());
    tree.git("clean -qfdx");
    tree.assert_has("a", &lines);
}

/// Without links the lock tells nothing.
#[test]
fn a_new_project_in_a_copied_repository_gets_nothing_of_the_old_one() {
    let tree = Tree::new();
    let old = tree.project_with_lines("a");
    let path = |name: &str| tree.project.path().join(name);
    tree.copy("a", "copied");
    fs::remove_dir_all(path("a")).expect("removed");
    fs::rename(path("copied"), path("old")).expect("moved");
    tree.project_in("a");
    let new = BTreeSet::from([tree.record_in("a", "of the new one")]);
    tree.assert_has("a", &new);
    tree.assert_has("old", &old);
}

#[test]
fn a_history_that_stays_out_of_git_does_so_on_a_branch_with_another_name_for_it() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.commit_all();
    tree.git("branch older");
    tree.annals_in("pkg", &["init", "--git", "nothing"]);
    tree.record_in("pkg", "one");
    tree.commit_all();
    tree.git("switch -q older");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("switch -q main");
    tree.git("clean -qfd");
    tree.git("switch -q older");
    tree.record_in("pkg2", "two");
    tree.git("add -A");
    assert!(!tree.git("ls-files").contains(".jsonl"));
}
