//! `shell`: a command line, behind the walls.

use serde::Deserialize;

use super::{Ended, ToolEnd, ToolResult, Toolbox, said};
use crate::confine::{CommandEnd, CommandOutcome, Confinement};
use crate::workspace::Reached;

#[derive(Deserialize)]
pub(super) struct ShellInput {
    command: String,
}

pub(super) fn shell(toolbox: &Toolbox<'_>, input: &ShellInput) -> Ended {
    let CommandOutcome { end, mut output } = run_line(toolbox, &input.command)?;
    let (exit, said) = match end {
        CommandEnd::Exited(code) => (Some(code), None),
        CommandEnd::OutOfTime => {
            (None, Some(format!("[ended: its time was up after {} s]", toolbox.limits.deadline.as_secs())))
        }
        CommandEnd::Stopped => (None, Some("[ended: stopped by the person]".to_owned())),
        CommandEnd::NotStarted(why) => (None, Some(format!("[not run: {why}]"))),
        CommandEnd::Lost(why) => (None, Some(format!("[it is not known what became of it: {why}]"))),
    };
    if let Some(said) = said {
        if !output.is_empty() && !output.ends_with('\n') {
            output.push('\n');
        }
        output.push_str(&said);
    }
    let result = if exit == Some(0) { ToolResult::Worked } else { ToolResult::Failed };
    Ok(ToolEnd { result, exit, output })
}

/// Runs a line as a shell reads it, with no settings of a person's.
fn run_line(toolbox: &Toolbox<'_>, line: &str) -> Result<CommandOutcome, String> {
    toolbox.require_confined()?;
    let run = || run_behind(toolbox, toolbox.confinement, line);
    toolbox.workspace.working(Reached::All, run).map_err(said)
}

/// The same behind these walls, where nothing else has to be seen to.
pub(crate) fn run_behind(toolbox: &Toolbox<'_>, walls: &Confinement, line: &str) -> CommandOutcome {
    let shell: &[&str] =
        if std::path::Path::new(BASH).exists() { &[BASH, "--noprofile", "--norc"] } else { &["/bin/sh"] };
    let argv = shell.iter().copied().chain(["-c", line]).map(str::to_owned).collect();
    walls.run(argv, &toolbox.limits, &toolbox.cancel)
}

/// What those who write command lines expect.
const BASH: &str = "/bin/bash";
