//! Laws of hivemind: whatever is asked, read and merged, no entry is lost and none fades twice; and stores that several
//! processes use at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use annals::domain::hivemind::command::{
    Access, Add, Announce, Contest, ContestVerdict, Nominate, Rise, Settle, Supersede,
};
use annals::domain::hivemind::{Command, EntryCategory, Event, Observed, State, decide};
use annals::engine::By;
use annals::engine::replay::Which;
use annals::kernel::actor::{Role, Standing};
use annals::kernel::decision::{Cause, Moment};
use annals::kernel::fade::{DAY_MS, days_between, power};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::settings::Settings;
use annals::kernel::share::Share;
use annals::kernel::time::Timestamp;
use proptest::prelude::*;
use serde_json::Value;

use crate::program::{self, run};
use crate::support::{Project, findings_of};

/// What somebody does to a key, so many hours after the step before.
#[derive(Debug, Clone, Copy)]
struct Step {
    key: u8,
    what: u8,
    value: u8,
    hours: i64,
}

fn step() -> impl Strategy<Value = Step> {
    (0u8..3, 0u8..10, 0u8..4, 0i64..200).prop_map(|(key, what, value, hours)| Step { key, what, value, hours })
}

/// An event as it stands in a log.
#[derive(Debug, Clone)]
struct Line {
    id: EntryId,
    event: Event,
}

/// A branch that decides on what it knows.
#[derive(Clone)]
struct Branch {
    state: State,
    lines: Vec<Line>,
    at: Timestamp,
    side: u128,
}

fn take_in(state: &mut State, line: &Line) {
    let actor = AgentId::from("anna");
    state.evolve(&line.event, &Cause { asked: None, id: line.id, at: line.id.time(), actor: &actor });
}

fn fold(lines: &[Line]) -> State {
    let mut state = State::default();
    for line in lines {
        take_in(&mut state, line);
    }
    state
}

impl Branch {
    fn play(&mut self, steps: &[Step]) {
        for step in steps {
            self.at = self.at.plus_millis(step.hours * DAY_MS / 24 + 1000);
            let id = EntryId::new(self.at, self.side);
            let settings = Settings::default();
            let (actor, standing) = match step.what {
                7 | 8 => ("user", Standing::User),
                _ => ("anna", Standing::Agent(Role::Critic)),
            };
            let (actor, session) = (AgentId::from(actor), SessionId::from(NO_SESSION));
            let moment = Moment { id, at: self.at, actor, standing, session, settings: &settings };
            let outcome = decide(&self.state, &command(*step), &Observed::default(), &moment);
            for event in outcome.events {
                let line = Line { id, event };
                take_in(&mut self.state, &line);
                self.lines.push(line);
            }
        }
    }
}

fn command(Step { key, what, value, .. }: Step) -> Command {
    let (key, value): (Box<str>, Box<str>) = (format!("k{key}").into(), format!("v{value}").into());
    let (reason, reasons): (Box<str>, _) = ("because".into(), None);
    match what {
        0..=2 => {
            let category = [EntryCategory::Fear, EntryCategory::Decision, EntryCategory::Knowledge][usize::from(what)];
            let confidence = Some(Share::thousandths(900));
            Add { category, key, value, confidence, reason: reasons, tags: vec![], related: vec![] }.into()
        }
        3 | 4 => Access { key, reason: reasons }.into(),
        5 => Contest { key, reason, alternative: Some(value) }.into(),
        6 => Nominate { key, reason, rise: Rise::Golden }.into(),
        7 => Settle { key, verdict: ContestVerdict::Approve }.into(),
        8 => Settle { key, verdict: ContestVerdict::Reject }.into(),
        _ if value.ends_with('0') => Supersede { key, value, confidence: None, reason: reasons }.into(),
        _ => Announce {}.into(),
    }
}

fn keys(state: &State) -> BTreeSet<&str> {
    state.entries.iter().filter(|(_, entry)| entry.removed.is_none()).map(|(key, _)| &**key).collect()
}

