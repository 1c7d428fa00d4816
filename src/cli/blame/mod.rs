//! `annals blame`: for each line of a file the call, session and prompt that wrote it.
//!
//! Prints; `view::blame` tells.

mod line;
pub(super) mod place;

use std::collections::BTreeMap;

use self::place::{BlamedPlace, FilePlace};
use super::shell::{CommandOutcome, Done, Shell, Usage};
use super::table::Column::{Goes, Key, Text};
use crate::kernel::counted::counted;
use crate::kernel::id::EntryId;
use crate::view::blame::{BlameSessions, BlamedCall, BlamedFile, blamed};
use crate::view::gist::{cut, fold, short_id};

/// Arguments of `annals blame`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A file; with a line or lines behind it, as in src/lib.rs:12 or src/lib.rs:12-20, these alone
    #[arg(value_name = "FILE[:LINE]")]
    file: String,
    /// The file of a commit [default: that of the work tree]
    #[arg(long, value_name = "COMMIT")]
    rev: Option<String>,
    /// Take sessions into account that ran in another folder, too: in a copy, or before the project moved
    #[arg(long)]
    elsewhere: bool,
}

/// How much of a prompt a row shows, in characters.
const PROMPT: usize = 40;

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let FilePlace { path, lines } = place::find(shell, &arguments.file, arguments.rev.as_deref())?;
    let sessions = if arguments.elsewhere { BlameSessions::All } else { BlameSessions::OfProject };
    let asked = place::asked(shell, path, arguments.rev.clone(), sessions)?;
    let repository = place::repository(shell)?;
    let mut file = blamed(&engine, repository.as_ref(), &asked)?;
    if let Some(lines) = lines {
        only(&mut file, lines)?;
    }
    if shell.wants_json() {
        shell.out.answer(&file)?;
        return Ok(CommandOutcome::Done);
    }
    if lines.is_some_and(|lines| lines.first == lines.last) {
        line::print(shell, &engine, &file)?;
    } else {
        print(shell, &file)?;
    }
    say_counts(shell, &file)?;
    Ok(CommandOutcome::Done)
}

/// Leaves only some lines, and the calls that wrote them.
fn only(file: &mut BlamedFile, BlamedPlace { first, last }: BlamedPlace) -> Result<(), Usage> {
    let count = file.lines.len();
    if first > count {
        return Err(Usage(format!("{} has {}", file.file, counted(count as u64, "line"))));
    }
    file.lines.retain(|line| (first..=last).contains(&line.line));
    let of = |call: EntryId| file.lines.iter().filter(|line| line.call == Some(call)).count();
    let counts: Vec<usize> = file.calls.iter().map(|call| of(call.entry)).collect();
    for (call, count) in file.calls.iter_mut().zip(counts) {
        call.lines = count;
    }
    file.calls.retain(|call| call.lines > 0);
    file.by_agents = file.lines.iter().filter(|line| line.call.is_some()).count();
    file.unknown = file.lines.len() - file.by_agents;
    Ok(())
}

/// A row a line; on a terminal only the first of several of one call says whose they are.
fn print(shell: &mut Shell, file: &BlamedFile) -> std::io::Result<()> {
    let calls: BTreeMap<EntryId, &BlamedCall> = file.calls.iter().map(|call| (call.entry, call)).collect();
    let is_grouped = shell.out.target == super::output::OutputTarget::Terminal;
    let mut before = None;
    let rows: Vec<Vec<String>> = file
        .lines
        .iter()
        .map(|line| {
            let call = line.call.and_then(|call| calls.get(&call));
            let is_again = is_grouped && before == Some(line.call);
            before = Some(line.call);
            let mut cells = if is_again {
                vec![String::new(); 5]
            } else {
                whose(call.copied(), if is_grouped { short_id } else { |id| id })
            };
            cells.extend([line.line.to_string(), line.text.clone()]);
            cells
        })
        .collect();
    let columns = [
        Key("session"),
        Goes(3, "agent"),
        Goes(1, "when"),
        Goes(2, "call"),
        Goes(0, "prompt"),
        Key("line"),
        Text("text"),
    ];
    shell.out.table(&columns, &rows)
}

fn whose(call: Option<&BlamedCall>, id: fn(&str) -> &str) -> Vec<String> {
    let Some(call) = call else {
        return vec!["unknown".to_owned(), String::new(), String::new(), String::new(), String::new()];
    };
    let (session, entry) = (call.session.to_string(), call.entry.to_string());
    let agent = call.agent.as_ref().map(ToString::to_string).unwrap_or_default();
    let prompt = call.prompt.as_ref().map(|prompt| cut(&fold(&prompt.text), PROMPT)).unwrap_or_default();
    vec![id(&session).to_owned(), agent, call.at.to_string(), id(&entry).to_owned(), prompt]
}

/// Says how many lines are whose, and what was passed over.
fn say_counts(shell: &mut Shell, file: &BlamedFile) -> std::io::Result<()> {
    let mut agents: BTreeMap<String, usize> = BTreeMap::new();
    for call in &file.calls {
        let agent = call.agent.as_ref().map_or_else(|| "an agent without a name".to_owned(), ToString::to_string);
        *agents.entry(agent).or_default() += call.lines;
    }
    let agents: Vec<String> = agents.into_iter().map(|(agent, lines)| format!("{lines} by {agent}")).collect();
    let whose = agents.into_iter().chain([format!("{} unknown", file.unknown)]).collect::<Vec<_>>().join(", ");
    shell.out.say(format_args!("{}: {whose}", counted(file.lines.len() as u64, "line")))?;
    let passed = &file.passed;
    let says = [
        (
            passed.opaque.len(),
            "call",
            "changed the file in a way that the record does not show: what came of it is unknown",
        ),
        (passed.elsewhere, "call", "of sessions that ran in another folder passed over; --elsewhere takes them"),
        (passed.versions, "older version", "not read"),
        (passed.unreadable, "large value", "could not be read; `annals verify --blobs` names it"),
    ];
    for (count, what, says) in says.into_iter().filter(|(count, ..)| *count > 0) {
        shell.out.say(format_args!("{} {says}", counted(count as u64, what)))?;
    }
    Ok(())
}
