//! Analysis: what a recorded session says of prompts, answers, coordination, mistakes, moods and code (AFS 5).
//!
//! Pure rules over steps and settings; no model is asked. A finding cites the entries that it stands on, and a figure
//! that cannot be computed says what is missing. Changes nothing and records nothing.

mod background;
pub(crate) mod check;
pub(crate) mod claim;
pub mod computed;
pub(crate) mod critic;
pub(crate) mod documentation;
pub(crate) mod edit;
pub(crate) mod emotional;
pub(crate) mod eval;
pub mod experience;
mod found;
pub(crate) mod known;
pub mod metrics;
mod pasted;
pub mod range;
pub mod request;
pub(crate) mod review;
pub mod saying;
pub mod settings;
mod settle;
pub mod step;
pub(crate) mod synergy;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
pub mod told;
pub(crate) mod tom;
pub(crate) mod turn;
mod wording;

use serde::Serialize;

pub use self::critic::{FALSE_CLAIM, UNVERIFIED_CLAIM};
pub use self::settings::SETTINGS;
use self::step::Record;
use self::told::Told;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
pub use annals_rules::domain::cognition::trigger::AnalysisMode;

/// What a mode found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Analysis {
    /// AFS 5.2.1.
    Eval(Box<eval::Eval>),
    /// AFS 5.2.2.
    Tom(Box<tom::Tom>),
    /// AFS 5.2.3.
    Metrics(Box<metrics::Metrics>),
    /// AFS 5.2.4.
    Critic(Box<critic::Critic>),
    /// AFS 5.2.5.
    Emotional(Box<emotional::Emotional>),
    /// AFS 5.2.6.
    Synergy(Box<synergy::Synergy>),
    /// AFS 5.2.7.
    Review(Box<review::Reviewed>),
    /// AFS 5.2.8.
    Documentation(Box<documentation::Documentation>),
}

/// Whether a text claims a success, or that all is done, which a record could contradict: most do not, and cost no reading.
pub fn claims_success(text: &str) -> bool {
    !claim::claims(text).is_empty() || request::claims_all(text)
}

/// Claims that nothing in the record stands behind, or that it contradicts: the message, and which kind of finding it is.
pub fn unproved(record: &Record, settings: &Settings) -> Vec<(EntryId, &'static str)> {
    critic::unproved(record, settings)
}

/// Looks at a session in one mode; nothing in the mode `none`, nor in `council`, for which agents are asked.
pub fn analyse(mode: AnalysisMode, record: &Record, settings: &Settings) -> Option<Analysis> {
    Some(match mode {
        AnalysisMode::None | AnalysisMode::Council => return None,
        AnalysisMode::Eval => Analysis::Eval(Box::new(eval::analyse(record, settings))),
        AnalysisMode::Tom => Analysis::Tom(Box::new(tom::analyse(record, settings))),
        AnalysisMode::Metrics => Analysis::Metrics(Box::new(metrics::analyse(record, settings))),
        AnalysisMode::Critic => Analysis::Critic(Box::new(critic::analyse(record, settings))),
        AnalysisMode::Emotional => Analysis::Emotional(Box::new(emotional::analyse(record, settings))),
        AnalysisMode::Synergy => Analysis::Synergy(Box::new(synergy::analyse(record))),
        AnalysisMode::Review => Analysis::Review(Box::new(review::analyse(record, settings))),
        AnalysisMode::Documentation => Analysis::Documentation(Box::new(documentation::analyse(record, settings))),
    })
}

impl Analysis {
    /// As it reads.
    pub fn told(&self) -> Told {
        match self {
            Self::Eval(found) => found.told(),
            Self::Tom(found) => found.told(),
            Self::Metrics(found) => found.told(),
            Self::Critic(found) => found.told(),
            Self::Emotional(found) => found.told(),
            Self::Synergy(found) => found.told(),
            Self::Review(found) => found.told(),
            Self::Documentation(found) => found.told(),
        }
    }
}
