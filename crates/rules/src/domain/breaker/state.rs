//! What the breakers remember: who escalated of late, how often each rule fired, and what threads have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::limits::{DAMPENING_HOURS, Limits};
use super::rule::{BreakerRule, Check, ViolationSeverity};
use super::thread::Thread;
use annals_kernel::decision::{Cause, Refusal};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::rows::Rows;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// More escalations of one agent are not remembered: the limit is 0 long before.
const MOST_REMEMBERED: usize = 16;

/// What the breakers remember beside threads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// When an agent used too many words of alarm, the latest last.
    pub escalations: BTreeMap<AgentId, Vec<Timestamp>>,
    /// How often each rule fired.
    pub fired: BTreeMap<BreakerRule, u64>,
}

/// What the breakers remember.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Agents and rules.
    #[serde(flatten)]
    pub totals: Totals,
    /// By issue. None of what was said under rules of version 1, whose state is what it was.
    // Equality would load every row of both tables; the first one is enough.
    #[serde(skip_serializing_if = "has_none")]
    pub threads: Rows<IssueId, Thread>,
}

fn has_none(threads: &Rows<IssueId, Thread>) -> bool {
    threads.iter().next().is_none()
}

impl State {
    /// What was said and cited on an issue.
    pub fn thread(&self, issue: &IssueId) -> Thread {
        self.threads.get(issue.as_str()).cloned().unwrap_or_default()
    }

    /// The same, to take in more.
    pub(crate) fn thread_mut(&mut self, issue: &IssueId) -> &mut Thread {
        self.threads.entry(issue.as_str(), Thread::default)
    }

    /// The limits for an agent at a time.
    pub fn limits(&self, agent: &AgentId, now: Timestamp, settings: &Settings) -> Limits {
        const HOUR_MS: u64 = 3_600_000;
        let window = u64::from(settings.get(&DAMPENING_HOURS)) * HOUR_MS;
        let times = self.totals.escalations.get(agent).map(Vec::as_slice).unwrap_or_default();
        let late = times.iter().filter(|at| now.since(**at) < window).count();
        Limits::in_force(settings).dampened(u32::try_from(late).unwrap_or(u32::MAX))
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, (), ()>) {
        for violation in event.violations() {
            *self.totals.fired.entry(violation.rule).or_default() += 1;
            if violation.rule == BreakerRule::EscalationLanguage {
                let times = self.totals.escalations.entry(event.agent().clone()).or_default();
                times.push(cause.at);
                if times.len() > MOST_REMEMBERED {
                    times.remove(0);
                }
            }
            if violation.rule == BreakerRule::Echo
                && let Some(issue) = event.issue()
            {
                let thread = self.thread_mut(issue);
                thread.echoes = match event {
                    Event::Rejected(_) => thread.echoes + 1,
                    Event::TextRejected(_) => thread.echoes,
                    // The freeze is the answer to the echoes so far; after the thaw a new epoch begins (decision 13).
                    Event::Tripped(_) => 0,
                };
            }
        }
    }
}

/// The facts of a "no" by breakers.
#[derive(Serialize)]
struct Violated<'v> {
    violations: &'v [Check],
}

/// What becomes of title and text of an issue, of one that is to be opened, or of an opinion on one, that violate rules.
pub(crate) fn verdict_on_text(
    issue: Option<&IssueId>,
    agent: &AgentId,
    checks: Vec<Check>,
) -> Option<(Event, Refusal)> {
    let violations: Vec<_> = checks.into_iter().filter(|check| check.violation.is_some()).collect();
    let rule = violations.first()?.rule;
    let refusal = Refusal::of(&format!("breakers.{rule}"), &Violated { violations: &violations });
    let rejected = super::event::TextRejected { issue: issue.cloned(), agent: agent.clone(), violations };
    Some((rejected.into(), refusal))
}

/// What becomes of a comment that violates rules: nothing, or its events and the "no". Reject beats freeze (decision 6).
pub fn verdict(issue: &IssueId, agent: &AgentId, checks: Vec<Check>) -> Option<(Event, Refusal)> {
    use super::event::{Rejected, Tripped};
    let violations: Vec<_> = checks.into_iter().filter(|check| check.violation.is_some()).collect();
    let of = |severity| violations.iter().find(|check| check.violation == Some(severity));
    let (worst, is_frozen) = match (of(ViolationSeverity::Reject), of(ViolationSeverity::Freeze)) {
        (Some(check), _) => (check, false),
        (None, Some(check)) => (check, true),
        (None, None) => return None,
    };
    let refusal = Refusal::of(&format!("breakers.{}", worst.rule), &Violated { violations: &violations });
    let (issue, agent) = (issue.clone(), agent.clone());
    let event = if is_frozen {
        Tripped { issue, agent, violations }.into()
    } else {
        Rejected { issue, agent, violations }.into()
    };
    Some((event, refusal))
}
