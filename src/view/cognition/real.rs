//! Triggers on real sessions, where `ANNALS_TRANSCRIPTS` names their folder; `docs/COGNITION.md` has the tables, which
//! this test prints with `--nocapture`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::domain::cognition::mind::ConditionFate;
use crate::engine::clock::Clock;
use crate::import::run::{Mode, Run};
use crate::import::sniff::{HEAD_BYTES, recognise};
use crate::log::disk::RealDisk;
use crate::testing::transcripts;

/// Everything that can be imported, in one log.
fn imported(root: &Path, context: &Path) -> Engine {
    let clock = Clock::new(Some("2026-11-21T03:10:00Z".parse().expect("a time")), Some("real".to_owned()));
    let engine = Engine::open(Arc::new(RealDisk), context, clock).expect("opened");
    let mut run = Run::new(&engine, Mode::Record).expect("begun");
    let index = fs::read_to_string(root.join("INDEX.tsv")).expect("the index can be read");
    for path in index.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        if path.starts_with("mutations/") {
            continue;
        }
        let bytes = fs::read(root.join(path)).expect("the transcript can be read");
        if let Ok(kind) = recognise(&bytes[..bytes.len().min(HEAD_BYTES)], path) {
            run.source(kind, path, &mut &bytes[..]).expect("imported");
        }
    }
    engine
}

type Totals = BTreeMap<Box<str>, (u64, u64, u64)>;

fn table(rows: &[(String, BTreeMap<Box<str>, u64>)], totals: &Totals) -> String {
    let mut text = String::from("| trigger | fires | of it held back | sessions |\n|---|---|---|---|\n");
    for (trigger, (fires, held, sessions)) in totals {
        let _ = writeln!(text, "| {trigger} | {fires} | {held} | {sessions} |");
    }
    text += "\n| session | calls | triggers |\n|---|---|---|\n";
    for (session, counts) in rows.iter().take(20) {
        let counts = counts.iter().map(|(trigger, count)| format!("{trigger} {count}"));
        let _ = writeln!(text, "| {session} | {} |", counts.collect::<Vec<_>>().join(", "));
    }
    text
}

/// AFS 5.3, on sessions that nobody made for us.
#[test]
fn triggers_find_something_in_real_sessions() {
    let Some(root) = transcripts() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let context = folder.path().join(".context");
    fs::create_dir_all(context.join("history")).expect("made");
    let engine = imported(&root, &context);
    let sessions = engine.ask(|world| {
        let all = world.rooms.cognition.minds.iter();
        all.map(|(id, mind)| (id.clone(), mind.watch.calls)).collect::<Vec<_>>()
    });
    let (mut rows, mut totals) = (Vec::new(), Totals::new());
    for (session, calls) in sessions.expect("asked") {
        let listing = Listing::of(&engine, &session, EntryId::MAX).expect("listed");
        let mut counts: BTreeMap<Box<str>, u64> = BTreeMap::new();
        for found in &listing.firings {
            let total = totals.entry(found.edge.trigger.clone()).or_default();
            match found.edge.fate {
                ConditionFate::Fires => {
                    total.0 += 1;
                    *counts.entry(found.edge.trigger.clone()).or_default() += 1;
                }
                ConditionFate::Cooling | ConditionFate::Spent => total.1 += 1,
            }
        }
        for trigger in counts.keys() {
            totals.entry(trigger.clone()).or_default().2 += 1;
        }
        let due = engine.ask(|world| world.rooms.cognition.mind(session.as_str()).map_or(0, |mind| mind.pending.len()));
        let fires = listing.firings.iter().filter(|found| found.edge.fate == ConditionFate::Fires).count();
        assert!(due.expect("asked") >= fires.min(64), "{session}: the fold found less than the play");
        rows.push((format!("{session} | {calls}"), counts));
    }
    rows.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.values().sum::<u64>()), name.clone()));
    #[expect(clippy::print_stderr, reason = "tests only: the tables that the documentation has")]
    {
        eprintln!("{} sessions\n{}", rows.len(), table(&rows, &totals));
    }
    assert!(totals.len() >= 5, "{totals:?}");
}
