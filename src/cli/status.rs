//! `annals status`: what happened since the user last looked, what waits, and what is wrong, in a few lines.
//!
//! Reads no more than the state, the configuration and the entries since then; `annals doctor` looks at everything.

pub(super) mod line;

use std::path::PathBuf;

use anyhow::Context as _;
use serde::Serialize;

use super::config::not_in_force;
use super::output::OutputTarget;
use super::shell::{CommandOutcome, Done, Shell};
use crate::domain::knowledge::row::Review;
use crate::domain::session::state::ToolTotal;
use crate::engine::Engine;
use crate::engine::consent::{Held, Holding, Waiting};
use crate::engine::query::filter::Filter;
use crate::hook::spool;
use crate::kernel::actor::USER;
use crate::kernel::counted::count;
use crate::kernel::id::{AgentId, EntryId};
use crate::kernel::time::Timestamp;
use crate::log::disk::Safety;
use crate::view::gist::cut;
use crate::view::notice::words;

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Status {
    context: String,
    sessions: u64,
    oddities: u64,
    entered: Vec<Held>,
    unfounded: Vec<Held>,
    waiting: Vec<Waiting>,
    tokens: Vec<AgentId>,
    /// Since the user last looked at it on a terminal of this clone; none before that.
    since: Option<Since>,
    for_you: ForYou,
    wrong: Wrong,
}

/// What came since then.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Since {
    at: Timestamp,
    sessions: u64,
    entries: u64,
    calls: u64,
    failed: u64,
}

/// What waits for the user.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ForYou {
    notices: usize,
    /// The latest of them.
    notice: Option<Box<str>>,
    councils: u64,
    candidates: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Wrong {
    damaged_lines: u64,
    spooled: usize,
}

/// More of one kind are looked at no further: `100 and more`.
const MOST: usize = 100;
/// So many settings of one kind are named.
const NAMED: usize = 3;

/// Arguments of `annals status`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// One line for an agent's status line (`annals setup claude-code --status-line`)
    #[arg(long)]
    line: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.line {
        return line::run(shell);
    }
    let context = shell.context()?.display().to_string();
    let engine = shell.engine()?;
    let (sessions, oddities, last) = shell.ask(&engine, |world| {
        let totals = &world.rooms.session.totals;
        (totals.sessions, world.oddities.count, totals.last_at)
    })?;
    let Holding { entered, unfounded } = engine.held_settings()?;
    let (waiting, tokens) = (engine.waiting_settings(), engine.waiting_tokens()?);
    let since = looked(&engine)?.map(|at| since(&engine, at)).transpose()?;
    let wrong = Wrong {
        damaged_lines: engine.noticed()?.trouble_count,
        spooled: spool::count(&**engine.disk(), engine.place())?,
    };
    let for_you = for_you(shell, &engine)?;
    let status = Status { context, sessions, oddities, entered, unfounded, waiting, tokens, since, for_you, wrong };
    if shell.wants_json() {
        shell.out.answer(&status)?;
        return Ok(CommandOutcome::Done);
    }
    happened(shell, &status, last)?;
    waits(shell, &status)?;
    is_wrong(shell, &status)?;
    // A script's look is none of the user's.
    if shell.out.target == OutputTarget::Terminal && shell.actor().as_str() == USER && shell.until()? == EntryId::MAX {
        look(&engine, last)?;
    }
    Ok(CommandOutcome::Done)
}

/// The time of the last entry that the user had seen.
fn looked(engine: &Engine) -> anyhow::Result<Option<Timestamp>> {
    let mark = mark(engine);
    let text = engine.disk().read(&mark).with_context(|| format!("cannot read {}", mark.display()))?;
    // A mark that cannot be read is none.
    Ok(text.and_then(|text| String::from_utf8(text).ok()?.trim().parse().ok()))
}

fn look(engine: &Engine, last: Option<Timestamp>) -> anyhow::Result<()> {
    let (Some(last), mark) = (last, mark(engine)) else { return Ok(()) };
    // Not synced: a mark that a power cut takes only calls too much new.
    let written = engine.disk().replace(&mark, format!("{last}\n").as_bytes(), Safety::Cached);
    written.with_context(|| format!("cannot write {}", mark.display()))
}

/// The file that holds the time of the last entry that the user had seen.
fn mark(engine: &Engine) -> PathBuf {
    engine.place().local().join("looked")
}

fn since(engine: &Engine, at: Timestamp) -> anyhow::Result<Since> {
    let filter = Filter { since: EntryId::new(at.plus_millis(1), 0), ..Filter::default() };
    let totals = engine.reader()?.counted(&filter)?.session.totals;
    let ToolTotal { calls, failed, .. } = totals.calls();
    Ok(Since { at, sessions: totals.sessions, entries: totals.entries, calls, failed })
}

