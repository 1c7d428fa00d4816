//! What git does with a work tree takes no acknowledged line away, and finds no file of ours in its way (DESIGN 3.9).
//!
//! With the real git and the real program: after each operation something is recorded, and at the end everything that was
//! acknowledged is in the log, or on a branch.

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

impl Tree {
    /// Records a step with a large value; returns the path of that.
    fn record_large(&self) -> String {
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
    tree.annals(&["session", "list"]);
}

#[test]
fn what_a_clone_packed_is_not_put_back() {
    let mut tree = Tree::new();
    tree.record();
    pull_what_a_clone_did(&tree, &["archive", "--before", "9999-01-01"]);
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
    tree.git("add -A");
    tree.git("commit -qm ours");
    let folder = tempfile::tempdir().expect("a folder");
    let theirs = folder.path().join("theirs").display().to_string();
    tree.git(&format!("clone -q . {theirs}"));
    tree.annals(&[&["--context", &format!("{theirs}/.context")], &ARCHIVE[..]].concat());
    tree.git(&format!("-C {theirs} add -A"));
    tree.git(&format!("-C {theirs} commit -qm theirs"));
    tree.git(&format!("pull -q {theirs} main"));
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
