//! What failed in real sessions, and what the gate would have said, where `ANNALS_TRANSCRIPTS` names their folder.
//!
//! With `--nocapture` it prints a table; `docs/DIALECTIC.md` has its sums.

use annals::kernel::record::{Event, Kind};
use std::collections::{BTreeMap, BTreeSet};

use annals::domain::dialectic::command::Facts;
use annals::domain::dialectic::gate::{GateVerdict, Question};
use annals::domain::dialectic::stakes::RequestVoice;
use annals::kernel::envelope::{Ending, Envelope, Span};
use annals::kernel::id::EntryId;
use annals::kernel::settings::Settings;
use annals::world::World;

use crate::program::Project;
use crate::support::transcripts;

/// What was found in a session.
#[derive(Debug, Default)]
struct Found {
    tool: String,
    /// Failed calls as the log has them, and those that count for a task.
    failed: u64,
    counted: u64,
    /// Tasks with failures, and pairs of task and error that came twice without a success in between.
    tasks: BTreeSet<String>,
    repeated: BTreeSet<(String, String)>,
    /// Times that the gate would have said so right after a failed call, where it did not say it before.
    debates: u64,
    escalations: u64,
    last: Option<GateVerdict>,
}

/// Folds a history line by line, and asks after each failed call.
fn found(lines: &BTreeMap<EntryId, String>) -> BTreeMap<String, Found> {
    let (mut world, mut all) = (World::default(), BTreeMap::<String, Found>::new());
    for line in lines.values() {
        let span = Span::scan(line.as_bytes()).expect("an entry");
        let entry = Envelope::new(line.as_bytes(), &span);
        let before = world.rooms.dialectic.totals.calls;
        world.apply(&entry);
        let found = all.entry(entry.session().into_owned()).or_default();
        if entry.record() == Event::SessionStart.into() {
            found.tool = entry.agent().unwrap_or_default().split('/').next().map(str::to_owned).unwrap_or_default();
        }
        let is_failed = entry.record() == Kind::Call && entry.ending() == Ending::Failed;
        found.failed += u64::from(is_failed);
        found.counted += world.rooms.dialectic.totals.calls - before;
        asked(&world, &entry, found);
    }
    all
}

fn asked(world: &World, entry: &Envelope<'_>, found: &mut Found) {
    let dialectic = &world.rooms.dialectic;
    let Some(named) = dialectic.asked_in(&entry.session().as_ref().into()) else { return };
    let Some(task) = dialectic.task(&named.id) else {
        found.last = None;
        return;
    };
    found.tasks.insert(named.id.to_string());
    let own = task.runs.iter().filter(|run| run.session.as_str() == entry.session() && run.count > 1);
    found.repeated.extend(own.map(|run| (named.id.to_string(), run.fingerprint.to_string())));
    let (facts, settings) = (Facts { read_only: true, ..Facts::default() }, Settings::default());
    let (task, at) = (&named, entry.at());
    let question =
        Question { task, plan: None, facts: &facts, voice: RequestVoice::User, is_off: false, at, settings: &settings };
    let verdict = Some(dialectic.gate(&question).verdict);
    if verdict != found.last {
        found.debates += u64::from(verdict == Some(GateVerdict::Debate));
        found.escalations += u64::from(verdict == Some(GateVerdict::Escalate));
    }
    found.last = verdict;
}

fn row(name: &str, found: &Found) -> String {
    let Found { tool, failed, counted, tasks, repeated, debates, escalations, .. } = found;
    let (tasks, repeated) = (tasks.len(), repeated.len());
    format!("| {name} | {tool} | {failed} | {counted} | {tasks} | {repeated} | {debates} | {escalations} |\n")
}

#[expect(clippy::print_stderr, reason = "tests only: a table for people")]
fn show(table: &str) {
    let head = "session | tool | failed calls | counted | tasks with failures | repeated | debate | escalate";
    eprintln!("| {head} |\n|---|---|---|---|---|---|---|---|\n{table}");
}

#[test]
fn real_sessions_repeat_few_errors_and_those_are_seen() {
    let Some(root) = transcripts() else { return };
    let project = Project::new();
    let folders = [
        "aider", "claude-code", "claude-code-records", "codex", "codex-records", "copilot-cli", "gemini-cli",
        "openhands", "swe-agent", "mutations",
    ];
    let paths = folders.map(|folder| root.join(folder).to_string_lossy().into_owned());
    let run = project.annals(std::iter::once("import".to_owned()).chain(paths), "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let days = project.days();
    let lines = days.values().flat_map(|text| text.lines());
    let id = |line: &str| {
        let span = Span::scan(line.as_bytes()).expect("an entry");
        Envelope::new(line.as_bytes(), &span).id()
    };
    let by_id = lines.map(|line| (id(line), line.to_owned())).collect();
    let all = found(&by_id);
    let mut sessions: Vec<_> = all.iter().filter(|(_, found)| found.counted > 0).collect();
    sessions.sort_by_key(|(name, found)| (std::cmp::Reverse((found.repeated.len(), found.counted)), *name));
    let mut table: String = sessions.iter().take(20).map(|(name, found)| row(&name[name.len() - 8..], found)).collect();
    let mut total = Found { tool: format!("{} sessions with failures", sessions.len()), ..Found::default() };
    let (mut tasks, mut repeated) = (0, 0);
    for found in all.values() {
        total.failed += found.failed;
        total.counted += found.counted;
        total.debates += found.debates;
        total.escalations += found.escalations;
        tasks += found.tasks.len();
        repeated += found.repeated.len();
    }
    let sums = format!("{} | {} | {}", total.tool, total.failed, total.counted);
    let gates = format!("{} | {}", total.debates, total.escalations);
    table.extend([format!("| all {} | {sums} | {tasks} | {repeated} | {gates} |\n", all.len())]);
    show(&table);
    assert!(total.counted <= total.failed && repeated > 10, "{repeated} pairs of {} failures", total.counted);
}