/// When a key was looked at since it got the entry that it has, as the log says it.
fn last_use(lines: &[Line], key: &str, entry_id: &str) -> Timestamp {
    let since = lines.iter().position(|line| matches!(&line.event, Event::Added(new) if *new.entry.id == *entry_id));
    let touches = |event: &Event| match event {
        Event::Added(new) => *new.entry.id == *entry_id,
        Event::Accessed(_)
        | Event::Updated(_)
        | Event::PromotedGolden(_)
        | Event::PromotedGlobal(_)
        | Event::Upheld(_) => true,
        Event::Contested(_) | Event::Removed(_) | Event::EntryExpired(_) | Event::Pulled(_) | Event::Pushed(_) => false,
    };
    let later = lines[since.expect("it was added")..].iter().filter(|line| line.event.key() == Some(key));
    later.filter(|line| touches(&line.event)).map(|line| line.id.time()).max().expect("it was added")
}

/// A value that was given a key stands beside it for ever.
fn assert_nothing_lost(state: &State, lines: &[Line]) {
    for line in lines {
        let Event::Added(added) = &line.event else { continue };
        let entry = state.entry(&added.entry.key).expect("a key does not go");
        let others = entry.past.iter().chain(&entry.rivals).map(|other| &other.value);
        let is_there = std::iter::once(&entry.value).chain(others).any(|value| *value == added.entry.value);
        assert!(is_there, "{} of {} is lost: {entry:#?}", added.entry.value, added.entry.key);
    }
}

