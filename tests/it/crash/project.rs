//! A project on a disk in memory, the commands of its life, and what must be true of it whatever has happened.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals::domain::session::{self, command::Start};
use annals::engine::clock::Clock;
use annals::engine::consent::{Consent, Entered};
use annals::engine::live::Cache;
use annals::engine::query::filter::Filter;
use annals::engine::verify::Terms;
use annals::engine::{Engine, EngineError, settings};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::json::Json;
use annals::log::place::Place;
use annals::log::position::IdSource;

use super::disk::SimDisk;
use crate::support::{imported, said, step, time, user};

/// The folder in which the project is.
const FOLDER: &str = "/home/project";

/// `.context`.
pub fn context() -> PathBuf {
    Path::new(FOLDER).join(".context")
}

/// The history.
pub fn history() -> PathBuf {
    context().join("history")
}

/// A disk with a folder for a project, and nothing in it.
pub fn bare() -> SimDisk {
    SimDisk::with_folder(Path::new(FOLDER))
}

/// The same with a configuration that the user entered in this clone.
pub fn configured(text: &str) -> SimDisk {
    let disk = bare();
    disk.put(&context().join("config.toml"), text.as_bytes());
    let file = settings::load(&disk, &context().join("config.toml")).expect("a configuration");
    let mut consent = Consent::default();
    for (key, value) in file.settings.iter() {
        consent.enter(key, Entered { value: Some(value.clone()), entry: EntryId::MIN });
    }
    consent.save(&disk, &Place::new(&context()), None).expect("kept");
    disk
}

/// A process of its own: it knows what is on the disk, and its chance is nobody else's.
pub fn process(disk: &SimDisk, now: &str, seed: &str) -> Result<Engine, EngineError> {
    Engine::open(Arc::new(disk.clone()), &context(), Clock::new(Some(time(now)), Some(seed.to_owned())))
}

const FRIDAY: &str = "2026-11-20T23:59:00Z";
const SATURDAY: &str = "2026-11-21T08:00:00Z";

/// A command of a process of its own; returns the entries that count.
pub type Command = fn(&SimDisk, &str) -> Result<Vec<EntryId>, EngineError>;

/// The commands of a life: every way in which lines are written, in one file, in several, and over midnight.
pub const LIFE: [Command; 10] = [
    |disk, seed| record(disk, FRIDAY, seed),
    record_three,
    |disk, seed| start_session(disk, FRIDAY, seed),
    |disk, seed| note(disk, FRIDAY, seed),
    |disk, seed| note(disk, FRIDAY, seed),
    record_large,
    import,
    |disk, seed| start_session(disk, SATURDAY, seed),
    |disk, seed| {
        process(disk, SATURDAY, seed)?.store_checkpoint()?;
        note(disk, SATURDAY, seed)
    },
    stay,
];

/// One entry.
pub fn record(disk: &SimDisk, now: &str, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    Ok(vec![process(disk, now, seed)?.record(step("s", seed), IdSource::Minted)?.id])
}

/// Three entries under one lock.
pub fn record_three(disk: &SimDisk, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let entries = ["one", "two", "three"].map(|text| (step("s", &format!("{seed} {text}")), IdSource::Minted));
    record_all(&process(disk, FRIDAY, seed)?, entries.to_vec())
}

fn record_all(engine: &Engine, entries: Vec<(HistoryEntry, IdSource)>) -> Result<Vec<EntryId>, EngineError> {
    Ok(engine.record_all(entries)?.iter().map(|appended| appended.id).collect())
}

/// As a hook does: with the bookmark alone where that is enough.
fn note(disk: &SimDisk, now: &str, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let mut entry = step("s", seed);
    entry.timestamp = time(now);
    Ok(process(disk, now, seed)?.note(vec![entry])?.iter().map(|appended| appended.id).collect())
}

fn start_session(disk: &SimDisk, now: &str, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let start = Start { title: Some(seed.into()), parent_session_id: None, project_id: None };
    let engine = process(disk, now, seed)?;
    let answer = engine.decide(session::Command::from(start), &Json::empty_object(), &user())?;
    Ok(answer.entry.into_iter().collect())
}

fn record_large(disk: &SimDisk, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let engine = process(disk, FRIDAY, seed)?;
    Ok(vec![engine.record(step("s", &"large ".repeat(8000)), IdSource::Minted)?.id])
}

/// Records that keep their own times: on three days.
fn import(disk: &SimDisk, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let times = ["2026-11-18T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-19T10:00:00Z", "2026-11-19T11:00:00Z"];
    let entries = times.map(|at| (imported(at, "elsewhere", at), IdSource::AsGiven));
    record_all(&process(disk, SATURDAY, seed)?, entries.to_vec())
}

/// One process that writes more than once.
fn stay(disk: &SimDisk, seed: &str) -> Result<Vec<EntryId>, EngineError> {
    let engine = process(disk, SATURDAY, seed)?;
    let first = engine.record(step("s", "first"), IdSource::Minted)?.id;
    let start = Start { title: None, parent_session_id: None, project_id: None };
    let answer = engine.decide(session::Command::from(start), &Json::empty_object(), &user())?;
    let last = engine.record(step("s", "last"), IdSource::Minted)?.id;
    Ok([first, last].into_iter().chain(answer.entry).collect())
}

/// The ids of all entries, in the order of the fold.
pub fn ids(disk: &SimDisk) -> Vec<EntryId> {
    let engine = process(disk, SATURDAY, "reader").expect("opened");
    let found = engine.reader().expect("a reader").all(&Filter::default()).expect("read");
    found.into_iter().map(|found| found.entry.id).collect()
}

/// The hash of the state: the fold never fails, and with and without a checkpoint it is the same.
pub fn hash(disk: &SimDisk) -> String {
    let hash = |cache| {
        let engine = process(disk, SATURDAY, "reader").expect("opened").with_cache(cache);
        engine.ask(annals::world::World::hash).expect("folded")
    };
    let (fresh, cached) = (hash(Cache::Ignored), hash(Cache::Used));
    assert_eq!(fresh, cached, "the checkpoint gives another state");
    fresh
}

/// What verify finds.
pub fn findings(disk: &SimDisk) -> Vec<String> {
    let engine = process(disk, SATURDAY, "verifier").expect("opened");
    said(&engine.verify(&Terms::default()).expect("verified").report)
}

/// The log can be folded, holds what counts, and takes the next line, which stands on its own. Returns what counts now.
pub fn check(disk: &SimDisk, counted: &[EntryId], seed: &str) -> Vec<EntryId> {
    hash(disk);
    let is_there = |id: &EntryId, all: &BTreeSet<EntryId>| assert!(all.contains(id), "{id} counts and is lost");
    let before: BTreeSet<_> = ids(disk).into_iter().collect();
    for id in counted {
        is_there(id, &before);
    }
    let next = record(disk, SATURDAY, seed).expect("the next command works");
    hash(disk);
    let all: BTreeSet<_> = ids(disk).into_iter().collect();
    for id in counted.iter().chain(&next) {
        is_there(id, &all);
    }
    assert_lines_stand_alone(disk);
    counted.iter().copied().chain(next).collect()
}

/// Every line is one entry: none is torn, none is glued to another.
pub fn assert_lines_stand_alone(disk: &SimDisk) {
    for (path, bytes) in disk.below(&history()) {
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            let text = String::from_utf8(bytes).expect("text");
            assert!(text.is_empty() || text.ends_with('\n'), "the last line of {} is cut", path.display());
            for line in text.lines() {
                HistoryEntry::read(line).unwrap_or_else(|error| panic!("{}: {error}: {line}", path.display()));
            }
        }
    }
}
