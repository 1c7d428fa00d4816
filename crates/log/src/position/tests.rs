//! What a writer must know, and when the bookmark is enough.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::disk::RealDisk;
use crate::segment::Rotation;
use crate::writer::{Appended, Log, Machine};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::time::Timestamp;

const NOON: &str = "2026-11-21T12:00:00.000Z";

fn entry(at: &str) -> HistoryEntry {
    let text = format!(
        r#"{{"id":"00000000000000000000000000","timestamp":"{at}","session_id":"s",
        "operation":{{"type":"t","name":"n","success":true}}}}"#
    );
    let mut entry = HistoryEntry::read(&text).expect("an entry");
    entry.id = EntryId::new(entry.timestamp, 7);
    entry
}

/// A process of its own: nothing is remembered but what is in the folder.
fn process(context: &Path) -> Log {
    Log::open(Arc::new(RealDisk), context, Rotation::Daily)
}

fn machine(now: Timestamp) -> Machine {
    Machine { now, chance: 7 }
}

/// Appends as a hook does; says what had to be known for it.
fn append_on(context: &Path, at: &str) -> (Appended, Extent) {
    let mut entry = entry(at);
    let written = process(context).write_on::<_, LogError>(&mut || 5, |pen| {
        entry.id = pen.mint(entry.timestamp, machine(entry.timestamp))?;
        let appended = pen.append(&mut entry, IdSource::Minted)?;
        Ok((appended, pen.position().extent()))
    });
    written.expect("written").0
}

fn append(context: &Path, at: &str) -> Appended {
    let mut entry = entry(at);
    let written = process(context).write::<_, LogError>(&mut || 6, |pen| {
        entry.id = pen.mint(entry.timestamp, machine(entry.timestamp))?;
        pen.append(&mut entry, IdSource::Minted)
    });
    written.expect("written").0
}

fn link(appended: &Appended) -> (String, u64, LineHash, usize) {
    let link = HistoryEntry::read(&appended.line).expect("an entry").annals.link.expect("a link");
    (link.writer.as_str().to_owned(), link.count, link.previous, link.seen.len())
}

#[test]
fn the_bookmark_is_enough_to_go_on_in_the_same_segment() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, extent) = append_on(folder.path(), NOON);
    assert_eq!(extent, Extent::Whole);
    let (second, extent) = append_on(folder.path(), NOON);
    assert_eq!(extent, Extent::Bookmark);
    let third = append(folder.path(), NOON);
    let (writer, count, previous, seen) = link(&third);
    assert_eq!((writer, count, previous, seen), (link(&first).0, 3, LineHash::of(second.line.as_bytes()), 0));
    assert!(first.id < second.id && second.id < third.id);
}

#[test]
fn another_segment_asks_for_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    append_on(folder.path(), NOON);
    let (first, _) = append_on(folder.path(), NOON);
    let (second, extent) = append_on(folder.path(), "2026-11-22T12:00:00.000Z");
    assert_eq!((extent, second.segment.as_str()), (Extent::Whole, "2026-11-22.jsonl"));
    let (writer, count, previous, _) = link(&second);
    assert_eq!((writer, count, previous), (link(&first).0, 3, LineHash::of(first.line.as_bytes())));
    assert_eq!(append_on(folder.path(), "2026-11-22T12:00:01.000Z").1, Extent::Bookmark);
}

#[test]
fn what_another_clone_wrote_is_told_even_if_somebody_only_looked_before() {
    let (ours, theirs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    append_on(ours.path(), NOON);
    let other = append(theirs.path(), "2026-11-22T11:00:00.000Z");
    let from = theirs.path().join("history/2026-11-22.jsonl");
    std::fs::copy(from, ours.path().join("history/2026-11-22.jsonl")).expect("copied");
    // A command that writes nothing: it reads the new segment, and the marks are stored.
    process(ours.path()).write::<_, LogError>(&mut || 8, |_| Ok(())).expect("looked");
    let (next, extent) = append_on(ours.path(), NOON);
    assert_eq!((extent, link(&next).3), (Extent::Whole, 1));
    assert!(next.id > other.id, "an id never comes before one that another clone minted");
    let (after, extent) = append_on(ours.path(), NOON);
    assert_eq!((extent, link(&after).3), (Extent::Bookmark, 0));
}

#[test]
fn a_writer_that_the_log_no_longer_holds_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    append(folder.path(), NOON);
    let before = std::fs::read(folder.path().join("history/2026-11-21.jsonl")).expect("read");
    let lost = append(folder.path(), NOON);
    // Another branch is checked out: the last line is gone.
    let path = folder.path().join("history/2026-11-21.jsonl");
    std::fs::remove_file(&path).expect("removed");
    std::fs::write(&path, before).expect("written");
    process(folder.path()).write::<_, LogError>(&mut || 9, |_| Ok(())).expect("looked");
    let (next, _) = append_on(folder.path(), NOON);
    assert_ne!(link(&next).0, link(&lost).0);
    assert_eq!(link(&next).1, 1);
}

