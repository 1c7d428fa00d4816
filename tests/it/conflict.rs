//! Lines that say different things under one id: what counts is a function of the lines alone (decision 44).

mod overruled;

use std::collections::BTreeMap;
use std::fs;

use annals::domain::history::Command as OfHistory;
use annals::domain::history::command::Settle;
use annals::domain::session::Command as OfSession;
use annals::domain::session::command::Start;
use annals::domain::{Command, config};
use annals::engine::verify::Terms;
use annals::engine::{Answer, Engine};
use annals::kernel::annals::{LineHash, Source};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::policy::open_conflicts;
use annals::view::refusal::told;
use annals::world::World;
use serde_json::json;

use crate::support::{Project, imported, scrub, step, time, user, world_hash};

const TODAY: &str = "2026-11-21T10:00:00Z";
const FILES: [&str; 3] = ["2026-11-20.jsonl", "2026-11-21.jsonl", "history.jsonl"];

fn ask(engine: &Engine, command: impl Into<Command>, observed: &Json) -> Answer {
    engine.clock().advance(1000);
    engine.decide(command, observed, &user()).expect("decided")
}

fn start(engine: &Engine, title: &str) -> Answer {
    let start = Start { title: Some(title.into()), ..Start::default() };
    ask(engine, OfSession::Start(start), &Json::empty_object())
}

fn id_of(line: &str) -> EntryId {
    line[7..33].parse().expect("an id")
}

fn hash_of(line: &str) -> LineHash {
    LineHash::of(line.as_bytes())
}

fn settle(engine: &Engine, line: &str, versions: &[String]) -> Answer {
    let versions: Vec<_> = versions.iter().map(|line| hash_of(line)).collect();
    let command = OfHistory::Settle(Settle { id: id_of(line), hash: hash_of(line) });
    ask(engine, command, &Json::of(&json!({ "versions": versions })))
}

/// A project in which something of every kind has happened, and its lines.
fn project() -> (Project, Vec<String>) {
    let project = Project::new();
    let engine = project.engine(TODAY, "one");
    start(&engine, "Reactor");
    let values = BTreeMap::from([("history.inline_bytes".into(), Some(json!(5000)))]);
    ask(&engine, config::Command::from(config::Change { values }), &Json::empty_object());
    let leaked = engine.record(step("s", "leaked"), IdSource::Minted).expect("recorded");
    engine.record(step("s", "another"), IdSource::Minted).expect("recorded");
    scrub(&engine, leaked.id, None);
    let lines = lines(&project);
    (project, lines)
}

fn lines(project: &Project) -> Vec<String> {
    project.files().values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The line that holds a text.
fn with<'l>(lines: &'l [String], text: &str) -> &'l String {
    lines.iter().find(|line| line.contains(text)).expect("a line")
}

/// Other lines with the id of one.
fn versions(line: &str, count: usize) -> Vec<String> {
    let other = |number: usize| line.replace("\"duration_ms\":", &format!("\"duration_ms\":{number}"));
    let mut all: Vec<_> = (1..count).map(other).collect();
    all.push(line.to_owned());
    all
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(count - 1);
    let put = |order: &Vec<usize>, place: usize| {
        let mut order = order.clone();
        order.insert(place, count - 1);
        order
    };
    shorter.iter().flat_map(|order| (0..count).map(|place| put(order, place)).collect::<Vec<_>>()).collect()
}

fn asked<T>(project: &Project, question: impl FnMut(&World) -> T) -> T {
    project.engine("2026-11-22T10:00:00Z", "reader").ask(question).expect("asked")
}

fn conflicts(project: &Project) -> Vec<String> {
    let verification = project.engine("2026-11-22T10:00:00Z", "verifier").verify(&Terms::default()).expect("verified");
    let findings = verification.report.findings.iter().filter(|finding| finding.what.kind() == "conflict");
    let said = findings
        .map(|finding| format!("{}:{}", finding.file.as_deref().unwrap_or("-"), finding.line.unwrap_or_default()));
    said.collect()
}

