//! What becomes of each field of a bead.

use std::collections::BTreeMap;

use super::known::{open, rest};
use super::*;
use annals_kernel::id::IssueId;
use annals_rules::domain::issue::Command;

fn read_lines(lines: &[serde_json::Value]) -> Beads {
    let text: Vec<_> = lines.iter().map(ToString::to_string).collect();
    read(text.join("\n").as_bytes()).expect("beads")
}

fn bead(id: &str, more: &serde_json::Value) -> serde_json::Value {
    let mut bead = serde_json::json!({ "id": id, "title": format!("Title of {id}"), "status": "open", "priority": 2,
        "issue_type": "task", "created_at": "2026-01-02T03:04:05.678901234-08:00", "updated_at": "2026-01-02T03:04:05Z" });
    for (key, value) in more.as_object().expect("an object") {
        bead[key] = value.clone();
    }
    bead
}

fn left(beads: &Beads) -> Vec<String> {
    beads.left.iter().map(|(what, count)| format!("{what}: {count}")).collect()
}

#[test]
fn a_bead_says_who_wrote_it_and_when_in_front_of_its_text() {
    let beads = read_lines(&[bead(
        "bd-1",
        &serde_json::json!({ "description": "It leaks.", "notes": "Below.", "created_by": "ada", "priority": 0, "labels": ["pump"],
            "issue_type": "bug", "assignee": "crew/bo", "status": "closed", "closed_at": "2026-01-03T00:00:00Z",
            "close_reason": "Sealed.", "comments": [
                { "id": 1, "issue_id": "bd-1", "author": "bo", "text": "Since when?", "created_at": "2026-01-02T12:00:00Z" }
            ] }),
    )]);
    let expected = Bead {
        id: "bd-1".into(),
        title: "Title of bd-1".into(),
        body: "_Bug of beads, by ada, 2026-01-02 11:04Z_\n\nIt leaks.\n\n## Notes\n\nBelow.".into(),
        priority: IssuePriority::Critical,
        tags: ["bug".into(), "pump".into()].into(),
        assignee: Some("crew/bo".into()),
        stage: Stage::Closed("closed in beads, 2026-01-03 00:00Z: Sealed.".into()),
        comments: vec!["_Comment in beads, by bo, 2026-01-02 12:00Z_\n\nSince when?".into()],
        links: BTreeSet::new(),
    };
    assert_eq!(beads, Beads { issues: vec![expected], left: Left::new() });
}

#[test]
fn a_label_that_rules_alone_give_is_counted_and_not_taken() {
    let mut beads = read_lines(&[bead("bd-1", &serde_json::json!({ "labels": ["pump", "Meta"] }))]);
    assert!(!beads.issues.remove(0).tags.contains("Meta"));
    assert_eq!(left(&beads), ["label Meta (only rules give it): 1"]);
}

#[test]
fn priorities_and_states_are_mapped() {
    let of = |field: &str, value: serde_json::Value| {
        let mut beads = read_lines(&[bead("bd-1", &serde_json::json!({ field: value }))]);
        (beads.issues.remove(0), left(&beads))
    };
    for (number, priority) in [
        (0, IssuePriority::Critical),
        (1, IssuePriority::High),
        (2, IssuePriority::Normal),
        (3, IssuePriority::Low),
        (4, IssuePriority::Low),
    ] {
        assert_eq!(of("priority", number.into()).0.priority, priority);
    }
    let (bead, told) = of("priority", 7.into());
    assert_eq!(
        (bead.priority, told),
        (IssuePriority::Normal, vec!["priorities beyond 4 (taken as normal): 1".to_owned()])
    );
    assert_eq!(of("status", "hooked".into()).0.stage, Stage::Begun);
    assert_eq!(of("status", "in_progress".into()).0.stage, Stage::Begun);
    let (bead, told) = of("status", "deferred".into());
    assert_eq!((bead.stage, told), (Stage::Open, vec!["status deferred (taken as open): 1".to_owned()]));
}

