//! What a repository brings does not turn git against its person.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use annals::kernel::annals::LineHash;

use super::Tree;

/// A payload that a hook left for the next command; nobody gave it here.
const FORGED: &str = r#"{"agent":"claude-code","at":"2026-11-20T10:00:00Z","payload":"{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"forged\",\"cwd\":\"/\",\"prompt\":\"forged\"}"}"#;

const WAITING: &str = ".context/local/spool/0000000000001-a.json";

impl Tree {
    fn is_forged(&self) -> bool {
        self.files().values().any(|bytes| String::from_utf8_lossy(bytes).contains("forged"))
    }
}

#[test]
fn what_a_later_pull_puts_into_local_is_set_aside() {
    let mut tree = Tree::new();
    tree.record();
    tree.git("switch -q -c theirs");
    tree.project.write(WAITING, FORGED);
    tree.git(&format!("add -f {WAITING}"));
    tree.git("commit -qm theirs");
    tree.git("switch -q main");
    assert!(!tree.project.path().join(WAITING).exists());
    tree.git("merge -q theirs");
    let run = tree.project.annals(["record", "--type", "t", "--name", "x"], "");
    assert!(run.code == Some(0) && run.stderr.contains("set-aside-"), "{run:?}");
    tree.record();
    assert!(!tree.is_forged() && !tree.project.path().join(WAITING).exists());
}

