//! `annals record`: one entry by flags, or many as JSONL on stdin; then what they set off is decided.

use std::collections::BTreeSet;
use std::io::{BufReader, IsTerminal};
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::Engine;
use crate::engine::given::{BadGiven, Defaults, Given, Partly};
use crate::import::records::{Found, each_record};
use crate::kernel::id::{AgentId, EntryId, SessionId};

/// Arguments of `annals record`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Arguments {
    /// `tool_call`, `agent_message`, `user_input`, `system_event`, `cognitive_state`, or a type of your own
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// The tool, the event or the state
    #[arg(long, requires = "kind")]
    name: Option<String>,
    /// What went in: an object of JSON, or @FILE
    #[arg(long, value_name = "JSON|@FILE", requires = "kind")]
    input: Option<String>,
    /// What came out: JSON, a text, or @FILE
    #[arg(long, value_name = "JSON|TEXT|@FILE", requires = "kind")]
    output: Option<String>,
    /// The session [default: `$ANNALS_SESSION`, or the session `record`]
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// Who acted [default: who acts now, see --as]
    #[arg(long)]
    agent: Option<String>,
    /// The model behind the agent
    #[arg(long, requires = "kind")]
    model: Option<String>,
    /// A tag; may be given again
    #[arg(long = "tag", requires = "kind")]
    tags: Vec<String>,
    /// A file that was read or written; may be given again
    #[arg(long = "file", requires = "kind")]
    files: Vec<String>,
    /// How long it took
    #[arg(long, value_name = "MILLISECONDS", requires = "kind")]
    duration_ms: Option<u64>,
    /// It did not do what it was asked
    #[arg(long, requires = "kind")]
    failed: bool,
    /// Why it did not
    #[arg(long, requires = "kind")]
    error: Option<String>,
    /// Read entries from stdin, one object of JSON a line [default where stdin is no terminal and no --type is given]
    #[arg(long, conflicts_with = "kind")]
    stdin: bool,
    /// Record the good lines although others are not
    #[arg(long, conflicts_with = "kind")]
    keep_going: bool,
    /// Record each line of stdin as it comes; its id is printed once it is on the disk
    #[arg(long, conflicts_with_all = ["kind", "keep_going"])]
    each: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let session = arguments.session.clone().or_else(|| shell.environment.session.clone());
    let mut defaults = Defaults {
        at: engine.clock().now(),
        session: Some(SessionId::from(session.unwrap_or_else(|| "record".to_owned()))),
        agent: arguments.agent.as_deref().map(AgentId::from),
        giver: shell.actor(),
    };
    if arguments.each {
        return each_line(shell, &engine, defaults);
    }
    let (given, mut refused) = if let Some(kind) = &arguments.kind {
        defaults.agent = defaults.agent.or_else(|| Some(shell.actor()));
        let text = by_flags(arguments, kind)?.to_string();
        (vec![Given::read(1, &text, &defaults).map_err(|error| Usage(error.to_string()))?], RefusedLines::default())
    } else if arguments.stdin || !std::io::stdin().is_terminal() {
        by_lines(&defaults)?
    } else {
        return Err(Usage("give --type and --name, or entries on stdin".to_owned()).into());
    };
    let how = if arguments.keep_going { Partly::KeepGoing } else { Partly::AllOrNothing };
    let mut ids = Vec::new();
    let sessions = given.iter().map(|given| session_of(&engine, given)).collect();
    if refused.count == 0 || how == Partly::KeepGoing {
        let taken = engine.record_given(given, how)?;
        ids = taken.appended.iter().map(|appended| appended.id).collect();
        taken.refused.into_iter().for_each(|(line, error)| refused.push(line, error));
        refused.first.sort_by_key(|(line, _)| *line);
        engine.react_all(&sessions)?;
    }
    report(shell, &ids, &refused, how)
}

fn by_flags(arguments: &Arguments, kind: &str) -> anyhow::Result<Value> {
    let name = arguments.name.as_deref().ok_or_else(|| Usage("--type needs a --name".to_owned()))?;
    let input = match &arguments.input {
        Some(text) => serde_json::from_str(&text_of(text)?).map_err(|error| Usage(format!("--input: {error}")))?,
        None => json!({}),
    };
    let output = arguments.output.as_deref().map(text_of).transpose()?;
    let output = output.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text)));
    let mut entry = json!({
        "operation": {
            "type": kind, "name": name, "input": input,
            "success": !arguments.failed && arguments.error.is_none(),
        },
        "provenance": {}, "metadata": {},
    });
    let mut set = |object: &str, key: &str, value: Option<Value>| {
        if let Some(value) = value {
            entry[object][key] = value;
        }
    };
    let list = |values: &[String]| (!values.is_empty()).then(|| Value::from(values.to_vec()));
    set("operation", "output", output);
    set("operation", "duration_ms", arguments.duration_ms.map(Value::from));
    set("operation", "error", arguments.error.clone().map(Value::from));
    set("provenance", "model_id", arguments.model.clone().map(Value::from));
    set("metadata", "tags", list(&arguments.tags));
    set("metadata", "files_touched", list(&arguments.files));
    Ok(entry)
}

/// A value, or the content of the file that it names.
fn text_of(value: &str) -> anyhow::Result<String> {
    let Some(path) = value.strip_prefix('@') else { return Ok(value.to_owned()) };
    std::fs::read_to_string(PathBuf::from(path)).with_context(|| format!("cannot read {path}"))
}

