//! Views of a small log, whole, and again after everything but the log was deleted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::domain::issue::decay::Faded;
use crate::domain::issue::status::IssuePriority;
use crate::domain::issue::{self, command as issue_command};
use crate::domain::session::command::{Abort, Complete, Start, Suspend};
use crate::domain::session::{self, Observed, SessionStatus};
use crate::engine::By;
use crate::engine::clock::Clock;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::json::Json;
use crate::kernel::time::Timestamp;
use crate::log::disk::RealDisk;
use crate::log::position::IdSource;

fn open(context: &Path) -> Engine {
    let now = "2026-11-21T03:10:00.123Z".parse().expect("a time");
    Engine::open(Arc::new(RealDisk), context, Clock::new(Some(now), Some("views".to_owned()))).expect("opened")
}

/// One session that was started, worked in and completed, and one that another tool left behind.
fn a_log(context: &Path) -> Engine {
    let engine = open(context);
    let by = |session: &str| By::new("user", session);
    let start = Start { title: Some("Fix the parser".into()), ..Start::default() };
    let started = engine.decide(session::Command::from(start), &Json::empty_object(), &by("new")).expect("decided");
    let id = started.entry.expect("an entry").to_string();
    let call = |session: &str, name: &str, file: &str| {
        let line = json!({
            "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "timestamp": "2026-11-21T03:10:00.123Z", "session_id": session,
            "operation": {"type": "tool_call", "name": name, "input": {"file_path": file}, "success": true, "duration_ms": 5},
            "provenance": {"agent_id": "coder", "model_id": "sonnet"}, "metadata": {"files_touched": [file]},
            "extensions": {"annals": {"usage": {"requests": 1, "input": 10, "output": 5}}},
        });
        HistoryEntry::read(&line.to_string()).expect("an entry")
    };
    engine.record(call(&id, "Edit", "src/a.rs"), IdSource::Minted).expect("recorded");
    engine.record(call("../else/where", "Read", "b"), IdSource::Minted).expect("recorded");
    let summary = Summary {
        title: "Fix the parser".into(),
        body: "## Asked\n\n- Fix it\n".into(),
        entities: vec![Entity { name: "src/a.rs".into(), kind: "file".into(), mentions: 2 }],
    };
    let observed = Json::of(&Observed { summary: Some(summary), model: None });
    let complete = Complete { session: id.as_str().into() };
    engine.decide(session::Command::from(complete), &observed, &by(&id)).expect("decided");
    engine
}

/// Every view with its bytes, by path.
fn views(context: &Path) -> BTreeMap<String, String> {
    let mut views = BTreeMap::new();
    for folder in FOLDERS {
        for file in std::fs::read_dir(context.join(folder)).into_iter().flatten() {
            let path = file.expect("a file").path();
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            views.insert(name, std::fs::read_to_string(path).expect("read"));
        }
    }
    views
}

#[test]
fn views_are_these_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = a_log(folder.path());
    assert_eq!(everything(&engine).expect("rendered"), Rendered { written: 3, ..Rendered::default() });
    let text: Vec<_> = views(folder.path()).iter().map(|(path, text)| format!("=== {path}\n{text}")).collect();
    let text = text.concat();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/view"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("the views of two sessions", text));
}

#[test]
fn what_was_deleted_is_rendered_again_to_the_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    everything(&a_log(folder.path())).expect("rendered");
    let before = views(folder.path());
    for name in ["history/sessions", "history/summaries", "local"] {
        std::fs::remove_dir_all(folder.path().join(name)).expect("removed");
    }
    let engine = open(folder.path());
    assert_eq!(everything(&engine).expect("rendered").written, 3);
    assert_eq!(views(folder.path()), before);
    assert_eq!(everything(&engine).expect("rendered"), Rendered { unchanged: 3, ..Rendered::default() });
}

#[test]
fn a_view_goes_with_its_session() {
    let folder = tempfile::tempdir().expect("a folder");
    everything(&a_log(folder.path())).expect("rendered");
    std::fs::write(folder.path().join("history/2026-11-21.jsonl"), "").expect("written");
    let rendered = everything(&open(folder.path())).expect("rendered");
    assert_eq!(rendered, Rendered { removed: 3, ..Rendered::default() });
    assert_eq!(views(folder.path()), BTreeMap::new());
}

