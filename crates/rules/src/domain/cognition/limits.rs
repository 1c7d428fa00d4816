//! Every limit of this room (AFS 4.5, 5.2.4, 5.3, 5.4, 13.3), and all of them at once, read from the configuration.

use std::collections::BTreeMap;

use super::amount::Amount;
use super::critic::Tone;
use super::custom::{Custom, compile};
use super::gate::GateMode;
use super::goal::CONFLICTS;
use super::snapshot::{self, Frequency};
use super::trigger::{Condition, Metric, Own, Trigger};
use annals_kernel::settings::{AnySetting, Setting, Settings, Weakens, outside};
use annals_kernel::share::Share;

/// Whoever repeats an action oftener than this spins, whatever is configured; and nobody spins who repeats none.
const MOST_REPEATS: u32 = 20;
/// AFS 4.2.
pub static SPINNING: Setting<u32> = Setting::new(
    "cognition.spinning_threshold",
    || 4,
    "an agent spins when it has repeated an action so often after the first time, 1 to 20",
)
.unless(|threshold| outside(threshold, &1, &MOST_REPEATS))
.weakening(Weakens::WhenHigher);
/// AFS 4.2, Miller's law.
pub static MOST_ITEMS: Setting<u32> =
    Setting::new("cognition.max_items_in_focus", || 7, "so many things can be in focus: all of the cognitive load");
/// The protocol's state files.
pub static HELP_UNCERTAINTY: Setting<Share> =
    Setting::new("cognition.help_uncertainty", || Share::thousandths(300), "more uncertainty calls for a person")
        .weakening(Weakens::WhenHigher);
/// The protocol's state files.
pub static HELP_FAILURES: Setting<u32> =
    Setting::new("cognition.help_failures", || 2, "so many failures in a row call for a person")
        .weakening(Weakens::WhenHigher);
/// Ours.
pub static FLOW_CALLS: Setting<u32> =
    Setting::new("cognition.flow_calls", || 5, "so many calls in a row must succeed before work flows (12 at most)");
/// The protocol's state files.
pub static FLOW_LOAD: Setting<Share> =
    Setting::new("cognition.flow_max_load", || Share::thousandths(700), "more cognitive load stops the flow");
/// The protocol's state files.
pub static FLOW_EFFECTIVENESS: Setting<Share> = Setting::new(
    "cognition.flow_min_effectiveness",
    || Share::thousandths(600),
    "a strategy that works less well stops the flow",
);
/// The protocol's state files.
pub static FLOW_FRUSTRATION: Setting<Share> =
    Setting::new("cognition.flow_max_frustration", || Share::thousandths(300), "more frustration stops the flow");
/// AFS 4.4.
pub static MOST_GOLDEN: Setting<u32> =
    Setting::new("cognition.max_golden", || 10, "so many verified facts there may be in a session");
/// AFS 4.4.
pub static MOST_WORKING: Setting<u32> =
    Setting::new("cognition.max_working", || 100, "so many working facts there may be in a session");
/// Ours.
pub static ANNOUNCE: Setting<bool> = Setting::new(
    "cognition.announce",
    || true,
    "whether what is computed from calls (spinning, flow, snapshots) is recorded as events",
)
.weakening(Weakens::WhenOff);
/// AFS 5.4.
pub static GATE: Setting<GateMode> =
    Setting::new("analysis.gate_mode", || GateMode::ConfirmAll, "who is asked before an analysis that is due runs")
        .weakening(Weakens::Always);
/// AFS 13.3.
pub static ENABLED: Setting<bool> =
    Setting::new("analysis.triggers.enabled", || true, "whether triggers fire").weakening(Weakens::WhenOff);
/// AFS 13.3.
pub static DISABLED: Setting<Vec<Box<str>>> =
    Setting::new("analysis.triggers.disabled_triggers", Vec::new, "triggers that do not fire, by id")
        .weakening(Weakens::Always);
/// AFS 13.3.
pub static CUSTOM: Setting<Vec<Custom>> =
    Setting::new("analysis.triggers.custom_triggers", Vec::new, "triggers of the project's own");
/// AFS 5.4.
pub static PER_TRIGGER: Setting<BTreeMap<Box<str>, Own>> = Setting::new(
    "analysis.triggers.per_trigger",
    BTreeMap::new,
    "gate, thresholds, cooldown_ms and max_triggers_per_session of single triggers, by id",
)
.weakening(Weakens::Always);
/// AFS 5.3 gives no default.
pub static COOLDOWN: Setting<u64> =
    Setting::new("analysis.triggers.cooldown_ms", || 300_000, "a trigger does not fire again for so long")
        .weakening(Weakens::WhenHigher);
