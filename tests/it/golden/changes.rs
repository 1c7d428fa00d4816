//! Replay bites: each change of each recorded outcome of the golden log is found, and named by its line.

use std::fs;

use annals::kernel::envelope::Envelope;
use annals::log::batch::Batch;
use annals::world::World;
use annals::world::replay::{ReplayVerdict, replay as replay_on};
use serde_json::{Value, json};

use super::{LOGS, Log, replay};
use crate::program;

const FIRST_DAY: &str = "2026-11-20.jsonl";
const SECOND_DAY: &str = "2026-11-21.jsonl";

/// A line of the golden log that is a decision.
struct Line {
    file: String,
    number: usize,
    value: Value,
}

fn decisions(log: &Log) -> Vec<Line> {
    let files = log.files();
    let lines = files.iter().flat_map(|(file, text)| {
        (1..).zip(text.lines()).map(|(number, line)| {
            let value = serde_json::from_str(line).expect("JSON");
            Line { file: file.clone(), number, value }
        })
    });
    lines.filter(|line| !line.value["extensions"]["annals"]["r"].is_null()).collect()
}

/// Another value; of the same type, where there is one.
fn other(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let kept = text.strip_suffix('0');
            json!(kept.map_or(format!("{text}0"), |kept| format!("{kept}1")))
        }
        Value::Number(number) => number.as_i64().map_or_else(|| json!(1), |number| json!(number + 1)),
        Value::Bool(is) => json!(!is),
        Value::Null => json!(0),
        Value::Array(_) | Value::Object(_) => json!(null),
    }
}

/// Every outcome that differs from one in a single place.
fn changes(outcome: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    change_inside(outcome, &mut |changed| all.push(changed));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = outcome.clone();
        change(&mut changed);
        changed
    };
    let event = json!({ "name": "access.grant.given", "data": { "agent": "coder", "folder": "canon" } });
    all.push(with(&|outcome| outcome["events"].as_array_mut().expect("events").push(event.clone())));
    if outcome.get("refusal").is_none() {
        let refusal = json!({ "rule": "session.unknown_session", "data": { "session": "x" } });
        all.push(with(&|outcome| outcome["refusal"] = refusal.clone()));
    }
    for index in 0..outcome["events"].as_array().map_or(0, Vec::len) {
        all.push(with(&|outcome| {
            let events = outcome["events"].as_array_mut().expect("events");
            events.insert(index, events[index].clone());
        }));
    }
    all
}

