//! The command line: noun then verb, one file a command (DESIGN 6).
//!
//! Parses, asks `engine` and `view`, prints. Never opens a history file itself.

mod config;
mod environment;
mod init;
mod output;
mod session;
mod shell;
mod state;
mod verify;

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
    /// Begin, pause and end sessions; list and read them
    #[command(subcommand)]
    Session(session::Command),
    /// Show the folded state, or its hash
    State(state::Arguments),
    /// Check that every line is as it was written
    Verify(verify::Arguments),
    /// Read and change settings
    #[command(subcommand)]
    Config(config::Command),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let environment = Environment::read();
    let arguments = match Arguments::try_parse_from(&environment.arguments) {
        Ok(arguments) => arguments,
        Err(error) => return shell::usage(&error),
    };
    let mut shell = Shell::new(environment, arguments.common, Output::standard());
    let result = run(&mut shell, arguments.command);
    shell.finish(result)
}

fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Init(arguments) => init::run(shell, &arguments),
        Command::Session(command) => session::run(shell, command),
        Command::State(arguments) => state::run(shell, &arguments),
        Command::Verify(arguments) => verify::run(shell, &arguments),
        Command::Config(command) => config::run(shell, command),
    }
}
