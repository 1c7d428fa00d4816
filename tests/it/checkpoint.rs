//! The checkpoint is a cache: with it, without it, after late lines and from any layer, the world is the same.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use annals::domain::history;
use annals::domain::history::command::Settle;
use annals::domain::session::command::{Complete, Start, Suspend};
use annals::domain::session::{Command, Event};
use annals::engine::Engine;
use annals::engine::live::Cache;
use annals::kernel::id::{EntryId, SessionId};
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::world::World;
use proptest::prelude::*;

use crate::support::{Project, call, open, user};

#[derive(Debug, Clone)]
enum Step {
    Start,
    Suspend(usize),
    Complete(usize),
    Call(u8),
    /// A line whose time is long past.
    Late(u8, u16),
    /// Another branch: the file of today is another one with a line more, and so is one of an earlier day, or one is gone.
    Pull(u8, u16),
    Gone(usize),
    /// A line comes that says something else under the id of one that is there.
    Contradict(usize),
    /// The user says which line counts of the first id of several.
    Settle(usize),
    Store,
    /// Time goes by in which no segment comes or goes.
    Rest,
    /// The process ends and another one begins.
    Reopen,
    Ask,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::Start),
        1 => any::<usize>().prop_map(Step::Suspend),
        1 => any::<usize>().prop_map(Step::Complete),
        6 => any::<u8>().prop_map(Step::Call),
        2 => (any::<u8>(), 0..4000_u16).prop_map(|(session, minute)| Step::Late(session, minute)),
        2 => (any::<u8>(), 0..4000_u16).prop_map(|(session, minute)| Step::Pull(session, minute)),
        1 => any::<usize>().prop_map(Step::Gone),
        1 => any::<usize>().prop_map(Step::Contradict),
        1 => any::<usize>().prop_map(Step::Settle),
        3 => Just(Step::Store),
        4 => Just(Step::Rest),
        2 => Just(Step::Reopen),
        1 => Just(Step::Ask),
    ]
}

const NOW: i64 = 1_763_700_000_000;

/// A line of another project comes into the file of its day, which is another file from then on.
fn come(project: &Project, session: u8, at: i64, number: u128) {
    let other = Project::new();
    other.live("z").record(call(&format!("s{}", session % 5), at, number), IdSource::AsGiven).expect("recorded");
    for (name, text) in other.files() {
        add(&project.history(&name), &text);
    }
}

/// A line that says something else under the id of one that is there.
fn contradict(project: &Project, index: usize) {
    let lines: Vec<String> =
        project.files().into_values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let Some(line) = lines.get(index % lines.len().max(1)) else { return };
    let other = if line.contains("\"success\":true") {
        line.replace("\"success\":true", "\"success\":false")
    } else {
        line.replace("\"success\":false", "\"success\":true")
    };
    add(&project.history("2026-11-19.jsonl"), &(other + "\n"));
}

/// Puts a longer file in the place of one, as git does.
fn add(here: &Path, text: &str) {
    let text = fs::read_to_string(here).unwrap_or_default() + text;
    fs::write(here.with_extension("new"), text).expect("written");
    fs::rename(here.with_extension("new"), here).expect("renamed");
}

fn settle(engine: &Engine, index: usize) {
    let conflict = |world: &World| {
        world
            .rooms
            .history
            .conflicts
            .iter()
            .next()
            .map(|(id, versions)| (*id, versions.iter().copied().collect::<Vec<_>>()))
    };
    let Some((id, versions)) = engine.ask(conflict).expect("asked") else { return };
    let command = history::Command::from(Settle { id, hash: versions[index % versions.len()] });
    engine.decide(command, &Json::of(&history::Observed { versions }), &user()).expect("decided");
}

fn pull(project: &Project, session: u8, minute: u16, number: u128) {
    come(project, session, NOW, 1000 + number);
    come(project, session, NOW - i64::from(minute) * 60_000, 2000 + number);
}

