//! When the state of a mind is worth a record (AFS 4.5): at every change, now and then, or when it changed enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::goal::GoalStatus;
use super::limits::CognitionLimits;
use super::metacognition::Strategy;
use super::mind::Mind;
use annals_kernel::call::Action;
use annals_kernel::grounding::words;
use annals_kernel::settings::{in_force, settings};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

words! {
    /// When a snapshot is taken.
    pub enum SnapshotMode {
        /// At every change.
        OnChange = "on_change",
        /// At a change, but not again within an interval.
        Throttled = "throttled",
        /// At a change that is large enough.
        Delta = "delta",
    }
}

words! {
    /// A part of a mind (AFS 2.2).
    pub enum MindPart {
        /// Mood, anxiety, satisfactions, frustrations.
        Emotions = "emotions",
        /// Strategy, load, repetition.
        Metacognition = "metacognition",
        /// What is known.
        Epistemic = "epistemic",
        /// What is aimed at.
        Goals = "goals",
    }
}

settings! {
    /// AFS 4.5.
    MODE: SnapshotMode = SnapshotMode::Delta, "cognition.snapshots.mode",
        "when the state of a mind is recorded: on_change, throttled or delta", weakens Never;
    /// AFS 4.5.
    MIN_INTERVAL: u64 = 60_000, "cognition.snapshots.min_interval_ms", "in mode throttled, not again within so long",
        weakens Never;
    /// AFS 4.5.
    MOOD_CHANGE: bool = true, "cognition.snapshots.delta_threshold.mood_change",
        "in mode delta, when the mood changes", weakens Never;
    /// AFS 4.5.
    ANXIETY_DELTA: Share = Share::thousandths(100), "cognition.snapshots.delta_threshold.anxiety_delta",
        "in mode delta, when anxiety changes by this", weakens Never;
    /// AFS 4.5.
    LOAD_DELTA: Share = Share::thousandths(200), "cognition.snapshots.delta_threshold.cognitive_load_delta",
        "in mode delta, when the cognitive load changes by this", weakens Never;
    /// AFS 4.5.
    STRATEGY_CHANGE: bool = true, "cognition.snapshots.delta_threshold.strategy_change",
        "in mode delta, when the strategy changes", weakens Never;
    /// AFS 4.5.
    GOAL_STATUS_CHANGE: bool = true, "cognition.snapshots.delta_threshold.goal_status_change",
        "in mode delta, when a goal is reached, blocked or given up", weakens Never;
}

in_force! {
    /// When snapshots are taken.
    #[derive(Debug, Clone, Copy)]
    pub struct SnapshotFrequency of settings {
        mode: SnapshotMode = settings.get(&MODE),
        min_interval_ms: u64 = settings.get(&MIN_INTERVAL),
        mood: bool = settings.get(&MOOD_CHANGE),
        anxiety: Share = settings.get(&ANXIETY_DELTA),
        load: Share = settings.get(&LOAD_DELTA),
        strategy: bool = settings.get(&STRATEGY_CHANGE),
        goals: bool = settings.get(&GOAL_STATUS_CHANGE),
    }
}

/// What the last snapshot of a part showed, as far as the next one is compared with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptPart {
    at: Timestamp,
    /// A hash of the part.
    whole: Action,
    mood: Box<str>,
    /// Anxiety, or load.
    level: Share,
    strategy: Option<Strategy>,
    goals: BTreeMap<Box<str>, GoalStatus>,
    contradicted: usize,
}

impl KeptPart {
    /// What a snapshot of a part shows now; nothing where there is nothing to show.
    pub(super) fn of(part: MindPart, mind: &Mind, limits: &CognitionLimits, at: Timestamp) -> Option<Self> {
        let whole = Action::of(part.as_str(), &mind.text_of(part, limits)?);
        let mut kept = Self { at, whole, ..Self::default() };
        match part {
            MindPart::Emotions => {
                let emotions = mind.emotions.as_ref()?;
                (kept.mood, kept.level) = (emotions.mood.current.clone(), emotions.anxiety.level);
            }
            MindPart::Metacognition => {
                (kept.level, kept.strategy) = (mind.brief(limits).load.current, mind.stated.strategy);
            }
            MindPart::Goals => {
                let goals = mind.goals.iter().flat_map(super::goal::Goals::all);
                kept.goals = goals.map(|goal| (goal.id.into(), goal.status)).collect();
            }
            MindPart::Epistemic => kept.contradicted = mind.epistemic.as_ref()?.contradicted(),
        }
        Some(kept)
    }

    /// Whether the next snapshot is worth it.
    fn calls_for(&self, part: MindPart, now: &Self, frequency: &SnapshotFrequency) -> bool {
        let is_changed = self.whole != now.whole;
        let by = |limit: Share| {
            let (one, two) = (self.level.in_thousandths(), now.level.in_thousandths());
            one != two && one.abs_diff(two) >= limit.in_thousandths()
        };
        match frequency.mode {
            SnapshotMode::OnChange => is_changed,
            SnapshotMode::Throttled => is_changed && now.at.since(self.at) >= frequency.min_interval_ms,
            SnapshotMode::Delta => match part {
                MindPart::Emotions => frequency.mood && self.mood != now.mood || by(frequency.anxiety),
                MindPart::Metacognition => frequency.strategy && self.strategy != now.strategy || by(frequency.load),
                MindPart::Goals => frequency.goals && self.ended() != now.ended(),
                MindPart::Epistemic => self.contradicted != now.contradicted,
            },
        }
    }

    /// Goals that are reached, given up or blocked.
    fn ended(&self) -> Vec<(&str, GoalStatus)> {
        let is_told = |status: GoalStatus| status.is_ended() || status == GoalStatus::Blocked;
        let ended = self.goals.iter().filter(|(_, status)| is_told(**status));
        ended.map(|(id, status)| (&**id, *status)).collect()
    }
}

/// Whether a snapshot of a part is due.
pub fn is_due(part: MindPart, mind: &Mind, limits: &CognitionLimits, at: Timestamp) -> bool {
    let Some(now) = KeptPart::of(part, mind, limits, at) else { return false };
    let nothing = KeptPart { mood: "neutral".into(), ..KeptPart::default() };
    // The first is compared with nothing in particular, and comes at once in mode throttled.
    let before = mind.kept.get(&part).unwrap_or(&nothing);
    before.calls_for(part, &now, &limits.snapshots)
}
