//! What people do with git in a project.

use super::chance::Chance;

/// One thing that somebody does in a work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// One or more commands of git, one after another, whatever each comes to.
    Git(Vec<Vec<String>>),
    /// `git add` of the segment that was written last.
    AddOpenSegment,
    /// A linked work tree on a new branch.
    AddWorkTree,
    /// Takes a linked work tree away.
    RemoveWorkTree,
    /// `rm -r .context/local`.
    RemoveLocal,
    /// `rm -r .context`, and `annals init`.
    RemoveContext,
    /// `mv .context` away and back, with a hook in between.
    MoveContext,
    /// `annals archive`.
    Archive,
}

/// What the work tree can be moved to.
pub struct Branches {
    pub all: Vec<String>,
    /// A name that is free.
    pub fresh: String,
}

const PLAIN: &[&str] = &[
    "add -A",
    "add -A",
    "add -A",
    "commit -qm c",
    "commit -qm c",
    "add -A|commit -qm c",
    "add -A|commit -qm c",
    "add -A|commit -qm c",
    "commit -qam c",
    "commit -qa --amend --no-edit",
    "commit -q --amend --no-edit --allow-empty",
    "stash -q",
    "stash -q -u",
    "stash -q -u",
    "stash pop -q",
    "stash pop -q",
    "stash drop -q",
    "checkout -q .",
    "restore .",
    "restore --staged --worktree .",
    "reset -q --hard",
    "reset -q --soft HEAD~1",
    "reset -q --mixed HEAD~1",
    "reset -q",
    "reset -q --hard HEAD~1",
    "reset -q --hard HEAD~3",
    "reset -q --hard ORIG_HEAD",
    "add -A|reset -q --hard",
    "add -A|reset -q --hard",
    "clean -qfd",
    "clean -qfdx",
    "fetch -q",
    "pull -q --no-rebase origin main",
    "pull -q --rebase origin main",
    "push -q origin HEAD",
    "push -q origin HEAD",
    "push -q -f origin HEAD",
    "sparse-checkout set src",
    "sparse-checkout set --sparse-index src",
    "sparse-checkout disable",
    "rm -rq --cached .context",
    "gc -q --prune=now",
    "rebase -q origin/main",
];

impl Operation {
    /// Chooses one.
    pub fn draw(chance: &mut Chance, branches: &Branches) -> Self {
        let other = || branches.all.clone();
        match chance.below(65) {
            0..44 => Self::of(chance.one_of::<&str>(PLAIN)),
            44..49 => Self::of(&format!("switch -q {}", chance.one_of(&other()))),
            49..51 => Self::of(&format!("switch -q -c {}", branches.fresh)),
            51..53 => Self::of(&format!("switch -q -|switch -q {}", chance.one_of(&other()))),
            53..55 => Self::of(&format!("merge -q --no-edit {}", chance.one_of(&other()))),
            55 => Self::of(&format!("rebase -q {}", chance.one_of(&other()))),
            56 => Self::of(&format!("cherry-pick --allow-empty {}", chance.one_of(&other()))),
            57 => Self::AddWorkTree,
            58 => Self::RemoveWorkTree,
            59 => Self::RemoveLocal,
            60 => Self::RemoveContext,
            61 => Self::MoveContext,
            62 => Self::Archive,
            _ => Self::AddOpenSegment,
        }
    }

    /// Commands of git, with `|` between them.
    pub fn of(text: &str) -> Self {
        let words = |command: &str| command.split(' ').map(str::to_owned).collect();
        Self::Git(text.split('|').map(words).collect())
    }
}

/// Whether git failed because of a file of ours, by what it said: it names files of the history, and no other. Whoever takes
/// files out of the index, or makes `.context` anew on a branch without one, has the same trouble with every file of his; so
/// has who staged what it names, or has it beside the index as some commit has it (by `reset`, `rm --cached`, `stash pop`).
/// That a file is gone on a branch is what somebody committed: we remove none that git knows.
pub fn blames_us(said: &str, own: &[String]) -> bool {
    let begins = ["error:", "fatal:", "CONFLICT", "already exists, no checkout", "warning: failed"];
    let complains = complaints(said).any(|line| begins.iter().any(|begin| line.contains(begin)));
    let files: Vec<_> = files_of(said).collect();
    // git cuts a long message off, in the middle of a name.
    let is_own = files.iter().all(|path| own.iter().any(|own| own.starts_with(path)));
    complains && !is_own && files.iter().all(|path| path.starts_with(".context/history/"))
}

fn complaints(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter(|line| !line.starts_with("CONFLICT (rename/delete)"))
}

/// The files that git names.
pub fn files_of(said: &str) -> impl Iterator<Item = &str> {
    complaints(said).flat_map(str::split_whitespace).filter(|word| is_path(word))
}

fn is_path(word: &str) -> bool {
    ["src/", ".context/"].iter().any(|folder| word.starts_with(folder))
}
