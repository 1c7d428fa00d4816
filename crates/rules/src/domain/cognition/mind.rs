//! One session: what is known of its mind (AFS 4), what is due in it and what fired.
//!
//! Bounded in all its parts. What calls for a look is noticed by `machine`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::critic::{Critic, Tone, ToneMood};
use super::emotion::Emotions;
use super::epistemic::EpistemicState;
use super::gate::Standing;
use super::goal::Goals;
use super::limits::CognitionLimits;
use super::metacognition::{Brief, Help, Load, Metacognition, Progress, Spin, Stated, Strategy};
use super::snapshot::{KeptPart, MindPart};
use super::trigger::{AnalysisMode, SessionMetric, TriggerPriority};
use super::watch::Watch;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::rows::Ranked;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many firings of a session are kept, and so many things that happened, and so many that are due.
const MOST_FIRINGS: usize = 256;
const MOST_DONE: usize = 256;
pub(super) const MOST_PENDING: usize = 64;

/// Values, by what was measured.
pub type Measured = BTreeMap<SessionMetric, Amount>;

/// The mind of a session.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mind {
    /// The entry that changed it last.
    pub last: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// The time of the first.
    pub since: Option<Timestamp>,
    /// What its calls say.
    pub watch: Watch,
    /// What is felt; nothing where nobody stated anything.
    #[sparse]
    pub emotions: Option<Emotions>,
    /// What was stated of the way of working.
    pub stated: Stated,
    /// What is aimed at.
    #[sparse]
    pub goals: Option<Goals>,
    /// What is known.
    #[sparse]
    pub epistemic: Option<EpistemicState>,
    /// Metrics that somebody stated.
    pub metrics: Measured,
    /// The critic.
    pub critic: Critic,
    /// Whether it works by itself, and well.
    pub flow: bool,
    /// Triggers whose condition holds.
    pub holding: BTreeSet<Box<str>>,
    /// How often triggers fired, and when last.
    pub tallies: BTreeMap<Box<str>, FiringTally>,
    /// What is due.
    pub pending: Vec<Pending>,
    /// Triggers whose condition holds, and which are judged when the turn is over.
    #[sparse]
    pub late: Vec<Pending>,
    /// What fired.
    pub firings: Vec<Firing>,
    /// What was announced, and its cause.
    pub done: VecDeque<(MindRule, EntryId)>,
    /// What the last snapshots showed.
    pub kept: BTreeMap<MindPart, KeptPart>,
}

/// How often a trigger fired.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FiringTally {
    /// How often.
    pub count: u32,
    /// When last.
    #[always]
    pub last: Option<Timestamp>,
    /// When entries fitted that it counts.
    pub counted: VecDeque<Timestamp>,
}

words! {
    /// What is announced of a mind.
    pub enum MindRule {
        /// The same action again and again.
        Spin = "spin",
        /// It works by itself, and well.
        FlowEntered = "flow-entered",
        /// It does so no more.
        FlowExited = "flow-exited",
        /// The state is worth a record.
        Snapshot = "snapshot",
        /// The tone of the critic changes.
        Tone = "tone",
    }
}

/// Something that is due.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Pending {
    /// What.
    pub what: What,
    /// The entry that set it off.
    pub cause: EntryId,
    /// Its time.
    pub at: Timestamp,
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A trigger fired, with what it measured.
    Trigger(Box<str>, Measured),
    /// So many repetitions.
    Spin(u32),
    /// What holds.
    FlowEntered(Vec<Box<str>>),
    /// Why not any more.
    FlowExited(Box<str>),
}

/// A trigger that fired.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Firing {
    /// The entry that says so.
    pub id: EntryId,
    /// Which.
    pub trigger: Box<str>,
    /// The entry that set it off.
    pub cause: EntryId,
    /// When it was said.
    pub at: Timestamp,
    /// What was measured.
    pub measured: Measured,
    /// What is due.
    pub mode: AnalysisMode,
    /// How much it matters.
    pub priority: TriggerPriority,
    /// What became of it.
    pub standing: Standing,
    /// Who answered.
    pub by: Option<AgentId>,
    /// The entry that says what the analysis found.
    pub concluded: Option<EntryId>,
    /// How much that was.
    pub found: Option<u32>,
    /// The entry that says what a model found beside it.
    pub judged: Option<EntryId>,
}

words! {
    /// What becomes of a condition that has begun to hold.
    pub enum ConditionFate {
        /// The trigger fires.
        Fires = "fires",
        /// It fired a short time ago.
        Cooling = "cooling",
        /// It has fired as often as it may in a session.
        Spent = "spent",
    }
}

