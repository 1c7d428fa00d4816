//! Every list and view on terminals of 80, 100 and 160 columns, of a log whose texts are long and wide: no line is wider than
//! the terminal, and no list loses the columns that say what a row is, how it stands, and when.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use unicode_width::UnicodeWidthStr as _;

use super::hostile::{Hostile, WIDE};
use super::{coloured, reading, words};
use crate::program::Project;

static LOG: LazyLock<Hostile> = LazyLock::new(|| Hostile::new(WIDE));
static PROJECT: LazyLock<Project> = LazyLock::new(|| LOG.project());

/// Documents for programs, and a filter: their lines are as long as they are.
const DOCUMENTS: [&str; 3] = ["sanitize", "schema", "state"];

/// The columns that a list keeps at any width; several where it has several tables.
const KEPT: &[(&str, &[&[&str]])] = &[
    ("advocate list", &[&["ISSUE", "AGENT", "STATE", "TITLE"]]),
    ("agent list", &[&["AGENT", "ROLE", "NAME"]]),
    ("blame", &[&["SESSION", "AGENT", "WHEN", "CALL", "PROMPT", "LINE", "TEXT"]]),
    ("blind show", &[&["ISSUE", "STATE", "OPINIONS"]]),
    ("canon list", &[&["ENTRY", "SINCE", "TITLE"]]),
    ("config list", &[&["KEY", "VALUE", "MEANING"]]),
    ("council list", &[&["COUNCIL", "STATUS", "CALLED", "KEY"]]),
    ("credit board", &[&["RANK", "AGENT", "CREDITS", "MOST FOR"]]),
    ("credit list", &[&["AGENT", "CREDITS", "TIER"]]),
    ("debate failures", &[&["TASK", "FAILURES", "LAST", "WHAT"]]),
    ("debate list", &[&["DEBATE", "STATE", "BEGUN", "TASK"]]),
    ("evidence recheck", &[&["VERDICT", "ISSUE", "CITED", "NOW"]]),
    ("goal list", &[&["GOAL", "WHAT"]]),
    ("hivemind list", &[&["KEY", "STATUS", "VALUE"]]),
    ("issue list", &[&["ISSUE", "STATUS", "CHANGED", "TITLE"]]),
    ("issue ready", &[&["ISSUE", "STATUS", "CHANGED", "TITLE"]]),
    ("knowledge list", &[&["ENTRY", "TYPE", "STATUS", "SINCE", "CONTENT"]]),
    ("knowledge review", &[&["CANDIDATE", "TYPE", "STATE", "CONTENT"]]),
    ("knowledge search", &[&["ENTRY", "TYPE", "SINCE", "CONTENT"]]),
    ("knowledge trace", &[&["ENTRY", "WHY", "CONTENT"]]),
    ("memory list", &[&["MEGRAM", "CREATED", "CONTENT"]]),
    ("message list", &[&["MESSAGE", "STATE", "SAYS"]]),
    ("milestone list", &[&["KIND", "NAME", "BEGUN"]]),
    ("notice list", &[&["NOTICE", "STATE", "AT", "TITLE"]]),
    ("resident status", &[&["ENTRY", "ACTION", "MESSAGE"]]),
    ("session list", &[&["SESSION", "STATUS", "STARTED", "TITLE"]]),
    (
        "stats",
        &[
            &["TOTAL"],
            &["TYPE", "ENTRIES"],
            &["TOOL", "CALLS", "FAILED", "TIME"],
            &["AGENT", "REQUESTS", "OUTPUT"],
            &["MODEL", "REQUESTS", "OUTPUT", "COST"],
            &["DAY", "LINES"],
        ],
    ),
    ("swarm replay", &[&["NO", "SPEAKER", "VERDICT", "TEXT"]]),
    ("task list", &[&["TASK", "STATE", "REQUEST"]]),
    ("topic list", &[&["TAG", "ISSUES", "STATE"]]),
    ("topic show", &[&["TAG", "ISSUES", "STATE"]]),
    ("tune", &[&["LIMITS", "ACCEPTED", "GIVEN UP", "DIFFERING"]]),
    ("triggers", &[&["FIRING", "AT", "TRIGGER", "MEASURED"]]),
    ("triggers list", &[&["TRIGGER", "STATE", "CONDITION"]]),
    ("trust list", &[&["NAME", "KEY", "FROM"]]),
    ("voice report", &[&["WHEN", "TIMES", "TOKENS", "OTHER CALL NEXT", "SUCCEEDED"]]),
    ("why", &[&["ENTRY", "TIME", "WHAT", "THEN"]]),
];

