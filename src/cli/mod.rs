//! The command line: noun then verb, one file a command (DESIGN 6).
//!
//! Parses, asks `engine` and `view`, prints. Never opens a history file itself.

mod access;
mod config;
mod environment;
mod exec;
mod hook;
mod init;
mod output;
mod record;
mod session;
mod setup;
mod shell;
mod state;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::environment::Environment;
use self::output::Output;
use self::shell::{Done, Shell};

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
    #[arg(long, global = true, value_name = "DIR")]
    context: Option<PathBuf>,
    /// Who acts
    #[arg(long = "as", global = true, value_name = "ACTOR", default_value = "user")]
    actor: String,
    /// Answer with JSON
    #[arg(long, global = true)]
    json: bool,
    /// The state as it was then: a time, a day, or an entry
    #[arg(long, global = true, value_name = "TIME|ENTRY")]
    at: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
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
    /// Begin, pause and end sessions; list and read them
    #[command(subcommand)]
    Session(session::Command),
    /// Show the folded state, or its hash
    State(state::Arguments),
    /// Ask who may use a path of .context; give and take rights
    Access(access::Arguments),
    /// Read and change settings
    #[command(subcommand)]
    Config(config::Command),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let environment = Environment::read();
    let arguments = match Arguments::try_parse_from(&environment.arguments) {
        Ok(arguments) => arguments,
        Err(error) if hook::is_meant(&environment.arguments) => return hook::usage(&error),
        Err(error) => return shell::usage(&error),
    };
    let mut shell = Shell::new(environment, arguments.common, Output::standard());
    let result = run(&mut shell, arguments.command);
    shell.finish(result)
}

fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Init(arguments) => init::run(shell, &arguments),
        Command::Setup(arguments) => setup::run(shell, &arguments),
        Command::Hook(arguments) => hook::run(shell, &arguments),
        Command::Exec(arguments) => exec::run(shell, &arguments),
        Command::Record(arguments) => record::run(shell, &arguments),
        Command::Session(command) => session::run(shell, command),
        Command::State(arguments) => state::run(shell, &arguments),
        Command::Access(arguments) => access::run(shell, arguments),
        Command::Config(command) => config::run(shell, command),
    }
}
