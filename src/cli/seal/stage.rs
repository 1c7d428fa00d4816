//! Adds the files of the history that hold lines of this clone to what git will commit, with git's own `add`.
//!
//! Runs where git has started its hook, in its environment, so that it is the index of this very commit. What git ignores
//! stays ignored.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, bail};

use super::is_of_single_paths;
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::log::git::git_in;

/// Adds what is new; returns the paths, as git names them from here.
pub(super) fn stage(shell: &mut Shell, engine: &Engine) -> anyhow::Result<Vec<String>> {
    if shell.environment.git.index_file.as_deref().is_some_and(|index| is_of_single_paths(Path::new(index))) {
        shell.out.say("a commit of single paths takes nothing else: the history waits for the next one")?;
        return Ok(Vec::new());
    }
    let own: BTreeSet<_> = engine.own_segments()?.into_iter().collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let history = engine.place().history().to_str().context("the path of .context is no text")?.to_owned();
    let list = ["ls-files", "-z", "--others", "--modified", "--deduplicate", "--exclude-standard", "--", &history];
    let found = git(shell, &list, "")?;
    let mine: Vec<_> = found.split('\0').filter(|path| is_own(path, &own)).map(str::to_owned).collect();
    if !mine.is_empty() {
        git(shell, &["add", "--pathspec-from-file=-", "--pathspec-file-nul"], &mine.join("\0"))?;
    }
    Ok(mine)
}

/// Whether a file holds lines of this clone, or a large value: one that git does not have yet belongs to a line that it
/// does not have yet.
fn is_own(path: &str, own: &BTreeSet<String>) -> bool {
    let below = path.rsplit_once("history/").map_or(path, |(_, below)| below);
    own.contains(below) || below.starts_with("blobs/")
}

fn git(shell: &Shell, arguments: &[&str], input: &str) -> anyhow::Result<String> {
    let mut git = git_in(&shell.environment.directory);
    git.arg("--literal-pathspecs").args(arguments);
    git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn().context("cannot start git")?;
    // What it does not read it has no use for; how it ended says the rest.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().context("cannot wait for git")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments[0], String::from_utf8_lossy(&output.stderr).trim());
    }
    String::from_utf8(output.stdout).context("git names a path that is no text")
}
