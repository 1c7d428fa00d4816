//! Real processes that are killed while they write: what they acknowledged is there.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::platter::Chance;
use crate::program::Project;
use crate::support::{findings_of, world_hash};

/// How many writers there are at a time.
const WRITERS: usize = 4;

/// How many of them are killed.
const KILLS: usize = 200;

/// A process that records each line as it comes and prints its id.
struct Writer {
    process: Child,
    input: ChildStdin,
    state: State,
}

/// Only who has printed an id is killed, in the midst of the next line: who has not is still starting.
#[derive(PartialEq)]
enum State {
    Starting,
    Writing,
}

/// What a writer has printed: an id, or that it has ended.
type Heard = (usize, Option<String>);

impl Writer {
    fn start(project: &Project, number: usize, ids: &Sender<Heard>) -> Self {
        let mut process = project.start(["record", "--each"]);
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let ids = ids.clone();
        std::thread::spawn(move || {
            for id in output.lines() {
                // What is cut off by a kill is no id.
                let id = id.expect("text");
                if id.len() == 26 {
                    ids.send((number, Some(id))).expect("the test listens");
                }
            }
            ids.send((number, None)).expect("the test listens");
        });
        let mut writer = Self { process, input, state: State::Starting };
        writer.write();
        writer.write();
        writer
    }

    /// One more line to record. A writer that was killed no longer reads.
    fn write(&mut self) {
        let _ = self.input.write_all(b"{\"operation\":{\"type\":\"note\",\"name\":\"n\",\"success\":true}}\n");
    }
}

/// Kills writers at moments that have nothing to do with what they do: when another one has printed an id.
fn run(project: &Project, ids: &Sender<Heard>, heard: &Receiver<Heard>) -> Vec<String> {
    let mut writers: Vec<_> = (0..WRITERS).map(|number| Writer::start(project, number, ids)).collect();
    let (mut counted, mut kills, mut chance) = (Vec::new(), 0, Chance(7));
    while kills < KILLS {
        let (number, id) = heard.recv().expect("a writer");
        let Some(id) = id else { continue };
        counted.push(id);
        writers[number].state = State::Writing;
        writers[number].write();
        let other = chance.below(2 * WRITERS);
        if other < WRITERS && other != number && writers[other].state == State::Writing {
            writers[other].process.kill().expect("killed");
            writers[other].process.wait().expect("ended");
            writers[other] = Writer::start(project, other, ids);
            kills += 1;
        }
    }
    for mut writer in writers {
        drop(writer.input);
        assert!(writer.process.wait().expect("ended").success());
    }
    counted
}

#[test]
fn what_was_acknowledged_survives_kills_at_any_moment() {
    let project = Project::new();
    let (ids, heard) = channel();
    let mut counted = run(&project, &ids, &heard);
    drop(ids);
    counted.extend(heard.iter().filter_map(|(_, id)| id));
    world_hash(&project.context());
    let run = project.annals(["record", "--type", "note", "--name", "last"], "");
    assert_eq!(run.code, Some(0), "{run:?}");
    let entries = project.entries();
    let there: BTreeSet<_> = entries.iter().map(|entry| entry.id.to_string()).collect();
    assert_eq!(there.len(), entries.len(), "no line is doubled");
    let lost: Vec<_> = counted.iter().filter(|id| !there.contains(*id)).collect();
    assert_eq!(lost, [""; 0]);
    assert_eq!(findings_of(&project.context()), [""; 0]);
    assert!(counted.len() >= KILLS, "{} lines", counted.len());
}
