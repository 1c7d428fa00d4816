//! Why a mind stays as it is.

use super::critic::Tone;
use super::load::BadState;
use super::mind::Rule;
use crate::kernel::grounding::words;
use crate::kernel::id::EntryId;

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nothing is said.
    #[error("nothing is said")]
    NothingSaid,
    /// A number is not within its range.
    #[error("{what} is from {low} to {high}")]
    OutOfRange {
        /// Of what.
        what: &'static str,
        /// The least.
        low: i32,
        /// The most.
        high: i32,
    },
    /// A text or list is too long.
    #[error("{what}: more than {most} are too many")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many may be.
        most: usize,
    },
    /// There is no such thing.
    #[error("there is no {thing} {id} in this session")]
    NotThere {
        /// What it would be.
        thing: Thing,
        /// Its name.
        id: Box<str>,
    },
    /// It is over.
    #[error("{thing} {id} is {how} already")]
    Over {
        /// What it is.
        thing: Thing,
        /// Its name.
        id: Box<str>,
        /// What it is.
        how: &'static str,
    },
    /// There is one aim at a time.
    #[error("the session has a primary goal already: {goal}")]
    SecondPrimary {
        /// Which.
        goal: Box<str>,
    },
    /// Nothing is worked on.
    #[error("no goal is in focus")]
    NoFocus,
    /// There are enough verified facts (AFS 4.4).
    #[error("as many facts as there may be ({most}) are verified already")]
    GoldenFull {
        /// How many there may be.
        most: usize,
    },
    /// Only the rules say it.
    #[error("only the engine says this")]
    OnlySystem,
    /// It was said of this cause.
    #[error("{rule} was said of {cause} already")]
    Happened {
        /// What.
        rule: Box<str>,
        /// Of what.
        cause: EntryId,
    },
    /// Only the person decides it.
    #[error("only the user decides this")]
    OnlyUser,
    /// The configuration lets nobody.
    #[error("{setting} is off")]
    Held {
        /// The setting.
        setting: &'static str,
    },
    /// It is so already.
    #[error("the tone is {tone} already")]
    SameTone {
        /// Which.
        tone: Tone,
    },
    /// A state cannot be read.
    #[error("the state cannot be read: {problem}")]
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

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NothingSaid => "give at least one option; --help lists them",
            Self::OutOfRange { .. } => "give a number within the range",
            Self::TooMany { .. } => "say less, or in several commands",
            Self::NotThere { .. } => "`annals cognition show` lists what there is, with ids",
            Self::Over { .. } | Self::Happened { .. } | Self::SameTone { .. } => "nothing is left to do",
            Self::SecondPrimary { .. } => "complete or abandon it, or add a subgoal",
            Self::NoFocus => "`annals cognition goal focus ID` turns to one",
            Self::GoldenFull { .. } => "`annals cognition fact drop ID` makes room; cognition.max_golden is the limit",
            Self::OnlySystem => "`annals triggers SESSION` has the engine look",
            Self::OnlyUser => "the user says it, or a team lead",
            Self::Held { .. } => "`annals config set` turns it on",
            Self::BadState { .. } => "`annals cognition import` reads files of protocol 0.1 and 0.2",
        }
    }
}
