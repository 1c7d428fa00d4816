//! The law of the fold: what counts is which lines there are, not where and in which order they stand.
//!
//! And what crashes leave behind: a log cut at any byte folds, and a world grows with its log as if it were folded anew.

use std::fs;
use std::sync::Arc;

use annals::domain::session::command::{Complete, Resume, Start, Suspend};
use annals::domain::{Event, config, session};
use annals::engine::{By, Engine};
use annals::kernel::id::{AgentId, EntryId, SessionId};
use annals::kernel::json::Json;
use annals::log::batch::Batch;
use annals::log::disk::RealDisk;
use annals::log::order::{Ordered, Part, Scrubbed};
use annals::log::position::Stamp;
use annals::log::read::Flow;
use annals::log::segment::Segment;
use annals::world::World;
use proptest::prelude::*;

use crate::support::{Project, imported, step, world_hash};

fn decide(engine: &Engine, command: impl Into<annals::domain::Command>) -> Vec<Event> {
    engine.clock().advance(61_000);
    let by = By { actor: AgentId::from("user"), session: SessionId::from("desk") };
    engine.decide(command, &Json::empty_object(), &by).expect("decided").events
}

/// Decisions and records of two writers over three days, imports, a line that says another thing under the same id, and
/// a scrubbed one beside its old self.
fn lines() -> Vec<String> {
    let project = Project::new();
    for (day, seed) in [("20", "one"), ("21", "two")] {
        let engine = project.engine(&format!("2026-11-{day}T23:50:00Z"), seed);
        let events = decide(&engine, session::Command::from(Start { title: Some(seed.into()), ..Start::default() }));
        let Some(Event::Session(session::Event::Started(started))) = events.first() else { panic!("{events:?}") };
        let session = started.session.clone();
        for number in 0..5 {
            let step = step(session.as_str(), &format!("{seed} {number}"));
            engine.record(step, Stamp::Minted).expect("recorded");
            engine.clock().advance(150_000);
        }
        decide(&engine, session::Command::from(Suspend { session: session.clone(), reason: None }));
        decide(&engine, session::Command::from(Resume { session: session.clone() }));
        let values = [("history.inline_bytes".into(), Some(serde_json::json!(seed.len())))].into();
        decide(&engine, config::Command::from(config::Change { values }));
        decide(&engine, session::Command::from(Complete { session }));
        let import = imported("2026-11-20T23:55:00Z", "elsewhere", "the same");
        engine.record(import, Stamp::AsGiven).expect("recorded");
    }
    let mut lines: Vec<_> =
        project.files().values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    lines.push(lines[3].replace("Bash", "Dash"));
    lines
}

/// Puts lines in files by the number that each was given, in this order, and folds them.
fn hash_of(placed: &[(usize, &String)]) -> String {
    const NAMES: [&str; 5] =
        ["2026-11-20.jsonl", "2026-11-21.jsonl", "2026-W47.jsonl", "history.jsonl", "archive/2026-11-22-0a.jsonl.zst"];
    let project = Project::new();
    fs::create_dir_all(project.history("archive")).expect("made");
    for (file, name) in NAMES.iter().enumerate() {
        let text: String = placed.iter().filter(|(at, _)| *at == file).map(|(_, line)| format!("{line}\n")).collect();
        let bytes =
            if name.ends_with("zst") { zstd::encode_all(text.as_bytes(), 0).expect("packed") } else { text.into() };
        if placed.iter().any(|(at, _)| *at == file) {
            fs::write(project.history(name), bytes).expect("written");
        }
    }
    world_hash(&project.context())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any partition into any files, any order, any number of copies.
    #[test]
    fn the_same_lines_fold_to_one_world(
        order in Just((0..lines().len()).collect::<Vec<_>>()).prop_shuffle(),
        files in prop::collection::vec(0..5usize, 64),
        copies in prop::collection::vec((0..64usize, 0..5usize), 0..20),
    ) {
        let lines = lines();
        let as_written: Vec<_> = lines.iter().map(|line| (3, line)).collect();
        let mut placed: Vec<_> = order.iter().zip(&files).map(|(line, file)| (*file, &lines[*line])).collect();
        placed.extend(copies.iter().map(|(line, file)| (*file, &lines[line % lines.len()])));
        prop_assert_eq!(hash_of(&placed), hash_of(&as_written));
    }

    /// A process that follows a log sees, after each step, what a new one folds.
    #[test]
    fn a_world_grows_with_its_log(
        order in Just((0..lines().len()).collect::<Vec<_>>()).prop_shuffle(),
        files in prop::collection::vec(0..3usize, 64),
        steps in prop::collection::vec(1..12usize, 1..6),
    ) {
        const NAMES: [&str; 3] = ["2026-11-20.jsonl", "2026-11-21.jsonl", "history.jsonl"];
        let (lines, project) = (lines(), Project::new());
        let follower = project.engine("2026-12-01T00:00:00Z", "follower");
        let mut rest = order.iter().zip(&files);
        for step in steps {
            for (line, file) in rest.by_ref().take(step) {
                let path = project.history(NAMES[*file]);
                let before = fs::read_to_string(&path).unwrap_or_default();
                fs::write(&path, format!("{before}{}\n", lines[*line])).expect("written");
            }
            let followed = follower.ask(World::hash).expect("folded");
            let anew = project.engine("2026-12-01T00:00:00Z", "new").ask(World::hash).expect("folded");
            prop_assert_eq!(followed, anew);
        }
    }
}

