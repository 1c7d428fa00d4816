//! Whatever happens between two lines of a process that stays, it writes what a process would that opens everything anew.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::LogError;
use crate::disk::{Disk, RealDisk};
use crate::patience::Patient;
use crate::position::IdSource;
use crate::segment::Rotation;
use crate::writer::{Log, Machine};
use annals_kernel::annals::LineHash;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::EntryId;

const TODAY: &str = "2026-11-21T12:00:00.000Z";
const YESTERDAY: &str = "2026-11-20T12:00:00.000Z";
const SEGMENT: &str = "history/2026-11-21.jsonl";

/// A process: it remembers what it did, and opens nothing through a link.
fn process(context: &Path) -> Log {
    Log::open(Arc::new(RealDisk).below(context), context, Rotation::Daily)
}

fn write(log: &Log, at: &str, stamp: IdSource) -> Result<(), LogError> {
    let text = format!(
        r#"{{"id":"00000000000000000000000000","timestamp":"{at}","session_id":"s",
        "operation":{{"type":"t","name":"n","success":true}}}}"#
    );
    let mut entry = HistoryEntry::read(&text).expect("an entry");
    let written = log.write_on(&mut || 5, |pen| {
        let machine = Machine { now: entry.timestamp, chance: 7 };
        entry.id = match stamp {
            IdSource::Minted => pen.mint(entry.timestamp, machine)?,
            IdSource::AsGiven => EntryId::derived(entry.timestamp, &["given"]),
        };
        pen.append(&mut entry, stamp)
    });
    written.map(drop)
}

fn record(log: &Log) {
    write(log, TODAY, IdSource::Minted).expect("written");
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("open");
    file.write_all(bytes).expect("written");
}

/// Other content, in place or in another file, that is not as old as it was.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("read");
    change(&mut bytes);
    fs::write(path, bytes).expect("written");
    let file = File::options().write(true).open(path).expect("open");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("set");
}

fn replace(path: &Path, with: impl FnOnce(&mut Vec<u8>)) {
    let other = path.with_extension("other");
    fs::copy(path, &other).expect("copied");
    change(&other, with);
    fs::rename(other, path).expect("renamed");
}

fn last_line(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', &bytes[..bytes.len() - 1]).map_or(0, |at| at + 1)
}

fn give_another_writer(bytes: &mut [u8]) {
    let writer = memchr::memmem::rfind(bytes, br#""w":""#).expect("a link") + 5;
    bytes[writer] = if bytes[writer] == b'z' { b'y' } else { b'z' };
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("read") {
        let entry = entry.expect("an entry");
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
        }
    }
}

/// What others do between two lines.
type Deed = fn(&Path);

const DEEDS: [(&str, Deed); 22] = [
    ("nothing", |_| {}),
    ("another process writes", |context| record(&process(context))),
    ("another process writes to an older segment", |context| {
        write(&process(context), YESTERDAY, IdSource::AsGiven).expect("written");
    }),
    ("another process begins a day", |context| {
        write(&process(context), "2026-11-22T12:00:00.000Z", IdSource::Minted).expect("written");
    }),
    ("another tool appends a line", |context| {
        let bytes = fs::read(context.join("history/2026-11-20.jsonl")).expect("read");
        append(&context.join(SEGMENT), &bytes);
    }),
    ("a line is torn", |context| append(&context.join(SEGMENT), b"{\"id\":\"01")),
    ("the last line is cut off", |context| change(&context.join(SEGMENT), |bytes| bytes.truncate(last_line(bytes)))),
    ("half of the last line is cut off", |context| {
        change(&context.join(SEGMENT), |bytes| bytes.truncate(bytes.len() - 20));
    }),
    ("the last line is changed in place", |context| change(&context.join(SEGMENT), |bytes| give_another_writer(bytes))),
    ("the segment is replaced by its like", |context| replace(&context.join(SEGMENT), |_| {})),
    ("the segment is replaced by one as long", |context| {
        replace(&context.join(SEGMENT), |bytes| give_another_writer(bytes));
    }),
    ("the segment is replaced by an older one", |context| {
        replace(&context.join(SEGMENT), |bytes| bytes.truncate(last_line(bytes)));
    }),
    ("the segment is removed", |context| fs::remove_file(context.join(SEGMENT)).expect("removed")),
    ("the segment is moved, and made anew", |context| {
        fs::rename(context.join(SEGMENT), context.join("history/x.bak")).expect("moved");
        fs::write(context.join(SEGMENT), "").expect("written");
    }),
    ("another clone's segment comes", |context| {
        fs::copy(context.join("history/2026-11-20.jsonl"), context.join("history/2026-11-19.jsonl")).expect("copied");
        change(&context.join("history/2026-11-19.jsonl"), |bytes| give_another_writer(bytes));
    }),
    ("the history is moved, and a copy put there", |context| {
        fs::rename(context.join("history"), context.join("h.bak")).expect("moved");
        copy_folder(&context.join("h.bak"), &context.join("history"));
    }),
    ("local is removed", |context| fs::remove_dir_all(context.join("local")).expect("removed")),
    ("local is moved, and a copy put there", |context| {
        fs::rename(context.join("local"), context.join("l.bak")).expect("moved");
        copy_folder(&context.join("l.bak"), &context.join("local"));
    }),
    ("the lock is removed", |context| fs::remove_file(context.join("local/lock")).expect("removed")),
    ("the bookmark is removed", |context| fs::remove_file(context.join("local/bookmark")).expect("removed")),
    ("the bookmark is removed, and another process writes to an older segment", |context| {
        fs::remove_file(context.join("local/bookmark")).expect("removed");
        write(&process(context), YESTERDAY, IdSource::AsGiven).expect("written");
    }),
    ("the bookmark is damaged", |context| change(&context.join("local/bookmark"), |bytes| bytes[30] ^= 1)),
];

