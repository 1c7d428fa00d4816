//! What a merge has decided against this clone is found until its person agrees.

use std::fs;

use annals::engine::verify::Terms;
use annals::kernel::entry::HistoryEntry;

use super::{hash_of, id_of, lines, project, settle, with};
use crate::support::{Project, scrub};

/// Kinds and words of what `verify` finds in a clone that remembers what it has written, and what it tells of settlements.
fn verified(project: &Project) -> (Vec<String>, usize) {
    let verification = project.engine("2026-11-22T10:00:00Z", "verifier").verify(&Terms::default()).expect("verified");
    (crate::support::said(&verification.report), verification.report.settled.len())
}

/// Two clones: ours has written a line, theirs another one with its id, which it has settled to count. Returns our line,
/// theirs, and what theirs has written.
fn overruled() -> (Project, [String; 2], Project) {
    let (ours, lines) = project();
    let line = with(&lines, "another").clone();
    let theirs = Project::new();
    theirs.set_files(&ours.files());
    let mut twin = HistoryEntry::read(&line).expect("an entry");
    twin.operation.duration_ms = Some(4242);
    let versions = [line, twin.to_line()];
    fs::write(theirs.history("2026-11-20.jsonl"), versions[1].clone() + "\n").expect("written");
    settle(&theirs.engine("2026-11-21T12:00:00Z", "theirs"), &versions[1], &versions);
    (ours, versions, theirs)
}

/// What another clone has, put beside what is here.
fn merge(ours: &Project, theirs: &Project) {
    let have = lines(ours);
    let new: String = lines(theirs).iter().filter(|line| !have.contains(line)).flat_map(|line| [line, "\n"]).collect();
    let path = ours.history("history.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_default() + &new;
    fs::write(path, text).expect("written");
}

fn overrulings(project: &Project) -> Vec<String> {
    verified(project).0.into_iter().filter(|said| said.contains(" overruled: ")).collect()
}

#[test]
fn a_line_of_this_clone_that_a_merged_settlement_replaces_is_a_finding_until_its_person_agrees() {
    let (ours, versions, theirs) = overruled();
    merge(&ours, &theirs);
    let found = overrulings(&ours);
    assert_eq!(found.len(), 1);
    let agree = format!("`annals history settle {} {}", id_of(&versions[0]), &hash_of(&versions[1]).to_string()[..12]);
    assert!(found[0].starts_with("history.jsonl:2 ") && found[0].contains(&agree), "{found:?}");
    assert_eq!(verified(&ours).1, 1, "and it is told");
    let checks = ours.engine("2026-11-22T10:00:00Z", "doctor").examine().expect("examined");
    assert!(checks.iter().any(|check| check.about == "settled" && check.says.starts_with("1; ")), "{checks:?}");
    assert_eq!(overrulings(&theirs), [""; 0], "whoever settled it agrees");
    let engine = ours.engine("2026-11-21T13:00:00Z", "agrees");
    settle(&engine, &versions[1], &versions);
    assert_eq!((overrulings(&ours), verified(&ours).1), (vec![], 1));
    settle(&engine, &versions[0], &versions);
    assert_eq!((overrulings(&ours), verified(&ours).1), (vec![], 1), "or says otherwise");
}

#[test]
fn a_word_of_this_clone_that_a_merged_settlement_overrules_is_a_finding() {
    let (ours, versions, theirs) = overruled();
    // Earlier by its id than what the other clone said.
    fs::write(ours.history("2026-11-20.jsonl"), versions[1].clone() + "\n").expect("written");
    settle(&ours.engine("2026-11-21T11:00:00Z", "ours"), &versions[0], &versions);
    assert_eq!(overrulings(&ours), [""; 0]);
    merge(&ours, &theirs);
    assert_eq!(overrulings(&ours).len(), 1);
    settle(&ours.engine("2026-11-21T13:00:00Z", "agrees"), &versions[1], &versions);
    // A later word of theirs that says the same changes nothing.
    settle(&theirs.engine("2026-11-21T14:00:00Z", "theirs"), &versions[1], &versions);
    merge(&ours, &theirs);
    assert_eq!(overrulings(&ours), [""; 0]);
}

#[test]
fn a_line_of_this_clone_that_another_writer_scrubbed_is_told() {
    let told = |project: &Project| {
        let engine = project.engine("2026-11-22T10:00:00Z", "verifier");
        let scrubbed = engine.verify(&Terms::default()).expect("verified").report.scrubbed;
        let checks = engine.examine().expect("examined");
        let checked = checks.into_iter().find(|check| check.about == "scrubs").map(|check| check.says);
        (scrubbed.by_others.len(), checked)
    };
    let (ours, lines) = project();
    assert_eq!(told(&ours), (0, None), "what this clone scrubbed itself");
    let line = with(&lines, "another").clone();
    let theirs = Project::new();
    theirs.set_files(&ours.files());
    scrub(&theirs.engine("2026-11-21T12:00:00Z", "theirs"), id_of(&line), Some("nother"));
    ours.set_files(&theirs.files());
    let (count, says) = told(&ours);
    assert_eq!(count, 1);
    assert!(says.is_some_and(|says| says.contains("another writer scrubbed: 1; the first: line ")));
}
