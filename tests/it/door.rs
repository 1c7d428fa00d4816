//! The one door to the disk, as a person meets it: what a repository brings, and what is said of it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{Project, Run};

fn record(project: &Project, name: &str) -> Run {
    project.annals(["record", "--type", "tool_call", "--name", name], "")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}

fn git(project: &Project, arguments: &[&str]) {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(project.path())
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("HOME", "/nonexistent")])
        .envs([("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", "a")])
        .env("GIT_COMMITTER_EMAIL", "a@b")
        .output()
        .expect("git is there");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A project with one line, without `local/`, and a folder beside `.context` with a secret.
fn brought() -> Project {
    let project = Project::new();
    assert_eq!(record(&project, "first").code, Some(0));
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    project.write("out/secret.jsonl", "SECRET\n");
    project
}

/// What is said of a link is its name and what to do.
fn assert_named(run: &Run, link: &Path) {
    assert_eq!(run.code, Some(3), "{run:?}");
    let said = format!("{} is a symbolic link", link.display());
    assert!(run.stderr.contains(&said) && run.stderr.contains("remove it"), "{}", run.stderr);
}

#[test]
fn a_link_in_the_history_is_named_and_neither_read_nor_written() {
    let project = brought();
    let link = project.context().join("history/2026-11-19.jsonl");
    symlink("../../out/secret.jsonl", &link).expect("linked");
    for arguments in [&["session", "list"][..], &["record", "--type", "tool_call", "--name", "x"], &["log"]] {
        assert_named(&project.annals(arguments, ""), &link);
    }
    assert_eq!(project.read("out/secret.jsonl"), "SECRET\n");
    fs::remove_file(&link).expect("removed");
    assert_eq!(record(&project, "second").code, Some(0));
}

#[test]
fn a_link_in_place_of_a_folder_is_named_and_nothing_is_made_behind_it() {
    for name in ["history", "history/archive"] {
        let project = brought();
        let link = project.context().join(name);
        let _ = fs::remove_dir_all(&link);
        fs::create_dir(project.path().join("out/empty")).expect("made");
        symlink(project.path().join("out/empty"), &link).expect("linked");
        assert_named(&record(&project, "x"), &link);
        assert_eq!(fs::read_dir(project.path().join("out/empty")).expect("a folder").count(), 0);
    }
}

#[test]
fn a_configuration_that_is_a_link_or_a_pipe_is_refused_and_of_a_megabyte_nothing_is_read() {
    let project = brought();
    let path = project.context().join("config.toml");
    fs::remove_file(&path).expect("removed");
    symlink("../out/secret.jsonl", &path).expect("linked");
    let run = project.annals(["session", "list"], "");
    assert!(run.code == Some(3) && run.stderr.contains("symbolic link"), "{run:?}");
    fs::remove_file(&path).expect("removed");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).expect("made");
    let run = project.annals(["session", "list"], "");
    assert!(run.code == Some(3) && run.stderr.contains("named pipe"), "{run:?}");
    fs::remove_file(&path).expect("removed");
    fs::write(&path, "#".repeat(2 << 20)).expect("written");
    let run = project.annals(["session", "list"], "");
    assert!(run.code == Some(0) && run.stderr.contains("bytes are more than the 262144 that are read"), "{run:?}");
}

#[test]
fn a_context_that_its_person_linked_works_and_one_that_git_brought_is_refused() {
    let project = Project::bare();
    fs::create_dir(project.path().join("store")).expect("made");
    symlink("store", project.context()).expect("linked");
    git(&project, &["init", "-q"]);
    assert_eq!(project.annals(["init"], "").code, Some(0));
    assert_eq!(record(&project, "x").code, Some(0), "the link is its person's own");
    git(&project, &["add", ".context"]);
    let run = record(&project, "x");
    assert!(run.code == Some(3) && run.stderr.contains("came with the repository"), "{run:?}");
    let payload = r#"{"session_id":"s","cwd":"/","hook_event_name":"UserPromptSubmit","prompt":"hello"}"#;
    project.annals(["hook", "claude-code"], payload);
    assert!(!project.path().join("store/local/spool").exists(), "nothing is kept behind it");
}

