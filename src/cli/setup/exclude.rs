//! Keeps a person's own settings, which lie in a project, out of git: by a line in the clone's `info/exclude`.
//!
//! Git is asked, so that all of its rules count. Where there is no git, nothing is done.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::git::answer;
use crate::log::disk::{Disk, RealDisk, Safety};
use crate::log::git::git_in;

/// Rules of a clone are no longer.
const MOST_BYTES: u64 = 1 << 20;

/// Stands before our line.
const MARK: &str = "# `annals setup --local`";

/// Who gets the file.
#[derive(Debug)]
pub(super) enum FileReach {
    /// The person: git is not there, or ignores it.
    Alone,
    /// The person, since this file says so.
    Excluded(PathBuf),
    /// Whoever has the project: git has it already.
    Tracked,
    /// Whoever has the project, until git ignores it: the line could not be written.
    Open(anyhow::Error),
}

/// A file of a person in a project.
pub(super) struct Own<'f> {
    project: &'f Path,
    file: &'f Path,
}

impl<'f> Own<'f> {
    /// The project's folder, and the whole path of the file.
    pub(super) fn new(project: &'f Path, file: &'f Path) -> Self {
        Self { project, file }
    }

    /// Sees to it that git does not take the file along.
    pub(super) fn keep_out(&self) -> FileReach {
        let Ok(prefix) = answer(self.project, &["--show-prefix"]) else { return FileReach::Alone };
        // Asked first, because no rule takes back what git has.
        if self.git_says(&["ls-files", "--error-unmatch"]) {
            return FileReach::Tracked;
        }
        if self.git_says(&["check-ignore", "-q"]) {
            return FileReach::Alone;
        }
        let added = Exclude::of(self.project).and_then(|exclude| {
            let rule = self.rule(&prefix)?;
            exclude.change(|text| with(&without(text, &rule), &rule))?;
            // Asked once more: a rule of the repository may take back what info/exclude says.
            let is_kept_out = self.git_says(&["check-ignore", "-q"]);
            anyhow::ensure!(is_kept_out, "a rule of the repository says that it is not ignored");
            Ok(exclude.path())
        });
        added.map_or_else(FileReach::Open, FileReach::Excluded)
    }

    /// Takes our line away again; where it was.
    pub(super) fn give_back(&self) -> anyhow::Result<Option<PathBuf>> {
        let Ok(prefix) = answer(self.project, &["--show-prefix"]) else { return Ok(None) };
        let (exclude, rule) = (Exclude::of(self.project)?, self.rule(&prefix)?);
        let text = exclude.read()?;
        let shorter = without(&text, &rule);
        if shorter == text {
            return Ok(None);
        }
        exclude.change(|_| shorter)?;
        Ok(Some(exclude.path()))
    }

    fn git_says(&self, command: &[&str]) -> bool {
        let output = git_in(self.project).args(command).arg("--").arg(self.file).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// The file from the top of the work tree, as git reads rules: some letters stand for others there.
    fn rule(&self, prefix: &str) -> anyhow::Result<Vec<u8>> {
        let below = self.file.strip_prefix(self.project).context("the settings lie outside of the project")?;
        let below = below.to_str().context("the path of the settings is no text")?;
        let mut rule = String::from("/");
        for letter in prefix.chars().chain(below.chars()) {
            rule.extend(matches!(letter, '\\' | '*' | '?' | '[').then_some('\\'));
            rule.push(letter);
        }
        Ok(rule.into_bytes())
    }
}

/// What the clone alone leaves out of git, in all of its work trees.
struct Exclude {
    git: PathBuf,
}

impl Exclude {
    fn of(project: &Path) -> anyhow::Result<Self> {
        let git = project.join(answer(project, &["--git-common-dir"])?);
        Ok(Self { git: std::fs::canonicalize(git).context("cannot find git's folder")? })
    }

    fn path(&self) -> PathBuf {
        self.git.join("info/exclude")
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::new(RealDisk).below(&self.git)
    }

    fn read(&self) -> anyhow::Result<Vec<u8>> {
        let path = self.path();
        let bytes = self.disk().read_at_most(&path, MOST_BYTES);
        Ok(bytes.with_context(|| format!("cannot read {}", path.display()))?.unwrap_or_default())
    }

    fn change(&self, change: impl FnOnce(&[u8]) -> Vec<u8>) -> anyhow::Result<()> {
        let (path, text) = (self.path(), change(&self.read()?));
        let written = self.disk().create_folder(&self.git.join("info"));
        let written = written.and_then(|()| self.disk().replace(&path, &text, Safety::Synced));
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The rules with ours at the end.
fn with(text: &[u8], rule: &[u8]) -> Vec<u8> {
    let newline: &[u8] = if text.is_empty() || text.ends_with(b"\n") { b"" } else { b"\n" };
    [text, newline, MARK.as_bytes(), b"\n", rule, b"\n"].concat()
}

/// The rules without ours; one that the person wrote stays.
fn without(text: &[u8], rule: &[u8]) -> Vec<u8> {
    let ours = [MARK.as_bytes(), b"\n", rule, b"\n"].concat();
    let found = memchr::memmem::find_iter(text, &ours).find(|at| *at == 0 || text[at - 1] == b'\n');
    found.map_or_else(|| text.to_vec(), |at| [&text[..at], &text[at + ours.len()..]].concat())
}

/// Says who gets a file of this name.
pub(super) struct SaidReach<'r>(pub(super) &'r Path, pub(super) &'r FileReach);

impl fmt::Display for SaidReach<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.0.display();
        match self.1 {
            FileReach::Alone => write!(f, "{path} is yours alone"),
            FileReach::Excluded(by) => write!(f, "{path} is yours alone: {} keeps it out of git now", by.display()),
            FileReach::Tracked => {
                write!(f, "git has {path}: who shares the project gets it; `git rm --cached` makes it yours alone")
            }
            FileReach::Open(error) => {
                write!(f, "{path} is yours, but git takes it along until it is ignored: {error:#}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_line_comes_behind_what_is_there_and_goes_alone() {
        for before in ["", "*.o\n", "# mine\n/a\n"] {
            let after = with(before.as_bytes(), b"/a");
            assert_eq!(String::from_utf8_lossy(&after), format!("{before}{MARK}\n/a\n"));
            assert_eq!(without(&after, b"/a"), before.as_bytes());
            assert_eq!(without(&after, b"/b"), after);
        }
        assert_eq!(with(b"*.o", b"/a"), format!("*.o\n{MARK}\n/a\n").into_bytes());
    }

    #[test]
    fn letters_that_mean_others_to_git_are_escaped() {
        let own = Own::new(Path::new("/p"), Path::new("/p/.claude/x.json"));
        assert_eq!(own.rule("a[1]*/").expect("a rule"), br"/a\[1]\*/.claude/x.json");
    }
}
