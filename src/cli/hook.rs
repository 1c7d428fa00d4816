//! `annals hook AGENT`: one payload on stdin, one answer on stdout.
//!
//! Exit code 2 means "block" to every agent, so this command never has it: a wrong use, a bug and a configuration that
//! cannot be read are 1, which blocks nothing unless the agent was set up so; everything else is 0. Where there is no
//! `.context`, there is nothing to do, and nothing is said.

use std::ffi::OsString;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use super::output::say_usage;
use super::run as task_run;
use super::shell::{CommandOutcome, Done, Shell};
use crate::engine::clock::Clock;
use crate::engine::keys::KeyFile;
use crate::hook::intake::{Intake, take_in};
use crate::hook::lost::Ledger;
use crate::hook::{self, Agent, Around, GivenClock, HookAnswer};
use crate::view::escape;

/// Arguments of `annals hook`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Whose hook it is: claude-code, codex, gemini, copilot
    #[arg(value_parser = agent, required_unless_present = "settle")]
    agent: Option<Agent>,
    /// Which event, for an agent whose payloads do not name it
    event: Option<String>,
    /// Do what hooks have left, in the background
    #[arg(long, hide = true, conflicts_with = "agent")]
    settle: bool,
    /// Hand the payload out through a socket: an agent that is walled in reaches no record
    #[arg(long, hide = true, value_name = "SOCKET", conflicts_with_all = ["settle", "event"])]
    through: Option<PathBuf>,
}

/// What a hook says, as it comes back through a socket.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HookReply {
    /// What the agent reads.
    answer: Option<String>,
    /// What went wrong.
    problem: Option<String>,
    /// Whether the agent is told so by the exit code.
    fails: bool,
}

impl HookReply {
    /// The answer of an agent's hook, as that agent reads it.
    pub(super) fn of(agent: Agent, outcome: &hook::HookOutcome) -> Self {
        let answer = agent.write(&harmless(outcome.answer.clone()));
        let fails = outcome.answer == HookAnswer::Fail && !agent.is_stopped_by_failure();
        Self { answer, problem: outcome.problem.clone(), fails }
    }
}

/// Reads a reply to its end.
pub(super) fn replied(from: impl Read) -> std::io::Result<HookReply> {
    Ok(serde_json::from_reader(from)?)
}

/// Reads the name of an agent.
pub(super) fn agent(name: &str) -> Result<Agent, String> {
    let names = || Agent::ALL.map(Agent::name).join(", ");
    Agent::from_name(name).ok_or_else(|| format!("there are {}", names()))
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if let Some(socket) = &arguments.through {
        let handed = task_run::handed_out(socket, &mut std::io::stdin().lock());
        // One that cannot be handed out fails, and where the agent was set up so the call does not run.
        let reply =
            handed.unwrap_or_else(|error| HookReply { answer: None, problem: Some(error.to_string()), fails: true });
        return says(shell, reply);
    }
    let failed = |problem: String| hook::HookOutcome { answer: HookAnswer::Fail, problem: Some(problem) };
    let Some(agent) = arguments.agent.filter(|_| !arguments.settle) else { return settle(shell) };
    if arguments.event.is_some() && agent != Agent::Copilot {
        shell.out.say(format_args!("annals hook: the payloads of {} name their event: leave it out", agent.name()))?;
        return Ok(CommandOutcome::Exit(1));
    }
    let handled = catch_unwind(AssertUnwindSafe(|| handle(shell, agent, arguments.event.as_deref())));
    let outcome = match handled {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => failed(format!("{error:#}")),
        Err(_) => failed("a bug, see above".to_owned()),
    };
    says(shell, HookReply::of(agent, &outcome))
}

