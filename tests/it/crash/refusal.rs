//! A disk that is full, read-only or broken refuses: clearly, with the log as it was, and the next command works.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use annals::engine::EngineError;
use annals::kernel::id::EntryId;
use annals::log::LogError;
use annals::log::position::IdSource;
use annals::log::segment::Rotation;
use annals::log::writer::{Log, Machine};

use super::PARTS;
use super::disk::SimDisk;
use super::platter::{Left, Refuses, Trouble};
use super::project::{Command, LIFE, bare, check, context, findings, hash, history, ids, record};
use crate::support::step;

const NO_SPACE: i32 = 28;
const READ_ONLY: i32 = 30;
const BROKEN: i32 = 5;

/// Everything that can be refused at a step.
fn troubles(step: u64) -> [Trouble; 7] {
    [
        Trouble::Once(step, NO_SPACE),
        Trouble::Once(step, BROKEN),
        Trouble::From(step, NO_SPACE, Refuses::Growth),
        Trouble::From(step, BROKEN, Refuses::Growth),
        Trouble::From(step, BROKEN, Refuses::Syncs),
        Trouble::From(step, BROKEN, Refuses::Everything),
        Trouble::From(step, READ_ONLY, Refuses::Everything),
    ]
}

/// The lines of the history, by file, without files that hold none.
fn lines(disk: &SimDisk) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = disk.below(&history());
    files.retain(|path, bytes| path.extension().is_some_and(|ending| ending == "jsonl") && !bytes.is_empty());
    files
}

fn assert_says_where(error: EngineError) {
    let said = format!("{:#}", anyhow::Error::from(error));
    assert!(said.contains("/home/project"), "it does not say where: {said}");
    assert!(said.contains("os error"), "it does not say what the system said: {said}");
}

/// Runs a command on a disk with a trouble; looks at what it leaves. Returns whether the trouble was met.
fn refuse(disk: &SimDisk, command: Command, trouble: Trouble) -> bool {
    let before = lines(disk);
    let mut counted = ids(disk);
    disk.fail(trouble);
    let done = command(disk, "refused");
    let (Trouble::Once(step, _) | Trouble::From(step, ..)) = trouble else { unreachable!() };
    let was_met = disk.steps() > step;
    // Where nothing can be changed any more, what was written cannot be taken back either; and what such a disk has
    // refused to keep, it may show until the power goes.
    let is_stuck = matches!(trouble, Trouble::From(_, _, Refuses::Everything));
    disk.fail(Trouble::None);
    match done {
        Ok(more) => counted.extend(more),
        Err(error) => {
            assert_says_where(error);
            if !is_stuck {
                assert!(lines(disk) == before, "the log has changed: {trouble:?}");
            }
        }
    }
    hash(disk);
    let counted = check(disk, &counted, "next");
    assert_eq!(findings(disk), [""; 0], "{trouble:?}");
    let later = disk.restart(Left::Synced);
    if is_stuck {
        hash(&later);
        let all = ids(&later);
        assert!(counted.iter().all(|id| all.contains(id)), "what counts is lost: {trouble:?}");
    } else {
        check(&later, &counted, "after a power cut");
        assert_eq!(findings(&later), [""; 0], "{trouble:?}");
    }
    was_met
}

spread! { what_the_disk_refuses_changes_nothing_and_the_next_command_works: refuse_everywhere; }

fn refuse_everywhere(part: u64) {
    let disk = bare();
    let mut count = 0;
    // The last one is several commands of one process, of which some count when a later one is refused.
    for (number, command) in LIFE[..LIFE.len() - 1].iter().enumerate() {
        let is_met = |step| troubles(step).map(|trouble| refuse(&disk.copy(), *command, trouble)).contains(&true);
        count += (part..).step_by(PARTS).take_while(|step| is_met(*step)).count();
        command(&disk, &format!("process {number}")).expect("nothing goes wrong");
    }
    assert!(count > 50 / PARTS, "there are more than {count} steps");
}

/// Writes one line and does not wait for the disk.
fn write(log: &Log, at: i64) -> (EntryId, annals::log::sync::Ticket) {
    let mut chance = || u128::from(at.unsigned_abs()) << 60;
    let written = log.write::<_, LogError>(&mut chance, |pen| {
        let mut entry = step("s", "line");
        entry.timestamp = annals::kernel::time::Timestamp::from_millis(at);
        entry.id = pen.mint(entry.timestamp, Machine { now: entry.timestamp, chance: 7 })?;
        pen.append(&mut entry, IdSource::Minted)
    });
    let (appended, ticket) = written.expect("written");
    (appended.id, ticket.expect("a line was written"))
}

fn log(disk: &SimDisk) -> Log {
    Log::open(Arc::new(disk.clone()), &context(), Rotation::Daily)
}

const NIGHT: i64 = 1_795_219_140_000;
const MORNING: i64 = 1_795_248_000_000;

#[test]
fn a_line_that_was_not_synced_stays_where_somebody_has_written_behind_it_and_does_not_count() {
    let disk = bare();
    let (ours, theirs) = (log(&disk), log(&disk));
    let (_, first) = write(&ours, NIGHT);
    let (_, second) = write(&theirs, NIGHT);
    disk.fail(Trouble::Once(0, BROKEN));
    let error = ours.wait(&first).expect_err("the disk is broken");
    assert_eq!(
        format!("{:#}", anyhow::Error::from(error)),
        "cannot bring the last lines of /home/project/.context/history/2026-11-20.jsonl to the disk, \
         they do not count, but may be found there: Input/output error (os error 5)"
    );
    // The system tells everyone who has the file open, once; nobody has written behind the second line.
    let error = theirs.wait(&second).expect_err("the disk was broken").to_string();
    assert!(error.ends_with("to the disk, they are gone again"), "{error}");
    let others = log(&disk);
    let (counts, third) = write(&others, NIGHT);
    others.wait(&third).expect("synced");
    for left in [Left::Everything, Left::Synced] {
        let later = disk.restart(left);
        hash(&later);
        assert!(ids(&later).contains(&counts), "{left:?}");
        record(&later, "2026-11-20T12:00:00Z", "next").expect("the next command works");
        hash(&later);
    }
}

#[test]
fn a_line_that_was_not_synced_is_taken_back_and_those_who_waited_with_it_are_told() {
    let disk = bare();
    let ours = log(&disk);
    let (counts, before) = write(&ours, NIGHT);
    ours.wait(&before).expect("synced");
    let (_, first) = write(&ours, NIGHT);
    let (_, second) = write(&ours, NIGHT);
    disk.fail(Trouble::Once(0, BROKEN));
    for ticket in [&second, &first] {
        let error = ours.wait(ticket).expect_err("the disk is broken").to_string();
        assert!(error.ends_with("to the disk, they are gone again"), "{error}");
    }
    assert_eq!(ids(&disk), [counts]);
    let (after, ticket) = write(&ours, NIGHT);
    ours.wait(&ticket).expect("synced");
    assert_eq!(check(&disk.restart(Left::Synced), &[counts, after], "next").len(), 3);
}

#[test]
fn a_line_counts_only_when_those_before_it_in_its_chain_are_on_the_disk() {
    let disk = bare();
    let (ours, theirs) = (log(&disk), log(&disk));
    let (_, never_waited_for) = write(&ours, NIGHT);
    let (counts, ticket) = write(&theirs, MORNING);
    theirs.wait(&ticket).expect("synced");
    drop(never_waited_for);
    let later = disk.restart(Left::Synced);
    assert_eq!(findings(&later), [""; 0]);
    check(&later, &[counts], "next");
}
