//! `annals scrub`: takes a leaked value out of the history, and says who stands for it and what git still holds.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use anyhow::Context as _;

use super::output::Output;
use super::seal;
use super::shell::{CommandOutcome, Done, Shell, Usage, text_of};
use super::show::entry_id;
use crate::engine::Engine;
use crate::engine::keys::KeyError;
use crate::engine::scrub::{FolderHolds, OutsideFolder, Request, ScrubMode, Scrubbed, What};
use crate::kernel::counted::counted;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::log::git::Repository;
use crate::view::refusal::{ToldRefusal, told};
use crate::view::render;

/// Arguments of `annals scrub`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// An entry that holds the value: its id, or the beginning or end of it
    #[arg(required_unless_present = "value")]
    entry: Option<String>,
    /// Where in it, as in operation.output.stdout
    #[arg(required_unless_present = "value")]
    path: Option<String>,
    /// Only this part of the value there; every other place that holds it is cleaned, too
    #[arg(long, value_name = "TEXT")]
    part: Option<String>,
    /// The value itself, wherever it stands; - reads it from stdin, which no list of processes and no shell remembers
    #[arg(long, value_name = "TEXT|-", conflicts_with_all = ["entry", "path", "part"])]
    value: Option<String>,
    /// Why, for the record
    #[arg(long)]
    reason: Option<String>,
    /// Confirm it, for scripts
    #[arg(long)]
    yes: bool,
    /// Only say what holds the value
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let by = shell.by(&SessionId::from(NO_SESSION));
    let mut request = Request {
        what: what(shell, &engine, arguments)?,
        confirmed_by: person(shell),
        reason: arguments.reason.clone(),
        mode: ScrubMode::DryRun,
        elsewhere: elsewhere(shell, &engine)?,
        views: render::own(&engine)?,
    };
    let found = engine.scrub(&request, &by)?;
    if arguments.dry_run {
        return show(shell, &found, &Committed::default(), ScrubMode::DryRun);
    }
    if arguments.value.is_some() && found.is_nothing() {
        return nothing(shell, &found);
    }
    if !found.is_nothing() && !arguments.yes {
        confirm(shell, &found, &request.confirmed_by)?;
    }
    request.mode = ScrubMode::Scrub;
    let done = engine.scrub(&request, &by)?;
    if let Some(refusal) = &done.refusal {
        if shell.wants_json() {
            shell.out.answer(&ScrubAnswer::Refused { refusal: told(refusal) })?;
            return Ok(CommandOutcome::Refused);
        }
        shell.say_refused(refusal)?;
        return Ok(CommandOutcome::Refused);
    }
    if done.views > 0 {
        render::everything(&engine)?;
    }
    let committed = committed(shell, &done);
    let shown = show(shell, &done, &committed, ScrubMode::Scrub)?;
    // What was signed and is scrubbed now counts as signed only where the record of the scrub is signed, too. Who has no
    // key has signed nothing.
    let may_be_signed = !matches!(seal::own_key(shell), Ok(None) | Err(KeyError::NoPlace));
    if done.recorded.is_some() && may_be_signed { seal::at_end(shell, &engine, shown) } else { Ok(shown) }
}

