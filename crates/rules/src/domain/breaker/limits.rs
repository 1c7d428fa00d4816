//! How strict the rules are: four presets, each value of which a project may override (control-room 3.1, 10).

use serde::{Deserialize, Serialize};

use annals_kernel::grounding::{Impact, words};
use annals_kernel::settings::{AnySetting, Setting, Settings, Weakens};

words! {
    /// How strict the rules are (control-room 10.1).
    pub enum Preset {
        /// For talk.
        Light = "light",
        /// For work on code, where short reports of facts are the rule (decision 59).
        Engineering = "engineering",
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
    "how strict the circuit breakers are: light, engineering, standard or strict",
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
    MAX_KEYWORD_PERCENT: u32 = "sanity.max_escalation_percent",
        "how many words of alarm in a hundred words a comment may have, where that is more; 0: never more [preset]";
    MIN_UNIQUE_WORDS: u32 = "sanity.min_unique_words", "how many different words a comment must have [preset]";
    MAX_ALTERNATIONS: u32 = "sanity.max_consecutive_same_agent_pair",
        "how often two agents may alternate before somebody else must speak, or bring new evidence [preset]";
    EVIDENCE_FROM: Impact = "sanity.require_evidence_for_impact_level",
        "from which impact on a comment needs evidence: cosmetic, minor, structural or canon-changing [preset]";
    FREEZE_ON_MISSING_EVIDENCE: bool = "sanity.freeze_on_missing_evidence",
        "whether missing evidence freezes the issue instead of rejecting the comment [preset]";
    ECHO: bool = "sanity.echo", "whether a comment that only repeats its thread, or only agrees, is stopped [preset]";
}

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

/// Declares thresholds of `echo`.
macro_rules! of_echo {
    ($( $name:ident = $key:literal, $default:literal, $meaning:literal; )*) => {
        $(
            /// Decision 58.
            pub static $name: Setting<u32> = Setting::new($key, || $default, $meaning).weakening(Weakens::Always);
        )*
    };
}

of_echo! {
    ECHO_NOVELTY_PERCENT = "sanity.echo_novelty_percent", 15,
        "how much of a comment must be new in its thread: runs of three words, numbers, paths and names, in percent";
    ECHO_NEW_WORDS = "sanity.echo_new_words", 5, "how many new words of content a comment that agrees must bring";
    ECHO_AGREEMENT_PERCENT = "sanity.echo_agreement_percent", 2,
        "from how many words of agreement or praise in a hundred words on a comment agrees, whatever its stance";
    ECHO_NEW_WORDS_PER_AGREEMENT = "sanity.echo_new_words_per_agreement", 2,
        "how many new words of content it must bring for each of those";
    ECHO_FREEZES_AT = "sanity.echo_freezes_at", 3, "which echo in a thread freezes the issue; the ones before are rejected";
}

const DEFAULT_KEYWORDS: [&str; 13] = [
    "URGENT", "CRUCIAL", "CRITICAL", "MUST", "NEED TO", "IMMEDIATELY", "CATASTROPHIC", "DISASTER", "EMERGENCY",
    "VITAL", "ESSENTIAL", "ABSOLUTELY", "DEFINITELY",
];

/// Every setting of this room.
pub static LIMITS: &[&dyn AnySetting] = &[
    &PRESET, &MAX_PER_AGENT, &MAX_TOTAL, &MIN_LENGTH, &MAX_KEYWORDS, &MAX_KEYWORD_PERCENT, &EVIDENCE_FROM,
    &FREEZE_ON_MISSING_EVIDENCE, &MIN_UNIQUE_WORDS, &MAX_ALTERNATIONS, &KEYWORDS, &DAMPENING_HOURS, &ECHO,
    &ECHO_NOVELTY_PERCENT, &ECHO_NEW_WORDS, &ECHO_AGREEMENT_PERCENT, &ECHO_NEW_WORDS_PER_AGREEMENT, &ECHO_FREEZES_AT,
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
    /// Words of alarm in a hundred words, where that is more.
    pub max_keyword_percent: u32,
    /// Alternations of two.
    pub max_alternations: u32,
    /// The impact that needs evidence.
    pub evidence_from: Impact,
    /// What missing evidence does.
    pub freeze_on_missing_evidence: bool,
    /// The words of alarm.
    pub keywords: Vec<String>,
    /// Whether echo is stopped.
    pub echo: bool,
    /// What must be new, in percent.
    pub echo_novelty_percent: u32,
    /// New words of a comment that agrees.
    pub echo_new_words: u32,
    /// Words of agreement in a hundred words.
    pub echo_agreement_percent: u32,
    /// New words for each of those.
    pub echo_new_words_per_agreement: u32,
    /// The echo that freezes.
    pub echo_freezes_at: u32,
}

impl Limits {
    /// Those of a preset (control-room 10.1, decisions 11, 58, 59).
    pub fn of(preset: Preset) -> Self {
        let standard = Self::standard();
        match preset {
            Preset::Light => Self {
                max_per_agent: 4,
                max_total: 20,
                min_length: 50,
                max_keywords: 3,
                evidence_from: Impact::CanonChanging,
                echo: false,
                ..standard
            },
            Preset::Engineering => Self {
                max_per_agent: 30,
                max_total: 60,
                min_length: 20,
                min_unique_words: 4,
                max_keywords: 2,
                max_keyword_percent: 4,
                max_alternations: 8,
                ..standard
            },
            Preset::Standard => standard,
            Preset::Strict => Self {
                max_per_agent: 1,
                max_total: 6,
                min_length: 250,
                max_keywords: 0,
                evidence_from: Impact::Minor,
                freeze_on_missing_evidence: true,
                ..standard
            },
        }
    }

    fn standard() -> Self {
        let settings = Settings::default();
        Self {
            max_per_agent: 2,
            max_total: 10,
            min_length: 150,
            min_unique_words: 20,
            max_keywords: 1,
            max_keyword_percent: 0,
            max_alternations: 2,
            evidence_from: Impact::Structural,
            freeze_on_missing_evidence: false,
            keywords: settings.get(&KEYWORDS),
            echo: true,
            echo_novelty_percent: settings.get(&ECHO_NOVELTY_PERCENT),
            echo_new_words: settings.get(&ECHO_NEW_WORDS),
            echo_agreement_percent: settings.get(&ECHO_AGREEMENT_PERCENT),
            echo_new_words_per_agreement: settings.get(&ECHO_NEW_WORDS_PER_AGREEMENT),
            echo_freezes_at: settings.get(&ECHO_FREEZES_AT),
        }
    }

    /// Those in force: the preset, and what the project overrides.
    pub fn in_force(settings: &Settings) -> Self {
        let preset = Self::of(settings.get(&PRESET));
        Self {
            max_per_agent: settings.get(&MAX_PER_AGENT).unwrap_or(preset.max_per_agent),
            max_total: settings.get(&MAX_TOTAL).unwrap_or(preset.max_total),
            min_length: settings.get(&MIN_LENGTH).unwrap_or(preset.min_length),
            min_unique_words: settings.get(&MIN_UNIQUE_WORDS).unwrap_or(preset.min_unique_words),
            max_keywords: settings.get(&MAX_KEYWORDS).unwrap_or(preset.max_keywords),
            max_keyword_percent: settings.get(&MAX_KEYWORD_PERCENT).unwrap_or(preset.max_keyword_percent),
            max_alternations: settings.get(&MAX_ALTERNATIONS).unwrap_or(preset.max_alternations),
            evidence_from: settings.get(&EVIDENCE_FROM).unwrap_or(preset.evidence_from),
            freeze_on_missing_evidence: settings
                .get(&FREEZE_ON_MISSING_EVIDENCE)
                .unwrap_or(preset.freeze_on_missing_evidence),
            keywords: settings.get(&KEYWORDS),
            echo: settings.get(&ECHO).unwrap_or(preset.echo),
            echo_novelty_percent: settings.get(&ECHO_NOVELTY_PERCENT),
            echo_new_words: settings.get(&ECHO_NEW_WORDS),
            echo_agreement_percent: settings.get(&ECHO_AGREEMENT_PERCENT),
            echo_new_words_per_agreement: settings.get(&ECHO_NEW_WORDS_PER_AGREEMENT),
            echo_freezes_at: settings.get(&ECHO_FREEZES_AT),
        }
    }

    /// Those for an agent that escalated so often of late: fewer words of alarm (improvement D).
    #[must_use]
    pub fn dampened(self, escalations: u32) -> Self {
        let least = self.max_keyword_percent.min(1);
        let max_keyword_percent = self.max_keyword_percent.saturating_sub(escalations).max(least);
        Self { max_keywords: self.max_keywords.saturating_sub(escalations), max_keyword_percent, ..self }
    }
}
