//! What debates were worth over a span of time (Dialectic, "Performance Monitoring").
//!
//! Exact counts; a rate of few outcomes is not a rate. Looks at the latest debates and tasks only.

use std::collections::BTreeMap;

use serde::Serialize;

use super::command::{DebateKind, ResolvedEnding};
use super::csp::Resolved;
use super::event::EscalationReason;
use super::limits::REPORT_LEAST;
use super::row::{Debate, Resolving};
use super::state::State;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many debates, and so many tasks, are looked at.
const LATEST: usize = 5000;

/// Some of those whose outcome is known, and how many that are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Rate {
    /// Of these it is so.
    pub some: u64,
    /// Of these it is known.
    pub known: u64,
    /// All of them, known or not.
    pub all: u64,
    /// The rate; none where too few are known.
    pub rate: Option<Share>,
}

impl Rate {
    fn closed(mut self, least: u32) -> Self {
        let is_enough = self.known >= u64::from(least).max(1);
        self.rate = Share::of_count(self.some, self.known).filter(|_| is_enough);
        self
    }
}

/// What debates of a span were worth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DebateReport {
    /// Debates.
    pub debates: u64,
    /// By kind of what was at stake.
    pub by_category: BTreeMap<&'static str, u64>,
    /// By what they came to.
    pub by_resolution: BTreeMap<&'static str, u64>,
    /// Those that nobody has resolved yet, and those that were called off.
    pub open: u64,
    /// Called off.
    pub called_off: u64,
    /// `MODIFY`, `RETRY`, `PIVOT`: did what came after work?
    pub effective: BTreeMap<&'static str, Rate>,
    /// Debates before a plan that went on unchanged and worked: they were not needed.
    pub false_positives: Rate,
    /// Tasks that were handed to a person by a count, without a debate saying so.
    pub auto_escalations: u64,
    /// Tasks whose debate was used up, among those.
    pub after_debate: u64,
}

impl State {
    /// The report of a span, its end not in it.
    pub fn report(&self, from: Timestamp, to: Timestamp, settings: &Settings) -> DebateReport {
        let is_in = |at: Timestamp| at >= from && at < to;
        let mut report = DebateReport::default();
        for word in [Resolved::Modify, Resolved::Retry, Resolved::Pivot] {
            report.effective.insert(word.as_str(), Rate::default());
        }
        for (_, debate) in self.debates.first_by_rank(LATEST).into_iter().filter(|(_, debate)| is_in(debate.at)) {
            report.add(debate);
        }
        for (_, task) in self.tasks.first_by_rank(LATEST) {
            for (why, _) in task.escalations.iter().filter(|(_, at)| is_in(*at)) {
                report.auto_escalations += u64::from(*why != EscalationReason::Resolution);
                report.after_debate += u64::from(*why == EscalationReason::DebateUsed);
            }
        }
        let least = settings.get(&REPORT_LEAST);
        report.effective.values_mut().for_each(|rate| *rate = rate.closed(least));
        report.false_positives = report.false_positives.closed(least);
        report
    }
}

impl DebateReport {
    fn add(&mut self, debate: &Debate) {
        self.debates += 1;
        *self.by_category.entry(debate.category.as_str()).or_default() += 1;
        let Some(Resolving { resolution, .. }) = &debate.resolved else {
            *(if debate.called_off { &mut self.called_off } else { &mut self.open }) += 1;
            return;
        };
        let word = resolution.resolution;
        *self.by_resolution.entry(word.as_str()).or_default() += 1;
        let outcome = debate.judgement.map(|judgement| judgement.outcome);
        if let Some(rate) = self.effective.get_mut(word.as_str()) {
            rate.all += 1;
            rate.known += u64::from(outcome.is_some());
            rate.some += u64::from(outcome == Some(ResolvedEnding::Success));
        }
        if debate.kind == DebateKind::Planning {
            let unneeded =
                |helped: bool| word == Resolved::Proceed && outcome == Some(ResolvedEnding::Success) && !helped;
            self.false_positives.all += 1;
            self.false_positives.known += u64::from(outcome.is_some());
            self.false_positives.some +=
                u64::from(debate.judgement.is_some_and(|judgement| unneeded(judgement.helped)));
        }
    }
}
