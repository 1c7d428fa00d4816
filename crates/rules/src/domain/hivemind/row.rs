//! One entry: what was learnt, who learnt it, how it fades, who wants it otherwise (AFS 6.1).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decay::Curve;
use super::settings::WARNING_DAYS;
use annals_kernel::fade::DAY_MS;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, SessionId};
use annals_kernel::rows::Ranked;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

words! {
    /// What kind of thing was learnt (AFS 6.1).
    pub enum EntryCategory {
        /// What went wrong.
        Fear = "fear",
        /// What went well.
        Satisfaction = "satisfaction",
        /// What is so.
        Knowledge = "knowledge",
        /// What was decided.
        Decision = "decision",
        /// What the user likes.
        Preference = "preference",
    }
}

impl EntryCategory {
    /// What goes of its strength every day, unless configured otherwise (AFS 6.2).
    pub(crate) const fn default_rate(self) -> Share {
        match self {
            Self::Fear | Self::Satisfaction => Share::thousandths(100),
            Self::Decision => Share::thousandths(50),
            Self::Knowledge | Self::Preference => Share::NONE,
        }
    }

    /// Whether it means anything in another project (AFS 6.5).
    pub const fn travels(self) -> bool {
        match self {
            Self::Knowledge | Self::Decision | Self::Preference => true,
            Self::Fear | Self::Satisfaction => false,
        }
    }
}

words! {
    /// For whom an entry is.
    pub enum Scope {
        /// This project.
        Project = "project",
        /// Other projects, too.
        Global = "global",
    }
}

words! {
    /// What an entry is contested for (AFS 7.1).
    pub enum ContestPurpose {
        /// It should say something else.
        Conflict = "conflict",
        /// It should be golden.
        DecayPromotion = "decay_promotion",
        /// It should be for other projects, too.
        GlobalPromotion = "global_promotion",
    }
}

words! {
    /// What an entry counts as at a time (AFS 6.1, 6.2).
    pub enum EntryStatus {
        /// It holds.
        Active = "active",
        /// It expires soon.
        Decaying = "decaying",
        /// It holds for good.
        Golden = "golden",
        /// Somebody wants it otherwise.
        Contested = "contested",
        /// It has faded away.
        Expired = "expired",
    }
}

/// Where an entry comes from (AFS 6.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntrySource {
    /// In which session.
    pub session_id: SessionId,
    /// As what its author was there: a role, or `user`.
    pub agent_role: Box<str>,
    /// Its author.
    pub agent_id: AgentId,
    /// When.
    pub timestamp: Timestamp,
    /// Why it is worth keeping.
    #[sparse]
    pub promotion_reason: Box<str>,
}

/// An entry as it is added, or offered by another store.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewEntry {
    /// The id of the line that holds it, with `.1`, `.2`, … where that holds several.
    pub id: Box<str>,
    /// Its name.
    pub key: Box<str>,
    /// What kind of thing was learnt.
    pub category: EntryCategory,
    /// For whom it is.
    pub scope: Scope,
    /// What was learnt.
    pub value: Box<str>,
    /// How sure it is.
    pub confidence: Share,
    /// Where it comes from.
    pub source: EntrySource,
    /// What goes of it every day.
    #[serde(default)]
    pub decay_rate: Share,
    /// It has expired where its strength is less.
    pub expires_below: Share,
    /// Words to find it by.
    pub tags: Vec<Box<str>>,
    /// Keys of entries that belong to it.
    pub related_entries: Vec<Box<str>>,
    /// The entry that had the key before.
    pub original_entry_id: Option<Box<str>>,
    /// The project that it comes from.
    pub source_project: Option<Box<str>>,
    /// When it was last used elsewhere: it fades from there on, so that nothing lives on by going to and fro.
    pub last_accessed: Option<Timestamp>,
}

/// How an entry fades (AFS 6.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntryDecay {
    /// When it was last used.
    pub last_accessed: Timestamp,
    /// How often it was used.
    pub access_count: u64,
    /// What goes of it every day.
    pub decay_rate: Share,
    /// It has expired where its strength is less.
    pub expires_below: Share,
}

/// Who wants an entry otherwise (AFS 6.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contest {
    /// What for.
    pub purpose: ContestPurpose,
    /// Why.
    pub reason: Box<str>,
    /// What it should say.
    pub alternative: Option<Box<str>>,
    /// Who.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// The council that was called.
    pub council: Option<Box<str>>,
}

/// How an entry became golden (AFS 6.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenEntry {
    /// When.
    pub promoted_at: Timestamp,
    /// By whom.
    pub promoted_by: AgentId,
    /// The council that decided it.
    pub council_session_id: Option<Box<str>>,
}