/// Of versions of any line, in any order and files, of a clone that got them one by one, and of a fresh one.
#[test]
fn whichever_way_versions_are_merged_none_counts_until_one_is_settled_and_then_that_one_does() {
    let (_, lines) = project();
    for subject in ["history.session.start", "config.value.change", "history.entry.scrub\"", "another"] {
        let line = with(&lines, subject);
        let others: Vec<_> = lines.iter().filter(|other| other != &line).collect();
        for count in 2..=4 {
            let versions = versions(line, count);
            let (mut open, mut settled) = (Vec::new(), Vec::new());
            for order in permutations(count) {
                let mut placed: Vec<(usize, &String)> = others.iter().map(|line| (1, *line)).collect();
                placed.extend(order.iter().map(|version| ((order[0] + version) % 3, &versions[*version])));
                let fresh = Project::with_lines(&FILES, &placed);
                open.push(world_hash(&fresh.context()));
                assert_eq!(conflicts(&fresh).len(), count, "{subject}: each of them is named");
                // The lines came one by one, and a state was stored between them.
                let grown = Project::with_lines(&FILES, &placed[..=others.len()]);
                for (file, version) in &placed[others.len() + 1..] {
                    grown.engine(TODAY, "grows").store_checkpoint().expect("stored");
                    let path = grown.history(FILES[*file]);
                    let text = fs::read_to_string(&path).expect("text") + version + "\n";
                    fs::write(&path, text).expect("written");
                }
                open.push(asked(&grown, World::hash));
                let answer = settle(&grown.engine("2026-11-21T12:00:00Z", "settles"), &versions[1], &versions);
                assert_eq!(answer.refusal, None);
                settled.push(asked(&grown, World::hash));
                settled.push(world_hash(&grown.context()));
                assert_eq!(conflicts(&grown), [""; 0]);
            }
            open.dedup();
            settled.dedup();
            assert_eq!((open.len(), settled.len()), (1, 1), "{subject}: {count} versions");
        }
    }
}

/// Guard `entry::conflict`.
#[test]
fn as_long_as_a_conflict_is_open_records_go_on_and_decisions_are_refused() {
    let (project, lines) = project();
    let line = with(&lines, "history.session.start").clone();
    let versions = [line.clone(), line.replace("Reactor", "Poison")];
    fs::write(project.history("history.jsonl"), versions[1].clone() + "\n").expect("written");
    let engine = project.engine("2026-11-21T11:00:00Z", "two");
    let refusal = start(&engine, "more").refusal.expect("refused");
    assert_eq!(&*refusal.rule, "history.conflict_open");
    let hint = told(&refusal).hint.expect("a hint");
    assert!(hint.contains("annals history settle") && hint.contains(&hash_of(&versions[1]).to_string()), "{hint}");
    engine.record(step("s", "goes on"), IdSource::Minted).expect("recorded");
    let titles = || {
        asked(&project, |world| {
            let sessions = world.rooms.session.sessions.iter();
            sessions.filter_map(|(_, session)| Some(session.title.as_ref()?.as_str().to_owned())).collect::<Vec<_>>()
        })
    };
    assert_eq!(titles(), [""; 0]);
    assert_eq!(settle(&engine, &versions[1], &versions).refusal, None);
    assert_eq!(titles(), ["Poison"], "whatever the user says counts");
    assert_eq!(settle(&engine, &versions[0], &versions).refusal, None);
    assert_eq!(titles(), ["Reactor"], "the last word counts");
    assert_eq!(start(&engine, "more").refusal, None);
    fs::remove_file(project.history("history.jsonl")).expect("removed");
    assert_eq!(titles().len(), 2, "the other line is gone again");
    assert_eq!(asked(&project, World::hash), world_hash(&project.context()));
}

