//! Decisions behind the last signed head that change what signed lines count as: unsigned, each is a finding of its own.

use annals::domain::Command;
use annals::domain::history::Command as OfHistory;
use annals::domain::history::command::{Acknowledge, MendClock, Settle};
use annals::engine::Engine;
use annals::kernel::annals::LineHash;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::kernel::json::Json;
use annals::log::position::IdSource;
use annals::log::verify::{Finding, Report, Scrub, Scrubs, Unsigned};
use serde_json::json;

use super::faults::clone_that_signs;
use super::log::{Keys, entry, judged_with, kinds, lines_of, link, sign, terms};
use crate::support::{Project, said, step, user};

fn hash(line: &str) -> LineHash {
    LineHash::of(line.as_bytes())
}

fn decide(engine: &Engine, command: impl Into<Command>, observed: &Json) {
    engine.clock().advance(1000);
    assert_eq!(engine.decide(command, observed, &user()).expect("decided").refusal, None);
}

/// What a CI finds, which asks for signatures.
fn required(project: &Project, key: &Keys) -> Report {
    let signatures = terms(vec![key.signer("ann")], Unsigned::Finding);
    let terms = annals::engine::verify::Terms {
        signatures,
        local: annals::log::verify::Local::Ignore,
        ..annals::engine::verify::Terms::default()
    };
    project.engine("2026-11-21T13:00:00Z", "verifier").verify(&terms).expect("verified").report
}

fn of_lines(lines: &[String]) -> Project {
    Project::with_lines(&["2026-11-21.jsonl"], &lines.iter().map(|line| (0, line)).collect::<Vec<_>>())
}

/// The lines, and others of their writer behind them, each in its place of the chain.
fn behind(lines: &[String], more: Vec<HistoryEntry>) -> Vec<String> {
    let mut lines = lines.to_vec();
    for mut entry in more {
        let last = lines.last().expect("lines");
        let mut own = super::log::entry(last).annals.link.expect("a link");
        (own.count, own.previous) = (own.count + 1, hash(last));
        own.seen.clear();
        entry.annals.link = Some(own);
        lines.push(entry.to_line());
    }
    lines
}

/// What says that of lines with one id this one counts.
fn settlement(lines: &[String], twin: &str, counts: &str) -> HistoryEntry {
    let other = lines.iter().find(|line| entry(line).id == entry(twin).id).expect("a twin");
    let form = of_lines(&[lines, &[twin.to_owned()]].concat());
    let settle = OfHistory::Settle(Settle { id: entry(twin).id, hash: hash(counts) });
    let observed = Json::of(&json!({ "versions": [hash(other), hash(twin)] }));
    decide(&form.engine("2026-11-21T12:00:00Z", "form"), settle, &observed);
    entry(lines_of(&form.context()).last().expect("a decision"))
}

/// A signed log, and a twin of its second line behind the head, with a settlement that names the twin.
fn replaced(key: &Keys) -> (Vec<String>, Vec<String>) {
    let (_, lines) = clone_that_signs(1, &[key]);
    let mut twin = entry(&lines[1]);
    twin.operation.duration_ms = Some(4242);
    let with_twin = behind(&lines, vec![twin]);
    let twin = with_twin.last().expect("lines");
    let settles = settlement(&lines, twin, twin);
    let all = behind(&with_twin, vec![settles]);
    (lines, all)
}

#[test]
fn a_settlement_that_touches_a_signed_line_must_be_signed() {
    let key = Keys::of(1);
    let (lines, all) = replaced(&key);
    let project = of_lines(&all);
    let found = required(&project, &key);
    let [Finding { line: Some(6), entry: Some(by), what, .. }] = found.findings.as_slice() else {
        panic!("{:?}", said(&found))
    };
    assert_eq!((*by, what.kind()), (entry(&all[5]).id, "settlement not signed"));
    assert_eq!(what.link().map(|link| (link.writer, link.count)), Some(link(&lines[1])), "the signed line");
    assert_eq!(what.other().map(|at| at.line), Some(2));
    // Another clone of the same person has seen it, and signs that.
    let engine = project.engine("2026-11-21T12:30:00Z", "signs");
    engine.record(step("s", "seen"), IdSource::Minted).expect("recorded");
    sign(&engine, &key.file());
    assert_eq!(kinds(&required(&project, &key)), [""; 0]);
}

#[test]
fn a_settlement_of_lines_that_nobody_has_signed_needs_no_signature() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(1, &[&key]);
    let mut one = entry(&lines[1]);
    one.id = entry(&lines[3]).id.next().expect("an id");
    let mut other = one.clone();
    other.operation.duration_ms = Some(4242);
    let with_twins = behind(&lines, vec![one, other]);
    let settles = settlement(&with_twins[..5], &with_twins[5], &with_twins[5]);
    assert_eq!(said(&required(&of_lines(&behind(&with_twins, vec![settles])), &key)), [""; 0]);
}

#[test]
fn a_mended_clock_that_touches_a_signed_line_must_be_signed() {
    let key = Keys::of(1);
    let (project, lines) = clone_that_signs(1, &[&key]);
    let writer = link(&lines[0]).0;
    let engine = project.engine("2026-11-21T12:00:00Z", "mends");
    let mend = |from, to, shift| {
        let mend = MendClock { writer: writer.clone(), from, to, shift };
        decide(&engine, OfHistory::MendClock(mend), &Json::empty_object());
    };
    mend(4, 4, -5000);
    assert_eq!(said(&required(&project, &key)), [""; 0], "no signed line counts otherwise");
    mend(2, 4, -7000);
    let found = required(&project, &key);
    assert_eq!(kinds(&found), ["mend not signed"]);
    assert_eq!(found.findings[0].what.link().map(|link| link.count), Some(2));
    sign(&engine, &key.file());
    assert_eq!(said(&required(&project, &key)), [""; 0]);
    mend(3, 3, 0);
    let found = required(&project, &key);
    assert_eq!((kinds(&found), found.findings.len()), (vec!["mend not signed"], 1), "what is signed is taken back");
    assert_eq!(found.findings[0].what.link().map(|link| link.count), Some(3));
}

#[test]
fn a_scrub_by_which_another_line_counts_in_place_of_a_signed_one_must_be_signed() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(1, &[&key]);
    let before = hash(&lines[1]);
    let scrub = Scrub { before, after: hash("another"), by: EntryId::MAX };
    let scrubs = Scrubs::from([(entry(&lines[1]).id, vec![scrub])]);
    let report = judged_with(&lines, &[], &scrubs, &terms(vec![key.signer("ann")], Unsigned::Finding));
    assert_eq!(kinds(&report), ["scrub not signed"]);
}

#[test]
fn signed_lines_that_are_missing_are_no_hole_by_an_unsigned_word() {
    let key = Keys::of(1);
    let (_, mut lines) = clone_that_signs(1, &[&key]);
    let (writer, hash) = (link(&lines[0]).0, hash(&lines[1]));
    lines.remove(1);
    let project = of_lines(&lines);
    assert_eq!(kinds(&required(&project, &key)), ["removed"]);
    let engine = project.engine("2026-11-21T12:00:00Z", "takes note");
    let hole = Acknowledge { writer, n: 2, hash, why: None };
    decide(&engine, OfHistory::Acknowledge(hole), &Json::empty_object());
    assert!(kinds(&required(&project, &key)).contains(&"removed"));
    sign(&engine, &key.file());
    assert!(!kinds(&required(&project, &key)).contains(&"removed"));
}
