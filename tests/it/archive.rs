//! The program on an archive of real transcripts, where `ANNALS_TRANSCRIPTS` names the unpacked folder.
//!
//! Without it there is nothing to import; `import` has the same corners on sessions that we wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use annals::kernel::annals::Usage;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use serde_json::Value;

use crate::program::{Project, Run};
use crate::support::transcripts;

/// A row of `INDEX.tsv`.
struct Row {
    path: String,
    kind: String,
    notes: String,
}

fn index(archive: &Path) -> Vec<Row> {
    let text = fs::read_to_string(archive.join("INDEX.tsv")).expect("the index can be read");
    let rows = text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let rows = rows.map(|row| Row {
        path: row[0].clone(),
        kind: row[1].clone(),
        notes: row.get(6).cloned().unwrap_or_default(),
    });
    rows.filter(|row| row.kind != "kind").collect()
}

/// What the index says a file is; `None` for what is no transcript of the seven kinds.
fn kind_of(row: &Row) -> Option<&'static str> {
    match row.kind.as_str() {
        "codex" => Some("codex"),
        "codex-records" => (!row.path.ends_with("manifest.json")).then_some("codex"),
        "mutation" if row.path.contains("/codex-") => Some("codex"),
        "mutation" | "claude-code" | "claude-code-records" => Some("claude-code"),
        other => {
            ["copilot-cli", "gemini-cli", "swe-agent", "openhands", "aider"].into_iter().find(|kind| *kind == other)
        }
    }
}

fn import(project: &Project, paths: &[PathBuf]) -> Run {
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    project.annals(["--json", "import"].map(str::to_owned).into_iter().chain(paths), "")
}