/// AFS 5.3 gives no default.
pub static MOST_FIRINGS: Setting<u32> = Setting::new(
    "analysis.triggers.max_triggers_per_session",
    || 10,
    "a trigger does not fire more often in one session",
)
.weakening(Weakens::WhenLower);
/// AFS 5.2.3.
pub static METRICS: Setting<BTreeMap<Metric, Amount>> = Setting::new(
    "analysis.metrics",
    BTreeMap::new,
    "values of metrics that no record gives, by name: baseline_accuracy, error_amplification, coordination_overhead, …",
);
/// AFS 5.2.4.
pub static DEFAULT_TONE: Setting<Tone> =
    Setting::new("analysis.critic.default_tone", || Tone::Harsh, "the tone that the critic begins with");
/// AFS 5.2.4.
pub static TONE_ANXIETY: Setting<Share> = Setting::new(
    "analysis.critic.anxiety_threshold",
    || Share::thousandths(700),
    "more anxiety makes the critic milder",
);
/// AFS 5.2.4.
pub static TONE_ANXIETY_TO: Setting<Tone> =
    Setting::new("analysis.critic.anxiety_downgrade_to", || Tone::Direct, "as mild as this");
/// AFS 5.2.4.
pub static TONE_FRUSTRATIONS: Setting<u32> = Setting::new(
    "analysis.critic.frustration_count_threshold",
    || 3,
    "so many open frustrations make the critic milder still",
);
/// AFS 5.2.4.
pub static TONE_FRUSTRATIONS_TO: Setting<Tone> =
    Setting::new("analysis.critic.frustration_downgrade_to", || Tone::Neutral, "as mild as this");
/// AFS 5.2.4.
pub static TONE_STABLE: Setting<u32> = Setting::new(
    "analysis.critic.stable_iterations_for_escalation",
    || 5,
    "after so many turns that went well the critic becomes harsher by a step",
);
/// AFS 5.2.4.
pub static TONE_PATH: Setting<Vec<Tone>> =
    Setting::new("analysis.critic.escalation_path", || Tone::ALL.to_vec(), "the steps, the mildest first");
/// AFS 5.2.4.
pub static TONE_BY_USER: Setting<bool> =
    Setting::new("analysis.critic.allow_user_override", || true, "whether the user may set a milder tone, or any")
        .weakening(Weakens::WhenOff);
/// AFS 5.2.4.
pub static TONE_UP_BY_USER: Setting<bool> =
    Setting::new("analysis.critic.allow_user_escalation", || true, "whether the user may set a harsher tone")
        .weakening(Weakens::WhenOff);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] = &[
    &SPINNING,
    &MOST_ITEMS,
    &HELP_UNCERTAINTY,
    &HELP_FAILURES,
    &FLOW_CALLS,
    &FLOW_LOAD,
    &FLOW_EFFECTIVENESS,
    &FLOW_FRUSTRATION,
    &MOST_GOLDEN,
    &MOST_WORKING,
    &CONFLICTS,
    &ANNOUNCE,
    &snapshot::MODE,
    &snapshot::MIN_INTERVAL,
    &snapshot::MOOD_CHANGE,
    &snapshot::ANXIETY_DELTA,
    &snapshot::LOAD_DELTA,
    &snapshot::STRATEGY_CHANGE,
    &snapshot::GOAL_STATUS_CHANGE,
    &GATE,
    &ENABLED,
    &DISABLED,
    &CUSTOM,
    &PER_TRIGGER,
    &COOLDOWN,
    &MOST_FIRINGS,
    &METRICS,
    &DEFAULT_TONE,
    &TONE_ANXIETY,
    &TONE_ANXIETY_TO,
    &TONE_FRUSTRATIONS,
    &TONE_FRUSTRATIONS_TO,
    &TONE_STABLE,
    &TONE_PATH,
    &TONE_BY_USER,
    &TONE_UP_BY_USER,
];

