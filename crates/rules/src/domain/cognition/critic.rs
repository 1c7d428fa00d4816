//! The tone of the critic (AFS 5.2.4): milder where it hurts, harsher again where it does not.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::limits::CognitionLimits;
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// A tone, the mildest first.
    pub enum Tone {
        /// Nothing is added.
        Neutral = "neutral",
        /// To the point.
        Direct = "direct",
        /// Doubting.
        Challenging = "challenging",
        /// Hard.
        Harsh = "harsh",
    }
}

words! {
    /// Why a tone changed.
    pub enum ToneReason {
        /// Anxiety was above the limit.
        Anxiety = "anxiety",
        /// So many frustrations were open.
        Frustrations = "frustrations",
        /// So many turns in a row went well.
        Stable = "stable",
        /// The user wants it.
        User = "user",
    }
}

impl Tone {
    /// What a critic's request begins with in this tone.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Neutral => "",
            Self::Direct => "Identify issues in this:",
            Self::Challenging => "I doubt this is correct. Find the problems:",
            Self::Harsh => "This looks wrong. Point out every flaw:",
        }
    }
}

/// The critic of a session.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Critic {
    /// Its tone; nothing: the one that the configuration begins with.
    pub tone: Option<Tone>,
}

/// What the tone depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToneMood {
    /// How anxious the agent is.
    pub anxiety: Share,
    /// How many frustrations are open.
    pub frustrations: usize,
    /// Turns in a row that went well since the last change.
    pub stable: u32,
}

impl ToneMood {
    /// Whether a turn in it counts as stable.
    pub fn is_calm(&self, limits: &CognitionLimits) -> bool {
        self.anxiety <= limits.critic_anxiety && self.frustrations < limits.critic_frustrations
    }
}

/// The next tone, where it changes, and why. The mildest rule comes first.
pub fn next(tone: Tone, mood: &ToneMood, limits: &CognitionLimits) -> Option<(Tone, ToneReason)> {
    let (hurt, worn) = (limits.critic_anxiety_to, limits.critic_frustrations_to);
    if mood.frustrations >= limits.critic_frustrations && tone > worn {
        return Some((worn, ToneReason::Frustrations));
    }
    if mood.anxiety > limits.critic_anxiety && tone > hurt {
        return Some((hurt, ToneReason::Anxiety));
    }
    if mood.stable < limits.critic_stable || !mood.is_calm(limits) {
        return None;
    }
    let place = limits.critic_path.iter().position(|step| *step == tone)?;
    limits.critic_path.get(place + 1).map(|next| (*next, ToneReason::Stable))
}