/// A condition that has begun to hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Edge {
    /// Of which trigger.
    pub trigger: Box<str>,
    /// The entry that made it hold.
    pub cause: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// What was measured.
    pub measured: Measured,
    /// What becomes of it.
    pub fate: ConditionFate,
}

/// What changed a mind.
#[derive(Debug, Clone, Copy)]
pub struct Change<'c> {
    /// The entry.
    pub cause: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// What it says, where a pattern may look for it.
    pub text: Option<&'c str>,
    /// Of a finished call how often something had been repeated before it.
    pub spin: Option<u32>,
}

impl Ranked for Mind {
    /// The one that changed last comes first.
    fn rank(&self) -> i64 {
        self.at.millis()
    }
}

impl Mind {
    /// How it goes just now.
    pub fn brief(&self, limits: &CognitionLimits) -> Brief {
        let progress = if self.stated.blocked.is_some() {
            Progress::Blocked
        } else if self.watch.spin() >= limits.spinning {
            Progress::Spinning
        } else {
            Progress::MakingProgress
        };
        let uncertainty = self.stated.uncertainty.unwrap_or(Share::NONE);
        Brief {
            progress,
            load: self.cognitive_load(limits),
            help: Help::of(uncertainty, self.watch.failures, limits),
            effectiveness: self.stated.effectiveness.or_else(|| self.watch.effectiveness()),
            frustration: self.emotions.as_ref().map_or(Share::NONE, Emotions::frustration),
            successes: self.watch.successes(),
        }
    }

    /// How much it has in mind: what it says, else what its calls were about.
    fn cognitive_load(&self, limits: &CognitionLimits) -> Load {
        let items = match (self.stated.focus.len(), self.stated.items) {
            (0, Some(items)) => usize::try_from(items).unwrap_or(usize::MAX),
            (0, None) => self.watch.in_focus().count(),
            (stated, _) => stated,
        };
        Load::of(items, limits.items)
    }

    /// Its metacognition in the schema of AFS 4.2.
    pub fn metacognition(&self, limits: &CognitionLimits) -> Metacognition {
        let brief = self.brief(limits);
        let recent = self.watch.recent.iter().map(|seen| seen.action.to_string().into()).collect();
        Metacognition {
            current_strategy: self.stated.strategy.unwrap_or(Strategy::Incremental),
            strategy_effectiveness: brief.effectiveness,
            progress_status: brief.progress,
            spin_detection: Spin {
                recent_actions: recent,
                similar_action_count: self.watch.spin(),
                spinning_threshold: limits.spinning,
            },
            cognitive_load: brief.load,
            help_seeking: brief.help,
            flow_state: self.flow,
            self_corrections: self.stated.corrections.clone(),
        }
    }

    /// A part in the schema of AFS 4, as JSON; nothing where nothing is known.
    pub fn text_of(&self, part: MindPart, limits: &CognitionLimits) -> Option<String> {
        fn text(part: &impl Serialize) -> String {
            serde_json::to_string(part).expect("BUG: a part of a mind does not serialize")
        }
        match part {
            MindPart::Emotions => self.emotions.as_ref().map(text),
            MindPart::Metacognition => Some(text(&self.metacognition(limits))),
            MindPart::Goals => self.goals.as_ref().map(text),
            MindPart::Epistemic => self.epistemic.as_ref().map(text),
        }
    }

    /// The tone of its critic.
    pub fn tone(&self, limits: &CognitionLimits) -> Tone {
        self.critic.tone.unwrap_or(limits.critic_tone)
    }

    /// What the tone of its critic depends on.
    pub fn critic_mood(&self) -> ToneMood {
        let emotions = self.emotions.as_ref();
        ToneMood {
            anxiety: emotions.map_or(Share::NONE, |emotions| emotions.anxiety.level),
            frustrations: emotions.map_or(0, |emotions| emotions.open().count()),
            stable: self.watch.stable,
        }
    }

    /// A metric; nothing where it is not computable.
    pub fn metric(&self, metric: SessionMetric, limits: &CognitionLimits) -> Option<Amount> {
        self.value(metric, limits, &self.brief(limits))
    }

