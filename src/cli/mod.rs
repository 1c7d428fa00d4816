//! The command line: noun then verb, one file a command (DESIGN 6).
//!
//! Parses, asks `engine` and `view`, prints. Never opens a history file itself.

mod access;
mod advocate;
mod agent;
mod agents_shell;
mod analyse;
mod answers;
mod archive;
mod audit;
mod blame;
mod blind;
mod canon;
mod cognition;
mod completions;
mod config;
mod council;
mod credit;
mod debate;
mod decided;
mod demo;
mod doctor;
mod environment;
mod evidence;
mod exec;
mod forget;
mod ggs;
mod given;
mod goal;
mod health;
mod help;
mod hint;
mod history;
mod hivemind;
mod hook;
mod import;
mod init;
mod issue;
mod knowledge;
mod line;
mod log;
mod man;
pub mod mcp;
mod memory;
mod message;
mod milestone;
mod model;
mod models;
mod moderate;
mod named;
mod notice;
mod output;
mod pack;
mod pager;
mod prime;
mod progress;
mod recall;
mod record;
mod reflect;
mod registry;
mod remember;
mod render;
mod replay;
mod resident;
mod run;
mod sanitize;
mod scenario;
pub mod schema;
mod scrub;
mod seal;
mod search;
mod session;
mod setup;
mod shell;
mod show;
mod state;
mod stats;
mod status;
mod swarm;
mod table;
mod task;
mod time;
mod topic;
mod trace;
mod triggers;
mod trust;
mod tune;
mod verify;
mod voice;
mod wanted;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser};

use self::environment::Environment;
use self::output::Output;
use self::pager::Paged;
use self::registry::{Built, CommandRow, Does, rows};
use self::shell::{Shell, Usage};
use crate::kernel::actor::SYSTEM;

/// Append-only records of what AI agents do in a project.
///
/// The options of every command; the list has the commands.
#[derive(Debug, Parser)]
#[command(name = "annals", version, about, long_about = None, max_term_width = 100, disable_help_subcommand = true)]
struct Common {
    /// The .context folder [default: the nearest one above the working directory]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    context: Option<PathBuf>,
    /// The actor [default: `ANNALS_AS`; else the agent whose shell this is; else user]
    #[arg(long = "as", global = true, value_name = "ACTOR", value_parser = actor, help_heading = GLOBAL)]
    actor: Option<String>,
    /// The state as it was then: a time, a day, or an entry (`annals help times`)
    #[arg(long, global = true, value_name = "TIME|ENTRY", help_heading = GLOBAL)]
    at: Option<String>,
    /// Answer with JSON (`annals help json`)
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    /// Fold everything anew: neither use the checkpoint nor write one
    #[arg(long, global = true, help_heading = GLOBAL)]
    fresh: bool,
    /// Colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true,
          hide_possible_values = true, help_heading = GLOBAL)]
    color: ColorChoice,
}

/// Where help lists the options of every command.
const GLOBAL: &str = "Global options";

