//! A project folder that moves inside its repository takes with it what git took away and what must be scrubbed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Tree, ids_of};

impl Tree {
    /// A project in a folder of the work tree.
    pub(super) fn project_in(&self, folder: &str) {
        self.project.write(&format!("{folder}/code.txt"), "one\n");
        self.annals_in(folder, &["init"]);
    }

    pub(super) fn annals_in(&self, folder: &str, arguments: &[&str]) -> String {
        self.annals(&[&["--context", &format!("{folder}/.context")], arguments].concat())
    }

    pub(super) fn record_in(&self, folder: &str, output: &str) -> String {
        let record = ["record", "--type", "note", "--name", "n", "--output", output];
        self.annals_in(folder, &record).trim().to_owned()
    }

    pub(super) fn doctor_in(&self, folder: &str) -> String {
        self.project.annals(["--context", &format!("{folder}/.context"), "doctor"], "").stdout
    }

    pub(super) fn commit_all(&self) {
        self.git("add -A");
        self.git("commit -qm all");
    }

    pub(super) fn ids_in(&self, folder: &str) -> BTreeSet<String> {
        let days = crate::support::day_files(&self.project.path().join(folder).join(".context"));
        days.values().flat_map(|text| ids_of(text)).collect()
    }

    pub(super) fn copy(&self, from: &str, to: &str) {
        let path = |name: &str| self.project.path().join(name);
        let copied = Command::new("cp").arg("-r").arg(path(from)).arg(path(to)).status();
        assert!(copied.expect("copied").success());
    }

    /// The files below git's directory of ours that hold a text, packed or not.
    pub(super) fn kept_with(&self, text: &str) -> Vec<String> {
        files_below(&self.project.path().join(".git/annals"))
            .into_iter()
            .filter(|(_, bytes)| {
                // What is not packed is no frame of zstd.
                let unpacked = zstd::decode_all(&bytes[..]).unwrap_or_else(|_| bytes.clone());
                String::from_utf8_lossy(&unpacked).contains(text)
            })
            .map(|(name, _)| name)
            .collect()
    }
}

fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| {
        if path.is_dir() {
            return files_below(&path);
        }
        vec![(path.display().to_string(), fs::read(&path).expect("read"))]
    };
    paths.flat_map(below).collect()
}

fn large(text: &str) -> String {
    format!("{text} ").repeat(4000)
}

#[test]
fn a_folder_that_moves_takes_what_git_took_away_with_it() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in(".", "of another project");
    let mut ids = BTreeSet::from([tree.record_in("pkg", &large("one"))]);
    tree.commit_all();
    ids.extend([tree.record_in("pkg", "two"), tree.record_in("pkg", &large("three"))]);
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("clean -qfdx");
    tree.annals(&["session", "list"]);
    tree.annals_in("pkg2", &["session", "list"]);
    assert_eq!(ids.difference(&tree.ids_in("pkg2")).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(tree.ids_in(".").is_disjoint(&ids), "another project takes nothing");
    tree.annals_in("pkg2", &["verify", "--blobs"]);
    for folder in [".", "pkg2"] {
        let said = tree.doctor_in(folder);
        assert!(said.contains("what git takes away is put back"), "{folder}: {said}");
    }
}

#[test]
fn what_a_branch_holds_where_the_folder_was_is_left_to_it() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in("pkg", "one");
    tree.commit_all();
    tree.git("switch -q -c topic");
    let topic = tree.record_in("pkg", "two");
    tree.commit_all();
    tree.git("switch -q main");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.git("clean -qfdx");
    tree.annals_in("pkg2", &["session", "list"]);
    assert!(!tree.ids_in("pkg2").contains(&topic));
    tree.git("branch -q -D topic");
    tree.annals_in("pkg2", &["session", "list"]);
    assert!(tree.ids_in("pkg2").contains(&topic), "no branch holds it any more");
}

