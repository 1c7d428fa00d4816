//! What a command line does: whether it runs tests, writes, reads, searches, or asks the web.
//!
//! Not a shell: `lexer` takes a line apart, `wrapper` says what stands before a command, `act` what acts. Of several
//! commands the one with the most `Weight` says what the line does, of equals the last.

mod act;
#[cfg(test)]
mod disguises;
mod lexer;
mod runner;
mod weight;
mod wrapper;
mod writes;

pub use self::act::{Act, acts, operands};
pub use self::lexer::Joint;
use self::weight::{Told, Weight};
pub use self::writes::{Writes, writes};
use super::{CallKind, patch};

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
        let acts = read(command);
        let mut found: Option<(&Act<'_>, Told<'_>)> = None;
        for act in &acts {
            let told = Told::by(act);
            let tells_more = |(_, other): &(&Act<'_>, Told<'_>)| {
                told.weight > other.weight || told.weight == other.weight && told.weight != Weight::Nothing
            };
            if found.as_ref().is_none_or(tells_more) {
                found = Some((act, told));
            }
        }
        let Some((act, told)) = found else { return Self { kind: CallKind::Shell, tool: None, file: None } };
        let tool = Some(act.name()).filter(|name| !name.is_empty());
        Self { kind: told.kind, tool, file: told.file.map(str::to_owned) }
    }
}

/// The beginning of a command line, up to a text that is no command.
fn read(command: &str) -> Vec<Act<'_>> {
    let mut acts = acts(head(command, MOST_BYTES));
    let end = acts.iter().position(Act::takes_text).map_or(acts.len(), |at| at + 1);
    acts.truncate(end);
    acts
}

/// The files that a command line changes, as it names them, each once.
pub(super) fn written(command: &str) -> Vec<Box<str>> {
    let acts = read(command);
    let named = patch::files(command).into_iter().chain(acts.iter().flat_map(writes::files));
    let mut seen: Vec<Box<str>> = Vec::new();
    for file in named.map(|file| file.strip_prefix("./").unwrap_or(file)) {
        if !seen.iter().any(|known| **known == *file) {
            seen.push(file.into());
        }
    }
    seen
}

/// Whether a program is a shell.
pub fn is_shell(program: &str) -> bool {
    matches!(program, "ash" | "bash" | "dash" | "fish" | "ksh" | "sh" | "zsh")
}

pub(super) fn head(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}
