//! `annals init`: makes a .context folder from the template. What is there already stays.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::shell::{Done, Outcome, Shell};
use crate::log::disk::{Disk, RealDisk, Safety};

/// Arguments of `annals init`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The project's folder [default: the working directory]
    folder: Option<PathBuf>,
}

/// The template, as it stands in `.context-template`.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("../../.context-template/README.md")),
    ("config.toml", include_str!("../../.context-template/config.toml")),
    (".gitattributes", include_str!("../../.context-template/gitattributes")),
    (".gitignore", include_str!("../../.context-template/gitignore")),
];

/// Folders of AFS appendix D.
const FOLDERS: [&str; 6] = ["history", "memory", "knowledge", "scratchpad", "tools", "local"];

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let folder = arguments.folder.clone().unwrap_or_default();
    let default = || shell.environment.directory.join(folder).join(".context");
    let context = shell.named_context().map_or_else(default, |named| shell.environment.directory.join(named));
    let made = make(&context)?;
    if shell.wants_json() {
        let answer = serde_json::json!({ "schema": "annals.init/v1", "context": context, "made": made });
        shell.out.json(&answer)?;
    } else if made.is_empty() {
        shell.out.line(format_args!("{} is complete already", context.display()))?;
    } else {
        shell.out.line(format_args!("made {}: {}", context.display(), made.join(", ")))?;
        shell.out.say("next: `annals import --discover` brings the sessions that agents kept for this project,")?;
        shell.out.say("      `annals setup claude-code` records the next ones as they happen")?;
    }
    Ok(Outcome::Done)
}

/// Makes what is missing; returns the names of what was made.
pub(super) fn make(context: &Path) -> anyhow::Result<Vec<String>> {
    let disk = Arc::new(RealDisk).below(context);
    let is_there = |path: &Path| {
        let look = disk.look(path).with_context(|| format!("cannot look at {}", path.display()))?;
        Ok::<_, anyhow::Error>(look.is_some())
    };
    let mut made = Vec::new();
    for name in FOLDERS {
        let path = context.join(name);
        if !is_there(&path)? {
            disk.create_folder(&path).with_context(|| format!("cannot make {}", path.display()))?;
            made.push(format!("{name}/"));
        }
    }
    for (name, text) in FILES {
        let path = context.join(name);
        if !is_there(&path)? {
            let written = disk.replace(&path, text.as_bytes(), Safety::Cached);
            written.with_context(|| format!("cannot write {}", path.display()))?;
            made.push(name.to_owned());
        }
    }
    Ok(made)
}
