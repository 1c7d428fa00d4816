//! How much an experience weighs: levels, signs and the quantization matrix (artoo R5), and every setting of memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use annals_kernel::grounding::words;
use annals_kernel::settings::{Settings, settings};
use annals_kernel::share::Share;

words! {
    /// Where in the pyramid something stands, the lowest first.
    pub enum PyramidLevel {
        /// Megram: a single experience.
        Megram = "M",
        /// Knowledge: good for a task, and fading.
        Knowledge = "K",
        /// Common sense: a practice or a constraint that does not fade.
        CommonSense = "C",
        /// Thinking: laws that are configured and never change by experience.
        Thinking = "T",
    }
}

words! {
    /// What the control loop had come to when the experience was made.
    pub enum MacroState {
        /// It gave up.
        Abandon = "abandon",
        /// Nothing was missing.
        Accept = "accept",
        /// The kind of tool was wrong.
        ChangeApproach = "change_approach",
        /// It was good enough.
        Success = "success",
        /// It got out of a dead end.
        BreakSymmetry = "break_symmetry",
        /// It was a dead end; the tool is not to blame.
        ChangePath = "change_path",
        /// A little was missing.
        Refine = "refine",
    }
}

/// For it or against it: -1 to 1, in thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sigma(i16);

/// Why a number is no sign.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{given}\" is not a number from -1 to 1")]
pub struct NotASigma {
    given: String,
}

impl Sigma {
    /// For it.
    pub const FOR: Self = Self(1000);
    /// Against it.
    pub(crate) const AGAINST: Self = Self(-1000);

    /// So many thousandths, -1000 to 1000; what is beyond is cut.
    pub const fn thousandths(count: i16) -> Self {
        if count > 1000 {
            Self::FOR
        } else if count < -1000 {
            Self::AGAINST
        } else {
            Self(count)
        }
    }

    /// In thousandths.
    pub const fn in_thousandths(self) -> i16 {
        self.0
    }

    /// As a number, -1 to 1.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The nearest sign to a number; none beyond -1 and 1.
    pub fn of(number: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "it is -1000 to 1000")]
        (-1.0..=1.0).contains(&number).then_some(Self((number * 1000.0).round() as i16))
    }

    /// Whether both point the same way, neither of them nowhere.
    pub fn agrees(self, other: Self) -> bool {
        self.0.signum() * other.0.signum() > 0
    }
}

impl fmt::Display for Sigma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.number().to_string())
    }
}

impl FromStr for Sigma {
    type Err = NotASigma;

    fn from_str(text: &str) -> Result<Self, NotASigma> {
        let number = text.parse().ok().and_then(Self::of);
        number.ok_or_else(|| NotASigma { given: text.chars().take(40).collect() })
    }
}

impl Serialize for Sigma {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            whole if whole % 1000 == 0 => serializer.serialize_i16(whole / 1000),
            _ => serializer.serialize_f64(self.number()),
        }
    }
}

impl<'de> Deserialize<'de> for Sigma {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::of(number).ok_or_else(|| D::Error::custom(NotASigma { given: number.to_string() }))
    }
}

impl JsonSchema for Sigma {
    fn schema_name() -> Cow<'static, str> {
        "Sigma".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "number",
            "description": "For it (1) or against it (-1), in steps of a thousandth.",
            "minimum": -1,
            "maximum": 1
        })
    }
}

/// How much an experience weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quantum {
    /// How strong.
    pub f: Share,
    /// For it or against it.
    pub sigma: Sigma,
    /// How fast it fades, a day.
    pub k: Share,
}

/// Artoo R5, the quantization matrix.
pub fn matrix() -> BTreeMap<MacroState, Quantum> {
    const ROWS: [(MacroState, u16, i16, u16); 7] = [
        (MacroState::Abandon, 950, -1000, 50),
        (MacroState::Accept, 900, 1000, 50),
        (MacroState::ChangeApproach, 850, -1000, 50),
        (MacroState::Success, 800, 1000, 50),
        (MacroState::BreakSymmetry, 750, 1000, 50),
        (MacroState::ChangePath, 300, 0, 200),
        (MacroState::Refine, 100, 500, 500),
    ];
    let quantum =
        |f, sigma, k| Quantum { f: Share::thousandths(f), sigma: Sigma::thousandths(sigma), k: Share::thousandths(k) };
    ROWS.into_iter().map(|(state, f, sigma, k)| (state, quantum(f, sigma, k))).collect()
}

/// What a state weighs: as it was set, or as the matrix of the document has it.
pub fn quantum(state: MacroState, settings: &Settings) -> Quantum {
    let set = settings.get(&MATRIX).get(&state).copied();
    set.unwrap_or_else(|| *matrix().get(&state).expect("BUG: a state is not in the matrix"))
}

settings! {
    /// Artoo R5.
    MATRIX: BTreeMap<MacroState, Quantum> = matrix(), "memory.quantization",
        "strength, sign and decay a day of an experience, by state", weakens Always;
    /// Artoo R5, the table of actions.
    ATTENTION: Share = Share::thousandths(500), "memory.attention",
        "a pair with less attention than this is ignored", weakens Always;
    /// Artoo R5, the table of actions.
    PREFERENCE: Share = Share::thousandths(200), "memory.preference",
        "a decision potential above this is exploited, below its negative avoided", weakens Always;
    /// Artoo R5, physical forgetting.
    FORGET_BELOW: Share = Share::thousandths(100), "memory.forget_below",
        "a megram with less attention is forgotten", weakens WhenHigher;
    /// Decision 31.
    FORGET_AFTER: u64 = 60, "memory.forget_after_minutes",
        "a megram younger than this is not forgotten", weakens WhenLower;
    /// Artoo R5, trust bankruptcy.
    DEMOTED_DECAY: Share = Share::thousandths(50), "memory.demoted_decay",
        "how fast common sense fades, a day, once it has lost its trust", weakens Never;
    /// Artoo R5, consolidation.
    PROMOTE_ATTENTION: f64 = 5.0, "memory.promote_attention",
        "a pair with this attention can become common sense", weakens WhenLower;
    /// Artoo R5, consolidation.
    PROMOTE_DECISION: f64 = 3.0, "memory.promote_decision",
        "and with this decision potential, for or against", weakens WhenLower;
    /// Ours: common sense that nobody touches is looked at again, because its decision potential changes with time.
    REVIEW_HOURS: u64 = 24, "memory.review_hours", "so often the dreamer looks at pairs that have common sense",
        weakens Never;
    /// Ours: what hooks and imports set off by themselves.
    LEARN: bool = true, "memory.learn", "whether what recorded sessions come to is kept as megrams and as candidates of knowledge",
        weakens Never;
    /// Artoo R5, level T.
    LAWS: Vec<Box<str>> = Vec::new(), "memory.laws",
        "what agents hold to whatever they learn (level T)", weakens Always;
}
