//! The player of time: paid for an entry that is dated otherwise than it was made, in a folder whose clock is the
//! machine's, and for a clock that a log takes for given though it did not begin so.
//!
//! Two games: one of lines, as merges and strangers bring them, and one of commands, which real processes run.

use std::collections::{BTreeMap, BTreeSet};

use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{EntryId, NO_SESSION};
use annals::kernel::time::Timestamp;
use annals::log::batch::Batch;
use annals::world::World;
use serde_json::{Value, json};

use super::chance::Chance;
use super::{number, played};
use crate::program::{Project, Run, run};

const GIVE: &str = "config.clock.give";
const WRITERS: [&str; 4] = ["one", "two", "three", "four"];
/// So many lines a log has.
const LINES: usize = 12;

/// A line of a log, as somebody writes it.
#[derive(Debug, Clone)]
struct Line {
    writer: &'static str,
    count: u64,
    seen: BTreeSet<&'static str>,
    gives: bool,
    is_import: bool,
}

/// What somebody writes next, who may lie in each part.
fn line(lines: &[Line], chance: &mut Chance) -> Line {
    let writer = if chance.happens(50) { "one" } else { chance.one(&WRITERS) };
    let count = 1 + u64::try_from(lines.iter().filter(|line| line.writer == writer).count()).expect("few");
    let seen = if chance.happens(50) { BTreeSet::new() } else { [chance.one(&WRITERS)].into() };
    let gives = chance.happens(if lines.is_empty() { 70 } else { 10 });
    let is_import = !gives && chance.happens(15);
    Line { writer, count, seen: seen.into_iter().filter(|other| *other != writer).collect(), gives, is_import }
}

fn text(line: &Line, at: Timestamp) -> String {
    const ZERO: &str = "00000000000000000000000000000000";
    let events = if line.gives { json!([{ "name": "config.clock.given", "data": {} }]) } else { json!([]) };
    let mut annals = json!({ "v": 1, "w": line.writer, "n": line.count, "p": ZERO, "r": 2 });
    if line.is_import {
        annals["source"] = json!({ "kind": "t", "session": "s", "record": "r" });
    }
    if !line.seen.is_empty() {
        annals["s"] = line
            .seen
            .iter()
            .map(|other| ((*other).to_owned(), json!([1, ZERO])))
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    let name = if line.gives { GIVE } else { "x" };
    let operation = json!({ "type": "system_event", "name": name, "input": { "command": {} }, "output": { "events": events }, "success": true });
    let line = json!({
        "id": EntryId::new(at, 7), "timestamp": at, "session_id": NO_SESSION, "operation": operation,
        "provenance": { "agent_id": "user" }, "metadata": {}, "extensions": { "annals": annals },
    });
    HistoryEntry::read(&line.to_string()).expect("an entry").to_line()
}

/// A log has a given clock where its first line gives it, and whoever wrote a line had seen one of somebody who knew.
fn is_given(lines: &[Line]) -> bool {
    let own: Vec<&Line> = lines.iter().filter(|line| !line.is_import).collect();
    let Some(first) = own.first().filter(|first| first.gives && first.count == 1) else { return false };
    let mut knows: BTreeSet<&str> = [first.writer].into();
    own.iter().all(|line| {
        let is_told = line.seen.iter().any(|other| knows.contains(other));
        knows.contains(line.writer) || is_told && knows.insert(line.writer)
    })
}

/// A log whose clock was taken away gets none again.
#[test]
fn lines() {
    let (mut given, mut total) = (0, 0);
    let (commands, seed) = (number("ANNALS_PLAYER_COMMANDS", 6000), number("ANNALS_PLAYER_SEED", 1));
    for game in 0..commands.div_ceil(LINES as u64) {
        let (mut world, mut lines, mut chance) = (World::default(), Vec::new(), Chance::of(seed, game));
        for index in 0..LINES {
            lines.push(line(&lines, &mut chance));
            let at = Timestamp::from_millis(1_795_000_000_000 + i64::try_from(index).expect("few") * 1000);
            let text = text(lines.last().expect("a line"), at);
            let batch = Batch::decode(format!("{text}\n").into_bytes(), 0);
            world.apply(&batch.entries().next().expect("an entry").envelope);
            let (is, should) = (world.rooms.config.clock.is_some(), is_given(&lines));
            assert_eq!(is, should, "time, seed {seed}, game {game}: {lines:#?}");
            given += usize::from(is);
            total += 1;
        }
    }
    played("time of lines", total, given, 0);
    assert!(given * 20 > total, "hardly a clock was given");
}

/// What is asked of a real process, and with which time.
fn command(chance: &mut Chance) -> (&'static [&'static str], Option<(&'static str, &'static str)>) {
    const COMMANDS: [&[&str]; 9] = [
        &["session", "start", "Forged"],
        &["issue", "new", "Forged"],
        &["record"],
        &["exec", "--", "true"],
        &["init", "--clock", "given"],
        &["--as", "critic", "init", "--clock", "given"],
        &["init"],
        &["hook", "claude-code"],
        &["config", "set", "swarm.mode", "solo"],
    ];
    const TIMES: [(&str, &str); 5] = [
        ("ANNALS_NOW", "2019-11-20T09:00:00Z"),
        ("ANNALS_NOW", "2019-11-20T08:00:00Z"),
        ("ANNALS_NOW", "2031-01-01T00:00:00Z"),
        ("ANNALS_NOW", "never"),
        ("ANNALS_SEED", "s"),
    ];
    (chance.one(&COMMANDS), chance.happens(60).then(|| chance.one(&TIMES)))
}

