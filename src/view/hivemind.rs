//! Entries of hivemind as people and programs read them: the schema of AFS 6.1.
//!
//! Does not print and does not write files.

use annals_sparse::sparse;
use serde::Serialize;

use crate::domain::hivemind::row::{EntrySource, GoldenEntry, Other, Sync};
use crate::domain::hivemind::{ContestPurpose, EntryCategory, EntryStatus, HivemindEntry, Scope};
use crate::kernel::id::AgentId;
use crate::kernel::settings::Settings;
use crate::kernel::share::Share;
use crate::kernel::time::Timestamp;

/// An entry (AFS 6.1). What depends on the time stands in `Now`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EntryInfo {
    /// Its id.
    pub id: Box<str>,
    /// What kind of thing was learnt.
    pub category: EntryCategory,
    /// For whom it is.
    pub scope: Scope,
    /// Its name.
    pub key: Box<str>,
    /// What was learnt.
    pub value: Box<str>,
    /// How sure it is.
    pub confidence: Share,
    /// What it counts as, at a time that is known; otherwise what it is whatever the time.
    pub status: EntryStatus,
    /// Where it comes from.
    pub source: EntrySource,
    /// How it fades.
    pub decay: DecayInfo,
    /// Words and keys beside it.
    pub metadata: Metadata,
    /// Who wants it otherwise.
    pub contested: Option<ContestInfo>,
    /// How it became golden.
    pub golden: Option<GoldenEntry>,
    /// What it has to do with other stores.
    pub sync: Option<Sync>,
    /// What the protocol has no place for.
    pub extensions: Option<EntryExtensions>,
}

/// AFS 6.1, `decay`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecayInfo {
    /// When it was last used.
    pub last_accessed: Timestamp,
    /// How often it was used.
    pub access_count: u64,
    /// What goes of it every day.
    pub decay_rate: Share,
    /// It has expired where its strength is less.
    pub expires_below: Share,
    /// When that will be, or was.
    pub expires_at: Option<Timestamp>,
}

/// AFS 6.1, `metadata`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Metadata {
    /// Keys of entries that belong to it.
    pub related_entries: Vec<Box<str>>,
    /// Words to find it by.
    pub tags: Vec<Box<str>>,
    /// The entry that had the key before.
    pub original_entry_id: Option<Box<str>>,
}

/// AFS 6.1, `contested`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContestInfo {
    /// What for.
    pub purpose: ContestPurpose,
    /// Why.
    pub reason: Box<str>,
    /// What it should say; what it says, where only its standing is at stake.
    pub alternative_value: Box<str>,
    /// Who.
    pub contested_by: AgentId,
    /// When.
    pub contested_at: Timestamp,
    /// The council that was called.
    pub council_session_id: Option<Box<str>>,
}

/// What is ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EntryExtensions {
    /// What else is known of the key.
    pub annals: Others,
}

/// Other values of the key.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Others {
    /// What it was given in other branches.
    pub rivals: Vec<Other>,
    /// What it said before.
    pub past: Vec<Other>,
}

/// What an entry is at a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Now {
    /// The entry; its status is that of the time.
    #[serde(flatten)]
    pub entry: EntryInfo,
    /// Confidence × (1 − rate)^days since the last access, to a thousandth.
    pub effective_strength: f64,
}

impl EntryInfo {
    /// Of an entry, whatever the time: golden, contested, or active.
    pub fn of(key: &str, entry: &HivemindEntry) -> Self {
        let status = match (&entry.contest, &entry.golden) {
            (Some(_), _) => EntryStatus::Contested,
            (None, Some(_)) => EntryStatus::Golden,
            (None, None) => EntryStatus::Active,
        };
        let others = Others { rivals: entry.rivals.clone(), past: entry.past.clone() };
        let has_others = !others.rivals.is_empty() || !others.past.is_empty();
        Self {
            id: entry.id.clone(),
            category: entry.category,
            scope: entry.scope,
            key: key.into(),
            value: entry.value.clone(),
            confidence: entry.confidence,
            status,
            source: entry.source.clone(),
            decay: DecayInfo::of(entry),
            metadata: Metadata {
                related_entries: entry.related.clone(),
                tags: entry.tags.clone(),
                original_entry_id: entry.original.clone(),
            },
            contested: contest(entry),
            golden: entry.golden.clone(),
            sync: (entry.sync != Sync::default()).then(|| entry.sync.clone()),
            extensions: has_others.then_some(EntryExtensions { annals: others }),
        }
    }
}

impl DecayInfo {
    fn of(entry: &HivemindEntry) -> Self {
        Self {
            last_accessed: entry.decay.last_accessed,
            access_count: entry.decay.access_count,
            decay_rate: entry.decay.decay_rate,
            expires_below: entry.decay.expires_below,
            expires_at: entry.expires_at(),
        }
    }
}

fn contest(entry: &HivemindEntry) -> Option<ContestInfo> {
    let contest = entry.contest.as_ref()?;
    Some(ContestInfo {
        purpose: contest.purpose,
        reason: contest.reason.clone(),
        alternative_value: contest.alternative.clone().unwrap_or_else(|| entry.value.clone()),
        contested_by: contest.by.clone(),
        contested_at: contest.at,
        council_session_id: contest.council.clone(),
    })
}

impl Now {
    /// Of an entry, at a time.
    pub fn of(key: &str, entry: &HivemindEntry, now: Timestamp, settings: &Settings) -> Self {
        let info = EntryInfo { status: entry.status_at(now, settings), ..EntryInfo::of(key, entry) };
        // What is shown is rounded; what decides is not.
        let effective_strength = libm::round(entry.strength_at(now) * 1000.0) / 1000.0;
        Self { entry: info, effective_strength }
    }
}
