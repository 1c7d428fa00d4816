//! Durable appends a second, next to a bare `write` and `fdatasync` of the same bytes: `cargo bench --bench append`.
//!
//! Ratios of one run: the contestants take turns in the same folder, on one disk, and the medians are compared. A number
//! as argument: only the cases of so many threads. Made by hand, because a benchmark harness measures one contestant
//! after the other, and one thread. `processes.py` compares processes.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use annals::engine::clock::Clock;
use annals::engine::given::{Defaults, Given};
use annals::engine::{By, Engine};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{AgentId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::log::disk::RealDisk;
use annals::log::position::Stamp;

const ROUNDS: usize = 15;

/// One row of the table: how many threads append, how many lines they write together, how many others keep the cores busy.
struct Case {
    threads: usize,
    lines: usize,
    busy: usize,
    bar: f64,
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

/// Runs something on threads, so often together, while others keep the cores busy; returns how often a second.
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn rate(case: &Case, work: &(dyn Fn() + Sync)) -> f64 {
    let (done, each) = (AtomicBool::new(false), case.lines / case.threads);
    let run = || (0..each).for_each(|_| work());
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
        for writer in writers {
            writer.join().expect("no writer panics");
        }
        done.store(true, Ordering::Relaxed);
        f64::from(u32::try_from(each * case.threads).expect("few")) / start.elapsed().as_secs_f64()
    })
}

fn bare(file: &File, line: &[u8]) {
    let mut writer = file;
    writer.write_all(line).expect("written");
    file.sync_data().expect("synced");
}

fn decide(engine: &Engine) {
    use annals::domain::session::{Command, command::Start};
    let by = By::new(AgentId::from("user"), SessionId::from(NO_SESSION));
    let start = Start { title: Some("a session to measure".into()), parent_session_id: None, project_id: None };
    engine.decide(Command::from(start), &Json::empty_object(), &by).expect("decided");
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

#[expect(clippy::print_stdout, reason = "it says what it measured")]
fn compare(folder: &Path, case: &Case) {
    let (entry, name) = (entry(), format!("{}-{}", case.threads, case.busy));
    let engine = Engine::open(Arc::new(RealDisk), &folder.join(&name), Clock::default()).expect("opened");
    let deciding =
        Engine::open(Arc::new(RealDisk), &folder.join(name.clone() + "-d"), Clock::default()).expect("opened");
    let line = engine.record(entry.clone(), Stamp::Minted).expect("recorded").line + "\n";
    let path = folder.join(name + ".bare");
    let file = OpenOptions::new().create(true).append(true).open(path).expect("opened");
    let (mut ours, mut decisions, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(rate(case, &|| bare(&file, line.as_bytes())));
        ours.push(rate(case, &|| drop(engine.record(entry.clone(), Stamp::Minted).expect("recorded"))));
        decisions.push(rate(case, &|| decide(&deciding)));
    }
    let (ours, decisions, theirs) = (median(ours), median(decisions), median(theirs));
    println!(
        "{:>3} threads, {} busy: record {ours:>7.0}/s ({:.2} x), decide {decisions:>7.0}/s ({:.2} x), write+fdatasync {theirs:>7.0}/s; bar {:.1} x",
        case.threads,
        case.busy,
        ours / theirs,
        decisions / theirs,
        case.bar,
    );
}

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let case = |threads, lines, busy, bar| Case { threads, lines, busy, bar };
    let only: Option<usize> = std::env::args().find_map(|argument| argument.parse().ok());
    for case in [
        case(1, 200, 0, 0.9),
        case(8, 800, 0, 1.0),
        case(64, 3200, 0, 4.0),
        case(1, 100, 2 * cores, 0.9),
        case(8, 400, 2 * cores, 0.9),
        case(2 * cores, 400, 2 * cores, 0.9),
    ] {
        if only.is_none_or(|threads| threads == case.threads) {
            compare(folder.path(), &case);
        }
    }
}