/// Calls `take` with every form of a value in which one thing inside of it is changed or missing.
fn change_inside(value: &Value, take: &mut dyn FnMut(Value)) {
    take(other(value));
    match value {
        Value::Object(members) => {
            for (key, inner) in members {
                let mut without = members.clone();
                without.remove(key);
                take(Value::Object(without));
                change_inside(inner, &mut |changed| {
                    let mut members = members.clone();
                    members.insert(key.clone(), changed);
                    take(Value::Object(members));
                });
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(index);
                take(Value::Array(without));
                change_inside(inner, &mut |changed| {
                    let mut items = items.clone();
                    items[index] = changed;
                    take(Value::Array(items));
                });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn with_outcome(line: &Line, outcome: Value) -> String {
    let mut changed = line.value.clone();
    changed["operation"]["output"] = outcome;
    changed.to_string()
}

/// Each change, but for the long log: of that one in a few. The first day has one writer, so that the past of a decision is what stands above it.
#[test]
fn every_change_of_every_recorded_outcome_is_found() {
    for log in &LOGS {
        let (mut world, mut tried) = (World::default(), 0);
        let text = log.files().remove(FIRST_DAY).expect("the first day");
        let mut decisions = decisions(log);
        decisions.retain(|line| line.file == FIRST_DAY);
        for (number, text) in (1..).zip(text.lines()) {
            let decision = decisions.iter().find(|line| line.number == number);
            let changes = decision.iter().flat_map(|line| changes(&line.value["operation"]["output"]));
            for outcome in changes.skip(number % log.one_in.0).step_by(log.one_in.0) {
                let changed = with_outcome(decision.expect("a decision"), outcome);
                let verdict = with_entry(&changed, |entry| replay_on(&mut world, entry));
                assert!(matches!(verdict, ReplayVerdict::Differed(_)), "{FIRST_DAY}:{number}: {verdict:?}: {changed}");
                tried += 1;
            }
            with_entry(text, |entry| world.apply(entry));
        }
        assert!(tried > log.least.1, "only {tried} changes of {} were tried", log.folder);
    }
}

pub(super) fn with_entry<T>(line: &str, then: impl FnOnce(&Envelope<'_>) -> T) -> T {
    let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
    then(&batch.entries().next().expect("an entry").envelope)
}

fn has_events(line: &Line) -> bool {
    line.value["operation"]["output"]["events"].as_array().is_some_and(|events| !events.is_empty())
}

/// The first difference is that of the changed line: what comes before it did not change.
#[test]
fn the_line_of_a_changed_event_is_named() {
    for log in &LOGS {
        for line in decisions(log).iter().filter(|line| has_events(line)).step_by(log.one_in.1) {
            let project = log.copy();
            let path = project.history(&line.file);
            let good = fs::read_to_string(&path).expect("read");
            let mut changes = changes(&line.value["operation"]["output"]);
            if line.file == FIRST_DAY {
                // Nothing behind it is needed, and one of its changes is enough: the other test has tried them all.
                fs::remove_file(project.history(SECOND_DAY)).expect("removed");
                changes = vec![changes.swap_remove(line.number % changes.len())];
            }
            for outcome in changes.into_iter().step_by(log.one_in.1) {
                let (above, below) = above_and_below(&good, line.number);
                let below = if line.file == FIRST_DAY { "" } else { below };
                fs::write(&path, [above, &with_outcome(line, outcome), "\n", below].concat()).expect("written");
                let first = replay(&project).differed.first().map(|found| (found.segment.clone(), found.line));
                assert_eq!(first, Some((line.file.clone(), line.number as u64)));
            }
        }
    }
}

/// Where nothing happened and nothing happens, no other decision is touched: all of them can be changed at once.
#[test]
fn the_lines_of_changed_refusals_are_named() {
    for log in &LOGS {
        let project = log.copy();
        let mut expected = Vec::new();
        for line in decisions(log).iter().filter(|line| !has_events(line)) {
            let path = project.history(&line.file);
            let text = fs::read_to_string(&path).expect("read");
            let (above, below) = above_and_below(&text, line.number);
            let changes = changes(&line.value["operation"]["output"]);
            let outcome = changes.into_iter().find(|outcome| outcome["events"] == json!([])).expect("a change");
            fs::write(&path, [above, &with_outcome(line, outcome), "\n", below].concat()).expect("written");
            expected.push((line.file.clone(), line.number as u64));
        }
        let mut named: Vec<_> =
            replay(&project).differed.into_iter().map(|found| (found.segment, found.line)).collect();
        named.sort();
        expected.sort();
        assert_eq!(named, expected);
    }
}

fn above_and_below(text: &str, number: usize) -> (&str, &str) {
    let start = text.split_inclusive('\n').take(number - 1).map(str::len).sum();
    let (above, rest) = text.split_at(start);
    (above, rest.split_once('\n').map_or("", |(_, below)| below))
}

#[test]
fn the_program_ends_with_1_and_names_the_line() {
    let (project, log) = (program::Project::new(), &LOGS[0]);
    for (name, text) in log.files() {
        project.write(&format!(".context/history/{name}"), &text);
    }
    let good = project.annals(["replay", "--all"], "");
    assert_eq!((good.code, good.stderr.as_str()), (Some(0), ""));
    let line = decisions(log).into_iter().find(|line| line.value["operation"]["name"] == "access.grant.give");
    let line = line.expect("a grant");
    let day = format!(".context/history/{}", line.file);
    let text = project.read(&day);
    let (above, below) = above_and_below(&text, line.number);
    let bad = line.value.to_string().replace(r#""data":{"agent":"critic""#, r#""data":{"agent":"coder""#);
    project.write(&day, &[above, &bad, "\n", below].concat());
    let run = project.annals(["replay", "--all"], "");
    assert_eq!(run.code, Some(1));
    let place = format!(
        "history/{}:{}  {}  access.grant.give\n",
        line.file,
        line.number,
        line.value["id"].as_str().expect("an id")
    );
    assert!(run.stdout.starts_with(&place), "{}", run.stdout);
}
