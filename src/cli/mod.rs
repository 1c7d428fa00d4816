//! The command line: noun then verb, one file a command (DESIGN 6).
//!
//! Parses, asks `engine` and `view`, prints. Never opens a history file itself.

mod access;
mod advocate;
mod agent;
mod agents_shell;
mod analyse;
mod archive;
mod blind;
mod canon;
mod cognition;
mod completions;
mod config;
mod council;
mod credit;
mod debate;
mod demo;
mod doctor;
mod environment;
mod evidence;
mod exec;
mod forget;
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
mod memory;
mod milestone;
mod moderate;
mod named;
mod notice;
mod output;
mod pager;
mod progress;
mod record;
mod reflect;
mod render;
mod replay;
mod sanitize;
pub mod schema;
mod scrub;
mod seal;
mod session;
mod setup;
mod shell;
mod show;
mod state;
mod stats;
mod status;
mod swarm;
mod table;
mod time;
mod topic;
mod triggers;
mod trust;
mod verify;
mod wanted;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};

use self::environment::Environment;
use self::output::Output;
use self::pager::Paged;
use self::shell::{Done, Shell, Usage};
use crate::kernel::actor::SYSTEM;

/// Append-only records of what AI agents do in a project.
#[derive(Debug, Parser)]
#[command(name = "annals", version, max_term_width = 100, disable_help_subcommand = true)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
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

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what annals does, in a project made for it
    Demo(demo::Arguments),
    /// Make a .context folder
    Init(init::Arguments),
    /// Install hooks that record what an agent does
    Setup(setup::Arguments),
    /// Record the payload of an agent's hook (`annals setup` installs it)
    Hook(hook::Arguments),
    /// Run a command and record it as a tool call
    Exec(exec::Arguments),
    /// Record an entry by hand, or entries on stdin
    Record(record::Arguments),
    /// Give credits, see who earned what, and how the team does
    #[command(subcommand)]
    Credit(credit::Command),
    /// Set goals for the team or an agent
    #[command(subcommand)]
    Goal(goal::Command),
    /// Mark where sessions, chapters and acts begin and end
    #[command(subcommand)]
    Milestone(milestone::Command),
    /// Begin, pause and end sessions; list and read them
    #[command(subcommand)]
    Session(session::Command),
    /// Import sessions that other tools recorded
    Import(import::Arguments),
    /// List entries, and follow them as they come
    Log(log::Arguments),
    /// Find entries by text
    Search(log::Search),
    /// Show entries in full
    Show(show::Arguments),
    /// Count entries, calls, tokens and money
    Stats(stats::Arguments),
    /// Analyse a session: prompts, answers, coordination, mistakes, code
    Analyse(analyse::Arguments),
    /// Write sessions and summaries as files
    Render(render::Arguments),
    /// Show the folded state, or its hash
    State(state::Arguments),
    /// Name the lines behind a session or a value
    Why(why::Arguments),
    /// Make decisions again, on the state that they were made on, and compare
    Replay(replay::Arguments),
    /// Remove a leaked value from the history
    Scrub(scrub::Arguments),
    /// Remove secrets from a text on stdin
    Sanitize(sanitize::Arguments),
    /// Pack old days; they stay readable
    Archive(archive::Arguments),
    /// Drop kept copies of files that git took away
    Forget(forget::Arguments),
    /// Print the JSON Schema of a line of the history
    Schema(schema::Arguments),
    /// Open, discuss and end issues
    #[command(subcommand)]
    Issue(Box<issue::Command>),
    /// The agents of the swarm
    #[command(subcommand)]
    Agent(agent::Command),
    /// Assign agents that challenge the agreement on an issue
    #[command(subcommand)]
    Advocate(advocate::Command),
    /// Collect opinions on an issue, sealed until all are in
    #[command(subcommand)]
    Blind(blind::Command),
    /// Debate before dangerous attempts and after repeated failures
    #[command(subcommand)]
    Debate(Box<debate::Command>),
    /// Show the health of the swarm, and what would help
    Health(health::Arguments),
    /// Act as the moderator: challenge, escalate, join, freeze tags, give freedom
    #[command(subcommand)]
    Moderate(moderate::Command),
    /// List topics that agents return to, and their use in the work
    #[command(subcommand)]
    Topic(topic::Command),
    /// Read and set the cognitive state of a session
    Cognition(Box<cognition::Arguments>),
    /// List triggers that fired in a session, and decide on them
    Triggers(triggers::Arguments),
    /// Look back: stopped comments, results, circled topics
    Reflect(reflect::Arguments),
    /// List and acknowledge notices
    #[command(subcommand)]
    Notice(notice::Command),
    /// Ask who may use a path of .context; give and take rights
    Access(access::Arguments),
    /// Establish canon, and check texts against it
    #[command(subcommand)]
    Canon(canon::Command),
    /// Keep beliefs that fade, and share them with other projects
    #[command(subcommand)]
    Hivemind(hivemind::Command),
    /// Vote on contested and nominated entries; debate ties; confirm recommendations
    #[command(subcommand)]
    Council(council::Command),
    /// Experience by outcome: what it advises, and how it fades
    #[command(subcommand)]
    Memory(memory::Command),
    /// Knowledge of the person and the project; it fades unless used
    #[command(subcommand)]
    Knowledge(knowledge::Command),
    /// Check that citations stand where they say
    #[command(subcommand)]
    Evidence(evidence::Command),
    /// Play conversations of many agents to the control room
    #[command(subcommand)]
    Swarm(swarm::Command),
    /// Check that every line is as it was written
    Verify(verify::Arguments),
    /// Settle findings of verify: lost lines, conflicting ids, wrong clocks
    #[command(subcommand)]
    History(history::Command),
    /// Show what happened since you last looked, what waits, what is wrong
    Status,
    /// Sign the head of this clone: all lines it has written and seen
    Seal(seal::Arguments),
    /// Manage the keys that are trusted to sign
    #[command(subcommand)]
    Trust(trust::Command),
    /// Check folder, configuration, hooks and chains
    Doctor,
    /// Read and change settings
    #[command(subcommand)]
    Config(config::Command),
    /// Print completions for a shell
    Completions(completions::Arguments),
    /// Write the manual pages into a folder
    Man(man::Arguments),
    /// Help on a command or a topic
    Help(help::Arguments),
}

