//! The law of the fold: what counts is which lines there are, not where and in which order they stand.
//!
//! And what crashes leave behind: a log cut at any byte folds, and a world grows with its log as if it were folded anew.

use std::fs;
use std::sync::LazyLock;

use annals::domain::session::command::{Complete, Resume, Start, Suspend};
use annals::domain::{Event, config, session};
use annals::engine::{By, Engine};
use annals::kernel::id::{AgentId, EntryId, SessionId};
use annals::kernel::json::Json;
use annals::log::batch::Batch;
use annals::log::position::IdSource;
use annals::world::World;
use proptest::prelude::*;

use crate::support::{Project, imported, scrub, step, world_hash};

fn decide(engine: &Engine, command: impl Into<annals::domain::Command>) -> Vec<Event> {
    engine.clock().advance(61_000);
    let by = By::new(AgentId::from("user"), SessionId::from("desk"));
    engine.decide(command, &Json::empty_object(), &by).expect("decided").events
}

/// Decisions and records of two writers over three days, imports, a line that says another thing under the same id, and
/// one beside what a scrub has left of it.
static LINES: LazyLock<Vec<String>> = LazyLock::new(lines);

/// The hash of the world when they stand in one file.
static HASH: LazyLock<String> = LazyLock::new(|| hash_of(&LINES.iter().map(|line| (3, line)).collect::<Vec<_>>()));

fn lines() -> Vec<String> {
    let project = Project::new();
    for (day, seed) in [("20", "one"), ("21", "two")] {
        let engine = project.engine(&format!("2026-11-{day}T23:50:00Z"), seed);
        let events = decide(&engine, session::Command::from(Start { title: Some(seed.into()), ..Start::default() }));
        let Some(Event::Session(session::Event::Started(started))) = events.first() else { panic!("{events:?}") };
        let session = started.session.clone();
        for number in 0..5 {
            let step = step(session.as_str(), &format!("{seed} {number}"));
            engine.record(step, IdSource::Minted).expect("recorded");
            engine.clock().advance(150_000);
        }
        decide(&engine, session::Command::from(Suspend { session: session.clone(), reason: None }));
        decide(&engine, session::Command::from(Resume { session: session.clone() }));
        let values = [("history.inline_bytes".into(), Some(serde_json::json!(seed.len())))].into();
        decide(&engine, config::Command::from(config::Change { values }));
        decide(&engine, session::Command::from(Complete { session }));
        let import = imported("2026-11-20T23:55:00Z", "elsewhere", "the same");
        engine.record(import, IdSource::AsGiven).expect("recorded");
    }
    let leaked = all_lines(&project).into_iter().find(|line| line.contains("one 3")).expect("a step");
    scrub(&project.engine("2026-11-22T10:00:00Z", "one"), leaked[7..33].parse().expect("an id"), None);
    let mut lines = all_lines(&project);
    lines.push(lines[3].replace("Bash", "Dash"));
    lines.push(leaked);
    lines
}

fn all_lines(project: &Project) -> Vec<String> {
    project.files().values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The lines with their newlines.
fn text<'l>(lines: impl IntoIterator<Item = &'l String>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n"]).collect()
}

