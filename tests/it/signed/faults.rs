//! Signed heads that are not where they were made, or say two things: each is a finding of a kind of its own.

use annals::engine::sign::Seal;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::ssh::signers::Signer;
use annals::log::position::IdSource;
use annals::log::verify::{Scrub, Scrubs, SignatureTerms, Unsigned};

use super::log::{
    Keys, chained_anew, entry, judged, judged_with, kinds, lines_of, link, next, sign, signed_in, terms, with_signed,
};
use crate::support::{Project, said, step};

/// A clone that wrote some lines and signed, so many times.
pub fn clone_that_signs(times: usize, keys: &[&Keys]) -> (Project, Vec<String>) {
    clone_of("one", times, keys)
}

/// The same of a writer of another name.
fn clone_of(seed: &str, times: usize, keys: &[&Keys]) -> (Project, Vec<String>) {
    let project = Project::new();
    for time in 0..times {
        let engine = project.engine(&format!("2026-11-21T10:{:02}:00Z", 10 + time), seed);
        let steps = (0..3).map(|count| (step("s", &format!("make target-{time}-{count}")), IdSource::Minted));
        engine.record_all(steps.collect()).expect("recorded");
        assert!(matches!(sign(&engine, &keys[time % keys.len()].file()), Seal::Signed(..)));
    }
    let lines = lines_of(&project.context());
    (project, lines)
}

fn entries(lines: &[String]) -> Vec<HistoryEntry> {
    lines.iter().map(|line| entry(line)).collect()
}

fn found(lines: &[String], signers: Vec<Signer>) -> Vec<&'static str> {
    kinds(&judged(lines, &terms(signers, Unsigned::Accepted)))
}

#[test]
fn nothing_is_signed_twice_and_every_line_before_is() {
    let key = Keys::of(1);
    let (project, lines) = clone_that_signs(2, &[&key]);
    assert_eq!(sign(&project.engine("2026-11-21T11:00:00Z", "again"), &key.file()), Seal::Unchanged);
    let report = judged(&lines, &terms(vec![key.signer("ann")], Unsigned::Finding));
    assert_eq!(said(&report), [""; 0]);
    let signed = report.signatures.writers.values().next().expect("a writer");
    assert_eq!((signed.head.count, signed.after, report.signatures.unsigned, report.signatures.checked), (7, 1, 1, 2));
}

#[test]
fn a_clone_that_has_written_nothing_signs_nothing_and_makes_no_key() {
    let (project, state) = (Project::new(), tempfile::tempdir().expect("a folder"));
    let file = annals::engine::keys::KeyFile::below(state.path());
    assert_eq!(sign(&project.engine("2026-11-21T10:00:00Z", "one"), &file), Seal::Unchanged);
    assert!(!file.path().exists());
}

#[test]
fn a_signature_of_another_writer_is_found() {
    let (one, other) = (Keys::of(1), Keys::of(2));
    let (_, lines) = clone_that_signs(1, &[&one]);
    let (_, others) = clone_of("two", 1, &[&other]);
    let stolen = signed_in(lines.last().expect("lines")).expect("signed");
    let mut changed = entries(&others);
    with_signed(changed.last_mut().expect("lines"), &stolen);
    let all = [lines, chained_anew(&changed, |_, _| {})].concat();
    assert_eq!(found(&all, vec![one.signer("ann"), other.signer("bob")]), ["signature moved"]);
}

#[test]
fn an_old_signature_that_is_there_again_is_found() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(2, &[&key]);
    let old = signed_in(&lines[3]).expect("signed");
    let mut changed = entries(&lines);
    with_signed(changed.last_mut().expect("lines"), &old);
    let report = judged(&chained_anew(&changed, |_, _| {}), &terms(vec![key.signer("ann")], Unsigned::Finding));
    assert_eq!(kinds(&report), ["signature moved"]);
    assert!(said(&report)[0].contains("stands behind line 7"), "{:?}", said(&report));
}

#[test]
fn signed_lines_that_were_cut_out_are_found() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(1, &[&key]);
    let mut changed = entries(&lines);
    changed.remove(1);
    let report = judged(&chained_anew(&changed, |_, _| {}), &terms(vec![key.signer("ann")], Unsigned::Accepted));
    assert_eq!(kinds(&report), ["signature moved"]);
    assert!(said(&report)[0].contains("signed lines were taken out"), "{:?}", said(&report));
}

