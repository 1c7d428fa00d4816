//! Every limit of this room (AFS 4.5, 5.2.4, 5.3, 5.4, 13.3), and all of them at once, read from the configuration.

use std::collections::BTreeMap;

use super::amount::Amount;
use super::critic::Tone;
use super::custom::{Custom, compile};
use super::gate::GateMode;
use super::snapshot::SnapshotFrequency;
use super::trigger::{Condition, Own, SessionMetric, Trigger};
use annals_kernel::settings::{Settings, in_force, outside, settings};
use annals_kernel::share::Share;

/// Whoever repeats an action oftener than this spins, whatever is configured; and nobody spins who repeats none.
const MOST_REPEATS: u32 = 20;

settings! {
    /// AFS 4.2.
    SPINNING: u32 = 4, "cognition.spinning_threshold",
        "an agent spins when it has repeated an action so often after the first time, 1 to 20",
        unless |threshold| outside(threshold, &1, &MOST_REPEATS), weakens WhenHigher;
    /// AFS 4.2, Miller's law.
    MOST_ITEMS: u32 = 7, "cognition.max_items_in_focus", "so many things can be in focus: all of the cognitive load",
        weakens Never;
    /// The protocol's state files.
    HELP_UNCERTAINTY: Share = Share::thousandths(300), "cognition.help_uncertainty",
        "more uncertainty calls for a person", weakens WhenHigher;
    /// The protocol's state files.
    HELP_FAILURES: u32 = 2, "cognition.help_failures",
        "so many failures in a row call for a person", weakens WhenHigher;
    /// Ours.
    FLOW_CALLS: u32 = 5, "cognition.flow_calls", "so many calls in a row must succeed before work flows (12 at most)",
        weakens Never;
    /// The protocol's state files.
    FLOW_LOAD: Share = Share::thousandths(700), "cognition.flow_max_load", "more cognitive load stops the flow",
        weakens Never;
    /// The protocol's state files.
    FLOW_EFFECTIVENESS: Share = Share::thousandths(600), "cognition.flow_min_effectiveness",
        "a strategy that works less well stops the flow", weakens Never;
    /// The protocol's state files.
    FLOW_FRUSTRATION: Share = Share::thousandths(300), "cognition.flow_max_frustration",
        "more frustration stops the flow", weakens Never;
    /// AFS 4.4.
    MOST_GOLDEN: u32 = 10, "cognition.max_golden", "so many verified facts there may be in a session", weakens Never;
    /// AFS 4.4.
    MOST_WORKING: u32 = 100, "cognition.max_working", "so many working facts there may be in a session", weakens Never;
    /// Ours.
    ANNOUNCE: bool = true, "cognition.announce",
        "whether what is computed from calls (spinning, flow, snapshots) is recorded as events", weakens WhenOff;
    /// AFS 5.4.
    GATE: GateMode = GateMode::ConfirmAll, "analysis.gate_mode",
        "who is asked before an analysis that is due runs", weakens Always;
    /// AFS 13.3.
    ENABLED: bool = true, "analysis.triggers.enabled", "whether triggers fire", weakens WhenOff;
    /// AFS 13.3. Of 19 firings of `new-territory-explore` that were read, in sessions it was not made on, 1 was useful.
    DISABLED: Vec<Box<str>> = vec!["new-territory-explore".into()], "analysis.triggers.disabled_triggers",
        "triggers that do not fire, by id", weakens Always;
    /// AFS 13.3.
    CUSTOM: Vec<Custom> = Vec::new(), "analysis.triggers.custom_triggers", "triggers of the project's own",
        weakens Never;
    /// AFS 5.4.
    PER_TRIGGER: BTreeMap<Box<str>, Own> = BTreeMap::new(), "analysis.triggers.per_trigger",
        "gate, thresholds, cooldown_ms and max_triggers_per_session of single triggers, by id", weakens Always;
    /// AFS 5.3 gives no default.
    COOLDOWN: u64 = 300_000, "analysis.triggers.cooldown_ms",
        "a trigger does not fire again for so long", weakens WhenHigher;
    /// AFS 5.3 gives no default.
    MOST_FIRINGS: u32 = 10, "analysis.triggers.max_triggers_per_session",
        "a trigger does not fire more often in one session", weakens WhenLower;
    /// AFS 5.2.3.
    METRICS: BTreeMap<SessionMetric, Amount> = BTreeMap::new(), "analysis.metrics",
        "values of metrics that no record gives, by name: baseline_accuracy, error_amplification, coordination_overhead, …",
        weakens Never;
    // The critic's tone has a limit of its own in the document (AFS 5.2.4), which happens to be as high.
    /// AFS 5.2.5, and the trigger `high-anxiety-caution` of AFS 5.3.
    HIGH_ANXIETY: Share = Share::thousandths(700), "analysis.emotional.high_anxiety_threshold",
        "above this: caution, and the trigger high-anxiety-caution", weakens WhenHigher;
    /// AFS 5.2.4.
    DEFAULT_TONE: Tone = Tone::Harsh, "analysis.critic.default_tone", "the tone that the critic begins with",
        weakens Never;
    /// AFS 5.2.4.
    TONE_ANXIETY: Share = Share::thousandths(700), "analysis.critic.anxiety_threshold",
        "more anxiety makes the critic milder", weakens Never;
    /// AFS 5.2.4.
    TONE_ANXIETY_TO: Tone = Tone::Direct, "analysis.critic.anxiety_downgrade_to", "as mild as this", weakens Never;
    /// AFS 5.2.4.
    TONE_FRUSTRATIONS: u32 = 3, "analysis.critic.frustration_count_threshold",
        "so many open frustrations make the critic milder still", weakens Never;
    /// AFS 5.2.4.
    TONE_FRUSTRATIONS_TO: Tone = Tone::Neutral, "analysis.critic.frustration_downgrade_to", "as mild as this",
        weakens Never;
    /// AFS 5.2.4.
    TONE_STABLE: u32 = 5, "analysis.critic.stable_iterations_for_escalation",
        "after so many turns that went well the critic becomes harsher by a step", weakens Never;
    /// AFS 5.2.4.
    TONE_PATH: Vec<Tone> = Tone::ALL.to_vec(), "analysis.critic.escalation_path", "the steps, the mildest first",
        weakens Never;
    /// AFS 5.2.4.
    TONE_BY_USER: bool = true, "analysis.critic.allow_user_override",
        "whether the user may set a milder tone, or any", weakens WhenOff;
    /// AFS 5.2.4.
    TONE_UP_BY_USER: bool = true, "analysis.critic.allow_user_escalation",
        "whether the user may set a harsher tone", weakens WhenOff;
}