/// Lines that were refused: the first ones with the reason, of the others the number.
#[derive(Debug, Default)]
struct RefusedLines {
    first: Vec<(u64, BadGiven)>,
    count: usize,
}

impl RefusedLines {
    /// So many are named; whoever has more looks at these first.
    // Each bad line of a stream was once kept and printed, so that its sender chose how much memory that took.
    const MOST_NAMED: usize = 30;

    fn push(&mut self, line: u64, error: BadGiven) {
        self.count += 1;
        if self.first.len() < Self::MOST_NAMED {
            self.first.push((line, error));
        }
    }

    fn more(&self) -> usize {
        self.count - self.first.len()
    }
}

type Sorted = (Vec<Given>, RefusedLines);

fn by_lines(defaults: &Defaults) -> anyhow::Result<Sorted> {
    let (mut good, mut bad) = (Vec::new(), RefusedLines::default());
    each_record(&mut BufReader::new(std::io::stdin()), |found| {
        match found {
            Found::Record { line, text } => match Given::read(line, &text, defaults) {
                Ok(given) => good.push(given),
                Err(error) => bad.push(line, error),
            },
            Found::Other { line, reason } => bad.push(line, BadGiven::NotAnObject(reason.as_str().to_owned())),
        }
        Ok::<(), std::io::Error>(())
    })?;
    Ok((good, bad))
}

/// Each line is recorded before the next one is read, and says at once what came of it.
fn each_line(shell: &mut Shell, engine: &Engine, mut defaults: Defaults) -> Done {
    let (mut outcome, mut refused) = (CommandOutcome::Done, 0_usize);
    let mut sessions = BTreeSet::new();
    each_record(&mut BufReader::new(std::io::stdin()), |found| {
        defaults.at = engine.clock().now();
        let (line, given) = match found {
            Found::Record { line, text } => (line, Given::read(line, &text, &defaults)),
            Found::Other { line, reason } => (line, Err(BadGiven::NotAnObject(reason.as_str().to_owned()))),
        };
        let recorded = match given {
            Ok(given) => {
                sessions.insert(session_of(engine, &given));
                record_one(engine, given)?
            }
            Err(error) => Err(error),
        };
        if recorded.is_err() {
            (outcome, refused) = (CommandOutcome::Refused, refused + 1);
            if refused > RefusedLines::MOST_NAMED && !shell.wants_json() {
                return Ok(());
            }
        }
        say_what_came(shell, line, recorded)
    })?;
    if refused > RefusedLines::MOST_NAMED && !shell.wants_json() {
        shell.out.say(format_args!("and {} more", refused - RefusedLines::MOST_NAMED))?;
    }
    engine.react_all(&sessions)?;
    Ok(outcome)
}

/// The session, by the name that is written.
fn session_of(engine: &Engine, given: &Given) -> SessionId {
    SessionId::from(engine.clean_name(given.entry.session_id.as_str()))
}

fn record_one(engine: &Engine, given: Given) -> anyhow::Result<Result<EntryId, BadGiven>> {
    let taken = engine.record_given(vec![given], Partly::KeepGoing)?;
    let recorded = taken.appended.first().map(|appended| Ok(appended.id));
    let refused = || taken.refused.into_iter().next().map(|(_, error)| Err(error));
    Ok(recorded.or_else(refused).expect("BUG: a given entry was neither recorded nor refused"))
}

/// What came of one line, with `--each` in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum LineOutcome {
    /// It is recorded.
    Recorded { line: u64, entry: EntryId },
    /// It is not.
    Refused { line: u64, problem: String },
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Recorded<'r> {
    entries: &'r [EntryId],
    /// The first lines that were refused.
    refused: Vec<Problem>,
    /// How many more there were.
    more_refused: usize,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Problem {
    line: u64,
    problem: String,
}

fn say_what_came(shell: &mut Shell, line: u64, recorded: Result<EntryId, BadGiven>) -> anyhow::Result<()> {
    match (recorded, shell.wants_json()) {
        (Ok(id), true) => shell.out.answer(&LineOutcome::Recorded { line, entry: id })?,
        (Ok(id), false) => shell.out.line(id)?,
        (Err(error), true) => shell.out.answer(&LineOutcome::Refused { line, problem: error.to_string() })?,
        (Err(error), false) => shell.out.say(format_args!("line {line}: {error}"))?,
    }
    // Whoever feeds the lines may wait for this one.
    Ok(shell.out.flush()?)
}

fn report(shell: &mut Shell, ids: &[EntryId], all_refused: &RefusedLines, how: Partly) -> Done {
    let (refused, count, more) = (&all_refused.first, all_refused.count, all_refused.more());
    if shell.wants_json() {
        let refused = refused.iter().map(|(line, error)| Problem { line: *line, problem: error.to_string() });
        shell.out.answer(&Recorded { entries: ids, refused: refused.collect(), more_refused: more })?;
    } else {
        ids.iter().try_for_each(|id| shell.out.line(id))?;
        for (line, error) in refused {
            shell.out.say(format_args!("line {line}: {error}"))?;
        }
        if more > 0 {
            shell.out.say(format_args!("and {more} more"))?;
        }
        match (count, how) {
            (0, _) => {}
            (_, Partly::AllOrNothing) => shell.out.say("nothing was recorded; --keep-going records the good lines")?,
            (count, Partly::KeepGoing) => {
                shell.out.say(format_args!("{} recorded, {count} refused", ids.len()))?;
            }
        }
    }
    Ok(if count == 0 { CommandOutcome::Done } else { CommandOutcome::Refused })
}
