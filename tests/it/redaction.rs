//! Redact, then replay: what was taken out before a line was written is not missed by anybody afterwards.

mod fields;
mod made;

use annals::domain::{Ask, Command};
use annals::engine::replay::Which;
use annals::engine::{By, Engine};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{AgentId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::log::batch::Batch;
use annals::log::position::IdSource;
use annals::sanitizer::{Config, Context, Sanitizer, Source};
use annals::world::decision::entry_of;
use annals::world::{Asked, World};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Project, step};

/// Made-up secrets, in pieces so that no scanner takes this source for a leak.
fn secrets() -> Vec<String> {
    vec![
        ["gh", "p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP"].concat(),
        "DB_PASSWORD=hunter2x".to_owned(),
        ["https://ann:", "s3cr3tpw@db.annals.test/x"].concat(),
        ["Authorization: Bear", "er k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3g"].concat(),
    ]
}

/// A step of a random life. Sessions are numbered in the order in which they were started.
#[derive(Debug, Clone)]
enum Step {
    Prompt(String),
    Call { input: Value, output: String },
    Ask { actor: &'static str, command: &'static str, fields: Value, observed: Value },
}

fn ask(actor: &'static str, command: &'static str, fields: Value) -> Step {
    Step::Ask { actor, command, fields, observed: json!({}) }
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => prop::sample::select(secrets()).prop_map(|secret| format!(" {secret} ")),
        3 => prop::sample::select(vec!["deploy ", "canon", " now", "\n", "\"", "/", "x.md", " and then "]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn steps() -> impl Strategy<Value = Step> {
    let session = || prop::sample::select(vec!["#0", "#1", "s"]);
    let actor = || prop::sample::select(vec!["user", "coder"]);
    prop_oneof![
        texts().prop_map(Step::Prompt),
        (texts(), texts())
            .prop_map(|(key, output)| Step::Call { input: json!({ key: "v", "command": output }), output }),
        texts().prop_map(|title| ask("user", "history.session.start", json!({ "title": title }))),
        (session(), texts()).prop_map(|(session, reason)| ask(
            "user",
            "history.session.suspend",
            json!({ "session": session, "reason": reason })
        )),
        session().prop_map(|session| ask("user", "history.session.resume", json!({ "session": session }))),
        (session(), texts()).prop_map(|(session, text)| Step::Ask {
            actor: "user",
            command: "history.session.complete",
            fields: json!({ "session": session }),
            observed: json!({ "summary": { "title": text, "body": text } }),
        }),
        (session(), texts()).prop_map(|(session, reason)| ask(
            "user",
            "history.session.abort",
            json!({ "session": session, "reason": reason })
        )),
        (actor(), texts()).prop_map(|(actor, path)| ask(
            actor,
            "access.path.attempt",
            json!({ "path": path, "intent": "write" })
        )),
        texts().prop_map(|folder| ask("user", "access.grant.give", json!({ "agent": "coder", "folder": folder }))),
        texts().prop_map(|folder| ask("user", "access.grant.revoke", json!({ "agent": "coder", "folder": folder }))),
    ]
}

/// Both ways of writing down a life: through the engine, and without any sanitizer.
struct Twice {
    project: Project,
    engine: Engine,
    sessions: Vec<String>,
    raw: World,
    raw_lines: Vec<String>,
}

impl Twice {
    fn new() -> Self {
        let project = Project::new();
        let engine = project.engine("2026-11-20T09:00:00Z", "life");
        Self { project, engine, sessions: Vec::new(), raw: World::default(), raw_lines: Vec::new() }
    }

    fn live_all(&mut self, life: &[Step]) {
        for step in life {
            self.live(step);
        }
    }

    fn live(&mut self, step: &Step) {
        self.engine.clock().advance(1_000);
        match step {
            Step::Prompt(text) => self.record("user_input", "prompt", &json!({ "text": text }), None),
            Step::Call { input, output } => self.record("tool_call", "Bash", input, Some(&json!({ "stdout": output }))),
            Step::Ask { actor, command, fields, observed } => self.ask(actor, command, fields, observed),
        }
    }

    fn record(&mut self, kind: &str, name: &str, input: &Value, output: Option<&Value>) {
        let mut entry = step("s", "");
        (entry.operation.kind, entry.operation.name) = (kind.into(), name.into());
        (entry.operation.input, entry.operation.output) = (Json::of(input), output.map(Json::of));
        let appended = self.engine.record(entry.clone(), IdSource::Minted).expect("recorded");
        (entry.id, entry.timestamp) = (appended.id, self.engine.clock().now());
        self.write_raw(&entry);
    }

    fn ask(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) {
        let mut text = fields.to_string();
        for (index, id) in self.sessions.iter().enumerate() {
            text = text.replace(&format!("\"#{index}\""), &format!("\"{id}\""));
        }
        let command = Command::read(command, &Json::from_text(text).expect("JSON")).expect("a command");
        let by = By::new(AgentId::from(actor), SessionId::from(NO_SESSION));
        let observed = Json::of(observed);
        let answer = self.engine.decide(command.clone(), &observed, &by).expect("decided");
        let Some(id) = answer.entry else { return };
        if command.name() == "history.session.start" {
            self.sessions.push(id.to_string());
        }
        let asked = Asked { id, at: self.engine.clock().now(), actor: by.actor, session: by.session };
        let ask = Ask { command, observed };
        let decided = self.raw.decide(&ask, &asked);
        let mut entry = entry_of(&ask, &asked, &decided, 0);
        if let Some(annals::domain::Event::Session(event)) = decided.events.first() {
            entry.session_id = event.session().clone();
        }
        self.write_raw(&entry);
    }

    fn write_raw(&mut self, entry: &HistoryEntry) {
        let line = entry.to_line();
        fold(&mut self.raw, &line);
        self.raw_lines.push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.project
            .files()
            .into_values()
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }
}

fn fold(world: &mut World, line: &str) {
    let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
    batch.entries().for_each(|placed| world.apply(&placed.envelope));
}

fn folded<'l>(lines: impl IntoIterator<Item = &'l String>) -> World {
    let mut world = World::default();
    lines.into_iter().for_each(|line| fold(&mut world, line));
    world
}

fn redacted(line: &str) -> String {
    let sanitizer = Sanitizer::new(Config::default()).expect("a configuration");
    sanitizer.sanitize_json(line, &Context::of(Source::History)).text.into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whether secrets are taken out before a line is written or out of the written line: one world.
    #[test]
    fn redacted_first_or_afterwards_a_log_folds_to_the_same_hash(life in prop::collection::vec(steps(), 0..14)) {
        let mut twice = Twice::new();
        twice.live_all(&life);
        let lines = twice.lines();
        let text = lines.concat();
        for secret in ["hunter2x", "k3J9xQ2mV7tR4wZ8", "s3cr3tpw"] {
            prop_assert!(!text.contains(secret), "{} in {}", secret, text);
        }
        let afterwards: Vec<String> = twice.raw_lines.iter().map(|line| redacted(line)).collect();
        prop_assert_eq!(folded(&afterwards), folded(&lines));
        prop_assert_eq!(folded(&afterwards).hash(), twice.engine.ask(World::hash).expect("asked"));
    }

    /// What was observed is cleaned before it is decided on, so that replay sees what the rules saw.
    #[test]
    fn a_redacted_log_is_replayed_and_has_nothing_more_to_redact(life in prop::collection::vec(steps(), 0..14)) {
        let mut twice = Twice::new();
        twice.live_all(&life);
        for line in twice.lines() {
            prop_assert_eq!(&redacted(&line), &line);
        }
        let report = twice.engine.replay(&Which::All).expect("replayed");
        prop_assert_eq!((report.differed, report.passed_over.len()), (vec![], 0));
    }

    /// However much of a log there is, it folds; and `--at` shows what was folded then.
    #[test]
    fn every_prefix_of_a_log_folds(life in prop::collection::vec(steps(), 1..10), share in 0.0..1.0f64) {
        let mut twice = Twice::new();
        twice.live_all(&life);
        let lines = twice.lines();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share of a few lines")]
        let count = (lines.len() as f64 * share) as usize;
        let world = folded(&lines[..count]);
        prop_assert_eq!(world.oddities.count, 0);
        if let Some(last) = lines[..count].last() {
            let last = HistoryEntry::read(last).expect("an entry").id;
            prop_assert_eq!(twice.engine.world_at(last).expect("folded").ask(World::hash).expect("asked"), world.hash());
        }
    }
}

/// What somebody wrote into the file is adopted by a decision, and cleaned as any other.
#[test]
fn a_secret_in_the_configuration_is_not_written_into_the_history() {
    let project = Project::new();
    let pattern = r#"custom_patterns = [{ name = "ours", pattern = "DB_PASSWORD=hunter2x" }]"#;
    let config = format!("[sanitization]\n{pattern}\n[session]\nidle_minutes = 7\n");
    std::fs::write(project.context().join("config.toml"), config).expect("written");
    for now in ["2026-11-20T09:00:00Z", "2026-11-20T09:01:00Z"] {
        let engine = project.engine(now, now);
        let by = By::new(AgentId::from("user"), SessionId::from(NO_SESSION));
        let start = Command::read("history.session.start", &Json::empty_object()).expect("a command");
        assert!(engine.decide(start, &Json::empty_object(), &by).expect("decided").entry.is_some());
        assert_eq!(engine.replay(&Which::All).expect("replayed").differed, []);
    }
    let text: String = project.files().into_values().collect();
    let names: Vec<_> = text.lines().map(|line| HistoryEntry::read(line).expect("an entry").operation.name).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    assert_eq!(names, ["config.file.adopt", "history.session.start", "history.session.start"]);
    assert!(!text.contains("hunter2x"), "{text}");
}
