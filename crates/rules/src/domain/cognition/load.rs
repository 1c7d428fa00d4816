//! The state of a mind as another program wrote it: a `cognitive_state` record, or a loose file of protocol 0.1 or 0.2
//! (decision 1), in `snake_case` or camelCase.
//!
//! What is not known is passed over; lists are cut to their limits.

use serde::{Deserialize, Serialize};

use super::emotion::Emotions;
use super::epistemic::EpistemicState;
use super::goal::Goals;
use super::metacognition::{Correction, MOST_CORRECTIONS, Stated, Strategy};
use super::mind::Mind;
use super::snapshot::MindPart;
use annals_kernel::json::{Json, Members};
use annals_kernel::share::Share;

/// Why a state cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum BadState {
    /// It is none that is known.
    Unknown,
    /// Something in it is not as it should be.
    Part {
        /// Of which part.
        part: MindPart,
        /// What.
        problem: String,
    },
}

/// A part that was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    /// Feelings.
    Emotions(Emotions),
    /// What was stated of the way of working.
    Metacognition(Stated),
    /// Goals.
    Goals(Goals),
    /// What is known.
    Epistemic(EpistemicState),
}

/// Names by which a part is known, whatever the file is called.
const TELLING: [(MindPart, [&str; 3]); 4] = [
    (MindPart::Emotions, ["mood", "anxiety", "mood_history"]),
    (MindPart::Metacognition, ["current_strategy", "currentStrategy", "spin_detection"]),
    (MindPart::Goals, ["primary_goal", "primaryGoal", "subgoals"]),
    (MindPart::Epistemic, ["golden_facts", "goldenFacts", "working_facts"]),
];

/// Which part an object is.
pub fn part_of(state: &Json) -> Option<MindPart> {
    let members: Members = state.read().ok()?;
    let is = |keys: &[&str; 3]| keys.iter().any(|key| members.get(key).is_some());
    TELLING.iter().find(|(_, keys)| is(keys)).map(|(part, _)| *part)
}

impl Loaded {
    /// Reads a part.
    pub fn read(part: MindPart, state: &Json) -> Result<Self, BadState> {
        let bad = |error: serde_json::Error| BadState::Part { part, problem: error.to_string() };
        Ok(match part {
            MindPart::Emotions => Self::Emotions(state.read().map_err(bad)?),
            MindPart::Metacognition => Self::Metacognition(state.read::<Foreign>().map_err(bad)?.stated()),
            MindPart::Goals => Self::Goals(state.read().map_err(bad)?),
            MindPart::Epistemic => Self::Epistemic(state.read().map_err(bad)?),
        })
    }
}

impl Mind {
    /// Puts a part in place of what is known of it.
    pub(super) fn load(&mut self, loaded: Loaded) {
        match loaded {
            Loaded::Emotions(mut emotions) => {
                emotions.bound();
                self.emotions = Some(emotions);
            }
            Loaded::Metacognition(stated) => self.stated = stated,
            Loaded::Goals(mut goals) => {
                goals.bound();
                self.goals = Some(goals);
            }
            Loaded::Epistemic(mut epistemic) => {
                epistemic.bound();
                self.epistemic = Some(epistemic);
            }
        }
    }
}

/// Metacognition as others write it: what they computed from their own calls is left to ours.
#[derive(Deserialize)]
struct Foreign {
    #[serde(alias = "currentStrategy")]
    current_strategy: Option<Box<str>>,
    #[serde(alias = "strategyEffectiveness")]
    strategy_effectiveness: Option<Share>,
    #[serde(alias = "progressStatus")]
    progress_status: Option<Box<str>>,
    #[serde(alias = "cognitiveLoad")]
    cognitive_load: Option<LoadNumbers>,
    #[serde(alias = "helpSeeking")]
    help_seeking: Option<HelpNumbers>,
    #[serde(default, alias = "selfCorrections")]
    self_corrections: Vec<Correction>,
}

#[derive(Deserialize)]
struct LoadNumbers {
    #[serde(alias = "itemsInFocus")]
    items_in_focus: Option<u32>,
}

#[derive(Deserialize)]
struct HelpNumbers {
    #[serde(alias = "currentUncertainty")]
    current_uncertainty: Option<Share>,
}

impl Foreign {
    fn stated(mut self) -> Stated {
        super::emotion::drop_first(&mut self.self_corrections, MOST_CORRECTIONS);
        let is_blocked = self.progress_status.as_deref() == Some("blocked");
        Stated {
            strategy: self.current_strategy.and_then(|word| word.parse::<Strategy>().ok()),
            effectiveness: self.strategy_effectiveness,
            uncertainty: self.help_seeking.and_then(|help| help.current_uncertainty),
            blocked: is_blocked.then(|| "another program says so".into()),
            focus: Vec::new(),
            items: self.cognitive_load.and_then(|load| load.items_in_focus).filter(|items| *items > 0),
            corrections: self.self_corrections,
        }
    }
}