/// Every command, for whoever makes something of the list of them.
pub fn commands() -> clap::Command {
    Arguments::command()
}

/// Variables by which agents mark what they run, for tests that are to run in nobody's shell.
pub fn agents_variables() -> impl Iterator<Item = &'static str> {
    agents_shell::variables()
}

/// Runs the program.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(output::say_bug));
    let environment = Environment::read();
    let arguments = match Arguments::try_parse_from(&environment.arguments) {
        Ok(arguments) => arguments,
        Err(error) if hook::is_meant(&environment.arguments) => return hook::usage(&error, &environment.arguments),
        Err(error) => return shell::usage(&help::dress(error, &environment.arguments), &environment.arguments),
    };
    let out = Output::standard(&environment, arguments.common.color);
    let claimed = environment.actor.as_deref().map(actor).transpose();
    let mut shell = Shell::new(environment, arguments.common, out);
    // Those that run another program, or ask, have the terminal to themselves.
    let has_terminal = matches!(
        arguments.command,
        Command::Exec(_)
            | Command::Hook(_)
            | Command::Demo(_)
            | Command::Init(_)
            | Command::Scrub(_)
            | Command::Trust(_)
    );
    if !has_terminal {
        shell.out.page_by(Paged::new(&shell.environment));
    }
    let result = match (claimed, arguments.command) {
        // A hook acts as nobody: a variable must not stop it.
        (Err(problem), command) if !matches!(command, Command::Hook(_)) => {
            Err(Usage(format!("ANNALS_AS: {problem}")).into())
        }
        (_, command) => run(&mut shell, command),
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

fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Demo(arguments) => demo::run(shell, &arguments),
        Command::Init(arguments) => init::run(shell, &arguments),
        Command::Setup(arguments) => setup::run(shell, &arguments),
        Command::Hook(arguments) => hook::run(shell, &arguments),
        Command::Exec(arguments) => exec::run(shell, &arguments),
        Command::Record(arguments) => record::run(shell, &arguments),
        Command::Credit(command) => credit::run(shell, command),
        Command::Goal(command) => goal::run(shell, command),
        Command::Milestone(command) => milestone::run(shell, command),
        Command::Session(command) => session::run(shell, command),
        Command::Import(arguments) => import::run(shell, &arguments),
        Command::Log(arguments) => log::run(shell, &arguments),
        Command::Search(arguments) => log::search(shell, arguments),
        Command::Show(arguments) => show::run(shell, &arguments),
        Command::Stats(arguments) => stats::run(shell, &arguments),
        Command::Analyse(arguments) => analyse::run(shell, &arguments),
        Command::Render(arguments) => render::run(shell, &arguments),
        Command::State(arguments) => state::run(shell, &arguments),
        Command::Why(arguments) => why::run(shell, &arguments),
        Command::Replay(arguments) => replay::run(shell, &arguments),
        Command::Scrub(arguments) => scrub::run(shell, &arguments),
        Command::Sanitize(arguments) => sanitize::run(shell, &arguments),
        Command::Archive(arguments) => archive::run(shell, &arguments),
        Command::Forget(arguments) => forget::run(shell, &arguments),
        Command::Schema(arguments) => schema::run(shell, &arguments),
        Command::Advocate(command) => advocate::run(shell, command),
        Command::Blind(command) => blind::run(shell, command),
        Command::Debate(command) => debate::run(shell, *command),
        Command::Health(arguments) => health::run(shell, &arguments),
        Command::Moderate(command) => moderate::run(shell, command),
        Command::Topic(command) => topic::run(shell, command),
        Command::Cognition(arguments) => cognition::run(shell, &arguments),
        Command::Triggers(arguments) => triggers::run(shell, &arguments),
        Command::Reflect(arguments) => reflect::run(shell, &arguments),
        Command::Notice(command) => notice::run(shell, command),
        Command::Access(arguments) => access::run(shell, arguments),
        Command::Canon(command) => canon::run(shell, &command),
        Command::Hivemind(command) => hivemind::run(shell, &command),
        Command::Council(command) => council::run(shell, command),
        Command::Memory(command) => memory::run(shell, command),
        Command::Knowledge(command) => knowledge::run(shell, &command),
        Command::Evidence(command) => evidence::run(shell, &command),
        Command::Swarm(command) => swarm::run(shell, command),
        Command::Issue(command) => issue::run(shell, *command),
        Command::Agent(command) => agent::run(shell, command),
        Command::Verify(arguments) => verify::run(shell, &arguments),
        Command::History(command) => history::run(shell, command),
        Command::Status => status::run(shell),
        Command::Seal(arguments) => seal::run(shell, &arguments),
        Command::Trust(command) => trust::run(shell, command),
        Command::Doctor => doctor::run(shell),
        Command::Config(command) => config::run(shell, command),
        Command::Completions(arguments) => completions::run(shell, &arguments),
        Command::Man(arguments) => man::run(shell, &arguments),
        Command::Help(arguments) => help::run(shell, &arguments),
    }
}
