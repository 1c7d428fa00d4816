//! `annals stats`: counts of everything, or of one session; from the folded state, so that they cost the same at any size.

pub(super) mod by;

use std::collections::BTreeMap;
use std::io;

use annals_sparse::sparse;
use serde::Serialize;

use self::by::{Key, Question};
use super::output::OutputTarget;
use super::shell::{CommandOutcome, Done, Shell};
use super::table::Column::{self, Goes, Key as Stays, Text};
use super::wanted::Wanted;
use crate::domain::session::state::{ToolTotal, Totals};
use crate::domain::usage::Tally;
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::engine::settings::PRICES;
use crate::kernel::id::{AgentId, EntryId, ModelId, SessionId};
use crate::kernel::time::Timestamp;
use crate::view::gist::{count, duration};
use crate::view::price::{Cost, Prices, tokens};

/// Arguments of `annals stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Of one session
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// One table: by day, model, agent, session or tool
    #[arg(long, value_name = "KEY", hide_possible_values = true)]
    by: Option<Key>,
    #[command(flatten)]
    wanted: Wanted,
    /// Every tool, agent and day, not only the first of them
    #[arg(long)]
    all: bool,
}

/// What there is to tell.
#[sparse]
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Stats {
    session: Option<SessionId>,
    totals: Totals,
    #[always]
    agents: BTreeMap<AgentId, Tally>,
    #[always]
    models: BTreeMap<ModelId, Tally>,
    /// None where no token is known.
    cost: Option<Cost>,
    /// Lines of each day's (or week's) file, archived ones included; none where the files do not tell.
    lines_by_day: Option<BTreeMap<String, u64>>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let prices = engine.settings().get(&PRICES);
    let session = arguments.session.as_deref().map(|text| shell.find_session(&engine, text)).transpose()?;
    let filter = Filter { session: session.clone(), ..arguments.wanted.filter(shell)? };
    if let Some(key) = arguments.by {
        return by::run(
            shell,
            &engine,
            Question { key, filter: &filter, prices: &prices },
            if arguments.all { usize::MAX } else { 30 },
        );
    }
    let mut stats = if session.is_some() || arguments.wanted.is_any() {
        of_some(&engine, session, &filter)?
    } else {
        of_everything(shell, &engine)?
    };
    stats.cost = Cost::of(&stats.models, &prices);
    shell.say_noticed(&engine.noticed()?)?;
    if shell.wants_json() {
        shell.out.answer(&stats)?;
    } else {
        print(shell, &stats, &prices, if arguments.all { usize::MAX } else { 15 })?;
    }
    Ok(CommandOutcome::Done)
}

fn of_everything(shell: &Shell, engine: &Engine) -> anyhow::Result<Stats> {
    let mut stats = shell.ask(engine, |world| Stats {
        totals: world.rooms.session.totals.clone(),
        agents: world.rooms.usage.totals.by_agent.clone(),
        models: world.rooms.usage.totals.by_model.clone(),
        ..Stats::default()
    })?;
    // The files tell of now only.
    if shell.until()? == EntryId::MAX {
        let lines_by_day = stats.lines_by_day.get_or_insert_default();
        for (segment, lines) in engine.reader()?.lines_by_segment() {
            *lines_by_day.entry(day_of(segment).to_owned()).or_default() += lines;
        }
    }
    Ok(stats)
}

/// `2026-11-21` for `2026-11-21.jsonl`, for `2026-11-21.k3f9x2ab.1.jsonl` of one writer, and for
/// `archive/2026-11-21-0a1b2c.jsonl.zst`.
fn day_of(segment: &str) -> &str {
    let name = segment.rsplit('/').next().unwrap_or(segment);
    let stem = name.split('.').next().unwrap_or(name);
    let archived = segment.contains('/').then(|| stem.rsplit_once('-')).flatten();
    archived.map_or(stem, |(day, _)| day)
}

/// Counted anew, from the entries that are meant alone.
fn of_some(engine: &Engine, session: Option<SessionId>, filter: &Filter) -> anyhow::Result<Stats> {
    let rooms = engine.reader()?.counted(filter)?;
    let (totals, usage) = (rooms.session.totals, rooms.usage.totals);
    Ok(Stats { session, totals, agents: usage.by_agent, models: usage.by_model, ..Stats::default() })
}

