//! What several tests need: projects in temporary folders, entries, and chains written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals::engine::clock::Clock;
use annals::engine::live::Cache;
use annals::engine::scrub;
use annals::engine::verify::Terms;
use annals::engine::{By, Engine};
use annals::kernel::annals::{Annals, Head, LineHash, Link, Source};
use annals::kernel::entry::{HistoryEntry, Metadata, Operation, OperationType, Provenance};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId, WriterId};
use annals::kernel::json::{Json, Members};
use annals::kernel::time::Timestamp;
use annals::log::batch::Batch;
use annals::log::disk::{Look, RealDisk};
use annals::log::segment::Segment;
use annals::log::verify::{Blobs, Foreign, Memory, Report, Scrubs, Sheet, Survey, judge};

/// A time of the days in which these tests live.
pub fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

/// A step that says something in a session. Its id and time are set when it is recorded.
pub fn step(session: &str, text: &str) -> HistoryEntry {
    HistoryEntry {
        id: EntryId::MIN,
        timestamp: Timestamp::from_millis(0),
        session_id: SessionId::from(session),
        project_id: None,
        operation: Operation {
            kind: OperationType::ToolCall,
            name: "Bash".into(),
            input: Json::of(&serde_json::json!({ "command": text })),
            output: None,
            duration_ms: Some(7),
            success: true,
            error: None,
            unknown: Members::default(),
        },
        provenance: Provenance::default(),
        metadata: Metadata::default(),
        annals: Annals::default(),
        extensions: Members::default(),
        unknown: Members::default(),
    }
}

/// A step that an import made: its id and time are its own, and the same in every clone.
pub fn imported(at: &str, session: &str, text: &str) -> HistoryEntry {
    let at = time(at);
    let source = Source { kind: "test".into(), session: session.into(), record: text.into(), ..Source::default() };
    HistoryEntry {
        id: source.entry_id(at),
        timestamp: at,
        annals: Annals { source: Some(source), ..Annals::default() },
        ..step(session, text)
    }
}

/// A `.context` folder in a temporary one.
pub struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join(".context/history")).expect("made");
        Self { folder }
    }

    /// One that has lines in files, each with the place of its file in the list.
    pub fn with_lines(files: &[&str], placed: &[(usize, impl AsRef<str>)]) -> Self {
        let project = Self::new();
        for (file, name) in files.iter().enumerate() {
            let here = placed.iter().filter(|(at, _)| *at == file);
            let text: String = here.flat_map(|(_, line)| [line.as_ref(), "\n"]).collect();
            fs::write(project.history(name), text).expect("written");
        }
        project
    }

    /// The folder that holds `.context`.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// `.context`.
    pub fn context(&self) -> PathBuf {
        self.folder.path().join(".context")
    }

    /// A file of the history.
    pub fn history(&self, name: &str) -> PathBuf {
        self.context().join("history").join(name)
    }

    /// The engine on it, with a clock that stands still and chance from a seed.
    pub fn engine(&self, now: &str, seed: &str) -> Engine {
        engine(&self.context(), now, seed)
    }

    /// The engine on it, with the machine's time and chance from a seed.
    pub fn live(&self, seed: &str) -> Engine {
        open(&self.context(), seed)
    }

    /// The hash of its state, folded without any cache.
    pub fn fresh_hash(&self) -> String {
        world_hash(&self.context())
    }

    /// The day files, by name.
    pub fn files(&self) -> BTreeMap<String, String> {
        day_files(&self.context())
    }

    /// Puts day files in place of those that are there.
    pub fn set_files(&self, files: &BTreeMap<String, String>) {
        for name in self.files().keys() {
            fs::remove_file(self.history(name)).expect("removed");
        }
        for (name, text) in files {
            fs::write(self.history(name), text).expect("written");
        }
    }
}

/// The engine on a `.context` folder.
pub fn engine(context: &Path, now: &str, seed: &str) -> Engine {
    let clock = Clock::new(Some(time(now)), Some(seed.to_owned()));
    Engine::open(Arc::new(RealDisk), context, clock).expect("opened")
}

/// An engine on a folder.
pub fn open(context: &Path, seed: &str) -> Engine {
    let clock = Clock::new(None, Some(seed.to_owned()));
    Engine::open(Arc::new(RealDisk), context, clock).expect("opened")
}

/// Somebody who asks outside of any session.
pub fn user() -> By {
    By::new(AgentId::from("user"), SessionId::from(NO_SESSION))
}

/// An entry about a call, at a time, in a session.
pub fn call(session: &str, millis: i64, number: u128) -> HistoryEntry {
    let at = Timestamp::from_millis(millis);
    HistoryEntry {
        id: EntryId::new(at, number),
        timestamp: at,
        session_id: SessionId::from(session),
        project_id: None,
        operation: Operation {
            kind: OperationType::ToolCall,
            name: "Bash".into(),
            input: Json::of(&serde_json::json!({ "command": format!("step {number}") })),
            output: None,
            duration_ms: Some(5),
            success: !number.is_multiple_of(7),
            error: None,
            unknown: Members::default(),
        },
        provenance: Provenance { agent_id: Some(AgentId::from("coder")), ..Provenance::default() },
        metadata: Metadata { token_count: Some(3), ..Metadata::default() },
        annals: Annals::default(),
        extensions: Members::default(),
        unknown: Members::default(),
    }
}