#[test]
fn a_scrub_reaches_what_a_folder_left_behind_when_it_moved() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in("pkg", "a Kartoffelpuffer");
    tree.record_in("pkg", &large("more Kartoffelpuffer"));
    fs::rename(tree.project.path().join("pkg"), tree.project.path().join("pkg2")).expect("moved");
    tree.record_in("pkg2", "two");
    tree.annals_in("pkg2", &["scrub", "--value", "Kartoffelpuffer", "--yes"]);
    assert_eq!(tree.kept_with("Kartoffelpuffer"), Vec::<String>::new());
    tree.annals_in("pkg2", &["verify", "--blobs"]);
}

#[test]
fn what_two_folders_may_have_left_behind_is_named() {
    let tree = Tree::new();
    tree.project_in("pkg");
    let id = tree.record_in("pkg", "a Kartoffelpuffer");
    for copy in ["one", "two"] {
        tree.copy("pkg", copy);
        tree.annals_in(copy, &["session", "list"]);
    }
    fs::remove_dir_all(tree.project.path().join("pkg")).expect("removed");
    let doctor = tree.doctor_in("one");
    assert!(doctor.contains("pkg/.context is gone") && doctor.contains("pkg%2f.context"), "{doctor}");
    let scrub = tree.project.annals(["--context", "one/.context", "scrub", "--value", "Kartoffelpuffer", "--yes"], "");
    assert!(scrub.code == Some(0) && scrub.stderr.contains("pkg%2f.context"), "{scrub:?}");
    assert!(tree.ids_in("two").contains(&id));
}

/// The anchor of each is then the first name of the other: whoever holds one and waits for the other waits for ever.
#[test]
fn two_folders_that_changed_places_are_written_at_the_same_time() {
    const LINES: usize = 40;
    let tree = Tree::new();
    for folder in ["a", "b"] {
        tree.project_in(folder);
        tree.record_in(folder, "one");
    }
    tree.commit_all();
    for (from, to) in [("a", "c"), ("b", "a"), ("c", "b")] {
        tree.git(&format!("mv {from} {to}"));
    }
    let line = "{\"operation\":{\"type\":\"note\",\"name\":\"n\",\"success\":true}}\n".repeat(LINES);
    let children = ["a", "b", "a", "b"].map(|folder| {
        let annals = tree.project.command(["--context", &format!("{folder}/.context"), "record", "--each"]);
        let mut command = Command::new("timeout");
        command.arg("60").arg(annals.get_program()).args(annals.get_args()).current_dir(tree.project.path());
        command.env_clear().envs(annals.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
        let mut child = command.spawn().expect("timeout runs");
        child.stdin.take().expect("a pipe").write_all(line.as_bytes()).expect("taken");
        child
    });
    for mut child in children {
        assert_eq!(child.wait().expect("ended").code(), Some(0));
    }
    let lines = ["a", "b"].map(|folder| tree.ids_in(folder).len());
    assert!(lines.iter().sum::<usize>() >= 4 * LINES, "{lines:?}");
}

#[test]
fn a_project_at_the_old_place_shares_nothing_that_is_remembered() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in("pkg", "one");
    tree.commit_all();
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    tree.project_in("pkg");
    tree.record_in("pkg", "of the new one");
    let number = |folder: &str| {
        let file = tree.project.path().join(folder).join(".context/local/bookmark");
        fs::metadata(file).expect("a bookmark").ino()
    };
    assert_ne!(number("pkg"), number("pkg2"));
}

/// Git moves what it tracks, and leaves `local/`, which it ignores.
#[test]
fn a_folder_of_which_git_left_local_alone_is_gone() {
    let tree = Tree::new();
    tree.project_in("pkg");
    tree.record_in("pkg", "one");
    tree.commit_all();
    let id = tree.record_in("pkg", "two");
    tree.git("mv pkg pkg2");
    tree.git("commit -qm moved");
    fs::create_dir_all(tree.project.path().join("pkg/.context/local")).expect("made");
    tree.git("clean -qfd");
    fs::create_dir_all(tree.project.path().join("pkg/.context/local")).expect("made");
    tree.annals_in("pkg2", &["session", "list"]);
    assert!(tree.ids_in("pkg2").contains(&id));
}
