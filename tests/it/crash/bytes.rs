//! A write of several lines that is cut at every byte, with nothing, NULs or garbage behind the cut.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use annals::log::position::IdSource;
use annals::log::tail::Repair;

use super::PARTS;
use super::disk::SimDisk;
use super::project::{assert_lines_stand_alone, bare, findings, hash, history, ids, process, record, record_three};
use crate::program::Project;
use crate::support::step;

const FRIDAY: &str = "2026-11-20T12:00:00Z";

fn day() -> PathBuf {
    history().join("2026-11-20.jsonl")
}

/// The beginning of a file, and something behind it.
fn cut(whole: &[u8], at: usize, behind: &[u8]) -> Vec<u8> {
    [&whole[..at], behind].concat()
}

/// Runs the next command; returns what it repaired.
fn repairs_of_next(disk: &SimDisk) -> Vec<Repair> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let engine = process(disk, FRIDAY, "repairer").expect("opened");
    let engine = engine.telling_repairs(Box::new(move |repair| heard.lock().expect("alone").push(repair.clone())));
    engine.record(step("s", "next"), IdSource::Minted).expect("recorded");
    told.lock().expect("alone").clone()
}

/// How many lines have their newline, and what stands behind the last of them.
fn lines(bytes: &[u8]) -> (usize, &[u8]) {
    let rest = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    (memchr::memchr_iter(b'\n', bytes).count(), rest)
}

/// Looks at a log whose last write was cut.
fn look(disk: &SimDisk, whole: &[u8], at: usize, behind: &[u8]) {
    let bytes = cut(whole, at, behind);
    let finished = lines(&bytes).0;
    disk.write_anew(&day(), &bytes);
    assert!(ids(disk).len() >= finished, "every whole line is there");
    let repairs = repairs_of_next(disk);
    let torn = lines(&bytes).1;
    match repairs.as_slice() {
        [] => assert_eq!(torn, b""),
        [Repair::Finished { .. }] => assert_eq!((whole[at], behind), (b'\n', &b""[..])),
        [Repair::Moved { to, bytes, .. }] => {
            assert_eq!(*bytes, torn.len() as u64);
            assert_eq!(disk.bytes(&history().join(to)).as_deref(), Some(torn));
        }
        more => panic!("one repair is enough: {more:?}"),
    }
    let is_whole = matches!(repairs.as_slice(), [Repair::Finished { .. }]);
    assert_eq!(findings(disk), [""; 0]);
    let after = disk.bytes(&day()).expect("a file");
    assert_eq!(lines(&after), (finished + usize::from(is_whole) + 1, &b""[..]));
    assert_lines_stand_alone(disk);
    assert_eq!(ids(disk).len(), lines(&after).0);
}

spread! { a_write_may_be_cut_at_every_byte: cut_at_every_byte; }

fn cut_at_every_byte(part: usize) {
    let before = bare();
    record(&before, FRIDAY, "one").expect("recorded");
    let after = before.copy();
    record_three(&after, "two").expect("recorded");
    let start = before.bytes(&day()).expect("a file").len();
    let whole = after.bytes(&day()).expect("a file");
    for at in (start + part..whole.len()).step_by(PARTS) {
        // The crash came before the bookmark was written, or after it.
        let (one, other) = if at % 2 == 0 { (&before, &after) } else { (&after, &before) };
        look(&one.copy(), &whole, at, b"");
        look(&other.copy(), &whole, at, if at % 3 == 0 { &[0; 37] } else { b"\x80\xff{\"id\":\"01\x00" });
    }
}

#[test]
fn garbage_with_a_newline_in_it_is_left_where_it_is_and_named() {
    let disk = bare();
    record_three(&disk, "one").expect("recorded");
    let whole = disk.bytes(&day()).expect("a file");
    disk.put(&day(), &cut(&whole, whole.len() - 10, b"\0\0\xff\n\x01{"));
    assert_eq!(repairs_of_next(&disk).len(), 1);
    hash(&disk);
    assert_eq!(ids(&disk).len(), 3);
    let kinds: Vec<_> = findings(&disk).iter().map(|finding| finding.split(": ").next().map(str::to_owned)).collect();
    assert_eq!(kinds, [Some("2026-11-20.jsonl:3 unreadable".to_owned())]);
}

#[test]
fn the_command_line_says_what_it_repaired() {
    let project = Project::new();
    let record = ["record", "--type", "note", "--name", "n"];
    assert_eq!(project.annals(record, "").stderr, "");
    let (name, text) = project.days().pop_first().expect("a day");
    project.write(&format!(".context/history/{name}"), &format!("{text}{{\"id\":\"01K"));
    let run = project.annals(record, "");
    let said = format!("annals: the last line of history/{name} was torn, as a crash leaves it; its 10 bytes are in ");
    assert!(run.code == Some(0) && run.stderr.starts_with(&said), "{run:?}");
    let to = run.stderr.trim_end().strip_prefix(&said).and_then(|rest| rest.strip_suffix(" now")).expect("a file");
    assert_eq!(project.read(&format!(".context/{to}")), "{\"id\":\"01K");
    let (_, text) = project.days().pop_first().expect("a day");
    project.write(&format!(".context/history/{name}"), text.trim_end());
    let run = project.annals(record, "");
    let said =
        format!("annals: the last line of history/{name} had no newline, as a crash leaves it; it has one now\n");
    assert_eq!((run.code, run.stderr), (Some(0), said));
    assert_eq!(project.entries().len(), 3);
}
