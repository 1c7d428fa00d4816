//! `annals record`: one entry by flags, many by lines.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};

use crate::program::{Project, ended};

const ID: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn good(name: &str) -> String {
    json!({"operation": {"type": "note", "name": name, "success": true}}).to_string()
}

#[test]
fn one_entry_by_flags() {
    let project = Project::new();
    project.write("out.json", r#"{"rows": 3}"#);
    let run = project.annals(
        [
            "record", "--type", "tool_call", "--name", "query", "--input", r#"{"sql":"select"}"#, "--output",
            "@out.json", "--agent", "coder", "--model", "m-1", "--tag", "db", "--tag", "slow", "--file", "a.sql",
            "--duration-ms", "12", "--error", "timed out",
        ],
        "",
    );
    let entry = project.last();
    assert_eq!((run.code, run.stdout), (Some(0), format!("{}\n", entry.id)), "{}", run.stderr);
    let line: Value = serde_json::from_str(&entry.to_line()).expect("JSON");
    assert_eq!(
        line["operation"],
        json!({
            "type": "tool_call", "name": "query", "input": {"sql": "select"}, "output": {"rows": 3},
            "duration_ms": 12, "success": false, "error": "timed out",
        })
    );
    assert_eq!(line["provenance"], json!({"agent_id": "coder", "model_id": "m-1"}));
    assert_eq!(line["metadata"], json!({"tags": ["db", "slow"], "files_touched": ["a.sql"]}));
    assert_eq!(line["session_id"], "record");
}

#[test]
fn lines_are_taken_together_or_not_at_all() {
    let project = Project::new();
    let lines = format!("{}\n\n{{\"operation\":{{}}}}\nno JSON\n{}\n", good("a"), good("b"));
    let run = project.annals(["record"], &lines);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        run.stderr,
        "line 3: operation.type: is missing\nline 4: damaged: not JSON\n\
         nothing was recorded; --keep-going records the good lines\n"
    );
    assert_eq!(project.entries(), []);
    let run = project.annals(["record", "--stdin", "--keep-going", "--json"], &lines);
    assert_eq!(run.code, Some(1));
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(answer["entries"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["refused"][1], json!({"line": 4, "problem": "damaged: not JSON"}));
    let names: Vec<_> = project.entries().iter().map(|entry| entry.operation.name.to_string()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn an_id_is_kept_and_comes_only_once() {
    let project = Project::new();
    let line = json!({"id": ID, "operation": {"type": "note", "name": "n", "success": true}}).to_string();
    let run = project.annals(["record", "--session", "s"], &line);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "01ARZ3NDEKTSV4RRFFQ69G5FAV\n"));
    let again = project.annals(["record"], &format!("{}\n{line}", good("a")));
    assert_eq!((again.code, again.stdout.as_str()), (Some(1), ""));
    assert!(again.stderr.starts_with("line 2: id: 01ARZ3NDEKTSV4RRFFQ69G5FAV is in the log already\n"), "{again:?}");
    assert_eq!(project.entries().len(), 1);
    assert_eq!(project.last().session_id.as_str(), "s");
}

#[test]
fn the_lines_of_one_log_can_be_given_to_another() {
    let (one, other) = (Project::new(), Project::new());
    one.annals(["record"], &format!("{}\n{}\n", good("a"), good("b")));
    let lines: Vec<_> = one.entries().iter().map(annals::kernel::entry::HistoryEntry::to_line).collect();
    assert_eq!(other.annals(["record"], &lines.join("\n")).code, Some(0));
    let (ours, theirs) = (one.entries(), other.entries());
    let ids =
        |entries: &[annals::kernel::entry::HistoryEntry]| entries.iter().map(|entry| entry.id).collect::<Vec<_>>();
    assert_eq!(ids(&ours), ids(&theirs));
    let writer = |entry: &annals::kernel::entry::HistoryEntry| entry.annals.link.clone().expect("a link").writer;
    assert_ne!(writer(&ours[0]), writer(&theirs[0]), "each log has its own chain");
}

#[test]
fn a_wrong_use_is_said_before_anything_is_recorded() {
    let project = Project::new();
    for arguments in [
        &["record", "--name", "n"][..],
        &["record", "--type", "t"],
        &["record", "--type", "t", "--name", "n", "--input", "no"],
        &["record", "--type", "t", "--name", "n", "--input", "[1]"],
        &["record", "--type", "t", "--name", "n", "--stdin"],
        &["record", "--keep-going", "--type", "t", "--name", "n"],
    ] {
        assert_eq!(project.annals(arguments, "").code, Some(2), "{arguments:?}");
    }
    assert_eq!(project.entries(), []);
}

#[test]
fn each_line_is_recorded_as_it_comes() {
    let project = Project::new();
    let mut process = project.start(["record", "--each", "--session", "s"]);
    let mut input = process.stdin.take().expect("a pipe");
    let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
    let mut say = |line: &str| writeln!(input, "{line}").expect("it listens");
    let mut ids = Vec::new();
    for name in ["a", "b"] {
        say(&good(name));
        let mut id = String::new();
        output.read_line(&mut id).expect("it answers before the next line comes");
        assert_eq!(project.last().id.to_string(), id.trim_end());
        ids.push(id);
    }
    say("{\"operation\":{}}");
    say(&good("c"));
    drop(input);
    let run = ended(&process.wait_with_output().expect("ended"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "line 3: operation.type: is missing\n"));
    let names: Vec<_> = project.entries().iter().map(|entry| entry.operation.name.to_string()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}