fn asked(project: &Project, arguments: &[&str], time: Option<(&str, &str)>) -> Run {
    let mut command = project.command(arguments);
    if let Some((variable, value)) = time {
        command.env(variable, value);
    }
    let payload = json!({
        "session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "hello", "tool_use_id": "t1",
        "cwd": project.path(), "type": "tool_call", "name": "Bash", "input": { "command": "ls" },
    });
    run(command, &payload.to_string())
}

/// Entries that are dated otherwise than by the machine's clock.
fn forged(project: &Project) -> usize {
    let is_forged = |at: Timestamp| at.to_string().starts_with("2019") || at.to_string().starts_with("2031");
    project.entries().iter().filter(|entry| is_forged(entry.timestamp)).count()
}

/// How often a writer's decision is dated more than a second before the one before it.
fn back(project: &Project) -> usize {
    let mut chains: BTreeMap<String, BTreeMap<u64, Timestamp>> = BTreeMap::new();
    for entry in project.entries() {
        let line: Value = serde_json::from_str(&entry.to_line()).expect("JSON");
        let annals = &line["extensions"]["annals"];
        let (writer, count) = (annals["w"].to_string(), annals["n"].as_u64().unwrap_or_default());
        if annals.get("r").is_some() {
            chains.entry(writer).or_default().insert(count, entry.timestamp);
        }
    }
    let falls = |times: &BTreeMap<u64, Timestamp>| {
        let times: Vec<_> = times.values().copied().collect();
        times.windows(2).filter(|pair| pair[0].since(pair[1]) > 1000).count()
    };
    chains.values().map(falls).sum()
}

/// What doctor says of decisions that go back.
fn named(project: &Project) -> usize {
    let said = project.annals(["doctor"], "").stdout;
    let line =
        said.lines().find_map(|line| line.split("dated before the one before them, by the same writer: ").nth(1));
    line.and_then(|rest| rest.split(';').next()?.trim().parse().ok()).unwrap_or(0)
}

#[test]
fn commands() {
    const GAME: u64 = 15;
    let (commands, seed) = (number("ANNALS_PLAYER_PROCESSES", 60), number("ANNALS_PLAYER_SEED", 1));
    let (mut total, mut through) = (0, 0);
    for game in 0..commands.div_ceil(GAME) {
        let mut chance = Chance::of(seed, game);
        let is_given = chance.happens(30);
        let project = if is_given { Project::given("2019-11-20T09:00:00Z") } else { Project::new() };
        if !is_given {
            assert_eq!(asked(&project, &["session", "start", "Honest"], None).code, Some(0));
        }
        for _ in 0..GAME {
            let (arguments, time) = command(&mut chance);
            let ran = asked(&project, arguments, time);
            total += 1;
            through += usize::from(ran.code == Some(0));
            let count = forged(&project);
            assert!(is_given || count == 0, "time, seed {seed}, game {game}: {arguments:?} under {time:?}: {ran:?}");
        }
        assert_eq!(named(&project), back(&project), "time, seed {seed}, game {game}: what doctor says");
    }
    played("time of commands", total, through, 0);
}