/// How long ago the names in `local/` were given, as far as the file system says.
#[derive(Clone, Copy)]
enum Names {
    JustNow,
    LongAgo,
}

/// Who writes the lines around a deed.
#[derive(Clone, Copy)]
enum Process {
    One,
    OneForEach,
}

/// The history behind lines of ours, a deed, and more lines of ours.
fn lines_around(deed: Deed, names: Names, who: Process) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let context = folder.path().join(".context");
    fs::create_dir(&context).expect("made");
    write(&process(&context), YESTERDAY, IdSource::Minted).expect("written");
    let one = process(&context);
    let record = || match who {
        Process::One => record(&one),
        Process::OneForEach => record(&process(&context)),
    };
    (0..3).for_each(|_| record());
    if matches!(names, Names::LongAgo) {
        let local = File::open(context.join("local")).expect("open");
        local.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("set");
        (0..2).for_each(|_| record());
    }
    deed(&context);
    (0..3).for_each(|_| record());
    let files = fs::read_dir(context.join("history")).expect("read").map(|entry| entry.expect("an entry"));
    let files = files.filter(|entry| entry.path().is_file());
    let text = |path: &Path| String::from_utf8_lossy(&fs::read(path).expect("read")).into_owned();
    files.map(|entry| (entry.file_name().to_string_lossy().into_owned(), text(&entry.path()))).collect()
}

#[test]
fn who_stays_writes_what_others_would_whatever_happens_between_two_lines() {
    for (name, deed) in DEEDS {
        for names in [Names::JustNow, Names::LongAgo] {
            let (one, each) = (lines_around(deed, names, Process::One), lines_around(deed, names, Process::OneForEach));
            assert_eq!(one, each, "{name}");
        }
    }
}

#[test]
fn two_who_stay_and_take_turns_write_one_chain() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (process(folder.path()), process(folder.path()));
    std::thread::scope(|scope| {
        for log in [&one, &other, &one, &other] {
            scope.spawn(move || (0..50).for_each(|_| record(log)));
        }
    });
    let text = fs::read_to_string(folder.path().join(SEGMENT)).expect("read");
    let mut last = (0, LineHash::default());
    for line in text.lines() {
        let link = HistoryEntry::read(line).expect("an entry").annals.link.expect("a link");
        assert_eq!((link.count, link.previous), (last.0 + 1, last.1));
        last = (link.count, LineHash::of(line.as_bytes()));
    }
    assert_eq!(last.0, 200);
}

#[test]
fn who_stays_holds_the_lock_while_it_writes_and_waits_for_whoever_holds_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let patient = Patient::new(RealDisk);
    patient.wait_at_most(3);
    let log = Log::open(Arc::new(patient), folder.path(), Rotation::Daily);
    let lock = folder.path().join("local/lock");
    for _ in 0..4 {
        let held = log.write_on::<_, LogError>(&mut || 5, |_| Ok(RealDisk.try_lock(&lock).expect("looked").is_none()));
        assert!(held.expect("written").0);
        record(&log);
        let others = RealDisk.try_lock(&lock).expect("looked").expect("it is given back behind each line");
        let error = write(&log, TODAY, IdSource::Minted).expect_err("somebody else holds it");
        assert!(matches!(error, LogError::Io { source, .. } if source.kind() == std::io::ErrorKind::TimedOut));
        drop(others);
    }
}
