//! `annals knowledge …`: what was learnt of a person and a project, and what may be (Galatea 3).

mod extract;
mod list;
mod review;
mod search;
mod write;

use super::named::{CANDIDATE, KNOWLEDGE};
use super::shell::{Done, Shell};
use super::show::entry_id;
use crate::domain::knowledge::Source;
use crate::engine::Engine;
use crate::kernel::id::{EntryId, SessionId};

/// Commands about knowledge.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Add an entry of knowledge
    Add(write::AddArguments),
    /// List knowledge, the latest first; this counts as no retrieval
    List(list::Arguments),
    /// Show an entry, whatever became of it
    Show(list::ShowArguments),
    /// Retrieve knowledge about a query; retrieved entries start to fade anew
    #[command(alias = "retrieve")]
    Search(search::Arguments),
    /// Show why each entry would come, or not; nothing is recorded
    Trace(search::Arguments),
    /// Say that another entry holds instead
    Supersede(write::SupersedeArguments),
    /// Say what came of working with an entry
    Feedback(write::FeedbackArguments),
    /// Find what may be learnt in recorded prompts and rejections
    Extract(extract::Arguments),
    /// Propose an entry; it waits for a review
    Propose(write::AddArguments),
    /// List what waits for a review
    Review(review::Arguments),
    /// Let a candidate count
    Accept(review::AcceptArguments),
    /// Turn candidates down
    Reject(review::RejectArguments),
    /// Propose that entries which say the same become one
    Consolidate,
    /// Put an entry away: it is shown, and does not come
    Archive(write::ArchiveArguments),
    /// Bring an entry back that was put away or has faded
    Restore(write::RestoreArguments),
    /// Announce what has faded so far that it is archived
    Expire,
}

pub(super) fn run(shell: &mut Shell, command: &Command) -> Done {
    match command {
        Command::Add(arguments) => write::add(shell, arguments),
        Command::List(arguments) => list::run(shell, arguments),
        Command::Show(arguments) => list::show(shell, arguments),
        Command::Search(arguments) => search::run(shell, arguments),
        Command::Trace(arguments) => search::trace(shell, arguments),
        Command::Supersede(arguments) => write::supersede(shell, arguments),
        Command::Feedback(arguments) => write::feedback(shell, arguments),
        Command::Extract(arguments) => extract::run(shell, arguments),
        Command::Propose(arguments) => write::propose(shell, arguments),
        Command::Review(arguments) => review::run(shell, arguments),
        Command::Accept(arguments) => review::accept(shell, arguments),
        Command::Reject(arguments) => review::reject(shell, arguments),
        Command::Consolidate => review::consolidate(shell),
        Command::Archive(arguments) => write::archive(shell, arguments),
        Command::Restore(arguments) => write::restore(shell, arguments),
        Command::Expire => write::expire(shell),
    }
}

/// An entry by its id or either end of it. A whole id may name none.
fn entry(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<EntryId> {
    if let Ok(id) = text.to_ascii_uppercase().parse::<EntryId>() {
        return Ok(id);
    }
    Ok(shell.find(engine, &KNOWLEDGE, text)?.ok_or_else(|| KNOWLEDGE.noun.unknown(text))?.parse()?)
}

/// A candidate by its id or either end of it. A whole id may name none.
fn candidate(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    const WHOLE: usize = 16;
    let lower = text.to_ascii_lowercase();
    if lower.len() == WHOLE {
        return Ok(lower.into());
    }
    Ok(shell.find(engine, &CANDIDATE, text)?.ok_or_else(|| CANDIDATE.noun.unknown(text))?)
}

/// Where something was learnt, as it is typed.
fn source(shell: &Shell, engine: &Engine, session: Option<&str>, entries: &[String]) -> anyhow::Result<Source> {
    let session: Option<SessionId> = session.map(|text| shell.find_session(engine, text)).transpose()?;
    let read = |text: &String| entry_id(shell, engine, text);
    Ok(Source { session, entries: entries.iter().map(read).collect::<anyhow::Result<_>>()?, rule: None })
}
