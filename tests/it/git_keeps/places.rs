//! A history that stood elsewhere in the tree, in the past or on another branch: its lines are told apart all the same.

use super::Tree;
use super::branches::Beside;

impl Tree {
    /// A project in a folder, with a commit for each of some lines.
    fn with_steps(folder: &str, count: usize) -> Self {
        let tree = Self::new();
        tree.project_in(folder);
        for number in 1..=count {
            tree.step_in(folder, &number.to_string());
        }
        tree
    }

    fn step_in(&self, folder: &str, output: &str) {
        self.record_in(folder, output);
        self.commit_all();
    }

    fn verified_in(&self, folder: &str) -> (Option<i32>, String) {
        let run = self.project.annals(["--context", &format!("{folder}/.context"), "verify"], "");
        (run.code, run.stdout)
    }

    /// The segment that a commit of a folder took, by its number.
    fn segment_in(&self, folder: &str, number: usize) -> String {
        let tracked = self.git(&format!("ls-files -z {folder}"));
        let end = format!(".{number}.jsonl");
        tracked.split('\0').find(|path| path.ends_with(&end)).expect("a segment").to_owned()
    }
}

#[test]
fn what_a_branch_holds_where_the_folder_was_is_no_hole() {
    let tree = Tree::with_steps("pkg", 1);
    tree.git("switch -q -c side");
    tree.step_in("pkg", "on the side");
    tree.git("switch -q main");
    tree.step_in("pkg", "here");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    let (code, said) = tree.verified_in("pkg2");
    assert!(code == Some(0) && said.contains("on another branch: lines 2 to 2"), "{said}");
    let beside = Beside::new();
    let clone = beside.path("clone").display().to_string();
    tree.git(&format!("clone -q . {clone}"));
    let (code, said) = tree.verified_in(&format!("{clone}/pkg2"));
    assert!(code == Some(0) && said.contains("on another branch: lines 2 to 2"), "{said}");
}

#[test]
fn what_a_branch_holds_where_the_folder_will_be_is_no_hole() {
    let tree = Tree::with_steps("pkg", 1);
    tree.git("switch -q -c moved");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.step_in("pkg2", "there");
    tree.git("switch -q main");
    tree.git("clean -qfdx pkg2");
    tree.step_in("pkg", "here");
    let (code, said) = tree.verified_in("pkg");
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_commit_that_moves_the_folder_and_takes_a_line_takes_it_from_this_branch() {
    let tree = Tree::with_steps("pkg", 3);
    tree.git("switch -q -c whole");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("switch -q main");
    tree.git("clean -qfdx pkg2");
    tree.git("mv pkg pkg2");
    let taken = tree.segment_in("pkg2", 2);
    tree.git(&format!("rm -qf {taken}"));
    tree.git("commit -qm moved");
    let (code, said) = tree.verified_in("pkg2");
    assert!(code == Some(1) && said.contains("line 2 of writer"), "{said}");
    assert!(!said.contains("on another branch"), "{said}");
}

#[test]
fn a_line_that_was_taken_from_a_folder_of_any_name_is_missed() {
    let folder = "\u{e4}\"pkg";
    let tree = Tree::with_steps(folder, 3);
    tree.git("branch keep");
    let taken = tree.segment_in(folder, 2);
    tree.git(&format!("rm -q {taken}"));
    tree.git("commit -qm taken");
    let (code, said) = tree.verified_in(folder);
    assert!(code == Some(1) && !said.contains("on another branch"), "{said}");
}

#[test]
fn nobody_can_say_what_the_past_of_a_shallow_clone_took_away() {
    let tree = Tree::with_steps("pkg", 3);
    tree.git("branch keep");
    let taken = tree.segment_in("pkg", 2);
    tree.git(&format!("rm -q {taken}"));
    tree.git("commit -qm taken");
    let beside = Beside::new();
    let clone = beside.path("clone").display().to_string();
    tree.git(&format!("clone -q --depth 1 --no-single-branch file://{} {clone}", tree.project.path().display()));
    let (_, said) = tree.verified_in(&format!("{clone}/pkg"));
    assert!(said.contains("not checked: lines 2 to 2 of writer"), "{said}");
    tree.git(&format!("-C {clone} fetch -q --unshallow"));
    let (code, said) = tree.verified_in(&format!("{clone}/pkg"));
    assert!(code == Some(1) && said.contains("line 2 of writer"), "{said}");
}