    /// The same, given how it goes just now, which is found out once where many metrics are looked at.
    pub(super) fn value(&self, metric: SessionMetric, limits: &CognitionLimits, brief: &Brief) -> Option<Amount> {
        let told = self.metrics.get(&metric).or_else(|| limits.metrics.get(&metric)).copied();
        let watch = &self.watch;
        let has_calls = watch.calls > 0;
        let of_calls = |count: u32| has_calls.then(|| Amount::count(count));
        match metric {
            SessionMetric::Spinning => of_calls((watch.spin() >= limits.spinning).into()),
            SessionMetric::EditCount => of_calls(watch.edits),
            SessionMetric::TestCount => of_calls(if watch.edits > 0 { 0 } else { watch.tests }),
            SessionMetric::UnfamiliarCode => of_calls(watch.unfamiliar.into()),
            SessionMetric::Contradictions => self.epistemic.as_ref().map(|known| Amount::count(known.contradicted())),
            SessionMetric::AnxietyLevel => self.emotions.as_ref().map(|felt| felt.anxiety.level.into()),
            SessionMetric::ConsecutiveFailures => of_calls(watch.failures),
            SessionMetric::CriticalUnknowns => self.epistemic.as_ref().map(|known| Amount::count(known.critical())),
            SessionMetric::CognitiveLoad => {
                // Only of what is said to be in focus: six files in twelve calls are how one reads oneself in (of 14 firings
                // by calls that were read, none was useful).
                let is_known = !self.stated.focus.is_empty() || self.stated.items.is_some();
                is_known.then(|| brief.load.current.into())
            }
            SessionMetric::StrategyEffectiveness => brief.effectiveness.map(Into::into),
            SessionMetric::SameToolCount => of_calls(watch.same_tool),
            SessionMetric::SimilarActionCount => of_calls(watch.spin()),
            SessionMetric::BaselineAccuracy
            | SessionMetric::ErrorAmplification
            | SessionMetric::CoordinationOverhead => told,
            SessionMetric::AgentCount => told.or_else(|| of_calls(watch.delegated.saturating_add(1))),
            SessionMetric::ToolCount => told.or_else(|| has_calls.then(|| Amount::count(watch.tools.len()))),
            SessionMetric::Uncertainty => self.stated.uncertainty.map(Into::into),
            SessionMetric::Frustrations => self.emotions.as_ref().map(|felt| Amount::count(felt.open().count())),
            SessionMetric::CallCount => Some(Amount::count(watch.calls)),
        }
    }

    /// Whether this was announced for this cause already.
    pub fn has_done(&self, rule: MindRule, cause: EntryId) -> bool {
        self.done.contains(&(rule, cause))
    }

    /// The firing of a trigger for a cause.
    pub fn firing_of(&self, trigger: &str, cause: EntryId) -> Option<&Firing> {
        self.firings.iter().find(|firing| *firing.trigger == *trigger && firing.cause == cause)
    }

    /// A firing by its id.
    pub fn firing(&self, id: EntryId) -> Option<&Firing> {
        self.firings.iter().find(|firing| firing.id == id)
    }

    /// Firings whose analysis may run and has not: the mode of each, but for what no mode looks at.
    pub fn unconcluded(&self) -> impl Iterator<Item = &Firing> {
        let runs = |mode| !matches!(mode, AnalysisMode::None | AnalysisMode::Council);
        let waits = |firing: &&Firing| firing.standing == Standing::Accepted && firing.concluded.is_none();
        self.firings.iter().filter(waits).filter(move |firing| runs(firing.mode))
    }

    pub(super) fn announced(&mut self, rule: MindRule, cause: EntryId) {
        self.done.push_back((rule, cause));
        if self.done.len() > MOST_DONE {
            self.done.pop_front();
        }
        self.pending.retain(|pending| pending.cause != cause || pending.what.rule() != Some(rule));
    }

    pub(super) fn fired(&mut self, firing: Firing) {
        let is_it = |pending: &Pending| {
            let trigger = matches!(&pending.what, What::Trigger(trigger, _) if *trigger == firing.trigger);
            trigger && pending.cause == firing.cause
        };
        self.pending.retain(|pending| !is_it(pending));
        // One that fired at the end of its turn was not counted before.
        if let Some(place) = self.late.iter().position(is_it) {
            self.late.remove(place);
            let tally = self.tallies.entry(firing.trigger.clone()).or_default();
            (tally.count, tally.last) = (tally.count.saturating_add(1), Some(firing.at));
        }
        // Two clones may have said the same of the same entry: the first counts.
        if self.firing_of(&firing.trigger, firing.cause).is_none() {
            self.firings.push(firing);
            super::emotion::drop_first(&mut self.firings, MOST_FIRINGS);
        }
    }
}

impl What {
    /// The trigger that fires.
    pub fn trigger(&self) -> Option<&str> {
        if let Self::Trigger(trigger, _) = self { Some(trigger) } else { None }
    }

    fn rule(&self) -> Option<MindRule> {
        match self {
            Self::Trigger(..) => None,
            Self::Spin(_) => Some(MindRule::Spin),
            Self::FlowEntered(_) => Some(MindRule::FlowEntered),
            Self::FlowExited(_) => Some(MindRule::FlowExited),
        }
    }
}
