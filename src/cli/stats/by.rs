//! `annals stats --by`: one table of what was done and what it cost, by one key, in one pass over the entries that are meant.

use annals_sparse::sparse;
use serde::Serialize;

use crate::cli::output::OutputTarget;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key as Stays, Text};
use crate::cli::time::local_day;
use crate::domain::Rooms;
use crate::domain::session::state::ToolTotal;
use crate::domain::usage::Tally;
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::view::price::{Cost, Prices, tokens};

/// By what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Key {
    Day,
    Model,
    Agent,
    Session,
    Tool,
}

/// What one value of the key comes to.
#[sparse]
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct KeyRow {
    key: String,
    /// Of a session.
    title: Option<String>,
    entries: u64,
    calls: u64,
    failed: u64,
    duration_ms: u64,
    input: i64,
    cached: i64,
    output: i64,
    /// None where no token is known.
    cost: Option<Cost>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct KeyRows<'r> {
    by: &'static str,
    rows: &'r [KeyRow],
}

/// What is counted, by what, and at which prices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    /// By what.
    pub key: Key,
    /// Which entries.
    pub filter: &'q Filter,
    /// Prices of the user's own.
    pub prices: &'q Prices,
}

/// Prints the table.
pub(crate) fn run(shell: &mut Shell, engine: &Engine, question: Question<'_>, most: usize) -> Done {
    let (key, mut rows) = (question.key, rows(shell, engine, question)?);
    match key {
        Key::Day => rows.sort_by(|left, right| right.key.cmp(&left.key)),
        Key::Model | Key::Agent | Key::Session | Key::Tool => rows.sort_by_key(|row| {
            (std::cmp::Reverse((row.input + row.cached + row.output, row.entries, row.calls)), row.key.clone())
        }),
    }
    if key == Key::Session {
        name(shell, engine, &mut rows)?;
    }
    shell.say_noticed(&engine.noticed()?)?;
    if shell.wants_json() {
        shell.out.answer(&KeyRows { by: word(key), rows: &rows })?;
    } else {
        print(shell, key, &rows, most)?;
    }
    Ok(CommandOutcome::Done)
}

fn word(key: Key) -> &'static str {
    match key {
        Key::Day => "day",
        Key::Model => "model",
        Key::Agent => "agent",
        Key::Session => "session",
        Key::Tool => "tool",
    }
}

fn rows(shell: &Shell, engine: &Engine, question: Question<'_>) -> anyhow::Result<Vec<KeyRow>> {
    let Question { key, filter, prices } = question;
    let is_local = shell.out.target == OutputTarget::Terminal && !shell.wants_json();
    let key_of = |entry: &Envelope<'_>| match key {
        Key::Day if is_local => local_day(entry.at()).to_string(),
        Key::Day => entry.at().day().to_string(),
        Key::Model => entry.model().unwrap_or_default().to_string(),
        Key::Agent => entry.agent().unwrap_or_default().to_string(),
        Key::Session => entry.session().to_string(),
        Key::Tool => String::new(),
    };
    let counted = engine.reader()?.counted_by(filter, key_of)?;
    if key == Key::Tool {
        let tools = counted.values().flat_map(|rooms| &rooms.session.totals.by_tool);
        return Ok(tools.map(|(name, total)| KeyRow::of_tool(name, total)).collect());
    }
    Ok(counted.into_iter().map(|(key, rooms)| KeyRow::of(key, &rooms, prices)).collect())
}

impl KeyRow {
    fn of(key: String, rooms: &Rooms, prices: &Prices) -> Self {
        let (totals, models) = (&rooms.session.totals, &rooms.usage.totals.by_model);
        let ToolTotal { calls, failed, duration_ms } = totals.calls();
        let sum = |number: fn(&Tally) -> i64| models.values().map(number).sum();
        Self {
            key,
            title: None,
            entries: totals.entries,
            calls,
            failed,
            duration_ms,
            input: sum(|tally| tokens(tally) - tally.usage.cache_read - tally.usage.cache_write - tally.usage.output),
            cached: sum(|tally| tally.usage.cache_read + tally.usage.cache_write),
            output: sum(|tally| tally.usage.output),
            cost: Cost::of(models, prices),
        }
    }

    fn of_tool(name: &str, tool: &ToolTotal) -> Self {
        let key = name.to_owned();
        Self { key, calls: tool.calls, failed: tool.failed, duration_ms: tool.duration_ms, ..Self::default() }
    }
}

/// Gives sessions their titles.
fn name(shell: &Shell, engine: &Engine, rows: &mut [KeyRow]) -> anyhow::Result<()> {
    let titles = shell.ask(engine, |world| {
        let title = |row: &KeyRow| world.rooms.session.session(&SessionId::from(row.key.as_str()))?.title.clone();
        rows.iter().map(title).collect::<Vec<_>>()
    })?;
    for (row, title) in rows.iter_mut().zip(titles) {
        row.title = title.map(|title| clean(engine, title.as_str()));
        if row.key == NO_SESSION {
            row.title = Some("(what belongs to no session)".to_owned());
        }
    }
    Ok(())
}

fn print(shell: &mut Shell, key: Key, rows: &[KeyRow], most: usize) -> std::io::Result<()> {
    let tokens = [Goes(3, "input"), Goes(2, "cached"), Goes(4, "output"), Stays("cost")];
    let mut columns = vec![Stays(word(key)), Goes(5, "entries"), Goes(6, "calls"), Goes(7, "failed")];
    match key {
        Key::Tool => columns = vec![Stays("tool"), Stays("calls"), Stays("failed"), Stays("time")],
        Key::Day | Key::Model | Key::Agent => columns.extend(tokens),
        Key::Session => columns.extend(tokens.into_iter().chain([Text("title")])),
    }
    shell.out.is_empty = rows.is_empty();
    let cells: Vec<_> = rows.iter().map(|row| cells(shell, key, row)).collect();
    super::table(shell, &columns, &cells, most)?;
    if let Some(month) = rows.iter().find_map(|row| row.cost.as_ref()?.prices_of) {
        say_prices(shell, month)?;
    }
    Ok(())
}

/// Says where prices come from, to a person.
pub(super) fn say_prices(shell: &mut Shell, month: &str) -> std::io::Result<()> {
    if shell.out.target == OutputTarget::Pipe {
        return Ok(());
    }
    shell.out.line(format_args!("list prices of {month}; `annals config set usage.prices` has those of your own"))
}

fn cells(shell: &Shell, key: Key, row: &KeyRow) -> Vec<String> {
    let name = if row.key.is_empty() { "(not named)".to_owned() } else { row.key.clone() };
    if key == Key::Tool {
        let total = ToolTotal { calls: row.calls, failed: row.failed, duration_ms: row.duration_ms };
        return super::tool_row(shell, &name, &total);
    }
    let cost = row.cost.as_ref().map(Cost::text).unwrap_or_default();
    let mut cells = vec![name, row.entries.to_string(), row.calls.to_string(), row.failed.to_string()];
    cells.extend([row.input, row.cached, row.output].map(|number| super::shown(shell, number)));
    cells.push(cost);
    cells.extend((key == Key::Session).then(|| row.title.clone().unwrap_or_default()));
    cells
}
