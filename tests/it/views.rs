//! Views in folders that hold other files, too, and views of logs that were made to write elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use annals::domain::canon::command::Statement;
use annals::domain::issue::Command as Issue;
use annals::domain::issue::command::{Edit, Open};
use annals::engine::{By, Engine, Touched};
use annals::kernel::id::{IssueId, NO_SESSION, SessionId};
use annals::kernel::json::{Json, sha256_hex};
use annals::view::render::{Kept, Rendered, everything, touched};

use crate::support::Project;

const NOW: &str = "2026-11-21T03:10:00.123Z";

fn decide(engine: &Engine, command: impl Into<annals::domain::Command>) -> String {
    let by = By::new("user", SessionId::from(NO_SESSION));
    let answer = engine.decide(command, &Json::empty_object(), &by).expect("decided");
    answer.entry.expect("an entry").to_string()
}

/// A project in which one thing holds: its view is `canon/gate.md`.
fn with_canon(project: &Project) -> Engine {
    let engine = project.engine(NOW, "views");
    let text = "The gate is red.".into();
    let state = Statement { key: "gate".into(), title: Some("The gate".into()), text, claims: Vec::new() };
    decide(&engine, annals::domain::canon::Command::State(state));
    engine
}

/// Every file below a folder with its bytes, and every link with where it leads.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.expect("an entry");
        let path = entry.path().to_owned();
        if entry.file_type().is_file() {
            files.insert(path.clone(), fs::read(path).expect("read"));
        } else if entry.file_type().is_symlink() {
            files.insert(path.clone(), fs::read_link(path).expect("read").into_os_string().into_encoded_bytes());
        }
    }
    files
}

fn read(project: &Project, path: &str) -> Option<String> {
    fs::read_to_string(project.context().join(path)).ok()
}

