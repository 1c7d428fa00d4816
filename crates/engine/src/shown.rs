//! Whether a file or commit is there that is to show that something was applied in the work (control-room 8.1).
//!
//! Looks only; does not decide what that is worth.

use std::path::{Component, Path};

use super::own::repository_of;
use super::{Engine, evidence};
use annals_kernel::grounding::{Evidence, FileReference};
use annals_kernel::time::Timestamp;
use annals_rules::domain::issue::command::Shown;

/// What is to show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof<'p> {
    /// A file of the project.
    File(&'p str),
    /// A commit of the project's repository.
    Commit(&'p str),
}

/// Looks for it; nothing where there is no git to ask.
pub fn look(engine: &Engine, proof: &Proof<'_>) -> Option<Shown> {
    let project = engine.place().context().parent().unwrap_or(Path::new("."));
    let is_there = match proof {
        Proof::File(path) => is_a_file_of(project, path),
        Proof::Commit(commit) => is_a_commit_of(engine.place().context(), commit)?,
    };
    Some(if is_there { Shown::Found } else { Shown::Missing })
}

/// SHA-256 of a file of the project, where it can be cited.
pub fn hash_of(engine: &Engine, path: &str) -> Option<Box<str>> {
    let project = engine.place().context().parent().unwrap_or(Path::new("."));
    let file = FileReference { path: path.into(), lines: None, quote: None };
    let evidence = Evidence { files: vec![file], ..Evidence::default() };
    evidence::check(project, &evidence).into_iter().next().and_then(|checked| checked.sha256)
}

/// When a commit of the project's repository was made, as it says: whoever makes one can date it as it likes.
pub fn time_of(engine: &Engine, commit: &str) -> Option<Timestamp> {
    const SECOND_MS: i64 = 1000;
    let repository = repository_of(engine.place().context()).ok()??;
    let seconds = is_hash(commit).then(|| repository.commit_time(commit).ok().flatten()).flatten()?;
    Some(Timestamp::from_millis(seconds.checked_mul(SECOND_MS)?))
}

/// A plain file below the project, whatever links lead to it.
fn is_a_file_of(project: &Path, path: &str) -> bool {
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let inside = project.canonicalize().ok().zip(project.join(path).canonicalize().ok());
    is_plain && inside.is_some_and(|(project, file)| file.starts_with(project) && file.is_file())
}

/// A hash that git knows as a commit here; nothing where there is no git to ask.
fn is_a_commit_of(context: &Path, commit: &str) -> Option<bool> {
    if !is_hash(commit) {
        return Some(false);
    }
    repository_of(context).ok()??.has_commit(commit).ok()
}

fn is_hash(commit: &str) -> bool {
    // Only digits reach git, so that no name of a branch, and no option, stands for a commit; four are the least that
    // git abbreviates to.
    (4..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
}
