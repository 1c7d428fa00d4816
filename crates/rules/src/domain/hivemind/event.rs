//! What happens to entries. Names as in AFS 8.3; what it says there of an entry is in the event, so that an event that a
//! policy of another room makes says all of it, too.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::{NewEntry, Purpose};
use annals_kernel::id::AgentId;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to an entry.
    pub enum Event {
        /// There is one. With `original_entry_id` it takes the place of that entry.
        Added(Added) = "hivemind.entry.added",
        /// It was used.
        Accessed(Accessed) = "hivemind.entry.accessed",
        /// Somebody wants it otherwise, or as more than it is.
        Contested(Contested) = "hivemind.entry.contested",
        /// It says something else now; a contest ends with that.
        Updated(Updated) = "hivemind.entry.updated",
        /// It stays for good (AFS 6.2).
        PromotedGolden(PromotedGolden) = "hivemind.entry.promoted_golden",
        /// It is for other projects, too.
        PromotedGlobal(PromotedGlobal) = "hivemind.entry.promoted_global",
        /// A contest or nomination ended, and it stays as it was.
        Upheld(Upheld) = "hivemind.entry.upheld",
        /// It was taken away.
        Removed(Removed) = "hivemind.entry.removed",
        /// It expired some time ago. Changes nothing; said once for each expiry (decision 21).
        EntryExpired(EntryExpired) = "hivemind.decay.entry_expired",
        /// What another store offers was taken over.
        Pulled(Pulled) = "hivemind.sync.pulled",
        /// Another store has taken entries over.
        Pushed(Pushed) = "hivemind.sync.pushed",
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

/// Fields of `hivemind.entry.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// The entry.
    pub entry: NewEntry,
}

/// Fields of `hivemind.entry.accessed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accessed {
    /// Which.
    pub key: Box<str>,
}

/// Fields of `hivemind.entry.contested`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contested {
    /// Which.
    pub key: Box<str>,
    /// What for.
    pub purpose: Purpose,
    /// Why.
    pub reason: Box<str>,
    /// What it should say; none where only its standing is at stake.
    pub alternative: Option<Box<str>>,
}

/// Fields of `hivemind.entry.updated`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Updated {
    /// Which.
    pub key: Box<str>,
    /// Which of its fields.
    #[always]
    pub changes: Vec<Box<str>>,
    /// What it says now.
    pub value: Option<Box<str>>,
    /// How sure it is now.
    pub confidence: Option<Share>,
    /// The council that decided it.
    pub council: Option<Box<str>>,
    /// The project that it comes from.
    pub source_project: Option<Box<str>>,
}

/// Fields of `hivemind.entry.promoted_golden`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromotedGolden {
    /// Which.
    pub key: Box<str>,
    /// By whom.
    pub by: AgentId,
    /// The council that decided it.
    pub council: Option<Box<str>>,
    /// What goes of it every day from now on: nothing, unless golden entries are not exempt.
    #[serde(default)]
    pub decay_rate: Share,
}

/// Fields of `hivemind.entry.promoted_global`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromotedGlobal {
    /// Which.
    pub key: Box<str>,
    /// By whom.
    pub by: AgentId,
    /// The council that decided it.
    pub council: Option<Box<str>>,
}

/// Fields of `hivemind.entry.upheld`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Upheld {
    /// Which.
    pub key: Box<str>,
    /// The council that decided it.
    pub council: Option<Box<str>>,
}

/// Fields of `hivemind.entry.removed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    /// Which.
    pub key: Box<str>,
    /// The id that it had.
    pub entry_id: Box<str>,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `hivemind.decay.entry_expired`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntryExpired {
    /// Which.
    pub key: Box<str>,
    /// The id that it has.
    pub entry_id: Box<str>,
    /// When.
    pub expired_at: Timestamp,
}

/// Fields of `hivemind.sync.pulled`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pulled {
    /// From which store or project.
    pub from: Box<str>,
    /// What is new here.
    pub added: Vec<NewEntry>,
    /// Keys whose value came from there: `hivemind.entry.updated` says which.
    pub replaced: Vec<Box<str>>,
    /// Keys that are contested now: `hivemind.entry.contested` says why.
    pub contested: Vec<Box<str>>,
}

/// Fields of `hivemind.sync.pushed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pushed {
    /// To which store.
    pub to: Box<str>,
    /// Which.
    pub keys: Vec<Box<str>>,
}