/// Puts lines in files by the number that each was given, in this order, and folds them.
fn hash_of(placed: &[(usize, &String)]) -> String {
    const NAMES: [&str; 5] =
        ["2026-11-20.jsonl", "2026-11-21.jsonl", "2026-W47.jsonl", "history.jsonl", "archive/2026-11-22-0a.jsonl.zst"];
    let project = Project::new();
    fs::create_dir_all(project.history("archive")).expect("made");
    for (file, name) in NAMES.iter().enumerate() {
        let text = text(placed.iter().filter(|(at, _)| *at == file).map(|(_, line)| *line));
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
        order in Just((0..LINES.len()).collect::<Vec<_>>()).prop_shuffle(),
        files in prop::collection::vec(0..5usize, 64),
        copies in prop::collection::vec((0..64usize, 0..5usize), 0..20),
    ) {
        let mut placed: Vec<_> = order.iter().zip(&files).map(|(line, file)| (*file, &LINES[*line])).collect();
        placed.extend(copies.iter().map(|(line, file)| (*file, &LINES[line % LINES.len()])));
        prop_assert_eq!(&hash_of(&placed), &*HASH);
    }

    /// A process that follows a log sees, after each step, what a new one folds.
    #[test]
    fn a_world_grows_with_its_log(
        order in Just((0..LINES.len()).collect::<Vec<_>>()).prop_shuffle(),
        files in prop::collection::vec(0..3usize, 64),
        steps in prop::collection::vec(1..12usize, 1..6),
    ) {
        const NAMES: [&str; 3] = ["2026-11-20.jsonl", "2026-11-21.jsonl", "history.jsonl"];
        let project = Project::new();
        let follower = project.engine("2026-12-01T00:00:00Z", "follower");
        let mut rest = order.iter().zip(&files);
        for step in steps {
            for (line, file) in rest.by_ref().take(step) {
                let path = project.history(NAMES[*file]);
                let before = fs::read_to_string(&path).unwrap_or_default();
                fs::write(&path, format!("{before}{}\n", LINES[*line])).expect("written");
            }
            let followed = follower.ask(World::hash).expect("folded");
            let anew = project.engine("2026-12-01T00:00:00Z", "new").ask(World::hash).expect("folded");
            prop_assert_eq!(followed, anew);
        }
    }
}

/// What a log cut anywhere holds is its whole lines: a cut one gives no entry, and takes none away. Two lines before the
/// cut are enough to see that, for lines are read one by one.
#[test]
fn a_log_cut_at_any_byte_holds_its_whole_lines() {
    let entries = |text: &str| {
        let batch = Batch::decode(text.as_bytes().to_vec(), 0);
        batch.entries().map(|entry| String::from_utf8_lossy(entry.original).into_owned()).collect::<Vec<_>>()
    };
    for lines in LINES.windows(3) {
        let (whole, last) = (text(&lines[..2]), &lines[2]);
        for end in 0..last.len() {
            assert_eq!(entries(&format!("{whole}{}", &last[..end])), lines[..2], "cut at {end}");
        }
        assert_eq!(entries(&format!("{whole}{last}")), lines, "a last line may lack its newline");
    }
}

#[test]
fn a_log_cut_after_any_line_folds_and_goes_on() {
    let project = Project::new();
    for end in 0..LINES.len() {
        let torn = &LINES[end][..LINES[end].len() / 2];
        fs::write(project.history("history.jsonl"), text(&LINES[..end]) + torn).expect("written");
        let by_id = |line: &&String| line[7..33].parse::<EntryId>().expect("an id");
        let last = LINES[..end].iter().max_by_key(by_id).map_or(EntryId::MIN, |line| by_id(&line));
        let live = project.engine("2026-12-01T00:00:00Z", "x").world_at(EntryId::MAX).expect("folded");
        assert_eq!(live.world().last, last, "after {end} lines");
        assert_eq!(live.world().hash(), world_hash(&project.context()));
    }
}

#[test]
fn a_world_at_an_entry_is_that_of_the_lines_up_to_it() {
    let project = Project::new();
    fs::write(project.history("history.jsonl"), text(&LINES[..LINES.len() - 1])).expect("written");
    let engine = project.engine("2026-12-01T00:00:00Z", "x");
    // What a scrub has said of a line since holds of it at any time: the copy that it was made of is not among them.
    let lines = &LINES[..LINES.len() - 1];
    let mut ids: Vec<_> = lines.iter().map(|line| &line[7..33]).collect();
    ids.sort_unstable();
    for until in ids {
        let part = Project::new();
        let lines = lines.iter().filter(|line| &line[7..33] <= until);
        fs::write(part.history("history.jsonl"), text(lines)).expect("written");
        let at = engine.world_at(until.parse().expect("an id")).expect("folded").ask(World::hash).expect("asked");
        assert_eq!(at, world_hash(&part.context()), "until {until}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage anywhere is read as far as it can be, and never ends the fold.
    #[test]
    fn damage_never_ends_a_fold(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let mut bytes = text(&*LINES).into_bytes();
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
