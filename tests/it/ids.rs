//! Ids that lie ahead, of a clock that was wrong or made to poison the log (decision 45); lines in the name of this clone that
//! it has not written; and decisions that claim rules which nobody has.

use std::fs;

use annals::domain::session::Command as OfSession;
use annals::domain::session::command::{Complete, Start};
use annals::engine::replay::Which;
use annals::engine::verify::{Newer, Terms};
use annals::engine::{Answer, Engine};
use annals::kernel::annals::{LineHash, RULES_VERSION};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{EntryId, MOST_AHEAD_MS, SessionId};
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::log::verify::Finding;
use annals::view::refusal::told;

use crate::support::{Project, Scribe, findings_of, step, time, user, world_hash};

const TODAY: &str = "2026-11-21T10:00:00Z";
const HIGHEST: &str = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

fn start(engine: &Engine, title: &str) -> Answer {
    let start = Start { title: Some(title.into()), ..Start::default() };
    engine.decide(OfSession::Start(start), &Json::empty_object(), &user()).expect("decided")
}

fn complete(engine: &Engine, session: SessionId) -> Answer {
    let complete = Complete { session };
    engine.decide(OfSession::Complete(complete), &Json::empty_object(), &user()).expect("decided")
}

fn sessions(engine: &Engine) -> u64 {
    engine.ask(|world| world.rooms.session.totals.sessions).expect("asked")
}

/// A line of another writer, with an id of somebody's choice.
fn line_of(writer: &str, id: EntryId) -> String {
    let line = Scribe::new(writer).line(TODAY, "poison");
    let own = line[7..33].to_owned();
    line.replace(&own, &id.to_string()) + "\n"
}

fn merge(project: &Project, name: &str, text: &str) {
    fs::write(project.history(name), text).expect("written");
}

#[test]
fn a_merged_line_with_the_highest_id_takes_nothing_from_later_commands() {
    let project = Project::new();
    start(&project.engine(TODAY, "one"), "before");
    merge(&project, "2026-11-20.jsonl", &line_of("poisoner", HIGHEST.parse().expect("an id")));
    for (number, now) in ["2026-11-21T10:01:00Z", "2026-11-21T10:02:00Z", "2026-11-21T10:03:00Z"].iter().enumerate() {
        let engine = project.engine(now, now);
        let entry = start(&engine, "after").entry.expect("recorded");
        assert_eq!(entry.time(), time(now));
        assert_eq!(sessions(&engine), number as u64 + 3);
        let noted = engine.note(vec![step("s", "a step")]).expect("noted");
        let recorded = engine.record(step("s", "another"), IdSource::Minted).expect("recorded");
        assert_eq!(recorded.segment, "2026-11-21.jsonl");
        assert!(noted[0].id.time() <= time(now) && recorded.id > noted[0].id);
        engine.store_checkpoint().expect("stored");
        let cached = engine.ask(annals::world::World::hash).expect("asked");
        assert_eq!(cached, world_hash(&project.context()), "a late line and a checkpoint");
    }
    let (engine, highest) = (project.engine(TODAY, "reader"), HIGHEST.parse().expect("an id"));
    assert_eq!(engine.ask(|world| world.last).expect("asked"), highest, "it counts where it claims to be");
    let mut then = engine.world_at(EntryId::new(time("2026-11-21T10:02:30Z"), 0)).expect("folded");
    assert_eq!(
        then.ask(|world| (world.rooms.session.totals.sessions, world.last < highest)).expect("asked"),
        (4, true)
    );
    let report = engine.replay(&Which::All).expect("replayed");
    assert_eq!((report.differed.len(), report.matched), (0, 4));
    let ids: Vec<_> = engine.examine().expect("examined").into_iter().filter(|check| check.about == "ids").collect();
    let [check] = ids.as_slice() else { panic!("one check: {ids:?}") };
    assert!(check.says.ends_with("1; the first: 7ZZZZZZZZZZZZZZZZZZZZZZZZZ (2026-11-20.jsonl:1)"), "{}", check.says);
}

#[test]
fn ids_a_day_ahead_do_not_make_the_clock_creep() {
    let project = Project::new();
    let (now, mut last) = (time(TODAY), EntryId::MIN);
    for number in 0..10u128 {
        last = start(&project.engine(TODAY, &number.to_string()), "mine").entry.expect("recorded").max(last);
        let ahead = EntryId::new(last.time().plus_millis(MOST_AHEAD_MS - 1), number);
        merge(&project, &format!("2026-11-2{number}.jsonl"), &line_of(&format!("poison{number:02}"), ahead));
        assert!(last.time() <= now.plus_millis(MOST_AHEAD_MS), "{last} after {number} merges");
    }
    let tomorrow = project.engine("2026-11-23T10:00:00Z", "tomorrow");
    assert_eq!(start(&tomorrow, "mine").entry.expect("recorded").time().day(), time("2026-11-23T00:00:00Z").day());
}

