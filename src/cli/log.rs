//! `annals log`: entries, one a line; the last ones, all of them, or as they come.

use std::collections::BTreeSet;

use serde_json::Value;

use super::line::{Line, Style};
use super::output::OutputTarget;
use super::shell::{CommandOutcome, Done, Shell, clean};
use super::wanted::Wanted;
use crate::engine::Engine;
use crate::engine::query::filter::{Completions, Filter};
use crate::engine::query::{Found, Reader};
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::envelope::Ending;
use crate::kernel::joined::completes;
use crate::kernel::json::Json;
use crate::kernel::record::Event;
use crate::log::read::Flow;
use crate::view::gist::{cut, fold, gist, short_id};
use crate::view::width::{self as columns, padded};

/// Arguments of `annals log`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// How many, the last ones
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// All of them
    #[arg(long, conflicts_with = "lines")]
    all: bool,
    /// Go on with new ones as they come
    #[arg(short, long)]
    follow: bool,
}

/// Which entries are wanted.
#[derive(Debug, clap::Args)]
struct Which {
    #[command(flatten)]
    wanted: Wanted,
    /// Entries of this session
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// Entries of this type, such as `tool_call`; * stands for anything, and several may be given, here and below
    #[arg(long = "type", value_name = "TYPE")]
    kinds: Vec<String>,
    /// Entries of this name: a tool, prompt, message, …
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Entries with this tag
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only what succeeded
    #[arg(long, conflicts_with = "failed")]
    succeeded: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let filter = filter(shell, &engine, &arguments.which)?;
    let mut reader = engine.reader()?;
    let sought = arguments.which.wanted.text.as_deref();
    shell.out.is_empty = !shell.wants_json();
    if arguments.all {
        print_all(shell, &engine, &mut reader, &filter)?;
    } else {
        let newest = newest(shell, &engine, &mut reader, &filter, arguments.lines)?;
        newest.iter().try_for_each(|found| print(shell, &engine, sought, found))?;
    }
    shell.say_noticed(&reader.notices)?;
    if arguments.follow {
        shell.out.flush()?;
        let mut result = Ok(());
        reader.follow(filter).run(&mut |found| {
            result = print(shell, &engine, sought, &found).and_then(|()| shell.out.flush());
            if result.is_ok() { Flow::More } else { Flow::Enough }
        })?;
        result?;
    }
    Ok(CommandOutcome::Done)
}

/// The last so many, the oldest of them first; as they stand in the log where a program reads them. What is told elsewhere
/// makes some fall away, so that more are asked for until there are enough.
fn newest(
    shell: &Shell,
    engine: &Engine,
    reader: &mut Reader<'_>,
    filter: &Filter,
    count: usize,
) -> anyhow::Result<Vec<Found>> {
    let mut asked = count;
    loop {
        let found = reader.newest(filter, asked)?;
        let are_all = found.len() < asked;
        let mut told = if shell.wants_json() { found } else { whole(&mut engine.reader()?, filter, found)? };
        if are_all || told.len() >= count {
            return Ok(told.split_off(told.len().saturating_sub(count)));
        }
        // Four times, so that a log of which most falls away is asked a few times and not for each entry.
        asked = asked.saturating_mul(4);
    }
}

/// All of them, some at a time: what is told of them elsewhere is looked up for many at once.
fn print_all(shell: &mut Shell, engine: &Engine, reader: &mut Reader<'_>, filter: &Filter) -> anyhow::Result<()> {
    // What is told elsewhere costs a look through the log: so it is looked for by the thousand, and not one by one.
    const AT_ONCE: usize = 1000;
    let (mut batch, mut result) = (Vec::new(), Ok(()));
    reader.each(filter, &mut |found| {
        batch.push(found);
        if batch.len() >= AT_ONCE {
            result = print_together(shell, engine, filter, std::mem::take(&mut batch));
        }
        if result.is_ok() { Flow::More } else { Flow::Enough }
    })?;
    result?;
    print_together(shell, engine, filter, batch)
}

/// Entries; as they stand in the log where a program reads them.
fn print_together(shell: &mut Shell, engine: &Engine, filter: &Filter, found: Vec<Found>) -> anyhow::Result<()> {
    let found = if shell.wants_json() { found } else { whole(&mut engine.reader()?, filter, found)? };
    Ok(found.iter().try_for_each(|found| print(shell, engine, filter.text.as_deref(), found))?)
}

/// Each thing once, with what was told of it later. Where it matters how a call ended, what completes a call stands for it.
fn whole(reader: &mut Reader<'_>, filter: &Filter, found: Vec<Found>) -> anyhow::Result<Vec<Found>> {
    let Some(ending) = filter.ending else { return Ok(reader.whole(found)?) };
    let (mut seen, mut wanted) = (BTreeSet::new(), Vec::new());
    for found in found {
        let id = completes(&found.entry).unwrap_or(found.entry.id);
        if !seen.insert(id) {
            continue;
        }
        if id == found.entry.id {
            wanted.push(found);
        } else {
            wanted.extend(reader.all(&Filter { named: Some((id, id)), ..Filter::default() })?);
        }
    }
    let ended = |found: &Found| if found.entry.operation.success { Ending::Succeeded } else { Ending::Failed };
    Ok(reader.whole(wanted)?.into_iter().filter(|found| ended(found) == ending).collect())
}

