//! A clock that was wrong is mended by an entry of the user (decision 45): its lines keep their ids and their bytes, and
//! count as of the right time, in every clone and order of merging.

use std::collections::BTreeMap;
use std::fs;

use annals::domain::history::Command as OfHistory;
use annals::domain::history::command::MendClock;
use annals::domain::session::Command as OfSession;
use annals::domain::session::command::Start;
use annals::engine::query::filter::Filter;
use annals::engine::replay::Which;
use annals::engine::{Answer, By, Engine};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::world::World;
use proptest::prelude::*;

use crate::program;
use crate::support::{Project, Scribe, imported, scrub, step, time, user, world_hash};

const THREE_YEARS: i64 = -1096 * 86_400_000;
const FILES: [&str; 4] = ["2026-11-20.jsonl", "2026-11-21.jsonl", "2029-11-21.jsonl", "history.jsonl"];

fn start(engine: &Engine, title: &str) -> EntryId {
    engine.clock().advance(1000);
    let start = Start { title: Some(title.into()), ..Start::default() };
    let answer = engine.decide(OfSession::Start(start), &Json::empty_object(), &user()).expect("decided");
    answer.entry.expect("recorded")
}

fn mend_as(engine: &Engine, by: &By, writer: &str, lines: (u64, u64), shift: i64) -> Answer {
    engine.clock().advance(1000);
    let mend = MendClock { writer: writer.into(), from: lines.0, to: lines.1, shift };
    engine.decide(OfHistory::MendClock(mend), &Json::empty_object(), by).expect("decided")
}

fn mend(engine: &Engine, writer: &str, lines: (u64, u64), shift: i64) {
    assert_eq!(mend_as(engine, &user(), writer, lines, shift).refusal, None);
}

fn ids(engine: &Engine, filter: &Filter) -> Vec<EntryId> {
    engine.reader().expect("a reader").all(filter).expect("read").into_iter().map(|found| found.entry.id).collect()
}

fn last(engine: &Engine) -> EntryId {
    engine.ask(|world| world.last).expect("asked")
}