#[test]
fn a_local_folder_that_git_brought_is_set_aside_once_and_nothing_in_it_is_believed() {
    let project = brought();
    project.write(".context/local/spool/0000000000001-a.json", "{\"agent\":\"gemini\"}");
    git(&project, &["init", "-q"]);
    git(&project, &["add", "-f", "."]);
    let run = record(&project, "x");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("local/ was not made here"), "{}", run.stderr);
    assert!(!record(&project, "y").stderr.contains("local/"), "it is said once");
    let local = fs::read_dir(project.context().join("local")).expect("a folder");
    let names: Vec<_> =
        local.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    let aside = names.iter().find(|name| name.starts_with("set-aside-")).expect("kept");
    assert!(project.context().join("local").join(aside).join("spool/0000000000001-a.json").exists());
    assert!(!project.context().join("local/spool/0000000000001-a.json").exists());
    let run = project.annals(["doctor"], "");
    assert!(run.stdout.contains("BAD   local: git tracks files of local/"), "{}", run.stdout);
}

#[test]
fn a_local_folder_of_an_earlier_version_keeps_what_waits_in_it() {
    let project = Project::new();
    fs::remove_file(project.context().join("local/mark")).expect("init sets the mark");
    project.write(".context/local/spool/0000000000001-a.unreadable", "{}");
    let run = record(&project, "x");
    assert!(run.code == Some(0) && !run.stderr.contains("local/"), "{run:?}");
    assert!(project.context().join("local/spool/0000000000001-a.unreadable").exists());
    assert!(project.context().join("local/mark").exists(), "it is adopted");
}

#[test]
fn a_project_that_moves_keeps_its_local_folder_and_a_copy_begins_a_new_one() {
    let project = Project::new();
    assert_eq!(record(&project, "x").code, Some(0));
    let (first, second) = (project.path().join("first"), project.path().join("second"));
    fs::create_dir(&first).expect("made");
    fs::rename(project.context(), first.join(".context")).expect("moved");
    let named = |folder: &Path| {
        let context = folder.join(".context");
        project.annals(["--context", &context.display().to_string(), "record", "--type", "t", "--name", "x"], "")
    };
    let moved = named(&first);
    assert!(moved.code == Some(0) && !moved.stderr.contains("local/"), "{moved:?}");
    let status = Command::new("cp").args(["-a"]).arg(&first).arg(&second).status().expect("cp is there");
    assert!(status.success());
    let copied = named(&second);
    assert!(copied.code == Some(0) && copied.stderr.contains("local/ was not made here"), "{copied:?}");
}

#[test]
fn what_is_made_is_for_its_owner_alone_and_no_command_widens_a_mode() {
    let project = Project::new();
    assert_eq!(record(&project, "x").code, Some(0));
    let context = project.context();
    for folder in ["", "history", "local"] {
        assert_eq!(mode(&context.join(folder)), 0o700, "{folder:?}");
    }
    for (name, _) in project.days() {
        assert_eq!(mode(&context.join("history").join(name)), 0o600);
    }
    assert_eq!(mode(&context.join("config.toml")), 0o600);
    fs::set_permissions(context.join("config.toml"), fs::Permissions::from_mode(0o640)).expect("set");
    assert_eq!(project.annals(["config", "set", "history.inline_bytes", "4096"], "").code, Some(0));
    assert_eq!(mode(&context.join("config.toml")), 0o640);
}

#[test]
fn doctor_says_that_a_checkout_opened_files_to_others_and_how_to_close_them() {
    let project = Project::new();
    assert!(!project.annals(["doctor"], "").stdout.contains("modes"));
    for name in ["", "config.toml"] {
        let path = project.context().join(name);
        let wider = if name.is_empty() { 0o755 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(wider)).expect("set");
    }
    let run = project.annals(["doctor"], "");
    assert!(run.stdout.contains("note  modes: files that other users of this machine may read: 1"), "{}", run.stdout);
    assert_eq!(run.code, Some(0), "it is no failure");
}

