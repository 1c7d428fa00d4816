//! `annals knowledge …`: what was learnt of a person and a project, and what may be (Galatea 3).

pub(super) mod extract;
mod forget;
pub(super) mod list;
pub(super) mod promote;
pub(super) mod review;
pub(super) mod search;
pub(super) mod settle;
mod write;

pub(super) use self::forget::forget;
pub(super) use self::write::say;
use super::named::{CANDIDATE, KNOWLEDGE};
use super::registry::{CommandRow, rows};
use super::shell::Shell;
use crate::engine::Engine;
use crate::kernel::id::EntryId;

/// Commands about knowledge.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Add an entry of knowledge
    "add" => decides(
        "knowledge.entry.add",
        "kind text-:content --entity<NAME>:entities --about --confidence --impact --session:source.session \
         --from<ENTRY>:source.entries --supersedes<ID>@knowledge",
        write::decide,
    ),
    /// List knowledge, the latest first; this counts as no retrieval
    "list" => Runs(&With(list::run)),
    /// Show an entry, whatever became of it
    "show" => Runs(&With(list::show)),
    /// Retrieve knowledge about a query; retrieved entries start to fade anew
    "search" or "retrieve" => Runs(&With(search::run)),
    /// Show why each entry would come, or not; nothing is recorded
    "trace" => Runs(&With(search::trace)),
    /// Say that another entry holds instead
    "supersede" => decides("knowledge.entry.supersede", "entry@knowledge by@knowledge", write::decide),
    /// Say what came of working with an entry
    "feedback" => decides("knowledge.feedback.give", "entry@knowledge ending:result", write::decide),
    /// Find what may be learnt in recorded prompts and rejections
    "extract" => Runs(&With(extract::run)),
    /// Propose an entry; it waits for a review
    "propose" => decides(
        "knowledge.candidate.propose",
        "kind text-:content --entity<NAME>:entities --about --confidence --impact --session:source.session \
         --from<ENTRY>:source.entries",
        write::decide,
    ),
    /// List what waits for a review
    "review" => Runs(&With(review::run)),
    /// Let a candidate count
    "accept" => Runs(&With(review::accept)),
    /// Turn candidates down
    "reject" => Runs(&With(review::reject)),
    /// Propose that entries which say the same become one
    "consolidate" => decides("knowledge.entry.consolidate", "", review::consolidate),
    /// Put an entry away: it is shown, and does not come
    "archive" => decides("knowledge.entry.archive", "entry@knowledge --reason", write::decide),
    /// Bring an entry back that was put away or has faded
    "restore" => decides("knowledge.entry.restore", "entry@knowledge", write::decide),
    /// Offer what held long enough to AGENTS.md, and like procedures as a skill
    "promote" => Runs(&With(promote::run)),
    /// Show what contradicts; settle it where a rule can tell which entry holds
    "settle" => Runs(&With(settle::run)),
    /// Announce what has faded so far that it is archived
    "expire" => decides("knowledge.entry.expire", "", write::expire),
};

/// An entry by its id or either end of it. A whole id may name none.
pub(super) fn entry(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<EntryId> {
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
