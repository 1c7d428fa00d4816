//! How strict the rules are: four presets, each value of which a project may override (control-room 3.1, 10).

use serde::{Deserialize, Serialize};

use annals_kernel::grounding::{Impact, words};
use annals_kernel::settings::{Settings, settings};

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

settings! {
    /// Control-room 10.1.
    PRESET: Preset = Preset::Standard, "sanity.preset",
        "how strict the circuit breakers are: light, engineering, standard or strict", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MAX_PER_AGENT: Option<u32> = None, "sanity.max_comments_per_agent_per_issue",
        "how many comments an agent may make on an issue [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MAX_TOTAL: Option<u32> = None, "sanity.max_total_comments_per_issue",
        "how many comments an issue may have [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MIN_LENGTH: Option<u32> = None, "sanity.min_comment_length",
        "how long a comment must be, in characters [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MAX_KEYWORDS: Option<u32> = None, "sanity.max_escalation_keywords_per_comment",
        "how many different words of alarm a comment may have [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MAX_KEYWORD_PERCENT: Option<u32> = None, "sanity.max_escalation_percent",
        "how many words of alarm in a hundred words a comment may have, where that is more; 0: never more [preset]",
        weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MIN_UNIQUE_WORDS: Option<u32> = None, "sanity.min_unique_words",
        "how many different words a comment must have [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    MAX_ALTERNATIONS: Option<u32> = None, "sanity.max_consecutive_same_agent_pair",
        "how often two agents may alternate before somebody else must speak, or bring new evidence [preset]",
        weakens Always;
    /// Control-room 10.2; none: as the preset says.
    EVIDENCE_FROM: Option<Impact> = None, "sanity.require_evidence_for_impact_level",
        "from which impact on a comment needs evidence: cosmetic, minor, structural or canon-changing [preset]",
        weakens Always;
    /// Control-room 10.2; none: as the preset says.
    FREEZE_ON_MISSING_EVIDENCE: Option<bool> = None, "sanity.freeze_on_missing_evidence",
        "whether missing evidence freezes the issue instead of rejecting the comment [preset]", weakens Always;
    /// Control-room 10.2; none: as the preset says.
    ECHO: Option<bool> = None, "sanity.echo",
        "whether a comment that only repeats its thread, or only agrees, is stopped [preset]", weakens Always;
    /// Control-room 3.1.
    KEYWORDS: Vec<String> = DEFAULT_KEYWORDS.iter().map(|word| (*word).to_owned()).collect(),
        "sanity.escalation_keywords",
        "words of alarm: whole words, in any case", weakens Always;
    /// Improvement D.
    DAMPENING_HOURS: u32 = 24, "sanity.dampening_hours",
        "each escalation of an agent in so many hours takes one keyword off its limit; 0: never", weakens Always;
    /// Decision 58.
    ECHO_NOVELTY_PERCENT: u32 = 15, "sanity.echo_novelty_percent",
        "how much of a comment must be new in its thread: runs of three words, numbers, paths and names, in percent",
        weakens Always;
    /// Decision 58.
    ECHO_NEW_WORDS: u32 = 5, "sanity.echo_new_words",
        "how many new words of content a comment that agrees must bring", weakens Always;
    /// Decision 58.
    ECHO_AGREEMENT_PERCENT: u32 = 2, "sanity.echo_agreement_percent",
        "from how many words of agreement or praise in a hundred words on a comment agrees, whatever its stance",
        weakens Always;
    /// Decision 58.
    ECHO_NEW_WORDS_PER_AGREEMENT: u32 = 2, "sanity.echo_new_words_per_agreement",
        "how many new words of content it must bring for each of those", weakens Always;
    /// Decision 58.
    ECHO_FREEZES_AT: u32 = 3, "sanity.echo_freezes_at",
        "which echo in a thread freezes the issue; the ones before are rejected", weakens Always;
}

const DEFAULT_KEYWORDS: [&str; 13] = [
    "URGENT", "CRUCIAL", "CRITICAL", "MUST", "NEED TO", "IMMEDIATELY", "CATASTROPHIC", "DISASTER", "EMERGENCY",
    "VITAL", "ESSENTIAL", "ABSOLUTELY", "DEFINITELY",
];

/// Declares the limits in force: a setting's value, or, where a preset decides unless somebody sets it, that of the preset
/// `standard`. (In `in_force` its value is only named, to tell the one from the other.)
macro_rules! limits {
    ($( $(#[$doc:meta])* $field:ident: $type:ty = $setting:ident $(or $standard:expr)?; )*) => {
        /// The limits in force.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Limits {
            $( $(#[$doc])* pub $field: $type, )*
        }

        impl Limits {
            fn standard() -> Self {
                let settings = Settings::default();
                Self { $( $field: settings.get(&$setting)$( .unwrap_or($standard) )?, )* }
            }

            /// Those in force: the preset, and what the project overrides.
            pub fn in_force(settings: &Settings) -> Self {
                let preset = Self::of(settings.get(&PRESET));
                Self { $( $field: settings.get(&$setting)$( .unwrap_or({ let _ = $standard; preset.$field }) )?, )* }
            }
        }
    };
}

limits! {
    /// Comments of an agent on an issue.
    max_per_agent: u32 = MAX_PER_AGENT or 2;
    /// Comments of an issue.
    max_total: u32 = MAX_TOTAL or 10;
    /// Characters of a comment.
    min_length: u32 = MIN_LENGTH or 150;
    /// Different words of a comment.
    min_unique_words: u32 = MIN_UNIQUE_WORDS or 20;
    /// Words of alarm in a comment.
    max_keywords: u32 = MAX_KEYWORDS or 1;
    /// Words of alarm in a hundred words, where that is more.
    max_keyword_percent: u32 = MAX_KEYWORD_PERCENT or 0;
    /// Alternations of two.
    max_alternations: u32 = MAX_ALTERNATIONS or 2;
    /// The impact that needs evidence.
    evidence_from: Impact = EVIDENCE_FROM or Impact::Structural;
    /// What missing evidence does.
    freeze_on_missing_evidence: bool = FREEZE_ON_MISSING_EVIDENCE or false;
    /// The words of alarm.
    keywords: Vec<String> = KEYWORDS;
    /// Whether echo is stopped.
    echo: bool = ECHO or true;
    /// What must be new, in percent.
    echo_novelty_percent: u32 = ECHO_NOVELTY_PERCENT;
    /// New words of a comment that agrees.
    echo_new_words: u32 = ECHO_NEW_WORDS;
    /// Words of agreement in a hundred words.
    echo_agreement_percent: u32 = ECHO_AGREEMENT_PERCENT;
    /// New words for each of those.
    echo_new_words_per_agreement: u32 = ECHO_NEW_WORDS_PER_AGREEMENT;
    /// The echo that freezes.
    echo_freezes_at: u32 = ECHO_FREEZES_AT;
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

    /// Those for an agent that escalated so often of late: fewer words of alarm (improvement D).
    #[must_use]
    pub fn dampened(self, escalations: u32) -> Self {
        // A share of 0 would turn the count of different words back on, which is a looser rule.
        let least = self.max_keyword_percent.min(1);
        let max_keyword_percent = self.max_keyword_percent.saturating_sub(escalations).max(least);
        Self { max_keywords: self.max_keywords.saturating_sub(escalations), max_keyword_percent, ..self }
    }
}
