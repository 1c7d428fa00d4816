//! Durable records and decisions a second, next to a bare `write` and `fdatasync` of the same bytes, and what each costs of
//! our own CPU: `cargo bench -p annals-engine --bench append`.
//!
//! Ratios of one run: the contestants take turns in the same folder, on one disk, and the medians are compared. A number
//! as argument: only the cases of so many threads. `record` or `decide` with a number does only that, so often, for whoever
//! counts the calls of the system. Made by hand, because a benchmark harness measures one contestant after the other, and
//! one thread. `processes.py` compares processes.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use annals_engine::clock::Clock;
use annals_engine::given::{Defaults, Given};
use annals_engine::{By, Engine};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{AgentId, NO_SESSION, SessionId};
use annals_kernel::json::Json;
use annals_log::disk::RealDisk;
use annals_log::position::IdSource;
use annals_rules::domain::session::{Command, command::Start};
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 15;

/// One row of the table: how many threads append, how many lines they write together, how many others keep the cores busy.
struct Case {
    threads: usize,
    lines: usize,
    busy: usize,
    bar: f64,
}

/// What came of one contestant in one round, or the median of several.
#[derive(Clone, Copy)]
struct Speed {
    /// How often a second.
    rate: f64,
    /// Own CPU of the threads for each, in microseconds.
    cpu_us: f64,
}

fn entry() -> HistoryEntry {
    let text = format!(
        r#"{{"operation":{{"type":"tool_call","name":"Bash","input":{{"command":"cargo test"}},"output":"{}","success":true}}}}"#,
        "all tests passed; ".repeat(15)
    );
    let defaults =
        Defaults { at: Clock::default().now(), session: Some(SessionId::from("s")), agent: None, giver: "user".into() };
    Given::read(1, &text, &defaults).expect("an entry").entry
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    std::time::Duration::try_from(time).expect("no time before the start").as_secs_f64()
}

/// Runs something on threads, so often together, while others keep the cores busy.
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn speed(case: &Case, work: &(dyn Fn() + Sync)) -> Speed {
    let (done, each) = (AtomicBool::new(false), case.lines / case.threads);
    let count = f64::from(u32::try_from(each * case.threads).expect("few"));
    let run = || {
        (0..each).for_each(|_| work());
        seconds(ClockId::ThreadCPUTime)
    };
    std::thread::scope(|scope| {
        for _ in 0..case.busy {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let start = Instant::now();
        let writers: Vec<_> = (0..case.threads).map(|_| scope.spawn(run)).collect();
        let cpu: f64 = writers.into_iter().map(|writer| writer.join().expect("no writer panics")).sum();
        done.store(true, Ordering::Relaxed);
        Speed { rate: count / start.elapsed().as_secs_f64(), cpu_us: cpu * 1e6 / count }
    })
}

fn bare(file: &File, line: &[u8]) {
    let mut writer = file;
    writer.write_all(line).expect("written");
    file.sync_data().expect("synced");
}

fn decide(engine: &Engine) {
    let by = By::new(AgentId::from("user"), SessionId::from(NO_SESSION));
    let start = Start { title: Some("a session to measure".into()), parent_session_id: None, project_id: None };
    engine.decide(Command::from(start), &Json::empty_object(), &by).expect("decided");
}

fn median(speeds: &[Speed]) -> Speed {
    let middle = |of: fn(&Speed) -> f64| {
        let mut figures: Vec<_> = speeds.iter().map(of).collect();
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    Speed { rate: middle(|speed| speed.rate), cpu_us: middle(|speed| speed.cpu_us) }
}

/// A rate beside the bare one, the CPU of each beyond what the bare one takes, and which share of the wall that is on as many
/// cores as work.
fn shown(ours: Speed, bare: Speed, cores: f64) -> String {
    let share = ours.rate * ours.cpu_us / 1e4 / cores;
    format!(
        "{:>6.0}/s ({:.2} x), own CPU {:>5.1} us, {share:>3.0} % of the wall",
        ours.rate,
        ours.rate / bare.rate,
        ours.cpu_us - bare.cpu_us
    )
}

fn open(folder: &Path, name: &str) -> Engine {
    Engine::open(Arc::new(RealDisk), &folder.join(name), Clock::default()).expect("opened")
}

#[expect(clippy::print_stdout, reason = "it says what it measured")]
fn compare(folder: &Path, case: &Case, cores: usize) {
    let (entry, name) = (entry(), format!("{}-{}", case.threads, case.busy));
    let (recording, deciding) = (open(folder, &name), open(folder, &format!("{name}-d")));
    let line = recording.record(entry.clone(), IdSource::Minted).expect("recorded").line + "\n";
    let path = folder.join(format!("{name}.bare"));
    let file = OpenOptions::new().create(true).append(true).open(path).expect("opened");
    let (mut records, mut decisions, mut bares) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bares.push(speed(case, &|| bare(&file, line.as_bytes())));
        records.push(speed(case, &|| drop(recording.record(entry.clone(), IdSource::Minted).expect("recorded"))));
        decisions.push(speed(case, &|| decide(&deciding)));
    }
    let (record, decision, bare) = (median(&records), median(&decisions), median(&bares));
    let used = f64::from(u32::try_from(case.threads.min(cores)).expect("few"));
    println!(
        "{:>3} threads, {} busy: record {}; decide {}; write+fdatasync {:>6.0}/s, CPU {:.1} us; bar {:.1} x",
        case.threads,
        case.busy,
        shown(record, bare, used),
        shown(decision, bare, used),
        bare.rate,
        bare.cpu_us,
        case.bar,
    );
}

/// Does one thing so often, and nothing else.
fn only(folder: &Path, what: &str, count: usize) {
    let (engine, entry) = (open(folder, "only"), entry());
    for _ in 0..count {
        match what {
            "record" => drop(engine.record(entry.clone(), IdSource::Minted).expect("recorded")),
            _ => decide(&engine),
        }
    }
}

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let case = |threads, lines, busy, bar| Case { threads, lines, busy, bar };
    let arguments: Vec<String> = std::env::args().collect();
    let number: Option<usize> = arguments.iter().find_map(|argument| argument.parse().ok());
    if let Some(what) = arguments.iter().find(|argument| matches!(argument.as_str(), "record" | "decide")) {
        return only(folder.path(), what, number.unwrap_or(1000));
    }
    for case in [
        case(1, 200, 0, 0.8),
        case(8, 800, 0, 1.0),
        case(64, 3200, 0, 4.0),
        case(1, 100, 2 * cores, 0.9),
        case(8, 400, 2 * cores, 0.9),
        case(2 * cores, 400, 2 * cores, 0.9),
    ] {
        if number.is_none_or(|threads| threads == case.threads) {
            compare(folder.path(), &case, cores);
        }
    }
}
