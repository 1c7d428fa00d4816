//! `annals voice report`: what the voice cost, and what followed.
//!
//! What followed is read from the history each time: the next call of the session that was told, whether the error ended
//! there, whether a belief was used.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key};
use crate::domain::dialectic::row::EndedError;
use crate::domain::voice::command::{Give, Occasion, PieceTopic};
use crate::domain::voice::state::Spent;
use crate::engine::Engine;
use crate::engine::query::filter::{Completions, Filter};
use crate::hook::used::REASON;
use crate::kernel::actor::SYSTEM;
use crate::kernel::counted::counted;
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::id::{EntryId, SessionId};
use crate::log::read::Flow;

/// Arguments of `annals voice report`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// Of how many tellings it is looked up what followed, the latest
    #[arg(long, default_value_t = 200)]
    limit: usize,
}

/// What followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Followed {
    /// Tellings behind which a call came.
    calls: u64,
    /// Calls that were another one than the last before.
    differed: u64,
    /// Calls that succeeded.
    succeeded: u64,
    /// Repeated errors that the agent was told of.
    errors: u64,
    /// Those that ended in that session since.
    ended: u64,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct VoiceReport {
    /// What it cost, by occasion.
    spent: BTreeMap<Occasion, Spent>,
    /// What followed, by occasion.
    followed: BTreeMap<Occasion, Followed>,
    /// How often a belief was told and then used; it is as strong as on its first day since.
    beliefs_used: u64,
    /// Sessions that are told nothing.
    muted: Vec<SessionId>,
}

pub(in crate::cli) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (spent, muted) = shell.ask(&engine, |world| {
        let voice = &world.rooms.voice;
        let sessions = voice.sessions.first_by_rank(usize::MAX).into_iter();
        let muted = sessions.filter(|(_, told)| told.silence.is_some()).map(|(id, _)| id.clone());
        (voice.totals.spent.clone(), muted.collect::<Vec<_>>())
    })?;
    let followed = followed(&engine, arguments.limit)?;
    let beliefs_used = beliefs_used(&engine, arguments.limit)?;
    if shell.wants_json() {
        shell.out.answer(&VoiceReport { spent, followed, beliefs_used, muted })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = spent.iter().map(|(occasion, spent)| cells(*occasion, *spent, &followed)).collect();
    let columns = [
        Key("when"),
        Key("times"),
        Key("tokens"),
        Goes(1, "pieces"),
        Goes(2, "withheld"),
        Key("other call next"),
        Key("succeeded"),
        Key("error ended"),
    ];
    shell.out.table(&columns, &rows)?;
    if beliefs_used > 0 {
        shell.out.say(format!("{} told and then used", counted(beliefs_used, "belief")))?;
    }
    for session in &muted {
        shell.out.say(format!("{session} is told nothing"))?;
    }
    if rows.is_empty() {
        shell.out.say("no agent was told anything yet; `annals setup AGENT` installs the hooks that do")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(occasion: Occasion, spent: Spent, followed: &BTreeMap<Occasion, Followed>) -> Vec<String> {
    let after = followed.get(&occasion).copied().unwrap_or_default();
    let of = |count: u64| if after.calls == 0 { "-".to_owned() } else { format!("{count} of {}", after.calls) };
    vec![
        occasion.to_string(),
        spent.times.to_string(),
        spent.tokens.to_string(),
        spent.pieces.to_string(),
        spent.withheld.to_string(),
        of(after.differed),
        of(after.succeeded),
        if after.errors == 0 { "-".to_owned() } else { format!("{} of {}", after.ended, after.errors) },
    ]
}

/// One reading for all sessions: each for itself would read the day's segment again.
fn followed(engine: &Engine, limit: usize) -> anyhow::Result<BTreeMap<Occasion, Followed>> {
    let filter = Filter { names: vec!["voice.context.give".to_owned()], ..Filter::default() };
    let mut reader = engine.reader()?;
    let mut told: BTreeMap<SessionId, Vec<(EntryId, Occasion)>> = BTreeMap::new();
    let mut followed: BTreeMap<Occasion, Followed> = BTreeMap::new();
    for found in reader.newest(&filter, limit)? {
        let input = found.entry.operation.input.value();
        let Ok(give) = serde_json::from_value::<Give>(input["command"].clone()) else { continue };
        ended(engine, &give, found.entry.id, followed.entry(give.occasion).or_default())?;
        told.entry(give.session).or_default().push((found.entry.id, give.occasion));
    }
    let first = |session: &SessionId| engine.ask(|world| Some(world.rooms.session.session(session)?.first));
    let firsts = told.keys().map(first).collect::<Result<Vec<_>, _>>()?;
    let since = firsts.into_iter().flatten().min().unwrap_or(EntryId::MAX);
    let kinds = vec![OperationType::ToolCall.to_string()];
    let mut calls: BTreeMap<SessionId, Vec<HistoryEntry>> = BTreeMap::new();
    let filter = Filter { kinds, since, completions: Completions::Hidden, ..Filter::default() };
    reader.each(&filter, &mut |found| {
        if told.contains_key(&found.entry.session_id) {
            calls.entry(found.entry.session_id.clone()).or_default().push(found.entry);
        }
        Flow::More
    })?;
    for (session, told) in told {
        let calls = calls.get(&session).map(Vec::as_slice).unwrap_or_default();
        for (entry, occasion) in told {
            note(followed.entry(occasion).or_default(), calls, entry);
        }
    }
    Ok(followed)
}

/// Whether the error of a telling has ended in its session since.
fn ended(engine: &Engine, give: &Give, at: EntryId, followed: &mut Followed) -> anyhow::Result<()> {
    let gates = give.pieces.iter().filter(|piece| piece.topic == PieceTopic::Gate);
    // `gate/FINGERPRINT/COUNT`: a fingerprint may have any letter in it.
    let print = |key: &str| Some(key.strip_prefix("gate/")?.rsplit_once('/')?.0.to_owned());
    for print in gates.filter_map(|gate| print(&gate.key)).filter(|_| give.occasion == Occasion::Failure) {
        let is_over = |end: &EndedError| end.session == give.session && end.worked > at;
        followed.errors += 1;
        followed.ended += u64::from(engine.ask(|world| world.rooms.dialectic.ends.get(&print).is_some_and(is_over))?);
    }
    Ok(())
}

fn beliefs_used(engine: &Engine, limit: usize) -> anyhow::Result<u64> {
    let filter = Filter { names: vec!["hivemind.entry.access".to_owned()], ..Filter::default() };
    let is_used = |entry: &HistoryEntry| {
        let command = &entry.operation.input.value()["command"];
        command["reason"] == REASON && entry.provenance.agent_id.as_ref().is_some_and(|by| by.as_str() == SYSTEM)
    };
    let found = engine.reader()?.newest(&filter, limit)?;
    Ok(found.iter().filter(|found| is_used(&found.entry)).count() as u64)
}

fn note(followed: &mut Followed, calls: &[HistoryEntry], told: EntryId) {
    let Some(next) = calls.iter().find(|call| call.id > told) else { return };
    let before = calls.iter().rfind(|call| call.id < told);
    let is_same = before.is_some_and(|before| {
        (&before.operation.name, &before.operation.input) == (&next.operation.name, &next.operation.input)
    });
    followed.calls += 1;
    followed.differed += u64::from(!is_same);
    followed.succeeded += u64::from(next.operation.success);
}
