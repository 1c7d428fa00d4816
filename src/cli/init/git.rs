//! What goes into git: said in `.gitignore`, asked for once (decision 51). Runs no git.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use crate::cli::output;
use crate::cli::shell::{Shell, Usage};
use crate::log::disk::{Disk, RealDisk, Safety};

/// What goes into git.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum IntoGit {
    /// The history, with its blobs and its archive.
    All,
    /// Nothing of it.
    Nothing,
}

/// What `.gitignore` says besides the template where nothing of the history goes into git.
const NOTHING: &str =
    "# Nothing of the history goes into git; `annals init --git all` changes that for what comes after.\n/history/\n";

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

/// What `.gitignore` says.
pub(super) fn found(context: &Path) -> anyhow::Result<IntoGit> {
    let is_left_out = read(context)?.lines().any(names_history);
    Ok(if is_left_out { IntoGit::Nothing } else { IntoGit::All })
}

fn names_history(line: &str) -> bool {
    line.trim().trim_matches('/') == "history"
}

/// Says in `.gitignore` what goes into git; what a person wrote there stays.
pub(super) fn set(context: &Path, wanted: IntoGit) -> anyhow::Result<Changed> {
    if found(context)? == wanted {
        return Ok(Changed::No);
    }
    let text = read(context)?;
    let text = match wanted {
        IntoGit::Nothing => format!("{}\n{NOTHING}", text.trim_end_matches('\n')),
        IntoGit::All => {
            let is_ours = |line: &&str| NOTHING.lines().any(|own| own == *line) || names_history(line);
            text.lines().filter(|line| !is_ours(line)).flat_map(|line| [line, "\n"]).collect()
        }
    };
    let path = context.join(".gitignore");
    let written = disk(context).replace(&path, text.as_bytes(), Safety::Cached);
    written.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Changed::Yes)
}

fn disk(context: &Path) -> Arc<dyn Disk> {
    Arc::new(RealDisk).below(context)
}

fn read(context: &Path) -> anyhow::Result<String> {
    let path = context.join(".gitignore");
    let bytes = disk(context).read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
}
