//! What goes into git, whatever branch is checked out: never `local/`, and nothing of a history that shall not.

use std::fs;

use super::Tree;

impl Tree {
    /// What of `.context` git has, or would take.
    fn taken(&self) -> Vec<String> {
        self.git("add -A");
        let all = self.git("ls-files .context");
        all.lines().map(str::to_owned).collect()
    }
}

#[test]
fn a_local_folder_never_goes_into_git() {
    let mut tree = Tree::new();
    tree.git("rm -rq --cached .context");
    tree.git("commit -q --amend -m without");
    tree.git("branch before");
    tree.record();
    tree.git("add -A");
    tree.git("commit -qm with");
    for taken_away in ["switch -q before", "stash -q -u", "switch -q --orphan empty", "clean -qfdx"] {
        tree.git(taken_away);
        tree.record();
        let taken = tree.taken();
        assert!(!taken.iter().any(|path| path.contains("/local/")), "{taken_away}: {taken:?}");
        tree.git("commit -qm there");
        tree.git("switch -q main");
    }
}

#[test]
fn a_history_that_shall_not_goes_into_git_on_no_branch() {
    let mut tree = Tree::new();
    tree.git("rm -rq --cached .context");
    tree.git("commit -q --amend -m without");
    tree.git("branch before");
    assert!(tree.annals(&["init", "--git", "nothing"]).contains("nothing of the history"));
    tree.annals(&["issue", "new", "A leak of words", "--body", "what nobody else shall read"]);
    tree.record();
    tree.annals(&["render"]);
    let again = tree.project.annals(["render"], "");
    assert!(!again.stderr.contains(".gitignore"), "{again:?}");
    let files = ["config.toml", ".gitattributes", ".gitignore", "README.md"].map(|name| format!(".context/{name}"));
    let allowed = |tree: &Tree| tree.taken().iter().all(|path| files.contains(path));
    assert!(allowed(&tree), "{:?}", tree.taken());
    tree.git("commit -qm with");
    for taken_away in ["switch -q before", "clean -qfdx", "rm -rqf .context"] {
        tree.git(taken_away);
        assert!(!tree.annals(&["init"]).contains("the whole history"), "{taken_away}");
        tree.record();
        assert!(allowed(&tree), "{taken_away}: {:?}", tree.taken());
    }
    tree.annals(&["init", "--git", "all"]);
    tree.record();
    assert!(!allowed(&tree), "from now on");
}

#[test]
fn a_rule_that_a_commit_brings_is_no_word_of_this_clone_and_is_named() {
    let mut tree = Tree::new();
    let folder = tree.project.path().to_owned();
    let rule = |says: &str| fs::write(folder.join(".context/history/.gitignore"), says).expect("written");
    let mark = || fs::read_dir(folder.join(".git/annals/private")).is_ok_and(|names| names.count() > 0);
    let doctor = |tree: &Tree| tree.project.annals(["doctor"], "").stdout;
    rule("*.tmp\n");
    tree.annals(&["session", "list"]);
    assert!(!mark(), "a person's own rule");
    rule("*\n");
    tree.git("add -f .context/history/.gitignore");
    tree.git("commit -qm rule");
    tree.record();
    assert!(!mark(), "it was committed");
    let said = doctor(&tree);
    assert!(said.contains("history/.gitignore came with a commit: no new line goes into git"), "{said}");
    tree.git("rm -qf .context/history/.gitignore");
    assert!(doctor(&tree).contains("branches merge line by line"));
    tree.annals(&["init", "--git", "nothing"]);
    tree.record();
    assert!(mark() && doctor(&tree).contains("nothing of the history goes into it"));
}

#[test]
fn what_was_there_before_git_is_put_back() {
    let mut tree = Tree::new();
    let blob = tree.record_large();
    tree.record();
    fs::remove_dir_all(tree.project.path().join(".git")).expect("removed");
    tree.git("init -q -b main");
    tree.annals(&["session", "list"]);
    tree.git("add -A");
    tree.git("rm -rqf .context/history");
    assert!(!tree.project.path().join(&blob).exists());
    tree.annals(&["session", "list"]);
    tree.assert_whole("when git took it");
    assert_eq!(tree.project.annals(["verify", "--blobs"], "").code, Some(0));
}

#[test]
fn a_scrub_names_the_other_work_trees_that_hold_the_value() {
    let mut tree = Tree::new();
    tree.record();
    tree.git("add -A");
    tree.git("commit -qm one");
    let folder = tempfile::tempdir().expect("a folder");
    let linked = folder.path().join("linked").display().to_string();
    tree.git(&format!("worktree add -q {linked}"));
    let context = format!("{linked}/.context");
    tree.annals(&["--context", &context, "record", "--type", "note", "--name", "n", "--output", "a Kartoffelpuffer"]);
    let scrub = |context: &str| {
        let value = ["scrub", "--value", "Kartoffelpuffer", "--yes"];
        tree.project.annals([&["--context", context][..], &value].concat(), "")
    };
    let here = scrub(&tree.project.context().display().to_string());
    assert!(here.stderr.contains("another work tree or folder of this repository holds it, too (linked)"), "{here:?}");
    assert_eq!(scrub(&context).code, Some(0));
    let here = scrub(&tree.project.context().display().to_string());
    assert!(!here.stderr.contains("another work tree"), "{here:?}");
}
