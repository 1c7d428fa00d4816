//! What git does with a work tree takes no acknowledged line away, and finds no file of ours in its way (DESIGN 3.9).
//!
//! With the real git and the real program: after each operation something is recorded, and at the end everything that was
//! acknowledged is in the log, or on a branch.

mod another;
mod branches;
mod filters;
mod into_git;
mod locks;
mod moved;
mod packed;
mod partial;
mod places;
mod strangers;
mod views;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::program::Project;

const DAY_FILE: &str = ".jsonl";

/// A work tree in which every acknowledged entry is remembered.
struct Tree {
    project: Project,
    acknowledged: BTreeSet<String>,
    tracked: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    fn new() -> Self {
        let tree = Self { project: Project::bare(), acknowledged: BTreeSet::new(), tracked: BTreeMap::new() };
        tree.git("init -q -b main");
        tree.project.write("code.txt", "one\n");
        tree.annals(&["init"]);
        tree.git("add -A");
        tree.git("commit -qm init");
        tree
    }

    /// Runs git, which must succeed; a commit may find nothing to commit.
    fn git(&self, words: &str) -> String {
        let mut command = Command::new("git");
        command.args(words.split(' ')).current_dir(self.project.path()).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.project.path().join("home"));
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for person in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{person}_NAME"), "A").env(format!("GIT_{person}_EMAIL"), "a@example.org");
        }
        let output = command.output().expect("git runs");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "git {words}: {text}");
        text
    }

    fn annals(&self, arguments: &[&str]) -> String {
        let run = self.project.annals(arguments, "");
        assert_eq!(run.code, Some(0), "annals {arguments:?}: {run:?}");
        run.stdout
    }

    /// Records something as a hook does; it starts no process.
    fn hook(&mut self) {
        let before = self.ids();
        let payload = format!(
            r#"{{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"{}","cwd":"."}}"#,
            before.len()
        );
        let run = self.project.annals(["hook", "claude-code"], &payload);
        assert_eq!(run.code, Some(0), "{run:?}");
        self.acknowledged.extend(self.ids().difference(&before).cloned());
    }

    fn record(&mut self) {
        let id = self.annals(&["record", "--type", "system_event", "--name", "step"]);
        self.acknowledged.insert(id.trim().to_owned());
    }

    /// The ids of the lines of this work tree.
    fn ids(&self) -> BTreeSet<String> {
        let files = self.files().into_values();
        files.flat_map(|bytes| ids_of(&String::from_utf8_lossy(&bytes))).collect()
    }

    /// The day files of this work tree.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = fs::read_dir(self.project.context().join("history")) else { return BTreeMap::new() };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let days = paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        days.map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(path).expect("read"))
        })
        .collect()
    }

    /// The ids of the lines that some branch has.
    fn ids_of_branches(&self) -> BTreeSet<String> {
        let branches = self.git("for-each-ref --format=%(refname) refs/heads refs/remotes refs/tags");
        let mut ids = BTreeSet::new();
        for branch in branches.lines() {
            let files = self.git(&format!("ls-tree -r --name-only {branch} .context/history"));
            for file in files.lines().filter(|file| file.ends_with(DAY_FILE)) {
                ids.extend(ids_of(&self.git(&format!("show {branch}:{file}"))));
            }
        }
        ids
    }

    /// Nothing that was acknowledged is missing, nothing is wrong, and what git knows is as git knows it.
    #[track_caller]
    fn assert_whole(&mut self, when: &str) {
        let verify = self.project.annals(["verify", "--blobs"], "");
        assert_eq!(verify.code, Some(0), "{when}: {verify:?}");
        let mut there = self.ids();
        there.extend(self.ids_of_branches());
        let missing: Vec<_> = self.acknowledged.difference(&there).collect();
        assert!(missing.is_empty(), "{when}: {missing:?} of {} are gone", self.acknowledged.len());
        self.assert_tracked_unchanged(when);
    }

    #[track_caller]
    fn assert_tracked_unchanged(&mut self, when: &str) {
        let dirty = self.git("diff --name-only -- .context/history");
        assert_eq!(dirty, "", "{when}");
        let names = self.git("ls-files .context/history");
        let names: BTreeSet<_> = names.lines().filter_map(|name| name.strip_prefix(".context/history/")).collect();
        let tracked: BTreeMap<_, _> =
            self.files().into_iter().filter(|(name, _)| names.contains(name.as_str())).collect();
        for (name, bytes) in &tracked {
            assert_eq!(self.tracked.get(name).unwrap_or(bytes), bytes, "{when}: {name}");
        }
        self.tracked.extend(tracked);
    }
}