#[test]
fn a_line_that_signed_heads_have_seen_is_guarded_by_them() {
    let (one, other) = (Keys::of(1), Keys::of(2));
    let (_, theirs) = clone_of("two", 1, &[&other]);
    let theirs: Vec<_> = theirs[..2].to_vec();
    let project = Project::new();
    project.set_files(&[("2026-11-21.jsonl".to_owned(), format!("{}\n", theirs.join("\n")))].into());
    let engine = project.engine("2026-11-21T12:00:00Z", "late");
    engine.record(step("s", "seen"), IdSource::Minted).expect("recorded");
    sign(&engine, &one.file());
    let lines = lines_of(&project.context());
    let terms = terms(vec![one.signer("ann")], Unsigned::AcceptedWhereSeen);
    let report = judged(&lines, &terms);
    assert_eq!((said(&report), report.signatures.covered.get(&link(&theirs[0]).0)), (vec![], Some(&2)));
    let mut changed = entries(&lines);
    changed[0].operation.duration_ms = Some(1_000_000);
    assert_eq!(kinds(&judged(&chained_anew(&changed, |_, _| {}), &terms)), ["not signed", "signed line changed"]);
}

#[test]
fn two_keys_of_one_writer_are_found_unless_they_are_one_persons() {
    let (one, other) = (Keys::of(1), Keys::of(2));
    let (_, lines) = clone_that_signs(2, &[&one, &other]);
    assert_eq!(found(&lines, vec![]), ["two keys"]);
    assert_eq!(found(&lines, vec![one.signer("ann"), other.signer("bob")]), ["two keys"]);
    assert_eq!(found(&lines, vec![one.signer("ann"), other.signer("ann")]), [""; 0]);
}

#[test]
fn two_signed_heads_of_one_count_are_found() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(1, &[&key]);
    // The folder was copied, and both copies went on and signed.
    let mut copy = entries(&lines);
    copy[2].operation.duration_ms = Some(4242);
    copy[2].id = next(copy[2].id);
    let own = Keys::of(1).file().load().expect("read").expect("a key");
    let copy = chained_anew(&copy, |entry, heads| {
        let Some(signed) = signed_in(&entry.to_line()) else { return };
        let mut statement = signed.statement;
        statement.hash = heads.last[&statement.writer].hash;
        entry.id = next(next(entry.id));
        with_signed(entry, &statement.sign(&own).expect("signed"));
    });
    let all = [lines, copy[2..].to_vec()].concat();
    let kinds = found(&all, vec![key.signer("ann")]);
    assert!(kinds.contains(&"two signed heads") && kinds.contains(&"fork"), "{kinds:?}");
}

#[test]
fn a_signature_that_does_not_hold_is_found_by_anybody() {
    let key = Keys::of(1);
    let (_, lines) = clone_that_signs(1, &[&key]);
    let mut changed = entries(&lines);
    let mut forged = signed_in(lines.last().expect("lines")).expect("signed");
    forged.statement.at = forged.statement.at.plus_millis(1);
    with_signed(changed.last_mut().expect("lines"), &forged);
    assert_eq!(found(&chained_anew(&changed, |_, _| {}), vec![]), ["signature wrong"]);
}

#[test]
fn where_signatures_are_asked_for_every_writer_needs_one_that_counts() {
    let (one, other) = (Keys::of(1), Keys::of(2));
    let (_, lines) = clone_that_signs(2, &[&one]);
    let required = |signers| kinds(&judged(&lines, &terms(signers, Unsigned::Finding)));
    assert_eq!(required(vec![one.signer("ann")]), [""; 0]);
    assert_eq!(required(vec![other.signer("bob")]), ["not signed"]);
    let late = Signer { before: Some("2026-11-21T10:10:00Z".parse().expect("a time")), ..one.signer("ann") };
    assert_eq!(required(vec![late]), ["not signed"]);
    let none: Vec<_> = lines.iter().filter(|line| signed_in(line).is_none()).cloned().collect();
    let none = chained_anew(&entries(&none), |_, _| {});
    assert_eq!(kinds(&judged(&none, &terms(vec![one.signer("ann")], Unsigned::Finding))), ["not signed"]);
    assert_eq!(kinds(&judged(&[], &terms(vec![one.signer("ann")], Unsigned::Finding))), ["not signed"]);
    // Without their links the lines are of nobody.
    let bare = entries(&lines).into_iter().map(|mut entry| {
        entry.annals.link = None;
        entry.to_line()
    });
    let bare = judged(&bare.collect::<Vec<_>>(), &terms(vec![one.signer("ann")], Unsigned::Finding));
    assert_eq!(kinds(&bare), ["not signed", "signature moved"]);
}

