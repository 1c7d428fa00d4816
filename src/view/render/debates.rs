//! `memory/YYYY-MM-DD.md`, `memory/failures.jsonl`, `memory/debate-metrics.jsonl`: what was argued, what failed, what
//! debates were worth, with the keys of the source (Dialectic, "Logging Format", "Performance Monitoring", "Failure
//! Tracking State").
//!
//! Of a task the latest attempts are known here; all of them are in the history.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::Files;
use crate::domain::Rooms;
use crate::domain::dialectic::Debate;
use crate::domain::dialectic::command::{DebateKind, Position, ResolvedEnding};
use crate::domain::dialectic::csp::{Resolved, Stakes};
use crate::domain::dialectic::row::Resolving;
use crate::engine::{Engine, EngineError};
use crate::kernel::time::Timestamp;

/// Where they are, below `.context`.
pub(super) const FOLDER: &str = "memory";
const FAILURES: &str = "memory/failures.jsonl";
const METRICS: &str = "memory/debate-metrics.jsonl";

/// The files of all debates and failures; none where there is nothing to say.
pub(super) fn all(engine: &Engine) -> Result<Files, EngineError> {
    engine.ask(|world| {
        let mut files = logs(&world.rooms);
        files.extend(
            [(FAILURES, failures(&world.rooms)), (METRICS, metrics(&world.rooms))]
                .into_iter()
                .filter_map(|(name, text)| (!text.is_empty()).then(|| (name.to_owned(), text))),
        );
        files
    })
}

/// Whether a file of the folder is one of these: `2026-11-21.md`, or one of the two lists.
pub(super) fn is_own(name: &str) -> bool {
    let is_day = |day: &str| {
        day.len() == 10
            && day
                .bytes()
                .enumerate()
                .all(|(at, byte)| if [4, 7].contains(&at) { byte == b'-' } else { byte.is_ascii_digit() })
    };
    let path = format!("{FOLDER}/{name}");
    path == FAILURES || path == METRICS || name.strip_suffix(".md").is_some_and(is_day)
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("BUG: a line of a list does not serialize") + "\n"
}

#[derive(Serialize)]
struct Failed<'f> {
    task_id: &'f str,
    attempt: u32,
    ts: Timestamp,
    error: &'f str,
    fingerprint: &'f str,
    approach: &'f str,
}

fn failures(rooms: &Rooms) -> String {
    let attempts = rooms.dialectic.tasks.iter().flat_map(|(id, task)| task.attempts.iter().map(move |one| (id, one)));
    let mut attempts: Vec<_> = attempts.collect();
    attempts.sort_by_key(|(id, attempt)| (attempt.entry, *id));
    let written = attempts.into_iter().map(|(id, attempt)| {
        line(&Failed {
            task_id: id,
            attempt: attempt.attempt,
            ts: attempt.at,
            error: &attempt.error,
            fingerprint: &attempt.fingerprint,
            approach: attempt.approach.as_deref().unwrap_or_default(),
        })
    });
    written.collect()
}

#[derive(Serialize)]
struct Metric<'m> {
    debate_id: &'m str,
    #[serde(rename = "type")]
    kind: DebateKind,
    task: &'m str,
    resolution: Resolved,
    outcome: Option<ResolvedEnding>,
    helped: Option<bool>,
}

/// Those that came to something, in the order in which they began.
fn resolved(rooms: &Rooms) -> impl Iterator<Item = (&Box<str>, &Debate, &Resolving)> {
    rooms.dialectic.debates.iter().filter_map(|(id, debate)| Some((id, debate, debate.resolved.as_ref()?)))
}

fn metrics(rooms: &Rooms) -> String {
    let lines = resolved(rooms).map(|(id, debate, resolved)| {
        line(&Metric {
            debate_id: id,
            kind: debate.kind,
            task: &debate.summary,
            resolution: resolved.resolution.resolution,
            outcome: debate.judgement.map(|judged| judged.outcome),
            helped: debate.judgement.map(|judged| judged.helped),
        })
    });
    lines.collect()
}

/// A file a day, by when debates were resolved.
fn logs(rooms: &Rooms) -> Files {
    let mut all: Vec<_> = resolved(rooms).collect();
    all.sort_by_key(|(id, _, resolved)| (resolved.at, *id));
    let mut files: BTreeMap<String, String> = Files::new();
    for (_, debate, resolved) in all {
        let day = resolved.at.day();
        let page = files.entry(format!("{FOLDER}/{day}.md")).or_insert_with(|| format!("# Debates of {day}\n"));
        page.push_str(&entry(debate, resolved));
    }
    files
}

/// A text between quotes, on one line.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'"))
}

fn list(items: &[Box<str>]) -> String {
    let items: Vec<_> = items.iter().map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    if items.is_empty() { "none".to_owned() } else { format!("[{}]", items.join(", ")) }
}

fn entry(debate: &Debate, resolved: &Resolving) -> String {
    let time = resolved.at.to_string();
    let minute = time.get(11..16).unwrap_or_default();
    let resolution = &resolved.resolution;
    let task = quoted(&debate.summary);
    let mut text = String::new();
    let mut say = |line: String| writeln!(text, "{line}").expect("BUG: a string cannot be written to");
    match debate.last_round() {
        Some((Position::Claim(claim), Position::Objection(objection))) => {
            let stakes: Stakes = debate.stakes;
            say(format!("\n{minute} DEBATE_PLANNING task:{task}\n  Stakes: {stakes}"));
            say(format!("  Advocate: CLAIM:{} CONFIDENCE:{}", quoted(&claim.claim), claim.confidence));
            say(format!("  Critic: OBJECTION:{} SEVERITY:{}", quoted(&objection.objection), objection.severity));
            say(format!("  Resolution: {}", resolution.resolution));
            say(format!("  Modifications: {}", list(&resolution.modifications)));
        }
        Some((Position::Diagnosis(diagnosis), Position::Doubt(doubt))) => {
            say(format!("\n{minute} DEBATE_FAILURE task:{task} attempt:{}", debate.failures));
            say(format!("  Errors: {}", list(&debate.errors)));
            say(format!("  Advocate: FIX:{} DIFF:{}", quoted(&diagnosis.fix), quoted(&diagnosis.diff)));
            let pattern = quoted(doubt.pattern.as_deref().unwrap_or("none"));
            say(format!("  Critic: PATTERN:{pattern} SHOULD_ESCALATE:{}", doubt.should_escalate));
            say(format!("  Resolution: {}", resolution.resolution));
            let next = resolution.next_approach.as_deref().unwrap_or("human takeover");
            say(format!("  Next approach: {}", quoted(next)));
        }
        Some(_) | None => {}
    }
    text
}
