//! `annals log`: entries, one a line; the last ones, all of them, or as they come.

use std::collections::BTreeSet;

use super::line::{Line, Style};
use super::output::Target;
use super::shell::{Done, Edge, Outcome, Shell, Usage, clean};
use crate::engine::Engine;
use crate::engine::query::filter::{Completions, Filter};
use crate::engine::query::{Found, Reader};
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::envelope::Ending;
use crate::kernel::id::EntryId;
use crate::kernel::joined::completes;
use crate::kernel::record::Event;
use crate::log::read::Flow;
use crate::view::gist::{cut, gist, short_id};
use crate::view::width::{self as columns, padded};

/// Arguments of `annals log`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    wanted: Wanted,
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
struct Wanted {
    /// Entries of this session
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// Entries of this type, such as `tool_call`; * stands for anything, and several may be given, here and below
    #[arg(long = "type", value_name = "TYPE")]
    kinds: Vec<String>,
    /// Entries of this name: a tool, prompt, message, …
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Entries of this agent, or of user
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,
    /// Entries with this tag
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Entries that touched this file: a path, the end of one, or a folder
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// From this time on: a time, a day, or how long ago, as in 2h or 3d
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Up to this time
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Entries in whose texts this stands, in large values too
    #[arg(long)]
    text: Option<String>,
    /// Only what failed
    #[arg(long, conflicts_with = "succeeded")]
    failed: bool,
    /// Only what succeeded
    #[arg(long)]
    succeeded: bool,
}

/// Arguments of `annals search`.
#[derive(Debug, clap::Args)]
pub struct Search {
    /// The text to look for, in large values too
    words: String,
    #[command(flatten)]
    list: Arguments,
}

pub(super) fn search(shell: &mut Shell, Search { words, mut list }: Search) -> Done {
    if list.wanted.text.is_some() {
        return Err(Usage("give the text once: as an argument, or with --text".to_owned()).into());
    }
    list.wanted.text = Some(words);
    run(shell, &list)
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let filter = filter(shell, &engine, &arguments.wanted)?;
    let mut reader = engine.reader()?;
    if arguments.all {
        print_all(shell, &engine, &mut reader, &filter)?;
    } else {
        let newest = newest(shell, &engine, &mut reader, &filter, arguments.lines)?;
        newest.iter().try_for_each(|found| print(shell, &engine, found))?;
    }
    shell.say_noticed(&reader.notices)?;
    if arguments.follow {
        shell.out.flush()?;
        let mut result = Ok(());
        reader.follow(filter).run(&mut |found| {
            result = print(shell, &engine, &found).and_then(|()| shell.out.flush());
            if result.is_ok() { Flow::More } else { Flow::Enough }
        })?;
        result?;
    }
    Ok(Outcome::Done)
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
        asked = asked.saturating_mul(4);
    }
}

/// All of them, some at a time: what is told of them elsewhere is looked up for many at once.
fn print_all(shell: &mut Shell, engine: &Engine, reader: &mut Reader<'_>, filter: &Filter) -> anyhow::Result<()> {
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
    Ok(found.iter().try_for_each(|found| print(shell, engine, found))?)
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

fn filter(shell: &Shell, engine: &Engine, wanted: &Wanted) -> anyhow::Result<Filter> {
    let bound = |option: &str, text: &Option<String>, edge| {
        text.as_deref().map(|text| shell.bound(option, text, edge)).transpose()
    };
    let at = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
    let until = bound("--until", &wanted.until, Edge::Last)?;
    let session = wanted.session.as_deref().map(|text| shell.find_session(engine, text)).transpose()?;
    let ending = match (wanted.failed, wanted.succeeded) {
        (true, _) => Some(Ending::Failed),
        (false, true) => Some(Ending::Succeeded),
        (false, false) => None,
    };
    // Where it matters how a call ended, what completes it may say otherwise than its entry.
    let asks_for_all =
        shell.wants_json() || ending.is_some() || wanted.names.iter().any(|name| name == Event::Completion.name());
    Ok(Filter {
        session,
        completions: if asks_for_all { Completions::Shown } else { Completions::Hidden },
        kinds: wanted.kinds.clone(),
        names: wanted.names.clone(),
        agents: wanted.agents.clone(),
        tags: wanted.tags.clone(),
        files: wanted.files.clone(),
        since: bound("--since", &wanted.since, Edge::First)?.unwrap_or_default(),
        until: until.into_iter().chain(at).min(),
        text: wanted.text.clone(),
        ending,
        ..Filter::default()
    })
}

fn print(shell: &mut Shell, engine: &Engine, found: &Found) -> std::io::Result<()> {
    if shell.wants_json() {
        return shell.out.json_text(&String::from_utf8_lossy(&found.original));
    }
    let said = clean(engine, &gist(&found.entry));
    match shell.out.target {
        Target::Terminal => shell.out.cut(&for_eyes(shell.out.width(), &found.entry, &said)),
        Target::Pipe => shell.out.row(&for_programs(&found.entry, &said)),
    }
}

/// Where the terminal is narrower, what an entry says takes the place of its session.
const WIDE: usize = 110;

/// Time, entry, session, agent, name, what it says.
fn for_eyes(width: usize, entry: &HistoryEntry, said: &str) -> Line {
    let (time, id) = (entry.timestamp.to_string(), entry.id.to_string());
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
    let place = format!("{} {} {session}", &time[..19].replace('T', " "), short_id(&id));
    let (agents, names) = if width < WIDE { (8, 8) } else { (12, 12) };
    let name = padded(&columns::cut(&entry.operation.name, names * 2), names);
    let agent = padded(&columns::cut(agent, if width < WIDE { agents } else { 20 }), agents);
    let line = Line::of(Style::Dim, place).then(format_args!(" {agent} ")).and(style, sign);
    line.then(" ").and(style, name).then(format_args!(" {said}"))
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