/// The trigger that calls for a look at an agent that is afraid.
pub const CAUTION: &str = "high-anxiety-caution";

in_force! {
    /// All limits that the fold needs, read once for as long as the configuration stays as it is.
    #[derive(Debug, Clone)]
    pub struct CognitionLimits of settings {
        /// See `SPINNING`.
        pub spinning: u32 = settings.get(&SPINNING).clamp(1, MOST_REPEATS),
        /// See `MOST_ITEMS`.
        pub items: u32 = settings.get(&MOST_ITEMS),
        /// See `HELP_UNCERTAINTY`.
        pub help_uncertainty: Share = settings.get(&HELP_UNCERTAINTY),
        /// See `HELP_FAILURES`.
        pub help_failures: u32 = settings.get(&HELP_FAILURES).max(1),
        /// See `FLOW_CALLS`.
        pub flow_calls: usize = count(settings.get(&FLOW_CALLS)).clamp(1, super::watch::MOST_RECENT),
        /// See `FLOW_LOAD`.
        pub flow_load: Share = settings.get(&FLOW_LOAD),
        /// See `FLOW_EFFECTIVENESS`.
        pub flow_effectiveness: Share = settings.get(&FLOW_EFFECTIVENESS),
        /// See `FLOW_FRUSTRATION`.
        pub flow_frustration: Share = settings.get(&FLOW_FRUSTRATION),
        /// See `MOST_GOLDEN`.
        pub golden: usize = count(settings.get(&MOST_GOLDEN)),
        /// See `MOST_WORKING`.
        pub working: usize = count(settings.get(&MOST_WORKING)),
        /// Whether what is computed is announced.
        pub announce: bool = settings.get(&ANNOUNCE),
        /// When snapshots are taken.
        pub snapshots: SnapshotFrequency = SnapshotFrequency::of(settings),
        /// Triggers that may fire, the project's own last.
        pub triggers: Vec<Trigger> = if settings.get(&ENABLED) { enabled(settings) } else { Vec::new() },
        /// Their patterns, by place.
        pub patterns: BTreeMap<usize, regex::Regex> = patterns_of(&triggers),
        /// Values of metrics that no record gives.
        pub metrics: BTreeMap<SessionMetric, Amount> = settings.get(&METRICS),
        /// The tone that the critic begins with.
        pub critic_tone: Tone = settings.get(&DEFAULT_TONE),
        /// See `TONE_ANXIETY`.
        pub critic_anxiety: Share = settings.get(&TONE_ANXIETY),
        /// See `TONE_ANXIETY_TO`.
        pub critic_anxiety_to: Tone = settings.get(&TONE_ANXIETY_TO),
        /// See `TONE_FRUSTRATIONS`.
        pub critic_frustrations: usize = count(settings.get(&TONE_FRUSTRATIONS)),
        /// See `TONE_FRUSTRATIONS_TO`.
        pub critic_frustrations_to: Tone = settings.get(&TONE_FRUSTRATIONS_TO),
        /// See `TONE_STABLE`.
        pub critic_stable: u32 = settings.get(&TONE_STABLE).max(1),
        /// See `TONE_PATH`.
        pub critic_path: Vec<Tone> = settings.get(&TONE_PATH),
    }
}

