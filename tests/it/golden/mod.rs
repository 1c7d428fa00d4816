//! The golden log: `tests/golden/history`, written by the story, read by every later version.
//!
//! `ANNALS_GOLDEN=write` writes it anew; that is right only while no version that wrote it was published.

mod changes;
mod story;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use annals::domain::config::Event as Config;
use annals::domain::session::Event as Session;
use annals::domain::{Ask, Command, Event};
use annals::engine::replay::{Report, Which};
use annals::engine::scrub::{Mode, Request};
use annals::engine::{By, Engine, settings};
use annals::kernel::entry::{HistoryEntry, Metadata};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::log::disk::RealDisk;
use annals::log::position::Stamp;
use annals::world::decision::entry_of;
use annals::world::replay::Overlay;
use annals::world::{Asked, World};
use serde_json::Value;

use self::story::Step;
use crate::support::{Project, day_files, engine, findings_of, step};

/// Where it is kept, as a `.context` folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A project that holds a copy of it.
pub fn copy() -> Project {
    let project = Project::new();
    project.set_files(&day_files(&folder()));
    project
}

/// Who writes at a time, and the names of the sessions so far.
struct Writer<'n> {
    project: &'n Project,
    engine: Engine,
    names: &'n mut Vec<String>,
    number: u64,
}

impl<'n> Writer<'n> {
    fn new(project: &'n Project, now: &str, seed: &str, names: &'n mut Vec<String>) -> Self {
        Self { project, engine: project.engine(now, seed), names, number: 0 }
    }

    fn write(&mut self, steps: Vec<Step>) {
        for step in steps {
            self.engine.clock().advance(1_001);
            self.number += 1;
            match step {
                Step::Wait(millis) => self.engine.clock().advance(millis),
                Step::Ask { actor, command, fields, observed } => self.ask(actor, command, &fields, &observed),
                Step::Record { session, kind, name, input } => self.record(session, kind, name, &input),
            }
        }
    }

    /// `#1` becomes the id of the session that was started first.
    fn named(&self, value: &Value) -> Json {
        let mut text = value.to_string();
        for (index, id) in self.names.iter().enumerate() {
            text = text.replace(&format!("#{}", index + 1), id);
        }
        Json::from_text(text).expect("JSON")
    }

    fn ask(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) {
        let command = Command::read(command, &self.named(fields)).expect("a command");
        let by = By::new(AgentId::from(actor), SessionId::from(NO_SESSION));
        let observed = Json::of(observed);
        let answer = self.engine.decide(command.clone(), &observed, &by).expect("decided");
        if let Some(Event::Session(Session::Started(started))) = answer.events.first() {
            self.names.push(started.session.to_string());
        }
        for event in &answer.events {
            if let Event::Config(Config::Changed(changed)) = event {
                self.configure(&changed.key, changed.to.as_ref());
            }
        }
        if answer.entry.is_none() {
            self.write_down(&Ask { command, observed }, by);
        }
    }

    /// The file says what was decided, as after `annals config set`; otherwise the next decision would adopt the file.
    fn configure(&mut self, key: &str, value: Option<&Value>) {
        let path = self.project.context().join("config.toml");
        settings::store(&RealDisk, &path, key, value).expect("stored");
        let now = self.engine.clock().now().to_string();
        self.engine = self.project.engine(&now, &format!("{key} {}", self.number));
    }

    /// A decision without events leaves no line. Here it does: replay shall see that it still comes out so.
    fn write_down(&self, ask: &Ask, by: By) {
        let at = self.engine.clock().now();
        let id = EntryId::derived(at, &["golden", &self.number.to_string()]);
        let asked = Asked { id, at, actor: by.actor, session: by.session };
        let decided = self.engine.ask(|world| world.decide(ask, &asked)).expect("asked");
        self.engine.record(entry_of(ask, &asked, &decided, 0), Stamp::AsGiven).expect("recorded");
    }

    fn record(&self, session: &str, kind: &str, name: &str, input: &Value) {
        let mut entry = step(session, "");
        (entry.operation.kind, entry.operation.name) = (kind.into(), name.into());
        entry.operation.input = self.named(input);
        entry.operation.success = name != "Bash";
        entry.provenance.agent_id = Some(AgentId::from("coder"));
        let files = (name == "Edit").then(|| vec!["src/a.rs".into()]);
        entry.metadata = Metadata { files_touched: files, token_count: Some(40), ..Metadata::default() };
        self.engine.record(entry, Stamp::Minted).expect("recorded");
    }

