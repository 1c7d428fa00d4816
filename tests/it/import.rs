//! `annals import` on sessions that we wrote: each kind, the ways in which files are mangled, and where agents keep
//! their own. `archive` has the same on real ones.

use std::collections::BTreeMap;

use annals::import::Kind;
use annals::kernel::entry::HistoryEntry;
use serde_json::{Value, json};

use crate::program::{Project, Run};

/// A line of Claude Code at this second.
fn claude(second: u32, kind: &str, message: &Value) -> String {
    json!({
        "type": kind, "uuid": format!("u{second}"), "sessionId": "s1", "cwd": "/home/ada/engine", "version": "2.1.80",
        "timestamp": format!("2026-01-01T00:00:{second:02}.000Z"), "message": message,
    })
    .to_string()
}

/// A session: asked, called, answered, said.
fn session() -> Vec<String> {
    let call =
        json!([{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/home/ada/engine/a.rs"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "fn main() {}"}]);
    let usage = json!({"input_tokens": 9, "output_tokens": 4});
    vec![
        claude(1, "user", &json!({"role": "user", "content": "read it"})),
        claude(2, "assistant", &json!({"id": "m1", "model": "opus", "content": call, "usage": usage})),
        claude(3, "user", &json!({"role": "user", "content": result})),
        claude(
            4,
            "assistant",
            &json!({"id": "m2", "model": "opus", "content": [{"type": "text", "text": "It is empty."}]}),
        ),
    ]
}

/// A small source of every kind, and its name.
fn sources() -> [(&'static str, &'static str, String); 8] {
    let codex = r#"{"timestamp":"2026-01-01T00:00:01.000Z","type":"session_meta","payload":{"id":"c1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/ada/engine"}}
{"timestamp":"2026-01-01T00:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"fix it"}}"#;
    let copilot = r#"{"type":"session.start","id":"e1","timestamp":"2026-01-01T00:00:00.000Z","data":{"sessionId":"p1","context":{"cwd":"/home/ada/engine"}}}
{"type":"user.message","id":"e2","timestamp":"2026-01-01T00:00:01.000Z","data":{"content":"fix it"}}"#;
    let gemini = r#"{"sessionId":"g1","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","messages":[{"id":"m1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":"fix it"}]}"#;
    let lines = r#"{"sessionId":"g2","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z"}
{"id":"m1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"fix it"}]}"#;
    let swe = r#"{"environment":"e","trajectory":[{"action":"ls","observation":"a.rs","thought":"look","response":"look"}],"history":[{"role":"user","content":"fix it","agent":"main"}],"info":{"exit_status":"submitted"}}"#;
    let hands = r#"[{"id":0,"timestamp":"2026-01-01T00:00:00","source":"user","action":"message","args":{"content":"fix it"}}]"#;
    let aider = "# aider chat started at 2026-01-01 00:00:00\n\n#### fix it  \n\nDone.\n";
    [
        ("claude-code", "a", session().join("\n")),
        ("codex", "b", codex.to_owned()),
        ("copilot-cli", "c", copilot.to_owned()),
        ("gemini-cli", "d", gemini.to_owned()),
        ("gemini-cli", "e", lines.to_owned()),
        ("swe-agent", "f", swe.to_owned()),
        ("openhands", "g", hands.to_owned()),
        ("aider", "h", aider.to_owned()),
    ]
}

fn import(project: &Project, arguments: &[&str]) -> Value {
    let run = project.annals(["--json", "import"].iter().chain(arguments), "");
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// What was recorded, by name, without the lines and files that it came from.
fn recorded(project: &Project) -> Vec<HistoryEntry> {
    let mut entries = project.entries();
    for entry in &mut entries {
        entry.annals.link = None;
        if let Some(source) = &mut entry.annals.source {
            (source.line, source.file) = (None, None);
        }
    }
    entries.sort_by_key(|entry| entry.id);
    entries
}

/// What an import of these bytes records, and what it says.
fn of_bytes(bytes: &[u8]) -> (Vec<HistoryEntry>, Value) {
    let project = Project::new();
    std::fs::write(project.path().join("a.jsonl"), bytes).expect("written");
    let report = import(&project, &["a.jsonl"]);
    (recorded(&project), report)
}

fn of_kind(kind: Kind) -> usize {
    sources().iter().filter(|(name, _, _)| *name == kind.as_str()).count()
}

#[test]
fn a_folder_of_every_kind_is_imported_once() {
    let project = Project::new();
    for (_, name, text) in sources() {
        project.write(&format!("kept/{name}"), &text);
    }
    project.write("kept/notes.txt", "nothing");
    let dry = import(&project, &["--dry-run", "kept"]);
    assert!(project.entries().is_empty());
    let mut first = import(&project, &["kept"]);
    // What was learnt stands in the log, and a dry run writes none of it.
    assert_eq!(first["learnt"].take()["sessions"], 8);
    assert_eq!(dry, first);
    let files: BTreeMap<_, _> = Kind::ALL.iter().map(|kind| (kind.as_str(), of_kind(*kind))).collect();
    let without: Vec<_> = files.iter().filter(|(_, count)| **count == 0).map(|(kind, _)| kind).collect();
    assert!(without.is_empty(), "`sources()` in tests/it/import.rs has no source of these kinds: {without:?}");
    assert_eq!((&first["files"], &first["no_transcripts"]), (&json!(files), &json!(1)));
    let again = import(&project, &["kept"]);
    assert_eq!((&again["added"], &again["known"]), (&json!(0), &first["added"]));
    for check in [&["verify"][..], &["replay", "--all"]] {
        assert_eq!(project.annals(check, "").code, Some(0), "{check:?}");
    }
    let sessions = project.annals(["session", "list"], "").stdout;
    let asking = sources().iter().filter(|(_, _, text)| text.contains("fix it")).count();
    assert_eq!(sessions.lines().filter(|line| line.contains("fix it")).count(), asking, "{sessions}");
}

/// Nothing that the log keeps beside its lines may be needed to know them again: an import may have been killed.
#[test]
fn what_no_checkpoint_knows_is_not_imported_again() {
    let project = Project::new();
    let lines = session();
    project.write("a.jsonl", &lines[..2].join("\n"));
    import(&project, &["a.jsonl"]);
    let marks = project.read(".context/local/marks");
    project.write("a.jsonl", &lines.join("\n"));
    let whole = import(&project, &["a.jsonl"]);
    std::fs::remove_dir_all(project.context().join("local/checkpoint")).expect("there is one");
    project.write(".context/local/marks", &marks);
    let again = import(&project, &["a.jsonl"]);
    assert_eq!(
        (&again["added"], number(&again["known"])),
        (&json!(0), number(&whole["added"]) + number(&whole["known"]))
    );
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn a_file_is_known_by_its_content_and_refused_where_it_is_none() {
    let project = Project::new();
    for (kind, _, text) in sources() {
        project.write("unnamed", &text);
        assert_eq!(import(&project, &["--dry-run", "unnamed"])["files"], json!({ kind: 1 }));
    }
    let refused = |text: &str| -> Run {
        project.write("unnamed", text);
        project.annals(["import", "unnamed"], "")
    };
    let run = refused(r#"{"id":"1","issue_type":"bug"}"#);
    assert_eq!(run.code, Some(3));
    assert!(
        run.stderr.contains("is a tracker of beads (for `annals issue import beads`), which cannot be imported"),
        "{run:?}"
    );
    assert_eq!(refused("words").code, Some(3));
    assert_eq!(project.annals(["import", "vim", "unnamed"], "").code, Some(2));
}

#[test]
fn a_longer_snapshot_adds_exactly_what_is_new() {
    let lines = session();
    let whole = of_bytes(lines.join("\n").as_bytes()).0;
    for end in 1..lines.len() {
        let project = Project::new();
        project.write("a.jsonl", &lines[..end].join("\n"));
        let short = import(&project, &["a.jsonl"]);
        project.write("a.jsonl", &lines.join("\n"));
        let long = import(&project, &["a.jsonl"]);
        assert_eq!(long["known"], short["added"], "{end} lines");
        assert_eq!(recorded(&project), whole, "{end} lines");
    }
}

#[test]
fn a_mangled_file_gives_what_is_whole_in_it() {
    let lines = session();
    let (whole, report) = of_bytes(lines.join("\n").as_bytes());
    assert_eq!((whole.len(), &report["passed_over"]), (5, &json!({})));
    let damaged = |line: u32, count: u32| json!({"damaged: not JSON": {"count": count, "first_file": "a.jsonl", "first_line": line}});
    let joined = lines.join("\n");
    let same: [(&str, Vec<u8>, Value); 6] = [
        ("glued", lines.join("").into(), json!({})),
        ("BOM and CRLF", ["\u{FEFF}", &lines.join("\r\n")].concat().into(), json!({})),
        ("blank lines", lines.join("\n\n\n").into(), json!({})),
        ("NUL at the end", [joined.as_bytes(), b"\n", &[0; 512]].concat(), damaged(5, 1)),
        (
            "no objects",
            [&joined, "\nnull\n42\n"].concat().into(),
            json!({"JSON, but not an object": {"count": 2, "first_file": "a.jsonl", "first_line": 5}}),
        ),
        (
            "doubled",
            [&joined, "\n", &joined].concat().into(),
            json!({"the same record again": {"count": 4, "first_file": "a.jsonl", "first_line": 5}}),
        ),
    ];
    for (name, bytes, passed) in same {
        let (entries, report) = of_bytes(&bytes);
        assert_eq!((entries == whole, &report["passed_over"]), (true, &passed), "{name}");
    }
    let torn = [&lines[0][..40], &lines[1..].join("\n")].join("\n");
    assert_eq!(of_bytes(torn.as_bytes()).1["passed_over"], damaged(1, 1));
    let cut = of_bytes(&joined.as_bytes()[..joined.len() - 10]);
    assert_eq!((cut.0.len(), &cut.1["passed_over"]), (4, &damaged(4, 1)));
    let deep = format!("{joined}\n{{\"type\":\"deep\",\"x\":{}{}}}", "[".repeat(3000), "]".repeat(3000));
    for more in [deep, [&joined, "\n", r#"{"type":"hologram"}"#].concat()] {
        let names = of_bytes(more.as_bytes()).0;
        assert_eq!(names.iter().filter(|entry| &*entry.operation.name == "import_note").count(), 1);
        assert_eq!(names.len(), 6);
    }
}

#[test]
fn bytes_that_are_not_utf8_are_marked() {
    let mut bytes = session().join("\n").into_bytes();
    let at = bytes.windows(5).position(|window| window == b"empty").expect("there");
    bytes[at] = 0xFF;
    let (entries, report) = of_bytes(&bytes);
    assert_eq!((entries.len(), &report["passed_over"]), (5, &json!({})));
    let said = |entry: &HistoryEntry| entry.operation.input.text().contains("\u{FFFD}mpty");
    assert_eq!(entries.iter().filter(|entry| said(entry)).count(), 1);
}

#[test]
fn what_is_passed_over_is_told_by_reason_file_and_line() {
    let project = Project::new();
    project.write("a.jsonl", &[session().join("\n"), "null".to_owned(), "{\"cut".to_owned()].join("\n"));
    let told = project.annals(["import", "a.jsonl"], "").stdout;
    assert_eq!(
        told,
        "1 claude-code: 1 session\n\
         5 entries added\n         \
                1  call\n         \
                1  message\n         \
                1  prompt\n         \
                1  session_start\n         \
                1  usage\n\
         records that make no entry:\n         \
                1  damaged: not JSON (first: a.jsonl, line 6)\n         \
                1  JSON, but not an object (first: a.jsonl, line 5)\n"
    );
}

#[test]
fn a_secret_does_not_reach_the_log() {
    let secret = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let (entries, _) = of_bytes(session().join("\n").replace("It is empty.", &secret).as_bytes());
    let text: String = entries.iter().map(|entry| entry.operation.input.text()).collect();
    assert!(!text.contains(&secret) && text.contains("REDACTED"), "{text}");
}

#[test]
fn sessions_of_this_project_are_found_where_agents_keep_them() {
    let project = Project::new();
    let here = project.path().canonicalize().expect("it is there").to_string_lossy().into_owned();
    let moved = |text: &str| text.replace("/home/ada/engine", &here);
    let hash = annals::kernel::json::sha256_hex(here.as_bytes());
    let [claude, codex, copilot, gemini, lines, ..] = sources().map(|(_, _, text)| text);
    for (path, text) in [
        (".claude/projects/-here/s1.jsonl".to_owned(), moved(&claude)),
        (".claude/projects/-elsewhere/s2.jsonl".to_owned(), claude.replace("s1", "s2")),
        (".codex/sessions/2026/01/01/rollout-1.jsonl".to_owned(), moved(&codex)),
        (".codex/sessions/2026/01/01/rollout-2.jsonl".to_owned(), codex.replace("c1", "c2")),
        (".copilot/session-state/p1/events.jsonl".to_owned(), moved(&copilot)),
        (format!(".gemini/tmp/{hash}/chats/session-1.json"), gemini.clone()),
        (format!(".gemini/tmp/{hash}/chats/session-2.jsonl"), lines),
        (".gemini/tmp/elsewhere/chats/session-3.json".to_owned(), gemini.replace("g1", "g3")),
    ] {
        project.write(&format!("home/{path}"), &text);
    }
    let report = import(&project, &["--discover"]);
    let files = json!({"claude-code": 1, "codex": 1, "copilot-cli": 1, "gemini-cli": 2});
    assert_eq!((&report["files"], report["sessions"].as_array().map(Vec::len)), (&files, Some(5)));
    assert_eq!(import(&project, &["--discover"])["added"], 0);
    let elsewhere = Project::new();
    assert_eq!(import(&elsewhere, &["--discover"])["files"], json!({}));
}

/// Two records of a type that no version of ours knows, of a tool that is newer than any tested.
fn news() -> String {
    let lines = session().join("\n").replace("2.1.9", "9.9.9");
    let hologram = |n: u32| {
        format!(r#"{{"type":"hologram","n":{n},"sessionId":"ses-1","version":"9.9.9","text":"my own words"}}"#)
    };
    [lines, hologram(1), hologram(2)].join("\n")
}

#[test]
fn records_of_unknown_types_are_counted_and_told_once() {
    let project = Project::new();
    project.write("a.jsonl", &news());
    let first = import(&project, &["a.jsonl"]);
    let types = &first["unknown_types"]["claude-code"]["hologram"];
    assert_eq!((&types["count"], number(&types["bytes"]) > 100), (&json!(2), true), "{first}");
    let told = project.annals(["import", "--dry-run", "a.jsonl"], "").stdout;
    assert!(
        told.contains("records of types that are not known, only counted:\n         2  hologram of claude-code ("),
        "{told}"
    );
    let again = import(&project, &["a.jsonl"]);
    assert_eq!((&again["added"], &again["known"]), (&json!(0), &first["added"]));
    let entries = project.entries();
    assert!(!format!("{entries:?}").contains("my own words"));
    let notes: Vec<_> = entries.iter().filter(|entry| &*entry.operation.name == "import_note").collect();
    assert_eq!(notes.len(), 1);
    let input = notes[0].operation.input.value();
    assert_eq!((&input["version"], &input["file"]), (&json!("9.9.9"), &json!("a.jsonl")));
    assert_eq!(input["records"]["hologram"]["count"], 2);
    let doctor = project.annals(["doctor"], "").stdout;
    let says = "claude-code 9.9.9 (tested up to 2.1.330) wrote types that are not known: hologram 2 (";
    assert!(doctor.contains(says), "{doctor}");
}

#[test]
fn records_of_unknown_types_are_kept_where_a_person_wants_that() {
    let project = Project::new();
    assert_eq!(project.annals(["config", "set", "import.keep_unknown", "true"], "").code, Some(0));
    project.write("a.jsonl", &news());
    let report = import(&project, &["a.jsonl"]);
    assert_eq!(report["by_name"]["unknown_record"], 2, "{report}");
    let note = project.entries().into_iter().find(|entry| &*entry.operation.name == "import_note").expect("a note");
    assert_eq!(note.operation.input.value()["kept"], true);
}

#[test]
fn a_line_of_the_log_is_no_deeper_than_jq_reads() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let call = format!(
        r#"{{"type":"assistant","uuid":"d1","sessionId":"ses-1","timestamp":"2026-01-01T00:00:10.000Z","message":{{"id":"m9","model":"m","content":[{{"type":"tool_use","id":"t9","name":"Deep","input":{{"x":{},"y":[1]}}}}]}}}}"#,
        deep(400)
    );
    let result = format!(
        r#"{{"type":"user","uuid":"d2","sessionId":"ses-1","timestamp":"2026-01-01T00:00:11.000Z","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t9","content":"ok"}}]}},"toolUseResult":{{"a":{}}}}}"#,
        deep(300)
    );
    let (entries, _) = of_bytes([session().join("\n"), call, result].join("\n").as_bytes());
    let entry = entries.iter().find(|entry| &*entry.operation.name == "Deep").expect("the call");
    assert_eq!(entry.operation.input.value(), json!({ "x": deep(400), "y": [1] }));
    assert_eq!(
        entry.operation.output.as_ref().map(annals::kernel::json::Json::value),
        Some(json!(format!("{{\"a\":{}}}", deep(300))))
    );
}
