//! `annals issue …`: open, discuss, end and list issues (control-room 3 to 6).

mod cite;
mod forecast;
pub(super) mod import;
pub(super) mod list;
pub(super) mod say;
mod show;
pub(super) mod stats;
mod write;

use super::named::ISSUE;
use super::registry::{CommandRow, rows};
use super::shell::Shell;
use crate::domain::issue::number::Label;
use crate::engine::Engine;
use crate::kernel::id::IssueId;

/// Commands about issues.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Open an issue
    "new" => decides(
        "issues.issue.open",
        "title --body- --assignee<AGENT>@text --priority=normal --tag:tags --related<ISSUE> --impact",
        write::decide,
    ),
    /// List issues: those that go on first, then the important, then the latest
    "list" => Runs(&With(list::run)),
    /// Show an issue with its thread; as an agent, that counts as an access
    "show" => Runs(&With(show::run)),
    /// Change title, text, assignee, priority or tags
    "edit" => decides(
        "issues.issue.edit",
        "issue --title --body- --assignee<AGENT>@text --priority --tag:tags --untag<TAG>",
        write::decide,
    ),
    /// Comment on an issue; --check only says what the rules would answer
    "comment" => Runs(&With(say::comment)),
    /// End an issue with a decision
    "resolve" => Runs(&With(say::resolve)),
    /// End an issue without one
    "close" => decides("issues.issue.close", "issue --reason", write::decide),
    /// Take an ended issue up again
    "reopen" => decides("issues.issue.reopen", "issue --reason", write::decide),
    /// Begin to work on an issue
    "start" => decides("issues.issue.start", "issue", write::decide),
    /// Stop the discussion for a while
    "freeze" => decides("issues.issue.freeze", "issue --reason", write::decide),
    /// Let the discussion go on, with guidance
    "unfreeze" => decides("issues.issue.unfreeze", "issue --guidance-", write::decide),
    /// Link two issues: blocks, parent, related
    "link" => Runs(&With(write::link)),
    /// Mark an issue as applied in the work, or irrelevant to it
    "mark" => decides("issues.issue.mark", "issue usefulness --file --commit", write::mark),
    /// List open issues that no other issue blocks
    "ready" => Runs(&With(list::ready)),
    /// Bring the issues of another tracker
    "import" => Runs(&Below(|shell, import| import::run(shell, &import))),
    /// Count issues and what the breakers stopped
    "stats" => Runs(&Bare(stats::run)),
};

/// An issue by what people call it (`42`, `#42b`), or by its id or either end of it. Another id is looked at by the room.
pub(super) fn find(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<IssueId> {
    let label = Label::read(text);
    let found = label.map(|label| shell.ask(engine, |world| world.rooms.issue.by_label(label).cloned())).transpose()?;
    match found.flatten().map_or_else(|| shell.find(engine, &ISSUE, text), |id| Ok(Some(id)))? {
        None if label.is_some() => Err(unknown(text)),
        found => Ok(found.unwrap_or_else(|| IssueId::from(text))),
    }
}

/// What is said where there is no such issue.
pub(super) fn unknown(text: &str) -> anyhow::Error {
    ISSUE.noun.unknown(text).into()
}

/// Several of them.
pub(super) fn find_all<'t>(
    shell: &Shell,
    engine: &Engine,
    texts: impl IntoIterator<Item = &'t String>,
) -> anyhow::Result<Vec<IssueId>> {
    texts.into_iter().map(|text| find(shell, engine, text)).collect()
}

/// What people call an issue.
pub(super) fn name(shell: &Shell, engine: &Engine, id: &IssueId) -> anyhow::Result<String> {
    let label = shell.ask(engine, |world| world.rooms.issue.issue(id).map(|issue| issue.label))?;
    Ok(label.map_or_else(|| id.to_string(), |label| format!("#{label}")))
}