    /// Takes the value out of the call that holds it.
    fn scrub(&self, files: &BTreeMap<String, String>) {
        let holds = |line: &&str| line.contains("leaked-value-of-the-golden-log");
        let line = files.values().flat_map(|text| text.lines()).find(holds).expect("the value");
        let request = Request {
            entry: HistoryEntry::read(line).expect("an entry").id,
            path: "operation.input.command".to_owned(),
            part: Some("leaked-value-of-the-golden-log".to_owned()),
            confirmed_by: "ann".to_owned(),
            reason: Some("a test".to_owned()),
            mode: Mode::Scrub,
        };
        let by = By::new(AgentId::from("ann"), SessionId::from(NO_SESSION));
        assert_eq!(self.engine.scrub(&request, &by).expect("scrubbed").refusal, None);
    }
}

/// Two clones that part and are merged.
fn written() -> BTreeMap<String, String> {
    let (ours, theirs, both) = (Project::new(), Project::new(), Project::new());
    let mut names = Vec::new();
    let mut first = Writer::new(&ours, "2026-11-20T09:00:00Z", "first", &mut names);
    first.write(story::sessions());
    first.write(story::others());
    first.write(story::access());
    first.write(story::configuration());
    first.write(story::erasure());
    first.scrub(&ours.files());
    let common = ours.files();
    theirs.set_files(&common);
    fs::copy(ours.context().join("config.toml"), theirs.context().join("config.toml")).expect("copied");
    Writer::new(&theirs, "2026-11-21T10:00:00Z", "second", &mut names).write(story::elsewhere());
    Writer::new(&ours, "2026-11-21T10:00:00.500Z", "first again", &mut names).write(story::meanwhile());
    both.set_files(&merged(&common, ours.files(), &theirs.files()));
    fs::copy(ours.context().join("config.toml"), both.context().join("config.toml")).expect("copied");
    Writer::new(&both, "2026-11-21T12:00:00Z", "third", &mut names).write(story::afterwards());
    both.files()
}

/// As `merge=union` does: what both had, what the one wrote since, what the other did.
fn merged(
    common: &BTreeMap<String, String>,
    mut files: BTreeMap<String, String>,
    theirs: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    for (name, text) in theirs {
        let known = common.get(name).map_or(0, String::len);
        files.entry(name.clone()).or_default().push_str(&text[known..]);
    }
    files
}

fn reader(project: &Project) -> Engine {
    engine(&project.context(), "2026-12-31T00:00:00Z", "reader")
}

fn replay(project: &Project) -> Report {
    reader(project).replay(&Which::All, &Overlay::default()).expect("replayed")
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
fn the_golden_log_is_what_its_story_says() {
    let files = written();
    if is_to_be_written() {
        fs::create_dir_all(folder().join("history")).expect("made");
        for (name, text) in &files {
            fs::write(folder().join("history").join(name), text).expect("written");
        }
    }
    assert!(files == day_files(&folder()), "the story gives other lines than tests/golden/history holds");
}

#[test]
fn the_golden_log_folds_to_the_same_world() {
    let text = reader(&copy()).ask(|world: &World| serde_json::to_string_pretty(world)).expect("asked");
    snapshot("the world of the golden log", &text.expect("JSON"));
}

#[test]
fn every_decision_of_the_golden_log_is_made_again() {
    let report = replay(&copy());
    let counts = (report.decisions, report.matched, report.differed.len(), report.passed_over.len());
    assert_eq!(counts, (report.matched, report.decisions, 0, 0), "{report:#?}");
    assert!(report.decisions > 200, "only {} decisions", report.decisions);
}

#[test]
fn nothing_is_wrong_with_the_golden_log() {
    assert_eq!(findings_of(&copy().context()), [""; 0]);
}

#[test]
fn the_golden_log_holds_every_command_and_event_there_is() {
    let text: String = day_files(&folder()).into_values().collect();
    let docs = annals::domain::command_docs().chain(annals::domain::event_docs());
    let missing: Vec<_> = docs.map(|doc| doc.name).filter(|name| !text.contains(&format!("\"{name}\""))).collect();
    assert_eq!(missing, [""; 0]);
}
