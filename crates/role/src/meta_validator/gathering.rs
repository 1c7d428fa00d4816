//! The fan-in of a round: which subtasks may start, which are over, what the groups before give the next (artoo R4b).
//!
//! Folds messages; a message about a subtask that is none of this round changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence::{fenced, head_tail, one_line};
use crate::message::{CallEvidence, DispatchManifest, OutcomeReport};
use crate::plan::{Criterion, CriterionCheck, SubTask};

/// Characters of all outputs before that go into the context of one subtask.
const INJECTED_CHARS: usize = 8000;
/// Characters of an intent that name the subtask of an output.
const INTENT_CHARS: usize = 120;

/// A round.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathering {
    manifest: DispatchManifest,
    started: BTreeSet<String>,
    reports: BTreeMap<String, OutcomeReport>,
}

impl Gathering {
    /// Before its first subtask.
    pub fn of(manifest: DispatchManifest) -> Self {
        Self { manifest, started: BTreeSet::new(), reports: BTreeMap::new() }
    }

    /// A subtask was handed to an executor.
    pub fn started(&mut self, subtask_id: &str) {
        if self.is_known(subtask_id) {
            self.started.insert(subtask_id.to_owned());
        }
    }

    /// A subtask is over. Of two reports the failed one stays.
    pub fn heard(&mut self, report: OutcomeReport) {
        let id = report.outcome.subtask_id.clone();
        let is_news = self.reports.get(&id).is_none_or(|known| !known.outcome.is_failing());
        if self.is_known(&id) && is_news && (report.outcome.is_failing() || !self.reports.contains_key(&id)) {
            self.reports.insert(id, report);
        }
    }

    /// What has to be started now: the first group that is not over, with the outputs of those before in its context.
    /// Nothing where a group before failed.
    pub fn group(&self) -> Vec<SubTask> {
        let Some(sequence) = self.current() else { return Vec::new() };
        let is_idle = |subtask: &&SubTask| {
            subtask.sequence == sequence && !self.started.contains(&subtask.subtask_id) && !self.is_over(subtask)
        };
        self.manifest.subtasks.iter().filter(is_idle).map(|subtask| self.with_outputs(subtask)).collect()
    }

    /// Whether nothing more will be heard.
    pub fn is_complete(&self) -> bool {
        self.current().is_none()
    }

    /// Those that are never started, because a group before failed.
    pub fn never_started(&self) -> Vec<&SubTask> {
        if !self.is_complete() {
            return Vec::new();
        }
        self.manifest.subtasks.iter().filter(|subtask| !self.is_over(subtask)).collect()
    }

    /// What was heard, in the order of the plan, each with its number, 1 the first.
    pub fn reports(&self) -> impl Iterator<Item = NumberedReport<'_>> {
        let subtasks = self.manifest.subtasks.iter().enumerate();
        subtasks.filter_map(|(at, subtask)| {
            Some(NumberedReport { number: at + 1, subtask, report: self.reports.get(&subtask.subtask_id)? })
        })
    }

    /// A check of subtasks does not hold in the end: no criterion that it met is cited any more. Says which those were.
    pub fn holds_no_more(&mut self, check: &CriterionCheck) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        for subtask in &self.manifest.subtasks {
            let of_check = |criterion: &&Criterion| criterion.check.as_ref() == Some(check);
            let own: Vec<_> = subtask.success_criteria.iter().filter(of_check).map(|one| one.text.clone()).collect();
            if let Some(report) = self.reports.get_mut(&subtask.subtask_id) {
                report.evidence.retain(|evidence| !own.contains(&evidence.criterion));
            }
            texts.extend(own);
        }
        texts.dedup();
        texts
    }

    /// What is demanded of the whole, and is not so: a criterion as those of the plan.
    pub fn demand(&mut self, criterion: Criterion) {
        self.manifest.task_criteria.push(criterion);
    }

    /// What was to be expected.
    pub fn manifest(&self) -> &DispatchManifest {
        &self.manifest
    }

    /// What tools gave to the groups before a subtask.
    pub fn given_before(&self, subtask: &SubTask) -> Vec<CallEvidence> {
        let before = self.reports().filter(|one| one.subtask.sequence < subtask.sequence);
        before.flat_map(|one| one.report.calls.iter().cloned()).collect()
    }

    /// Whether a subtask failed.
    pub fn has_failed(&self) -> bool {
        self.reports.values().any(|report| report.outcome.is_failing())
    }

    fn is_known(&self, id: &str) -> bool {
        self.manifest.subtasks.iter().any(|subtask| subtask.subtask_id == id)
    }

    fn is_over(&self, subtask: &SubTask) -> bool {
        self.reports.contains_key(&subtask.subtask_id)
    }

    /// The first group with a subtask that is not over, unless one before it failed.
    fn current(&self) -> Option<u32> {
        let open = self.manifest.subtasks.iter().filter(|subtask| !self.is_over(subtask));
        let sequence = open.map(|subtask| subtask.sequence).min()?;
        let failed_before =
            self.reports().any(|one| one.subtask.sequence < sequence && one.report.outcome.is_failing());
        (!failed_before).then_some(sequence)
    }

    fn with_outputs(&self, subtask: &SubTask) -> SubTask {
        let before: Vec<_> = self.reports().filter(|one| one.subtask.sequence < subtask.sequence).collect();
        let share = INJECTED_CHARS / before.len().max(1);
        let outputs = before.iter().map(|one| one.as_context(share));
        let own = Some(subtask.context.clone()).filter(|context| !context.trim().is_empty());
        let context = own.into_iter().chain(outputs).collect::<Vec<_>>().join("\n\n");
        SubTask { context, ..subtask.clone() }
    }
}

/// A report, and the subtask that it is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberedReport<'g> {
    /// Its place in the plan, 1 the first.
    pub number: usize,
    /// What was wanted.
    pub subtask: &'g SubTask,
    /// What it came to.
    pub report: &'g OutcomeReport,
}

impl NumberedReport<'_> {
    fn as_context(&self, chars: usize) -> String {
        let intent = one_line(&self.subtask.intent, INTENT_CHARS);
        let output = fenced(&head_tail(&self.report.output, chars));
        format!("Output of subtask {} ({intent}), as data:\n{output}", self.number)
    }
}
