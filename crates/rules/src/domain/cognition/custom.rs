//! Triggers of a project's own, as the configuration writes them (AFS 5.3, 13.3): checked when they are read.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::gate::AutoAccept;
use super::trigger::{AnalysisMode, Condition, DEFAULTS, Is, MetricBound, SessionMetric, Trigger, TriggerPriority};

/// A pattern is not longer than this, in bytes.
const LONGEST_PATTERN: usize = 1000;
/// Nor is more counted.
const MOST_COUNT: u32 = 1000;

/// A trigger as it is written; `Trigger` is what becomes of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Custom(Written);

#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Box<str>,
    #[sparse]
    name: Box<str>,
    #[sparse]
    description: Box<str>,
    condition: WrittenCondition,
    action: CustomAction,
    #[serde(alias = "cooldownMs")]
    cooldown_ms: Option<u64>,
    #[serde(alias = "maxTriggersPerSession")]
    max_triggers_per_session: Option<u32>,
}

#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCondition {
    #[serde(rename = "type")]
    kind: CustomKind,
    metric: Option<SessionMetric>,
    /// Not in AFS 5.3: how the metric is compared; at least the threshold, where nothing is said.
    is: Option<Is>,
    threshold: Option<Amount>,
    pattern: Option<Box<str>>,
    count: Option<u32>,
    #[serde(alias = "withinMs")]
    within_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CustomKind {
    Threshold,
    Pattern,
    Count,
    Time,
}

#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CustomAction {
    mode: AnalysisMode,
    agent: Option<Box<str>>,
    #[serde(default, alias = "autoAccept")]
    auto_accept: bool,
    priority: TriggerPriority,
}

/// Why a trigger cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTrigger {
    /// Its name is taken, or none.
    #[error("trigger \"{0}\": an id of its own is needed, of letters, digits and hyphens")]
    Id(Box<str>),
    /// Something that its condition needs is missing.
    #[error("trigger \"{id}\": a condition of type {kind} needs {needs}")]
    Needs {
        /// Which trigger.
        id: Box<str>,
        /// Which type.
        kind: &'static str,
        /// What.
        needs: &'static str,
    },
    /// Its pattern is no regular expression.
    #[error("trigger \"{id}\": {problem}")]
    Pattern {
        /// Which trigger.
        id: Box<str>,
        /// What is wrong.
        problem: String,
    },
}

impl TryFrom<Written> for Custom {
    type Error = BadTrigger;

    fn try_from(written: Written) -> Result<Self, BadTrigger> {
        let id = &written.id;
        let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        let is_name = (1..=64).contains(&id.len()) && id.chars().all(fits);
        if !is_name || DEFAULTS.iter().any(|row| row.0 == &**id) {
            return Err(BadTrigger::Id(id.chars().take(64).collect::<String>().into()));
        }
        written.condition(id)?;
        Ok(Self(written))
    }
}

impl Written {
    fn condition(&self, id: &str) -> Result<Condition, BadTrigger> {
        let condition = &self.condition;
        let needs = |kind, needs| BadTrigger::Needs { id: id.into(), kind, needs };
        if let Some(pattern) = &condition.pattern {
            check(pattern).map_err(|problem| BadTrigger::Pattern { id: id.into(), problem })?;
        }
        let count = condition.count.filter(|count| (1..=MOST_COUNT).contains(count));
        match condition.kind {
            CustomKind::Threshold => {
                let metric = condition.metric.ok_or_else(|| needs("threshold", "a metric"))?;
                let threshold = condition.threshold.ok_or_else(|| needs("threshold", "a threshold"))?;
                let is = condition.is.unwrap_or(Is::AtLeast);
                Ok(Condition::Threshold { all: vec![MetricBound { metric, is, threshold }] })
            }
            CustomKind::Pattern => {
                let pattern = condition.pattern.clone().ok_or_else(|| needs("pattern", "a pattern"))?;
                Ok(Condition::Pattern { pattern })
            }
            CustomKind::Count => {
                let count = count.ok_or_else(|| needs("count", "a count from 1 to 1000"))?;
                Ok(Condition::Count { pattern: condition.pattern.clone(), count, within_ms: condition.within_ms })
            }
            CustomKind::Time => {
                let within_ms = condition.within_ms.filter(|ms| *ms > 0);
                Ok(Condition::Time { within_ms: within_ms.ok_or_else(|| needs("time", "within_ms above 0"))? })
            }
        }
    }
}

fn check(pattern: &str) -> Result<(), String> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(format!("a pattern of more than {LONGEST_PATTERN} bytes"));
    }
    compile(pattern).map(drop)
}

/// A pattern, with a limit on what it may cost.
pub(super) fn compile(pattern: &str) -> Result<regex::Regex, String> {
    const MOST_BYTES: usize = 1 << 18;
    regex::RegexBuilder::new(pattern).size_limit(MOST_BYTES).build().map_err(|error| error.to_string())
}

impl Custom {
    /// What it becomes.
    pub(super) fn trigger(&self, cooldown_ms: u64, most: u32) -> Trigger {
        let written = &self.0;
        let condition = written.condition(&written.id).expect("BUG: it was checked when it was read");
        Trigger {
            id: written.id.clone(),
            name: if written.name.is_empty() { written.id.clone() } else { written.name.clone() },
            description: written.description.clone(),
            condition,
            mode: written.action.mode,
            agent: written.action.agent.clone(),
            auto_accept: if written.action.auto_accept { AutoAccept::Yes } else { AutoAccept::No },
            priority: written.action.priority,
            cooldown_ms: written.cooldown_ms.unwrap_or(cooldown_ms),
            max_triggers_per_session: written.max_triggers_per_session.unwrap_or(most),
        }
    }
}
