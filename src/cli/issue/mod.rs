//! `annals issue …`: open, discuss, end and list issues (control-room 3 to 6).

mod cite;
mod forecast;
mod import;
mod list;
mod say;
mod show;
mod stats;
mod write;

use super::named::ISSUE;
use super::shell::{Done, Shell};
use crate::domain::issue::number::Label;
use crate::engine::Engine;
use crate::kernel::id::IssueId;

/// Commands about issues.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Open an issue
    New(write::NewArguments),
    /// List issues: those that go on first, then the important, then the latest
    List(list::Arguments),
    /// Show an issue with its thread; as an agent, that counts as an access
    Show(show::Arguments),
    /// Change title, text, assignee, priority or tags
    Edit(write::EditArguments),
    /// Comment on an issue; --check only says what the rules would answer
    Comment(say::CommentArguments),
    /// End an issue with a decision
    Resolve(say::ResolveArguments),
    /// End an issue without one
    Close(write::ReasonArguments),
    /// Take an ended issue up again
    Reopen(write::ReasonArguments),
    /// Begin to work on an issue
    Start(write::IssueArguments),
    /// Stop the discussion for a while
    Freeze(write::FreezeArguments),
    /// Let the discussion go on, with guidance
    Unfreeze(write::UnfreezeArguments),
    /// Link two issues: blocks, parent, related
    Link(write::LinkArguments),
    /// Mark an issue as applied in the work, or irrelevant to it
    Mark(write::MarkArguments),
    /// List open issues that no other issue blocks
    Ready(list::ReadyArguments),
    /// Bring the issues of another tracker
    #[command(subcommand)]
    Import(import::Import),
    /// Count issues and what the breakers stopped
    Stats,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::New(arguments) => write::new(shell, arguments),
        Command::List(arguments) => list::run(shell, &arguments),
        Command::Show(arguments) => show::run(shell, &arguments),
        Command::Edit(arguments) => write::edit(shell, arguments),
        Command::Comment(arguments) => say::comment(shell, &arguments),
        Command::Resolve(arguments) => say::resolve(shell, &arguments),
        Command::Close(arguments) => write::close(shell, arguments),
        Command::Reopen(arguments) => write::reopen(shell, arguments),
        Command::Start(arguments) => write::start(shell, &arguments),
        Command::Freeze(arguments) => write::freeze(shell, arguments),
        Command::Unfreeze(arguments) => write::unfreeze(shell, &arguments),
        Command::Link(arguments) => write::link(shell, &arguments),
        Command::Mark(arguments) => write::mark(shell, &arguments),
        Command::Ready(arguments) => list::ready(shell, &arguments),
        Command::Import(import) => import::run(shell, &import),
        Command::Stats => stats::run(shell),
    }
}

/// An issue by what people call it (`42`, `#42b`), or by its id or either end of it. Another id is looked at by the room.
pub fn find(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<IssueId> {
    let label = Label::read(text);
    let found = label.map(|label| shell.ask(engine, |world| world.rooms.issue.by_label(label).cloned())).transpose()?;
    match found.flatten().map_or_else(|| shell.find(engine, &ISSUE, text), |id| Ok(Some(id)))? {
        None if label.is_some() => Err(unknown(text)),
        found => Ok(found.unwrap_or_else(|| IssueId::from(text))),
    }
}

/// What is said where there is no such issue.
pub fn unknown(text: &str) -> anyhow::Error {
    ISSUE.noun.unknown(text).into()
}

/// Several of them.
pub fn find_all<'t>(
    shell: &Shell,
    engine: &Engine,
    texts: impl IntoIterator<Item = &'t String>,
) -> anyhow::Result<Vec<IssueId>> {
    texts.into_iter().map(|text| find(shell, engine, text)).collect()
}

/// What people call an issue.
pub fn name(shell: &Shell, engine: &Engine, id: &IssueId) -> anyhow::Result<String> {
    let label = shell.ask(engine, |world| world.rooms.issue.issue(id).map(|issue| issue.label))?;
    Ok(label.map_or_else(|| id.to_string(), |label| format!("#{label}")))
}
