//! What can be asked of memory.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantum::{MacroState, PyramidLevel, Sigma};
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of memory.
    pub enum Command {
        /// Keep an experience; for the solver alone.
        Write = "memory.megram.write" {
            /// M where nothing is said.
            level: Option<PyramidLevel>,
            /// What was used, or what was wanted: `tool:…` or `intent:…`.
            space: Box<str>,
            /// On what: `path:…` or `env:local`.
            entity: Box<str>,
            /// What happened, in words.
            content: Box<str>,
            /// The state of the control loop, which says how much it weighs.
            state: Option<MacroState>,
            /// How strong, where it is not as the state says.
            f: Option<Share>,
            /// For it or against it, where it is not as the state says.
            sigma: Option<Sigma>,
            /// How fast it fades, a day, where it is not as the state says.
            k: Option<Share>,
        },
        /// Remember megrams: their clocks start anew.
        Recall = "memory.megram.recall" {
            /// Which.
            #[always]
            megrams: Vec<Box<str>>,
        },
        /// Ask what is common sense about a pair of tags; what is found counts as recalled.
        Consult = "memory.pair.consult" {
            /// What was used, or what was wanted.
            space: Box<str>,
            /// On what.
            entity: Box<str>,
        },
        /// Say that something remembered was wrong.
        Feedback = "memory.megram.feedback" {
            /// Which megram is wrong: its id, or the end of it.
            megram: Box<str>,
            /// In what way.
            content: Box<str>,
        },
        /// Forget, demote and promote what is due.
        Dream = "memory.dream.run" derive(Default) {},
    }
}

/// A text that somebody, a model as a rule, made of the experiences with a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Distilled {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// The practice or constraint.
    pub text: Box<str>,
}

/// What was found out for a command.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Texts for what a dream promotes; where there is none, one is made of the experiences themselves.
    pub texts: Vec<Distilled>,
}
