//! Where the effects of an agent happen (artoo R3 and Law 1, decisions 61 to 64).
//!
//! A task gets a **workspace**: a clone of the project, or the project's folder with a copy of each file before its first
//! change. **Tools** work in it and leave it by no path; commands run in it behind the **walls** of the machine; **checks** look
//! at what came of it. At the end stands a diff, which the person applies, keeps as a branch, or discards. What a command would
//! do that cannot be undone is said beforehand.
//!
//! ```text
//! outside       what the program that runs us knows of the machine: read at the edge, handed in
//! workspace/    make, reopen; diff; apply, keep, discard
//! tool/         find, glob, search, read, write, edit, shell, fetch
//! check         criteria that code decides
//! irreversible  what the person is asked about, once per action
//! confine/      the walls: how a command is started behind them, and what is missing where one cannot be had
//! proxy/        the one way out of a cell: hosts that were allowed, and no others
//! beneath/      files below a folder, and nothing else: by these tools work, and diffs are made
//! walk          the same for all files below a folder, as git sees them
//! name          paths as tools are given them
//! git           git as a tool of ours, which runs nothing that a project or an agent configured
//! cache         what builds and tests leave beside their work, by its name
//! cut           the beginning and the end of what is too long
//! ```
//!
//! What never happens: nothing of a project under git changes before `apply` and `keep`; no setting, hook or git directory that
//! an agent can write to is read by us; no path leads out, with or without Landlock; no clock and no environment is read; what a
//! command writes is never kept as a whole. Asks no model, records nothing, judges nothing.
//!
//! The program that uses it calls [`confine::enter`] under a hidden subcommand, before it starts a thread.

mod beneath;
mod cache;
mod check;
pub mod confine;
mod cut;
mod git;
mod irreversible;
mod name;
mod outside;
pub mod proxy;
#[cfg(test)]
mod tests;
pub mod tool;
mod walk;
pub mod workspace;

pub use self::beneath::NotReached;
pub use self::check::{Check, CheckGiver, CheckOutcome, CheckResult, check};
pub use self::git::GitError;
pub use self::irreversible::{Irreversible, irreversible};
pub use self::name::BadPath;
pub use self::outside::Outside;