#[test]
fn lines_behind_the_last_signed_one_are_counted_and_may_be_bounded() {
    let key = Keys::of(1);
    let (project, _) = clone_that_signs(1, &[&key]);
    let engine = project.engine("2026-11-21T11:00:00Z", "later");
    engine.record(step("s", "unsigned"), IdSource::Minted).expect("recorded");
    let lines = lines_of(&project.context());
    let tolerant = terms(vec![key.signer("ann")], Unsigned::Finding);
    let report = judged(&lines, &tolerant);
    assert_eq!((said(&report), report.signatures.unsigned), (vec![], 2));
    assert_eq!(kinds(&judged(&lines, &SignatureTerms { most_after: Some(1), ..tolerant })), ["not signed"]);
}

#[test]
fn a_signed_line_may_be_scrubbed_and_the_record_of_it_must_be_signed() {
    let key = Keys::of(1);
    let (project, lines) = clone_that_signs(1, &[&key]);
    let engine = project.engine("2026-11-21T11:00:00Z", "scrub");
    crate::support::scrub(&engine, entry(&lines[1]).id, None);
    let verify = |unsigned| {
        let signatures = terms(vec![key.signer("ann")], unsigned);
        let terms = annals::engine::verify::Terms { signatures, ..Default::default() };
        project.engine("2026-11-21T12:00:00Z", "verifier").verify(&terms).expect("verified").report
    };
    let report = verify(Unsigned::Accepted);
    let signed = report.signatures.writers.values().next().expect("a writer");
    assert_eq!((said(&report), signed.head.count, signed.scrubs), (vec![], 3, 1));
    assert_eq!(kinds(&verify(Unsigned::Finding)), ["scrub not signed"]);
    sign(&engine, &key.file());
    assert_eq!(said(&verify(Unsigned::Finding)), [""; 0]);
}

#[test]
fn a_scrub_that_somebody_else_claims_changes_no_signed_line() {
    let key = Keys::of(1);
    let (_, mut lines) = clone_that_signs(1, &[&key]);
    let before = annals::kernel::annals::LineHash::of(lines[1].as_bytes());
    let mut changed = entry(&lines[1]);
    changed.operation.duration_ms = Some(31_337);
    changed.annals.scrubbed = vec![before];
    lines[1] = changed.to_line();
    let after = annals::kernel::annals::LineHash::of(lines[1].as_bytes());
    // What the world says when a line by anybody records it.
    let scrubs = Scrubs::from([(changed.id, vec![Scrub { before, after, by: annals::kernel::id::EntryId::MAX }])]);
    let report = judged_with(&lines, &[], &scrubs, &terms(vec![key.signer("ann")], Unsigned::Finding));
    assert_eq!(kinds(&report), ["scrub not signed"]);
}

#[test]
fn no_rule_of_the_sanitizer_touches_a_signed_head() {
    let project = Project::new();
    let sanitizer = project.engine("2026-11-21T10:00:00Z", "one");
    for secret in (0..=255).step_by(4) {
        let (_, lines) = clone_that_signs(1, &[&Keys::of(secret)]);
        let line = lines.last().expect("lines");
        let context = annals::sanitizer::Context::of(annals::sanitizer::Source::History);
        assert_eq!(sanitizer.sanitizer().sanitize_json(line, &context).text, *line);
        let key = Keys::of(secret).signer("ann").text;
        assert_eq!(sanitizer.sanitizer().sanitize_text(&key, &context).text, *key);
    }
}
