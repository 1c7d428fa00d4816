//! `annals completions`: a script that lets a shell complete commands and options.
//!
//! Completes words of the command line only, no ids: a key stroke folds nothing.

use clap_complete::{Shell as Program, generate};

use super::help;
use super::shell::{CommandOutcome, Done, Shell};

/// Arguments of `annals completions`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// bash, zsh, fish, elvish or powershell
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    program: Program,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let mut script = Vec::new();
    generate(arguments.program, &mut help::dressed(), "annals", &mut script);
    shell.out.page(&String::from_utf8_lossy(&script))?;
    Ok(CommandOutcome::Done)
}