fn what(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<What> {
    match (&arguments.value, &arguments.entry, &arguments.path) {
        (Some(value), ..) => {
            let value = text_of(value)?;
            Ok(What::Value(value.strip_suffix('\n').map_or_else(|| value.clone(), str::to_owned)))
        }
        (None, Some(entry), Some(path)) => {
            let entry = entry_id(shell, engine, entry)?;
            Ok(What::At { entry, path: path.clone(), part: arguments.part.clone() })
        }
        (None, ..) => Err(Usage("name an entry and a path in it, or give --value".to_owned()).into()),
    }
}

/// Folders outside of `.context` that may hold what was taken from it, or what will be in it.
fn elsewhere(shell: &Shell, engine: &Engine) -> anyhow::Result<Vec<OutsideFolder>> {
    let state = shell.environment.state().map(|state| state.join("annals"));
    let state = state.map(|folder| OutsideFolder { name: "state".to_owned(), folder, holds: FolderHolds::Own });
    let seconds = engine.log().second_names().map(Path::to_owned);
    let seconds: Vec<_> = seconds.into_iter().chain(engine.log().left_behind()?).collect();
    let strays = engine.log().strays()?;
    let mut others = engine.log().other_second_names();
    others.retain(|(_, folder)| !seconds.contains(folder) && !strays.iter().any(|stray| stray.root == *folder));
    let seconds = seconds.into_iter().map(|folder| OutsideFolder {
        name: "second names".to_owned(),
        folder,
        holds: FolderHolds::Copies,
    });
    let others = others.into_iter().map(|(name, folder)| OutsideFolder { name, folder, holds: FolderHolds::Others });
    let strays = strays.into_iter().map(|stray| OutsideFolder {
        name: stray.root.display().to_string(),
        folder: stray.root,
        holds: FolderHolds::Gone,
    });
    Ok(state.into_iter().chain(seconds).chain(others).chain(strays).collect())
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum ScrubAnswer<'s> {
    /// What was changed, or would be.
    Done {
        #[serde(flatten)]
        done: &'s Scrubbed,
        /// Commits that hold the value.
        commits: &'s [String],
        /// Those of them that no branch leads to.
        commits_kept_aside: &'s [String],
        /// Packed files of the history in these commits.
        packed_in_git: &'s [String],
    },
    /// A rule said no.
    Refused { refusal: ToldRefusal },
}

fn nothing(shell: &mut Shell, found: &Scrubbed) -> Done {
    if shell.wants_json() {
        show(shell, found, &Committed::default(), ScrubMode::DryRun)?;
    } else {
        shell.out.say("nothing here holds the value")?;
        say_work_trees(&mut shell.out, found)?;
    }
    Ok(CommandOutcome::Refused)
}

/// The person who stands for it: whoever acts, or for `user` the name that the system knows.
fn person(shell: &Shell) -> String {
    let actor = shell.actor().to_string();
    if actor == "user" { shell.environment.user.clone().unwrap_or(actor) } else { actor }
}

fn confirm(shell: &mut Shell, found: &Scrubbed, person: &str) -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage("a scrub must be confirmed: give --yes".to_owned()).into());
    }
    let lines = found.lines.values().map(Vec::len).sum::<usize>() as u64 + found.foreign.values().sum::<u64>();
    let files = found.cleaned.len() + found.removed.len();
    shell.out.say(format_args!(
        "{}, {} and {} hold the value. They are changed for ever,",
        counted(lines, "line"),
        counted(found.blobs.len() as u64, "blob"),
        counted(files as u64, "other file")
    ))?;
    shell.out.say(format_args!("and the entry that records it names {person}. Type yes to go on:"))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    if answer.trim() == "yes" { Ok(()) } else { Err(Usage("not confirmed; nothing was changed".to_owned()).into()) }
}

/// What git still holds.
#[derive(Default)]
struct Committed {
    /// Commits that touch a file which held the value.
    commits: Vec<String>,
    /// Those of them that only a stash or a reflog keeps.
    kept_aside: Vec<String>,
    /// Packed files that held it, below the top of the repository: git cannot change a value inside of them.
    packed: Vec<String>,
}

fn committed(shell: &Shell, done: &Scrubbed) -> Committed {
    let Ok(context) = shell.context() else { return Committed::default() };
    // Without git, or outside of a repository, git holds nothing.
    let repository = Repository::discover(&context, &shell.environment.git).ok().flatten();
    let git = |arguments: &[&str], files: &[String]| {
        repository.as_ref().and_then(|repository| repository.log(arguments, files).ok()).unwrap_or_default()
    };
    let (mut plain, mut packed) = (Vec::new(), Vec::new());
    for segment in done.lines.keys().chain(done.foreign.keys()) {
        match segment.strip_prefix("archive/").and_then(|name| name.rsplit_once('-')) {
            // Before it was packed its lines stood in the file of its day.
            Some((day, _)) => {
                plain.push(format!("history/{day}.jsonl"));
                packed.push(format!("history/{segment}"));
            }
            None => plain.push(format!("history/{segment}")),
        }
    }
    let here = |name: &&String| context.join(name).parent().is_some_and(|folder| folder.starts_with(&context));
    plain.extend(done.cleaned.iter().chain(&done.removed).filter(here).cloned());
    packed.extend(done.blobs.iter().map(|blob| format!("history/blobs/{}/{blob}.zst", &blob[..2])));
    let files = [plain, packed.clone()].concat();
    if files.is_empty() {
        return Committed::default();
    }
    let commits = git(&["--all", "--reflog", "--format=%h %as %s"], &files);
    let reachable = git(&["--branches", "--tags", "--remotes", "HEAD", "--format=%h %as %s"], &files);
    let kept_aside = commits.iter().filter(|commit| !reachable.contains(commit)).cloned().collect();
    let names = ["--all", "--format=", "--name-only", "--diff-filter=A"];
    let packed = if packed.is_empty() { Vec::new() } else { git(&names, &packed) };
    Committed { commits, kept_aside, packed }
}

