//! Why memory stays as it is.

use serde::Serialize;

use super::quantum::Level;
use annals_kernel::id::AgentId;
use annals_kernel::time::Timestamp;

/// Why memory stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Experience is not what somebody says it was (artoo R5).
    NotTheSolver {
        /// Who asked.
        actor: AgentId,
    },
    /// Who is nobody's agent has no say.
    Stranger {
        /// Who asked.
        actor: AgentId,
    },
    /// Forgetting is not for everybody.
    NotTheDreamer {
        /// Who asked.
        actor: AgentId,
    },
    /// A tag stands in keys and tables.
    BadTag {
        /// Which tag.
        what: &'static str,
        /// The most.
        most: usize,
    },
    /// It must say something.
    BadContent {
        /// The most.
        most: usize,
    },
    /// It must weigh something.
    NoWeight,
    /// Common sense does not fade, all else does.
    BadRate {
        /// The level.
        level: Level,
        /// The rate.
        k: Box<str>,
    },
    /// Laws are configured.
    Law,
    /// Common sense is little.
    Full {
        /// What was used, or what was wanted.
        space: Box<str>,
        /// On what.
        entity: Box<str>,
        /// The most.
        most: usize,
    },
    /// There is none.
    UnknownMegram {
        /// The id.
        megram: Box<str>,
    },
    /// It is gone.
    Forgotten {
        /// The id.
        megram: Box<str>,
        /// When.
        at: Timestamp,
    },
    /// One decision remembers so many.
    BadCount {
        /// The most.
        most: usize,
    },
    /// Nothing was learnt yet that does not fade.
    NoCommonSense {
        /// What was used, or what was wanted.
        space: Box<str>,
        /// On what.
        entity: Box<str>,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NotTheSolver { .. } => "memory.not_the_solver",
            Self::Stranger { .. } => "memory.stranger",
            Self::NotTheDreamer { .. } => "memory.not_the_dreamer",
            Self::BadTag { .. } => "memory.bad_tag",
            Self::BadContent { .. } => "memory.bad_content",
            Self::NoWeight => "memory.no_weight",
            Self::BadRate { .. } => "memory.bad_rate",
            Self::Law => "memory.law",
            Self::Full { .. } => "memory.full",
            Self::UnknownMegram { .. } => "memory.unknown_megram",
            Self::Forgotten { .. } => "memory.forgotten",
            Self::BadCount { .. } => "memory.bad_count",
            Self::NoCommonSense { .. } => "memory.no_common_sense",
        }
    }
}
