//! Why memory stays as it is.

use super::quantum::Level;
use crate::kernel::id::AgentId;
use crate::kernel::time::Timestamp;

/// Why memory stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Experience is not what somebody says it was (artoo R5).
    #[error("only the goal-gradient solver writes experience, not {actor}")]
    NotTheSolver {
        /// Who asked.
        actor: AgentId,
    },
    /// Who is nobody's agent has no say.
    #[error("{actor} is not an active agent of the roster")]
    Stranger {
        /// Who asked.
        actor: AgentId,
    },
    /// Forgetting is not for everybody.
    #[error("only the user, the solver and those who lead let the dreamer run, not {actor}")]
    NotTheDreamer {
        /// Who asked.
        actor: AgentId,
    },
    /// A tag stands in keys and tables.
    #[error("the {what} is 1 to {most} characters, none of them a control character")]
    BadTag {
        /// Which tag.
        what: &'static str,
        /// The most.
        most: usize,
    },
    /// It must say something.
    #[error("the content is 1 to {most} characters")]
    BadContent {
        /// The most.
        most: usize,
    },
    /// It must weigh something.
    #[error("without a state, strength and sign must be given")]
    NoWeight,
    /// Common sense does not fade, all else does.
    #[error("level C does not fade and levels M and K do: k is {k} at level {level}")]
    BadRate {
        /// The level.
        level: Level,
        /// The rate.
        k: Box<str>,
    },
    /// Laws are configured.
    #[error("level T is not written: its laws are in the configuration")]
    Law,
    /// Common sense is little.
    #[error("{space} {entity} has {most} pieces of common sense already")]
    Full {
        /// What was used, or what was wanted.
        space: Box<str>,
        /// On what.
        entity: Box<str>,
        /// The most.
        most: usize,
    },
    /// There is none.
    #[error("there is no megram {megram}")]
    UnknownMegram {
        /// The id.
        megram: Box<str>,
    },
    /// It is gone.
    #[error("megram {megram} was forgotten at {at}")]
    Forgotten {
        /// The id.
        megram: Box<str>,
        /// When.
        at: Timestamp,
    },
    /// One decision remembers so many.
    #[error("1 to {most} megrams are recalled at once")]
    BadCount {
        /// The most.
        most: usize,
    },
    /// Nothing was learnt yet that does not fade.
    #[error("there is no common sense about {space} {entity}")]
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

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotTheSolver { .. } => "`annals memory feedback` says that something remembered is wrong",
            Self::Stranger { .. } => "`annals agent list` shows those there are",
            Self::NotTheDreamer { .. } => "`annals memory potentials` already counts what has faded as faded",
            Self::BadTag { .. } => "as in tool:grep and path:src/main.rs, or intent:find_all_go and env:local",
            Self::BadContent { .. } => "say in a sentence what happened",
            Self::NoWeight => "give a state, or --f and --sigma",
            Self::BadRate { .. } => "leave k out, and it is as the level and the state have it",
            Self::Law => "`annals config set memory.laws '[\"…\"]'` sets them",
            Self::Full { .. } => "`annals memory feedback` takes trust away from what holds no more",
            Self::UnknownMegram { .. } | Self::Forgotten { .. } => "`annals memory list` shows those there are",
            Self::BadCount { .. } => "recall them in several steps",
            Self::NoCommonSense { .. } => "`annals memory potentials` tells what single experiences say",
        }
    }
}