fn says(shell: &mut Shell, reply: HookReply) -> Done {
    if let Some(answer) = reply.answer {
        shell.out.json_text(&answer)?;
    }
    if let Some(problem) = reply.problem {
        shell.out.say(format_args!("annals hook: {problem}"))?;
    }
    Ok(if reply.fails { CommandOutcome::Exit(1) } else { CommandOutcome::Done })
}

/// The process in the background: it goes on when the agent and its terminal are gone.
fn settle(shell: &Shell) -> Done {
    // Who started it as a session's leader has done so already.
    let _ = rustix::process::setsid();
    hook::settle(around(shell, shell.context()?))?;
    Ok(CommandOutcome::Done)
}

/// The agent shows what it reads: names and excerpts in it may be a repository's.
fn harmless(answer: HookAnswer) -> HookAnswer {
    let shown = |text: String| escape::page(&text).into_owned();
    match answer {
        HookAnswer::Tell(message) => HookAnswer::Tell(shown(message)),
        HookAnswer::Deny(reason) => HookAnswer::Deny(shown(reason)),
        HookAnswer::Ask(reason) => HookAnswer::Ask(shown(reason)),
        HookAnswer::Context { event, text } => HookAnswer::Context { event, text: shown(text) },
        HookAnswer::Block(reason) => HookAnswer::Block(shown(reason)),
        HookAnswer::Go | HookAnswer::Fail => answer,
    }
}

fn handle(shell: &Shell, agent: Agent, event: Option<&str>) -> anyhow::Result<hook::HookOutcome> {
    let bytes = match take_in(&mut std::io::stdin().lock())? {
        Intake::Whole(bytes) => bytes,
        Intake::TooLong => {
            let problem = Some("the payload is too long to be recorded, even with its texts cut".to_owned());
            return Ok(hook::HookOutcome { answer: HookAnswer::Go, problem });
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = hook::named(&text, event);
    let Some(context) = context(shell, &text) else { return Ok(HookAnswer::Go.into()) };
    Ok(hook::handle(agent, &text, around(shell, context)))
}

fn around(shell: &Shell, context: PathBuf) -> Around {
    let environment = &shell.environment;
    Around {
        context,
        directory: environment.directory.clone(),
        home: environment.home.clone(),
        project: environment.project.clone(),
        git: environment.git.clone(),
        key: environment.state().map(|state| KeyFile::below(&state)),
        ledger: environment.state().map(|state| Ledger::below(&state)),
        program: std::env::current_exe().ok(),
        clock: Clock::default(),
        given: environment.giving().map(|variable| GivenClock { variable, clock: environment.given_clock().ok() }),
    }
}

/// The folder that was named; else the nearest above the project, where the agent names it, the agent's working
/// directory, or ours. The agent may have left the project with `cd`.
fn context(shell: &Shell, payload: &str) -> Option<PathBuf> {
    if shell.named_context().is_some() {
        return shell.context().ok();
    }
    let project = shell.environment.project.clone();
    // Absolute ones alone: a relative one leads from a folder that nobody knows.
    let starts = project.into_iter().chain(hook::directory_in(payload)).chain([shell.environment.directory.clone()]);
    let above = |start: PathBuf| start.ancestors().map(|folder| folder.join(".context")).find(|path| path.is_dir());
    starts.filter(|start| start.is_absolute()).find_map(above)
}

/// Whether the command line is meant for this command.
pub(super) fn is_meant(arguments: &[OsString]) -> bool {
    // Clap has found an error and names no command then, so that the words are read once more here.
    const WITH_VALUE: [&str; 3] = ["--context", "--as", "--at"];
    let mut words = arguments.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.iter().any(|option| Path::new(word) == Path::new(option)) {
            words.next();
        } else if !word.to_string_lossy().starts_with('-') {
            return word == "hook";
        }
    }
    false
}

/// Says what was wrong with the arguments, without blocking the agent.
pub(super) fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    say_usage(error, arguments);
    // Never clap's own 2, which every agent reads as "block".
    ExitCode::from(u8::from(error.use_stderr()))
}
