//! `annals init`: makes a .context folder from the template. What is there already stays, but for templates of older
//! versions, where nobody changed them.
//!
//! Says what goes into git, and asks where somebody can answer (decision 51). In a project of code the breakers get the
//! preset for that, and the screen says so. Runs git only where a sparse checkout
//! leaves something out.

pub(super) mod clock;
mod git;
mod manifest;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_sparse::sparse;
use anyhow::Context as _;

use self::clock::WhoseClock;
use self::git::{Changed, IntoGit};
use super::shell::{CommandOutcome, Done, Shell};
use crate::domain::breaker::Preset;
use crate::domain::breaker::limits::PRESET;
use crate::domain::config::{self, Change};
use crate::engine::clock::Clock;
use crate::engine::own::require_own_folder;
use crate::engine::settings;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::kernel::settings::AnySetting as _;
use crate::log::clone;
use crate::log::disk::{Disk, RealDisk, Safety};
use crate::log::place::Place;
use crate::log::taken::{Asks, Git};

/// Arguments of `annals init`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The project's folder [default: the working directory]
    folder: Option<PathBuf>,
    /// What goes into git from now on: all, or nothing of the history [default: all; asked for on a terminal]
    #[arg(long, value_name = "WHAT")]
    git: Option<IntoGit>,
    /// Where time and chance come from, for good: `given` is for tests and demonstrations, where `ANNALS_NOW` and `ANNALS_SEED`
    /// say them
    #[arg(long, value_name = "WHOSE", default_value = "machine")]
    clock: WhoseClock,
}

/// Templates of older versions, by name: whoever has one of them did not change it.
const OLDER: [(&str, &str); 2] = [
    (
        ".gitattributes",
        "history/*.jsonl merge=union text eol=lf -diff\nhistory/blobs/** binary\nhistory/archive/** binary\n",
    ),
    (
        ".gitattributes",
        "history/*.jsonl merge=union text eol=lf linguist-generated\nhistory/blobs/** binary linguist-generated\n\
         history/archive/** binary linguist-generated\n",
    ),
];

/// The template, as it stands in `.context-template`.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("../../.context-template/README.md")),
    ("config.toml", include_str!("../../.context-template/config.toml")),
    (".gitattributes", include_str!("../../.context-template/gitattributes")),
    (".gitignore", include_str!("../../.context-template/gitignore")),
];

/// Folders of AFS appendix D.
const FOLDERS: [&str; 6] = ["history", "memory", "knowledge", "scratchpad", "tools", "local"];

/// The answer in JSON.
#[sparse]
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Initialized {
    context: PathBuf,
    /// Files that were not there.
    #[always]
    made: Vec<String>,
    /// What of the history goes into git.
    git: &'static str,
    /// The preset that was chosen for the project, where one was.
    preset: Option<Preset>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let folder = arguments.folder.clone().unwrap_or_default();
    let default = || shell.environment.directory.join(folder).join(".context");
    let context = shell.named_context().map_or_else(default, |named| shell.environment.directory.join(named));
    let is_new = !context.join(".gitignore").exists();
    clock::check(shell, &context, arguments.clock)?;
    let found = Git::find(&context, &shell.environment.git, Asks::Nobody);
    let left_out = left_out(found.as_ref());
    let made = make(&context, &left_out)?;
    let wanted = match arguments.git {
        None if is_new => git::ask(shell)?,
        wanted => wanted,
    };
    let seconds = found.as_ref().and_then(Git::seconds);
    let changed = wanted.map(|wanted| git::set(&context, wanted, seconds)).transpose()?.unwrap_or(Changed::No);
    let into = git::found(&context, seconds)?;
    if let Some(refused) = clock::settle(shell, &context, arguments.clock)? {
        return Ok(refused);
    }
    let is_fresh = is_new && made.iter().any(|name| name == "config.toml");
    let mut manifest = context.parent().and_then(manifest::found).filter(|_| is_fresh);
    if manifest.is_some() && !choose_engineering(shell, &context)? {
        manifest = None;
    }
    if shell.wants_json() {
        let preset = manifest.is_some().then_some(Preset::Engineering);
        shell.out.answer(&Initialized { context, made, git: into.word(), preset })?;
        return Ok(CommandOutcome::Done);
    }
    if made.is_empty() {
        shell.out.line(format_args!("{} is complete already", context.display()))?;
    }
    if !made.is_empty() {
        shell.out.line(format_args!("made {}: {}", context.display(), made.join(", ")))?;
    }
    if is_new || changed == Changed::Yes {
        shell.out.line(into.sentence())?;
    }
    if let Some(manifest) = manifest {
        shell.out.line(format_args!(
            "{manifest} is here, so comments are held to the preset engineering; `annals config set sanity.preset standard` \
             is the strict one for prose"
        ))?;
    }
    if changed == Changed::Yes && into == IntoGit::Nothing && !is_new {
        shell.out.say("what git holds already it keeps; `git rm -r --cached .context/history` untracks it")?;
    }
    if !made.is_empty() {
        shell.out.say("next: `annals import --discover` brings the sessions that agents kept for this project,")?;
        shell.out.say("      `annals setup claude-code` records the next ones as they happen")?;
    }
    Ok(CommandOutcome::Done)
}

/// Sets the preset for work on code, as whoever makes the folder; whether that one may (decision 59).
fn choose_engineering(shell: &Shell, context: &Path) -> anyhow::Result<bool> {
    let (key, value) = (PRESET.key(), serde_json::Value::from(Preset::Engineering.as_str()));
    let engine = shell.engine_on(context)?;
    let values = BTreeMap::from([(Box::from(key), Some(value.clone()))]);
    let by = shell.by(&SessionId::from(NO_SESSION));
    let answer = engine.decide(config::Command::from(Change { values }), &Json::empty_object(), &by)?;
    let is_taken = answer.refusal.is_none();
    if is_taken {
        settings::store(&**engine.disk(), &engine.place().context().join("config.toml"), key, Some(&value))?;
    }
    Ok(is_taken)
}

/// The files that git's sparse checkout leaves out: they are not missing.
fn left_out(git: Option<&Git>) -> BTreeSet<String> {
    let repository = git.and_then(|git| Some(&git.known.as_ref()?.repository));
    // Where git cannot say, nothing is known to be there.
    let files = repository.and_then(|repository| repository.left_out_below("").ok());
    files.unwrap_or_default().into_keys().collect()
}

/// Makes what is missing, but for some files; returns the names of what was made.
pub(super) fn make(context: &Path, left_out: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    require_own_folder(context)?;
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
    if made.iter().any(|name| name == "local/") {
        let chance = Clock::default().chance_beside();
        clone::set(&*disk, &Place::new(context), chance).context("cannot mark local/ as this clone's")?;
    }
    for (name, text) in FILES.into_iter().filter(|(name, _)| !left_out.contains(*name)) {
        let path = context.join(name);
        let is_older = OLDER.iter().any(|(older, text)| *older == name && is_text(&disk, &path, text));
        if is_older || !is_there(&path)? {
            let written = disk.replace(&path, text.as_bytes(), Safety::Cached);
            written.with_context(|| format!("cannot write {}", path.display()))?;
            made.push(name.to_owned());
        }
    }
    Ok(made)
}

fn is_text(disk: &Arc<dyn Disk>, path: &Path, text: &str) -> bool {
    disk.read(path).is_ok_and(|there| there.as_deref() == Some(text.as_bytes()))
}