/// Strength is the closed formula of confidence, rate, last use and now.
fn assert_fades_once(state: &State, lines: &[Line], hours: i64) {
    for (key, entry) in state.entries.iter() {
        let expected = last_use(lines, key, &entry.id);
        let doubles: Vec<_> = lines
            .iter()
            .filter(|line| matches!(&line.event, Event::Added(new) if *new.entry.key == **key))
            .map(|line| line.id.time())
            .collect();
        // Another branch that gave it the same value has used it, too.
        let last = entry.decay.last_accessed;
        assert!(last == expected || last > expected && doubles.contains(&last), "{key}: {last}, not {expected}");
        let now = last.plus_millis(hours * DAY_MS / 24);
        let kept = Share::thousandths(1000 - entry.decay.decay_rate.in_thousandths()).number();
        let closed = entry.confidence.number() * power(kept, days_between(last, now));
        assert_eq!(entry.strength_at(now).to_bits(), closed.to_bits(), "{key}");
        let is_below = closed < 0.1 && entry.contest.is_none() && entry.decay.decay_rate != Share::NONE;
        assert_eq!(entry.is_expired_at(now), is_below, "{key} at {now}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// AFS 6.2, decisions 21 and 22: whatever two branches do, and however often it is read or announced.
    #[test]
    fn no_entry_is_lost_and_none_fades_twice(
        before in proptest::collection::vec(step(), 0..8),
        left in proptest::collection::vec(step(), 0..10),
        right in proptest::collection::vec(step(), 0..10),
        hours in 0i64..4000,
    ) {
        let start = Timestamp::from_millis(1_760_000_000_000);
        let mut base = Branch { state: State::default(), lines: Vec::new(), at: start, side: 1 };
        base.play(&before);
        let (mut one, mut other) = (Branch { side: 2, ..base.clone() }, Branch { side: 3, ..base.clone() });
        one.play(&left);
        other.play(&right);
        let known = base.lines.len();
        let mut lines: Vec<Line> = one.lines.iter().chain(&other.lines[known..]).cloned().collect();
        lines.sort_by_key(|line| line.id);
        let mut merged = State::default();
        let mut seen = BTreeSet::new();
        for line in &lines {
            take_in(&mut merged, line);
            let now: BTreeSet<String> = keys(&merged).into_iter().map(str::to_owned).collect();
            prop_assert!(now.is_superset(&seen), "keys only grow");
            seen = now;
            // Whoever reads changes nothing.
            let _ = merged.expiries(line.id.time(), 5);
        }
        prop_assert!(keys(&merged).is_superset(&keys(&one.state)) && keys(&merged).is_superset(&keys(&other.state)));
        assert_nothing_lost(&merged, &lines);
        assert_fades_once(&merged, &lines, hours);
        assert_fades_once(&one.state, &one.lines, hours);
        let silent: Vec<Line> =
            lines.iter().filter(|line| !matches!(line.event, Event::EntryExpired(_))).cloned().collect();
        prop_assert_eq!(&fold(&silent).entries, &merged.entries, "an announcement changes nothing");
        prop_assert_eq!(fold(&silent).totals.all(), merged.totals.all());
    }
}

fn by(actor: &str) -> By {
    By::new(actor, NO_SESSION)
}

fn add(category: EntryCategory, key: &str, value: &str) -> Command {
    let (key, value) = (key.into(), value.into());
    Add { category, key, value, confidence: None, reason: None, tags: vec![], related: vec![] }.into()
}

/// Two clones of one log, their lines mixed both ways.
#[test]
fn two_branches_fold_to_one_hivemind_whichever_way_they_are_merged() {
    let ask = |project: &Project, now: &str, seed: &str, command: Command| {
        project.engine(now, seed).decide(command, &Json::empty_object(), &by("user")).expect("decided");
    };
    let base = Project::new();
    ask(&base, "2026-11-01T00:00:00Z", "base", add(EntryCategory::Fear, "flaky", "the suite hangs"));
    let (one, other) = (Project::new(), Project::new());
    one.set_files(&base.files());
    other.set_files(&base.files());
    ask(&one, "2026-11-10T00:00:00Z", "one", Access { key: "flaky".into(), reason: None }.into());
    ask(&one, "2026-11-11T00:00:00Z", "one more", add(EntryCategory::Decision, "db", "Postgres"));
    ask(&other, "2026-11-25T00:00:00Z", "other", Announce {}.into());
    ask(&other, "2026-11-25T01:00:00Z", "another", add(EntryCategory::Decision, "db", "SQLite"));
    let merged = |first: &Project, second: &Project| {
        let mut files = first.files();
        for (name, text) in second.files() {
            let own = files.entry(name).or_default();
            let new = text.split_inclusive('\n').filter(|line| !own.contains(line));
            *own = new.collect::<String>() + own;
        }
        let project = Project::new();
        project.set_files(&files);
        project
    };
    let (left, right) = (merged(&one, &other), merged(&other, &one));
    assert_eq!(left.fresh_hash(), right.fresh_hash());
    let engine = left.engine("2026-11-26T00:00:00Z", "reader");
    let (strength, rivals) = engine
        .ask(|world| {
            let entry = |key: &str| world.rooms.hivemind.entry(key).expect("there").clone();
            let at = "2026-11-25T00:00:00Z".parse().expect("a time");
            (entry("flaky").strength_at(at), entry("db").rivals)
        })
        .expect("asked");
    assert!((strength - 0.8 * 0.9_f64.powi(15)).abs() < 1e-9, "from the access on, once: {strength}");
    assert_eq!(rivals.iter().map(|rival| &*rival.value).collect::<Vec<_>>(), ["SQLite"]);
    let report = engine.replay(&Which::All).expect("replayed");
    assert_eq!((report.decisions, report.matched, report.differed.len()), (5, 5, 0));
    assert_eq!(findings_of(&left.context()), [""; 0]);
}

/// Projects of one home that share a group.
struct Home {
    home: tempfile::TempDir,
    projects: Vec<program::Project>,
}

const GROUPS: &str = r#"{"version":"1.0","groups":{"all":{"description":"","projects":["p0","p1","p2"],
    "shared_categories":["knowledge","decision","preference"]}},"project_paths":{}}"#;

impl Home {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let shared = home.path().join(".context/global/shared");
        std::fs::create_dir_all(&shared).expect("made");
        std::fs::write(shared.join("project-groups.json"), GROUPS).expect("written");
        Self { home, projects: (0..3).map(|_| program::Project::new()).collect() }
    }

    fn command(&self, project: usize, arguments: &[&str]) -> std::process::Command {
        let mut command = self.projects[project].command(arguments);
        command.env("HOME", self.home.path());
        command
    }

    fn says(&self, project: usize, arguments: &[&str]) -> String {
        let run = run(self.command(project, arguments), "");
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
        run.stdout
    }

    fn keys(&self, project: usize) -> BTreeMap<String, String> {
        let list: Value =
            serde_json::from_str(&self.says(project, &["hivemind", "list", "--all", "--json"])).expect("JSON");
        let text = |entry: &Value, name: &str| entry[name].as_str().expect("a text").to_owned();
        let entries = list["entries"].as_array().expect("a list");
        entries.iter().map(|entry| (text(entry, "key"), text(entry, "value"))).collect()
    }
}

