//! Writes a story down: each step is asked of an engine, at a time and with a chance that are the same in every run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use annals::domain::blind::command::Opinion;
use annals::domain::cognition::command::{Command as OfMind, Feel};
use annals::domain::cognition::event::Event as Mind;
use annals::domain::config::Event as Config;
use annals::domain::council::Event as Council;
use annals::domain::credit::Event as Credit;
use annals::domain::dialectic::Event as Dialectic;
use annals::domain::issue::{Command as OfIssue, Event as Issue};
use annals::domain::knowledge::Event as Knowledge;
use annals::domain::memory::Event as Memory;
use annals::domain::notice::Event as Notice;
use annals::domain::resident::{Command as OfResident, Event as Resident};
use annals::domain::session::Event as Session;
use annals::domain::task::Event as Task;
use annals::domain::{Ask, Command, Event};
use annals::engine::keys::KeyFile;
use annals::engine::scrub::{Request, ScrubMode, What};
use annals::engine::sign::{KeyGone, Seal, Settle, Signing};
use annals::engine::{By, Engine, settings};
use annals::kernel::entry::{HistoryEntry, Metadata};
use annals::kernel::id::{AgentId, EntryId, IssueId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::signed::Statement;
use annals::log::disk::RealDisk;
use annals::log::position::IdSource;
use annals::view::issue::title::title;
use annals::world::Asked;
use annals::world::decision::entry_of;
use serde_json::{Value, json};

use super::story::{self, Step};
use super::{Files, control, minds};
use crate::support::{Project, step};

/// What stands in a story for an id, and the id.
type Names = BTreeMap<String, String>;

/// Who writes at a time, and the ids that there are so far.
struct Writer<'n> {
    project: &'n Project,
    engine: Engine,
    names: &'n mut Names,
    number: u64,
}

impl<'n> Writer<'n> {
    fn new(project: &'n Project, now: &str, seed: &str, names: &'n mut Names) -> Self {
        Self { project, engine: project.engine(now, seed), names, number: 0 }
    }

    fn write(&mut self, steps: Vec<Step>) {
        for step in steps {
            self.engine.clock().advance(1_001);
            self.number += 1;
            match step {
                Step::Wait(millis) => self.engine.clock().advance(millis),
                Step::Ask { actor, command, fields, observed } => self.ask(actor, command, &fields, &observed),
                Step::Submit { actor, issue, opinion } => self.submit(actor, &issue, &opinion),
                Step::Record { session, kind, name, input } => self.record(session, kind, name, &input),
                Step::Sign => self.sign(),
            }
        }
    }

    /// `#1` becomes the id of the session that was started first, and so on.
    fn named(&self, value: &Value) -> Json {
        let mut text = value.to_string();
        for (name, id) in self.names.iter() {
            text = text.replace(name, id);
        }
        assert!(!text.contains("\"<"), "nothing is called so yet: {text}");
        Json::from_text(text).expect("JSON")
    }

    fn ask(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) {
        let command = Command::read(command, &self.named(fields)).expect("a command");
        let by = By::new(AgentId::from(actor), SessionId::from(NO_SESSION));
        let observed = Json::of(observed);
        let answer = self.engine.decide(command.clone(), &observed, &by).expect("decided");
        let (mut notices, mut changed) = (0, Vec::new());
        for event in &answer.events {
            self.learn(event, &command, answer.entry, &mut notices);
            if let Event::Config(Config::Changed(change)) = event {
                changed.push((change.key.clone(), change.to.clone()));
            }
            if let Event::Config(Config::Accepted(accepted)) = event {
                changed.push((accepted.key.clone(), accepted.value.clone()));
            }
        }
        for (key, value) in changed {
            self.configure(&key, value.as_ref());
        }
        if answer.entry.is_none() {
            self.write_down(&Ask { command, observed }, by);
        }
    }

    /// What the story calls an issue that a rule opened.
    fn title_of(&self, id: &IssueId) -> String {
        let title = self.engine.ask(|world| {
            let issue = world.rooms.issue.issue(id).expect("raised");
            title(&world.rooms, issue)
        });
        format!("<{}>", title.expect("asked"))
    }