fn count(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn patterns_of(triggers: &[Trigger]) -> BTreeMap<usize, regex::Regex> {
    let compiled = |trigger: &Trigger| match &trigger.condition {
        Condition::Pattern { pattern } | Condition::Count { pattern: Some(pattern), .. } => compile(pattern).ok(),
        Condition::Count { pattern: None, .. } | Condition::Threshold { .. } | Condition::Time { .. } => None,
    };
    triggers.iter().enumerate().filter_map(|(place, trigger)| Some((place, compiled(trigger)?))).collect()
}

/// Triggers with what the project changes of them, without those that it disabled.
fn enabled(settings: &Settings) -> Vec<Trigger> {
    let disabled = settings.get(&DISABLED);
    all(settings).into_iter().filter(|trigger| !disabled.contains(&trigger.id)).collect()
}

/// The threshold of a metric in a trigger, disabled or not; nothing where it has none.
pub fn threshold(settings: &Settings, trigger: &str, metric: SessionMetric) -> Option<Amount> {
    let named = all(settings).into_iter().find(|known| *known.id == *trigger)?;
    let Condition::Threshold { all } = named.condition else { return None };
    all.iter().find(|bound| bound.metric == metric).map(|bound| bound.threshold)
}

/// Every trigger, disabled or not.
pub fn all(settings: &Settings) -> Vec<Trigger> {
    let (cooldown_ms, most) = (settings.get(&COOLDOWN), settings.get(&MOST_FIRINGS));
    let own = settings.get(&PER_TRIGGER);
    let custom = settings.get(&CUSTOM);
    let custom = custom.iter().map(|custom| custom.trigger(cooldown_ms, most));
    let thresholds = BTreeMap::from([(SessionMetric::AnxietyLevel, settings.get(&HIGH_ANXIETY).into())]);
    let caution = Own { thresholds, ..Own::default() };
    let defaults = Trigger::defaults(cooldown_ms, most).into_iter().map(|trigger| {
        let own = Some(&caution).filter(|_| *trigger.id == *CAUTION);
        trigger.changed(own)
    });
    defaults
        .chain(custom)
        .map(|trigger| {
            let own = own.get(&trigger.id);
            trigger.changed(own)
        })
        .collect()
}