fn write(project: &Project, path: &str, text: &str) {
    let path = project.context().join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn stays(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

fn aside(path: &str, text: &str) -> Kept {
    Kept { path: path.to_owned(), aside: format!("{path}.kept-{}", &sha256_hex(text.as_bytes())[..8]) }
}

#[test]
fn a_persons_own_files_stay_and_are_named() {
    let project = Project::new();
    let engine = with_canon(&project);
    let own = [
        "canon/README.md", "canon/notes.md", "history/sessions/mine.json", "issues/0001-mine.md",
        "knowledge/learnt/me.md",
    ];
    let all_own = [&own[..], &["memory/diary.md", "memory/2026-11-21.md.bak", "hivemind/of-another.json"]].concat();
    for path in &all_own {
        write(&project, path, "mine");
    }
    let expected = Rendered { written: 1, stays: stays(&own), ..Rendered::default() };
    assert_eq!(everything(&engine).expect("rendered"), expected);
    let again = Rendered { unchanged: 1, stays: stays(&own), ..Rendered::default() };
    assert_eq!(everything(&engine).expect("rendered"), again);
    for path in &all_own {
        assert_eq!(read(&project, path).as_deref(), Some("mine"), "{path}");
    }
}

#[test]
fn a_view_that_a_person_changed_is_kept_aside() {
    let project = Project::new();
    let engine = with_canon(&project);
    everything(&engine).expect("rendered");
    let view = read(&project, "canon/gate.md").expect("a view");
    for (round, text) in ["my words", "my words", "other words"].into_iter().enumerate() {
        write(&project, "canon/gate.md", text);
        let rendered = everything(&engine).expect("rendered");
        assert_eq!((rendered.written, &rendered.kept), (1, &vec![aside("canon/gate.md", text)]), "round {round}");
        assert_eq!(read(&project, &rendered.kept[0].aside).as_deref(), Some(text));
        assert_eq!(read(&project, "canon/gate.md").as_ref(), Some(&view));
    }
    let rendered = everything(&engine).expect("rendered");
    let names = [aside("canon/gate.md", "my words").aside, aside("canon/gate.md", "other words").aside];
    assert_eq!(rendered, Rendered { unchanged: 1, stays: names.into_iter().collect(), ..Rendered::default() });
}

#[test]
fn what_was_kept_aside_and_changed_there_is_not_replaced() {
    let project = Project::new();
    let engine = with_canon(&project);
    write(&project, "canon/gate.md", "my words");
    let first = aside("canon/gate.md", "my words").aside;
    write(&project, &first, "better words");
    let rendered = everything(&engine).expect("rendered");
    assert_eq!(rendered.kept, [Kept { path: "canon/gate.md".into(), aside: format!("{first}-2") }]);
    assert_eq!(read(&project, &first).as_deref(), Some("better words"));
    assert_eq!(read(&project, &format!("{first}-2")).as_deref(), Some("my words"));
}

/// In a clone of a project that has its views in git there is no manifest yet.
#[test]
fn views_that_came_with_the_clone_are_taken_for_its_own_where_they_are_what_it_would_write() {
    let project = Project::new();
    let engine = with_canon(&project);
    decide(&engine, Issue::from(Open { title: "One".into(), ..Open::default() }));
    everything(&engine).expect("rendered");
    write(&project, "issues/0001-one.md", "an older one");
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    let engine = project.engine(NOW, "another");
    let rendered = everything(&engine).expect("rendered");
    let expected = Rendered {
        written: 1,
        unchanged: 1,
        kept: vec![aside("issues/0001-one.md", "an older one")],
        ..Rendered::default()
    };
    assert_eq!((&rendered.kept, rendered.written, rendered.unchanged), (&expected.kept, 1, 1));
    for name in project.files().keys() {
        fs::remove_file(project.history(name)).expect("removed");
    }
    assert_eq!(everything(&project.engine(NOW, "another")).expect("rendered").removed, 2);
}

#[test]
fn a_changed_view_of_what_is_gone_is_a_persons_own() {
    let project = Project::new();
    let engine = project.engine(NOW, "views");
    let issue = IssueId::from(decide(&engine, Issue::from(Open { title: "One".into(), ..Open::default() })));
    let about = Touched { issues: BTreeSet::from([issue.clone()]), ..Touched::default() };
    touched(&engine, &about).expect("rendered");
    write(&project, "issues/0001-one.md", "changed");
    write(&project, "issues/0001-notes-of-mine.md", "mine");
    decide(&engine, Issue::from(Edit { issue, title: Some("Two".into()), ..Edit::default() }));
    assert_eq!(touched(&engine, &about).expect("rendered"), Rendered { written: 1, ..Rendered::default() });
    let rendered = everything(&engine).expect("rendered");
    assert_eq!(rendered.stays, stays(&["issues/0001-notes-of-mine.md", "issues/0001-one.md"]));
    assert_eq!(read(&project, "issues/0001-one.md").as_deref(), Some("changed"));
    assert_eq!(read(&project, "issues/0001-notes-of-mine.md").as_deref(), Some("mine"));
}

/// A crash comes between what the manifest says and the view, or in the middle of a line of it.
#[test]
fn a_manifest_that_a_crash_cut_short_costs_no_view() {
    let project = Project::new();
    let engine = with_canon(&project);
    everything(&engine).expect("rendered");
    let manifest = project.context().join("local/views");
    let text = fs::read_to_string(&manifest).expect("read");
    fs::write(&manifest, format!("{text}{} canon/gate.md\n01234", sha256_hex(b"never written"))).expect("written");
    let unchanged = Rendered { unchanged: 1, ..Rendered::default() };
    assert_eq!(everything(&engine).expect("rendered"), unchanged);
    let written = fs::read_to_string(&manifest).expect("read");
    assert!(!written.contains("01234") && written.ends_with('\n'), "{written}");
    fs::write(&manifest, "").expect("written");
    assert_eq!(everything(&engine).expect("rendered"), unchanged, "it is taken for its own again");
}

/// Whoever can put a manifest there knows what others' files hold, and would have them removed.
#[test]
fn a_manifest_names_no_file_where_no_views_are() {
    let project = Project::new();
    let engine = with_canon(&project);
    everything(&engine).expect("rendered");
    fs::write(project.folder().join("precious"), "known").expect("written");
    let others = [
        "../precious", "config.toml", "history/2026-11-21.jsonl", "canon/../../precious", "canon/sub/x",
        "memory/diary.md", "canon/.gitkeep", "/etc/hostname", "hivemind/mine.json", "",
    ];
    let mut lines = String::new();
    for path in others {
        let _ = fs::create_dir_all(project.context().join("canon/sub"));
        if !path.is_empty() && !path.starts_with('/') && !path.contains("..") && !path.starts_with("history") {
            write(&project, path, "known");
        }
        let bytes = fs::read(project.context().join(path)).unwrap_or_default();
        lines.extend([sha256_hex(&bytes).as_str(), " ", path, "\n"]);
    }
    let manifest = project.context().join("local/views");
    fs::write(&manifest, fs::read_to_string(&manifest).expect("read") + &lines).expect("written");
    let before = tree(project.folder());
    let rendered = everything(&engine).expect("rendered");
    assert_eq!(rendered.removed, 0);
    assert_eq!(tree(project.folder()), before);
}

/// A link where a view goes leads anywhere: it is neither followed nor replaced.
#[test]
fn a_link_in_the_place_of_a_view_stays() {
    let project = Project::new();
    let engine = with_canon(&project);
    fs::write(project.folder().join("precious"), "secret").expect("written");
    fs::create_dir_all(project.context().join("canon")).expect("made");
    symlink(project.folder().join("precious"), project.context().join("canon/gate.md")).expect("linked");
    let before = tree(&project.context().join("canon"));
    let rendered = everything(&engine).expect("rendered");
    assert_eq!(rendered, Rendered { stays: stays(&["canon/gate.md"]), ..Rendered::default() });
    assert_eq!(tree(&project.context().join("canon")), before);
    assert_eq!(fs::read_to_string(project.folder().join("precious")).expect("read"), "secret");
}

/// Texts that an entry of anybody may bear where its view is named after it.
fn hostile(outside: &Path) -> Vec<String> {
    let names = [
        "../../../evil", "..", ".", "", "/", "a/b/c", "sub/../../..", "a\0b", ".git", ".gitattributes", "-rf",
        "README", "GATE", "CON", "a\nb", "\u{1b}]0;x\u{7}", "\u{202e}gpj.md", "\u{feff}", "%2E%2E%2F",
        "gate.md/../../x", "~", "$(touch x)", "config.toml",
    ];
    let mut names: Vec<_> = names.map(String::from).to_vec();
    names.extend([outside.join("evil").display().to_string(), "k".repeat(300), "é".repeat(300), "../".repeat(100)]);
    names
}

/// The golden logs, with the names of what they tell of in place of others.
#[test]
fn a_hostile_log_is_rendered_within_its_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let outer = tempfile::tempdir().expect("a folder");
    fs::write(outer.path().join("precious"), "precious").expect("written");
    for (count, name) in hostile(outer.path()).into_iter().enumerate() {
        let project = outer.path().join(format!("deep/{count}"));
        let context = project.join(".context");
        fs::create_dir_all(context.join("history")).expect("made");
        fs::create_dir_all(project.join("canon")).expect("made");
        let json = serde_json::to_string(&name).expect("JSON");
        for day in ["control/history/2026-11-21.jsonl", "minds/history/2026-11-21.jsonl"] {
            let text = fs::read_to_string(root.join(day)).expect("read");
            let text = ["gate", "a-knowledge", "01M7YRRZM123TJ6ZMPJP8RSE9R", "01M7W7WEC80AAR57VX2BGBJ45T", "s", "Open"]
                .iter()
                .fold(text, |text, word| text.replace(&format!("\"{word}\""), &json));
            let file = format!("history/2026-11-2{}.jsonl", u8::from(day.starts_with('c')));
            fs::write(context.join(file), text).expect("written");
        }
        let before = tree(outer.path());
        let rendered = everything(&crate::support::engine(&context, "2026-12-01T00:00:00Z", "h")).expect("rendered");
        assert!(rendered.written > 10, "{name:?}: {rendered:?}");
        let own = [
            "canon", "issues", "hivemind", "memory", "knowledge/learnt", "history/sessions", "history/summaries",
            "history/councils",
        ];
        let own = own.map(|folder| context.join(folder));
        for (path, bytes) in tree(outer.path()) {
            if before.get(&path) == Some(&bytes) || path.starts_with(context.join("local")) {
                continue;
            }
            let folder = path.parent().expect("a folder");
            assert!(own.iter().any(|own| own == folder), "{name:?} wrote {}", path.display());
            let file = path.file_name().expect("a name").to_string_lossy();
            assert!(!file.starts_with(['.', '-']) && file.len() <= 220, "{name:?} is {file}");
            assert!(
                !file.chars().any(|letter| letter.is_control() || "\u{202e}\u{feff}".contains(letter)),
                "{name:?} is {file}"
            );
        }
        let after = tree(outer.path());
        assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)), "{name:?} changed what was there");
    }
}
