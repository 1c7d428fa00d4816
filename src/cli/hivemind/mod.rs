//! `annals hivemind …`: what was learnt, kept beyond a session, fading unless it is used (AFS 6).

pub(super) mod list;
pub(super) mod sync;
mod write;

use super::registry::{CommandRow, rows};

/// Commands about what was learnt.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Add an entry
    "add" => decides(
        "hivemind.entry.add",
        "category key value- --confidence --because<TEXT>:reason --tag:tags --related<KEY>",
        write::decide,
    ),
    /// List what was learnt, what was used last first
    "list" => Runs(&With(list::run)),
    /// Show an entry
    "show" => Runs(&With(list::show)),
    /// Say that an entry was used: it is as strong as on its first day
    "access" => decides("hivemind.entry.access", "key --because<TEXT>:reason", write::decide),
    /// Contest an entry, with an alternative
    "contest" => decides("hivemind.entry.contest", "key --alternative<TEXT>- --because<TEXT>=:reason", write::decide),
    /// Propose an entry as golden, or as one for other projects, too
    "nominate" => decides(
        "hivemind.entry.nominate",
        "key --global=golden/global:rise --because<TEXT>=:reason",
        write::decide,
    ),
    /// Give a key a new value
    "supersede" => decides("hivemind.entry.supersede", "key value- --confidence --because<TEXT>:reason", write::decide),
    /// End a contest or nomination without a council
    "settle" => decides("hivemind.entry.settle", "key verdict", write::decide),
    /// Announce which entries have expired
    "expire" => Runs(&With(write::expire)),
    /// Take an entry away
    "remove" => decides("hivemind.entry.remove", "key --because<TEXT>=:reason", write::decide),
    /// Give entries to other projects, and take over theirs
    "sync" => Runs(&With(sync::run)),
};
