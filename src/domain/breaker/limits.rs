//! How strict the rules are: three presets, each value of which a project may override (control-room 3.1, 10).

use serde::{Deserialize, Serialize};

use crate::kernel::grounding::{Impact, words};
use crate::kernel::settings::{AnySetting, Setting, Settings, Weakens};

words! {
    /// How strict the rules are (control-room 10.1).
    pub enum Preset {
        /// For talk.
        Light = "light",
        /// For work.
        Standard = "standard",
        /// For what must not go wrong.
        Strict = "strict",
    }
}

/// Control-room 10.1.
pub static PRESET: Setting<Preset> = Setting::new(
    "sanity.preset",
    || Preset::Standard,
    "how strict the circuit breakers are: light, standard or strict",
)
.weakening(Weakens::Always);

/// Declares settings that override a value of the preset where somebody sets them.
macro_rules! overrides {
    ($( $name:ident: $type:ty = $key:literal, $meaning:literal; )*) => {
        $(
            /// Control-room 10.2; none: as the preset says.
            pub static $name: Setting<Option<$type>> =
                Setting::new($key, || None, $meaning).weakening(Weakens::Always);
        )*
    };
}

overrides! {
    MAX_PER_AGENT: u32 = "sanity.max_comments_per_agent_per_issue",
        "how many comments an agent may make on an issue [preset]";
    MAX_TOTAL: u32 = "sanity.max_total_comments_per_issue", "how many comments an issue may have [preset]";
    MIN_LENGTH: u32 = "sanity.min_comment_length", "how long a comment must be, in characters [preset]";
    MAX_KEYWORDS: u32 = "sanity.max_escalation_keywords_per_comment",
        "how many different words of alarm a comment may have [preset]";
    EVIDENCE_FROM: Impact = "sanity.require_evidence_for_impact_level",
        "from which impact on a comment needs evidence: cosmetic, minor, structural or canon-changing [preset]";
    FREEZE_ON_MISSING_EVIDENCE: bool = "sanity.freeze_on_missing_evidence",
        "whether missing evidence freezes the issue instead of rejecting the comment [preset]";
}

/// Control-room 3.1.
pub static MIN_UNIQUE_WORDS: Setting<u32> =
    Setting::new("sanity.min_unique_words", || 20, "how many different words a comment must have")
        .weakening(Weakens::Always);
/// Control-room 3.1.
pub static MAX_ALTERNATIONS: Setting<u32> = Setting::new(
    "sanity.max_consecutive_same_agent_pair",
    || 2,
    "how often two agents may alternate before somebody else must speak",
)
.weakening(Weakens::Always);
/// Control-room 3.1.
pub static KEYWORDS: Setting<Vec<String>> = Setting::new(
    "sanity.escalation_keywords",
    || DEFAULT_KEYWORDS.iter().map(|word| (*word).to_owned()).collect(),
    "words of alarm: whole words, in any case",
)
.weakening(Weakens::Always);
/// Improvement D.
pub static DAMPENING_HOURS: Setting<u32> = Setting::new(
    "sanity.dampening_hours",
    || 24,
    "each escalation of an agent in so many hours takes one keyword off its limit; 0: never",
)
.weakening(Weakens::Always);

const DEFAULT_KEYWORDS: [&str; 13] = [
    "URGENT",
    "CRUCIAL",
    "CRITICAL",
    "MUST",
    "NEED TO",
    "IMMEDIATELY",
    "CATASTROPHIC",
    "DISASTER",
    "EMERGENCY",
    "VITAL",
    "ESSENTIAL",
    "ABSOLUTELY",
    "DEFINITELY",
];

/// Every setting of this room.
pub static LIMITS: &[&dyn AnySetting] = &[
    &PRESET,
    &MAX_PER_AGENT,
    &MAX_TOTAL,
    &MIN_LENGTH,
    &MAX_KEYWORDS,
    &EVIDENCE_FROM,
    &FREEZE_ON_MISSING_EVIDENCE,
    &MIN_UNIQUE_WORDS,
    &MAX_ALTERNATIONS,
    &KEYWORDS,
    &DAMPENING_HOURS,
];

/// The limits in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Comments of an agent on an issue.
    pub max_per_agent: u32,
    /// Comments of an issue.
    pub max_total: u32,
    /// Characters of a comment.
    pub min_length: u32,
    /// Different words of a comment.
    pub min_unique_words: u32,
    /// Words of alarm in a comment.
    pub max_keywords: u32,
    /// Alternations of two.
    pub max_alternations: u32,
    /// The impact that needs evidence.
    pub evidence_from: Impact,
    /// What missing evidence does.
    pub freeze_on_missing_evidence: bool,
    /// The words of alarm.
    pub keywords: Vec<String>,
}

impl Limits {
    /// Those of a preset (control-room 10.1, decision 11).
    pub fn of(preset: Preset) -> Self {
        let (max_per_agent, max_total, min_length, max_keywords, evidence_from) = match preset {
            Preset::Light => (4, 20, 50, 3, Impact::CanonChanging),
            Preset::Standard => (2, 10, 150, 1, Impact::Structural),
            Preset::Strict => (1, 6, 250, 0, Impact::Minor),
        };
        Self {
            max_per_agent,
            max_total,
            min_length,
            min_unique_words: 20,
            max_keywords,
            max_alternations: 2,
            evidence_from,
            freeze_on_missing_evidence: preset == Preset::Strict,
            keywords: DEFAULT_KEYWORDS.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    /// Those in force: the preset, and what the project overrides.
    pub fn in_force(settings: &Settings) -> Self {
        let preset = Self::of(settings.get(&PRESET));
        Self {
            max_per_agent: settings.get(&MAX_PER_AGENT).unwrap_or(preset.max_per_agent),
            max_total: settings.get(&MAX_TOTAL).unwrap_or(preset.max_total),
            min_length: settings.get(&MIN_LENGTH).unwrap_or(preset.min_length),
            min_unique_words: settings.get(&MIN_UNIQUE_WORDS),
            max_keywords: settings.get(&MAX_KEYWORDS).unwrap_or(preset.max_keywords),
            max_alternations: settings.get(&MAX_ALTERNATIONS),
            evidence_from: settings.get(&EVIDENCE_FROM).unwrap_or(preset.evidence_from),
            freeze_on_missing_evidence: settings
                .get(&FREEZE_ON_MISSING_EVIDENCE)
                .unwrap_or(preset.freeze_on_missing_evidence),
            keywords: settings.get(&KEYWORDS),
        }
    }

    /// Those for an agent that escalated so often of late: fewer words of alarm (improvement D).
    #[must_use]
    pub fn dampened(self, escalations: u32) -> Self {
        Self { max_keywords: self.max_keywords.saturating_sub(escalations), ..self }
    }
}
