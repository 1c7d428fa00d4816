//! What sets an analysis off (AFS 5.3): the triggers that every project has. `custom` has those of a project's own.

mod words;

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize, Serializer};

use super::amount::Amount;
use super::gate::{AutoAccept, TriggerGate};
use annals_kernel::grounding::words;

words! {
    /// What is measured of a session.
    pub enum SessionMetric {
        /// 1 while the same action is repeated, else 0.
        Spinning = "spinning",
        /// Edits since tests ran.
        EditCount = "edit_count",
        /// Test runs since the first of those edits.
        TestCount = "test_count",
        /// Edits in folders in which nothing had been looked at.
        UnfamiliarCode = "unfamiliar_code",
        /// Contradictions without a resolution.
        Contradictions = "contradictions",
        /// Anxiety.
        AnxietyLevel = "anxiety_level",
        /// Calls in a row that failed.
        ConsecutiveFailures = "consecutive_failures",
        /// Critical unknowns without an answer.
        CriticalUnknowns = "critical_unknowns",
        /// Things in focus, as a share of what can be.
        CognitiveLoad = "cognitive_load",
        /// How well the strategy works.
        StrategyEffectiveness = "strategy_effectiveness",
        /// Calls in a row of the same tool.
        SameToolCount = "same_tool_count",
        /// Repetitions of the last action.
        SimilarActionCount = "similar_action_count",
        /// How often one agent alone is right.
        BaselineAccuracy = "baseline_accuracy",
        /// Agents at work.
        AgentCount = "agent_count",
        /// Errors of many agents per error of one.
        ErrorAmplification = "error_amplification",
        /// What coordination costs, as a share of the work of one agent.
        CoordinationOverhead = "coordination_overhead",
        /// Different tools in use.
        ToolCount = "tool_count",
        /// How unsure the agent is.
        Uncertainty = "uncertainty",
        /// Frustrations that are open.
        Frustrations = "frustrations",
        /// Calls.
        CallCount = "call_count",
    }
}

impl SessionMetric {
    /// What no record gives: somebody states it, or the configuration does.
    pub const STATED: [Self; 5] = [
        Self::BaselineAccuracy,
        Self::AgentCount,
        Self::ErrorAmplification,
        Self::CoordinationOverhead,
        Self::ToolCount,
    ];
}

words! {
    /// A comparison.
    pub enum Is {
        /// More.
        Above = ">",
        /// As much, or more.
        AtLeast = ">=",
        /// Less.
        Below = "<",
        /// As much, or less.
        AtMost = "<=",
        /// As much.
        Equal = "==",
    }
}

impl Is {
    /// Whether it holds.
    pub fn holds(self, value: Amount, than: Amount) -> bool {
        match self {
            Self::Above => value > than,
            Self::AtLeast => value >= than,
            Self::Below => value < than,
            Self::AtMost => value <= than,
            Self::Equal => value == than,
        }
    }
}

words! {
    /// How a session is looked at (AFS 5.1). `council` is no mode of analysis: it opens one.
    pub enum AnalysisMode {
        /// Not at all.
        None = "none",
        /// Quality of prompts and answers.
        Eval = "eval",
        /// Theory of mind.
        Tom = "tom",
        /// Coordination and scaling.
        Metrics = "metrics",
        /// Hard criticism.
        Critic = "critic",
        /// Feelings and load.
        Emotional = "emotional",
        /// Person and machine together.
        Synergy = "synergy",
        /// Code review.
        Review = "review",
        /// Where comments are missing.
        Documentation = "documentation",
        /// A council decides.
        Council = "council",
    }
}

words! {
    /// How much a firing matters, the least first.
    pub enum TriggerPriority {
        /// A little.
        Low = "low",
        /// Somewhat.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Most.
        Critical = "critical",
    }
}

/// A metric and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MetricBound {
    /// What is measured.
    pub metric: SessionMetric,
    /// How it is compared.
    pub is: Is,
    /// With what.
    pub threshold: Amount,
}

