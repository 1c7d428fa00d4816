//! `annals man`: manual pages, one for each command, made from the list of commands.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;

use super::help;
use super::shell::{CommandOutcome, Done, Shell};

/// Arguments of `annals man`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder, such as ~/.local/share/man/man1
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let folder = shell.environment.directory.join(&arguments.folder);
    let write = || -> std::io::Result<usize> {
        fs::create_dir_all(&folder)?;
        clap_mangen::generate_to(help::dressed(), &folder)?;
        Ok(fs::read_dir(&folder)?.count())
    };
    let count = write().with_context(|| format!("cannot write manual pages into {}", folder.display()))?;
    shell.out.line(format_args!("{count} manual pages in {}", folder.display()))?;
    Ok(CommandOutcome::Done)
}