/// All limits that the fold needs, read once for as long as the configuration stays as it is.
#[derive(Debug, Clone)]
pub struct Limits {
    /// See `SPINNING`.
    pub spinning: u32,
    /// See `MOST_ITEMS`.
    pub items: u32,
    /// See `HELP_UNCERTAINTY`.
    pub help_uncertainty: Share,
    /// See `HELP_FAILURES`.
    pub help_failures: u32,
    /// See `FLOW_CALLS`.
    pub flow_calls: usize,
    /// See `FLOW_LOAD`.
    pub flow_load: Share,
    /// See `FLOW_EFFECTIVENESS`.
    pub flow_effectiveness: Share,
    /// See `FLOW_FRUSTRATION`.
    pub flow_frustration: Share,
    /// See `MOST_GOLDEN`.
    pub golden: usize,
    /// See `MOST_WORKING`.
    pub working: usize,
    /// Whether what is computed is announced.
    pub announce: bool,
    /// When snapshots are taken.
    pub snapshots: Frequency,
    /// Triggers that may fire, the project's own last.
    pub triggers: Vec<Trigger>,
    /// Their patterns, by place.
    pub patterns: BTreeMap<usize, regex::Regex>,
    /// Values of metrics that no record gives.
    pub metrics: BTreeMap<Metric, Amount>,
    /// The tone that the critic begins with.
    pub critic_tone: Tone,
    /// See `TONE_ANXIETY`.
    pub critic_anxiety: Share,
    /// See `TONE_ANXIETY_TO`.
    pub critic_anxiety_to: Tone,
    /// See `TONE_FRUSTRATIONS`.
    pub critic_frustrations: usize,
    /// See `TONE_FRUSTRATIONS_TO`.
    pub critic_frustrations_to: Tone,
    /// See `TONE_STABLE`.
    pub critic_stable: u32,
    /// See `TONE_PATH`.
    pub critic_path: Vec<Tone>,
}

impl Limits {
    /// What a configuration says.
    pub fn of(settings: &Settings) -> Self {
        let triggers: Vec<_> = if settings.get(&ENABLED) { enabled(settings) } else { Vec::new() };
        let compiled = |trigger: &Trigger| match &trigger.condition {
            Condition::Pattern { pattern } | Condition::Count { pattern: Some(pattern), .. } => compile(pattern).ok(),
            Condition::Count { pattern: None, .. } | Condition::Threshold { .. } | Condition::Time { .. } => None,
        };
        let patterns = triggers.iter().enumerate().filter_map(|(place, trigger)| Some((place, compiled(trigger)?)));
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        Self {
            spinning: settings.get(&SPINNING).clamp(1, MOST_REPEATS),
            items: settings.get(&MOST_ITEMS),
            help_uncertainty: settings.get(&HELP_UNCERTAINTY),
            help_failures: settings.get(&HELP_FAILURES).max(1),
            flow_calls: count(settings.get(&FLOW_CALLS)).clamp(1, super::watch::MOST_RECENT),
            flow_load: settings.get(&FLOW_LOAD),
            flow_effectiveness: settings.get(&FLOW_EFFECTIVENESS),
            flow_frustration: settings.get(&FLOW_FRUSTRATION),
            golden: count(settings.get(&MOST_GOLDEN)),
            working: count(settings.get(&MOST_WORKING)),
            announce: settings.get(&ANNOUNCE),
            snapshots: Frequency::of(settings),
            patterns: patterns.collect(),
            triggers,
            metrics: settings.get(&METRICS),
            critic_tone: settings.get(&DEFAULT_TONE),
            critic_anxiety: settings.get(&TONE_ANXIETY),
            critic_anxiety_to: settings.get(&TONE_ANXIETY_TO),
            critic_frustrations: count(settings.get(&TONE_FRUSTRATIONS)),
            critic_frustrations_to: settings.get(&TONE_FRUSTRATIONS_TO),
            critic_stable: settings.get(&TONE_STABLE).max(1),
            critic_path: settings.get(&TONE_PATH),
        }
    }
}

/// Triggers with what the project changes of them, without those that it disabled.
fn enabled(settings: &Settings) -> Vec<Trigger> {
    let disabled = settings.get(&DISABLED);
    all(settings).into_iter().filter(|trigger| !disabled.contains(&trigger.id)).collect()
}

/// The threshold of a metric in a trigger, disabled or not; nothing where it has none.
pub fn threshold(settings: &Settings, trigger: &str, metric: Metric) -> Option<Amount> {
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
    let all = Trigger::defaults(cooldown_ms, most).into_iter().chain(custom);
    all.map(|trigger| {
        let own = own.get(&trigger.id);
        trigger.changed(own)
    })
    .collect()
}