/// Lists of which this log has no row: nobody is trusted.
const EMPTY: [&str; 1] = ["trust list, 0"];

/// The tables in what was printed: their titles, and how many rows are below.
fn tables(printed: &str) -> Vec<(Vec<String>, usize)> {
    let mut found: Vec<(Vec<String>, usize)> = Vec::new();
    let mut is_below = false;
    for line in printed.lines() {
        let dim = line.strip_prefix("\x1b[2m").and_then(|line| line.strip_suffix("\x1b[0m"));
        let is_header = dim.filter(|dim| !dim.is_empty() && !dim.chars().any(char::is_lowercase));
        let is_header = is_header.filter(|dim| dim.starts_with(|letter: char| letter.is_ascii_uppercase()));
        if let Some(header) = is_header {
            found.push((
                header.split("  ").map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned).collect(),
                0,
            ));
            is_below = true;
        } else if dim.is_some() || line.is_empty() {
            is_below = false;
        } else if let Some((_, rows)) = found.last_mut().filter(|_| is_below) {
            *rows += 1;
        }
    }
    found
}

/// What is wrong with every list and view at a width.
fn faults(columns: u16) -> Vec<String> {
    let (mut faults, mut seen) = (Vec::new(), BTreeMap::<String, usize>::new());
    let styles = regex::Regex::new(r"\x1b\[[0-9;]*m").expect("a pattern");
    let kept: BTreeMap<&str, &[&[&str]]> = KEPT.iter().copied().collect();
    for (path, arguments) in reading::commands(&LOG) {
        let name = path.join(" ");
        if DOCUMENTS.contains(&name.as_str()) {
            continue;
        }
        let printed = coloured(&PROJECT, &words(&path, &arguments), columns).expect("a terminal");
        let bare = styles.replace_all(&printed, "");
        let wide = bare.lines().map(|line| (line.width(), line.to_owned())).max().unwrap_or_default();
        if wide.0 > usize::from(columns) {
            faults.push(format!("{name}: {} of {columns} columns: {}", wide.0, wide.1));
        }
        let lists = kept.get(name.as_str()).copied().unwrap_or_default();
        for (titles, rows) in tables(&printed) {
            let is_kept = |keys: &&&[&str]| keys.iter().all(|key| titles.iter().any(|title| title == key));
            match lists.iter().position(|keys| is_kept(&keys)) {
                Some(list) => *seen.entry(format!("{name}, {list}")).or_default() += rows,
                None => faults.push(format!("{name}: no key columns are said for, or some are lost from: {titles:?}")),
            }
        }
    }
    let expected = KEPT.iter().flat_map(|(name, lists)| (0..lists.len()).map(move |list| format!("{name}, {list}")));
    let with_rows: BTreeSet<_> = seen.into_iter().filter(|(_, rows)| *rows > 0).map(|(list, _)| list).collect();
    faults.extend(
        expected
            .filter(|list| !with_rows.contains(list) && !EMPTY.contains(&list.as_str()))
            .map(|list| format!("no row was seen: {list}")),
    );
    faults
}

fn check(columns: u16) {
    let faults = faults(columns);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_list_and_view_fits_80_columns() {
    check(80);
}

#[test]
fn every_list_and_view_fits_100_columns() {
    check(100);
}

#[test]
fn every_list_and_view_fits_160_columns() {
    check(160);
}
