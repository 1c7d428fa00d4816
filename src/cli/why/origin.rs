//! `annals why COMMIT` and `annals why FILE`: the sessions behind it, with their prompts.
//!
//! Prints; `view::blame::why` tells.

use crate::cli::blame::place;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::kernel::id::SessionId;
use crate::view::blame::why::{CommitOrigin, FileOrigin, PromptPart, SessionPart, of_commit, of_file};
use crate::view::blame::{BlameError, BlameSessions};
use crate::view::gist::{cut, fold, short_id};

/// What a text stands for.
pub(super) enum Meant {
    /// A session.
    Session(SessionId),
    /// A commit, by its whole id.
    Commit(String),
    /// A file, from the folder of the project.
    File(String),
}

/// What a text stands for, besides a value; an error where it stands for several things.
pub(super) fn meant(shell: &Shell, text: &str, session: Option<SessionId>) -> anyhow::Result<Option<Meant>> {
    let file = file_named(shell, text);
    if text.starts_with("./") {
        return Ok(file.map(Meant::File));
    }
    let commit = if may_be_commit(text) { commit_named(shell, text)? } else { None };
    let said = [
        session.as_ref().map(|session| format!("session {session}")),
        commit.as_ref().map(|commit| format!("commit  {commit}")),
        file.as_ref().map(|file| format!("file    ./{file}")),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if said.len() > 1 {
        let all = said.join("\n");
        return Err(Usage(format!(
            "{text} stands for {} things; give one of them as it stands here\n{all}",
            said.len()
        ))
        .into());
    }
    Ok(session.map(Meant::Session).or(commit.map(Meant::Commit)).or(file.map(Meant::File)))
}

/// Values of the state have dots and no such letters; a commit is named by digits, or as git names one.
fn may_be_commit(text: &str) -> bool {
    let is_id = text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_named = text.starts_with("HEAD") || text.contains(['~', '^', '@']);
    is_id || is_named
}

fn commit_named(shell: &Shell, text: &str) -> anyhow::Result<Option<String>> {
    let Some(repository) = place::repository(shell)? else { return Ok(None) };
    Ok(repository.commit_named(text)?)
}

fn file_named(shell: &Shell, text: &str) -> Option<String> {
    let found = place::find(shell, text, None).ok()?;
    let is_there = place::project(shell).ok()?.join(&found.path).is_file();
    (is_there && found.lines.is_none()).then_some(found.path)
}

pub(super) fn about_commit(shell: &mut Shell, engine: &Engine, commit: &str) -> Done {
    let repository = place::repository(shell)?.ok_or_else(|| BlameError::NoCommit(commit.to_owned()))?;
    let asked = place::asked(shell, String::new(), Some(commit.to_owned()), BlameSessions::OfProject)?;
    let origin = of_commit(engine, &repository, &asked, commit)?;
    if shell.wants_json() {
        shell.out.answer(&origin)?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = origin.sessions.iter().flat_map(|part| rows(part, origin.added)).collect();
    shell.out.table(
        &[Key("lines"), Key("share"), Key("session"), Goes(1, "agent"), Goes(0, "when"), Text("prompt")],
        &rows,
    )?;
    say_commit(shell, &origin)?;
    Ok(CommandOutcome::Done)
}

fn rows(part: &SessionPart, added: usize) -> Vec<Vec<String>> {
    let row = |prompt: &PromptPart| {
        let share = prompt.lines * 100 / added.max(1);
        let agent = part.agent.as_ref().map(ToString::to_string).unwrap_or_default();
        vec![
            prompt.lines.to_string(),
            format!("{share} %"),
            part.session.to_string(),
            agent,
            part.last.to_string(),
            told(prompt),
        ]
    };
    part.prompts.iter().map(row).collect()
}

/// What a prompt says, in a line.
fn told(part: &PromptPart) -> String {
    const LONGEST: usize = 200;
    part.prompt.as_ref().map(|prompt| cut(&fold(&prompt.text), LONGEST)).unwrap_or_default()
}

fn say_commit(shell: &mut Shell, origin: &CommitOrigin) -> std::io::Result<()> {
    let by_agents = origin.added - origin.unknown;
    let files = counted(origin.files.len() as u64, "file");
    let added = counted(origin.added as u64, "line");
    shell.out.say(format_args!("{added} added in {files}: {by_agents} by agents, {} unknown", origin.unknown))?;
    for call in &origin.committed_by {
        let session = call.session.to_string();
        let agent = call.agent.as_ref().map(ToString::to_string).unwrap_or_default();
        shell.out.say(format_args!("committed by call {} of session {} ({agent})", call.entry, short_id(&session)))?;
    }
    if !origin.passed_over.is_empty() {
        let count = counted(origin.passed_over.len() as u64, "file");
        shell.out.say(format_args!("{count} not looked at: {}", cut(&origin.passed_over.join(", "), 200)))?;
    }
    Ok(())
}

pub(super) fn about_file(shell: &mut Shell, engine: &Engine, file: String) -> Done {
    let origin = file_origin(shell, engine, file)?;
    tell_file(shell, &origin)
}

/// A file that is no longer there, where a call touched it.
pub(super) fn gone(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Option<FileOrigin>> {
    let Ok(found) = place::find(shell, text, None) else { return Ok(None) };
    if found.lines.is_some() {
        return Ok(None);
    }
    let origin = file_origin(shell, engine, found.path)?;
    Ok(Some(origin).filter(|origin| !origin.sessions.is_empty()))
}

fn file_origin(shell: &Shell, engine: &Engine, file: String) -> anyhow::Result<FileOrigin> {
    let repository = place::repository(shell)?;
    let asked = place::asked(shell, file, None, BlameSessions::OfProject)?;
    Ok(of_file(engine, repository.as_ref(), &asked)?)
}

pub(super) fn tell_file(shell: &mut Shell, origin: &FileOrigin) -> Done {
    if shell.wants_json() {
        shell.out.answer(origin)?;
        return Ok(CommandOutcome::Done);
    }
    let row = |part: &SessionPart, prompt: &PromptPart| {
        let agent = part.agent.as_ref().map(ToString::to_string).unwrap_or_default();
        let counts = [prompt.edits, prompt.reads, prompt.lines].map(|count| count.to_string());
        let [edits, reads, lines] = counts;
        vec![part.last.to_string(), part.session.to_string(), agent, edits, reads, lines, told(prompt)]
    };
    let rows: Vec<_> =
        origin.sessions.iter().flat_map(|part| part.prompts.iter().map(move |prompt| row(part, prompt))).collect();
    let columns =
        [Key("last"), Key("session"), Goes(2, "agent"), Key("edits"), Goes(0, "reads"), Key("lines"), Text("prompt")];
    shell.out.table(&columns, &rows)?;
    say_file(shell, origin)?;
    Ok(CommandOutcome::Done)
}

fn say_file(shell: &mut Shell, origin: &FileOrigin) -> std::io::Result<()> {
    let Some(lines) = origin.lines else {
        let is_there = place::project(shell).is_ok_and(|project| project.join(&origin.file).exists());
        let why = if is_there { "is no text, or too large: its lines are not told" } else { "is no longer there" };
        return shell.out.say(format_args!("./{} {why}", origin.file));
    };
    let by_agents = lines - origin.unknown;
    shell.out.say(format_args!(
        "{}: {by_agents} by agents, {} unknown",
        counted(lines as u64, "line"),
        origin.unknown
    ))?;
    if origin.elsewhere > 0 {
        let calls = counted(origin.elsewhere as u64, "call");
        shell.out.say(format_args!("{calls} of sessions that ran in another folder passed over"))?;
    }
    Ok(())
}
