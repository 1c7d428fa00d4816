//! What happens to entries. Names as in AFS 8.3; what it says there of an entry is in the event, so that an event that a
//! policy of another room makes says all of it, too.

use super::row::{ContestPurpose, NewEntry};
use annals_kernel::id::AgentId;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to an entry.
    pub enum Event {
        /// There is one. With `original_entry_id` it takes the place of that entry.
        Added = "hivemind.entry.added" {
            /// The entry.
            entry: NewEntry,
        },
        /// It was used.
        Accessed = "hivemind.entry.accessed" {
            /// Which.
            key: Box<str>,
        },
        /// Somebody wants it otherwise, or as more than it is.
        Contested = "hivemind.entry.contested" {
            /// Which.
            key: Box<str>,
            /// What for.
            purpose: ContestPurpose,
            /// Why.
            reason: Box<str>,
            /// What it should say; none where only its standing is at stake.
            alternative: Option<Box<str>>,
        },
        /// It says something else now; a contest ends with that.
        Updated = "hivemind.entry.updated" {
            /// Which.
            key: Box<str>,
            /// Which of its fields.
            #[always]
            changes: Vec<Box<str>>,
            /// What it says now.
            value: Option<Box<str>>,
            /// How sure it is now.
            confidence: Option<Share>,
            /// The council that decided it.
            council: Option<Box<str>>,
            /// The project that it comes from.
            source_project: Option<Box<str>>,
        },
        /// It stays for good (AFS 6.2).
        PromotedGolden = "hivemind.entry.promoted_golden" {
            /// Which.
            key: Box<str>,
            /// By whom.
            by: AgentId,
            /// The council that decided it.
            council: Option<Box<str>>,
            /// What goes of it every day from now on: nothing, unless golden entries are not exempt.
            #[serde(default)]
            decay_rate: Share,
        },
        /// It is for other projects, too.
        PromotedGlobal = "hivemind.entry.promoted_global" {
            /// Which.
            key: Box<str>,
            /// By whom.
            by: AgentId,
            /// The council that decided it.
            council: Option<Box<str>>,
        },
        /// A contest or nomination ended, and it stays as it was.
        Upheld = "hivemind.entry.upheld" {
            /// Which.
            key: Box<str>,
            /// The council that decided it.
            council: Option<Box<str>>,
        },
        /// It was taken away.
        Removed = "hivemind.entry.removed" {
            /// Which.
            key: Box<str>,
            /// The id that it had.
            entry_id: Box<str>,
            /// Why.
            reason: Box<str>,
        },
        /// It expired some time ago. Changes nothing; said once for each expiry (decision 21).
        EntryExpired = "hivemind.decay.entry_expired" {
            /// Which.
            key: Box<str>,
            /// The id that it has.
            entry_id: Box<str>,
            /// When.
            expired_at: Timestamp,
        },
        /// What another store offers was taken over.
        Pulled = "hivemind.sync.pulled" {
            /// From which store or project.
            from: Box<str>,
            /// What is new here.
            added: Vec<NewEntry>,
            /// Keys whose value came from there: `hivemind.entry.updated` says which.
            replaced: Vec<Box<str>>,
            /// Keys that are contested now: `hivemind.entry.contested` says why.
            contested: Vec<Box<str>>,
        },
        /// Another store has taken entries over.
        Pushed = "hivemind.sync.pushed" {
            /// To which store.
            to: Box<str>,
            /// Which.
            #[always]
            keys: Vec<Box<str>>,
        },
    }
}

impl Event {
    /// The entry that it is about; none where it is about several.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Added(added) => Some(&added.entry.key),
            Self::Accessed(accessed) => Some(&accessed.key),
            Self::Contested(contested) => Some(&contested.key),
            Self::Updated(updated) => Some(&updated.key),
            Self::PromotedGolden(promoted) => Some(&promoted.key),
            Self::PromotedGlobal(promoted) => Some(&promoted.key),
            Self::Upheld(upheld) => Some(&upheld.key),
            Self::Removed(removed) => Some(&removed.key),
            Self::EntryExpired(expired) => Some(&expired.key),
            Self::Pulled(_) | Self::Pushed(_) => None,
        }
    }
}