fn imported(project: &Project, path: &Path) -> Value {
    let run = import(project, &[path.to_path_buf()]);
    assert_eq!(run.code, Some(0), "{}: {}", path.display(), run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Entries by id, without what depends on the writer and on where the record stands.
fn entries(project: &Project) -> BTreeMap<EntryId, HistoryEntry> {
    let placeless = |mut entry: HistoryEntry| {
        entry.annals.link = None;
        if let Some(source) = &mut entry.annals.source {
            (source.line, source.file) = (None, None);
        }
        (entry.id, entry)
    };
    let entries: Vec<_> = project.entries().into_iter().map(placeless).collect();
    let (count, by_id) = (entries.len(), entries.into_iter().collect::<BTreeMap<_, _>>());
    assert_eq!(by_id.len(), count, "an entry is there twice");
    by_id
}

fn number(report: &Value, key: &str) -> u64 {
    report[key].as_u64().unwrap_or_else(|| panic!("{key} in {report}"))
}

fn reported(report: &Value, reason: &str) -> u64 {
    report["passed_over"][reason]["count"].as_u64().unwrap_or(0)
}

#[test]
fn a_whole_archive_is_imported_once_and_the_log_is_clean() {
    let Some(archive) = transcripts() else { return };
    let project = Project::new();
    let folder = archive.to_string_lossy().into_owned();
    let dry = project.annals(["--json", "import", "--dry-run", &folder], "");
    assert!(project.entries().is_empty(), "a dry run records");
    let first = imported(&project, &archive);
    assert_eq!(serde_json::from_str::<Value>(&dry.stdout).expect("JSON"), first, "a dry run says what comes");

    let mut files = BTreeMap::<&str, u64>::new();
    for kind in index(&archive).iter().filter_map(kind_of) {
        *files.entry(kind).or_default() += 1;
    }
    assert_eq!(first["files"], serde_json::json!(files));
    assert_eq!(first["failed"], serde_json::json!([]));
    assert_eq!(number(&first, "added"), project.entries().len() as u64);

    let again = imported(&project, &archive);
    let there = number(&first, "added") + number(&first, "known");
    assert_eq!((number(&again, "added"), number(&again, "known")), (0, there));
    for check in [&["verify"][..], &["replay", "--all"]] {
        let run = project.annals(check, "");
        assert_eq!(run.code, Some(0), "{check:?}: {}{}", run.stdout, run.stderr);
    }
    let told = project.annals(["import", &folder], "").stdout;
    for reason in first["passed_over"].as_object().expect("an object").keys() {
        assert!(told.contains(reason), "{reason} is not in\n{told}");
    }
}

#[test]
fn each_file_is_known_by_its_content_and_what_is_none_is_refused() {
    let Some(archive) = transcripts() else { return };
    let project = Project::new();
    for row in index(&archive) {
        let path = archive.join(&row.path);
        let run = import(&project, &[path, "--dry-run".into()]);
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        if let Some(kind) = kind_of(&row) {
            assert_eq!((run.code, &report["files"]), (Some(0), &serde_json::json!({ kind: 1 })), "{}", row.path);
        } else {
            assert_eq!(run.code, Some(3), "{}", row.path);
            let problem = report["failed"][0][1].as_str().expect("a problem");
            assert!(problem.starts_with("is "), "{}: {problem}", row.path);
        }
    }
}

#[test]
fn a_longer_snapshot_adds_exactly_what_is_new() {
    let Some(archive) = transcripts() else { return };
    let chains = [
        [
            "claude-code/entireio-cli/71-69f9710768-0.jsonl",
            "claude-code/entireio-cli/e0-12b8e855d7-0.jsonl",
            "claude-code/entireio-cli/0b-0195f27fed-0.jsonl",
        ],
        [
            "codex/agentv/a8-54a7cb1c1f-0.jsonl", "codex/agentv/8d-1ecb6dc628-0.jsonl",
            "codex/agentv/a5-7b22d8d4bd-0.jsonl",
        ],
        [
            "gemini-cli/entireio-cli/c9-45f262e88d-0.json",
            "gemini-cli/entireio-cli/9c-53780d06b7-0.json",
            "gemini-cli/entireio-cli/ab-2b9748b105-0.json",
        ],
    ];
    for [first, second, third] in chains {
        for (short, long) in [(first, second), (second, third), (first, third)] {
            let [before, alone, after] = [(); 3].map(|()| Project::new());
            let shorter = number(&imported(&before, &archive.join(short)), "added");
            let whole = number(&imported(&alone, &archive.join(long)), "added");
            imported(&after, &archive.join(short));
            let report = imported(&after, &archive.join(long));
            assert_eq!(
                (number(&report, "added"), number(&report, "known")),
                (whole - shorter, shorter),
                "{short} {long}"
            );
            assert!(whole > shorter, "{short} {long}");
            assert_eq!(entries(&after), entries(&alone), "{short} {long}");
            assert_eq!(number(&imported(&after, &archive.join(short)), "added"), 0, "{short} after {long}");
        }
    }
}

const DAMAGED: &str = "damaged: not JSON";
const NOT_AN_OBJECT: &str = "JSON, but not an object";
const REPEATED: &str = "the same record again";

/// What a mutation must come to, beside the entries of the whole session.
enum Expected {
    /// All entries, and so many records passed over for a reason.
    Whole(&'static str, u64),
    /// All that was done and said, and the same tokens altogether: which line of a reply carries them, and the times
    /// of records that have none, follow the order.
    AnyOrder,
    /// All entries, and one of an unknown kind.
    OneMore,
    /// What one record that is cut short can take away; the damage is reported.
    OneRecordLess,
    /// All entries by id: a text has marks where bytes were no UTF-8.
    Marked,
}

const MUTATIONS: [(&str, Expected); 12] = [
    ("blank-lines", Expected::Whole(DAMAGED, 0)),
    ("bom-crlf", Expected::Whole(DAMAGED, 0)),
    ("glued", Expected::Whole(DAMAGED, 0)),
    ("shuffled", Expected::AnyOrder),
    ("doubled", Expected::Whole(REPEATED, 0)),
    ("nul-tail", Expected::Whole(DAMAGED, 1)),
    ("nondict", Expected::Whole(NOT_AN_OBJECT, 4)),
    ("unknown-type", Expected::OneMore),
    ("deep", Expected::OneMore),
    ("torn-middle", Expected::OneRecordLess),
    ("truncated-tail", Expected::OneRecordLess),
    ("invalid-utf8", Expected::Marked),
];

/// A file, what the index says of it, and the session that it was made of.
struct Mutation<'m> {
    name: &'m str,
    notes: &'m str,
    path: &'m Path,
    complete: &'m Path,
    whole: &'m BTreeMap<EntryId, HistoryEntry>,
}

fn check_mutation(mutation: &Mutation<'_>, expected: &Expected) {
    let Mutation { name, notes, path, complete, whole } = *mutation;
    let project = Project::new();
    let report = imported(&project, path);
    let found = entries(&project);
    let ids = |entries: &BTreeMap<EntryId, HistoryEntry>| entries.keys().copied().collect::<BTreeSet<_>>();
    match expected {
        Expected::Whole(reason, count) => {
            // Of a doubled session every record comes again, and the index says how many there are.
            let count = if name == "doubled" { good(notes) } else { *count };
            assert_eq!((found == *whole, reported(&report, reason)), (true, count), "{}: {report}", path.display());
        }
        Expected::AnyOrder => {
            assert_eq!((content(&found), usage(&found)), (content(whole), usage(whole)), "{}", path.display());
        }
        Expected::OneMore => {
            let (unknown, known): (BTreeMap<_, _>, BTreeMap<_, _>) =
                found.into_iter().partition(|(_, entry)| &*entry.operation.name == "import_note");
            assert_eq!((unknown.len(), known == *whole), (1, true), "{}", path.display());
        }
        Expected::OneRecordLess => {
            assert_eq!(reported(&report, DAMAGED), 1, "{}: {report}", path.display());
            let line = notes.split("line ").nth(1).expect("a line").split(' ').next();
            let line =
                if name == "torn-middle" { line.expect("a line").to_owned() } else { (good(notes) + 1).to_string() };
            assert_eq!(report["passed_over"][DAMAGED]["first_line"].to_string(), line, "{}", path.display());
            let lost = ids(whole).difference(&ids(&found)).count();
            assert!(lost <= 2 && ids(&found).is_subset(&ids(whole)), "{}: {lost} lost", path.display());
            imported(&project, complete);
            assert_eq!(ids(&entries(&project)), ids(whole), "{}, and then the whole", path.display());
        }
        Expected::Marked => {
            assert_eq!((found.len(), reported(&report, DAMAGED)), (whole.len(), 0), "{}", path.display());
        }
    }
}

/// What was done and said, whatever the order.
fn content(entries: &BTreeMap<EntryId, HistoryEntry>) -> BTreeSet<(String, String)> {
    let others = entries.values().filter(|entry| &*entry.operation.name != "usage");
    let record = |entry: &HistoryEntry| entry.annals.source.as_ref().map(|source| source.record.to_string());
    others.map(|entry| (record(entry).unwrap_or_default(), format!("{:?}", entry.operation))).collect()
}

fn usage(entries: &BTreeMap<EntryId, HistoryEntry>) -> Usage {
    entries.values().filter_map(|entry| entry.annals.usage).fold(Usage::default(), |sum, usage| sum + usage)
}

/// `EXPECT: … 40 good …`: how many records are good.
fn good(notes: &str) -> u64 {
    let words: Vec<_> = notes.split([' ', ',', ':']).collect();
    let at = words.iter().position(|word| ["good", "known", "distinct"].contains(word)).expect("a count");
    words[at - 1].parse().expect("a number")
}

#[test]
fn each_mutated_file_gives_what_is_expected_of_it() {
    let Some(archive) = transcripts() else { return };
    let index = index(&archive);
    for tool in ["claude", "codex"] {
        let whole = Project::new();
        let complete = archive.join(format!("mutations/{tool}-blank-lines.jsonl"));
        imported(&whole, &complete);
        let whole = entries(&whole);
        for (name, expected) in &MUTATIONS {
            let path = format!("mutations/{tool}-{name}.jsonl");
            let row = index.iter().find(|row| row.path == path).expect("a row of the index");
            let path = archive.join(&path);
            let mutation = Mutation { name, notes: &row.notes, path: &path, complete: &complete, whole: &whole };
            check_mutation(&mutation, expected);
        }
    }
    assert_eq!(index.iter().filter(|row| row.kind == "mutation").count(), 2 * MUTATIONS.len());
}

/// Tokens of the main sessions as `session list` has them: requests, input, written and read cache, output.
fn tokens(project: &Project) -> [i64; 5] {
    let list = project.annals(["--json", "session", "list", "--all"], "").stdout;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let sessions = list["sessions"].as_array().expect("sessions").iter();
    let mut sum = [0; 5];
    for session in sessions.filter(|session| session["parent_session_id"].is_null()) {
        let models = session["extensions"]["annals"]["usage"].as_object().into_iter().flatten();
        for (_, tally) in models {
            let keys = ["requests", "input", "cache_write", "cache_read", "output"];
            for (sum, key) in sum.iter_mut().zip(keys) {
                *sum += tally["usage"][key].as_i64().unwrap_or(0);
            }
        }
    }
    sum
}

#[test]
fn tokens_are_those_that_other_tools_counted_in_every_row() {
    let Some(archive) = transcripts() else { return };
    let text = fs::read_to_string(archive.join("ORACLE_TOKENS.tsv")).expect("the totals can be read");
    let mut rows = 0;
    for row in text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let column = |index: usize| row[index].parse::<i64>().expect("a number");
        assert_eq!(column(1), 0, "every row counts from the beginning");
        let project = Project::new();
        imported(&project, &archive.join(row[0]));
        assert_eq!(tokens(&project), [6, 2, 3, 4, 5].map(column), "{}", row[0]);
        rows += 1;
    }
    assert!(rows >= 25, "{rows}");
}