fn for_you(shell: &Shell, engine: &Engine) -> anyhow::Result<ForYou> {
    shell.ask(engine, |world| {
        let rooms = &world.rooms;
        let open = rooms.notice.notices.first_by_rank(MOST).into_iter().map(|(_, notice)| notice);
        let open: Vec<_> = open.filter(|notice| notice.heard.is_none()).collect();
        let candidates = rooms.knowledge.candidates.first_by_rank(MOST);
        ForYou {
            notices: open.len(),
            notice: open.first().map(|notice| words(rooms, &notice.posted).title),
            councils: rooms.council.totals.open,
            candidates: candidates.iter().filter(|(_, candidate)| candidate.review == Review::Waiting).count(),
        }
    })
}

fn happened(shell: &mut Shell, status: &Status, last: Option<Timestamp>) -> std::io::Result<()> {
    let last =
        last.map_or_else(|| "nothing is recorded yet".to_owned(), |at| format!("last entry {}", shell.out.time(at)));
    shell.out.line(format_args!("{}: {}, {last}", status.context, count(status.sessions, "session", "sessions")))?;
    let Some(since) = &status.since else { return Ok(()) };
    let at = shell.out.time(since.at);
    if since.entries == 0 {
        return shell.out.line(format_args!("nothing new since you last looked ({at})"));
    }
    let failed = if since.failed == 0 { String::new() } else { format!(" ({} failed)", since.failed) };
    let counts = [
        count(since.entries, "entry", "entries"),
        format!("in {}", count(since.sessions, "session", "sessions")),
        format!("{}{failed}", count(since.calls, "call", "calls")),
    ];
    shell.out.line(format_args!("since you last looked ({at}): {}; `annals session list`", counts.join(", ")))
}

fn waits(shell: &mut Shell, status: &Status) -> std::io::Result<()> {
    let ForYou { notices, notice, councils, candidates } = &status.for_you;
    if let Some(title) = notice {
        let notices = up_to_most(*notices, "notice", "notices");
        shell
            .out
            .line(format_args!("waits for you: {notices}, the latest: {}; `annals notice list`", cut(title, 80)))?;
    }
    if *councils > 0 {
        let councils = count(*councils, "council is open", "councils are open");
        shell.out.line(format_args!("waits for votes: {councils}; `annals council list`"))?;
    }
    if *candidates > 0 {
        let candidates = up_to_most(*candidates, "candidate", "candidates");
        shell.out.line(format_args!("waits for your review: {candidates} of knowledge; `annals knowledge accept`"))?;
    }
    for agent in &status.tokens {
        let advice = format!("`annals agent token {agent} --accept`");
        shell.out.line(format_args!("the log has another token of {agent}; it does not count here: {advice}"))?;
    }
    let settings: Vec<_> = status.waiting.iter().map(not_in_force).collect();
    some(shell, &settings, "`annals config accept` shows them all")
}

fn is_wrong(shell: &mut Shell, status: &Status) -> std::io::Result<()> {
    let entered = status
        .entered
        .iter()
        .map(|Held { key, value }| format!("in force because the user entered it here: {key} = {value}"));
    some(shell, &entered.collect::<Vec<_>>(), "`annals config list` shows them all")?;
    let says = "in force by local/settings, though no entry here says so";
    let unfounded = status.unfounded.iter().map(|Held { key, value }| {
        format!("{says}: {key} = {value}: `annals config set {key} --default` takes it back")
    });
    some(shell, &unfounded.collect::<Vec<_>>(), "`annals status --json` has them all")?;
    let Wrong { damaged_lines, spooled } = status.wrong;
    let found = [
        (damaged_lines > 0)
            .then(|| count(damaged_lines, "line is damaged: `annals verify`", "lines are damaged: `annals verify`")),
        (spooled > 0).then(|| format!("payloads of hooks wait to be recorded ({spooled}): `annals doctor`")),
        (status.oddities > 0).then(|| {
            let entries = count(status.oddities, "entry means", "entries mean");
            format!("{entries} nothing to this version: `annals state`, member `oddities`")
        }),
    ];
    for line in found.iter().flatten() {
        shell.out.line(format_args!("wrong: {line}"))?;
    }
    if found.iter().all(Option::is_none) {
        shell.out.line("nothing is wrong in what was read; `annals verify` and `annals doctor` look at everything")?;
    }
    Ok(())
}

/// A count of what was looked at no further than `MOST`.
fn up_to_most(number: usize, one: &str, many: &str) -> String {
    let text = count(number, one, many);
    if number < MOST { text } else { format!("{text} and more") }
}

/// The first of some lines, and how many more there are.
fn some(shell: &mut Shell, lines: &[String], all: &str) -> std::io::Result<()> {
    let (shown, more) = lines.split_at(lines.len().min(NAMED));
    shown.iter().try_for_each(|line| shell.out.line(line))?;
    if more.is_empty() { Ok(()) } else { shell.out.line(format_args!("and {} more: {all}", more.len())) }
}
