//! `annals setup git`: a hook that signs the head and adds the history before each commit.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Arguments, SetUp};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::hook::setup::HooksStanding;
use crate::hook::setup::git::{HookScript, OnTrouble, Other, PreCommit};
use crate::log::git::git_in;

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if arguments.user {
        return Err(Usage("--user: git's hooks are those of one repository".to_owned()).into());
    }
    let place = GitPlace::find(shell)?;
    let on_trouble = if arguments.required { OnTrouble::Fail } else { OnTrouble::Commit };
    let script = HookScript { program: arguments.program.clone(), context: place.context.clone(), on_trouble };
    let hook = &place.hook;
    if arguments.check {
        check(shell, hook, &script)
    } else if arguments.remove {
        remove(shell, hook, &script)
    } else if arguments.print {
        shell.out.page(&script.text())?;
        Ok(CommandOutcome::Done)
    } else {
        install(shell, hook, &script, &place)
    }
}

/// Where git looks for hooks, and where `.context` is from the top.
struct GitPlace {
    hook: PreCommit,
    context: String,
    sharing: Sharing,
}

/// Who has the folder of the hooks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// This clone, with all of its work trees.
    Clone,
    /// Whoever has the repository: `core.hooksPath` leads into the work tree.
    Team,
    /// Other repositories, too: `core.hooksPath` leads elsewhere.
    Elsewhere,
}

impl GitPlace {
    fn find(shell: &Shell) -> anyhow::Result<Self> {
        let context = std::fs::canonicalize(shell.context()?).context("cannot find .context")?;
        let folder = context.parent().expect("BUG: .context lies in a folder");
        let ask = |arguments: &[&str]| answer(folder, arguments);
        let top = std::fs::canonicalize(ask(&["--show-toplevel"])?)?;
        // Git reads a relative `core.hooksPath` from the top, whichever folder it is asked in.
        let hooks = top.join(answer(&top, &["--git-path", "hooks"])?);
        let common = std::fs::canonicalize(folder.join(ask(&["--git-common-dir"])?))?;
        let context = context.strip_prefix(&top).context("git's work tree does not hold .context")?;
        let context = context.to_str().context("the path of .context is no text")?.to_owned();
        if context.contains('\n') {
            bail!("a path with a line break cannot stand in a hook: {context:?}");
        }
        let there = resolved(&hooks);
        let sharing = if there.starts_with(&common) {
            Sharing::Clone
        } else if there.starts_with(&top) {
            Sharing::Team
        } else {
            Sharing::Elsewhere
        };
        let hook = if is_named_in(&top, &common, &hooks) {
            PreCommit::in_work_tree(&top, &hooks)
        } else {
            PreCommit::in_folder(&hooks)
        };
        Ok(Self { hook, context, sharing })
    }
}

/// Whether a path is one of the work tree by its name, wherever links in it lead: these may have come with the
/// repository. What stands below git's own folder is the person's.
fn is_named_in(top: &Path, git: &Path, path: &Path) -> bool {
    let is_plain = path.components().all(|part| part != std::path::Component::ParentDir);
    is_plain && path.starts_with(top) && !path.starts_with(git)
}

/// A path without links, as far as it is there.
fn resolved(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| Some((part, std::fs::canonicalize(part).ok()?)));
    let Some((part, real)) = there else { return path.to_owned() };
    path.strip_prefix(part).map_or(real.clone(), |rest| real.join(rest))
}

/// What `git rev-parse` says.
pub(super) fn answer(folder: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = git_in(folder).arg("rev-parse").args(arguments).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("{} is in no repository of git: {}", folder.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    let text = String::from_utf8(output.stdout).context("git names a path that is no text")?;
    Ok(text.trim_end_matches('\n').to_owned())
}

fn install(shell: &mut Shell, hook: &PreCommit, script: &HookScript, place: &GitPlace) -> Done {
    let was = hook.standing(script)?;
    let other = if was == HooksStanding::Installed { None } else { Some(hook.install(script)?) };
    let change = if other.is_some() { "installed" } else { "unchanged" };
    if shell.wants_json() {
        return report(shell, hook, change);
    }
    let verb = if other.is_some() { "now" } else { "already" };
    let path = hook.path();
    shell.out.line(format_args!("{} {verb} signs and adds the history before each commit", path.display()))?;
    if other == Some(Other::Kept) {
        shell
            .out
            .say(format_args!("the hook that was there runs first; it is {}.before-annals now", path.display()))?;
    }
    match place.sharing {
        Sharing::Clone => {}
        Sharing::Team => shell.out.say("core.hooksPath leads into the repository: every clone shares this hook")?,
        Sharing::Elsewhere => {
            shell.out.say("core.hooksPath leads out of the repository: others that use it share this hook, too")?;
        }
    }
    if !super::is_there(shell, &script.program) {
        shell.out.say(format_args!("{} is not on the PATH: until it is, the hook does nothing", script.program))?;
    }
    Ok(CommandOutcome::Done)
}

fn report(shell: &mut Shell, hook: &PreCommit, change: &str) -> Done {
    shell.out.answer(&SetUp::Changed { agent: "git", file: &hook.path(), change })?;
    Ok(CommandOutcome::Done)
}

fn check(shell: &mut Shell, hook: &PreCommit, script: &HookScript) -> Done {
    let standing = hook.standing(script)?;
    let word = match standing {
        HooksStanding::Installed => "installed",
        HooksStanding::Differs => "differs",
        HooksStanding::Missing => "missing",
    };
    if shell.wants_json() {
        report(shell, hook, word)?;
    } else {
        shell.out.line(format_args!("{}: {word}", hook.path().display()))?;
    }
    Ok(if standing == HooksStanding::Installed { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn remove(shell: &mut Shell, hook: &PreCommit, script: &HookScript) -> Done {
    let removed = hook.remove(script)?;
    if shell.wants_json() {
        return report(shell, hook, if removed.is_some() { "removed" } else { "unchanged" });
    }
    let path = hook.path();
    let path = path.display();
    match removed {
        None => shell.out.line(format_args!("{path} has no part for {}", script.context))?,
        Some(Other::Folders) => shell.out.line(format_args!("{path} does nothing for {} any more", script.context))?,
        Some(Other::None) => shell.out.line(format_args!("removed {path}"))?,
        Some(Other::Kept) => shell.out.line(format_args!("{path} is what it was before"))?,
    }
    Ok(CommandOutcome::Done)
}
