//! The tone of the critic: a machine of four tones (AFS 5.2.4, "Tone State Machine").
//!
//! Chooses words that stand before the findings. Whatever the tone, the findings are the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kernel::grounding::words;
use crate::kernel::share::Share;

words! {
    /// How the critic speaks (AFS 5.2.4).
    pub enum Tone {
        /// Without a word before it.
        Neutral = "neutral",
        /// To the point.
        Direct = "direct",
        /// Doubting.
        Challenging = "challenging",
        /// Expecting the worst.
        Harsh = "harsh",
    }
}

/// When the critic becomes milder (AFS 5.2.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Downgrade {
    /// More anxiety than this,
    pub anxiety_threshold: Share,
    /// and the tone is this one at most.
    pub anxiety_downgrade_to: Tone,
    /// So many open frustrations,
    pub frustration_count_threshold: usize,
    /// and the tone is this one at most.
    pub frustration_downgrade_to: Tone,
    /// Whether a person may make it harsher.
    pub allow_user_escalation: bool,
    /// Whether a person may set it.
    pub allow_user_override: bool,
}

impl Default for Downgrade {
    fn default() -> Self {
        Self {
            anxiety_threshold: Share::thousandths(700),
            anxiety_downgrade_to: Tone::Direct,
            frustration_count_threshold: 3,
            frustration_downgrade_to: Tone::Neutral,
            allow_user_escalation: true,
            allow_user_override: true,
        }
    }
}

/// When the critic becomes harsher again (AFS 5.2.4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Escalation {
    /// After so many calm iterations, one step up.
    pub stable_iterations_for_escalation: u32,
    /// The steps.
    pub escalation_path: Vec<Tone>,
}

impl Default for Escalation {
    fn default() -> Self {
        Self { stable_iterations_for_escalation: 5, escalation_path: Tone::ALL.to_vec() }
    }
}

/// What the tone depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mood {
    /// How anxious.
    pub anxiety: Share,
    /// Frustrations that nothing has resolved.
    pub frustrations: usize,
    /// From where on anxiety is high.
    pub high: Share,
}

/// The tone that fits a mood, and why: never harsher than it was.
pub fn begin(tone: Tone, rules: &Downgrade, mood: &Mood) -> (Tone, String) {
    if mood.frustrations >= rules.frustration_count_threshold && tone > rules.frustration_downgrade_to {
        return (rules.frustration_downgrade_to, format!("{} frustrations are open", mood.frustrations));
    }
    if mood.anxiety > rules.anxiety_threshold && tone > rules.anxiety_downgrade_to {
        return (rules.anxiety_downgrade_to, format!("anxiety {} is above {}", mood.anxiety, rules.anxiety_threshold));
    }
    (tone, format!("anxiety {}, {} frustrations open", mood.anxiety, mood.frustrations))
}

/// The tone after an iteration, and how many calm ones there were since it last changed.
pub fn next(tone: Tone, calm: u32, down: &Downgrade, up: &Escalation, mood: &Mood) -> (Tone, u32) {
    let (milder, _) = begin(tone, down, mood);
    if milder != tone {
        return (milder, 0);
    }
    let is_calm = mood.anxiety <= down.anxiety_threshold && mood.frustrations < down.frustration_count_threshold;
    let calm = if is_calm { calm.saturating_add(1) } else { 0 };
    if calm < up.stable_iterations_for_escalation {
        return (tone, calm);
    }
    let place = up.escalation_path.iter().position(|step| *step == tone);
    let higher = place.and_then(|place| up.escalation_path.get(place + 1)).copied();
    (higher.unwrap_or(tone), 0)
}

/// AFS 5.2.4, "Tone Prefixes".
pub fn prefixes() -> BTreeMap<Tone, String> {
    let prefix = |tone, text: &str| (tone, text.to_owned());
    [
        prefix(Tone::Neutral, ""),
        prefix(Tone::Direct, "Identify issues in this:"),
        prefix(Tone::Challenging, "I doubt this is correct. Find the problems:"),
        prefix(Tone::Harsh, "This looks wrong. Point out every flaw:"),
    ]
    .into()
}