    /// Keeps what an event gave an id to.
    fn learn(&mut self, event: &Event, command: &Command, entry: Option<EntryId>, notices: &mut usize) {
        let count = |first: &str| self.names.keys().filter(|name| name.starts_with(first)).count() + 1;
        let (name, id) = match (event, command) {
            (Event::Session(Session::Started(started)), _) => (format!("#{}", count("#")), started.session.to_string()),
            (Event::Issue(Issue::Opened(opened)), Command::Issue(OfIssue::Open(open))) => {
                (format!("<{}>", open.title), opened.issue.to_string())
            }
            (Event::Issue(Issue::Raised(raised)), _) => (self.title_of(&raised.issue), raised.issue.to_string()),
            (Event::Task(Task::Begun(begun)), _) => (format!("<task {}>", count("<task ")), begun.task.to_string()),
            (Event::Resident(Resident::Queued(queued)), Command::Resident(OfResident::Send(send))) => {
                (format!("<message: {}>", send.content), queued.message.to_string())
            }
            (Event::Credit(Credit::GoalSet(set)), _) => (format!("<goal {}>", count("<goal ")), set.goal.to_string()),
            (Event::Dialectic(Dialectic::Requested(requested)), _) => {
                (format!("<debate {}>", count("<debate ")), requested.debate.to_string())
            }
            (Event::Dialectic(Dialectic::Held(_)), _) => {
                let Some(entry) = entry else { return };
                (format!("<held {}>", count("<held ")), entry.to_string())
            }
            (Event::Council(Council::Created(created)), _) => {
                (format!("<council on {}>", created.key), created.council.to_string())
            }
            (Event::Memory(Memory::Written(written)), _) => {
                (format!("<megram: {}>", written.content), written.megram.to_string())
            }
            (Event::Memory(Memory::Promoted(promoted)), _) => {
                (format!("<{} on {}>", promoted.lesson, promoted.space), promoted.megram.to_string())
            }
            (Event::Knowledge(Knowledge::Added(added)), _) => {
                (format!("<known {}>", added.said.content), added.entry.to_string())
            }
            (Event::Knowledge(Knowledge::Proposed(proposed)), _) => {
                (format!("<candidate {}>", proposed.said.content), proposed.candidate.to_string())
            }
            (Event::Notice(Notice::Posted(posted)), _) => {
                *notices += 1;
                let id = IssueId::of(entry.expect("an entry"), *notices - 1);
                (format!("<notice to {}>", posted.to), id.to_string())
            }
            (Event::Cognition(event), Command::Cognition(command)) => match made(event, command, entry) {
                Some((what, id)) => (format!("<{what} {}>", count(&format!("<{what} "))), id),
                None => return,
            },
            _ => return,
        };
        self.names.insert(name, id);
    }

    /// An opinion, sealed for its issue.
    fn submit(&mut self, actor: &'static str, issue: &str, opinion: &Value) {
        let issue = json!({ "issue": issue });
        let named: Value = self.named(&issue).read().expect("JSON");
        let of = IssueId::from(named["issue"].as_str().expect("an id"));
        let opinion: Opinion = serde_json::from_value(opinion.clone()).expect("an opinion");
        let seal = opinion.seal(&of, &AgentId::from(actor));
        self.ask(actor, "blind.opinion.submit", &issue, &json!({ "seal": seal }));
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
        let decided = self.engine.attempt(|world| world.decide(ask, &asked)).expect("asked");
        self.engine.record(entry_of(ask, &asked, &decided, 0), IdSource::AsGiven).expect("recorded");
    }

    fn record(&self, session: &str, kind: &str, name: &str, input: &Value) {
        let mut entry = step(session, "");
        (entry.operation.kind, entry.operation.name) = (kind.into(), name.into());
        entry.operation.input = self.named(input);
        entry.operation.success = name != "Bash";
        entry.provenance.agent_id = Some(AgentId::from("coder"));
        let files = (name == "Edit").then(|| vec!["src/a.rs".into()]);
        entry.metadata = Metadata { files_touched: files, token_count: Some(40), ..Metadata::default() };
        self.engine.record(entry, IdSource::Minted).expect("recorded");
    }

    /// Signs the head; then no signature, one of another head, one that does not hold, and the same once more.
    fn sign(&mut self) {
        let state = tempfile::tempdir().expect("a folder");
        let key = KeyFile::below(state.path());
        key.load_or_make(|| [42; 32]).expect("a key");
        let signing = Signing { key: &key, gone: KeyGone::Fails, settle: Settle::Waited };
        let by = By::new(AgentId::from("system"), SessionId::from(NO_SESSION));
        let sealed = self.engine.sign_head(&signing, &by).expect("signed");
        let Seal::Signed(_, signed) = sealed else { panic!("{sealed:?}") };
        let head = |n: u64| json!({ "head": Statement { n, ..signed.statement.clone() }.head() });
        let own = signed.statement.n;
        let mut forged = json!(signed);
        forged["at"] = json!("2026-11-21T12:00:00.000Z");
        for (fields, observed) in [
            (head(own), json!({})),
            (head(own + 1), json!({ "signed": signed })),
            (head(own), json!({ "signed": forged })),
            (head(own), json!({ "signed": signed })),
        ] {
            // What has no line of its own gets an id of its time, and must come later.
            self.engine.clock().advance(1_001);
            self.ask("system", "history.head.sign", &fields, &observed);
            self.number += 1;
        }
    }