/// Folds the history of a project with nothing around it.
fn bare_fold(project: &Project) -> World {
    let (history, nothing) = (project.context().join("history"), Scrubbed::new());
    let parts = Segment::list(&RealDisk, &history).expect("listed").into_iter().map(Part::whole).collect();
    let mut world = World::default();
    let mut ordered = Ordered::new(&RealDisk, &history, &nothing);
    ordered
        .together(parts, &mut |placed, _| {
            world.apply(&placed.envelope);
            Flow::More
        })
        .expect("read");
    world
}

#[test]
fn a_log_cut_at_any_byte_folds_to_its_whole_lines() {
    let project = Project::new();
    let text = lines().join("\n") + "\n";
    let path = project.history("history.jsonl");
    let mut expected = World::default().hash();
    for end in 0..=text.len() {
        fs::write(&path, &text[..end]).expect("written");
        let hash = bare_fold(&project).hash();
        let (is_line_end, is_whole) = (text[..end].ends_with('\n'), text[end..].starts_with('\n'));
        if is_line_end || is_whole {
            expected = hash;
        } else {
            assert_eq!(hash, expected, "cut at {end}");
        }
    }
}

#[test]
fn a_log_cut_after_any_line_folds_and_goes_on() {
    let (lines, project) = (lines(), Project::new());
    let path = project.history("history.jsonl");
    for end in 0..lines.len() {
        fs::write(&path, lines[..end].iter().map(|line| format!("{line}\n")).collect::<String>()).expect("written");
        let by_id = |line: &&String| line[7..33].parse::<EntryId>().expect("an id");
        let last = lines[..end].iter().max_by_key(by_id).map_or(EntryId::MIN, |line| by_id(&line));
        let live = project.engine("2026-12-01T00:00:00Z", "x").world_at(EntryId::MAX).expect("folded");
        assert_eq!(live.world().last, last, "after {end} lines");
        assert_eq!(live.world().hash(), world_hash(&project.context()));
    }
}

#[test]
fn a_world_at_an_entry_is_that_of_the_lines_up_to_it() {
    let (mut lines, project) = (lines(), Project::new());
    lines.pop();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(project.history("history.jsonl"), text).expect("written");
    let engine = project.engine("2026-12-01T00:00:00Z", "x");
    lines.sort_by_key(|line| line[7..33].to_owned());
    for end in 1..=lines.len() {
        let until = lines[end - 1][7..33].parse().expect("an id");
        let at = engine.world_at(until).expect("folded").world().hash();
        let part = Project::new();
        let text: String =
            lines.iter().filter(|line| line[7..33] <= lines[end - 1][7..33]).map(|line| format!("{line}\n")).collect();
        fs::write(part.history("history.jsonl"), text).expect("written");
        assert_eq!(at, world_hash(&part.context()), "until {until}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage anywhere is read as far as it can be, and never ends the fold.
    #[test]
    fn damage_never_ends_a_fold(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let mut bytes = (lines().join("\n") + "\n").into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let batch = Batch::decode(bytes, 0);
        let mut world = World::default();
        for entry in batch.entries() {
            world.apply(&entry.envelope);
        }
        prop_assert_eq!(world.hash().len(), 64);
    }
}