#[test]
fn doctor_tries_a_write_before_it_says_that_all_is_well() {
    let project = Project::new();
    let run = project.annals(["doctor"], "");
    assert!(run.stdout.contains("ok    disk: files can be written in history/ and local/"), "{}", run.stdout);
    assert_eq!(fs::read_dir(project.context().join("history")).expect("a folder").count(), 0, "it is removed again");
    fs::remove_dir(project.context().join("history")).expect("removed");
    fs::write(project.context().join("history"), "in the way").expect("written");
    let run = project.annals(["doctor"], "");
    assert_ne!(run.code, Some(0), "{run:?}");
}

#[test]
fn a_gigabyte_of_bad_lines_is_answered_with_a_few_and_a_count() {
    let project = Project::new();
    let run = project.annals(["record", "--stdin"], &"no json\n".repeat(20_000));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.lines().count() < 40 && run.stderr.contains("and 19970 more"), "{}", run.stderr);
    let run = project.annals(["record", "--each"], &"no json\n".repeat(20_000));
    assert!(run.stderr.lines().count() < 40 && run.stderr.contains("and 19970 more"), "{}", run.stderr);
}

/// A line of a writer that has seen so many others, of whom nothing is there.
fn line_that_has_seen(writers: usize) -> String {
    let seen: serde_json::Map<_, _> =
        (0..writers).map(|number| (format!("w{number:07}"), serde_json::json!([5, "1".repeat(32)]))).collect();
    let link = serde_json::json!({ "v": 1, "w": "evilevil", "n": 1, "p": "0".repeat(32), "s": seen });
    let entry = serde_json::json!({
        "id": "01KAGX7J000000000000000007", "timestamp": "2025-11-20T10:00:00.000Z", "session_id": "s",
        "operation": { "type": "tool_call", "name": "read", "input": {}, "output": "x", "success": true },
        "provenance": { "agent_id": "a" }, "metadata": {}, "extensions": { "annals": link },
    });
    entry.to_string() + "\n"
}

#[test]
fn a_line_that_has_seen_thousands_of_missing_writers_is_answered_with_a_few_and_a_count() {
    let project = Project::new();
    let seen = |writers| project.write(".context/history/2025-11-20.jsonl", &line_that_has_seen(writers));
    seen(20);
    let run = project.annals(["verify"], "");
    let named = run.stdout.lines().filter(|line| line.contains("of writer w00000") && line.contains("cannot be found"));
    assert_eq!((run.code, named.count()), (Some(1), 20), "where they are few each is named: {}", run.stdout);
    seen(20_000);
    let run = project.annals(["verify"], "");
    assert!(run.stdout.contains("nothing of 19980 more writers can be found"), "{}", run.stdout);
    assert!(run.stdout.contains("21 findings") && run.stdout.lines().count() < 40, "{}", run.stdout);
    let run = project.annals(["doctor"], "");
    assert!(run.code == Some(1) && run.stdout.contains("findings 21"), "{}", run.stdout);
}