/// As it was after an entry in the middle, with the checkpoint as it is found and without it.
fn in_the_middle(project: &Project) -> [String; 2] {
    let texts = project.files().into_values().collect::<String>();
    let mut ids: Vec<EntryId> = texts.lines().map(|line| line[7..33].parse().expect("an id")).collect();
    ids.sort_unstable();
    let middle = ids.get(ids.len() / 2).copied().unwrap_or(EntryId::MAX);
    let with = project.live("d").world_at(middle).expect("folded").ask(World::hash).expect("asked");
    let mut without = project.live("e").with_cache(Cache::Ignored).world_at(middle).expect("folded");
    [with, without.ask(World::hash).expect("asked")]
}

/// As if a folder had last changed a minute before: what it looks like is trusted after a while.
fn age(project: &Project, folder: &str) {
    if let Ok(folder) = fs::File::open(project.history(folder)) {
        let changed = folder.metadata().and_then(|metadata| metadata.modified()).expect("a time");
        folder.set_modified(changed - Duration::from_secs(60)).expect("aged");
    }
}

/// As if the folders had come to rest long ago, and somebody asked.
fn rest(project: &Project) {
    age(project, "");
    age(project, "archive");
    project.live("r").ask(World::hash).expect("folded");
}

/// What all steps lead to is the same from the checkpoint, in the process that took them, and from nothing.
fn play(project: &Project, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let mut engine = project.live("a");
    let mut sessions: Vec<SessionId> = Vec::new();
    let pick = |sessions: &[SessionId], index: usize| sessions.get(index % sessions.len().max(1)).cloned();
    for (number, step) in (1u128..).zip(steps) {
        let decide = |command: Command| engine.decide(command, &Json::empty_object(), &user()).expect("decided");
        match step {
            Step::Start => {
                let answer = decide(Start::default().into());
                if let Some(annals::domain::Event::Session(Event::Started(started))) = answer.events.first() {
                    sessions.push(started.session.clone());
                }
            }
            Step::Suspend(index) => {
                if let Some(session) = pick(&sessions, index) {
                    decide(Suspend { session, reason: None }.into());
                }
            }
            Step::Complete(index) => {
                if let Some(session) = pick(&sessions, index) {
                    decide(Complete { session }.into());
                }
            }
            Step::Call(session) => {
                engine.record(call(&format!("s{}", session % 5), NOW, number), IdSource::Minted).expect("recorded");
            }
            Step::Late(session, minute) => {
                let entry = call(&format!("s{}", session % 5), NOW - i64::from(minute) * 60_000, number);
                engine.record(entry, IdSource::AsGiven).expect("recorded");
            }
            Step::Contradict(index) => contradict(project, index),
            Step::Settle(index) => settle(&engine, index),
            Step::Pull(session, minute) => pull(project, session, minute, number),
            Step::Gone(index) => {
                let files = project.files();
                if let Some(name) = files.keys().nth(index % files.len().max(1)) {
                    fs::remove_file(project.history(name)).expect("removed");
                }
            }
            Step::Store => engine.store_checkpoint().expect("stored"),
            Step::Rest => rest(project),
            Step::Reopen => engine = open(&project.context(), &format!("b{number}")),
            Step::Ask => drop(engine.ask(World::hash).expect("folded")),
        }
    }
    let [middle, fresh] = in_the_middle(project);
    prop_assert_eq!(middle, fresh);
    let live = engine.ask(World::hash).expect("folded");
    let reopened = project.live("c").ask(World::hash).expect("folded");
    prop_assert_eq!((&live, &reopened), (&project.fresh_hash(), &live));
    Ok(())
}

/// So many segments that not all are looked at each time.
fn with_many_segments() -> Project {
    let (project, other) = (Project::new(), Project::new());
    let engine = other.live("z");
    for number in 0..8 {
        engine.record(call("s", NOW - 86_400_000, number), IdSource::AsGiven).expect("recorded");
    }
    let (_, text) = other.files().pop_first().expect("a file");
    for (number, line) in (0..1010).zip(text.lines().cycle()) {
        fs::write(project.history(&format!("2025-11-20.abcdefgh.{number}.jsonl")), format!("{line}\n"))
            .expect("written");
    }
    project.live("y").store_checkpoint().expect("stored");
    rest(&project);
    project
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_and_without_it_the_world_is_the_same(steps in prop::collection::vec(step(), 1..40)) {
        play(&Project::new(), steps)?;
    }
}

