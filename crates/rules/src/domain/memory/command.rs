//! What can be asked of memory.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantum::{MacroState, PyramidLevel, Sigma};
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::model_word::ModelWord;
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
        /// Keep what recorded calls and words came to; for the rules alone.
        Learn = "memory.record.learn" {
            /// What they came to, in one session or several.
            #[always]
            experiences: Vec<Experience>,
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

words! {
    /// What a record shows, and by which rule.
    pub enum ExperienceRule {
        /// A call failed, and the same succeeded after something was changed.
        Mended = "mended",
        /// A call failed, and another way to the same end succeeded.
        Replaced = "replaced",
        /// A call failed as it had failed before, until nobody tried again.
        Abandoned = "abandoned",
        /// A person said no to a call.
        Refused = "refused",
        /// A rule said no to a call.
        Denied = "denied",
        /// What a person asked for came out well: checks ran after the last change, and passed.
        Fulfilled = "fulfilled",
        /// A person stopped the agent, or said that it was not what was asked for.
        Corrected = "corrected",
    }
}

/// Where in the record a megram was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LearntFrom {
    /// By which rule.
    pub rule: ExperienceRule,
    /// In which session.
    pub session: SessionId,
    /// The entries that it stands on.
    pub sources: Vec<EntryId>,
}

/// What recorded calls came to: a megram in the making.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Experience {
    /// In which session.
    pub session: SessionId,
    /// By which rule.
    pub rule: ExperienceRule,
    /// The entry that ended it; rule and cause are its id, so that it is kept once.
    pub cause: EntryId,
    /// What was used, or what was wanted.
    pub space: Box<str>,
    /// On what.
    pub entity: Box<str>,
    /// What happened, in words.
    pub content: Box<str>,
    /// What a control loop would have come to, which says how much it weighs.
    pub state: MacroState,
    /// The entries that it stands on.
    pub sources: Vec<EntryId>,
}

impl Experience {
    /// The id of the megram: the same wherever and whenever the same lines are looked at.
    pub fn megram(&self) -> Box<str> {
        format!("{}.{}", self.cause, self.rule).into()
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
    /// The model that wrote it, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelWord>,
}

/// What was found out for a command.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Texts for what a dream promotes; where there is none, one is made of the experiences themselves.
    pub texts: Vec<Distilled>,
}
