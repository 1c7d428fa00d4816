//! `annals status --line`: one line for the status line of an agent, which gives what it knows of its session on stdin.
//!
//! Reads the state, and of a session that goes on since yesterday its entries of today. Never an error in the agent's face:
//! where nothing is recorded, the line is empty.

use std::io::{IsTerminal as _, Read as _};

use serde::{Deserialize, Serialize};

use super::{ForYou, for_you};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::time::{FORMS, read as read_time};
use crate::domain::usage::Tally;
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::engine::settings::PRICES;
use crate::import::claude_code::KIND;
use crate::kernel::counted::counted;
use crate::kernel::id::{EntryId, ModelId, SessionId};
use crate::kernel::time::Timestamp;
use crate::view::price::Cost;

/// What an agent says is read as far as this.
const MOST_BYTES: u64 = 1 << 20;
/// So many sessions of a day are counted.
const MOST_SESSIONS: usize = 1000;

/// What an agent says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StatusInput {
    session_id: Option<String>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct StatusLine {
    /// The session that the agent names; else the latest.
    session: Option<SessionId>,
    /// What it cost; none where no token is known.
    session_cost: Option<Cost>,
    /// What the day cost, from midnight here.
    today_cost: Option<Cost>,
    /// Calls of the session that failed in a row, up to now.
    failures: u32,
    /// Notices, candidates of knowledge and councils that wait for the user.
    waits: u64,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    if shell.context().is_err() {
        return Ok(CommandOutcome::Done);
    }
    let engine = shell.engine()?;
    let line = line(shell, &engine, &said())?;
    if shell.wants_json() {
        shell.out.answer(&line)?;
    } else {
        shell.out.line(line.text())?;
    }
    Ok(CommandOutcome::Done)
}

/// What the agent says on stdin; nothing where a person types, and where it is no JSON.
fn said() -> StatusInput {
    let stdin = std::io::stdin();
    let mut text = String::new();
    let is_read = !stdin.is_terminal() && stdin.lock().take(MOST_BYTES).read_to_string(&mut text).is_ok();
    if is_read { serde_json::from_str(&text).unwrap_or_default() } else { StatusInput::default() }
}

fn line(shell: &Shell, engine: &Engine, said: &StatusInput) -> anyhow::Result<StatusLine> {
    // A session that the agent names and that is not here yet is no other one.
    let session = match &said.session_id {
        Some(native) => Some(SessionId::derived(KIND, native)),
        None => shell.session_named(engine, "last")?,
    };
    let prices = engine.settings().get(&PRICES);
    let ForYou { notices, councils, candidates, .. } = for_you(shell, engine)?;
    let (of_session, failures) = shell.ask(engine, |world| {
        let Some(id) = &session else { return (Vec::new(), 0) };
        let usage = world.rooms.usage.sessions.get(id.as_str());
        let tallies =
            usage.iter().flat_map(|usage| usage.by_model.iter().map(|(model, tally)| (model.clone(), *tally)));
        (tallies.collect(), world.rooms.cognition.minds.get(id.as_str()).map_or(0, |mind| mind.watch.failures))
    })?;
    Ok(StatusLine {
        session,
        session_cost: cost(&of_session, &prices),
        today_cost: cost(&today(shell, engine)?, &prices),
        failures,
        waits: notices as u64 + councils + candidates as u64,
    })
}

fn cost(tallies: &[(ModelId, Tally)], prices: &crate::view::price::Prices) -> Option<Cost> {
    Cost::of(tallies.iter().map(|(model, tally)| (model, tally)), prices)
}

/// What was used since midnight: sessions begun since then whole, of those that go on since before their entries since then.
fn today(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<(ModelId, Tally)>> {
    let now = shell.now(engine)?;
    let midnight = read_time("today", now).ok_or_else(|| anyhow::anyhow!("BUG: {FORMS}"))?.first;
    let (mut tallies, older) = shell.ask(engine, |world| {
        let sessions = world.rooms.session.sessions.first_by_rank(MOST_SESSIONS).into_iter();
        let (mut whole, mut older) = (Vec::new(), Vec::new());
        for (id, session) in sessions.take_while(|(_, session)| session.updated_at >= midnight) {
            let Some(usage) = world.rooms.usage.sessions.get(id.as_str()) else { continue };
            if session.created_at < midnight {
                older.push((*id).clone());
            } else {
                whole.extend(usage.by_model.iter().map(|(model, tally)| (model.clone(), *tally)));
            }
        }
        (whole, older)
    })?;
    for session in older {
        tallies.extend(since(engine, session, midnight)?);
    }
    Ok(tallies)
}

fn since(engine: &Engine, session: SessionId, midnight: Timestamp) -> anyhow::Result<Vec<(ModelId, Tally)>> {
    let filter = Filter { session: Some(session), since: EntryId::new(midnight, 0), ..Filter::default() };
    let totals = engine.reader()?.counted(&filter)?.usage.totals;
    Ok(totals.by_model.into_iter().collect())
}

impl StatusLine {
    fn text(&self) -> String {
        let cost = |name: &str, cost: &Option<Cost>| cost.as_ref().map(|cost| format!("{name} {}", cost.text()));
        let failures = (self.failures > 0).then(|| match self.failures {
            1 => "last call failed".to_owned(),
            failures => format!("{failures} failures in a row"),
        });
        let waits = (self.waits > 0).then(|| match self.waits {
            1 => "1 thing waits".to_owned(),
            waits => format!("{} wait", counted(waits, "thing")),
        });
        let parts = [cost("session", &self.session_cost), cost("today", &self.today_cost), failures, waits];
        let parts: Vec<_> = std::iter::once("annals".to_owned()).chain(parts.into_iter().flatten()).collect();
        parts.join(" · ")
    }
}