fn writer_of(line: &str) -> String {
    let (_, rest) = line.rsplit_once(r#","w":""#).expect("a writer");
    rest[..8].to_owned()
}

/// A project whose clock was right, three years ahead for a while, and right again; and the ids in the order in which they
/// were made.
fn project() -> (Project, Vec<EntryId>, String) {
    let project = Project::new();
    let mut made = vec![start(&project.engine("2026-11-20T10:00:00Z", "before"), "before")];
    let wrong = project.engine("2029-11-21T10:00:00Z", "wrong");
    made.push(start(&wrong, "in three years"));
    made.push(wrong.record(step("s", "in three years"), IdSource::Minted).expect("recorded").id);
    let given = imported("2026-11-19T08:00:00Z", "t", "of a transcript");
    made.insert(0, given.id);
    wrong.record_all(vec![(given, IdSource::AsGiven)]).expect("recorded");
    made.push(start(&wrong, "in three years, too"));
    made.push(start(&project.engine("2026-11-21T12:00:00Z", "after"), "after"));
    let text = project.files().into_values().next().expect("a file");
    (project, made, writer_of(&text))
}

#[test]
fn lines_of_a_clock_that_is_mended_stand_and_count_when_they_were_made() {
    let (project, mut made, writer) = project();
    let engine = project.engine("2026-11-21T13:00:00Z", "mends");
    assert!(engine.examine().expect("examined").iter().any(|check| check.about == "ids"));
    let ahead = engine.ahead().expect("looked for");
    let runs: Vec<_> = ahead.runs.iter().map(|run| (run.from, run.to)).collect();
    assert_eq!((runs, ahead.others), (vec![(2, 3), (5, 5)], 0), "what was imported has its own time");
    let before = project.files();
    mend(&engine, &writer, (2, 5), THREE_YEARS);
    for (name, text) in &before {
        assert!(project.files()[name].starts_with(text.as_str()), "no line is touched");
    }
    let then = engine.ahead().expect("looked for");
    assert_eq!((then.runs.len(), then.others), (0, 0));
    assert!(engine.examine().expect("examined").iter().all(|check| check.about != "ids"));
    let oddities = engine.ask(|world| world.oddities.count).expect("asked");
    assert_eq!(oddities, 0);
    made.push(last(&engine));
    assert_eq!(ids(&engine, &Filter::default()), made, "each stands where it was made");
    let since = |text: &str| EntryId::new(time(text), 0);
    let of_today = Filter { since: since("2026-11-21T00:00:00Z"), ..Filter::default() };
    assert_eq!(ids(&engine, &of_today), made[2..]);
    let till_eleven = Filter { until: Some(since("2026-11-21T11:00:00Z")), ..Filter::default() };
    assert_eq!(ids(&engine, &till_eleven), made[..5]);
    let begun = engine.ask(|world| {
        let session =
            |id: EntryId| world.rooms.session.session(&SessionId::from(id.to_string())).map(|one| one.created_at);
        session(made[2])
    });
    assert_eq!(begun.expect("asked"), Some(time("2026-11-21T10:00:01Z")));
    let mut at_noon = engine.world_at(since("2026-11-21T11:00:00Z")).expect("folded");
    let sessions = |world: &World| world.rooms.session.totals.sessions;
    assert_eq!(at_noon.ask(sessions).expect("asked"), 5, "before, two of the wrong clock, two of records");
    let mut at_entry = engine.world_at(made[3]).expect("folded");
    assert_eq!(at_entry.ask(sessions).expect("asked"), 4, "as it was at an entry of the wrong clock");
    let now = start(&project.engine("2026-11-21T14:00:00Z", "now"), "now");
    assert_eq!((now.time().day().to_string().as_str(), last(&engine)), ("2026-11-21", now));
    let report = engine.replay(&Which::All).expect("replayed");
    assert_eq!((report.differed.len(), report.matched), (0, report.decisions));
}

#[test]
fn only_the_user_mends_a_clock() {
    let (project, _, writer) = project();
    let engine = project.engine("2026-11-21T13:00:00Z", "mends");
    let mends = || engine.mends().expect("asked");
    let critic = By::new(AgentId::from("critic"), SessionId::from(NO_SESSION));
    let answer = mend_as(&engine, &critic, &writer, (2, 5), THREE_YEARS);
    assert_eq!(answer.refusal.expect("refused").rule.as_ref(), "history.not_the_user");
    assert!(mends().is_empty());
}

#[test]
fn a_mend_that_was_made_by_the_wrong_clock_holds_and_the_last_one_by_its_id_counts() {
    let (project, made, writer) = project();
    let wrong = project.engine("2029-11-21T15:00:00Z", "mends");
    let turn = |engine: &Engine| {
        assert_eq!(world_hash(&project.context()), engine.ask(World::hash).expect("asked"));
        engine.turn_of(made[4]).expect("found").time().to_string()
    };
    mend(&wrong, &writer, (2, 7), THREE_YEARS);
    assert_eq!(last(&wrong).time(), time("2026-11-21T15:00:01Z"), "its own line is one of them");
    assert!(turn(&wrong).starts_with("2026-11-21T10:00"));
    let right = project.engine("2026-11-21T16:00:00Z", "takes back");
    mend(&right, &writer, (5, 5), 0);
    assert!(turn(&right).starts_with("2026-11-21T10:00"), "the one of the wrong clock has the higher id");
    mend(&project.engine("2029-11-21T16:00:00Z", "takes back, too"), &writer, (5, 5), 0);
    assert_eq!(turn(&right), made[4].time().to_string());
}

/// Lines of two writers, each with a time of its own choice, and of a third that claims some of their ids.
fn lines(times: &[(bool, u32)], doubled: &[usize]) -> Vec<(String, u64, String)> {
    let mut scribes = [Scribe::new("writer01"), Scribe::new("writer02"), Scribe::new("forger03")];
    let mut lines = Vec::new();
    for (number, (is_first, hours)) in times.iter().enumerate() {
        let scribe = &mut scribes[usize::from(!is_first)];
        let year = if hours % 3 == 0 { 2029 } else { 2026 };
        let at = format!("{year}-11-2{}T{:02}:00:00Z", hours / 24 % 2, hours % 24);
        let line = scribe.line(&at, &format!("line {number}"));
        lines.push((scribe.seen().0.to_string(), scribe.head.count, line));
    }
    for index in doubled {
        let (.., line) = lines[index % times.len()].clone();
        let other = scribes[2].line("2026-11-21T09:00:00Z", &format!("a version of {index}"));
        let count = scribes[2].head.count;
        lines.push(("forger03".to_owned(), count, other.replace(&other[7..33], &line[7..33])));
    }
    lines
}

fn shift_of(mends: &[(bool, u64, u64, i64)], writer: &str, count: u64) -> i64 {
    let name = |is_first: bool| if is_first { "writer01" } else { "writer02" };
    let covers = |mend: &&(bool, u64, u64, i64)| name(mend.0) == writer && mend.1 <= count && count <= mend.1 + mend.2;
    mends.iter().rev().find(covers).map_or(0, |mend| mend.3)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// In any files and order, with a state that was stored between, and in a fresh clone; and the order is that of the ids
    /// with the right times.
    #[test]
    fn whichever_way_mends_and_lines_are_merged_every_clone_has_one_state(
        times in prop::collection::vec((any::<bool>(), 0..48_u32), 2..12),
        doubled in prop::collection::vec(0..12_usize, 0..3),
        mends in prop::collection::vec((any::<bool>(), 1..6_u64, 0..6_u64, prop::sample::select(vec![
            THREE_YEARS, THREE_YEARS + 7_200_000, -3_600_000, 0, 5_400_000, -THREE_YEARS, i64::MIN, i64::MAX,
        ])), 1..4),
        order in prop::collection::vec((any::<u16>(), 0..FILES.len()), 24),
        stores in 0..20_usize,
    ) {
        let lines = lines(&times, &doubled);
        let all: Vec<_> = lines.iter().map(|(.., line)| (3, line.clone())).collect();
        let maker = Project::with_lines(&FILES, &all);
        let engine = maker.engine("2026-11-22T10:00:00Z", "mends");
        let mut held = Vec::new();
        for one in &mends {
            let writer = if one.0 { "writer01" } else { "writer02" };
            if mend_as(&engine, &user(), writer, (one.1, one.1 + one.2), one.3).refusal.is_none() {
                held.push(*one);
            }
        }
        let expected = engine.ask(World::hash).expect("asked");
        prop_assert_eq!(&world_hash(&maker.context()), &expected, "with its cache and without");

        let said: String = maker.files().iter().filter(|(name, _)| *name != "history.jsonl").map(|(_, text)| text.as_str()).collect();
        let mut placed: Vec<_> = lines.iter().map(|(.., line)| line.clone()).chain(said.lines().map(str::to_owned)).collect();
        placed.sort_by_key(|line| order[line.len() % order.len()].0.wrapping_add(line.as_bytes()[30].into()));
        let placed: Vec<_> =
            placed.into_iter().enumerate().map(|(number, line)| (order[number % order.len()].1, line)).collect();
        prop_assert_eq!(&world_hash(&Project::with_lines(&FILES, &placed).context()), &expected, "a fresh clone");
        let (first, later) = placed.split_at(stores.min(placed.len()));
        let grown = Project::with_lines(&FILES, first);
        grown.engine("2026-11-22T11:00:00Z", "grows").store_checkpoint().expect("stored");
        let same = grown.engine("2026-11-22T11:00:00Z", "stays open");
        for (number, (file, line)) in later.iter().enumerate() {
            let path = grown.history(FILES[*file]);
            let text = fs::read_to_string(&path).expect("text") + line + "\n";
            fs::write(&path, text).expect("written");
            same.ask(|_| ()).expect("asked");
            if number % 3 == 0 {
                grown.engine("2026-11-22T11:00:00Z", "grows").store_checkpoint().expect("stored");
            }
        }
        prop_assert_eq!(&same.ask(World::hash).expect("asked"), &expected, "line by line");
        prop_assert_eq!(&grown.engine("2026-11-22T11:00:00Z", "reads").ask(World::hash).expect("asked"), &expected);

        let mut places: BTreeMap<EntryId, (EntryId, usize)> = BTreeMap::new();
        for (writer, count, line) in &lines {
            let id: EntryId = line[7..33].parse().expect("an id");
            let place = id.shifted(shift_of(&held, writer, *count));
            let known = places.entry(id).or_insert((place, 0));
            *known = (known.0.min(place), known.1 + 1);
        }
        let mut ordered: Vec<_> = places.iter().filter(|(_, (_, count))| *count == 1).map(|(id, (place, _))| (*place, *id)).collect();
        ordered.sort_unstable();
        let of_lines = Filter { names: vec![step("s", "").operation.name.to_string()], ..Filter::default() };
        let found = ids(&engine, &of_lines);
        prop_assert_eq!(found, ordered.iter().map(|(_, id)| *id).collect::<Vec<_>>());
    }
}

fn run(project: &program::Project, now: &str, arguments: &[&str]) -> program::Run {
    let mut command = project.command(arguments);
    command.env("ANNALS_NOW", now).env("ANNALS_SEED", now);
    program::run(command, "")
}

fn says(project: &program::Project, now: &str, arguments: &[&str]) -> String {
    let run = run(project, now, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    run.stdout
}

#[test]
fn the_program_proposes_a_mend_and_two_clones_agree_on_what_it_gives() {
    let project = program::Project::given("2026-11-20T09:00:00Z");
    let body = "It is grey, and nobody can see the alarm in front of it.";
    says(&project, "2026-11-20T10:00:00Z", &["issue", "new", "Before", "--body", body]);
    says(&project, "2029-11-21T10:00:00Z", &["session", "start", "Three years ahead"]);
    says(&project, "2029-11-21T10:01:00Z", &["issue", "new", "Ahead", "--body", body]);
    says(&project, "2026-11-21T10:30:00Z", &["issue", "new", "After", "--body", body]);
    let now = "2026-11-21T11:00:00Z";
    let proposed = says(&project, now, &["history", "mend-clock"]);
    let command = proposed.lines().find_map(|line| line.trim().strip_prefix("annals ")).expect("a command");
    assert!(command.ends_with("--shift -1095d23h31m1ms"), "{proposed}");
    let mut words: Vec<_> = command.split(' ').collect();
    let shift = words.len() - 1;
    words[shift] = "-1096d";
    assert_eq!(run(&project, now, &[&words[..], &["--as", "critic"]].concat()).code, Some(1));
    assert!(says(&project, now, &words).starts_with("mended: "));
    let times = |text: &str| text.lines().map(|line| line[..16].to_owned()).collect::<Vec<_>>();
    let log = says(&project, now, &["log", "--all"]);
    let expected = [
        "2026-11-20T09:00", "2026-11-20T10:00", "2026-11-21T10:00", "2026-11-21T10:01", "2026-11-21T10:30",
        // Who may not was refused, and that is recorded.
        "2026-11-21T11:00", "2026-11-21T11:00",
    ];
    assert_eq!(times(&log), expected, "{log}");
    let sessions = says(&project, now, &["session", "list"]);
    assert!(sessions.contains("2026-11-21T10:00:00.000Z") && !sessions.contains("2029"), "{sessions}");
    assert_eq!(times(&says(&project, now, &["log", "--all", "--since", "2026-11-21"])), expected[2..]);
    assert_eq!(
        says(&project, now, &["history", "mend-clock"]),
        "no line of a writer lies more than a day ahead of this clock\n"
    );
    assert!(says(&project, now, &["verify"]).contains("mended: lines "), "and nothing is wrong");
    assert!(!says(&project, now, &["doctor"]).contains("more than a day ahead"));
    assert!(says(&project, now, &["replay", "--all"]).contains(" 0 differed"));

    let other = program::Project::new();
    let lines: Vec<_> =
        project.days().into_values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let backwards: String = lines.iter().rev().flat_map(|line| [line.as_str(), "\n"]).collect();
    other.write(".context/history/2026-11-21.jsonl", &backwards);
    for arguments in [&["state", "--hash"][..], &["log", "--all"], &["session", "list"], &["issue", "list"]] {
        assert_eq!(says(&project, now, arguments), says(&other, now, arguments), "{arguments:?}");
    }
    says(&project, "2026-11-21T12:00:00Z", &["issue", "new", "Now", "--body", body]);
    let days: Vec<_> = project.days().into_iter().filter(|(_, text)| text.contains("\"title\":\"Now\"")).collect();
    assert!(days.len() == 1 && days[0].0.starts_with("2026-11-21"), "today is filed under today");
}

#[test]
fn a_line_that_was_scrubbed_is_mended_as_any_other() {
    let (project, made, writer) = project();
    scrub(&project.engine("2026-11-21T12:30:00Z", "scrubs"), made[3], None);
    let engine = project.engine("2026-11-21T13:00:00Z", "mends");
    mend(&engine, &writer, (2, 5), THREE_YEARS);
    assert_eq!(ids(&engine, &Filter::default())[..6], made[..6]);
    assert_eq!(world_hash(&project.context()), engine.ask(World::hash).expect("asked"));
}
