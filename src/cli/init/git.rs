//! What goes into git: said in `.gitignore`, asked for once (decision 51). Runs no git.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use crate::cli::output;
use crate::cli::shell::{Shell, Usage};
use crate::log::disk::{Disk, RealDisk, Safety};
use crate::log::folders::{GITIGNORE, IGNORE_ALL, PRIVATE};
use crate::log::second::SecondNames;

/// What goes into git.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum IntoGit {
    /// The history, with its blobs and its archive.
    All,
    /// Nothing of it.
    Nothing,
}

/// What `.gitignore` says besides the template where nothing of the history goes into git.
fn rules() -> String {
    const WHY: &str = "# Nothing of the history goes into git, and no view of it; `annals init --git all` changes that for what comes after.\n";
    WHY.to_owned() + &PRIVATE.map(|folder| format!("/{folder}/\n")).concat()
}

impl IntoGit {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Nothing => "nothing",
        }
    }

    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::All => {
                "into git goes the whole history, every prompt, call and output; `annals init --git nothing` leaves it out"
            }
            Self::Nothing => "into git goes nothing of the history; `annals init --git all` brings it in",
        }
    }
}

/// Whether a file was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    Yes,
    No,
}

/// Asks once, and only where somebody reads the question and can answer it; no answer is the default.
pub(super) fn ask(shell: &mut Shell) -> anyhow::Result<Option<IntoGit>> {
    // A script must never hang on a question that nobody reads.
    if shell.wants_json() || !std::io::stdin().is_terminal() || !output::is_read_by_person() {
        return Ok(None);
    }
    shell.out.say("What goes into git: all (the history, every prompt, call and output), or nothing of it? [all]")?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).context("stdin is no text")?;
    match answer.trim() {
        "" => Ok(None),
        word => <IntoGit as clap::ValueEnum>::from_str(word, true)
            .map(Some)
            .map_err(|_| Usage(format!("{word}: give all or nothing, as in `annals init --git nothing`")).into()),
    }
}

/// What is in force: what `.gitignore` says, but for a history that ignores itself, on whatever branch, and for a clone
/// that remembers it of one that was taken.
pub(super) fn found(context: &Path, seconds: Option<&SecondNames>) -> anyhow::Result<IntoGit> {
    let is_remembered = seconds.is_some_and(|seconds| seconds.private().exists());
    let is_left_out = is_remembered || read(context, GITIGNORE)?.lines().any(names_history) || is_private(context)?;
    Ok(if is_left_out { IntoGit::Nothing } else { IntoGit::All })
}

fn names_history(line: &str) -> bool {
    line.trim().trim_matches('/') == "history"
}

/// Whether the history has the rule in itself.
fn is_private(context: &Path) -> anyhow::Result<bool> {
    Ok(read(context, RULE)?.lines().any(|line| line.trim() == IGNORE_ALL.trim()))
}

/// Says what goes into git: in `.gitignore`, where what a person wrote stays, and in the history itself, because git
/// takes that file away with a branch; `seconds` remember it where the history is taken, too.
pub(super) fn set(context: &Path, wanted: IntoGit, seconds: Option<&SecondNames>) -> anyhow::Result<Changed> {
    let is_said = found(context, seconds)? == wanted && is_private(context)? == (wanted == IntoGit::Nothing);
    if wanted == IntoGit::All {
        let marks = seconds.map(|seconds| seconds.private().to_owned());
        for path in marks.into_iter().chain(PRIVATE.map(|folder| context.join(folder).join(GITIGNORE))) {
            let removed = disk(context).remove(&path);
            removed.with_context(|| format!("cannot remove {}", path.display()))?;
        }
    } else {
        write(context, RULE, IGNORE_ALL)?;
    }
    let text = read(context, GITIGNORE)?;
    let says = text.lines().any(names_history);
    match wanted {
        IntoGit::Nothing if !says => {
            write(context, GITIGNORE, &format!("{}\n{}", text.trim_end_matches('\n'), rules()))?;
        }
        IntoGit::All if says => {
            let own = rules();
            let is_ours = |line: &&str| own.lines().any(|rule| rule == *line) || names_history(line);
            let left: String = text.lines().filter(|line| !is_ours(line)).flat_map(|line| [line, "\n"]).collect();
            write(context, GITIGNORE, &left)?;
        }
        IntoGit::Nothing | IntoGit::All => {}
    }
    Ok(if is_said { Changed::No } else { Changed::Yes })
}

/// The rule in the history itself.
const RULE: &str = "history/.gitignore";

fn write(context: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = context.join(name);
    let written = disk(context).replace(&path, text.as_bytes(), Safety::Cached);
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn disk(context: &Path) -> Arc<dyn Disk> {
    Arc::new(RealDisk).below(context)
}

fn read(context: &Path, name: &str) -> anyhow::Result<String> {
    let path = context.join(name);
    let bytes = disk(context).read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
}
