//! The minds at their size: a million megrams, 100,000 entries of the hivemind and of knowledge, and what is asked of them.
//!
//!     cargo bench --bench minds -- FOLDER [MEGRAMS] [ENTRIES]
//!
//! Makes the world where it is not there yet, then runs the program itself. Each figure stands beside a bare write with
//! fdatasync in the same run. Potentials are asked in the process, too: first of a pair that is not in memory yet, then
//! again.

mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use annals::engine::Engine;
use annals::engine::clock::Clock;
use annals::log::disk::RealDisk;
use serde_json::json;

use self::world::{Maker, Measure};

/// Pairs of tags among which most megrams are spread.
const PAIRS: usize = 50_000;
/// Pairs that have one megram of fifty between them.
const BUSY: usize = 3;
const STATES: [&str; 7] =
    ["abandon", "accept", "change_approach", "success", "break_symmetry", "change_path", "refine"];
const CATEGORIES: [&str; 5] = ["fear", "satisfaction", "knowledge", "decision", "preference"];

#[expect(clippy::print_stdout, reason = "a bench tells what it measured")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with("--")).collect();
    let Some(folder) = arguments.first().map(PathBuf::from) else {
        return println!("minds: give a folder for the world");
    };
    let number = |place: usize, default: usize| arguments.get(place).map_or(default, |n| n.parse().expect("a number"));
    let (megrams, entries) = (number(1, 1_000_000), number(2, 100_000));
    if !folder.join(".context/history").is_dir() {
        make(&folder, megrams, entries);
    }
    println!("{megrams} megrams, {entries} entries of the hivemind, {entries} of knowledge");
    world::run(&folder, &["hivemind".to_owned(), "list".to_owned()]);
    potentials(&folder);
    commands(&folder, entries);
}

fn commands(folder: &Path, entries: usize) {
    let measure = Measure::new(folder);
    let key = format!("key-{}", entries / 2);
    measure.say_plain(&["memory", "potentials", "tool:shell", "path:busy0"]);
    measure.say_plain(&["memory", "potentials", "tool:shell", "path:target/77"]);
    measure.say_plain(&["memory", "list", "tool:shell", "path:target/77"]);
    measure.say("memory write", |round| {
        let entity = format!("path:target/{round}");
        ["memory", "write", "tool:shell", &entity, "--text", "it worked", "--state", "success", "--as", "ggs"]
            .map(str::to_owned)
            .into()
    });
    measure.say_plain(&["memory", "recall", "tool:shell", "path:target/77"]);
    measure.say_plain(&["memory", "dream"]);
    measure.say_plain(&["hivemind", "list"]);
    measure.say_plain(&["hivemind", "list", "--category", "decision"]);
    measure.say_plain(&["hivemind", "show", &key]);
    measure.say("hivemind access", |round| {
        ["hivemind", "access", &format!("key-{}", entries - 1 - round)].map(str::to_owned).into()
    });
    measure.say("hivemind add", |round| {
        let key = format!("new-{round}-{}", std::process::id());
        ["hivemind", "add", "knowledge", &key, "the parser has one token of lookahead"].map(str::to_owned).into()
    });
    measure.say("hivemind contest", |round| {
        let key = format!("key-{}", 2 + 5 * round);
        ["hivemind", "contest", &key, "--because", "it changed", "--alternative", "two tokens"]
            .map(str::to_owned)
            .into()
    });
    measure.say_plain(&["hivemind", "expire"]);
    measure.say_plain(&["knowledge", "list"]);
    measure.say_plain(&["knowledge", "search", "lookahead of parser 77"]);
    measure.say("knowledge add", |round| {
        let text = format!("module {round} of {} is written twice", std::process::id());
        ["knowledge", "add", "fact", &text].map(str::to_owned).into()
    });
    measure.say_plain(&["debate", "gate", "fix the parser of part 77"]);
    measure.say_plain(&["council", "list"]);
}

/// Potentials of a busy pair and of an ordinary one, in one process.
#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench measures time, and tells")]
fn potentials(folder: &Path) {
    let context = folder.join(".context");
    let engine = Engine::open(Arc::new(RealDisk), &context, Clock::new(None, None)).expect("opened");
    engine.ask(|world| world.last).expect("folded");
    for entity in ["path:busy1", "path:target/4242"] {
        for what in ["not in memory yet", "after load"] {
            let now = engine.clock().now();
            let start = Instant::now();
            let question = |world: &annals::world::World| world.rooms.memory.potentials("tool:shell", entity, now);
            let answer = engine.ask(question).expect("asked");
            let took = start.elapsed().as_secs_f64() * 1000.0;
            println!("{:<44} {took:>8.3} ms  {answer:?}", format!("potentials of {entity}, {what}"));
        }
    }
}

fn make(folder: &Path, megrams: usize, entries: usize) {
    let mut maker = Maker::new(folder, megrams + 2 * entries);
    let every = (megrams / entries.max(1)).max(1);
    for number in 0..megrams.max(entries) {
        if number < megrams {
            megram(&mut maker, number);
        }
        if number % every == 0 && number / every < entries {
            entry(&mut maker, number / every);
        }
    }
    maker.finish();
    fs::write(folder.join(".context/config.toml"), "").expect("written");
}

fn megram(maker: &mut Maker, number: usize) {
    let entity = if number.is_multiple_of(50) {
        format!("path:busy{}", number / 50 % BUSY)
    } else {
        format!("path:target/{}", number * 7919 % PAIRS)
    };
    let state = STATES[number * 31 % STATES.len()];
    let content = format!("attempt {number}: the command ended as {state}, with a line of what it printed");
    let fields = json!({ "space": "tool:shell", "entity": entity, "content": content, "state": state });
    maker.ask("ggs", "memory.megram.write", &fields, &json!({}));
}

fn entry(maker: &mut Maker, number: usize) {
    let category = CATEGORIES[number % CATEGORIES.len()];
    let value = format!("part {number} of the parser keeps one token of lookahead and reads each list twice");
    let fields = json!({ "category": category, "key": format!("key-{number}"), "value": value, "tags": ["parser"] });
    maker.ask("user", "hivemind.entry.add", &fields, &json!({}));
    let content = format!("parser {number} has a lookahead of {} tokens", number % 7);
    let fields = json!({ "kind": "fact", "content": content, "entities": [format!("parser-{}", number % 5000)] });
    maker.ask("user", "knowledge.entry.add", &fields, &json!({}));
}
