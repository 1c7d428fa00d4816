//! `annals log`: entries, one a line; the last ones, all of them, or as they come.

use super::line::{Line, Style};
use super::output::Target;
use super::shell::{Done, Edge, Outcome, Shell, clean};
use crate::engine::Engine;
use crate::engine::query::Found;
use crate::engine::query::filter::Filter;
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::envelope::Ending;
use crate::kernel::id::EntryId;
use crate::log::read::Flow;
use crate::view::gist::{cut, gist, short_id};

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
    #[arg(long)]
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

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let filter = filter(shell, &engine, &arguments.wanted)?;
    let mut reader = engine.reader()?;
    let mut result = Ok(());
    if arguments.all {
        reader.each(&filter, &mut |found| {
            result = print(shell, &engine, &found);
            if result.is_ok() { Flow::More } else { Flow::Enough }
        })?;
    } else {
        let newest = reader.newest(&filter, arguments.lines)?;
        result = newest.iter().try_for_each(|found| print(shell, &engine, found));
    }
    result?;
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
    Ok(Filter {
        session,
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
        Target::Terminal => shell.out.styled(&for_eyes(shell.out.width(), &found.entry, &said)),
        Target::Pipe => shell.out.row(&for_programs(&found.entry, &said)),
    }
}

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
    let place = format!("{} {} {}", &time[..19].replace('T', " "), short_id(&id), short_id(entry.session_id.as_str()));
    let name = format!("{:<12}", cut(&entry.operation.name, 24));
    let agent = format!("{:<12}", cut(agent, 20));
    let taken = place.chars().count() + agent.chars().count() + name.chars().count() + 5;
    let said = cut(said, width.saturating_sub(taken).max(20));
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
