//! The hook before a commit, with the real git: it signs and adds this clone's own files, and never stands in the way.

use std::path::Path;
use std::process::{Command, Output};

use crate::program::Project;

/// A repository with a `.context` and our hook.
fn repository() -> Project {
    let project = Project::new();
    git(&project, &["init", "-q", "-b", "main", "."]);
    git(&project, &["config", "user.email", "ann@example.org"]);
    git(&project, &["config", "user.name", "Ann"]);
    setup(&project, &[]);
    exec(&project, "one");
    project
}

fn setup(project: &Project, more: &[&str]) {
    let program = env!("CARGO_BIN_EXE_annals");
    let run = project.annals([&["setup", "git", "--program", program], more].concat(), "");
    assert_eq!(run.code, Some(0), "{run:?}");
}

fn exec(project: &Project, word: &str) {
    assert_eq!(project.annals(["exec", "--", "echo", word], "").code, Some(0));
}

fn run(project: &Project, folder: &Path, arguments: &[&str]) -> Output {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(folder).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    git.env("HOME", project.path().join("home"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.output().expect("git")
}

fn git(project: &Project, arguments: &[&str]) -> String {
    git_in(project, project.path(), arguments)
}

fn git_in(project: &Project, folder: &Path, arguments: &[&str]) -> String {
    let output = run(project, folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The lines of the history that a commit holds.
fn committed(project: &Project, commit: &str) -> usize {
    let names = git(project, &["ls-tree", "-r", "--name-only", commit, ".context/history"]);
    let lines = |name: &str| git(project, &["show", &format!("{commit}:{name}")]).lines().count();
    names.lines().filter(|name| name.rsplit('.').next() == Some("jsonl")).map(lines).sum()
}

fn signatures(project: &Project) -> usize {
    project.entries().iter().filter(|entry| &*entry.operation.name == "history.head.sign").count()
}

fn status(project: &Project) -> String {
    git(project, &["status", "--porcelain", "--", ".context/history"])
}

#[test]
fn a_commit_holds_the_signed_history_up_to_it() {
    let project = repository();
    project.write("a", "a");
    git(&project, &["add", "a"]);
    git(&project, &["commit", "-q", "-m", "one"]);
    assert_eq!((signatures(&project), committed(&project, "HEAD"), status(&project)), (1, 2, String::new()));
    // Nothing was written since: nothing is signed, and the commit is as it would be.
    project.write("a", "b");
    git(&project, &["commit", "-q", "-a", "-m", "two"]);
    assert_eq!((signatures(&project), committed(&project, "HEAD")), (1, 2));
    exec(&project, "two");
    project.write("a", "c");
    git(&project, &["commit", "-q", "-a", "-m", "three"]);
    assert_eq!((signatures(&project), committed(&project, "HEAD"), status(&project)), (2, 4, String::new()));
    assert_eq!(project.annals(["verify", "--require-signed", "--most-unsigned", "1"], "").code, Some(0));
}

#[test]
fn a_commit_of_single_paths_takes_nothing_else_and_leaves_the_index_whole() {
    let project = repository();
    project.write("a", "a");
    project.write("b", "b");
    git(&project, &["add", "a", "b"]);
    git(&project, &["commit", "-q", "-m", "both"]);
    exec(&project, "two");
    project.write("a", "a2");
    project.write("b", "b2");
    git(&project, &["add", "b"]);
    git(&project, &["commit", "-q", "-m", "a alone", "--", "a"]);
    assert_eq!(git(&project, &["show", "--format=", "--name-only", "HEAD"]), "a\n");
    assert_eq!(git(&project, &["diff", "--cached", "--name-only"]), "b\n");
    assert_eq!(committed(&project, "HEAD"), 2);
    git(&project, &["commit", "-q", "-m", "the rest"]);
    assert_eq!((committed(&project, "HEAD"), status(&project)), (4, String::new()));
}

#[test]
fn an_index_that_somebody_names_is_the_one_that_is_added_to() {
    let project = repository();
    project.write("a", "a");
    let index = project.path().join("other-index");
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments)
            .current_dir(project.path())
            .env("GIT_INDEX_FILE", &index)
            .env("HOME", project.path().join("home"));
        let output =
            git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null").output().expect("git");
        assert!(output.status.success(), "{output:?}");
    };
    git(&["add", "a"]);
    git(&["commit", "-q", "-m", "one"]);
    assert_eq!(committed(&project, "HEAD"), 2);
    assert!(!project.path().join(".git/index").exists(), "the index of the work tree is not touched");
}

#[test]
fn a_hook_that_was_there_runs_first_and_may_say_no() {
    let project = repository();
    assert_eq!(project.annals(["setup", "git", "--remove"], "").code, Some(0));
    let path = project.path().join(".git/hooks/pre-commit");
    project.write(".git/hooks/pre-commit", "#!/bin/sh\necho ran >> ran\n! [ -e forbidden ]\n");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("changed");
    setup(&project, &[]);
    project.write("a", "a");
    project.write("forbidden", "");
    git(&project, &["add", "a"]);
    assert!(!run(&project, project.path(), &["commit", "-q", "-m", "no"]).status.success());
    assert_eq!(signatures(&project), 0);
    std::fs::remove_file(project.path().join("forbidden")).expect("removed");
    git(&project, &["commit", "-q", "-m", "yes"]);
    assert_eq!((project.read("ran").as_str(), signatures(&project), committed(&project, "HEAD")), ("ran\nran\n", 1, 2));
    assert_eq!(project.annals(["setup", "git", "--remove"], "").code, Some(0));
    assert!(project.read(".git/hooks/pre-commit").contains("echo ran"));
}

#[test]
fn work_trees_have_the_hook_and_sign_what_is_theirs() {
    let project = repository();
    project.write("a", "a");
    git(&project, &["add", "a"]);
    git(&project, &["commit", "-q", "-m", "one"]);
    let tree = project.path().join("tree");
    git(&project, &["worktree", "add", "-q", "tree", "-b", "other"]);
    std::fs::write(tree.join("b"), "b").expect("written");
    git_in(&project, &tree, &["add", "b"]);
    let exec = project.command(["exec", "--", "echo", "there"]).current_dir(&tree).output().expect("run");
    assert!(exec.status.success(), "{exec:?}");
    git_in(&project, &tree, &["commit", "-q", "-m", "there"]);
    assert_eq!((committed(&project, "other"), committed(&project, "main"), signatures(&project)), (4, 2, 1));
}

#[test]
fn a_folder_of_hooks_in_the_repository_is_used_and_named() {
    let project = repository();
    git(&project, &["config", "core.hooksPath", ".hooks"]);
    let run = project.annals(["setup", "git"], "");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("core.hooksPath leads into the repository: every clone shares this hook"), "{run:?}");
    assert!(project.path().join(".hooks/pre-commit").is_file());
    assert_eq!(project.annals(["setup", "git", "--check"], "").code, Some(0));
}

#[test]
fn nothing_of_ours_makes_a_commit_fail_unless_a_person_wants_that() {
    let project = repository();
    let mut number = 0;
    let mut commit = |project: &Project| {
        number += 1;
        project.write("a", &number.to_string());
        git(project, &["add", "a"]);
        run(project, project.path(), &["commit", "-m", "again"])
    };
    // The program is not there.
    assert_eq!(project.annals(["setup", "git", "--program", "no-such-annals"], "").code, Some(0));
    let output = commit(&project);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    // The key cannot be used.
    let key = project.path().join("home/.local/state/annals/keys/id_ed25519");
    std::fs::create_dir_all(key.parent().expect("a folder")).expect("made");
    std::fs::write(&key, "nothing").expect("written");
    setup(&project, &[]);
    let output = commit(&project);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("annals/keys"), "{output:?}");
    assert_eq!(committed(&project, "HEAD"), 1, "what was recorded is in the commit, signed or not");
    // The same, where a person wants to know.
    setup(&project, &["--required"]);
    assert!(!commit(&project).status.success());
    // Another branch, without a .context.
    git(&project, &["config", "core.excludesFile", "/dev/null"]);
    std::fs::rename(project.context(), project.path().join("away")).expect("moved");
    assert!(commit(&project).status.success());
}

#[test]
fn what_git_is_told_to_ignore_is_not_added() {
    let project = repository();
    project.write(".gitignore", ".context/\n");
    git(&project, &["add", ".gitignore"]);
    git(&project, &["commit", "-q", "-m", "one"]);
    assert_eq!((signatures(&project), committed(&project, "HEAD")), (1, 0));
}