/// What an entry has to do with other stores (AFS 6.1).
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Sync {
    /// The project that it comes from.
    pub source_project: Option<Box<str>>,
    /// Stores that have it.
    pub synced_to: Vec<Box<str>>,
    /// When it was last taken over, here or there.
    pub last_sync: Option<Timestamp>,
}

/// Another value that the key was given in another branch, or that it had before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Other {
    /// The entry that has, or had, it.
    pub entry_id: Box<str>,
    /// What it says.
    pub value: Box<str>,
    /// Whose it is.
    pub by: AgentId,
    /// Since when.
    pub at: Timestamp,
}

/// Who took an entry away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakenAway {
    /// Who.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub reason: Box<str>,
}

/// An entry (AFS 6.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HivemindEntry {
    /// Its id.
    pub id: Box<str>,
    /// What kind of thing was learnt.
    pub category: EntryCategory,
    /// For whom it is.
    pub scope: Scope,
    /// What was learnt.
    pub value: Box<str>,
    /// How sure it is.
    pub confidence: Share,
    /// Where it comes from.
    pub source: EntrySource,
    /// How it fades.
    pub decay: EntryDecay,
    /// Words to find it by.
    pub tags: Vec<Box<str>>,
    /// Keys of entries that belong to it.
    pub related: Vec<Box<str>>,
    /// The entry that had the key before.
    pub original: Option<Box<str>>,
    /// Who wants it otherwise.
    pub contest: Option<Contest>,
    /// How it became golden.
    pub golden: Option<GoldenEntry>,
    /// What it has to do with other stores.
    #[sparse]
    pub sync: Sync,
    /// What the key was given in other branches.
    pub rivals: Vec<Other>,
    /// What the key said before, the oldest first.
    pub past: Vec<Other>,
    /// What it was decided not to say: the first 16 characters of the SHA-256 of each value.
    pub declined: Vec<Box<str>>,
    /// Who took it away.
    pub removed: Option<TakenAway>,
}

impl HivemindEntry {
    fn curve(&self) -> Curve {
        Curve {
            confidence: self.confidence,
            rate: self.decay.decay_rate,
            floor: self.decay.expires_below,
            since: self.decay.last_accessed,
        }
    }

    /// Its effective strength, unrounded: confidence × (1 − rate)^days since the last access (AFS 6.2).
    pub fn strength_at(&self, now: Timestamp) -> f64 {
        self.curve().strength_at(now)
    }

    /// When it expires; never where nothing fades, where it is contested, and where it was taken away.
    pub fn expires_at(&self) -> Option<Timestamp> {
        // What a council decides on does not expire under its hands.
        if self.contest.is_some() || self.removed.is_some() { None } else { self.curve().expires_at() }
    }

    /// Whether it has expired (decision 21).
    pub fn is_expired_at(&self, now: Timestamp) -> bool {
        self.expires_at().is_some_and(|at| at <= now)
    }

    /// What it counts as (AFS 6.2). A contested entry does not expire before that has ended.
    pub fn status_at(&self, now: Timestamp, settings: &Settings) -> EntryStatus {
        let soon = now.plus_millis(i64::from(settings.get(&WARNING_DAYS)).saturating_mul(DAY_MS));
        let expires_by = |time: Timestamp| self.expires_at().is_some_and(|at| at <= time);
        if self.contest.is_some() {
            EntryStatus::Contested
        } else if expires_by(now) {
            EntryStatus::Expired
        } else if self.golden.is_some() {
            EntryStatus::Golden
        } else if expires_by(soon) {
            EntryStatus::Decaying
        } else {
            EntryStatus::Active
        }
    }
}

impl Ranked for HivemindEntry {
    /// What was used last comes first; what was taken away, last.
    fn rank(&self) -> i64 {
        if self.removed.is_some() { i64::MIN } else { self.decay.last_accessed.millis() }
    }
}

/// When an entry expires, and whether that was announced.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EntryDue {
    /// When; none: never.
    pub at: Option<Timestamp>,
    /// The expiry that was announced last.
    pub announced: Option<Timestamp>,
}

impl EntryDue {
    /// When it expires, unless that was announced.
    pub fn unannounced(&self) -> Option<Timestamp> {
        self.at.filter(|at| self.announced != Some(*at))
    }
}

impl Ranked for EntryDue {
    /// What expires first comes first; then what was announced; then what does not expire.
    fn rank(&self) -> i64 {
        match (self.unannounced(), self.at) {
            // The next to expire ranks highest, because lists are read from the top and few rows of them are loaded.
            (Some(at), _) => i64::MAX.saturating_sub(at.millis().max(0)),
            (None, Some(_)) => 0,
            (None, None) => i64::MIN,
        }
    }
}
