//! Why a mind stays as it is.

use super::critic::Tone;
use super::load::BadState;
use super::mind::MindRule;
use super::trigger::AnalysisMode;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::refusal::refusal;

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

refusal! {
    /// Why a mind stays as it is.
    pub enum Refusal {
        /// Nothing is said.
        NothingSaid = "cognition.nothing_said",
        /// A number is not within its range.
        OutOfRange = "cognition.out_of_range" { what: &'static str, low: i32, high: i32 },
        /// A text or list is too long.
        TooMany = "cognition.too_many" { what: &'static str, most: usize },
        /// There is no such thing.
        NotThere = "cognition.not_there" { thing: Thing, id: Box<str> },
        /// It is over.
        Over = "cognition.over" { thing: Thing, id: Box<str>, how: &'static str },
        /// There is one aim at a time.
        SecondPrimary = "cognition.second_primary" { goal: Box<str> },
        /// Nothing is worked on.
        NoFocus = "cognition.no_focus",
        /// There are enough verified facts (AFS 4.4).
        GoldenFull = "cognition.golden_full" { most: usize },
        /// Only the rules say it.
        OnlySystem = "cognition.only_system",
        /// It was said of this cause.
        Happened = "cognition.happened" { rule: Box<str>, cause: EntryId },
        /// No model said anything of it.
        NoModelWord = "cognition.no_model_word" { mode: AnalysisMode },
        /// Only the person decides it.
        OnlyUser = "cognition.only_user",
        /// The configuration lets nobody.
        Held = "cognition.held" { setting: &'static str },
        /// It is so already.
        SameTone = "cognition.same_tone" { tone: Tone },
        /// A state cannot be read.
        BadState = "cognition.bad_state" { problem: BadState },
    }
}

impl Refusal {
    pub(super) fn happened(rule: MindRule, cause: EntryId) -> Self {
        Self::Happened { rule: rule.as_str().into(), cause }
    }
}