#[test]
fn of_two_branches_that_settle_differently_the_later_one_counts_in_every_merge() {
    let (ours, lines) = project();
    let line = with(&lines, "history.session.start").clone();
    let versions = [line.clone(), line.replace("Reactor", "Poison")];
    fs::write(ours.history("history.jsonl"), versions[1].clone() + "\n").expect("written");
    let theirs = Project::new();
    theirs.set_files(&ours.files());
    settle(&ours.engine("2026-11-21T12:00:00Z", "ours"), &versions[0], &versions);
    settle(&theirs.engine("2026-11-21T13:00:00Z", "theirs"), &versions[1], &versions);
    let (left, right) = (crate::conflict::lines(&ours), crate::conflict::lines(&theirs));
    let both: Vec<String> = left.iter().chain(right.iter().filter(|line| !left.contains(line))).cloned().collect();
    let hashes: Vec<_> = [false, true]
        .map(|reversed| {
            let mut placed: Vec<_> = both.iter().map(|line| (1, line)).collect();
            if reversed {
                placed.reverse();
            }
            let merged = Project::with_lines(&FILES, &placed);
            let settled = asked(&merged, |world| world.rooms.history.settlements());
            assert_eq!(settled[&id_of(&line)], hash_of(&versions[1]));
            world_hash(&merged.context())
        })
        .into();
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_settlement_that_is_in_conflict_itself_settles_nothing() {
    let (project, lines) = project();
    let line = with(&lines, "history.session.start").clone();
    let versions = [line.clone(), line.replace("Reactor", "Poison")];
    fs::write(project.history("history.jsonl"), versions[1].clone() + "\n").expect("written");
    let engine = project.engine("2026-11-21T12:00:00Z", "settles");
    settle(&engine, &versions[0], &versions);
    let [first, second] = versions.each_ref().map(|version| hash_of(version).to_string());
    let settling = with(&crate::conflict::lines(&project), "history.conflict.settled").clone();
    // The other version of it says the opposite.
    let other = settling.replace(&first, "#").replace(&second, &first).replace('#', &second);
    fs::write(project.history("2026-11-20.jsonl"), other.clone() + "\n").expect("written");
    let open = |project: &Project| asked(project, |world| open_conflicts(&world.rooms).count());
    assert_eq!(open(&project), 2);
    settle(&engine, &settling, &[settling.clone(), other]);
    assert_eq!(open(&project), 1, "settled, it is folded, and settles nothing all the same");
    settle(&engine, &versions[0], &versions);
    assert_eq!(open(&project), 0);
    assert_eq!(asked(&project, World::hash), world_hash(&project.context()));
}

#[test]
fn of_two_imports_of_one_record_the_more_redacted_counts_and_of_two_records_none() {
    let import = |text: &str, marks: &str, source: &str| {
        let mut entry = imported("2026-11-20T23:55:00Z", "elsewhere", text);
        entry.operation.input = Json::of(&json!({ "command": format!("{text} {marks}") }));
        let named = entry.annals.source.as_mut().expect("a source");
        named.record = source.into();
        // An import of the record "1" has this id.
        entry.id = Source { record: "1".into(), ..named.clone() }.entry_id(entry.timestamp);
        let project = Project::new();
        project.engine(TODAY, marks).record(entry, IdSource::AsGiven).expect("recorded");
        lines(&project).remove(0)
    };
    let (plain, redacted) = (import("a", "the word", "1"), import("a", "[REDACTED_TOKEN]", "1"));
    let (other, twin) = (import("a", "other word", "2"), import("a", "the word ", "1"));
    let seen = |lines: &[&String]| {
        let project = Project::with_lines(&FILES, &lines.iter().map(|line| (0, *line)).collect::<Vec<_>>());
        let entries = project.engine(TODAY, "reader").entries(&[id_of(lines[0])]).expect("read");
        let text = entries.into_values().next().map(|entry| entry.operation.input.text().to_owned());
        (text, conflicts(&project).len())
    };
    let text = |line: &str| Some(HistoryEntry::read(line).expect("an entry").operation.input.text().to_owned());
    for lines in [[&plain, &redacted], [&redacted, &plain]] {
        assert_eq!(seen(&lines), (text(&redacted), 0));
    }
    let lower = if hash_of(&plain) < hash_of(&twin) { &plain } else { &twin };
    for lines in [[&plain, &twin], [&twin, &plain]] {
        assert_eq!(seen(&lines), (text(lower), 0));
    }
    assert_eq!(seen(&[&plain, &other]), (None, 2), "a twin that names another source");
    assert_eq!(seen(&[&redacted, &other, &plain]), (None, 3));
}

#[test]
fn of_what_hooks_have_recorded_no_other_version_counts_however_redacted_it_says_it_is() {
    let mut entry = imported("2026-11-20T23:55:00Z", "elsewhere", "do not paint it");
    entry.id = EntryId::new(entry.timestamp, 7);
    let mut other = entry.clone();
    other.operation.input = Json::of(&json!({ "command": "paint it [REDACTED_TOKEN]" }));
    let lines = [entry, other].map(|entry| entry.to_line());
    let project = Project::with_lines(&FILES, &lines.iter().map(|line| (0, line)).collect::<Vec<_>>());
    assert_eq!(conflicts(&project).len(), 2);
    assert_eq!(project.engine(TODAY, "reader").entries(&[id_of(&lines[0])]).expect("read"), BTreeMap::new());
}

#[test]
fn a_line_in_another_chain_is_in_conflict_although_it_says_the_same() {
    let (project, lines) = project();
    let line = with(&lines, "another");
    let writer = HistoryEntry::read(line).expect("an entry").annals.link.expect("a link").writer;
    let copy = line.replace(writer.as_str(), "anothers");
    fs::write(project.history("history.jsonl"), copy + "\n").expect("written");
    assert_eq!(conflicts(&project).len(), 2);
}

#[test]
fn a_line_that_claims_to_be_what_a_scrub_left_is_in_conflict_until_a_decision_says_so() {
    let (project, lines) = project();
    let line = with(&lines, "another");
    let mut entry = HistoryEntry::read(line).expect("an entry");
    entry.operation.input = Json::of(&json!({ "command": "forged" }));
    entry.annals.scrubbed = vec![hash_of(line)];
    fs::write(project.history("history.jsonl"), entry.to_line() + "\n").expect("written");
    assert_eq!(conflicts(&project).len(), 2);
    let known = project.engine(TODAY, "reader").entries(&[id_of(line)]).expect("read");
    assert_eq!(known, BTreeMap::new());
    let at = EntryId::new(time("2026-11-21T23:00:00Z"), 0);
    let mut then = project.engine(TODAY, "reader").world_at(at).expect("folded");
    assert_eq!(then.ask(|world| world.rooms.history.conflicts.len()).expect("asked"), 1);
}

#[test]
fn what_a_scrub_leaves_of_the_line_that_was_settled_to_count_counts() {
    let (project, lines) = project();
    let line = with(&lines, "another").clone();
    let versions = [line.clone(), line.replace("another", "the reactor")];
    fs::write(project.history("2026-11-20.jsonl"), versions[1].clone() + "\n").expect("written");
    let engine = project.engine("2026-11-21T12:00:00Z", "settles");
    assert_eq!(settle(&engine, &versions[0], &versions).refusal, None);
    scrub(&engine, id_of(&line), Some("nother"));
    assert_eq!(conflicts(&project), [""; 0]);
    let entries = project.engine(TODAY, "reader").entries(&[id_of(&line)]).expect("read");
    let text = entries.into_values().next().map(|entry| entry.operation.input.text().to_owned());
    assert!(text.as_ref().is_some_and(|text| text.contains("[SCRUBBED")), "{text:?}");
    assert_eq!(start(&engine, "more").refusal, None);
    assert_eq!(asked(&project, World::hash), world_hash(&project.context()));
}

/// Lines with one id, made by somebody who wants that whoever asks is answered at length.
fn many_with_one_id(count: usize) -> String {
    let line = |number: usize| {
        let session = format!("s{number}");
        let entry = json!({
            "id": "01KAGX7J000000000000000007", "timestamp": "2025-11-20T10:00:00.000Z", "session_id": session,
            "operation": { "type": "tool_call", "name": "read", "input": {}, "output": "x", "success": true },
            "provenance": { "agent_id": "a" }, "metadata": {}, "extensions": { "annals": { "v": 1 } },
        });
        // The id stands first in a line.
        entry.to_string() + "\n"
    };
    (0..count).map(line).collect()
}

#[test]
fn thousands_of_lines_with_one_id_are_answered_with_a_few_each_and_a_count() {
    const LINES: usize = 3000;
    const MOST_BYTES_A_LINE: usize = 800;
    let project = crate::program::Project::new();
    project.write(".context/history/2025-11-20.jsonl", &many_with_one_id(LINES));
    for arguments in [&["verify"][..], &["verify", "--json"], &["doctor"]] {
        let run = project.annals(arguments, "");
        assert_eq!(run.code, Some(1));
        assert!(run.stdout.contains("and 2996 more; none of them counts"), "{arguments:?}");
        assert!(run.stdout.len() < LINES * MOST_BYTES_A_LINE, "{arguments:?}: {} bytes", run.stdout.len());
    }
    let run = project.annals(["verify", "--json"], "");
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(answer["findings"][7]["others"], json!(LINES - 1));
    let refused = project.annals(["issue", "new", "Paint the reactor"], "");
    assert!(refused.stderr.len() + refused.stdout.len() < 2000, "{refused:?}");
}
