//! What happens to memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::LearntFrom;
use super::quantum::{MacroState, PyramidLevel, Sigma};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What happened to memory.
    pub enum Event {
        /// An experience is kept.
        Written = "memory.megram.written" {
            /// Its id: that of the entry; of one that was found in the record, the entry that caused it, and the rule.
            megram: Box<str>,
            /// Where in the pyramid.
            level: PyramidLevel,
            /// What was used, or what was wanted.
            space: Box<str>,
            /// On what.
            entity: Box<str>,
            /// What happened, in words.
            content: Box<str>,
            /// The state of the control loop.
            state: Option<MacroState>,
            /// How strong.
            f: Share,
            /// For it or against it.
            sigma: Sigma,
            /// How fast it fades, a day.
            k: Share,
            /// The megram that it contradicts.
            against: Option<Box<str>>,
            /// Where in the record it was found; none where the solver wrote it.
            learnt: Option<LearntFrom>,
        },
        /// Somebody who may not wanted to write one.
        Denied = "memory.megram.denied" {
            /// What was used, or what was wanted.
            space: Box<str>,
            /// On what.
            entity: Box<str>,
        },
        /// Megrams were remembered.
        Recalled = "memory.megram.recalled" {
            /// Which.
            #[always]
            megrams: Vec<Box<str>>,
        },
        /// Megrams have faded away; their lines stay.
        Forgotten = "memory.megram.forgotten" {
            /// Which.
            #[always]
            megrams: Vec<Box<str>>,
        },
        /// Common sense has lost its trust, and fades from now on.
        Demoted = "memory.megram.demoted" {
            /// Which; they are knowledge now.
            #[always]
            megrams: Vec<Box<str>>,
            /// How fast they fade from now on, a day.
            k: Share,
        },
        /// Many experiences have become common sense.
        Promoted = "memory.megram.promoted" {
            /// Its id.
            megram: Box<str>,
            /// What it is.
            lesson: Lesson,
            /// What was used, or what was wanted.
            space: Box<str>,
            /// On what.
            entity: Box<str>,
            /// What it says.
            content: Box<str>,
            /// Who put it so.
            source: LessonSource,
            /// As strong as the strongest experience behind it.
            f: Share,
            /// For it or against it.
            sigma: Sigma,
            /// On how many megrams it rests.
            rests_on: u64,
        },
        /// The dreamer has looked at pairs.
        Reviewed = "memory.pair.reviewed" {
            /// Which.
            #[always]
            pairs: Vec<Pair>,
        },
    }
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
    pub enum LessonSource {
        /// It was handed in; a model wrote it, as a rule.
        Distilled = "distilled",
        /// It was made of the experiences themselves.
        Plain = "plain",
    }
}

/// A pair of tags.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
}