#[test]
fn the_views_of_one_session_are_those_that_all_would_give() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = a_log(folder.path());
    let id = SessionId::from("../else/where");
    assert_eq!(touched(&engine, &Touched::sessions(BTreeSet::from([id]))).expect("rendered").written, 1);
    let one = views(folder.path());
    everything(&engine).expect("rendered");
    let all = views(folder.path());
    assert_eq!(one.keys().collect::<Vec<_>>(), ["history/sessions/%2E.%2Felse%2Fwhere.json"]);
    assert!(one.iter().all(|(name, text)| all.get(name) == Some(text)));
}

/// Sessions in every state: started here, and left behind by another tool.
fn sessions_of_all_kinds(engine: &Engine) {
    let decide = |command: session::Command, of: &str| {
        engine.decide(command, &Json::empty_object(), &By::new("user", of)).expect("decided").entry.expect("an entry")
    };
    let [suspended, completed, aborted, _active] = [(); 4].map(|()| {
        let id = decide(Start::default().into(), "new").to_string();
        SessionId::from(id.as_str())
    });
    decide(Suspend { session: suspended.clone(), reason: None }.into(), suspended.as_str());
    decide(Complete { session: completed.clone() }.into(), completed.as_str());
    decide(Abort { session: aborted.clone(), reason: "late".into() }.into(), aborted.as_str());
    for (session, name) in [("silent", "session_start"), ("ended", "session_start"), ("ended", "session_end")] {
        let line = json!({
            "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "timestamp": "2026-11-21T03:10:00.123Z", "session_id": session,
            "operation": {"type": "system_event", "name": name, "input": {}, "success": true},
            "provenance": {}, "metadata": {},
        });
        let entry = HistoryEntry::read(&line.to_string()).expect("an entry");
        engine.record(entry, IdSource::Minted).expect("recorded");
    }
}

/// What a reader of a view finds at a time: a session that nobody ended has ended after the time that the view says.
fn told_by_view(view: &serde_json::Value, now: Timestamp) -> String {
    let after = view["extensions"]["annals"]["completed_after"].as_str();
    let is_over = after.is_some_and(|after| now > after.parse().expect("a time"));
    if is_over { "completed" } else { view["status"].as_str().expect("a status") }.to_owned()
}

/// A view does not know the time, and still says the same as `session list`.
#[test]
fn views_and_commands_say_the_same_of_every_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    sessions_of_all_kinds(&engine);
    everything(&engine).expect("rendered");
    let views: BTreeMap<String, serde_json::Value> = views(folder.path())
        .into_iter()
        .filter(|(path, _)| path.starts_with(SESSIONS))
        .map(|(_, text)| serde_json::from_str(&text).expect("JSON"))
        .map(|view: serde_json::Value| (view["id"].as_str().expect("an id").to_owned(), view))
        .collect();
    let mut seen = BTreeSet::new();
    for now in
        ["2026-11-21T03:10:00.123Z", "2026-11-21T03:40:00.123Z", "2026-11-21T03:40:00.200Z", "2026-11-22T03:10:00Z"]
    {
        let now: Timestamp = now.parse().expect("a time");
        let looker = Looker::at(now, engine.settings());
        let listed = engine.ask(|world| {
            let sessions = world.rooms.session.sessions.iter();
            sessions.map(|(id, session)| looker.look(world, id, session)).collect::<Vec<_>>()
        });
        for info in listed.expect("asked") {
            let is_over = now > "2026-11-21T03:40:00.123Z".parse().expect("a time");
            assert!(info.id.as_str() != "silent" || (info.status == SessionStatus::Completed) == is_over, "{now}");
            assert_eq!(told_by_view(&views[info.id.as_str()], now), info.status.as_str(), "{} at {now}", info.id);
            seen.insert(info.status.as_str());
        }
    }
    assert_eq!((seen.len(), views.len()), (4, 6), "{seen:?}");
}