fn print(shell: &mut Shell, stats: &Stats, prices: &Prices, most: usize) -> io::Result<()> {
    let totals = &stats.totals;
    let mut time = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), |at| shell.out.time(at));
    let (began, ended) = (time(totals.first_at), time(totals.last_at));
    let mut first = vec![vec!["entries".to_owned(), totals.entries.to_string()]];
    if totals.retold > 0 {
        first.push(vec!["retold".to_owned(), totals.retold.to_string()]);
    }
    // Of one session that is always one.
    first.extend(stats.session.is_none().then(|| vec!["sessions".to_owned(), totals.sessions.to_string()]));
    first.extend([vec!["first".to_owned(), began], vec!["last".to_owned(), ended]]);
    if !stats.models.is_empty() {
        first.push(vec!["tokens".to_owned(), shown(shell, stats.models.values().map(tokens).sum())]);
        first.extend(stats.cost.as_ref().map(|cost| vec!["cost".to_owned(), cost.text()]));
    }
    table(shell, &[Stays("total"), Stays("")], &first, usize::MAX)?;
    let types = totals.by_type.iter().map(|(kind, count)| (*count, vec![kind.to_string(), count.to_string()]));
    table(shell, &[Stays("type"), Stays("entries")], &by_count(types), most)?;
    let tools = totals.by_tool.iter().map(|(name, tool)| (tool.calls, tool_row(shell, name, tool)));
    table(shell, &[Text("tool"), Stays("calls"), Stays("failed"), Stays("time")], &by_count(tools), most)?;
    let agents =
        stats.agents.iter().map(|(agent, tally)| (tally.usage.output, usage_row(shell, agent.as_str(), tally)));
    table(
        shell,
        &[Text("agent"), Stays("requests"), Goes(2, "input"), Goes(1, "cached"), Stays("output")],
        &by_count(agents),
        most,
    )?;
    let models = stats.models.iter().map(|(model, tally)| {
        let mut row = usage_row(shell, model.as_str(), tally);
        row.push(Cost::of([(model, tally)], prices).map(|cost| cost.text()).unwrap_or_default());
        (tally.usage.output, row)
    });
    table(
        shell,
        &[Text("model"), Stays("requests"), Goes(2, "input"), Goes(1, "cached"), Stays("output"), Stays("cost")],
        &by_count(models),
        most,
    )?;
    let days = stats.lines_by_day.iter().flatten().rev().map(|(day, lines)| vec![day.clone(), lines.to_string()]);
    table(shell, &[Stays("day"), Stays("lines")], &days.collect::<Vec<_>>(), most)?;
    stats.cost.as_ref().and_then(|cost| cost.prices_of).map_or(Ok(()), |month| by::say_prices(shell, month))
}

/// The highest count first.
fn by_count<C: Ord>(rows: impl Iterator<Item = (C, Vec<String>)>) -> Vec<Vec<String>> {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|(left, left_row), (right, right_row)| right.cmp(left).then_with(|| left_row.cmp(right_row)));
    rows.into_iter().map(|(_, row)| row).collect()
}

fn tool_row(shell: &Shell, name: &str, tool: &ToolTotal) -> Vec<String> {
    let time = match (shell.out.target, tool.duration_ms) {
        (OutputTarget::Terminal, 0) => String::new(),
        (OutputTarget::Terminal, millis) => duration(millis),
        (OutputTarget::Pipe, millis) => millis.to_string(),
    };
    vec![name.to_owned(), tool.calls.to_string(), tool.failed.to_string(), time]
}

fn usage_row(shell: &Shell, name: &str, tally: &Tally) -> Vec<String> {
    let usage = &tally.usage;
    let name = if name.is_empty() { "(not named)" } else { name };
    let others = i64::try_from(tally.other_tokens).unwrap_or(i64::MAX);
    let numbers = [usage.requests, usage.input + others, usage.cache_read + usage.cache_write, usage.output];
    std::iter::once(name.to_owned()).chain(numbers.map(|number| shown(shell, number))).collect()
}

fn shown(shell: &Shell, number: i64) -> String {
    match shell.out.target {
        OutputTarget::Terminal => count(number),
        OutputTarget::Pipe => number.to_string(),
    }
}

/// On a terminal a table with a header; in a pipe its name stands before each row.
fn table(shell: &mut Shell, columns: &[Column], rows: &[Vec<String>], most: usize) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let rest = rows.len().saturating_sub(most);
    match shell.out.target {
        OutputTarget::Pipe => {
            rows.iter().try_for_each(|row| shell.out.row(&[&[columns[0].title().to_owned()], row.as_slice()].concat()))
        }
        OutputTarget::Terminal => {
            shell.out.table(columns, &rows[..rows.len() - rest])?;
            if rest > 0 {
                shell.out.line(format_args!("… {rest} more: --all"))?;
            }
            shell.out.line("")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::day_of;

    #[test]
    fn every_kind_of_segment_is_of_its_day() {
        let segments = ["2026-11-21.jsonl", "2026-11-21.k3f9x2ab.1.jsonl", "archive/2026-11-21-0a1b2c.jsonl.zst"];
        assert_eq!(segments.map(day_of), ["2026-11-21"; 3]);
    }
}
