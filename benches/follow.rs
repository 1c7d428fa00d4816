//! How long a line takes from the writer's `write` to the follower's hand: `cargo bench --bench follow`.
//!
//! Prints the median and the slow end in microseconds. The log has as many lines as the first argument says.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use annals::engine::Engine;
use annals::engine::clock::Clock;
use annals::engine::query::filter::Filter;
use annals::kernel::id::EntryId;
use annals::kernel::time::Timestamp;
use annals::log::disk::RealDisk;
use annals::log::read::Flow;

const ROUNDS: u32 = 1000;

fn line(day: i64, number: u32) -> String {
    let at = Timestamp::from_millis(1_763_683_200_000 + day * 86_400_000 + i64::from(number));
    let id = EntryId::new(at, 0);
    format!(
        concat!(
            r#"{{"id":"{}","timestamp":"{}","session_id":"s","operation":{{"type":"tool_call","name":"n","#,
            r#""input":{{"command":"cargo test"}},"output":"{}","success":true}},"provenance":{{}},"metadata":{{}}}}"#,
            "\n"
        ),
        id,
        at,
        "x".repeat(500)
    )
}

fn prepare(history: &Path, lines: u32) {
    std::fs::create_dir_all(history).expect("a folder");
    for day in 0..10 {
        let text: String = (0..lines / 10).map(|number| line(day, number)).collect();
        let name = format!("{}.jsonl", Timestamp::from_millis(1_763_683_200_000 + day * 86_400_000).day());
        std::fs::write(history.join(name), text).expect("written");
    }
}

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "it measures, and says what")]
fn main() {
    let lines = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder");
    let history = folder.path().join("history");
    prepare(&history, lines);
    let engine = Engine::open(Arc::new(RealDisk), folder.path(), Clock::default()).expect("opened");
    let reader = engine.reader().expect("a reader");
    let (sender, arrived) = channel();
    let mut micros: Vec<u128> = std::thread::scope(|scope| {
        let mut left = ROUNDS;
        scope.spawn(move || {
            let run = reader.follow(Filter::default()).run(&mut |_| {
                sender.send(Instant::now()).expect("somebody listens");
                left -= 1;
                if left == 0 { Flow::Enough } else { Flow::More }
            });
            run.expect("followed");
        });
        std::thread::sleep(Duration::from_millis(200));
        let path = history.join(format!("{}.jsonl", Timestamp::from_millis(1_763_683_200_000 + 9 * 86_400_000).day()));
        let mut file = OpenOptions::new().append(true).open(path).expect("opened");
        let round = |number| {
            std::thread::sleep(Duration::from_millis(2));
            let line = line(9, lines + number);
            let start = Instant::now();
            file.write_all(line.as_bytes()).expect("written");
            arrived.recv().expect("it arrives").duration_since(start).as_micros()
        };
        (0..ROUNDS).map(round).collect()
    });
    micros.sort_unstable();
    let at = |share: usize| micros[(micros.len() - 1) * share / 100];
    println!("{lines} lines before, {ROUNDS} followed: median {} µs, p90 {} µs, p99 {} µs", at(50), at(90), at(99));
}
