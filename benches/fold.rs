//! The fold of a whole log next to what else one could do with its files: `cargo bench --bench fold`.
//!
//! 20,000 lines of about 900 bytes on ten days; with `ANNALS_HISTORY=DIR` the lines of that folder. `decoded` is what a
//! script does: each line to a value, then counted. `newlines` is the floor: the bytes read, and their lines counted.
//!
//! `vectors` is the search by meaning: 100,000 vectors of 384 numbers, each looked at; beside the bytes of their file, read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals::engine::Engine;
use annals::engine::clock::Clock;
use annals::engine::live::Cache;
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{EntryId, SessionId};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::log::disk::RealDisk;
use annals::search::{
    Case, HitKind, Pattern, QueryVector, Request, Source, Subject, Syntax, TextHash, VectorFile, VectorRow,
    VectorSpace, search,
};
use annals::world::World;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const LINES: i64 = 20_000;
const DAYS: i64 = 10;
const START: i64 = 1_763_683_200_000;
const TEMPLATE: &str = r#"{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s",
    "operation":{"type":"tool_call","name":"n","input":{"command":"cargo test --workspace"},"duration_ms":12,"success":true},
    "provenance":{"agent_id":"coder","model_id":"m-1"},"metadata":{"token_count":420}}"#;

fn line(number: i64) -> String {
    let at = Timestamp::from_millis(START + number * (DAYS * 86_400_000 / LINES));
    let tool = ["Bash", "Read", "Edit", "Grep"][usize::try_from(number % 4).unwrap_or_default()];
    let mut entry = HistoryEntry::read(TEMPLATE).expect("an entry");
    (entry.id, entry.timestamp) = (EntryId::new(at, 7), at);
    entry.session_id = SessionId::from(format!("session-{}", number / 40).as_str());
    entry.operation.name = tool.into();
    entry.operation.output = Some(Json::of(&"test fold::keeps_its_order ... ok\n".repeat(18)));
    entry.operation.success = number % 9 > 0;
    entry.to_line() + "\n"
}

/// A `.context` folder with a history.
fn context(folder: &Path) -> PathBuf {
    let history = folder.join("history");
    fs::create_dir_all(&history).expect("made");
    for day in 0..DAYS {
        let text: String = (day * LINES / DAYS..(day + 1) * LINES / DAYS).map(line).collect();
        let name = Timestamp::from_millis(START + day * 86_400_000).day();
        fs::write(history.join(format!("{name}.jsonl")), text).expect("written");
    }
    folder.to_owned()
}

fn files(context: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(context.join("history")).expect("a folder").filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect()
}

fn fold(context: &Path) -> u64 {
    let engine =
        Engine::open(Arc::new(RealDisk), context, Clock::default()).expect("opened").with_cache(Cache::Ignored);
    engine.ask(|world: &World| world.rooms.session.totals.entries).expect("folded")
}

fn decoded(files: &[PathBuf]) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    for file in files {
        for line in fs::read_to_string(file).expect("text").lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let key = (value["operation"]["type"].to_string(), value["operation"]["name"].to_string());
            *counts.entry(key).or_insert(0) += 1;
        }
    }
    counts.len()
}

fn newlines(files: &[PathBuf]) -> usize {
    files.iter().map(|file| memchr::memchr_iter(b'\n', &fs::read(file).expect("read")).count()).sum()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is told where its data is")]
fn whole_log(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let context = match std::env::var_os("ANNALS_HISTORY") {
        Some(history) => PathBuf::from(history).parent().expect("a folder around it").to_owned(),
        None => context(folder.path()),
    };
    let files = files(&context);
    let bytes = files.iter().map(|file| fs::metadata(file).expect("a file").len()).sum();
    let mut group = criterion.benchmark_group("whole log");
    group.throughput(Throughput::Bytes(bytes)).sample_size(10);
    group.bench_function("fold", |bencher| bencher.iter(|| fold(&context)));
    group.bench_function("decoded", |bencher| bencher.iter(|| decoded(&files)));
    group.bench_function("newlines", |bencher| bencher.iter(|| newlines(&files)));
    group.finish();
}

const VECTORS: u64 = 100_000;
const DIMENSION: u64 = 384;

/// Numbers without an order, and the same each time.
fn vector(seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f32::from(i16::try_from(state >> 49).expect("15 bits")) - 16_384.0
    };
    (0..DIMENSION).map(|_| next()).collect()
}

fn embed(engine: &Engine) {
    let space = VectorSpace { model: "m".to_owned(), prefix: String::new() };
    let mut file = VectorFile::open(engine, space).expect("opened").expect("no other writes");
    let hash = TextHash::of("a text");
    let row = |number: u64| {
        let subject = Subject { kind: HitKind::Belief, id: format!("belief-{number:06}").into() };
        VectorRow::new(subject, hash, Timestamp::from_millis(START), &vector(number)).expect("a vector")
    };
    for batch in 0..VECTORS / 1_000 {
        let rows: Vec<_> = (batch * 1_000..(batch + 1) * 1_000).map(row).collect();
        file.append(&rows).expect("written");
    }
}

fn vectors(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let history = folder.path().join("history");
    fs::create_dir_all(&history).expect("made");
    let engine = Engine::open(Arc::new(RealDisk), folder.path(), Clock::default()).expect("opened");
    embed(&engine);
    let file = history.join("embeddings/index.db");
    let pattern = Pattern::read("any", Syntax::Words, Case::Smart).expect("a query");
    let meaning = Some(QueryVector::new(&vector(7)).expect("a vector"));
    let request = Request { sources: vec![Source::Semantic], meaning, ..Request::of(pattern) };
    let mut group = criterion.benchmark_group("vectors");
    group.throughput(Throughput::Bytes(fs::metadata(&file).expect("a file").len())).sample_size(20);
    group.bench_function("nearest", |bencher| bencher.iter(|| search(&engine, &request).expect("found").hits.len()));
    group.bench_function("read", |bencher| bencher.iter(|| fs::read(&file).expect("read").len()));
    group.finish();
}

criterion_group!(benches, whole_log, vectors);
criterion_main!(benches);
