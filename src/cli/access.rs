//! `annals access`: whether somebody may use a path of `.context`, and rights beyond the policy (AFS appendix D).

use std::path::{Path, PathBuf};

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::access::Command as Decision;
use crate::domain::access::command::{Grant, Revoke};
use crate::domain::access::policy::Intent;
use crate::hook::inside::{Inside, Lies};
use crate::kernel::decision;
use crate::kernel::id::{AgentId, SessionId};
use crate::kernel::json::Json;
use crate::view::refusal::{ToldRefusal, told};

/// Arguments of `annals access`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(super) struct Arguments {
    /// A path in .context; `--as AGENT` asks for that agent
    path: Option<PathBuf>,
    /// Ask for writing [default: reading]
    #[arg(long, conflicts_with = "execute")]
    write: bool,
    /// Ask for running
    #[arg(long)]
    execute: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Commands about rights.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Let an agent write a folder of .context
    Grant(Right),
    /// Take such a right back
    Revoke(Right),
}

/// A folder and an agent.
#[derive(Debug, clap::Args)]
struct Right {
    /// A folder of .context, such as memory
    folder: PathBuf,
    /// The agent, as the log names it: claude-code
    #[arg(long = "to", alias = "from", value_name = "AGENT")]
    agent: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    match (&arguments.command, &arguments.path) {
        (Some(Command::Grant(right)), _) => {
            let (agent, folder) = parts(shell, right)?;
            let done = format!("{agent} may write .context/{folder}");
            decide(shell, Grant { agent, folder: folder.into() }.into(), &done)
        }
        (Some(Command::Revoke(right)), _) => {
            let (agent, folder) = parts(shell, right)?;
            let done = format!("{agent} may no longer write .context/{folder}");
            decide(shell, Revoke { agent, folder: folder.into() }.into(), &done)
        }
        (None, Some(path)) => {
            let intent = if arguments.write {
                Intent::Write
            } else if arguments.execute {
                Intent::Execute
            } else {
                Intent::Read
            };
            ask(shell, path, intent)
        }
        (None, None) => Err(Usage("give a path, `grant` or `revoke`".to_owned()).into()),
    }
}

/// A folder may be given as `memory`, or as a path.
fn parts(shell: &Shell, right: &Right) -> anyhow::Result<(AgentId, String)> {
    let context = shell.context()?;
    let given = right.folder.to_string_lossy().trim_end_matches('/').to_owned();
    let path = shell.environment.directory.join(&right.folder);
    let below = Inside::of(&context).look(&path).into_iter().find_map(|lies| match lies {
        Lies::In(path) if path != "." => Some(path),
        Lies::In(_) | Lies::Above => None,
    });
    Ok((AgentId::from(right.agent.as_str()), below.unwrap_or(given)))
}

fn decide(shell: &mut Shell, command: Decision, done: &str) -> Done {
    let engine = shell.engine()?;
    let by = shell.by(&SessionId::from("access"));
    let answer = engine.decide(command, &Json::empty_object(), &by)?;
    shell.report(&answer, |out| out.line(done))
}

/// Only a question: nothing is recorded.
fn ask(shell: &mut Shell, path: &Path, intent: Intent) -> Done {
    let engine = shell.engine()?;
    let path = shell.environment.directory.join(path);
    let lies = Inside::of(engine.place().context()).look(&path);
    let inside = lies.into_iter().filter_map(|lies| if let Lies::In(path) = lies { Some(path) } else { None });
    let inside: Vec<String> = inside.collect();
    let agent = shell.actor();
    let refusal = shell.ask(&engine, |world| {
        let ask = |path: &String| world.rooms.access.ask(engine.settings(), &agent, path, intent).err();
        inside.iter().find_map(ask)
    })?;
    let refusal = refusal.map(|refusal| told(&decision::Refusal::of(refusal.rule(), &refusal)));
    answer(shell, &agent, intent, inside.first(), refusal.as_ref())
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Access<'a> {
    agent: &'a AgentId,
    intent: Intent,
    /// None where the place is not in `.context`.
    path: Option<&'a str>,
    allowed: bool,
    /// Why not.
    reason: Option<&'a str>,
}

fn answer(
    shell: &mut Shell,
    agent: &AgentId,
    intent: Intent,
    path: Option<&String>,
    refusal: Option<&ToldRefusal>,
) -> Done {
    if shell.wants_json() {
        let reason = refusal.map(|refusal| &*refusal.message);
        shell.out.answer(&Access {
            agent,
            intent,
            path: path.map(|path| &**path),
            allowed: refusal.is_none(),
            reason,
        })?;
    } else {
        match (refusal, path) {
            (Some(refusal), _) => {
                shell.out.line(format_args!("no: {}", refusal.message))?;
                shell.out.say(format_args!("hint: {}", refusal.hint.as_deref().unwrap_or_default()))?;
            }
            (None, Some(path)) => shell.out.line(format_args!("yes: {agent} may {intent} {path}"))?,
            (None, None) => shell.out.line("yes: it is not in .context, so nothing is said about it")?,
        }
    }
    Ok(if refusal.is_some() { CommandOutcome::Refused } else { CommandOutcome::Done })
}
