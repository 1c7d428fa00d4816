//! The golden logs: `tests/golden/history`, of the control room `tests/golden/control/history`, and of the minds
//! `tests/golden/minds/history`, written by their stories, read by every later version.
//!
//! `ANNALS_GOLDEN=write` writes them anew; that is right only while no version that wrote them was published.

mod changes;
mod control;
mod minds;
mod order;
mod released;
mod story;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use annals::engine::Engine;
use annals::engine::replay::{Report, Which};
use annals::world::World;
use serde_json::Value;

use crate::support::{Project, day_files, engine, findings_of};

/// How a golden log is written anew, for the message of a test that fails.
const ANEW: &str = "`ANNALS_GOLDEN=write cargo test --test it stories_say` writes the lines of the stories anew, and then \
     `INSTA_UPDATE=always cargo test --test it golden::` the snapshots of their worlds and hashes";

/// Day files by name.
type Files = BTreeMap<String, String>;

/// A golden log.
pub struct Log {
    /// Where it is kept, as a `.context` folder, below the folder of the project.
    folder: &'static str,
    /// The name of the snapshot of its world.
    world: &'static str,
    /// Tells its story.
    write: fn() -> Files,
    /// Of how many changes one is tried, and of how many decisions one is changed where that takes a replay of its own.
    one_in: (usize, usize),
    /// So many decisions it has at least, and so many changes of those of its first day are tried.
    least: (u64, usize),
}

/// All of them.
static LOGS: [Log; 3] = [
    Log {
        folder: "tests/golden",
        world: "the world of the golden log",
        write: writer::first_story,
        one_in: (1, 1),
        least: (200, 4000),
    },
    Log {
        folder: "tests/golden/control",
        world: "the world of the golden log of the control room",
        write: writer::control_story,
        one_in: (9, 200),
        least: (1000, 3500),
    },
    Log {
        folder: "tests/golden/minds",
        world: "the world of the golden log of the minds",
        write: writer::minds_story,
        one_in: (9, 200),
        least: (600, 1500),
    },
];

impl Log {
    fn context(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder)
    }

    fn files(&self) -> Files {
        day_files(&self.context())
    }

    /// A project that holds a copy of it.
    fn copy(&self) -> Project {
        let project = Project::new();
        project.set_files(&self.files());
        project
    }
}

/// A project that holds the golden log of the minds.
pub fn minds_log() -> Project {
    let log = LOGS.iter().find(|log| log.folder.ends_with("minds"));
    log.expect("the log of the minds").copy()
}

/// The lines of all of them.
pub fn all_lines() -> String {
    LOGS.iter().flat_map(|log| log.files().into_values()).collect()
}

fn reader(project: &Project) -> Engine {
    engine(&project.context(), "2026-12-31T00:00:00Z", "reader")
}

fn replay(project: &Project) -> Report {
    reader(project).replay(&Which::All).expect("replayed")
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[expect(clippy::disallowed_methods, reason = "a test has no command line of its own to be told by")]
fn is_to_be_written() -> bool {
    std::env::var_os("ANNALS_GOLDEN").is_some_and(|what| what == "write")
}

#[test]
fn the_golden_logs_are_what_their_stories_say() {
    for log in &LOGS {
        let files = (log.write)();
        if is_to_be_written() {
            fs::create_dir_all(log.context().join("history")).expect("made");
            for (name, text) in &files {
                fs::write(log.context().join("history").join(name), text).expect("written");
            }
        }
        assert!(files == log.files(), "the story gives other lines than {}/history holds. {ANEW}", log.folder);
    }
}

/// A line for each thing in a room, and for each row of a table; nothing for what is empty.
fn rows(value: &Value, path: &str) -> Vec<String> {
    const DEPTH: usize = 3;
    let is_whole = path.matches(" / ").count() >= DEPTH;
    match value {
        Value::Object(members) if !is_whole => {
            members.iter().flat_map(|(key, inner)| rows(inner, &format!("{path} / {key}"))).collect()
        }
        Value::Null => Vec::new(),
        Value::Array(items) if items.is_empty() => Vec::new(),
        Value::Object(_) | Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            vec![format!("{path}: {value}")]
        }
    }
}

#[test]
fn the_golden_logs_fold_to_the_same_worlds() {
    for log in &LOGS {
        let world = reader(&log.copy()).ask(|world: &World| serde_json::to_value(world)).expect("asked");
        snapshot(log.world, &rows(&world.expect("JSON"), "").join("\n"));
    }
}

#[test]
fn every_decision_of_the_golden_logs_is_made_again() {
    for log in &LOGS {
        let report = replay(&log.copy());
        let counts = (report.decisions, report.matched, report.differed.len(), report.passed_over.len());
        assert_eq!(counts, (report.matched, report.decisions, 0, 0), "{report:#?}");
        assert!(report.decisions > log.least.0, "only {} decisions", report.decisions);
    }
}

#[test]
fn nothing_is_wrong_with_the_golden_logs() {
    for log in &LOGS {
        assert_eq!(findings_of(&log.copy().context()), [""; 0]);
    }
}

/// What the stories do not hold, and why.
const UNTOLD: [(&str, &str); 2] = [
    ("config.clock.given", "it stands before all else, and stories go on where another ended; `given` shows it"),
    ("council.debate.argued", "rules of before took both sides of a debate in one act"),
];

#[test]
fn the_golden_logs_hold_every_command_and_event_there_is() {
    let text = all_lines();
    let docs = annals::domain::command_docs().chain(annals::domain::event_docs());
    let missing: Vec<_> = docs.map(|doc| doc.name).filter(|name| !text.contains(&format!("\"{name}\""))).collect();
    let untold = UNTOLD.map(|(name, _)| name);
    assert_eq!(missing, untold, "ask for each in a step of a story below tests/it/golden; {ANEW}");
}

/// Every rule by which rooms and guards say no, and every circuit breaker.
fn rules() -> BTreeSet<String> {
    let breakers = annals::domain::breaker::BreakerRule::ALL.iter().map(|rule| format!("breakers.{rule}"));
    let docs = annals::domain::rule_docs().chain(annals::policy::rule_docs());
    let mut rules: BTreeSet<String> = breakers.chain(docs.map(|doc| doc.rule.to_owned())).collect();
    // A story writes no line twice; `tests/cmd/conflict.trycmd` shows it.
    rules.remove("history.conflict_open");
    rules
}

#[test]
fn the_golden_logs_hold_every_rule_that_says_no() {
    let (text, rules) = (all_lines(), rules());
    let missing: Vec<_> = rules.iter().filter(|rule| !text.contains(&format!("\"rule\":\"{rule}\""))).collect();
    assert_eq!(missing, [""; 0], "let each say no in a step of a story below tests/it/golden; {ANEW}");
    assert!(rules.len() > 100, "only {} rules were found", rules.len());
}
