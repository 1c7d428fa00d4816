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
mod topic;
mod triggers;
mod trust;
mod verify;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};

use self::environment::Environment;
use self::output::Output;
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
    /// Let an agent's hooks record what it does
    Setup(setup::Arguments),
    /// Record what an agent's hook says (`annals setup` installs it)
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
    /// Bring the sessions that other tools left behind
    Import(import::Arguments),
    /// List entries, and follow them as they come
    Log(log::Arguments),
    /// Find entries in whose texts something stands
    Search(log::Search),
    /// Show entries in full
    Show(show::Arguments),
    /// Count entries, calls, tokens and money
    Stats(stats::Arguments),
    /// Say what a session shows: prompts, answers, coordination, mistakes, code
    Analyse(analyse::Arguments),
    /// Write sessions and summaries as files
    Render(render::Arguments),
    /// Show the folded state, or its hash
    State(state::Arguments),
    /// Name the lines behind a session or a value
    Why(why::Arguments),
    /// Make decisions again, on the state that they were made on, and compare
    Replay(replay::Arguments),
    /// Take a leaked value out of the history
    Scrub(scrub::Arguments),
    /// Take secrets out of a text on stdin
    Sanitize(sanitize::Arguments),
    /// Pack old days; they stay readable
    Archive(archive::Arguments),
    /// Drop what was taken away from the history, so that it is not put back
    Forget(forget::Arguments),
    /// Print the JSON Schema of a line of the history
    Schema(schema::Arguments),
    /// Open, discuss and end issues
    #[command(subcommand)]
    Issue(Box<issue::Command>),
    /// The agents of the swarm
    #[command(subcommand)]
    Agent(agent::Command),
    /// Say who is to challenge what is agreed on an issue
    #[command(subcommand)]
    Advocate(advocate::Command),
    /// Collect opinions on an issue that nobody sees before all are in
    #[command(subcommand)]
    Blind(blind::Command),
    /// Argue before something dangerous, and after something failed twice; ask before each attempt
    #[command(subcommand)]
    Debate(Box<debate::Command>),
    /// Show how the swarm fares, and what would help
    Health(health::Arguments),
    /// Act as the moderator: challenge, escalate, join, freeze tags, give freedom
    #[command(subcommand)]
    Moderate(moderate::Command),
    /// List what agents come back to, and what of it reaches the work
    #[command(subcommand)]
    Topic(topic::Command),
    /// What is felt, tried, aimed at and taken for true in a session
    Cognition(Box<cognition::Arguments>),
    /// What set an analysis off in a session, and whether it may run
    Triggers(triggers::Arguments),
    /// Look back: what was stopped, what came of the work, what was circled
    Reflect(reflect::Arguments),
    /// List and acknowledge what you should hear of
    #[command(subcommand)]
    Notice(notice::Command),
    /// Ask who may use a path of .context; give and take rights
    Access(access::Arguments),
    /// What holds in the project, and what contradicts it
    #[command(subcommand)]
    Canon(canon::Command),
    /// Keep what was learnt, and share it with other projects
    #[command(subcommand)]
    Hivemind(hivemind::Command),
    /// Vote on what is contested or nominated; debate ties; confirm recommendations
    #[command(subcommand)]
    Council(council::Command),
    /// What was learnt by doing: what it advises, and how it fades
    #[command(subcommand)]
    Memory(memory::Command),
    /// What was learnt of the person and the project; it fades unless it is used
    #[command(subcommand)]
    Knowledge(knowledge::Command),
    /// Look whether what is cited stands where it says
    #[command(subcommand)]
    Evidence(evidence::Command),
    /// Play conversations of many agents to the control room
    #[command(subcommand)]
    Swarm(swarm::Command),
    /// Check that every line is as it was written
    Verify(verify::Arguments),
    /// Decide about the log itself: holes, and lines with one id
    #[command(subcommand)]
    History(history::Command),
    /// Say what is recorded here, and which settings hold or wait
    Status,
    /// Sign the last line of this clone, and with it all that it has written and seen
    Seal(seal::Arguments),
    /// Say whose keys you trust to sign
    #[command(subcommand)]
    Trust(trust::Command),
    /// Look whether everything is as it should be
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
