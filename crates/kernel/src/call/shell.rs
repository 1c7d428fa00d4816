//! What a command line does: whether it runs tests, writes, reads, searches, or asks the web.
//!
//! Not a shell: `lexer` takes a line apart, `wrapper` says what stands before a command, `act` what acts. Of several
//! commands the one with the most `Weight` says what the line does, of equals the last.

mod act;
mod builder;
#[cfg(test)]
mod disguises;
mod lexer;
mod runner;
mod weight;
mod windows;
mod wrapper;
mod writes;

use std::cell::OnceCell;
use std::collections::BTreeSet;

pub use self::act::{Act, acts, operands};
pub use self::lexer::{Joint, RedirectMode};
use self::weight::{CommandWeight, Weight};
pub use self::writes::{Writes, writes};
use super::{CallKind, patch};
use crate::cut::head;

/// A command line is not looked at further than this, in bytes.
const MOST_BYTES: usize = 4096;

/// What a command line does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) kind: CallKind,
    /// The program, and its verb.
    pub(super) tool: Option<String>,
    /// The file that is read or written.
    pub(super) file: Option<String>,
}

/// Whether a command line runs tests.
pub fn is_test(command: &str) -> bool {
    Run::of(command).kind == CallKind::Test
}

/// The program that a command line is about, and its verb where it has verbs: `cargo test`.
pub fn program(command: &str) -> Option<String> {
    Run::of(command).tool
}

impl Run {
    /// What the command does that tells most.
    pub(super) fn of(command: &str) -> Self {
        Line::of(command).run()
    }
}

/// The beginning of a command line. It is taken apart when something is first asked of it, and once for all that is: of
/// the fold's reading of a call that was the costliest part.
pub(super) struct Line<'c> {
    text: &'c str,
    acts: OnceCell<Vec<Act<'c>>>,
}

impl<'c> Line<'c> {
    pub(super) fn of(text: &'c str) -> Self {
        Self { text, acts: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &'c str {
        self.text
    }

    /// Whether it is not longer than what is looked at.
    pub(super) fn is_whole(&self) -> bool {
        self.text.len() <= MOST_BYTES
    }

    /// Its commands.
    pub(super) fn acts(&self) -> &[Act<'c>] {
        self.acts.get_or_init(|| acts(head(self.text, MOST_BYTES)))
    }

    /// Those up to a text that is no command.
    fn commands(&self) -> &[Act<'c>] {
        let acts = self.acts();
        let end = acts.iter().position(Act::takes_text).map_or(acts.len(), |at| at + 1);
        &acts[..end]
    }

    /// What the command does that tells most.
    pub(super) fn run(&self) -> Run {
        let mut found: Option<(&Act<'_>, CommandWeight<'_>)> = None;
        for act in self.commands() {
            let told = CommandWeight::by(act);
            let tells_more = |(_, other): &(&Act<'_>, CommandWeight<'_>)| {
                told.weight > other.weight || told.weight == other.weight && told.weight != Weight::Nothing
            };
            if found.as_ref().is_none_or(tells_more) {
                found = Some((act, told));
            }
        }
        let Some((act, told)) = found else { return Run { kind: CallKind::Shell, tool: None, file: None } };
        let tool = Some(act.name()).filter(|name| !name.is_empty());
        Run { kind: told.kind, tool, file: told.file.map(str::to_owned) }
    }

    /// The files that it changes, as it names them, each once.
    pub(super) fn written(&self) -> Vec<Box<str>> {
        let named = patch::files(self.text).into_iter().chain(self.commands().iter().flat_map(writes::files));
        let mut seen = BTreeSet::new();
        let bare = named.map(|file| file.strip_prefix("./").unwrap_or(file));
        bare.filter(|file| seen.insert(*file)).map(Into::into).collect()
    }
}

/// Whether a program is a shell.
pub fn is_shell(program: &str) -> bool {
    matches!(program, "ash" | "bash" | "dash" | "fish" | "ksh" | "sh" | "zsh")
}
