//! The list of commands: for each its words, what it says of itself, and what it does.
//!
//! Arguments, help, completions, manual pages and the way to a command come from it. A command whose arguments are the fields
//! of a command of the domain is a line here; any other names its function. Does not know what either prints.

mod field;
mod line;
mod read;

use std::ffi::OsString;

use clap::{ArgMatches, Args, Subcommand};

use super::shell::{Done, Shell};
use crate::domain::Command;
use crate::engine::Engine;

/// A command of the command line.
pub(super) struct CommandRow {
    /// Its word.
    pub name: &'static str,
    /// Another word for it.
    pub alias: Option<&'static str>,
    /// What it does, in a line.
    pub about: &'static str,
    /// What becomes of it.
    pub does: Does,
}

/// What becomes of a command.
pub(super) enum Does {
    /// A decision, from arguments that are fields of a command of the domain.
    Decides(Decision),
    /// What its function does with arguments of its own.
    Runs(&'static dyn Runs),
    /// What a command below it does; the arguments are of all of them.
    Holds(&'static [CommandRow], fn(clap::Command) -> clap::Command),
}

/// A command of the domain, as it is asked for on the command line.
pub(super) struct Decision {
    /// The name on the wire.
    pub command: &'static str,
    /// Its arguments: `line` has the grammar.
    pub line: &'static str,
    /// Decides it, and says what came of it.
    pub decide: fn(&mut Shell, &Engine, Command) -> Done,
}

/// A command with arguments of its own.
pub(super) trait Runs: Sync {
    fn arguments(&self, command: clap::Command) -> clap::Command;
    /// Does it.
    fn run(&self, shell: &mut Shell, matches: &ArgMatches) -> Done;
}

/// A function with the arguments that it takes.
pub(super) struct With<A>(pub fn(&mut Shell, &A) -> Done);

/// A function without arguments.
pub(super) struct Bare(pub fn(&mut Shell) -> Done);

/// A function with the commands below a command.
pub(super) struct Below<C>(pub fn(&mut Shell, C) -> Done);

impl<C: Subcommand> Runs for Below<C> {
    fn arguments(&self, command: clap::Command) -> clap::Command {
        C::augment_subcommands(command.subcommand_required(true).arg_required_else_help(true))
    }

    fn run(&self, shell: &mut Shell, matches: &ArgMatches) -> Done {
        (self.0)(shell, C::from_arg_matches(matches)?)
    }
}

impl<A: Args> Runs for With<A> {
    fn arguments(&self, command: clap::Command) -> clap::Command {
        A::augment_args(command)
    }

    fn run(&self, shell: &mut Shell, matches: &ArgMatches) -> Done {
        (self.0)(shell, &A::from_arg_matches(matches)?)
    }
}

impl Runs for Bare {
    fn arguments(&self, command: clap::Command) -> clap::Command {
        command
    }

    fn run(&self, shell: &mut Shell, _: &ArgMatches) -> Done {
        (self.0)(shell)
    }
}

/// A list of commands: each with its sentence above it, and what becomes of it behind its words.
macro_rules! rows {
    ($( $(#[doc = $about:literal])+ $name:literal $(or $alias:literal)? => $does:expr, )*) => {{
        #[allow(unused_imports, reason = "not every list has each sort of command")]
        use $crate::cli::registry::{Bare, Below, Does::Runs, CommandRow, With, alias, decides, holds};
        &[$( CommandRow { name: $name, alias: alias(&[$($alias)?]), about: concat!($($about),+), does: $does }, )*]
    }};
}
pub(in crate::cli) use rows;

/// A decision, from arguments that are fields of a command of the domain.
pub(super) const fn decides(
    command: &'static str,
    line: &'static str,
    decide: fn(&mut Shell, &Engine, Command) -> Done,
) -> Does {
    Does::Decides(Decision { command, line, decide })
}

/// Commands below a command that has no arguments itself.
pub(super) const fn holds(rows: &'static [CommandRow]) -> Does {
    Does::Holds(rows, |command| command)
}

/// The other word of a command, where it has one.
pub(super) const fn alias(words: &[&'static str]) -> Option<&'static str> {
    match words {
        [word, ..] => Some(word),
        [] => None,
    }
}

/// A field of a command that is a text, such as the thing that it is about.
pub(super) fn text_in(command: &Command, field: &str) -> String {
    command.data().value()[field].as_str().unwrap_or_default().to_owned()
}

/// Which parts of the list are built.
#[derive(Clone, Copy)]
pub(super) enum Built<'a> {
    /// All of it, for help and completions.
    Whole,
    /// The arguments of the commands that are named among these words: the others are not asked for.
    Named(&'a [OsString]),
}

impl Built<'_> {
    fn has(self, row: &CommandRow) -> bool {
        match self {
            Self::Whole => true,
            Self::Named(words) => {
                words.iter().any(|word| word == row.name || row.alias.is_some_and(|alias| word == alias))
            }
        }
    }
}

/// Puts commands below one.
pub(super) fn below(command: clap::Command, rows: &'static [CommandRow], built: Built<'_>) -> clap::Command {
    let command = command.subcommand_required(true).arg_required_else_help(true);
    command.subcommands(rows.iter().map(|row| row.command(built)))
}

/// Does what the matched command does.
pub(super) fn run(shell: &mut Shell, rows: &'static [CommandRow], matches: &ArgMatches) -> Done {
    let (name, matches) = matches.subcommand().expect("BUG: clap asks for a command");
    let row = rows.iter().find(|row| row.name == name).expect("BUG: clap knows no others");
    match &row.does {
        Does::Decides(decision) => {
            let engine = shell.engine()?;
            let command = read::command(shell, &engine, decision, matches)?;
            (decision.decide)(shell, &engine, command)
        }
        Does::Runs(runs) => runs.run(shell, matches),
        Does::Holds(rows, _) => run(shell, rows, matches),
    }
}

impl CommandRow {
    fn command(&self, built: Built<'_>) -> clap::Command {
        let command = clap::Command::new(self.name).aliases(self.alias);
        let command = match &self.does {
            _ if !built.has(self) => command,
            Does::Decides(decision) => command.args(decision.arguments()),
            Does::Runs(runs) => runs.arguments(command),
            Does::Holds(rows, arguments) => below(arguments(command), rows, built),
        };
        // Last: arguments bring the documentation of their type along.
        command.about(self.about.trim()).long_about(None)
    }
}

#[cfg(test)]
mod tests;
