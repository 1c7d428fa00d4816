//! What the auditor tells the person (artoo R6, output contract).
//!
//! Data only; `window` fills it in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ggs::{FailureClass, Trend};
use annals_kernel::grounding::words;
use annals_kernel::time::Timestamp;

words! {
    /// Why a report was made.
    pub enum AuditTrigger {
        /// Its time had come.
        Periodic = "periodic",
        /// The person asked.
        OnDemand = "on-demand",
    }
}

/// Which way the gap of a task went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GapTrend {
    /// Of which task.
    pub task_id: String,
    /// From its first measure to its last.
    pub trend: Trend,
}

/// How the tools fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToolHealth {
    /// Results of R3 that say it could not.
    pub execution_failures: u64,
    /// Corrections because the environment was in the way.
    pub environmental_retries: u64,
    /// Corrections because the approach was wrong.
    pub logical_retries: u64,
}

/// What was seen since the last report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditReport {
    /// Why it was made.
    pub trigger: AuditTrigger,
    /// Since when.
    pub window_start: Timestamp,
    /// Tasks of which anything was said.
    pub tasks_observed: u64,
    /// Times that R4a sent R3 back.
    pub total_corrections: u64,
    /// Which way the gaps went, of tasks that were measured twice, by task.
    pub gap_trends: Vec<GapTrend>,
    /// What was said that may not be.
    pub boundary_violations: Vec<String>,
    /// What moves away from what was wanted.
    pub drift_alerts: Vec<String>,
    /// What is odd beyond that.
    pub anomalies: Vec<String>,
    /// How the tools fared.
    pub tool_health: ToolHealth,
}

impl ToolHealth {
    /// Counts a correction by the reason that R4a gave; one without a reason is of neither sort.
    pub(super) fn corrected(&mut self, failure_class: Option<FailureClass>) {
        let retries = match failure_class {
            Some(FailureClass::Environmental) => &mut self.environmental_retries,
            Some(FailureClass::Logical) => &mut self.logical_retries,
            None => return,
        };
        *retries = retries.saturating_add(1);
    }

    /// Counts a result that says it failed.
    pub(super) fn failed(&mut self) {
        self.execution_failures = self.execution_failures.saturating_add(1);
    }
}