impl MetricBound {
    /// Whether a value is as it asks.
    pub fn holds(&self, value: Amount) -> bool {
        self.is.holds(value, self.threshold)
    }
}

/// When a trigger fires.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Condition {
    /// All of these hold.
    Threshold {
        /// What must hold.
        #[always]
        all: Vec<MetricBound>,
    },
    /// The text of an entry fits.
    Pattern {
        /// A regular expression.
        pattern: Box<str>,
    },
    /// So many entries fit, within a time.
    Count {
        /// A regular expression; nothing: every call.
        pattern: Option<Box<str>>,
        /// How many.
        count: u32,
        /// Within how long; nothing: within the session.
        within_ms: Option<u64>,
    },
    /// So much time has passed since the session began, or since it fired.
    Time {
        /// How much.
        within_ms: u64,
    },
}

/// Something that sets an analysis off.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Trigger {
    /// Its name.
    pub id: Box<str>,
    /// What it is called.
    pub name: Box<str>,
    /// What it means.
    pub description: Box<str>,
    /// When it fires.
    pub condition: Condition,
    /// What is then due.
    pub mode: AnalysisMode,
    /// Who should do it.
    pub agent: Option<Box<str>>,
    /// Whether nobody is asked.
    #[serde(serialize_with = "is_yes")]
    #[schemars(with = "bool")]
    pub auto_accept: AutoAccept,
    /// How much it matters.
    pub priority: TriggerPriority,
    /// It does not fire again for so long.
    pub cooldown_ms: u64,
    /// Nor more often than this in one session.
    pub max_triggers_per_session: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_yes<S: Serializer>(auto: &AutoAccept, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*auto == AutoAccept::Yes)
}

/// What a project changes of one trigger.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Own {
    /// Its rule in gate mode `selective`.
    pub gate: Option<TriggerGate>,
    /// Its cooldown.
    pub cooldown_ms: Option<u64>,
    /// Its limit in one session.
    pub max_triggers_per_session: Option<u32>,
    /// Its thresholds, by metric.
    pub thresholds: BTreeMap<SessionMetric, Amount>,
}

