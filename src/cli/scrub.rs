//! `annals scrub`: takes a leaked value out of the history, and says who stands for it and what git still holds.

use std::io::{BufRead, IsTerminal};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use super::shell::{Done, Outcome, Shell, Usage};
use crate::engine::scrub::{Mode, Request, Scrubbed};
use crate::kernel::id::{EntryId, NO_SESSION, SessionId};

/// Arguments of `annals scrub`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An entry that holds the value
    entry: EntryId,
    /// Where in it, as in operation.output.stdout
    path: String,
    /// Only this part of the value there; every other place that holds it is cleaned, too
    #[arg(long, value_name = "TEXT")]
    part: Option<String>,
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
        entry: arguments.entry,
        path: arguments.path.clone(),
        part: arguments.part.clone(),
        confirmed_by: person(shell),
        reason: arguments.reason.clone(),
        mode: Mode::DryRun,
    };
    let found = engine.scrub(&request, &by)?;
    let places = found.lines.values().map(Vec::len).sum::<usize>();
    if arguments.dry_run {
        return show(shell, &found, &[]);
    }
    if places > 0 && !arguments.yes {
        confirm(shell, &found, &request.confirmed_by)?;
    }
    request.mode = Mode::Scrub;
    let done = engine.scrub(&request, &by)?;
    if let Some(refusal) = &done.refusal {
        shell.out.say(format_args!("refused: {}", refusal.message))?;
        shell.out.say(format_args!("hint: {}", refusal.hint.as_deref().unwrap_or_default()))?;
        return Ok(Outcome::Refused);
    }
    let commits = commits_that_touch(shell, &done);
    show(shell, &done, &commits)
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
    let lines: usize = found.lines.values().map(Vec::len).sum();
    shell.out.say(format_args!(
        "{lines} lines and {} blobs hold the value. They are changed for ever,",
        found.blobs.len()
    ))?;
    shell.out.say(format_args!("and the entry that records it names {person}. Type yes to go on:"))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    if answer.trim() == "yes" { Ok(()) } else { Err(Usage("not confirmed; nothing was changed".to_owned()).into()) }
}

/// Commits that hold a file which held the value. Which of them held the value itself git can be asked for.
fn commits_that_touch(shell: &Shell, done: &Scrubbed) -> Vec<String> {
    let Ok(context) = shell.context() else { return Vec::new() };
    let mut git = Command::new("git");
    git.current_dir(&context).args(["log", "--all", "--format=%h %as %s", "--"]).stderr(Stdio::null());
    for segment in done.lines.keys() {
        git.arg(format!("history/{segment}"));
    }
    for blob in &done.blobs {
        git.arg(format!("history/blobs/{}/{blob}.zst", &blob[..2]));
    }
    // Without git, or outside of a repository, git holds nothing.
    let output = git.output().ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn show(shell: &mut Shell, done: &Scrubbed, commits: &[String]) -> Done {
    if shell.wants_json() {
        let mut answer = serde_json::to_value(done)?;
        answer["schema"] = "annals.scrub/v1".into();
        answer["commits"] = commits.into();
        shell.out.json(&answer)?;
        return Ok(Outcome::Done);
    }
    for (segment, entries) in &done.lines {
        let entries: Vec<_> = entries.iter().map(ToString::to_string).collect();
        shell.out.line(format_args!("history/{segment}: {}", entries.join(" ")))?;
    }
    for name in done.blobs.iter().map(|blob| format!("history/blobs/{blob}")).chain(done.removed.iter().cloned()) {
        shell.out.line(name)?;
    }
    match done.recorded {
        Some(entry) => shell.out.line(format_args!("scrubbed; recorded as {entry}"))?,
        None => shell.out.line("nothing was changed")?,
    }
    if !commits.is_empty() {
        shell.out.say(format_args!("git still holds these files as they were, in {} commits:", commits.len()))?;
        for commit in commits.iter().take(20) {
            shell.out.say(format_args!("  {commit}"))?;
        }
        shell.out.say(
            "to take the value out of them, put it on a line of its own into a file FILE and run, in a fresh clone:",
        )?;
        shell.out.say("  git filter-repo --replace-text FILE")?;
        shell.out.say("then push with --force, and have every clone made anew; the value itself must be revoked.")?;
    }
    Ok(Outcome::Done)
}
