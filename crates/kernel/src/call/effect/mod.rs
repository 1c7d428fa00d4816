//! What a command does that is hard to undo: history that is rewritten, data that is dropped, files that are removed,
//! something that others get.
//!
//! Told from the text of a command line alone: `reader` follows what the line itself says of its variables, aliases, folders
//! and scripts, and sees through wrappers, shells in shells and the code of interpreters. What is only named, printed, searched
//! for or committed is no effect; neither is a run that only says what it would do. A script on the disk and a program of the
//! project's own are not looked into: of these only the name counts. Does not run anything, and forbids nothing.

mod clients;
mod code;
mod expand;
mod files;
mod git;
mod lists;
mod place;
mod programs;
mod reader;
mod sql;
#[cfg(test)]
mod tests;

use super::shell::Act;
use crate::grounding::words;

words! {
    /// What a command does that is hard to undo.
    pub enum Effect {
        /// History that others have is rewritten, or what would bring it back is thrown away.
        Rewritten = "history-rewritten",
        /// Work that was not committed is thrown away.
        Discarded = "work-discarded",
        /// Data of a store is dropped.
        Dropped = "data-dropped",
        /// Files are removed, and they are neither output of a build nor temporary.
        Removed = "files-removed",
        /// A disk is written over.
        Disk = "disk",
        /// What lies with a provider is removed.
        CloudRemoved = "cloud-removed",
        /// Something is published: others may have it.
        Published = "published",
        /// What runs for others is changed.
        Deployed = "deployed",
        /// The shape of a store is changed.
        Migrated = "migrated",
        /// Files are opened to everybody, or given to somebody else.
        Opened = "permissions-opened",
        /// A service is stopped, or what guards it.
        Stopped = "stopped",
        /// What runs cannot be read here: it is decoded, fetched, or put together from what the line does not say.
        Unreadable = "unreadable",
    }
}

/// One effect, and the command that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandEffect {
    /// What it does.
    pub effect: Effect,
    /// The command, its words parted by blanks.
    pub command: Box<str>,
}

/// A command that stands for its effect is cut here, in characters.
pub const COMMAND_CHARS: usize = 120;

/// What a command line does, in its order, each effect once, with the first command that has it.
pub fn effects(line: &str) -> Vec<CommandEffect> {
    reader::EffectReader::keeping(reader::Kept::First).of(line)
}

/// The same with each command, whole. What lies too deep to be followed is `Unreadable`.
pub fn every_effect(line: &str) -> Vec<CommandEffect> {
    reader::EffectReader::keeping(reader::Kept::Each).of(line)
}

/// The same of commands that were taken apart already.
pub(super) fn effects_of(acts: &[Act<'_>]) -> Vec<CommandEffect> {
    // Most command lines are of the fold, and most of those look around: they are passed over by the names of their programs.
    if !acts.iter().any(reader::may_matter) {
        return Vec::new();
    }
    reader::EffectReader::default().of_acts(acts)
}