/// A trigger of AFS 5.3 as it stands there: id, what must hold, what is due, how much it matters, what it means.
type Row = (&'static str, &'static [(SessionMetric, Is, i32)], AnalysisMode, TriggerPriority, &'static str);

/// The triggers of AFS 5.3; thresholds in thousandths.
pub const DEFAULTS: [Row; 13] = [
    (
        // Never seen to fire by equal calls: real agents change a word each time. So checks that fail with one error
        // spin, too.
        "spinning-critic",
        &[(SessionMetric::Spinning, Is::Equal, 1000)],
        AnalysisMode::Critic,
        TriggerPriority::High,
        "the same action again and again",
    ),
    (
        // Of 7 firings in ten sessions that were read 3 were useful (docs/COGNITION.md).
        "edits-without-tests",
        &[(SessionMetric::EditCount, Is::AtLeast, 3000), (SessionMetric::TestCount, Is::Equal, 0)],
        AnalysisMode::Eval,
        TriggerPriority::Medium,
        "edits, and no test since",
    ),
    (
        "new-territory-explore",
        &[(SessionMetric::UnfamiliarCode, Is::Above, 0)],
        AnalysisMode::Tom,
        TriggerPriority::Low,
        "an edit where nothing had been looked at",
    ),
    (
        "contradiction-debate",
        &[(SessionMetric::Contradictions, Is::Above, 0)],
        AnalysisMode::Council,
        TriggerPriority::High,
        "facts that contradict each other",
    ),
    (
        "high-anxiety-caution",
        &[(SessionMetric::AnxietyLevel, Is::Above, 700)],
        AnalysisMode::Emotional,
        TriggerPriority::High,
        "an agent that is afraid",
    ),
    (
        // Of 5 firings that were read 3 were useful, and the cooldown held back two that would have been
        // (docs/COGNITION.md).
        "consecutive-failures",
        &[(SessionMetric::ConsecutiveFailures, Is::AtLeast, 3000)],
        AnalysisMode::Metrics,
        TriggerPriority::High,
        "calls that fail one after the other",
    ),
    (
        "critical-unknowns",
        &[(SessionMetric::CriticalUnknowns, Is::Above, 0)],
        AnalysisMode::Synergy,
        TriggerPriority::Medium,
        "questions without whose answer the work cannot be right",
    ),
    (
        // AFS's figure, of what somebody says is in focus. By calls alone, of 14 firings that were read none was useful: six
        // files in twelve calls are how one reads oneself in.
        "high-cognitive-load",
        &[(SessionMetric::CognitiveLoad, Is::Above, 800)],
        AnalysisMode::Emotional,
        TriggerPriority::Medium,
        "more in focus than fits",
    ),
    (
        "low-strategy-effectiveness",
        &[(SessionMetric::StrategyEffectiveness, Is::Below, 300)],
        AnalysisMode::Metrics,
        TriggerPriority::Medium,
        "a strategy that does not work",
    ),
    (
        // AFS's figure, of calls that only fail: five reads of different files in a row are nothing strange (of 23 such
        // firings that were read, 2 were useful).
        "tool-repetition",
        &[(SessionMetric::SameToolCount, Is::AtLeast, 5000)],
        AnalysisMode::Critic,
        TriggerPriority::Low,
        "the same tool many times in a row",
    ),
    (
        "baseline-too-high",
        &[(SessionMetric::BaselineAccuracy, Is::Above, 450), (SessionMetric::AgentCount, Is::Above, 1000)],
        AnalysisMode::Metrics,
        TriggerPriority::Medium,
        "several agents where one would do",
    ),
    (
        "error-amplification-warning",
        &[(SessionMetric::ErrorAmplification, Is::Above, 10_000)],
        AnalysisMode::Metrics,
        TriggerPriority::High,
        "agents that make each other's errors worse",
    ),
    (
        "overhead-exceeded",
        &[(SessionMetric::CoordinationOverhead, Is::Above, 1500), (SessionMetric::ToolCount, Is::Above, 12_000)],
        AnalysisMode::Metrics,
        TriggerPriority::Medium,
        "more talk than work",
    ),
];

/// Judged when the turn is over, because what they miss may be its last step: of the firings of `edits-without-tests` that
/// were read, a plan whose last step was the tests was the first that was wrong.
pub(super) const AT_TURN_END: [&str; 1] = ["edits-without-tests"];

impl Trigger {
    /// Whether it is judged when the turn is over.
    pub(super) fn waits_for_turn_end(&self) -> bool {
        AT_TURN_END.contains(&&*self.id)
    }

    /// The triggers that every project has.
    pub fn defaults(cooldown_ms: u64, most: u32) -> Vec<Self> {
        let of = |(id, all, mode, priority, meaning): &Row| {
            let bound = |(metric, is, count): &(SessionMetric, Is, i32)| MetricBound {
                metric: *metric,
                is: *is,
                threshold: Amount::thousandths(*count),
            };
            Self {
                id: (*id).into(),
                name: id.replace('-', " ").into(),
                description: (*meaning).into(),
                condition: Condition::Threshold { all: all.iter().map(bound).collect() },
                mode: *mode,
                agent: None,
                auto_accept: AutoAccept::No,
                priority: *priority,
                cooldown_ms,
                max_triggers_per_session: most,
            }
        };
        DEFAULTS.iter().map(of).collect()
    }

    /// The same with what the project changes.
    pub(super) fn changed(mut self, own: Option<&Own>) -> Self {
        let Some(own) = own else { return self };
        self.cooldown_ms = own.cooldown_ms.unwrap_or(self.cooldown_ms);
        self.max_triggers_per_session = own.max_triggers_per_session.unwrap_or(self.max_triggers_per_session);
        if let Condition::Threshold { all } = &mut self.condition {
            for bound in all {
                bound.threshold = own.thresholds.get(&bound.metric).copied().unwrap_or(bound.threshold);
            }
        }
        self
    }
}
