//! `annals trust import`: names and keys from a file of allowed signers. It is shown first, and counts after a yes.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::store::{Store, named};
use super::{NamedKey, Trust};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::kernel::counted::counted;
use crate::kernel::ssh::signers::Signer;
use crate::log::git::git_in;

/// Arguments of `annals trust import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file [default: what git's gpg.ssh.allowedSignersFile names]
    file: Option<PathBuf>,
    /// Trust them
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => of_git(shell)?,
    };
    let list = named(shell, &file)?;
    let store = Store::of(shell)?;
    let known = store.read()?.signers;
    let is_new = |one: &&Signer| !known.iter().any(|old| (&old.name, old.key) == (&one.name, one.key));
    let new: Vec<_> = list.signers.iter().filter(is_new).cloned().collect();
    let is_taken = !new.is_empty() && (arguments.yes || is_confirmed(shell, &file, &new)?);
    let added = if is_taken { store.add(&new)? } else { 0 };
    report(shell, &new, added)?;
    Ok(if is_taken || new.is_empty() { CommandOutcome::Done } else { CommandOutcome::Refused })
}

/// The file that git itself goes by.
fn of_git(shell: &Shell) -> anyhow::Result<PathBuf> {
    let mut git = git_in(&shell.environment.directory);
    git.args(["config", "--type=path", "gpg.ssh.allowedSignersFile"]);
    let output = git.output().context("cannot start git")?;
    let path = String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned();
    if path.is_empty() {
        let text = "git's gpg.ssh.allowedSignersFile names no file: name one";
        return Err(Usage(text.to_owned()).into());
    }
    Ok(PathBuf::from(path))
}

fn is_confirmed(shell: &mut Shell, file: &Path, new: &[Signer]) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() || shell.wants_json() {
        shell.out.say("nobody of these is trusted yet: look at them and give --yes")?;
        return Ok(false);
    }
    for signer in new {
        shell.out.say(format_args!("  {} {}", signer.name, signer.fingerprint()))?;
    }
    shell.out.say(format_args!(
        "{} of {}: type yes to trust them:",
        counted(new.len() as u64, "key"),
        file.display()
    ))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    Ok(answer.trim() == "yes")
}

fn report(shell: &mut Shell, new: &[Signer], added: usize) -> anyhow::Result<()> {
    if shell.wants_json() {
        let proposed = new.iter().map(NamedKey::of).collect();
        return Ok(shell.out.answer(&Trust::Proposed { changed: added, proposed })?);
    }
    let verb = if added > 0 { "trusts" } else { "found" };
    for signer in new {
        shell.out.line(format_args!("{verb} {} {}", signer.name, signer.fingerprint()))?;
    }
    if new.is_empty() {
        shell.out.line("nobody who is not trusted already")?;
    }
    Ok(())
}
