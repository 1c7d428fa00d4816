//! What can be asked of memory.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantum::{Level, MacroState, Sigma};
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of memory.
    pub enum Command {
        /// Keep an experience; for the solver alone.
        Write(Write) = "memory.megram.write",
        /// Remember megrams: their clocks start anew.
        Recall(Recall) = "memory.megram.recall",
        /// Ask what is common sense about a pair of tags; what is found counts as recalled.
        Consult(Consult) = "memory.pair.consult",
        /// Say that something remembered was wrong.
        Feedback(Feedback) = "memory.megram.feedback",
        /// Forget, demote and promote what is due.
        Dream(Dream) = "memory.dream.run",
    }
}

/// Fields of `memory.megram.write`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Write {
    /// M where nothing is said.
    pub level: Option<Level>,
    /// What was used, or what was wanted: `tool:…` or `intent:…`.
    pub space: Box<str>,
    /// On what: `path:…` or `env:local`.
    pub entity: Box<str>,
    /// What happened, in words.
    pub content: Box<str>,
    /// The state of the control loop, which says how much it weighs.
    pub state: Option<MacroState>,
    /// How strong, where it is not as the state says.
    pub f: Option<Share>,
    /// For it or against it, where it is not as the state says.
    pub sigma: Option<Sigma>,
    /// How fast it fades, a day, where it is not as the state says.
    pub k: Option<Share>,
}

/// Fields of `memory.megram.recall`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recall {
    /// Which.
    pub megrams: Vec<Box<str>>,
}

/// Fields of `memory.pair.consult`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Consult {
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
}

/// Fields of `memory.megram.feedback`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Feedback {
    /// Which was wrong.
    pub megram: Box<str>,
    /// In what way.
    pub content: Box<str>,
}

/// Fields of `memory.dream.run`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dream {}

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
