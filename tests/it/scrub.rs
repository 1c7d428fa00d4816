//! A leaked value, taken out: of lines, keys, titles, blobs, the archive, views, and what was torn off or waits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::program::{Project, Run};
use crate::repo::{Merge, Repo};

const VALUE: &str = "zebra-quagga-0451";

/// The value as it stands in a string of JSON in a string of JSON, with an escape before it.
const NESTED: &str = r#"{\"list\":[\"\\nzebra-quagga-0451\"]}"#;

fn at(project: &Project, time: &str, arguments: &[&str]) -> String {
    let mut command = project.command(arguments);
    command.env("ANNALS_NOW", time).env("ANNALS_SEED", time);
    let run = crate::program::run(command, "");
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.stdout.trim().to_owned()
}

fn call(project: &Project, time: &str, input: &str, more: &[&str]) -> String {
    let call = ["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input", input];
    at(project, time, &[&call, more].concat())
}

/// Values of many kinds, an archive, views, a torn line, a call that has not ended. Returns the first entry.
fn leaked(project: &Project) -> String {
    let first = call(project, "2026-11-01T10:00:00Z", &format!(r#"{{"command":"echo {VALUE}"}}"#), &[]);
    let session = at(project, "2026-11-02T10:00:00Z", &["session", "start", &format!("deploy with {VALUE}")]);
    let keyed = format!(r#"{{"env":{{"{VALUE}":1}},"text":"{NESTED}"}}"#);
    let (file, tag, error) = (format!("src/{VALUE}.rs"), format!("t-{VALUE}"), format!("failed at {VALUE}"));
    let more = ["--file", &file, "--tag", &tag, "--failed", "--error", &error, "--agent", VALUE];
    call(project, "2026-11-02T10:02:00Z", &keyed, &more);
    project.write("big", &format!("{}{VALUE}{}", "x".repeat(190), "y".repeat(50_000)));
    call(project, "2026-11-02T10:03:00Z", r#"{"command":"cat big"}"#, &["--output", "@big"]);
    at(project, "2026-11-02T10:04:00Z", &["session", "complete", &session]);
    at(project, "2026-11-02T10:05:00Z", &["archive", "--before", "2026-11-02"]);
    at(project, "2026-11-02T10:06:00Z", &["render"]);
    let day = ".context/history/2026-11-02.jsonl";
    project.write(day, &format!("{}{{\"id\":\"torn {VALUE}", project.read(day)));
    call(project, "2026-11-02T10:07:00Z", r#"{"command":"true"}"#, &[]);
    project.write(".context/local/calls/a-b.json", &format!(r#"{{"entry":{{"input":"{VALUE}"}}}}"#));
    first
}

/// The files in which a text stands, packed ones unpacked.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holding(&path, text));
            continue;
        }
        let bytes = fs::read(&path).expect("read");
        let packed = path.extension().is_some_and(|ending| ending == "zst");
        let bytes = if packed { zstd::decode_all(bytes.as_slice()).expect("unpacked") } else { bytes };
        if String::from_utf8_lossy(&bytes).contains(text) || path.to_string_lossy().contains(text) {
            found.push(path);
        }
    }
    found
}

fn scrub(project: &Project, arguments: &[&str]) -> Run {
    let mut command = project.command([&["scrub"], arguments, &["--yes"]].concat());
    command.env("USER", "ann");
    crate::program::run(command, "")
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let run = project.annals([arguments, &["--json"]].concat(), "");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

#[test]
fn a_leaked_value_is_gone_from_everywhere() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = leaked(&project);
    assert_eq!(holding(&project.context(), VALUE).len(), 8, "{:#?}", holding(&project.context(), VALUE));
    let run = scrub(&project, &[&entry, "operation.input.command", "--part", VALUE]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "the views were written anew (3 files)\n"));
    assert_eq!(holding(&project.context(), VALUE), Vec::<PathBuf>::new());
    let verified = project.annals(["verify", "--blobs"], "");
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    assert!(verified.stdout.contains("by user, confirmed by ann"), "{}", verified.stdout);
    let replayed = project.annals(["replay", "--all"], "");
    assert_eq!(replayed.stdout, "10 lines, 6 decisions: 4 matched, 0 differed\npassed over: 2 scrubbed\n");
    let waiting = project.read(".context/local/calls/a-b.json");
    assert_eq!(waiting, r#"{"entry":{"input":"[SCRUBBED]"}}"#);
}

#[test]
fn a_fold_without_caches_gives_the_same_after_a_scrub() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = leaked(&project);
    scrub(&project, &[&entry, "operation.input.command", "--part", VALUE]);
    let hash = |more: &[&str]| project.annals([&["state", "--hash"], more].concat(), "").stdout;
    assert_eq!(hash(&[]), hash(&["--fresh"]));
    assert!(!hash(&[]).is_empty());
}

#[test]
fn who_says_why_may_name_the_value() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = call(&project, "2026-11-01T10:00:00Z", &format!(r#"{{"{VALUE}":"{VALUE}"}}"#), &[]);
    let path = format!("operation.input.{VALUE}");
    let run = scrub(&project, &[&entry, &path, "--reason", &format!("{VALUE} was in a ticket")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(holding(&project.context(), VALUE), Vec::<PathBuf>::new());
    let command = project.last().operation.input.value()["command"].clone();
    assert_eq!(command["reason"], "[SCRUBBED] was in a ticket");
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}

#[test]
fn the_structure_of_lines_stays_whatever_word_is_taken_out() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = call(&project, "2026-11-01T10:00:00Z", r#"{"a":"operation 2026 success","operation":"2026"}"#, &[]);
    for word in ["2026", "operation", "success"] {
        let run = scrub(&project, &[&entry, "operation.input", "--part", word]);
        assert_eq!(run.code, Some(0), "{word}: {}", run.stderr);
    }
    let first = project.entries().remove(1);
    assert_eq!(first.operation.input.value()["a"], "[SCRUBBED] [SCRUBBED] [SCRUBBED]");
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}

#[test]
fn escapes_hide_nothing() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = call(&project, "2026-11-01T10:00:00Z", r#"{"a":"one/two three"}"#, &[]);
    let day = ".context/history/2026-11-02.jsonl";
    let line = project.read(".context/history/2026-11-01.jsonl").replace(&entry, "01M6B8TE807W710BW29113ZHPF");
    let end = line.find(r#","extensions""#).expect("extensions");
    let foreign = |escaped: &str| line[..end].replace("one/two three", escaped) + "}\n";
    project.write(day, &foreign(r"one\/two three"));
    project.write(".context/history/2026-11-03.jsonl", &foreign(r"\u006fne/two thre\u0065").replace("HPF", "HPG"));
    let run = scrub(&project, &[&entry, "operation.input.a"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let inputs: Vec<_> = project.entries().iter().map(|entry| entry.operation.input.value()["a"].clone()).collect();
    assert_eq!(inputs[1..4], ["[SCRUBBED]", "[SCRUBBED]", "[SCRUBBED]"]);
}

#[test]
fn an_id_stays_and_is_named() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let record = ["record", "--type", "user_input", "--name", "prompt", "--session", VALUE, "--input"];
    let text = format!(r#"{{"text":"{VALUE}"}}"#);
    let entry = at(&project, "2026-11-01T10:00:00Z", &[&record[..], &[&text]].concat());
    let run = scrub(&project, &[&entry, "operation.input.text"]);
    assert_eq!(run.code, Some(0));
    let said = "still there, in an id, a setting, a damaged line or a binary file: history/2026-11-01.jsonl:1\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(project.entries()[1].operation.input.value()["text"], "[SCRUBBED]");
}

#[test]
fn what_cannot_be_taken_out_is_refused_and_changes_nothing() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = call(&project, "2026-11-01T10:00:00Z", r#"{"n":1,"text":"abc","list":["alpha"]}"#, &[]);
    let before = project.entries();
    let said = |path: &str, more: &[&str]| {
        let run = scrub(&project, &[&[entry.as_str(), path], more].concat());
        (run.code, run.stderr.lines().next().unwrap_or_default().to_owned())
    };
    let not_text = "holds no text: name the text in it that leaked with its own path, or with --part";
    assert_eq!(said("operation.input", &[]), (Some(3), format!("annals: operation.input {not_text}")));
    assert_eq!(said("operation.input.n", &[]), (Some(3), format!("annals: operation.input.n {not_text}")));
    let nothing = |path: &str| (Some(1), format!("refused: no line holds a value at {path} of {entry}"));
    assert_eq!(said("operation.input.x", &[]), nothing("operation.input.x"));
    assert_eq!(said("operation.input.list.0", &["--part", "beta"]), nothing("operation.input.list.0"));
    assert_eq!(said("operation.input.text", &[]).0, Some(3), "too short");
    let structure = "refused: timestamp is part of the entry's structure and stays".to_owned();
    assert_eq!(said("timestamp", &[]), (Some(1), structure));
    assert_eq!(project.entries(), before);
}

#[test]
fn a_merge_of_segments_brings_no_scrubbed_value_back() {
    let (left, right) = two_clones();
    for repo in [&left, &right] {
        let context = repo.project.context();
        let annals = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
            command.args(arguments).current_dir(repo.project.folder()).env_clear();
            let output = command.env("PATH", "/usr/bin:/bin").env("USER", "ann").output().expect("run");
            crate::program::ended(&output)
        };
        let verified = annals(&["verify"]);
        assert_eq!((verified.code, verified.stdout.matches("a merge has brought it back").count()), (Some(0), 0));
        assert_eq!(annals(&["replay", "--all"]).code, Some(0));
        assert!(!holding(&context.join("history"), VALUE).is_empty());
    }
}

/// A base with the value in two lines; one side scrubs it, the other says it again. Merged both ways round.
fn two_clones() -> (Repo, Repo) {
    let left = Repo::new();
    let annals = |repo: &Repo, time: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(arguments).current_dir(repo.project.folder()).env_clear().env("PATH", "/usr/bin:/bin");
        let output = command.env("ANNALS_NOW", time).env("ANNALS_SEED", time).output().expect("run");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    annals(&left, "2026-11-20T09:00:00Z", &["init", "--clock", "given"]);
    let call = ["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input"];
    let echo = format!(r#"{{"command":"echo {VALUE}"}}"#);
    let entry = annals(&left, "2026-11-20T10:00:00Z", &[&call[..], &[&echo]].concat());
    let session = annals(&left, "2026-11-20T10:01:00Z", &["session", "start", &format!("with {VALUE}")]);
    left.commit("base");
    let right = left.cloned();
    annals(&left, "2026-11-20T11:00:00Z", &["session", "suspend", &session]);
    let path = ["scrub", &entry, "operation.input.command", "--part", VALUE, "--yes"];
    annals(&left, "2026-11-20T11:01:00Z", &path);
    left.commit("scrubbed");
    let again = format!(r#"{{"command":"again {VALUE}"}}"#);
    annals(&right, "2026-11-20T11:00:30Z", &[&call[..], &[&again]].concat());
    annals(&right, "2026-11-20T11:00:40Z", &["session", "complete", &session]);
    right.commit("right");
    right.fetch(&left, "left");
    left.fetch(&right, "right");
    assert_eq!((left.merge("right"), right.merge("left")), (Merge::Clean, Merge::Clean));
    assert_eq!(left.project.fresh_hash(), right.project.fresh_hash());
    (left, right)
}

#[test]
fn what_would_be_done_is_said_and_not_done() {
    let project = Project::given("2026-10-31T09:00:00Z");
    let entry = leaked(&project);
    let before = project.read(".context/history/2026-11-02.jsonl");
    let found = json(&project, &["scrub", &entry, "operation.input.command", "--part", VALUE, "--dry-run"]);
    let lines: usize =
        found["lines"].as_object().into_iter().flatten().map(|(_, ids)| ids.as_array().map_or(0, Vec::len)).sum();
    assert_eq!((lines, found["blobs"].as_array().map(Vec::len), &found["recorded"]), (5, Some(1), &Value::Null));
    assert_eq!(project.read(".context/history/2026-11-02.jsonl"), before);
    let run = project.annals(["scrub", &entry, "operation.input.command", "--part", VALUE], "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), "annals: a scrub must be confirmed: give --yes\n"));
}

/// A decision is a line, too, and a line has a bound.
#[test]
fn a_value_in_many_lines_is_scrubbed_by_several_decisions() {
    const LINES: usize = 10_010;
    let project = Project::given("2026-10-31T09:00:00Z");
    let line = format!(r#"{{"operation":{{"type":"note","name":"n","output":"{VALUE}","success":true}}}}"#);
    let run = project.annals(["record", "--stdin"], &format!("{line}\n").repeat(LINES));
    assert_eq!(run.code, Some(0), "{run:?}");
    project.done(&format!("scrub --value {VALUE} --yes"));
    assert_eq!(holding(project.path(), VALUE), Vec::<PathBuf>::new());
    let decisions = project.done("log --name history.entry.scrub --json");
    assert_eq!(decisions.lines().count(), 2);
    assert!(decisions.lines().all(|line| line.len() < 8 << 20));
    project.done("verify");
    project.done("replay --all");
}

#[test]
fn a_setting_whose_value_was_scrubbed_stays_and_is_named() {
    let project = Project::given("2026-10-31T09:00:00Z");
    project.done("config set sanity.preset light");
    project.done("record --type note --name n --output the_light_key");
    let run = project.annals(["scrub", "--value", "light", "--yes"], "");
    assert!(run.code == Some(0) && run.stderr.contains("a setting of config.toml"), "{run:?}");
    project.done("verify");
    assert!(project.read(".context/config.toml").contains("preset = \"light\""));
    assert!(!project.done("log --json").contains("light"));
}

#[test]
fn what_git_and_this_clone_read_in_files_of_ours_stays_and_is_named() {
    let project = Project::given("2026-10-31T09:00:00Z");
    project.done("config set sanitization.patterns.api_keys false");
    let files = [".gitignore", ".gitattributes", "local/settings"].map(|name| format!(".context/{name}"));
    let before = files.each_ref().map(|name| project.read(name));
    for (word, file) in [("local", ".gitignore"), ("union", ".gitattributes"), ("api_keys", "local/settings")] {
        project.done(&format!("record --type note --name n --output the_{word}_key"));
        let run = project.annals(["scrub", "--value", word, "--yes"], "");
        assert!(run.code == Some(0) && run.stderr.contains(&format!("of {file}\n")), "{run:?}");
    }
    assert_eq!(files.each_ref().map(|name| project.read(name)), before);
    project.done("verify");
    assert_eq!(project.done("config get sanitization.patterns.api_keys").trim(), "false");
}

#[test]
fn a_binary_file_of_a_persons_stays_whole_and_is_named() {
    let project = Project::given("2026-10-31T09:00:00Z");
    project.done(&format!("record --type note --name n --output {VALUE}"));
    let files =
        [("memory/own.sqlite", format!("SQLite\0{VALUE}\0")), ("scratchpad/own.bin", format!("\u{1}\0{VALUE}"))];
    for (name, bytes) in &files {
        project.write(&format!(".context/{name}"), bytes);
    }
    let run = project.annals(["scrub", "--value", VALUE, "--yes"], "");
    for (name, bytes) in &files {
        assert!(run.code == Some(0) && run.stderr.contains(&format!("the bytes of {name}")), "{run:?}");
        assert_eq!(project.read(&format!(".context/{name}")), *bytes);
    }
}

#[test]
fn a_scrub_takes_no_file_away_that_a_person_put_among_the_views() {
    let project = Project::given("2026-10-31T09:00:00Z");
    project.done("session start Goal_one");
    project.done(&format!("record --type note --name n --output {VALUE}"));
    project.done("render");
    let own = ["history/sessions/mine.md", "history/summaries/mine.md", "canon/mine.md"];
    for name in own {
        project.write(&format!(".context/{name}"), &format!("mine, with {VALUE}\n"));
    }
    project.done(&format!("scrub --value {VALUE} --yes"));
    for name in own {
        assert_eq!(project.read(&format!(".context/{name}")), "mine, with [SCRUBBED]\n", "{name}");
    }
    assert_eq!(holding(project.path(), VALUE), Vec::<PathBuf>::new());
}