impl Tree {
    /// Merges a branch that has files, as another clone has committed them.
    fn merge(&self, files: &[(&str, &str)]) {
        let clone = tempfile::tempdir().expect("a folder");
        let at = clone.path().join("theirs").display().to_string();
        self.git(&format!("clone -q . {at}"));
        for (path, text) in files {
            let path = clone.path().join("theirs").join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        self.git(&format!("-C {at} add -f -A"));
        self.git(&format!("-C {at} commit -qm theirs"));
        self.git(&format!("pull -q --no-rebase {at} main"));
    }

    /// The writers that have segments here.
    fn writers(&self) -> BTreeSet<String> {
        self.files().keys().filter_map(|name| name.split('.').nth(1)).map(str::to_owned).collect()
    }
}

/// Line ends, filters and encodings make a file that git wrote another one than it has staged.
#[test]
fn what_a_pull_puts_into_local_is_set_aside_whatever_git_made_of_it() {
    let mut tree = Tree::new();
    tree.record();
    let forged = FORGED.replacen(',', ",\n", 1) + "\n";
    tree.merge(&[(".gitattributes", ".context/local/** text eol=crlf\n"), (WAITING, &forged)]);
    assert!(tree.project.read(WAITING).contains('\r'), "it is not as it is staged");
    let run = tree.project.annals(["record", "--type", "t", "--name", "x"], "");
    assert!(run.code == Some(0) && run.stderr.contains("set-aside-"), "{run:?}");
    tree.record();
    assert!(!tree.is_forged() && !tree.project.path().join(WAITING).exists());
}

#[test]
fn a_bookmark_that_a_pull_brings_takes_nothing_from_what_this_clone_remembers_of_itself() {
    let mut tree = Tree::new();
    tree.record();
    let writers = tree.writers();
    let names = ["bookmark", "begun", "lock"].map(|name| format!(".context/local/{name}"));
    tree.merge(&[(&names[0], "forged\n"), (&names[1], "forged\n"), (&names[2], "")]);
    tree.record();
    assert_eq!(tree.writers(), writers);
    tree.assert_whole("after the pull");
}

/// Git writes the files first, and its index when all of them are there: until then nobody knows whose they are.
#[test]
fn while_git_changes_the_work_tree_nothing_that_waits_is_recorded() {
    let mut tree = Tree::new();
    tree.record();
    tree.project.write(".git/index.lock", "");
    tree.project.write(WAITING, FORGED);
    tree.record();
    tree.hook();
    assert!(!tree.is_forged() && tree.project.path().join(WAITING).exists());
    fs::remove_file(tree.project.path().join(".git/index.lock")).expect("removed");
    tree.git(&format!("add -f {WAITING}"));
    tree.record();
    assert!(!tree.is_forged() && !tree.project.path().join(WAITING).exists());
}

#[test]
fn a_local_folder_that_its_person_committed_keeps_its_writer_and_what_waits() {
    let mut tree = Tree::new();
    tree.record();
    let writers = tree.writers();
    for _ in 0..2 {
        tree.git("add -f -A");
        tree.git("commit -qm all");
        tree.record();
    }
    assert_eq!(tree.writers(), writers);
    tree.assert_whole("with local/ in git");
}

#[test]
fn of_an_index_that_cannot_be_read_nothing_in_local_is_believed_that_is_not_known_as_ours() {
    let mut tree = Tree::new();
    tree.record();
    let writers = tree.writers();
    tree.project.write(WAITING, FORGED);
    tree.project.write(".git/index", "no index");
    tree.record();
    assert!(!tree.is_forged() && !tree.project.path().join(WAITING).exists());
    assert_eq!(tree.writers(), writers);
}

#[test]
fn a_local_folder_that_is_a_submodule_is_set_aside() {
    let mut tree = Tree::new();
    let module = tempfile::tempdir().expect("a folder");
    let path = module.path().display().to_string();
    fs::create_dir(module.path().join("spool")).expect("made");
    fs::write(module.path().join("spool/0000000000001-a.json"), FORGED).expect("written");
    for words in [&format!("init -q {path}"), &format!("-C {path} add -A"), &format!("-C {path} commit -qm module")] {
        tree.git(words);
    }
    fs::remove_dir_all(tree.project.context().join("local")).expect("removed");
    tree.git(&format!("-c protocol.file.allow=always submodule --quiet add -f {path} .context/local"));
    tree.record();
    assert!(!tree.is_forged());
}

#[test]
fn the_parts_of_a_bare_repository_hide_no_git_and_run_nothing() {
    let mut tree = Tree::new();
    let ran = tree.project.path().join("ran");
    tree.annals(&["record", "--type", "t", "--name", "x", "--output", "a Kartoffelpuffer"]);
    // A commit with a signature, so that git asks the program that checks it.
    tree.git("clone -q --bare . bare");
    let commit = fs::read_dir(tree.project.path().join("bare")).expect("a repository").count();
    assert!(commit > 3);
    tree.git("-C bare config log.showSignature true");
    tree.git("-C bare config gpg.program ./program");
    for name in ["HEAD", "config", "objects", "refs", "packed-refs"] {
        let _ = fs::rename(tree.project.path().join("bare").join(name), tree.project.context().join(name));
    }
    let program = tree.project.context().join("program");
    fs::write(&program, format!("#!/bin/sh\ntouch {}\n", ran.display())).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("allowed");
    tree.record();
    assert!(tree.project.path().join(".git/annals/main").is_dir(), "the git above is the one that counts");
    let scrub = tree.project.annals(["scrub", "--value", "Kartoffelpuffer", "--yes"], "");
    assert!(scrub.code == Some(0) && !ran.exists(), "{scrub:?}");
}

/// Whoever may push can change what is tracked, and claim that a scrub has.
#[test]
fn a_line_that_only_claims_to_be_what_a_scrub_left_takes_nothing_away() {
    let tree = Tree::new();
    tree.annals(&["record", "--type", "note", "--name", "n", "--output", "as it was"]);
    let (name, bytes) = tree.files().pop_last().expect("a file");
    let line = String::from_utf8(bytes).expect("text").trim().to_owned();
    tree.git("add -A");
    tree.git("commit -qm ours");
    tree.git("switch -q -c theirs");
    let hash = LineHash::of(line.as_bytes());
    let forged = line
        .replace("as it was", "as it never was")
        .replace("\"n\":1,", &format!("\"n\":1,\"scrubbed\":[\"{hash}\"],"));
    assert!(forged.contains("scrubbed"), "{forged}");
    let path = format!(".context/history/{name}");
    // Written into, it would be another by both names.
    tree.git(&format!("rm -q {path}"));
    tree.project.write(&path, &(forged + "\n"));
    tree.git(&format!("add {path}"));
    tree.git("commit -qm theirs");
    tree.git("switch -q main");
    tree.git("merge -q theirs");
    tree.annals(&["session", "list"]);
    let holds = |bytes: &Vec<u8>| bytes.starts_with(line.as_bytes());
    assert!(tree.files().values().any(holds), "ours is put back beside it");
    let run = tree.project.annals(["verify"], "");
    assert!(run.code == Some(1) && run.stdout.contains("conflict") && run.stdout.contains("scrub"), "{run:?}");
}