/// The day files of a `.context` folder, by name.
pub fn day_files(context: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(context.join("history")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            files.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
    files
}

/// The hash of the world, folded from the lines alone.
pub fn world_hash(context: &Path) -> String {
    let engine = engine(context, "2026-12-31T00:00:00Z", "reader").with_cache(Cache::Ignored);
    engine.ask(annals::world::World::hash).expect("folded")
}

/// Takes the command of a step out of the history, or a part of it.
pub fn scrub(engine: &Engine, entry: EntryId, part: Option<&str>) {
    let request = scrub::Request {
        what: scrub::What::At { entry, path: "operation.input.command".to_owned(), part: part.map(str::to_owned) },
        confirmed_by: "Ada".to_owned(),
        reason: None,
        mode: scrub::ScrubMode::Scrub,
        elsewhere: Vec::new(),
        views: BTreeSet::new(),
    };
    let done = engine.scrub(&request, &user()).expect("scrubbed");
    assert_eq!((done.refusal, done.lines.len()), (None, 1));
}

/// What verify finds, a line each: file, line, kind.
pub fn findings_of(context: &Path) -> Vec<String> {
    let engine = engine(context, "2026-12-31T00:00:00Z", "verifier");
    said(&engine.verify(&Terms::default()).expect("verified").report)
}

/// Findings, a line each: file, line, kind, and what.
pub fn said(report: &Report) -> Vec<String> {
    let said = report.findings.iter().map(|finding| {
        let file = finding.file.as_deref().unwrap_or("-");
        let line = finding.line.map_or("-".to_owned(), |line| line.to_string());
        format!("{file}:{line} {}: {}", finding.what.kind(), finding.what)
    });
    said.collect()
}

/// Writes the chain of one writer by hand.
#[derive(Clone)]
pub struct Scribe {
    writer: WriterId,
    /// Its last line.
    pub head: Head,
}

impl Scribe {
    /// A writer that has not written yet.
    pub fn new(writer: &str) -> Self {
        Self { writer: WriterId::from(writer), head: Head { count: 0, hash: LineHash::default() } }
    }

    /// Its name and last line, as another line names them.
    pub fn seen(&self) -> (WriterId, Head) {
        (self.writer.clone(), self.head)
    }

    /// Its next line.
    pub fn line(&mut self, at: &str, text: &str) -> String {
        self.write(at, text, &[], &[])
    }

    /// Its next line, which has seen others.
    pub fn seeing(&mut self, at: &str, text: &str, seen: &[(WriterId, Head)]) -> String {
        self.write(at, text, seen, &[])
    }

    /// Its next line, which was scrubbed.
    pub fn scrubbed(&mut self, at: &str, text: &str, formers: &[LineHash]) -> String {
        self.write(at, text, &[], formers)
    }

    fn write(&mut self, at: &str, text: &str, seen: &[(WriterId, Head)], formers: &[LineHash]) -> String {
        let at = time(at);
        let mut entry = step("s", text);
        (entry.timestamp, entry.id) = (at, EntryId::derived(at, &[self.writer.as_str(), text]));
        let count = self.head.count + 1;
        let (writer, seen) = (self.writer.clone(), seen.iter().cloned().collect());
        let link = Link { writer, count, previous: self.head.hash, seen, lost: None, left: None };
        entry.annals = Annals { v: Some(1), link: Some(link), scrubbed: formers.to_vec(), ..Annals::default() };
        let line = entry.to_line();
        self.head = Head { count, hash: LineHash::of(line.as_bytes()) };
        line
    }
}

/// Judges files given by name and lines.
pub fn judge_files(files: &[(&str, &[String])], memories: &[Memory], scrubs: &Scrubs, foreign: Foreign) -> Report {
    let segment = |(name, _): &(&str, &[String])| Segment { name: (*name).to_owned(), look: Look::default() };
    let mut survey = Survey::new(files.iter().map(segment).collect());
    for (index, (_, lines)) in files.iter().enumerate() {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        survey.add(index, Sheet::of(&Batch::decode(text.into_bytes(), 0), Blobs::Skip));
    }
    judge(survey, memories, &scrubs.clone().into(), foreign)
}

/// The folder of real transcripts, where the environment names one.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests only: nothing else can say where the data is"
)]
pub fn transcripts() -> Option<PathBuf> {
    let folder = std::env::var_os("ANNALS_TRANSCRIPTS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: ANNALS_TRANSCRIPTS does not name the folder of transcripts");
    }
    folder
}
