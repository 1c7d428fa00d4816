//! `annals setup claude-code --status-line`: what `annals status --line` prints, below the agent's prompt.

use std::path::Path;

use super::{Arguments, Scope, SetUp, file_of, word};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::hook::Agent;
use crate::hook::setup::{HooksStanding, Settings};

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let scope = Scope::of(arguments);
    let file = file_of(shell, Agent::ClaudeCode, scope)?;
    let (path, readers) = (file.path().to_owned(), scope.readers());
    let settings = Settings::read(file)?;
    if arguments.check {
        let standing = settings.status_line(&arguments.program, readers)?;
        said(shell, &path, word(standing))?;
        let is_there = standing == HooksStanding::Installed;
        return Ok(if is_there { CommandOutcome::Done } else { CommandOutcome::Refused });
    }
    let new = if arguments.remove {
        settings.without_status_line()?
    } else {
        Some(settings.with_status_line(&arguments.program, readers)?)
    };
    if arguments.print {
        shell.out.json_text(new.as_deref().unwrap_or_default().trim_end())?;
        return Ok(CommandOutcome::Done);
    }
    let is_changed = new.as_deref() != settings.text();
    settings.store(new.as_deref())?;
    let deed = if arguments.remove { "removed" } else { "installed" };
    said(shell, &path, if is_changed { deed } else { "unchanged" })?;
    Ok(CommandOutcome::Done)
}

fn said(shell: &mut Shell, path: &Path, change: &str) -> std::io::Result<()> {
    if shell.wants_json() {
        return shell.out.answer(&SetUp::Changed { agent: Agent::ClaudeCode.name(), file: path, change });
    }
    shell.out.line(format_args!("status line {change}: {}", path.display()))
}