/// The largest part of memory that a command had in use, in kilobytes, as the system counts it while it runs.
#[cfg(target_os = "linux")]
fn peak_kilobytes(
    mut command: Command,
    feed: impl FnOnce(&mut dyn Write) -> std::io::Result<()> + Send + 'static,
) -> u64 {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("a pipe");
    let feeding = std::thread::spawn(move || feed(&mut stdin));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("waited").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        std::thread::yield_now();
    }
    feeding.join().expect("fed").expect("it takes all of it");
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn a_hook_and_exec_take_bounded_memory_whatever_they_are_given() {
    const MOST_KILOBYTES: u64 = 256 << 10;
    let project = Project::new();
    let hook = project.command(["hook", "claude-code"]);
    let peak = peak_kilobytes(hook, |stdin| {
        let head = r#"{"session_id":"s","cwd":"/","hook_event_name":"UserPromptSubmit","prompt":""#;
        stdin.write_all(head.as_bytes())?;
        let part = vec![b'x'; 1 << 20];
        (0..200).try_for_each(|_| stdin.write_all(&part))?;
        stdin.write_all(br#""}"#)
    });
    assert!(peak < MOST_KILOBYTES, "hook: {peak} kB");
    assert!(!project.entries().is_empty(), "the prompt is recorded, cut");
    let exec = project.command(["exec", "--", "head", "-c", "200000000", "/dev/zero"]);
    let peak = peak_kilobytes(exec, |_| Ok(()));
    assert!(peak < MOST_KILOBYTES, "exec: {peak} kB");
}

/// A day that a merge brought: many sessions, of which each takes memory when it is folded.
#[cfg(target_os = "linux")]
fn merge_sessions(project: &Project, count: usize) {
    let mut text = String::new();
    for number in 0..count {
        let line = format!(
            r#"{{"id":"01KAGX7J00{number:016}","timestamp":"2025-11-20T10:00:00.000Z","session_id":"session-{number}-{}","operation":{{"type":"tool_call","name":"read","input":{{}},"output":"x","success":true}},"provenance":{{"agent_id":"a"}},"metadata":{{}},"extensions":{{"annals":{{"v":1,"w":"w0000000","n":{},"p":"00000000000000000000000000000000"}}}}}}"#,
            "x".repeat(200),
            number + 1
        );
        text.push_str(&line);
        text.push('\n');
    }
    project.write(".context/history/2025-11-20.jsonl", &text);
}

/// Without a fresh checkpoint the end of a session is recorded, and nothing is folded for it.
#[test]
#[cfg(target_os = "linux")]
fn a_hook_folds_no_large_history_and_leaves_what_is_due_to_the_next_command() {
    const MOST_KILOBYTES: u64 = 256 << 10;
    let project = Project::hooked();
    merge_sessions(&project, 60_000);
    let end = r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionEnd","reason":"exit"}"#;
    for event in ["UserPromptSubmit", "SessionEnd", "SessionEnd"] {
        let payload = end.replace("SessionEnd", event).replace("reason", "prompt");
        let hook = project.command(["hook", "claude-code"]);
        let peak = peak_kilobytes(hook, move |stdin| stdin.write_all(payload.as_bytes()));
        assert!(peak < MOST_KILOBYTES, "{event}: {peak} kB");
    }
    let said = project.annals(["hook", "claude-code"], end);
    assert_eq!(said.code, Some(0));
    assert!(said.stderr.contains("are not folded yet") && said.stderr.contains("`annals status`"), "{said:?}");
    assert!(!project.context().join("local/checkpoint").exists(), "nothing was folded");
    assert_eq!(fs::read_dir(project.context().join("local/due")).expect("left").count(), 1, "once a session");
    assert_eq!(project.annals(["status"], "").code, Some(0));
    assert_eq!(fs::read_dir(project.context().join("local/due")).expect("a folder").count(), 0);
    let again = project.annals(["hook", "claude-code"], end);
    assert_eq!((again.code, &*again.stderr), (Some(0), ""), "with a fresh checkpoint nothing is left");
}

/// `docs/SECURITY.md` promises nothing that is not tried: each sentence names a test, and each test is there.
#[test]
fn every_sentence_of_the_security_page_is_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/SECURITY.md")).expect("the page");
    let named = regex::Regex::new(r"\[([a-z_:]+)\]").expect("a pattern");
    let mut sources = String::new();
    for folder in ["src", "crates", "tests/it"] {
        for entry in walkdir::WalkDir::new(root.join(folder)).into_iter().filter_map(Result::ok) {
            if entry.path().extension().is_some_and(|end| end == "rs") {
                sources += &fs::read_to_string(entry.path()).expect("a source");
            }
        }
    }
    let mut count = 0;
    for line in page.replace("\n  ", " ").lines().filter(|line| line.starts_with("- ")) {
        let tests: Vec<_> = named.captures_iter(line).map(|found| found[1].to_owned()).collect();
        assert!(!tests.is_empty(), "no test is named by: {line}");
        for test in tests {
            let name = test.rsplit("::").next().unwrap_or(&test);
            assert!(sources.contains(&format!("fn {name}(")), "there is no test {test}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}