#[test]
fn a_line_that_somebody_added_to_the_same_segment_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, _) = append_on(folder.path(), NOON);
    let path = folder.path().join("history/2026-11-21.jsonl");
    let mut text = std::fs::read_to_string(&path).expect("read");
    text.push_str(&entry("2026-11-21T23:00:00.000Z").to_line());
    text.push('\n');
    std::fs::write(&path, text).expect("written");
    let (second, extent) = append_on(folder.path(), NOON);
    assert_eq!(extent, Extent::Whole);
    assert!(second.id.time() > first.id.time(), "it comes after the line that was added");
    assert_eq!(link(&second).1, 2);
}

#[test]
fn a_process_that_ended_between_marks_and_bookmark_makes_no_fork() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = append_on(folder.path(), NOON).0;
    let bookmark = std::fs::read(folder.path().join("local/bookmark")).expect("read");
    let second = append_on(folder.path(), "2026-11-22T12:00:00.000Z").0;
    assert_eq!((link(&second).0, link(&second).1), (link(&first).0, 2));
    std::fs::write(folder.path().join("local/bookmark"), bookmark).expect("written");
    let third = append(folder.path(), "2026-11-22T12:00:00.000Z");
    assert_ne!(link(&third).0, link(&first).0, "the log holds a line of this writer that the bookmark does not know");
}

fn mint(context: &Path, now: Timestamp) -> Result<EntryId, LogError> {
    process(context).write(&mut || 6, |pen| pen.mint(now, machine(now))).map(|(id, _)| id)
}

fn puts(context: &Path, id: EntryId) {
    let line = entry(NOON).to_line().replace(&entry(NOON).id.to_string(), &id.to_string());
    std::fs::create_dir_all(context.join("history")).expect("made");
    std::fs::write(context.join("history").join(format!("of-{id}.jsonl")), line + "\n").expect("written");
}

#[test]
fn at_the_end_of_the_ids_a_line_is_refused_and_none_is_given_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let end = EntryId::MAX.time();
    assert!(matches!(mint(folder.path(), end.plus_millis(1)), Err(LogError::NoIdLeft { .. })));
    assert!(matches!(mint(folder.path(), Timestamp::from_millis(-1)), Err(LogError::NoIdLeft { .. })));
    assert_eq!(mint(folder.path(), end).expect("minted").time(), end);
    puts(folder.path(), EntryId::MAX);
    assert!(matches!(mint(folder.path(), end), Err(LogError::NoIdLeft { .. })));
}

#[test]
fn of_ids_ahead_those_within_a_day_move_the_clock_and_the_others_do_when_they_come_near() {
    let folder = tempfile::tempdir().expect("a folder");
    let (noon, hour) = (entry(NOON).timestamp, 3_600_000);
    let ahead = |hours: i64| EntryId::new(noon.plus_millis(hours * hour), 99);
    for hours in [1, 23, 30, 31, 9_000_000] {
        puts(folder.path(), ahead(hours));
    }
    assert_eq!(Some(mint(folder.path(), noon).expect("minted")), ahead(23).next());
    let log = process(folder.path());
    let later = |hours: i64| {
        let now = noon.plus_millis(hours * hour);
        log.write::<_, LogError>(&mut || 6, |pen| pen.mint(now, machine(now))).map(|(id, _)| id).expect("minted")
    };
    assert_eq!(Some(later(0)), ahead(23).next());
    assert_eq!(Some(later(6)), ahead(30).next(), "in the same process, too");
    assert_eq!(Some(later(7)), ahead(31).next());
    assert_eq!(later(32).time(), noon.plus_millis(32 * hour));
}

#[test]
fn a_record_with_a_time_of_its_own_that_lies_ahead_gets_an_id_of_now() {
    let folder = tempfile::tempdir().expect("a folder");
    let noon = entry(NOON).timestamp;
    let minted = process(folder.path())
        .write::<_, LogError>(&mut || 6, |pen| pen.mint(noon.plus_millis(9_000_000_000), machine(noon)));
    assert_eq!(minted.expect("minted").0.time(), noon);
}

#[test]
fn what_nobody_could_read_again_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    append(folder.path(), NOON);
    let mut long = entry(NOON);
    long.operation.error = Some("x".repeat(64 << 20).into());
    let refused = process(folder.path()).write::<_, LogError>(&mut || 6, |pen| pen.append(&mut long, IdSource::Minted));
    assert!(matches!(refused, Err(LogError::TooLong { bytes, .. }) if bytes > 64 << 20));
    assert_eq!(link(&append(folder.path(), NOON)).1, 2);
}