#[test]
fn after_a_clock_that_was_a_year_ahead_was_set_right_today_is_filed_under_today() {
    let project = Project::new();
    let wrong = project.engine("2027-11-21T10:00:00Z", "wrong");
    start(&wrong, "in a year");
    wrong.record(step("s", "in a year"), IdSource::Minted).expect("recorded");
    for minute in 1..4 {
        let now = format!("2026-11-21T10:0{minute}:00Z");
        let engine = project.engine(&now, &now);
        assert_eq!(start(&engine, "now").entry.expect("recorded").time(), time(&now));
        engine.note(vec![step("s", "now")]).expect("noted");
    }
    let names: Vec<_> = project.files().into_keys().collect();
    assert_eq!(names, ["2026-11-21.jsonl", "2027-11-21.jsonl"]);
    assert_eq!(sessions(&project.engine(TODAY, "reader")), 5);
}

#[test]
fn a_decision_that_rests_on_an_id_above_its_own_is_refused() {
    let (project, other) = (Project::new(), Project::new());
    let ahead = start(&other.engine("2026-11-24T10:00:00Z", "other"), "of another clock").entry.expect("recorded");
    start(&project.engine(TODAY, "one"), "mine");
    merge(&project, "2026-11-24.jsonl", &other.files()["2026-11-24.jsonl"]);
    let engine = project.engine("2026-11-21T10:05:00Z", "two");
    let answer = complete(&engine, SessionId::from(ahead.to_string()));
    let refusal = answer.refusal.expect("refused");
    assert_eq!((&*refusal.rule, answer.entry), ("log.cause_ahead", None));
    let message = told(&refusal).message;
    assert!(message.contains(&ahead.to_string()), "{message}");
    assert_eq!(complete(&engine, "nobody".into()).refusal.expect("refused").rule.as_ref(), "session.unknown_session");
    assert_eq!(start(&engine, "mine, too").refusal, None);
    let later = project.engine("2026-11-24T10:05:00Z", "three");
    assert_eq!(complete(&later, SessionId::from(ahead.to_string())).refusal, None, "when its time has come");
    let report = later.replay(&Which::All).expect("replayed");
    assert_eq!((report.differed.len(), report.matched), (0, 4));
}

/// The line behind the last one of a file, in the name of its writer: it fits, and somebody else has made it.
fn forged(text: &str) -> String {
    let last = text.lines().last().expect("a line");
    let mut entry = HistoryEntry::read(last).expect("an entry");
    let link = entry.annals.link.as_mut().expect("a link");
    (link.count, link.previous) = (link.count + 1, LineHash::of(last.as_bytes()));
    entry.id = entry.id.next().expect("an id");
    entry.operation.input = Json::of(&serde_json::json!({ "command": "forged" }));
    entry.to_line() + "\n"
}

#[test]
fn a_line_forged_in_this_clones_name_is_a_finding_and_never_its_head() {
    let project = Project::new();
    project.engine(TODAY, "one").record(step("s", "mine"), IdSource::Minted).expect("recorded");
    let files = project.files();
    merge(&project, "history.jsonl", &forged(&files["2026-11-21.jsonl"]));
    let said = || {
        let verified = project.engine(TODAY, "verifier").verify(&Terms::default()).expect("verified");
        let said = |finding: &Finding| {
            format!("{}:{} {}", finding.file.as_deref().unwrap_or("-"), finding.line.unwrap_or(0), finding.what.kind())
        };
        verified.report.findings.iter().map(said).collect::<Vec<_>>()
    };
    assert_eq!(said(), ["history.jsonl:1 unremembered"]);
    let after =
        project.engine("2026-11-21T11:00:00Z", "two").record(step("s", "mine"), IdSource::Minted).expect("recorded");
    let link = |line: &str| HistoryEntry::read(line).expect("an entry").annals.link.expect("a link");
    assert_ne!(link(&after.line).writer, link(files["2026-11-21.jsonl"].trim_end()).writer);
    assert_eq!(said(), ["history.jsonl:1 unremembered"], "it stays named");
    let elsewhere = Project::new();
    elsewhere.set_files(&project.files());
    assert_eq!(findings_of(&elsewhere.context()), [""; 0], "no other clone can know");
}

#[test]
fn a_decision_under_rules_that_this_program_does_not_know_is_a_finding() {
    for (rules, is_found_when_accepted) in [(0, true), (RULES_VERSION + 1, false), (u32::MAX, false)] {
        let (project, other) = (Project::new(), Project::new());
        start(&project.engine(TODAY, "one"), "a session");
        let files = project.files();
        other.set_files(&files);
        let text = files["2026-11-21.jsonl"].replace(&format!("\"r\":{RULES_VERSION}"), &format!("\"r\":{rules}"));
        merge(&other, "2026-11-21.jsonl", &text);
        let engine = other.engine(TODAY, "verifier");
        let kinds = |newer| {
            let report = engine.verify(&Terms { newer, ..Terms::default() }).expect("verified").report;
            report.findings.iter().map(|finding| finding.what.kind()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(Newer::Finding), ["unknown rules"], "{rules}");
        assert_eq!(kinds(Newer::Accepted).len(), usize::from(is_found_when_accepted), "{rules}");
        let report = engine.replay(&Which::All).expect("replayed");
        assert_eq!((report.claims_unknown_rules(), report.matched), (true, 0));
    }
}
