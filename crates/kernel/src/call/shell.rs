//! What a command line does: whether it runs tests, writes, reads, searches, or asks the web.
//!
//! Not a shell: it knows quotes, the joints between commands and here-documents, and is right about the usual ones. Of
//! several commands the one with the most `Weight` says what the line does, of equals the last.

mod line;
mod runner;
mod simple;
mod step;
mod weight;
mod writes;

use self::line::parts;
pub use self::simple::{Simple, commands};
use self::step::Step;
use self::weight::{Told, Weight};
pub use self::writes::{Writes, writes};
use super::{CallKind, patch};

/// A command line is not looked at further than this, in bytes.
const MOST_BYTES: usize = 4096;

/// Shells in shells are not looked into deeper than this.
const MOST_DEPTH: u8 = 2;

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

/// Whether a command of the line only says what it would do: `make -n`, `pytest --collect-only`.
pub fn is_dry_run(command: &str) -> bool {
    let steps = parts(head(command, MOST_BYTES));
    steps.iter().filter_map(Step::of).any(|step| runner::only_says(step.program, &step.words))
}

/// The program that a command line is about, and its verb where it has verbs: `cargo test`.
pub fn program(command: &str) -> Option<String> {
    Run::of(command).tool
}

impl Run {
    pub(super) fn of(command: &str) -> Self {
        let mut found = None;
        tell(head(command, MOST_BYTES), 0, &mut found);
        let Some((step, told)) = found else { return Self { kind: CallKind::Shell, tool: None, file: None } };
        Self { kind: told.kind, tool: Some(step.name()), file: told.file.map(str::to_owned) }
    }
}

/// The files that a command line changes, as it names them, each once.
pub(super) fn written(command: &str) -> Vec<&str> {
    let mut files = patch::files(command);
    each(head(command, MOST_BYTES), 0, &mut |step| files.extend(writes::files(step)));
    let mut seen = Vec::with_capacity(files.len());
    for file in files.into_iter().map(|file| file.strip_prefix("./").unwrap_or(file)) {
        if !seen.contains(&file) {
            seen.push(file);
        }
    }
    seen
}

/// Calls `then` with every command, those in shells in shells, too.
fn each<'c>(command: &'c str, depth: u8, then: &mut dyn FnMut(&Step<'c>)) {
    for step in parts(command).iter().filter_map(Step::of) {
        match step.inner().filter(|_| depth < MOST_DEPTH) {
            Some(inner) => each(inner, depth + 1, then),
            None => then(&step),
        }
        if step.takes_text() {
            break;
        }
    }
}

/// Whether a program is a shell.
pub fn is_shell(program: &str) -> bool {
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh")
}

/// Finds the command that tells most.
fn tell<'c>(command: &'c str, depth: u8, found: &mut Option<(Step<'c>, Told<'c>)>) {
    for step in parts(command).iter().filter_map(Step::of) {
        if depth < MOST_DEPTH
            && let Some(inner) = step.inner()
        {
            tell(inner, depth + 1, found);
            continue;
        }
        let told = Told::by(&step);
        let tells_more = |(_, other): &(Step<'c>, Told<'c>)| {
            told.weight > other.weight || told.weight == other.weight && told.weight != Weight::Nothing
        };
        if found.as_ref().is_none_or(tells_more) {
            *found = Some((step, told));
        }
    }
}

fn head(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}