#[test]
fn whichever_of_two_comes_second_makes_the_link() {
    let depends = |on: &str, kind: &str| serde_json::json!({ "issue_id": "", "depends_on_id": on, "type": kind });
    let beads = read_lines(&[
        bead(
            "bd-1",
            &serde_json::json!({ "dependencies": [depends("bd-2", "blocks"), depends("bd-3", "parent_child")] }),
        ),
        bead("bd-2", &serde_json::json!({ "created_at": "2026-02-01T00:00:00Z" })),
        bead("bd-3", &serde_json::json!({ "created_at": "2025-01-01T00:00:00Z" })),
    ]);
    assert!(beads.left.is_empty());
    let (mut known, mut links) = (BTreeMap::new(), Vec::new());
    for bead in &beads.issues {
        let issue = IssueId::from(&*bead.id);
        known.insert(bead.id.clone(), issue.clone());
        for command in rest(bead, &issue, &known) {
            let Command::Link(link) = command else { continue };
            links.push(format!("with {}: {} {} {}", bead.id, link.issue, link.kind, link.to));
        }
    }
    assert_eq!(links, ["with bd-1: bd-1 parent bd-3", "with bd-2: bd-2 blocks bd-1"]);
}

#[test]
fn what_is_not_taken_is_counted() {
    let depends = |on: &str, kind: &str| serde_json::json!({ "depends_on_id": on, "type": kind });
    let long = format!("{}\nand more", "long ".repeat(50));
    let beads = read_lines(&[
        bead(
            "bd-1",
            &serde_json::json!({ "title": long, "owner": "ada", "timeout": 0, "dependencies": [
            depends("bd-2", "blocks"), depends("bd-9", "related"), depends("bd-1", "related"), depends("bd-1", "supersedes")
        ] }),
        ),
        bead(
            "bd-2",
            &serde_json::json!({ "status": "tombstone", "deleted_by": "ada", "comments": [{ "text": "x" }],
            "dependencies": [depends("bd-1", "blocks")] }),
        ),
        bead("bd-1", &serde_json::json!({})),
        serde_json::json!({ "type": "session_meta" }),
        serde_json::json!(7),
    ]);
    assert_eq!(
        left(&beads),
        [
            "comments on tombstones: 1",
            "dependencies of tombstones: 1",
            "dependencies on issues that are not in the file: 1",
            "dependencies on itself: 1",
            "dependencies on tombstones: 1",
            "dependencies supersedes: 1",
            "field owner: 1",
            "lines that are no issue: 2",
            "second lines of the same issue: 1",
            "titles beyond one line or 200 characters (whole in the text): 1",
            "tombstones: 1",
        ]
    );
    let Command::Open(open) = open(&beads.issues[0]) else { panic!("it opens an issue") };
    assert_eq!((open.title.chars().count(), open.source.as_deref()), (196, Some("beads:bd-1")));
    assert!(open.body.contains("## Title") && open.body.contains("and more"));
}

#[test]
fn a_file_without_issues_is_refused() {
    for text in ["", "{}", "hello", "[]"] {
        assert!(matches!(read(text.as_bytes()), Err(BadFile::NoIssues)), "{text}");
    }
}

/// What is taken and what is left is all there is.
#[test]
fn nothing_of_a_real_tracker_is_lost_without_a_word() {
    let Some(root) = crate::testing::transcripts() else { return };
    let bytes = std::fs::read(root.join("beads/gastownhall-beads/issues.jsonl")).expect("read");
    let beads = read(&bytes).expect("beads");
    let lines: Vec<serde_json::Value> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let count_in = |key: &str| lines.iter().filter_map(|line| line[key].as_array()).map(Vec::len).sum::<usize>() as u64;
    let left_of = |what: &str| -> u64 {
        beads.left.iter().filter(|(reason, _)| reason.starts_with(what)).map(|(_, count)| count).sum()
    };
    let taken = |of: fn(&Bead) -> usize| beads.issues.iter().map(of).sum::<usize>() as u64;
    assert_eq!(taken(|_| 1) + left_of("tombstones"), lines.len() as u64);
    assert_eq!(taken(|bead| bead.comments.len()) + left_of("comments"), count_in("comments"));
    // Each link is known at both of its ends.
    assert_eq!(taken(|bead| bead.links.len()) / 2 + left_of("dependencies"), count_in("dependencies"));
}
