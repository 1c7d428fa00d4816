//! Up the ladder as penalties come, down as they stay away (control-room 12.2, decision 18).

use annals_kernel::credits::Rate;
use annals_kernel::grounding::words;
use annals_kernel::settings::{Settings, settings};

words! {
    /// How closely an agent is looked at, the least first.
    #[derive(Default)]
    pub enum WatchLevel {
        /// As anybody.
        #[default]
        Normal = "normal",
        /// The moderator watches it.
        Watch = "watch",
        /// It is told to take more care.
        Remediation = "remediation",
        /// The user is asked to look.
        Flagged = "flagged",
    }
}

settings! {
    /// Control-room 12.2.
    WATCH: u32 = 200, "reliability.watch_threshold",
        "the penalty rate that puts an agent on watch, in thousandths", weakens WhenHigher;
    /// Control-room 12.2.
    REMEDIATION: u32 = 300, "reliability.remediation_threshold",
        "the penalty rate that puts a watched agent under remediation, in thousandths", weakens WhenHigher;
    /// Control-room 12.2.
    FLAG: u32 = 400, "reliability.flag_threshold",
        "the penalty rate that flags an agent, in thousandths", weakens WhenHigher;
    /// Control-room 12.2.
    WINDOW: usize = 20, "reliability.evaluation_window",
        "how many of its last actions judge an agent, 64 at most", weakens Always;
    /// Control-room 12.2.
    COOLDOWN: usize = 20, "reliability.cooldown_after_remediation",
        "after how many actions under the threshold of its level an agent comes down a step, 64 at most",
        weakens WhenLower;
}

/// More actions than twice this are not remembered.
pub(super) const MOST: usize = 64;

impl WatchLevel {
    /// The rate that leads to it; none for that where all begin.
    fn threshold(self, settings: &Settings) -> Option<u32> {
        match self {
            Self::Normal => None,
            Self::Watch => Some(settings.get(&WATCH)),
            Self::Remediation => Some(settings.get(&REMEDIATION)),
            Self::Flagged => Some(settings.get(&FLAG)),
        }
    }

    fn is_reached(self, rate: Rate, settings: &Settings) -> bool {
        // A rate of fewer than five actions is unknown and moves nobody (decision 18).
        self.threshold(settings).is_some_and(|threshold| rate.is_known() && !rate.is_below(threshold))
    }

    /// One step up where the rate asks for it; to the top from anywhere.
    pub(super) fn up(self, rate: Rate, settings: &Settings) -> Option<Self> {
        let next = match self {
            Self::Normal => Self::Watch,
            Self::Watch => Self::Remediation,
            Self::Remediation | Self::Flagged => Self::Flagged,
        };
        // The highest level comes first: it is reachable from any, while the others are taken one at a time (decision
        // 18).
        let way = [Self::Flagged, next].into_iter().filter(|level| *level > self);
        way.into_iter().find(|level| level.is_reached(rate, settings))
    }

    /// One step down where each of the last rates, the newest first, was under its threshold.
    pub(super) fn down(self, rates: impl Iterator<Item = Rate>, settings: &Settings) -> Option<Self> {
        let below = match self {
            Self::Normal => return None,
            Self::Watch => Self::Normal,
            Self::Remediation => Self::Watch,
            Self::Flagged => Self::Remediation,
        };
        let threshold = self.threshold(settings)?;
        let cooldown = settings.get(&COOLDOWN).clamp(1, MOST);
        let calm = rates.take(cooldown).take_while(|rate| rate.is_below(threshold)).count();
        (calm == cooldown).then_some(below)
    }

    /// Whether it is told to take more care (control-room 12.3).
    pub fn is_remediated(self) -> bool {
        self >= Self::Remediation
    }
}