/// AFS 6.5: each log has its lock, and what is there already is not added again.
#[test]
fn processes_that_sync_at_once_lose_nothing_and_add_nothing_twice() {
    let home = Home::new();
    for project in 0..3 {
        for number in 0..4 {
            home.says(project, &["hivemind", "add", "knowledge", &format!("p{project}-{number}"), "v"]);
        }
        home.says(project, &["hivemind", "add", "decision", "same", "for all"]);
        home.says(project, &["hivemind", "add", "fear", &format!("fear-{project}"), "stays"]);
    }
    let sync = |project: usize| {
        home.command(project, &["hivemind", "sync", "groups/all", "--project", &format!("p{project}")])
    };
    let started: Vec<_> = (0..6).map(|number| sync(number % 3).spawn().expect("started")).collect();
    for child in started {
        let ended = program::ended(&child.wait_with_output().expect("ended"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }
    for project in 0..3 {
        assert_eq!(run(sync(project), "").code, Some(0));
    }
    for project in 0..3 {
        let keys = home.keys(project);
        assert_eq!(keys.len(), 12 + 1 + 1, "{keys:?}");
        assert!(
            keys.contains_key(&format!("fear-{project}")) && !keys.contains_key(&format!("fear-{}", (project + 1) % 3))
        );
        assert!(home.says(project, &["replay", "--all"]).contains(" 0 differed"));
        let again = home.says(project, &["hivemind", "sync", "groups/all", "--project", &format!("p{project}")]);
        assert!(again.lines().all(|line| line.ends_with(": 13 there already")), "{again}");
    }
    let store = home.home.path().join(".context/global/shared/groups/all");
    let there = store.to_str().expect("a path");
    assert!(home.says(0, &["--context", there, "replay", "--all"]).contains(" 0 differed"));
    assert_eq!(findings_of(&store), [""; 0]);
}

/// Nothing but the project and `~/.context/global` is written; secrets go on both sides.
#[test]
fn a_sync_writes_where_it_should_and_cleans_what_it_writes() {
    let home = Home::new();
    let secret = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    home.says(0, &["hivemind", "add", "knowledge", "token", &format!("the token is {secret}")]);
    home.says(0, &["hivemind", "sync", "groups/all", "--project", "p0"]);
    home.says(1, &["hivemind", "sync", "groups/all", "--project", "p1"]);
    let files = below(home.home.path());
    let outside: Vec<_> =
        files.iter().filter(|path| !path.starts_with(home.home.path().join(".context/global"))).collect();
    assert_eq!(outside, [""; 0]);
    let texts = files.iter().chain(&below(home.projects[1].path())).map(std::fs::read).collect::<Vec<_>>();
    assert!(texts.iter().flatten().all(|bytes| !String::from_utf8_lossy(bytes).contains(secret)));
    assert_eq!(home.keys(1).get("token").map(String::as_str), Some("the token is [REDACTED_TOKEN]"));
}

/// AFS 6.4: what a group shares reaches the projects of the group, and no other.
#[test]
fn what_a_group_shares_stays_in_the_group() {
    let home = Home::new();
    home.says(0, &["hivemind", "add", "knowledge", "secret-port", "8471"]);
    for (project, name) in [(0, "p0"), (1, "p1"), (1, "p1"), (2, "outside")] {
        home.says(project, &["hivemind", "sync", "--project", name]);
    }
    let has = |project| home.keys(project).contains_key("secret-port");
    assert_eq!((has(1), has(2)), (true, false));
}

fn below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files.extend(below(&path)) } else { files.push(path) }
    }
    files
}

/// What another program wrote into a store that it knows, too, is not overwritten.
#[test]
fn the_files_of_another_program_stay() {
    let home = Home::new();
    let theirs = home.home.path().join(".context/global/shared/groups/all/hivemind/knowledge.json");
    std::fs::create_dir_all(theirs.parent().expect("a folder")).expect("made");
    std::fs::write(&theirs, "[\"theirs\"]").expect("written");
    home.says(0, &["hivemind", "add", "knowledge", "k", "v"]);
    home.says(0, &["hivemind", "sync", "groups/all", "--project", "p0"]);
    assert_eq!(std::fs::read_to_string(&theirs).expect("read"), "[\"theirs\"]");
    assert!(home.says(1, &["hivemind", "sync", "groups/all", "--project", "p1"]).contains("1 new"), "the log has it");
}
