//! `annals analyse A..B`, `--since`, or several sessions: a row for each, and all of them together.
//!
//! Reads one session after the other; what is below a session counts with it, and gets no row of its own unless it is named.

use std::collections::BTreeSet;

use anyhow::anyhow;
use serde::Serialize;

use super::Arguments;
use crate::analysis::AnalysisMode;
use crate::analysis::range::{CountsByKind, FigureOverSessions, RangeTotal, SessionLook, look, total};
use crate::cli::line::{Line, Style};
use crate::cli::output::OutputTarget;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::view::gist::short_id;

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct AnalysedRange {
    mode: AnalysisMode,
    sessions: Vec<SessionRow>,
    total: RangeTotal,
}

/// A session of several.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SessionRow {
    session: SessionId,
    started_at: Timestamp,
    title: Option<Box<str>>,
    #[serde(flatten)]
    look: SessionLook,
}

/// A session that is meant.
struct MeantSessions {
    id: SessionId,
    started_at: Timestamp,
    title: Option<Box<str>>,
    /// Whether another session began it.
    is_below: bool,
}

/// Between the first and the last session of a range.
const TO: &str = "..";

/// Whether several sessions are asked for.
pub(super) fn is_asked(arguments: &Arguments) -> bool {
    arguments.sessions.len() > 1 || arguments.wanted.is_any() || arguments.sessions.iter().any(|text| text.contains(TO))
}

pub(super) fn run(shell: &mut Shell, engine: &Engine, arguments: &Arguments, settings: &Settings) -> Done {
    let meant = meant(shell, engine, arguments)?;
    let mode = super::mode_of(arguments, settings);
    let until = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
    let mut reader = engine.reader()?;
    let mut sessions = Vec::with_capacity(meant.len());
    for MeantSessions { id, started_at, title, .. } in meant {
        let look = look(mode, &reader.record(&id, until)?, settings);
        sessions.push(SessionRow { session: id, started_at, title, look });
    }
    shell.say_noticed(&reader.notices)?;
    let total = total(sessions.iter().map(|row| &row.look));
    let range = AnalysedRange { mode, sessions, total };
    if shell.wants_json() {
        shell.out.answer(&range)?;
    } else {
        print(shell, engine, &range, arguments.lines)?;
    }
    Ok(CommandOutcome::Done)
}

/// The sessions that are meant, in the order in which they began.
fn meant(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<Vec<MeantSessions>> {
    let mut all: Vec<MeantSessions> = shell.ask(engine, |world| {
        let sessions = world.rooms.session.sessions.iter();
        let meant = sessions.map(|(id, session)| MeantSessions {
            id: id.clone(),
            started_at: session.created_at,
            title: session.title.as_ref().map(|title| title.as_str().into()),
            is_below: session.parent_session_id.is_some(),
        });
        meant.collect()
    })?;
    all.sort_by(|left, right| (left.started_at, &left.id).cmp(&(right.started_at, &right.id)));
    let holding = if arguments.wanted.is_any() {
        Some(engine.reader()?.sessions(&arguments.wanted.filter(shell)?)?)
    } else {
        None
    };
    let named = named(shell, engine, arguments, &all)?;
    let is_named = |meant: &MeantSessions| named.as_ref().is_none_or(|named| named.contains(&meant.id));
    // What is below a session is looked at with it.
    let counts = |meant: &MeantSessions| arguments.sessions.iter().any(|text| !text.contains(TO)) || !meant.is_below;
    all.retain(|meant| is_named(meant) && counts(meant) && holding.as_ref().is_none_or(|ids| ids.contains(&meant.id)));
    if all.is_empty() {
        return Err(anyhow!(Usage("no session is meant by that; `annals session list --all` shows all".to_owned())));
    }
    Ok(all)
}

/// The sessions that are named, one by one or as a range; none where all are meant.
fn named(
    shell: &Shell,
    engine: &Engine,
    arguments: &Arguments,
    all: &[MeantSessions],
) -> anyhow::Result<Option<BTreeSet<SessionId>>> {
    if arguments.sessions.is_empty() {
        return Ok(None);
    }
    let mut named = BTreeSet::new();
    for text in &arguments.sessions {
        let Some((from, to)) = text.split_once(TO) else {
            named.insert(shell.find_session(engine, text)?);
            continue;
        };
        let place = |text: &str, missing: usize| -> anyhow::Result<usize> {
            if text.is_empty() {
                return Ok(missing);
            }
            let id = shell.find_session(engine, text)?;
            Ok(all.iter().position(|meant| meant.id == id).unwrap_or(missing))
        };
        let (first, last) = (place(from, 0)?, place(to, all.len().saturating_sub(1))?);
        if first > last {
            return Err(anyhow!(Usage(format!("{text}: the first of a range began before the last: {to}{TO}{from}"))));
        }
        named.extend(all.iter().take(last + 1).skip(first).map(|meant| meant.id.clone()));
    }
    Ok(Some(named))
}

fn kinds(by_kind: &CountsByKind) -> String {
    let mut sorted: Vec<_> = by_kind.iter().collect();
    sorted.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), *kind));
    sorted.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

fn print(shell: &mut Shell, engine: &Engine, range: &AnalysedRange, most: usize) -> std::io::Result<()> {
    let sessions = count(range.total.sessions, "session", "sessions");
    shell.out.styled(&Line::of(Style::Bold, format_args!("{} of {sessions}", range.mode)))?;
    let shown = if most == 0 { range.sessions.len() } else { most.min(range.sessions.len()) };
    let mut rows: Vec<Vec<String>> = range.sessions[..shown].iter().map(|row| cells(shell, engine, row)).collect();
    let (steps, findings) = (range.total.steps.to_string(), range.total.findings.to_string());
    let with = format!("in {}", range.total.sessions_with_findings);
    rows.push(vec!["all".to_owned(), with, steps, findings, kinds(&range.total.by_kind), String::new()]);
    let columns =
        [Key("session"), Goes(2, "started"), Goes(1, "entries"), Key("findings"), Text("kinds"), Goes(0, "title")];
    shell.out.table(&columns, &rows)?;
    if shown < range.sessions.len() {
        let more = range.sessions.len() - shown;
        shell.out.styled(&Line::of(Style::Dim, format_args!("… {more} more; -n 0 shows all")))?;
    }
    let figures: Vec<_> = range.total.figures.iter().map(|(name, figure)| figure_row(name, figure)).collect();
    if figures.is_empty() {
        return Ok(());
    }
    shell.out.line("")?;
    shell.out.table(
        &[Key("figure"), Key("mean"), Goes(1, "least, most"), Key("sessions"), Goes(0, "not computable")],
        &figures,
    )
}

fn cells(shell: &Shell, engine: &Engine, row: &SessionRow) -> Vec<String> {
    let id = row.session.to_string();
    let id = if shell.out.target == OutputTarget::Terminal { short_id(&id).to_owned() } else { id };
    let title = row.title.as_deref().map(|title| clean(engine, title)).unwrap_or_default();
    let SessionLook { steps, findings, by_kind, .. } = &row.look;
    vec![id, row.started_at.to_string(), steps.to_string(), findings.to_string(), kinds(by_kind), title]
}

fn figure_row(name: &str, figure: &FigureOverSessions) -> Vec<String> {
    let mean = figure.mean.map_or_else(|| kinds(&figure.words), |mean| mean.to_string());
    let bounds = figure.least.zip(figure.most).map(|(least, most)| format!("{least}, {most}")).unwrap_or_default();
    vec![name.to_owned(), mean, bounds, figure.computed.to_string(), figure.not_computable.to_string()]
}