// Two tests of half the cases: each takes a second or two, and two run at once.
proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_and_without_it_the_world_of_many_segments_is_the_same(steps in prop::collection::vec(step(), 1..40)) {
        play(&with_many_segments(), steps)?;
    }

    #[test]
    fn with_and_without_it_another_world_of_many_segments_is_the_same(steps in prop::collection::vec(step(), 1..40)) {
        play(&with_many_segments(), steps)?;
    }
}

#[test]
fn of_many_segments_those_that_nobody_writes_to_are_not_looked_at_again() {
    let project = with_many_segments();
    let hash = || project.live("b").ask(World::hash).expect("folded");
    let before = hash();
    let old = project.history("2025-11-20.abcdefgh.1009.jsonl");
    let mut file = fs::OpenOptions::new().append(true).open(&old).expect("opened");
    let line = fs::read_to_string(&old).expect("read").replace("\"session_id\":\"s\"", "\"session_id\":\"t\"");
    file.write_all(line.replace(&line[7..33], "01KAH3N5000000000000000000").as_bytes()).expect("written");
    assert_ne!(project.fresh_hash(), before);
    assert_eq!(hash(), before, "the folder is as it was");
    fs::write(project.history("2025-11-21.abcdefgh.1.jsonl"), "").expect("written");
    assert_eq!(hash(), project.fresh_hash(), "a segment came, and all are looked at");
}

#[test]
fn of_many_segments_every_one_that_changes_as_it_should_is_looked_at() {
    let project = with_many_segments();
    fs::create_dir(project.history("archive")).expect("made");
    let (earlier, engine) = (NOW - 86_400_000, project.live("a"));
    let record = |at: i64, number: u128| engine.record(call("t", at, number), IdSource::AsGiven).expect("recorded");
    record(earlier, 1);
    record(NOW, 2);
    engine.store_checkpoint().expect("stored");
    rest(&project);
    let is_current = || assert_eq!(project.live("b").ask(World::hash).expect("folded"), project.fresh_hash());
    record(NOW, 3);
    is_current();
    record(earlier, 4);
    is_current();
    rest(&project);
    let other = Project::new();
    other.live("z").record(call("u", earlier, 5), IdSource::AsGiven).expect("recorded");
    let (_, text) = other.files().pop_first().expect("a file");
    let packed = zstd::encode_all(text.as_bytes(), 1).expect("packed");
    fs::write(project.history("archive/2025-11-20-0123456789abcdef.jsonl.zst"), packed).expect("written");
    age(&project, "archive");
    is_current();
}

#[test]
fn a_state_of_the_past_is_the_same_from_every_layer() {
    let project = Project::new();
    let engine = project.live("a");
    let mut expected: Vec<(EntryId, String)> = Vec::new();
    for number in 0..60u128 {
        let session = format!("s{}", number % 7);
        let entry = engine.record(call(&session, NOW, number), IdSource::Minted).expect("recorded");
        expected.push((entry.id, project.fresh_hash()));
        if number % 9 == 0 {
            engine.store_checkpoint().expect("stored");
        }
    }
    for (entry, hash) in expected {
        let then = engine.world_at(entry).expect("folded").ask(World::hash).expect("asked");
        assert_eq!(then, hash, "at {entry}");
    }
}

#[test]
fn a_damaged_checkpoint_is_folded_again() {
    let project = Project::new();
    let engine = project.live("a");
    for number in 0..40 {
        engine.record(call(&format!("s{number}"), NOW, number), IdSource::Minted).expect("recorded");
    }
    engine.store_checkpoint().expect("stored");
    let hash = project.fresh_hash();
    for file in fs::read_dir(project.context().join("local/checkpoint")).expect("stored") {
        let path = file.expect("a file").path();
        let good = fs::read(&path).expect("read");
        for at in (0..good.len()).step_by(if good.len() < 1000 { 1 } else { 97 }) {
            let mut bad = good.clone();
            bad[at] ^= 0x15;
            fs::write(&path, &bad).expect("written");
            assert_eq!(project.live("b").ask(World::hash).expect("folded"), hash, "{} byte {at}", path.display());
        }
        fs::write(&path, &good[..good.len() / 2]).expect("written");
        assert_eq!(project.live("b").ask(World::hash).expect("folded"), hash, "{} cut", path.display());
        fs::write(&path, &good).expect("written");
    }
}
