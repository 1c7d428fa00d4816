//! `annals exec -- CMD…`: runs a command and records it as a tool call; exits as the command does.
//!
//! Files touched are those that the command line names and that were there before or after: what else a command reads
//! or writes would take a walk through the whole project to find out.

use std::ffi::OsString;
use std::path::Path;

use annals_sparse::sparse;
use serde_json::json;

use super::shell::{CommandOutcome, Done, Shell};
use crate::engine::intercept::{CallEnd, Interceptor};
use crate::engine::settings::CAPTURE_BYTES;
use crate::engine::{Engine, EngineError};
use crate::kernel::entry::Provenance;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::json::Json;
use crate::tool::{Captured, Exit, Job, Ran};

/// More arguments are not looked at as names of files.
const MOST_FILES: usize = 64;

/// Arguments of `annals exec`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What the call is called
    #[arg(long, default_value = "exec")]
    name: String,
    /// The session [default: `$ANNALS_SESSION`, or the session `exec`]
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = match shell.engine() {
        Ok(engine) => engine,
        // A config.toml with conflict markers must not keep somebody's command from running.
        Err(error) if is_of_a_project(&error) => return unrecorded(shell, arguments, &error),
        Err(error) => return Err(error),
    };
    let session = session(shell, &engine, arguments.session.as_deref())?;
    let recorded_in = session.clone();
    let calls = Interceptor::new(&engine, session);
    let directory = shell.environment.directory.clone();
    let words: Vec<_> = arguments.command.iter().map(|word| word.to_string_lossy()).collect();
    let input = Json::of(&json!({ "command": words, "cwd": directory }));
    let provenance = Provenance { agent_id: Some(shell.actor()), ..Provenance::default() };
    let before = files(&arguments.command, &directory);
    let begun = calls.start(&arguments.name, &input, provenance);
    let stopwatch = engine.clock().stopwatch();
    let keep_bytes = engine.settings().get(&CAPTURE_BYTES);
    let ran = Job { words: &arguments.command, directory: &directory, keep_bytes }.run();
    let duration = std::time::Duration::from_millis(stopwatch.millis());
    say_not_started(shell, arguments, &ran)?;
    let code = ran.exit.code();
    let files_touched = touched(before, files(&arguments.command, &directory));
    let end = CallEnd {
        error: ran.exit.error().map(Into::into),
        output: Some(output(ran)),
        duration,
        files_touched,
        usage: None,
    };
    let ended = calls.finish(begun, end);
    // Said and not returned, because the command ran, and its exit code is the answer whatever became of the record.
    if let Err(error) = ended.and_then(|_| engine.react(&recorded_in)) {
        shell.out.say(format_args!("annals exec: the command was not recorded: {error}"))?;
    }
    Ok(CommandOutcome::Exit(code))
}

/// Whether there is a project, and only what is in it cannot be used.
fn is_of_a_project(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error| !matches!(error, EngineError::NoContext { .. }))
}

/// Where a project cannot be recorded in, the command runs all the same.
fn unrecorded(shell: &mut Shell, arguments: &Arguments, why: &anyhow::Error) -> Done {
    let directory = shell.environment.directory.clone();
    let ran = Job { words: &arguments.command, directory: &directory, keep_bytes: 0 }.run();
    say_not_started(shell, arguments, &ran)?;
    shell.out.say(format_args!("annals exec: the command was not recorded: {why}"))?;
    Ok(CommandOutcome::Exit(ran.exit.code()))
}

fn say_not_started(shell: &mut Shell, arguments: &Arguments, ran: &Ran) -> std::io::Result<()> {
    let Exit::NotStarted(error) = &ran.exit else { return Ok(()) };
    shell.out.say(format_args!("annals exec: cannot start {}: {error}", arguments.command[0].to_string_lossy()))
}

/// A whole id is taken as it is; anything else is looked up.
fn session(shell: &Shell, engine: &Engine, given: Option<&str>) -> anyhow::Result<SessionId> {
    match given.or(shell.environment.session.as_deref()) {
        None => Ok(SessionId::from("exec")),
        Some(id) if EntryId::parse(id.as_bytes()).is_some() => Ok(SessionId::from(id)),
        Some(text) => shell.find_session(engine, text),
    }
}

/// What came of a command. Of an output that was cut the whole length stands beside it.
#[sparse]
#[derive(serde::Serialize)]
struct ExecOutput {
    stdout: String,
    stderr: String,
    stdout_bytes: Option<u64>,
    stderr_bytes: Option<u64>,
    exit_code: Option<i32>,
    signal: Option<i32>,
}

fn output(ran: Ran) -> Json {
    let whole = |captured: &Captured| Some(captured.total()).filter(|_| captured.cut() > 0);
    let (exit_code, signal) = match ran.exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
        Exit::NotStarted(_) => (None, None),
    };
    Json::of(&ExecOutput {
        stdout_bytes: whole(&ran.stdout),
        stderr_bytes: whole(&ran.stderr),
        stdout: ran.stdout.text(),
        stderr: ran.stderr.text(),
        exit_code,
        signal,
    })
}

/// The files that the command line names, as far as they are there.
fn files(command: &[OsString], directory: &Path) -> Vec<Box<str>> {
    let arguments = command.iter().skip(1).take(MOST_FILES).map(|word| word.to_string_lossy());
    let is_file = |word: &str| !word.starts_with('-') && directory.join(word).is_file();
    arguments.filter(|word| is_file(word)).map(|word| word.into_owned().into()).collect()
}

/// Those that were there, and those that are there now.
fn touched(before: Vec<Box<str>>, after: Vec<Box<str>>) -> Option<Vec<Box<str>>> {
    let mut names = before;
    let new = after.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>();
    names.extend(new);
    Some(names).filter(|names| !names.is_empty())
}
