//! `seal`, `trust` and `verify --require-signed` as people and CI start them, each with a home of its own.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::program::{Project, Run};

fn key_of(project: &Project) -> String {
    project.annals(["trust", "key"], "").stdout.trim().to_owned()
}

fn ok(run: &Run) -> &str {
    assert_eq!(run.code, Some(0), "{run:?}");
    &run.stdout
}

fn key_path(project: &Project) -> std::path::PathBuf {
    project.path().join("home/.local/state/annals/keys/id_ed25519")
}

fn exec(project: &Project, word: &str) {
    ok(&project.annals(["exec", "--", "echo", word], ""));
}

fn hook(project: &Project, event: &str, session: &str) -> Run {
    let payload = json!({
        "session_id": session, "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "make"},
        "tool_use_id": "t1", "reason": "exit",
    });
    project.annals(["hook", "claude-code"], &payload.to_string())
}

fn signatures(project: &Project) -> usize {
    project.entries().iter().filter(|entry| &*entry.operation.name == "history.head.sign").count()
}

#[test]
fn a_clone_of_the_repository_and_the_list_of_keys_are_enough() {
    let (ann, ci) = (Project::hooked(), Project::bare());
    exec(&ann, "one");
    ok(&ann.annals(["seal"], ""));
    ci.write("signers", &format!("ann {}\n", key_of(&ann)));
    let verify = |arguments: &[&str]| {
        for (name, text) in crate::support::day_files(&ann.context()) {
            ci.write(&format!(".context/history/{name}"), &text);
        }
        ci.annals([&["verify", "--require-signed", "--signers", "signers"], arguments].concat(), "")
    };
    assert!(ok(&verify(&["--most-unsigned", "1"])).contains(" to line 1 by ann (SHA256:"));
    exec(&ann, "two");
    assert!(ok(&verify(&[])).contains("unsigned: 2 lines of 3\n"));
    assert_eq!(verify(&["--most-unsigned", "1"]).code, Some(1));
    ci.write("signers", "");
    let run = verify(&[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("whom nobody has named"), "{run:?}");
}

#[test]
fn what_git_trusts_is_shown_and_counts_after_a_yes() {
    let (ann, bob) = (Project::hooked(), Project::hooked());
    let key = key_of(&bob);
    ann.write("allowed", &format!("# team\nbob {key}\ncy ssh-rsa AAAAB3NzaC1yc2E=\neve namespaces=\"git\" {key}\n"));
    let shown = ann.annals(["trust", "import", "allowed"], "");
    assert_eq!(shown.code, Some(1));
    assert!(shown.stdout.starts_with("found bob SHA256:"), "{shown:?}");
    assert!(shown.stderr.contains("allowed:3: passed over: a key of kind ssh-rsa signs no heads"), "{shown:?}");
    assert!(shown.stderr.contains("allowed:4: passed over: its key may sign git"), "{shown:?}");
    assert_eq!(ok(&ann.annals(["trust", "list"], "")), "");
    assert!(ok(&ann.annals(["trust", "import", "allowed", "--yes"], "")).starts_with("trusts bob SHA256:"));
    let list: Value = serde_json::from_str(ok(&ann.annals(["trust", "list", "--json"], ""))).expect("JSON");
    assert_eq!((&list["signers"][0]["name"], &list["signers"][0]["key"]), (&json!("bob"), &json!(key)));
    assert_eq!(ok(&ann.annals(["trust", "import", "allowed"], "")), "nobody who is not trusted already\n");
    let file = ann.path().join("home/.local/state/annals/allowed_signers");
    assert_eq!(std::fs::metadata(file).expect("there").permissions().mode() & 0o777, 0o600);
    ok(&ann.annals(["trust", "remove", "bob"], ""));
    assert_eq!(ok(&ann.annals(["trust", "list"], "")), "");
    assert_eq!(ann.annals(["trust", "remove", "bob"], "").code, Some(2));
}

#[test]
fn a_list_in_the_repository_trusts_nobody() {
    let (ann, eve) = (Project::hooked(), Project::hooked());
    exec(&eve, "one");
    ok(&eve.annals(["seal"], ""));
    for (name, text) in crate::support::day_files(&eve.context()) {
        ann.write(&format!(".context/history/{name}"), &text);
    }
    for place in ["allowed_signers", ".context/allowed_signers", ".context/local/allowed_signers"] {
        ann.write(place, &format!("ann {}\n", key_of(&eve)));
    }
    let run = ann.annals(["verify", "--without-local", "--require-signed"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("whom nobody has named"), "{run:?}");
}

#[test]
fn names_and_keys_that_are_none_are_refused() {
    let ann = Project::hooked();
    for (arguments, why) in [
        (vec!["trust", "add", "bob", "ssh-ed25519", "AAAA"], "it is no public key"),
        (vec!["trust", "add", "bob", "ssh-rsa", "AAAA"], "a key of kind ssh-rsa"),
        (vec!["trust", "add", "two words", "x"], "is no name"),
        (vec!["trust", "add", "bob"], "it is no public key"),
    ] {
        let run = ann.annals(&arguments, "");
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(why), "{run:?}");
    }
}

#[test]
fn a_session_that_ends_is_signed_and_so_is_one_that_was_left() {
    let project = Project::hooked();
    for event in ["SessionStart", "PreToolUse"] {
        assert_eq!(hook(&project, event, "s1").code, Some(0));
    }
    assert_eq!(signatures(&project), 0);
    // The call never ends; the next session finds it.
    hook(&project, "SessionStart", "s1");
    assert_eq!(signatures(&project), 1);
    hook(&project, "SessionEnd", "s1");
    assert_eq!(signatures(&project), 2);
    let session = ok(&project.annals(["session", "start"], "")).trim().to_owned();
    ok(&project.annals(["session", "complete", &session], ""));
    assert_eq!(signatures(&project), 3);
    assert_eq!(project.annals(["verify", "--require-signed", "--most-unsigned", "1"], "").code, Some(0));
}

#[test]
fn recording_never_fails_because_of_a_key() {
    let project = Project::hooked();
    ok(&project.annals(["trust", "key"], ""));
    let path = key_path(&project);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("changed");
    let ended = hook(&project, "SessionEnd", "s1");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""));
    assert!(ended.stderr.contains("not signed: others may use the key"), "{ended:?}");
    let session = ok(&project.annals(["session", "start"], "")).trim().to_owned();
    let ended = project.annals(["session", "abort", &session, "enough"], "");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("not signed: others may use the key"), "{ended:?}");
    assert_eq!(project.annals(["seal"], "").code, Some(3));
    assert_eq!(signatures(&project), 0);
}

