//! `annals cognition import`: state files of protocol 0.1 and 0.2 (decision 1).

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::MindPlace;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::cognition::command::Load;
use crate::domain::cognition::load::part_of;
use crate::domain::cognition::snapshot::MindPart;
use crate::kernel::json::Json;

/// A state is a small file.
const MOST_BYTES: u64 = 4 << 20;

/// Arguments of `annals cognition import`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[arg(from_global)]
    session: Option<String>,
    /// emotions.json, metacognition.json, goals.json, epistemic.json, by whatever name
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let place = MindPlace::of(shell, arguments.session.as_deref())?;
    let states = arguments.files.iter().map(|file| read(&shell.environment.directory.join(file), file));
    for (part, state) in states.collect::<anyhow::Result<Vec<_>>>()? {
        let load = Load { session: place.session.clone(), part, state };
        let done = place.decide(shell, load, |out, _| out.line(format_args!("{part} taken over")))?;
        if done != CommandOutcome::Done {
            return Ok(done);
        }
    }
    Ok(CommandOutcome::Done)
}

/// A state, and which part it is: by what is in it, else by the name of the file.
fn read(path: &Path, name: &Path) -> anyhow::Result<(MindPart, Json)> {
    let shown = name.display();
    let size = std::fs::metadata(path).with_context(|| format!("cannot read {shown}"))?.len();
    if size > MOST_BYTES {
        return Err(Usage(format!("{shown} is too large for the state of a mind")).into());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let state = Json::from_text(text).map_err(|error| Usage(format!("{shown}: {error}")))?;
    let by_name = || name.file_stem()?.to_str()?.parse().ok().filter(|_| state.is_object());
    let part = part_of(&state).or_else(by_name);
    let unknown = || Usage(format!("{shown}: no emotions, metacognition, goals or epistemic state is in it"));
    Ok((part.ok_or_else(unknown)?, state))
}