fn ids_of(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| Some(line.strip_prefix(r#"{"id":""#)?.get(..26)?.to_owned())).collect()
}

/// Does the operations in turn; before each of them, and at the end, something is recorded, by a command and by a hook.
/// `;` parts operations.
#[track_caller]
fn survives(operations: &str) {
    let mut tree = Tree::new();
    for operation in operations.split("; ") {
        tree.record();
        tree.hook();
        tree.git(operation);
        tree.annals(&["session", "list"]);
        tree.assert_whole(operation);
    }
    tree.hook();
    tree.record();
    tree.assert_whole("at the end");
}

#[test]
fn what_was_added_is_never_written_again() {
    survives("add -A; commit -qm one; add -A; commit -qm two");
}

#[test]
fn reset_and_checkout_have_nothing_to_take() {
    survives("add -A; commit -qm one; reset -q --hard; checkout -q .; restore .");
}

#[test]
fn what_was_added_and_reset_is_put_back() {
    survives("add -A; reset -q --hard; add -A; reset -q; add -A; reset -q --hard");
}

#[test]
fn what_was_stashed_is_put_back_and_may_come_again() {
    survives("stash -q -u; stash pop -q; add -A; stash -q; stash pop -q");
}

#[test]
fn what_was_cleaned_away_is_put_back() {
    survives("clean -fdxq; add -A; commit -qm one; clean -fdxq; clean -fdq .context");
}

#[test]
fn commits_that_no_branch_holds_any_more_leave_their_lines() {
    survives("add -A; commit -qm one; add -A; commit -qm two; add -A; commit -qm three; reset -q --hard HEAD~3");
}

#[test]
fn an_amended_commit_takes_nothing() {
    survives("add -A; commit -qm one; add -A; commit -q --amend -m again; commit -q --amend -m once-more");
}

#[test]
fn branches_have_their_own_files_and_merge() {
    survives(
        "switch -q -c other; add -A; commit -qm other; switch -q main; add -A; commit -qm main; switch -q other; \
         switch -q main; merge -q other -m merged; add -A; commit -qm after; switch -q other; merge -q main",
    );
}

#[test]
fn a_rebase_takes_nothing() {
    survives(
        "switch -q -c topic; add -A; commit -qm topic; switch -q main; add -A; commit -qm main; switch -q topic; \
         add -A; commit -qm more; rebase -q main; switch -q main",
    );
}

/// A line that nobody here wrote.
const FOREIGN: &str = r#"{"id":"01M7YZN42BC38YX2552651TVJ3","timestamp":"2026-11-21T12:00:19.019Z","session_id":"s","operation":{"type":"note","name":"n"}}
"#;

impl Tree {
    /// Puts a line of a stranger in place of every file of ours, as his branch would, and commits that.
    fn replace_all(&self) {
        for name in self.files().into_keys() {
            let path = self.project.context().join("history").join(name);
            fs::remove_file(&path).expect("removed");
            fs::write(path, FOREIGN).expect("written");
        }
        self.git("add -A");
        self.git("commit -qm foreign");
    }

    #[track_caller]
    fn assert_all_here(&self, when: &str) {
        let missing: Vec<_> = self.acknowledged.difference(&self.ids()).cloned().collect();
        assert!(missing.is_empty(), "{when}: {missing:?} of {} are gone", self.acknowledged.len());
    }
}

#[test]
fn a_branch_that_has_our_names_holds_none_of_our_lines() {
    let mut tree = Tree::new();
    tree.record();
    tree.record();
    tree.git("switch -q -c foreign");
    tree.replace_all();
    tree.git("switch -q main");
    tree.annals(&["session", "list"]);
    tree.assert_all_here("when the branch is left");
}

#[test]
fn a_file_that_takes_our_name_takes_no_line_once_our_branch_is_gone() {
    let mut tree = Tree::new();
    tree.record();
    tree.record();
    let name = tree.files().into_keys().next().expect("a segment");
    tree.git("switch -q -c ours");
    tree.git("add -A");
    tree.git("commit -qm ours");
    tree.git("switch -q -c foreign");
    tree.replace_all();
    tree.annals(&["session", "list"]);
    assert_eq!(tree.files().into_keys().collect::<Vec<_>>(), [name], "our branch has them");
    tree.git("branch -q -D ours");
    tree.annals(&["session", "list"]);
    tree.assert_all_here("when our branch is gone");
    tree.git("diff --quiet");
}

#[test]
fn what_two_copies_put_back_is_in_nobodys_way() {
    let mut ours = Tree::new();
    ours.record();
    let folder = tempfile::tempdir().expect("a folder");
    let theirs = folder.path().join("theirs").display().to_string();
    let copied = Command::new("cp").arg("-a").arg(ours.project.path()).arg(&theirs).status();
    assert!(copied.expect("copied").success());
    for place in [".", &theirs] {
        ours.git(&format!("-C {place} clean -qfd"));
        ours.annals(&["--context", &format!("{place}/.context"), "session", "list"]);
    }
    ours.assert_all_here("when it was put back");
    ours.git(&format!("-C {theirs} add -A"));
    ours.git(&format!("-C {theirs} commit -qm theirs"));
    ours.git(&format!("pull -q --no-rebase {theirs} main"));
    ours.annals(&["session", "list"]);
    ours.assert_all_here("after the merge");
    ours.assert_whole("after the merge");
}

#[test]
fn what_vanishes_in_the_instant_of_a_look_is_put_back() {
    let mut tree = Tree::new();
    tree.record();
    tree.annals(&["session", "list"]);
    let history = tree.project.context().join("history");
    let folder = fs::File::open(&history).expect("a folder");
    let changed = folder.metadata().and_then(|metadata| metadata.modified()).expect("a time");
    for name in tree.files().into_keys() {
        fs::remove_file(history.join(name)).expect("removed");
    }
    folder.set_modified(changed).expect("as if the clock had not gone on");
    tree.annals(&["session", "list"]);
    tree.assert_all_here("after the next command");
}

#[test]
fn while_git_is_at_work_nothing_is_put_back() {
    let mut tree = Tree::new();
    tree.record();
    let before = tree.files();
    tree.git("clean -qfd");
    let lock = tree.project.path().join(".git/index.lock");
    fs::write(&lock, "").expect("written");
    tree.annals(&["session", "list"]);
    assert!(tree.files().is_empty());
    let said = tree.project.annals(["doctor"], "").stdout;
    assert!(said.contains("nothing is put back while git holds its index"), "{said}");
    fs::remove_file(lock).expect("removed");
    tree.annals(&["session", "list"]);
    assert_eq!(tree.files().into_values().collect::<Vec<_>>(), before.into_values().collect::<Vec<_>>());
}