#[test]
fn a_key_that_is_gone_is_said_and_another_one_is_a_persons_wish() {
    let project = Project::hooked();
    exec(&project, "one");
    ok(&project.annals(["seal"], ""));
    std::fs::remove_file(key_path(&project)).expect("removed");
    exec(&project, "two");
    let run = project.annals(["seal"], "");
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("is gone, with which this clone has signed") && run.stderr.contains("--new-key"),
        "{run:?}"
    );
    ok(&project.annals(["seal", "--new-key"], ""));
    let run = project.annals(["verify"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("  two keys  "), "{run:?}");
}

#[test]
fn a_list_of_keys_is_a_plain_file_of_bounded_size() {
    let project = Project::hooked();
    let list = project.path().join("list");
    let refused = |said: &str| {
        let verify = project.annals(["verify", "--require-signed", "--signers", "list"], "");
        assert!(verify.code == Some(3) && verify.stderr.contains("cannot read list"), "{verify:?}");
        assert!(verify.stderr.contains(said), "{verify:?}");
        let import = project.annals(["trust", "import", "list"], "");
        assert!(import.code == Some(3) && import.stderr.contains(said), "{import:?}");
    };
    refused("not found");
    rustix::fs::mknodat(rustix::fs::CWD, &list, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).expect("a pipe");
    refused("name a plain file");
    for target in ["/dev/zero", "large", "bytes"] {
        std::fs::remove_file(&list).expect("removed");
        std::os::unix::fs::symlink(target, &list).expect("linked");
        match target {
            "large" => {
                let file = std::fs::File::create(project.path().join(target)).expect("made");
                file.set_len(17 << 20).expect("sparse");
                refused("at most 16777216");
            }
            "bytes" => {
                std::fs::write(project.path().join(target), [0xff, 0xfe]).expect("written");
                refused("it is no text");
            }
            _ => refused("name a plain file"),
        }
    }
}