fn filter(shell: &Shell, engine: &Engine, which: &Which) -> anyhow::Result<Filter> {
    let wanted = which.wanted.filter(shell)?;
    let session = which.session.as_deref().map(|text| shell.find_session(engine, text)).transpose()?;
    let ending = wanted.ending.or(which.succeeded.then_some(Ending::Succeeded));
    // Where it matters how a call ended, what completes it may say otherwise than its entry.
    let asks_for_all =
        shell.wants_json() || ending.is_some() || which.names.iter().any(|name| name == Event::Completion.name());
    Ok(Filter {
        session,
        completions: if asks_for_all { Completions::Shown } else { Completions::Hidden },
        kinds: which.kinds.clone(),
        names: which.names.clone(),
        tags: which.tags.clone(),
        ending,
        ..wanted
    })
}

fn print(shell: &mut Shell, engine: &Engine, sought: Option<&str>, found: &Found) -> std::io::Result<()> {
    shell.out.is_empty = false;
    if shell.wants_json() {
        // The line as it stands: a program may want the members that this version does not know.
        return shell.out.json_text(&String::from_utf8_lossy(&found.original));
    }
    let said = clean(engine, &sought.map_or_else(|| gist(&found.entry), |text| around(&found.entry, text)));
    match shell.out.target {
        OutputTarget::Terminal => {
            let (width, time) = (shell.out.width(), shell.out.time(found.entry.timestamp));
            shell.out.cut(&for_eyes(width, &time, &found.entry).join(marked(&said, sought)))
        }
        OutputTarget::Pipe => shell.out.row(&for_programs(&found.entry, &said)),
    }
}

/// Where the terminal is narrower, what an entry says takes the place of its session.
const WIDE: usize = 110;

/// What an entry says where a text was looked for: what stands around it, unless its gist has it.
pub(super) fn around(entry: &HistoryEntry, sought: &str) -> String {
    const BEFORE: usize = 30;
    let gist = gist(entry);
    if gist.contains(sought) {
        return gist;
    }
    let operation = &entry.operation;
    let values = [Some(operation.input.value()), operation.output.as_ref().map(Json::value)];
    let in_values = values.into_iter().flatten().find_map(|value| text_with(&value, sought));
    let found =
        in_values.or_else(|| operation.error.as_deref().filter(|text| text.contains(sought)).map(str::to_owned));
    let Some(text) = found else { return format!("{gist} (it stands in a large value: `annals show`)") };
    let at = text.find(sought).unwrap_or(0);
    let begin = text[..at].char_indices().rev().take(BEFORE).last().map_or(at, |(begin, _)| begin);
    format!("{}{}", if begin == 0 { "" } else { "…" }, fold(&text[begin..]))
}

/// The first text of a value in which another stands.
fn text_with(value: &Value, sought: &str) -> Option<String> {
    match value {
        Value::String(text) => text.contains(sought).then(|| text.clone()),
        Value::Array(items) => items.iter().find_map(|item| text_with(item, sought)),
        Value::Object(members) => members.values().find_map(|member| text_with(member, sought)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// What an entry says, with what was looked for in a colour.
fn marked(said: &str, sought: Option<&str>) -> Line {
    let Some((before, text, behind)) = sought.filter(|text| !text.is_empty()).and_then(|text| {
        let (before, behind) = said.split_once(text)?;
        Some((before, text, behind))
    }) else {
        return Line::plain(said);
    };
    Line::plain(before).and(Style::Yellow, text).then(behind)
}

/// Time, entry, session, agent, name.
fn for_eyes(width: usize, time: &str, entry: &HistoryEntry) -> Line {
    let id = entry.id.to_string();
    let agent = entry.provenance.agent_id.as_ref().map_or("-", |agent| agent.as_str());
    let (sign, style) = match (&entry.operation.kind, entry.operation.success) {
        (_, false) => ("✗", Style::Red),
        (OperationType::ToolCall, true) => (" ", Style::Cyan),
        (OperationType::UserInput, true) => (" ", Style::Bold),
        (OperationType::AgentMessage, true) => (" ", Style::Green),
        (OperationType::SystemEvent | OperationType::CognitiveState | OperationType::Other(_), true) => {
            (" ", Style::Dim)
        }
    };
    let session = if width < WIDE { "" } else { short_id(entry.session_id.as_str()) };
    let place = format!("{time} {} {session}", short_id(&id));
    let (agents, names) = if width < WIDE { (8, 8) } else { (12, 12) };
    let name = padded(&columns::cut(&entry.operation.name, names * 2), names);
    let agent = padded(&columns::cut(agent, if width < WIDE { agents } else { 20 }), agents);
    let line = Line::of(Style::Dim, place).then(format_args!(" {agent} ")).and(style, sign);
    line.then(" ").and(style, name).then(" ")
}

/// Time, entry, session, agent, type, name, `ok` or `failed`, milliseconds, what it says; with a tab between.
fn for_programs(entry: &HistoryEntry, said: &str) -> [String; 9] {
    const LONGEST: usize = 400;
    let operation = &entry.operation;
    [
        entry.timestamp.to_string(),
        entry.id.to_string(),
        entry.session_id.to_string(),
        entry.provenance.agent_id.as_ref().map(ToString::to_string).unwrap_or_default(),
        operation.kind.to_string(),
        operation.name.to_string(),
        if operation.success { "ok" } else { "failed" }.to_owned(),
        operation.duration_ms.map(|millis| millis.to_string()).unwrap_or_default(),
        cut(said, LONGEST),
    ]
}