#[test]
fn an_issue_is_a_page_that_is_named_by_its_title() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    let decide = |command: issue::Command| {
        engine.decide(command, &Json::empty_object(), &By::new("user", "s")).expect("decided").entry.expect("an entry")
    };
    let open = issue_command::Open { title: "Reactor: timeline!".into(), body: "Day 52?".into(), ..Default::default() };
    let issue = crate::kernel::id::IssueId::of(decide(open.into()), 0);
    let resolve = issue_command::Resolve { issue: issue.clone(), note: "Day 68.".into(), ..Default::default() };
    decide(issue_command::Resolve { force: Some("decided on the phone".into()), ..resolve }.into());
    let touch = || touched(&engine, &Touched { issues: BTreeSet::from([issue.clone()]), ..Touched::default() });
    assert_eq!(touch().expect("rendered").written, 1);
    let page = "# #1 Reactor: timeline!\n\nresolved, draft, priority normal; opened by user 2026-11-21T03:10:00.123Z\n\n\
                Day 52?\n\n## user resolved it, 2026-11-21T03:10:00.123Z\n\nDay 68.\n";
    let one = |name: &str, text: &str| BTreeMap::from([(name.to_owned(), text.to_owned())]);
    assert_eq!(views(folder.path()), one("issues/0001-reactor-timeline.md", page));
    decide(issue_command::Edit { issue: issue.clone(), title: Some("Timeline".into()), ..Default::default() }.into());
    assert_eq!(touch().expect("rendered"), Rendered { written: 1, removed: 1, ..Rendered::default() });
    let revised = "\n## user edited it, 2026-11-21T03:10:00.123Z\n\nthe title was: Reactor: timeline!\n";
    let page = page.replace("Reactor: timeline!", "Timeline") + revised;
    assert_eq!(views(folder.path()), one("issues/0001-timeline.md", &page));
    everything(&engine).expect("rendered");
}

/// Files of another program stay, and it is said which they are.
#[test]
fn what_is_passed_over_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (context, engine) = (folder.path(), open(folder.path()));
    let fields = json!({ "category": "knowledge", "key": "k", "value": "v" });
    let add = crate::domain::Command::read("hivemind.entry.add", &Json::of(&fields)).expect("a command");
    engine.decide(add, &Json::empty_object(), &By::new("user", "s")).expect("decided");
    assert_eq!(hivemind::passed_over(&engine).expect("looked"), [""; 0]);
    std::fs::create_dir_all(context.join("hivemind")).expect("made");
    std::fs::write(context.join("hivemind/fears.json"), "[]").expect("written");
    everything(&engine).expect("rendered");
    assert_eq!(hivemind::passed_over(&engine).expect("looked"), ["hivemind/fears.json"]);
    assert!(!context.join("hivemind/knowledge.json").exists(), "none of them is written");
    std::fs::remove_file(context.join("hivemind/fears.json")).expect("removed");
    everything(&engine).expect("rendered");
    assert_eq!(hivemind::passed_over(&engine).expect("looked"), [""; 0], "ours are not another program's");
}

/// A view does not know the time, and still says the same of an issue that fades as `issue list`.
#[test]
fn a_view_says_from_when_on_an_issue_counts_as_what() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = open(folder.path());
    let open = issue::command::Open { title: "The reactor".into(), ..issue::command::Open::default() };
    let asked = issue::Command::from(open);
    engine.decide(asked, &Json::empty_object(), &By::new("user", "s")).expect("decided");
    everything(&engine).expect("rendered");
    let page = views(folder.path()).into_iter().find(|(path, _)| path.starts_with("issues/")).expect("a page").1;
    let told = page.lines().find_map(|line| line.strip_prefix("where nothing real touches it: ")).expect("told");
    let (lower, archived) = told.split_once(", ").expect("both");
    let time = |text: &str| text.rsplit(' ').next().expect("a word").parse::<Timestamp>().expect("a time");
    assert!(lower.starts_with("low from ") && archived.starts_with("archived from "), "{told}");
    let faded = |now: Timestamp| {
        let of = |world: &World| world.rooms.issue.issues.iter().next().expect("one").1.faded(now, engine.settings());
        engine.ask(of).expect("asked")
    };
    for (from, before, after) in [
        (time(lower), None, Some(Faded::Lower(IssuePriority::Low))),
        (time(archived), Some(Faded::Lower(IssuePriority::Low)), Some(Faded::Archived)),
    ] {
        assert_eq!((faded(from.plus_millis(-1)), faded(from)), (before, after));
    }
}