fn show(shell: &mut Shell, done: &Scrubbed, committed: &Committed, mode: ScrubMode) -> Done {
    if shell.wants_json() {
        shell.out.answer(&ScrubAnswer::Done {
            done,
            commits: &committed.commits,
            commits_kept_aside: &committed.kept_aside,
            packed_in_git: &committed.packed,
        })?;
        return Ok(CommandOutcome::Done);
    }
    for (segment, entries) in &done.lines {
        let entries: Vec<_> = entries.iter().map(ToString::to_string).collect();
        shell.out.line(format_args!("history/{segment}: {}", entries.join(" ")))?;
    }
    for (segment, count) in &done.foreign {
        shell.out.line(format_args!("history/{segment}: {} of no entry", counted(*count, "line")))?;
    }
    let blobs = done.blobs.iter().map(|blob| format!("history/blobs/{blob}"));
    let removed = done.removed.iter().map(|name| format!("{name} (the whole file)"));
    blobs.chain(done.cleaned.iter().cloned()).chain(removed).try_for_each(|name| shell.out.line(name))?;
    match done.recorded {
        Some(entry) => shell.out.line(format_args!("scrubbed; recorded as {entry}"))?,
        None if done.is_nothing() || mode == ScrubMode::DryRun => shell.out.line("nothing was changed")?,
        None => shell.out.line("scrubbed; no entry held it, so none is recorded")?,
    }
    if done.views > 0 {
        shell.out.say(format_args!("the views were written anew ({})", counted(done.views as u64, "file")))?;
    }
    for place in &done.left {
        shell.out.say(format_args!("still there, in an id, a setting, a damaged line or a binary file: {place}"))?;
    }
    say_work_trees(&mut shell.out, done)?;
    Ok(say_committed(&mut shell.out, committed).map(|()| CommandOutcome::Done)?)
}

fn say_work_trees(out: &mut Output, done: &Scrubbed) -> std::io::Result<()> {
    for tree in &done.other_work_trees {
        out.say(format_args!(
            "another work tree or folder of this repository holds it, too ({tree}): scrub it there before that is removed"
        ))?;
    }
    for folder in &done.gone_folders {
        out.say(format_args!(
            "what is kept of a .context that is gone holds it, too: nobody can tell where that is now, so remove {folder}"
        ))?;
    }
    Ok(())
}

fn say_committed(out: &mut Output, committed: &Committed) -> std::io::Result<()> {
    const SHOWN: usize = 20;
    if committed.commits.is_empty() {
        return Ok(());
    }
    let commits = counted(committed.commits.len() as u64, "commit");
    out.say(format_args!("git still holds these files as they were, in {commits}:"))?;
    for commit in committed.commits.iter().take(SHOWN) {
        out.say(format_args!("  {commit}"))?;
    }
    out.say("to take the value out of them, put it on a line of its own into a file FILE and run, in a fresh clone:")?;
    out.say("  git filter-repo --replace-text FILE")?;
    if !committed.packed.is_empty() {
        out.say("and, because that does not look into packed files:")?;
        let paths: Vec<_> = committed.packed.iter().map(|path| format!(" --path {path}")).collect();
        out.say(format_args!("  git filter-repo --invert-paths{}", paths.concat()))?;
    }
    if !committed.kept_aside.is_empty() {
        out.say(format_args!(
            "{} of these commits are kept by a stash or a reflog only; in this clone:",
            committed.kept_aside.len()
        ))?;
        out.say("  git stash list    # then: git stash drop STASH")?;
        out.say("  git reflog expire --expire=now --all && git gc --prune=now")?;
    }
    out.say("then push with --force, and have every clone made anew; the value itself must be revoked.")
}