/// Every command.
const ROWS: &[CommandRow] = rows! {
    /// Show what annals does, in a project made for it
    "demo" => Runs(&With(demo::run)),
    /// Make a .context folder
    "init" => Runs(&With(init::run)),
    /// Install hooks that record what an agent does
    "setup" => Runs(&With(setup::run)),
    /// Record the payload of an agent's hook (`annals setup` installs it)
    "hook" => Runs(&With(hook::run)),
    /// Run a command and record it as a tool call
    "exec" => Runs(&With(exec::run)),
    /// Record an entry by hand, or entries on stdin
    "record" => Runs(&With(record::run)),
    /// Give credits, see who earned what, and how the team does
    "credit" => holds(credit::ROWS),
    /// Set goals for the team or an agent
    "goal" => holds(goal::ROWS),
    /// Mark where sessions, chapters and acts begin and end
    "milestone" => holds(milestone::ROWS),
    /// Begin, pause and end sessions; list and read them
    "session" => holds(session::ROWS),
    /// Import sessions that other tools recorded
    "import" => Runs(&With(import::run)),
    /// List entries, and follow them as they come
    "log" => Runs(&With(log::run)),
    /// Find entries, sessions, issues, knowledge, files and errors
    "search" => Runs(&With(search::run)),
    /// Show entries in full
    "show" => Runs(&With(show::run)),
    /// Count entries, calls, tokens and money
    "stats" => Runs(&With(stats::run)),
    /// Analyse a session: prompts, answers, coordination, mistakes, code
    "analyse" => Runs(&With(analyse::run)),
    /// Write sessions and summaries as files
    "render" => Runs(&With(render::run)),
    /// Show the folded state, or its hash
    "state" => Runs(&With(state::run)),
    /// Show which call, session and prompt wrote each line of a file
    "blame" => Runs(&With(blame::run)),
    /// Name the lines behind a session or a value
    "why" => Runs(&With(why::run)),
    /// Make decisions again, on the state that they were made on, and compare
    "replay" => Runs(&With(replay::run)),
    /// Remove a leaked value from the history
    "scrub" => Runs(&With(scrub::run)),
    /// Remove secrets from a text on stdin
    "sanitize" => Runs(&With(sanitize::run)),
    /// Pack old days; they stay readable
    "archive" => Runs(&With(archive::run)),
    /// Put away knowledge; drop files that git took away
    "forget" => Runs(&With(forget::run)),
    /// Print the JSON Schema of a line of the history
    "schema" => Runs(&With(schema::run)),
    /// Open, discuss and end issues
    "issue" => holds(issue::ROWS),
    /// The agents of the swarm
    "agent" => holds(agent::ROWS),
    /// Assign agents that challenge the agreement on an issue
    "advocate" => holds(advocate::ROWS),
    /// Collect opinions on an issue, sealed until all are in
    "blind" => holds(blind::ROWS),
    /// Debate before dangerous attempts and after repeated failures
    "debate" => holds(debate::ROWS),
    /// Show the health of the swarm, and what would help
    "health" => Runs(&With(health::run)),
    /// Act as the moderator: challenge, escalate, join, freeze tags, give freedom
    "moderate" => holds(moderate::ROWS),
    /// List topics that agents return to, and their use in the work
    "topic" => holds(topic::ROWS),
    /// Read and set the cognitive state of a session
    "cognition" => Does::Holds(cognition::ROWS, cognition::options),
    /// List triggers that fired in a session, and decide on them
    "triggers" => Runs(&With(triggers::run)),
    /// Look back: stopped comments, results, circled topics
    "reflect" => Runs(&With(reflect::run)),
    /// List and acknowledge notices
    "notice" => holds(notice::ROWS),
    /// Recall what was learnt about a task, an error, a file
    "recall" => Runs(&With(recall::run)),
    /// Remember what is worth knowing later
    "remember" => Runs(&With(remember::run)),
    /// Print what an agent is told when its session begins
    "prime" => Runs(&With(prime::run)),
    /// Serve tools to agents: the Model Context Protocol on stdin and stdout
    "mcp" => Runs(&With(mcp::run)),
    /// Keep hooks from telling a session anything
    "mute" => Runs(&With(voice::mute)),
    /// Let hooks tell a muted session again
    "unmute" => Runs(&With(voice::unmute)),
    /// See what agents were told, and whose words they may be told
    "voice" => holds(voice::ROWS),
    /// Ask who may use a path of .context; give and take rights
    "access" => Runs(&With(access::run)),
    /// Establish canon, and check texts against it
    "canon" => holds(canon::ROWS),
    /// Keep beliefs that fade, and share them with other projects
    "hivemind" => holds(hivemind::ROWS),
    /// Vote on contested and nominated entries; debate ties; confirm recommendations
    "council" => holds(council::ROWS),
    /// Experience by outcome: what it advises, and how it fades
    "memory" => holds(memory::ROWS),
    /// Run a task: plan it, act in a workspace of its own, check what came of it
    "run" => Runs(&With(run::run)),
    /// Tasks of the control loop: what was said in them, what they changed
    "task" => holds(task::ROWS),
    /// What the auditor heard on the bus of tasks since its last report
    "audit" => Runs(&With(audit::run)),
    /// Tell what other weights of the solver would have ruled on the tasks on record
    "tune" => Runs(&With(tune::run)),
    /// Write to the resident agent, and read what it answered
    "message" => holds(message::ROWS),
    /// Keep an agent that answers messages
    "resident" => holds(resident::ROWS),
    /// Play conversations with the resident agent, and check what came of each step
    "scenario" => Runs(&With(scenario::run)),
    /// The models that roles are asked by: list, check, ask
    "model" => holds(model::ROWS),
    /// What the goal-gradient solver makes of a round of a task
    "ggs" => holds(ggs::ROWS),
    /// Knowledge of the person and the project; it fades unless used
    "knowledge" => holds(knowledge::ROWS),
    /// Check that citations stand where they say
    "evidence" => Runs(&Below(|shell, command| evidence::run(shell, &command))),
    /// Play conversations of many agents to the control room
    "swarm" => holds(swarm::ROWS),
    /// Check that every line is as it was written
    "verify" => Runs(&With(verify::run)),
    /// Settle findings of verify: lost lines, conflicting ids, wrong clocks
    "history" => Runs(&Below(history::run)),
    /// Show what happened since you last looked, what waits, what is wrong
    "status" => Runs(&With(status::run)),
    /// Sign the head of this clone: all lines it has written and seen
    "seal" => Runs(&With(seal::run)),
    /// Manage the keys that are trusted to sign
    "trust" => Runs(&Below(trust::run)),
    /// Check folder, configuration, hooks and chains
    "doctor" => Runs(&Bare(doctor::run)),
    /// Read and change settings
    "config" => Runs(&Below(config::run)),
    /// Print completions for a shell
    "completions" => Runs(&With(completions::run)),
    /// Write the manual pages into a folder
    "man" => Runs(&With(man::run)),
    /// Help on a command or a topic
    "help" => Runs(&With(help::run)),
};

