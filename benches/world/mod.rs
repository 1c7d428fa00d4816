//! Worlds that benches are run on, made by deciding in memory what a swarm would have asked, and what it takes to run the
//! program on them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use annals::domain::{Ask, Asking, Command};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::policy;
use annals::world::decision::entry_of;
use annals::world::{Asked, RULES_VERSION, World};
use serde_json::Value;

const DAYS: i64 = 30;
const RUNS: usize = 40;

/// Runs the program in a project, and says what that took beside a bare write.
pub struct Measure {
    folder: PathBuf,
    write: f64,
}

impl Measure {
    /// Says what a bare write takes.
    #[expect(clippy::print_stdout, reason = "a bench tells what it measured")]
    pub fn new(folder: &Path) -> Self {
        let write = median(|_| bare_write(folder));
        println!("{:<44} {write:>8.2} ms", "write and fdatasync");
        Self { folder: folder.to_owned(), write }
    }

    /// Says what a command takes, in the middle of many runs; its arguments may differ from run to run.
    #[expect(clippy::print_stdout, reason = "a bench tells what it measured")]
    pub fn say(&self, what: &str, arguments: impl Fn(usize) -> Vec<String>) {
        let took = median(|round| run(&self.folder, &arguments(round)));
        println!("{what:<44} {took:>8.2} ms  {:+.2} ms", took - self.write);
    }

    /// The same for a command that is always the same.
    pub fn say_plain(&self, arguments: &[&str]) {
        self.say(&arguments.join(" "), |_| arguments.iter().map(|text| (*text).to_owned()).collect());
    }
}

fn median(mut once: impl FnMut(usize) -> Duration) -> f64 {
    let mut all: Vec<_> = (0..RUNS).map(&mut once).collect();
    all.sort();
    all[RUNS / 2].as_secs_f64() * 1000.0
}

/// Runs the program, and says what that took.
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub fn run(folder: &Path, arguments: &[String]) -> Duration {
    let mut process = Process::new(env!("CARGO_BIN_EXE_annals"));
    let start = Instant::now();
    process.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("run");
    start.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn bare_write(folder: &Path) -> Duration {
    let mut file = File::options().append(true).create(true).open(folder.join("bare")).expect("opened");
    let start = Instant::now();
    file.write_all(&[b'x'; 700]).expect("written");
    file.sync_data().expect("synced");
    start.elapsed()
}

/// Decides in memory, and writes the lines.
pub struct Maker {
    world: World,
    folder: PathBuf,
    files: BTreeMap<String, BufWriter<File>>,
    count: u128,
    total: u128,
}

impl Maker {
    /// A project with nothing in it, for so many decisions, which are spread over 30 days.
    pub fn new(folder: &Path, total: usize) -> Self {
        let history = folder.join(".context/history");
        fs::create_dir_all(&history).expect("made");
        Self { world: World::default(), folder: history, files: BTreeMap::new(), count: 0, total: total as u128 }
    }

    /// Asks something that no rule refuses.
    pub fn ask(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) -> EntryId {
        self.count += 1;
        let span = u128::try_from(DAYS).expect("days") * 86_400_000;
        let offset = i64::try_from(self.count * span / self.total).expect("milliseconds");
        let at = Timestamp::from_millis(1_792_000_000_000 + offset);
        let id = EntryId::new(at, self.count);
        let command = Command::read(command, &Json::of(fields)).expect("a command");
        let ask = Ask { command, observed: Json::of(observed) };
        let actor = AgentId::from(actor);
        let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
        let decided = self.world.decide(&ask, &asked);
        assert_eq!(decided.refusal, None);
        let asking = Asking::of(&ask);
        for event in &decided.events {
            policy::take_in(
                &mut self.world.rooms,
                event,
                &policy::EventSource { asking: Some(&asking), id, at, actor: &actor, rules: RULES_VERSION.into() },
            );
        }
        let line = entry_of(&ask, &asked, &decided, 1).to_line();
        let name = format!("{}.jsonl", at.day());
        let path = self.folder.join(&name);
        let file = self.files.entry(name).or_insert_with(|| BufWriter::new(File::create(path).expect("created")));
        writeln!(file, "{line}").expect("written");
        id
    }

    /// Everything is in its files.
    pub fn finish(self) {
        for mut file in self.files.into_values() {
            file.flush().expect("flushed");
        }
    }
}
