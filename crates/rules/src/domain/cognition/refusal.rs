//! Why a mind stays as it is.

use serde::Serialize;

use super::critic::Tone;
use super::load::BadState;
use super::mind::Rule;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;

words! {
    /// What something is.
    pub enum Thing {
        /// A frustration.
        Frustration = "frustration",
        /// A goal.
        Goal = "goal",
        /// A conflict of goals.
        Conflict = "conflict",
        /// A fact.
        Fact = "fact",
        /// A contradiction.
        Contradiction = "contradiction",
        /// A question.
        Unknown = "question",
        /// A trigger.
        Trigger = "trigger",
        /// A firing.
        Firing = "firing",
    }
}

/// Why a mind stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Nothing is said.
    NothingSaid,
    /// A number is not within its range.
    OutOfRange {
        /// Of what.
        what: &'static str,
        /// The least.
        low: i32,
        /// The most.
        high: i32,
    },
    /// A text or list is too long.
    TooMany {
        /// What.
        what: &'static str,
        /// How many may be.
        most: usize,
    },
    /// There is no such thing.
    NotThere {
        /// What it would be.
        thing: Thing,
        /// Its name.
        id: Box<str>,
    },
    /// It is over.
    Over {
        /// What it is.
        thing: Thing,
        /// Its name.
        id: Box<str>,
        /// What it is.
        how: &'static str,
    },
    /// There is one aim at a time.
    SecondPrimary {
        /// Which.
        goal: Box<str>,
    },
    /// Nothing is worked on.
    NoFocus,
    /// There are enough verified facts (AFS 4.4).
    GoldenFull {
        /// How many there may be.
        most: usize,
    },
    /// Only the rules say it.
    OnlySystem,
    /// It was said of this cause.
    Happened {
        /// What.
        rule: Box<str>,
        /// Of what.
        cause: EntryId,
    },
    /// Only the person decides it.
    OnlyUser,
    /// The configuration lets nobody.
    Held {
        /// The setting.
        setting: &'static str,
    },
    /// It is so already.
    SameTone {
        /// Which.
        tone: Tone,
    },
    /// A state cannot be read.
    BadState {
        /// What is wrong with it.
        problem: BadState,
    },
}

impl Refusal {
    pub(super) fn happened(rule: Rule, cause: EntryId) -> Self {
        Self::Happened { rule: rule.as_str().into(), cause }
    }

    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NothingSaid => "cognition.nothing_said",
            Self::OutOfRange { .. } => "cognition.out_of_range",
            Self::TooMany { .. } => "cognition.too_many",
            Self::NotThere { .. } => "cognition.not_there",
            Self::Over { .. } => "cognition.over",
            Self::SecondPrimary { .. } => "cognition.second_primary",
            Self::NoFocus => "cognition.no_focus",
            Self::GoldenFull { .. } => "cognition.golden_full",
            Self::OnlySystem => "cognition.only_system",
            Self::Happened { .. } => "cognition.happened",
            Self::OnlyUser => "cognition.only_user",
            Self::Held { .. } => "cognition.held",
            Self::SameTone { .. } => "cognition.same_tone",
            Self::BadState { .. } => "cognition.bad_state",
        }
    }
}