/// Every command with its arguments, for help and completions.
pub fn commands() -> clap::Command {
    command(Built::Whole)
}

/// The program as a command, as far as it is asked for.
fn command(built: Built<'_>) -> clap::Command {
    registry::below(Common::command(), ROWS, built)
}

/// Variables by which agents mark what they run, for tests that are to run in nobody's shell.
pub fn agents_variables() -> impl Iterator<Item = &'static str> {
    agents_shell::variables()
}

/// Runs the program.
pub fn main() -> ExitCode {
    if let Some(code) = run::walled() {
        return code;
    }
    std::panic::set_hook(Box::new(output::say_bug));
    let environment = Environment::read();
    let built = Built::Named(&environment.arguments);
    let parsed = command(built).try_get_matches_from(&environment.arguments);
    let parsed = parsed.and_then(|matches| Ok((Common::from_arg_matches(&matches)?, matches)));
    let (common, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) if hook::is_meant(&environment.arguments) => return hook::usage(&error, &environment.arguments),
        Err(error) => return shell::usage(&help::dress(error, &environment.arguments), &environment.arguments),
    };
    let name = matches.subcommand_name().unwrap_or_default();
    let out = Output::standard(&environment, common.color);
    let claimed = environment.actor.as_deref().map(actor).transpose();
    let mut shell = Shell::new(environment, common, out);
    // Those that run another program, or ask, have the terminal to themselves.
    let has_terminal = ["exec", "hook", "mcp", "demo", "init", "run", "scrub", "trust"].contains(&name);
    if !has_terminal {
        shell.out.page_by(Paged::new(&shell.environment));
    }
    let told = trace::tell(shell.environment.log.as_deref());
    let result = match claimed.map_err(|problem| Usage(format!("ANNALS_AS: {problem}"))).and(told) {
        // A hook acts as nobody: a variable must not stop it.
        Err(problem) if name != "hook" => Err(problem.into()),
        Ok(()) | Err(_) => registry::run(&mut shell, ROWS, &matches),
    };
    shell.finish(result)
}

/// Anybody but the rules: they act by themselves, and no command line acts in their name.
fn actor(text: &str) -> Result<String, String> {
    if text.trim().eq_ignore_ascii_case(SYSTEM) {
        return Err("the rules act by themselves, and nobody else as them".to_owned());
    }
    Ok(text.to_owned())
}
