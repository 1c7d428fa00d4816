//! The golden logs fold to the same hash in whatever order their lines stand, at whatever entry, on every machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annals::engine::live::Cache;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::json::sha256_hex;
use annals::world::{Depth, World};

use super::changes::with_entry;
use super::{Files, LOGS, Log, minds_log, reader, snapshot};
use crate::support::{Project, world_hash};

/// So many entries of each log are looked back from.
const MOMENTS: usize = 12;

fn lines(log: &Log) -> Vec<(EntryId, String)> {
    let files = log.files();
    let lines = files.values().flat_map(|text| text.lines());
    lines.map(|line| (HistoryEntry::read(line).expect("an entry").id, line.to_owned())).collect()
}

/// The lines in an order of their own, in two files whose names say nothing of them.
fn shuffled(lines: &[(EntryId, String)], seed: &str) -> Files {
    let hashed = lines.iter().map(|(_, line)| (sha256_hex(format!("{seed}{line}").as_bytes()), line));
    let ordered: BTreeMap<_, _> = hashed.collect();
    let mut files = Files::new();
    for (hash, line) in ordered {
        let name = if hash.as_bytes()[63].is_ascii_digit() { "2026-11-20.jsonl" } else { "history.jsonl" };
        let file = files.entry(name.to_owned()).or_default();
        writeln!(file, "{line}").expect("written");
    }
    files
}

fn hash_of(files: &Files) -> String {
    let project = Project::new();
    project.set_files(files);
    world_hash(&project.context())
}

#[test]
fn the_order_of_their_lines_does_not_matter() {
    for log in &LOGS {
        let (whole, lines) = (hash_of(&log.files()), lines(log));
        for seed in ["one", "two"] {
            assert_eq!(hash_of(&shuffled(&lines, seed)), whole, "{} in the order \"{seed}\"", log.folder);
        }
    }
}

#[test]
fn at_an_entry_the_world_is_what_the_lines_up_to_it_make() {
    for log in &LOGS {
        let (project, mut lines) = (log.copy(), lines(log));
        let engine = reader(&project);
        lines.sort();
        for (id, _) in lines.iter().step_by(lines.len().div_ceil(MOMENTS)) {
            let until: Vec<_> = lines.iter().filter(|(other, _)| other <= id).cloned().collect();
            let at = engine.world_at(*id).expect("folded").ask(World::hash).expect("asked");
            assert_eq!(at, hash_of(&shuffled(&until, "then")), "{} at {id}", log.folder);
        }
    }
}

/// In the fold no other room asks for them.
#[test]
fn a_fold_without_the_minds_leaves_the_others_as_they_are() {
    for log in &LOGS {
        let mut worlds = [Depth::Whole, Depth::WithoutMinds].map(|depth| World { depth, ..World::default() });
        let mut lines = lines(log);
        lines.sort();
        for (_, line) in lines {
            with_entry(&line, |entry| worlds.each_mut().map(|world| world.apply(entry)));
        }
        let [whole, without] = worlds.map(|world| {
            let mut rooms = serde_json::to_value(&world).expect("a world is JSON");
            rooms["cognition"].take();
            rooms["dialectic"].take();
            rooms
        });
        assert_eq!(without, whole, "{}", log.folder);
    }
}

#[test]
fn the_minds_are_folded_when_somebody_asks_for_one() {
    let project = minds_log();
    let mut kept = reader(&project).world_at(EntryId::MAX).expect("folded");
    let mut fresh = reader(&project).with_cache(Cache::Ignored).world_at(EntryId::MAX).expect("folded");
    let ids = |world: &World| -> Vec<_> { world.rooms.session.sessions.iter().map(|(id, _)| id.clone()).collect() };
    assert_eq!(fresh.ask(ids).expect("asked"), kept.ask(ids).expect("asked"));
    assert_eq!((kept.world().depth, fresh.world().depth), (Depth::Whole, Depth::WithoutMinds));
    let minds =
        |world: &World| world.rooms.cognition.minds.iter().map(|(id, mind)| (id.clone(), mind.clone())).collect();
    let known: Vec<_> = kept.ask(minds).expect("asked");
    assert!(!known.is_empty());
    assert_eq!(fresh.ask(minds).expect("asked"), known);
    assert_eq!(fresh.world().depth, Depth::Whole);
}

/// Decision 35: whoever builds this for another machine compares these with what `annals state --hash` says there.
#[test]
fn their_hashes_are_these() {
    let hashes = LOGS.iter().map(|log| format!("{} {}\n", hash_of(&log.files()), log.folder));
    snapshot("the hashes of the golden logs", &hashes.collect::<String>());
}
