//! What happens to memory.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantum::{Level, MacroState, Sigma};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened to memory.
    pub enum Event {
        /// An experience is kept.
        Written(Written) = "memory.megram.written",
        /// Somebody who may not wanted to write one.
        Denied(Denied) = "memory.megram.denied",
        /// Megrams were remembered.
        Recalled(Recalled) = "memory.megram.recalled",
        /// Megrams have faded away; their lines stay.
        Forgotten(Forgotten) = "memory.megram.forgotten",
        /// Common sense has lost its trust, and fades from now on.
        Demoted(Demoted) = "memory.megram.demoted",
        /// Many experiences have become common sense.
        Promoted(Promoted) = "memory.megram.promoted",
        /// The dreamer has looked at pairs.
        Reviewed(Reviewed) = "memory.pair.reviewed",
    }
}

/// Fields of `memory.megram.written`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Written {
    /// Its id: that of the entry; with `.1`, `.2`, … where one decision wrote several.
    pub megram: Box<str>,
    /// Where in the pyramid.
    pub level: Level,
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// What happened, in words.
    pub content: Box<str>,
    /// The state of the control loop.
    pub state: Option<MacroState>,
    /// How strong.
    pub f: Share,
    /// For it or against it.
    pub sigma: Sigma,
    /// How fast it fades, a day.
    pub k: Share,
    /// The megram that it contradicts.
    pub against: Option<Box<str>>,
}

/// Fields of `memory.megram.denied`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Denied {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
}

/// Fields of `memory.megram.recalled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recalled {
    /// Which.
    pub megrams: Vec<Box<str>>,
}

/// Fields of `memory.megram.forgotten`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forgotten {
    /// Which.
    pub megrams: Vec<Box<str>>,
}

/// Fields of `memory.megram.demoted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Demoted {
    /// Which; they are knowledge now.
    pub megrams: Vec<Box<str>>,
    /// How fast they fade from now on, a day.
    pub k: Share,
}

words! {
    /// What experience becomes when there is enough of it.
    pub enum Lesson {
        /// Do this.
        Practice = "practice",
        /// Never do this.
        Constraint = "constraint",
    }
}

words! {
    /// Where the text of a lesson comes from.
    pub enum Source {
        /// It was handed in; a model wrote it, as a rule.
        Distilled = "distilled",
        /// It was made of the experiences themselves.
        Plain = "plain",
    }
}

/// Fields of `memory.megram.promoted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Promoted {
    /// Its id.
    pub megram: Box<str>,
    /// What it is.
    pub lesson: Lesson,
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// What it says.
    pub content: Box<str>,
    /// Who put it so.
    pub source: Source,
    /// As strong as the strongest experience behind it.
    pub f: Share,
    /// For it or against it.
    pub sigma: Sigma,
    /// On how many megrams it rests.
    pub rests_on: u64,
}

/// A pair of tags.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
}

/// Fields of `memory.pair.reviewed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// Which.
    pub pairs: Vec<Pair>,
}
