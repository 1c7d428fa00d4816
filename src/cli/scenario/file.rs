//! The form of a scenario, in TOML or JSON.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

use super::expect::Expectation;
use crate::cli::message::AGENT;
use crate::cli::shell::Usage;
use crate::domain::knowledge::KnowledgeKind;
use crate::domain::resident::{Approval, Dimension, DimensionState, TickTrigger};
use crate::kernel::time::Timestamp;

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioFile {
    /// What it shows.
    pub(super) name: String,
    /// When it begins [default: 2026-01-01, at 9 in UTC].
    #[serde(default = "first_morning")]
    pub(super) now: Timestamp,
    /// Who is written to.
    #[serde(default = "agent")]
    pub(super) agent: String,
    /// Settings, by key.
    #[serde(default)]
    pub(super) settings: BTreeMap<String, Value>,
    /// What is known when it begins.
    #[serde(default)]
    pub(super) known: Vec<KnownLine>,
    /// What models answer, in order by role.
    #[serde(default)]
    pub(super) answers: Vec<Value>,
    /// What happens.
    pub(super) steps: Vec<ScenarioStep>,
}

/// A statement that is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownLine {
    pub(super) content: String,
    #[serde(default = "fact")]
    pub(super) kind: KnowledgeKind,
    #[serde(default)]
    pub(super) about: Option<String>,
}

/// A step: one of `send`, `trigger`, `approve` and `override`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ScenarioStep {
    /// A message, and a tick for it.
    pub(super) send: Option<String>,
    /// From whom.
    pub(super) from: Option<String>,
    /// Through which channel.
    pub(super) channel: Option<String>,
    /// What the channel needs to answer it.
    pub(super) meta: BTreeMap<String, String>,
    /// A tick without a message of its own.
    pub(super) trigger: Option<TickTrigger>,
    /// The person's word on the message that is held, and a tick for it.
    pub(super) approve: Option<Approval>,
    /// A state that the person sets.
    #[serde(rename = "override")]
    pub(super) set: Option<SetLine>,
    /// How long after the step before it happens, such as 90s, 10m, 2h, 3d.
    pub(super) after: Option<String>,
    /// What must have come of it, by dotted path.
    pub(super) expect: BTreeMap<String, Expectation>,
}

/// A state that is set.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetLine {
    pub(super) dimension: Dimension,
    pub(super) state: DimensionState,
    #[serde(default)]
    pub(super) ttl_ms: Option<u64>,
}

/// What a step does.
#[derive(Debug)]
pub(super) enum StepAct<'s> {
    Send(&'s str),
    Trigger(TickTrigger),
    Approve(Approval),
    Set(SetLine),
}

impl ScenarioFile {
    /// Reads it, and checks all that can be checked before it is played.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let bad = |error: String| Usage(format!("{}: {error}", path.display()));
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let read: Result<Self, String> = if is_json {
            serde_json::from_str(&text).map_err(|error| error.to_string())
        } else {
            toml_edit::de::from_str(&text).map_err(|error| error.to_string())
        };
        let scenario = read.map_err(bad)?;
        if scenario.steps.is_empty() {
            return Err(bad("`steps` is empty: give one step at least".to_owned()).into());
        }
        for (at, step) in scenario.steps.iter().enumerate() {
            let expected =
                || step.expect.iter().try_for_each(|(path, one)| one.check().map_err(|why| format!("{path}: {why}")));
            let checked = step.act().map(drop).and_then(|()| step.millis().map(drop)).and_then(|()| expected());
            checked.map_err(|error| bad(format!("step {}: {error}", at + 1)))?;
        }
        Ok(scenario)
    }
}

impl ScenarioStep {
    /// What it does: exactly one thing.
    pub(super) fn act(&self) -> Result<StepAct<'_>, String> {
        let acts = [
            self.send.as_deref().map(StepAct::Send),
            self.trigger.map(StepAct::Trigger),
            self.approve.map(StepAct::Approve),
            self.set.map(StepAct::Set),
        ];
        let mut acts: Vec<_> = acts.into_iter().flatten().collect();
        match acts.len() {
            1 => Ok(acts.remove(0)),
            count => {
                Err(format!("there is to be one of `send`, `trigger`, `approve` and `override`, and there are {count}"))
            }
        }
    }

    /// How long after the one before.
    pub(super) fn millis(&self) -> Result<i64, String> {
        let Some(text) = &self.after else { return Ok(0) };
        let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
        let read = units.iter().find_map(|(unit, millis)| {
            let count: i64 = text.strip_suffix(unit)?.trim().parse().ok()?;
            count.checked_mul(*millis).filter(|millis| *millis >= 0)
        });
        read.ok_or_else(|| format!("`after` is {text}; it is to be such as 90s, 10m, 2h or 3d"))
    }
}

fn first_morning() -> Timestamp {
    Timestamp::from_millis(1_767_258_000_000)
}

fn agent() -> String {
    AGENT.to_owned()
}

fn fact() -> KnowledgeKind {
    KnowledgeKind::Fact
}