    /// Takes the value out of the call that holds it.
    fn scrub(&self, files: &Files) {
        let holds = |line: &&str| line.contains("leaked-value-of-the-golden-log");
        let line = files.values().flat_map(|text| text.lines()).find(holds).expect("the value");
        let request = Request {
            what: What::At {
                entry: HistoryEntry::read(line).expect("an entry").id,
                path: "operation.input.command".to_owned(),
                part: Some("leaked-value-of-the-golden-log".to_owned()),
            },
            confirmed_by: "ann".to_owned(),
            reason: Some("a test".to_owned()),
            mode: ScrubMode::Scrub,
            elsewhere: Vec::new(),
            views: BTreeSet::new(),
        };
        let by = By::new(AgentId::from("ann"), SessionId::from(NO_SESSION));
        assert_eq!(self.engine.scrub(&request, &by).expect("scrubbed").refusal, None);
    }
}

/// What an event of a mind gave an id to, and the id.
fn made(event: &Mind, command: &OfMind, entry: Option<EntryId>) -> Option<(&'static str, String)> {
    match (event, command) {
        (Mind::GoalAdded(added), _) => Some(("aim", added.goal.to_string())),
        (Mind::FactAdded(added), _) => Some(("fact", added.fact.to_string())),
        (Mind::ContradictionFound(found), _) => Some(("contradiction", found.contradiction.to_string())),
        (Mind::UnknownAdded(added), _) => Some(("unknown", added.unknown.to_string())),
        (Mind::TriggerFired(fired), _) => Some(("firing", fired.firing.id.to_string())),
        (Mind::FeelingStated(_), OfMind::Feel(Feel { frustrated: Some(_), .. })) => {
            Some(("frustration", entry?.to_string()))
        }
        _ => None,
    }
}

/// Three writers after the first day: two who do not know of each other, and one who has seen both.
struct Merging {
    elsewhere: Vec<Step>,
    meanwhile: Vec<Step>,
    afterwards: Vec<Step>,
}

/// The story of sessions, access, configuration and what was taken out.
pub fn first_story() -> Files {
    let (ours, mut names) = (Project::new(), Names::new());
    let mut first = Writer::new(&ours, "2026-11-20T09:00:00Z", "first", &mut names);
    first.write(story::sessions());
    first.write(story::others());
    first.write(story::access());
    first.write(story::configuration());
    first.write(story::erasure());
    first.scrub(&ours.files());
    let (elsewhere, meanwhile) = (story::elsewhere(), story::meanwhile());
    parted(&ours, &mut names, Merging { elsewhere, meanwhile, afterwards: story::afterwards() })
}

/// The story of the control room.
pub fn control_story() -> Files {
    let (ours, mut names) = (Project::new(), Names::new());
    Writer::new(&ours, "2026-11-20T09:00:00Z", "first", &mut names).write(control::first_day());
    let (elsewhere, meanwhile) = (control::elsewhere(), control::meanwhile());
    parted(&ours, &mut names, Merging { elsewhere, meanwhile, afterwards: control::afterwards() })
}

/// The story of the minds.
pub fn minds_story() -> Files {
    let (ours, mut names) = (Project::new(), Names::new());
    Writer::new(&ours, "2026-11-20T09:00:00Z", "first", &mut names).write(minds::first_day());
    let (elsewhere, meanwhile) = (minds::elsewhere(), minds::meanwhile());
    parted(&ours, &mut names, Merging { elsewhere, meanwhile, afterwards: minds::afterwards() })
}

/// Two clones that part and are merged.
fn parted(ours: &Project, names: &mut Names, merging: Merging) -> Files {
    let (theirs, both) = (Project::new(), Project::new());
    let common = ours.files();
    theirs.set_files(&common);
    fs::copy(ours.context().join("config.toml"), theirs.context().join("config.toml")).expect("copied");
    Writer::new(&theirs, "2026-11-21T10:00:00Z", "second", names).write(merging.elsewhere);
    Writer::new(ours, "2026-11-21T10:00:00.500Z", "first again", names).write(merging.meanwhile);
    both.set_files(&merged(&common, ours.files(), &theirs.files()));
    fs::copy(ours.context().join("config.toml"), both.context().join("config.toml")).expect("copied");
    Writer::new(&both, "2026-11-21T12:00:00Z", "third", names).write(merging.afterwards);
    both.files()
}

/// As `merge=union` does: what both had, what the one wrote since, what the other did.
fn merged(common: &Files, mut files: Files, theirs: &Files) -> Files {
    for (name, text) in theirs {
        let known = common.get(name).map_or(0, String::len);
        files.entry(name.clone()).or_default().push_str(&text[known..]);
    }
    files
}
