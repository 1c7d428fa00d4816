//! What a call would do that cannot be undone: it is asked of the person, once per action (artoo Law 1, decision 64).
//!
//! Told from the text of a command line by the kernel's table of commands, and by where this crate runs it: in a workspace that
//! can be dropped as a whole, files come back, and so does what git would throw away. What leaves the workspace does not. One
//! yes is for the whole line, so everything in it that cannot be undone is told, and not the first alone. A
//! guess, as each reading of a line is: what it misses, the walls stop, for they have no network and no other files.

use annals_kernel::call::acts;
use annals_kernel::call::effect::{CommandEffect, Effect, every_effect};
use serde_json::Value;

use crate::confine::ConfinementStatus;
use crate::tool::ToolKind;

/// What cannot be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Irreversible {
    /// What is done, and by which command: a line for each that does it.
    pub why: String,
}

/// A command is cut here, in characters: who asks shows the whole line besides.
const COMMAND_CHARS: usize = 200;

/// What a call would do that cannot be undone. Files that are written in the workspace can be.
pub fn irreversible(kind: ToolKind, input: &Value, status: &ConfinementStatus) -> Option<Irreversible> {
    match kind {
        ToolKind::Shell => of_line(input.get("command")?.as_str()?, status),
        ToolKind::Find
        | ToolKind::Glob
        | ToolKind::Search
        | ToolKind::Read
        | ToolKind::Write
        | ToolKind::Edit
        | ToolKind::Fetch => None,
    }
}

fn of_line(line: &str, status: &ConfinementStatus) -> Option<Irreversible> {
    let found = every_effect(line).into_iter().filter(|found| is_irreversible(found, line, status));
    let told: Vec<_> = found.map(|found| format!("{}: `{}`", what(found.effect), cut(&found.command))).collect();
    (!told.is_empty()).then(|| Irreversible { why: told.join("\n") })
}

/// On one line.
fn cut(command: &str) -> String {
    let mut letters = command.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let head: String = letters.by_ref().take(COMMAND_CHARS).collect();
    if letters.next().is_some() { head + "…" } else { head }
}

fn is_irreversible(found: &CommandEffect, line: &str, status: &ConfinementStatus) -> bool {
    match found.effect {
        // Of history only what others have; the workspace's own is a copy.
        Effect::Rewritten => has_word(&found.command, "push"),
        Effect::Discarded => leaves(line),
        Effect::Removed | Effect::Opened => leaves(&found.command) || leaves(line),
        // It cannot be read; where nothing is missing from the walls, it can do nothing that is not undone.
        Effect::Unreadable => !status.is_full(),
        Effect::Dropped
        | Effect::Disk
        | Effect::CloudRemoved
        | Effect::Published
        | Effect::Deployed
        | Effect::Migrated
        | Effect::Stopped => true,
    }
}

fn what(effect: Effect) -> &'static str {
    match effect {
        Effect::Rewritten => "rewrites history that others have",
        Effect::Discarded => "throws away work outside of the workspace",
        Effect::Removed => "removes files outside of the workspace",
        Effect::Opened => "changes rights outside of the workspace",
        Effect::Unreadable => "runs what cannot be read beforehand",
        Effect::Dropped => "drops data of a store",
        Effect::Disk => "writes over a disk",
        Effect::CloudRemoved => "removes what lies with a provider",
        Effect::Published => "publishes",
        Effect::Deployed => "changes what runs for others",
        Effect::Migrated => "changes the shape of a store",
        Effect::Stopped => "stops a service",
    }
}

fn has_word(command: &str, wanted: &str) -> bool {
    command.split_whitespace().any(|word| word == wanted)
}

/// Whether any of its commands names a place outside of the folder that it begins in, or goes there.
fn leaves(line: &str) -> bool {
    acts(line).iter().any(|act| {
        let is_home = matches!(act.program(), "cd" | "pushd") && act.words().next().is_none();
        let is_elsewhere = matches!(act.program(), "ssh" | "docker" | "podman" | "kubectl");
        is_home || is_elsewhere || act.words().any(is_outside)
    })
}

fn is_outside(word: &str) -> bool {
    let path = word.split_once('=').map_or(word, |(_, value)| value);
    let is_scratch = ["/tmp/", "/dev/null", "$TMPDIR", "${TMPDIR"].iter().any(|own| path.starts_with(own));
    let is_up = || {
        let mut depth = 0_i32;
        path.split('/').any(|part| {
            depth += match part {
                "" | "." => 0,
                ".." => -1,
                _ => 1,
            };
            depth < 0
        })
    };
    !is_scratch && (path.starts_with(['/', '~']) || path.starts_with("$HOME") || path.starts_with("${HOME") || is_up())
}
