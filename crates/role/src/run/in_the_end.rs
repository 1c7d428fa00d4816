//! What is looked at once more before a task is accepted, beside the task criteria: what each subtask was checked by, for a
//! later one may have undone it; and what the person forbade to change, however it was reached.
//!
//! What does not hold any more is cited no more, and the whole is not accepted. Only the person's own checks outrank that.

use super::{GateLooks, TaskRun, WordsReach};
use crate::criterion::{CheckResult, CheckState, checks_of};
use crate::evidence::is_effectful;
use crate::message::ExecutionResult;
use crate::plan::{Criterion, CriterionCheck};
use crate::wanted::{asks_for_figure, figure_sources, only_adds, takes_away};

/// Whatever a file is called.
pub(super) const ANY_FILE: &str = "*";

impl TaskRun {
    /// Checks beside those of the task; a subtask that was alone is just over.
    pub(super) fn looks_in_the_end(&self) -> Vec<CriterionCheck> {
        let Some(gathering) = self.gathering.as_ref().filter(|_| self.setting.gate_looks == GateLooks::AtAll) else {
            return Vec::new();
        };
        let manifest = gathering.manifest();
        let several = Some(&manifest.subtasks).filter(|subtasks| subtasks.len() > 1);
        let own: Vec<_> =
            several.into_iter().flatten().flat_map(|subtask| &subtask.success_criteria).cloned().collect();
        let of_task = checks_of(&manifest.task_criteria);
        let own = checks_of(&own).into_iter().filter(|check| !of_task.contains(check));
        own.chain(self.untouched()).chain(self.kept()).chain(self.stays()).collect()
    }

    /// Whether the work is held to their words so far, and none of their own checks tells.
    fn holds(&self, reach: WordsReach) -> bool {
        self.setting.words >= reach && !self.own_tell()
    }

    /// Where the person's words only add, what was there is to be there still, however it was written over; and so is what a
    /// figure is found out of. Their own checks outrank it.
    pub(super) fn kept(&self) -> Option<CriterionCheck> {
        let words = &self.request.raw_input;
        let kept = if self.holds(WordsReach::Wanted) && only_adds(words) {
            vec![ANY_FILE.to_owned()]
        } else if self.holds(WordsReach::Meant) {
            figure_sources(words, &self.setting.place)
        } else {
            Vec::new()
        };
        (!kept.is_empty()).then_some(CriterionCheck::Kept { kept })
    }

    /// Where the person's words take nothing away, no file is gone in the end, or cut down. Their own checks outrank it.
    pub(super) fn stays(&self) -> Option<CriterionCheck> {
        let is_held = self.holds(WordsReach::Meant) && !takes_away(&self.request.raw_input);
        is_held.then(|| CriterionCheck::Stays { stays: vec![ANY_FILE.to_owned()] })
    }

    /// What was written is to be readable, where anything was: broken files show no work that was done.
    pub(super) fn parses(&self, result: &ExecutionResult) -> Option<CriterionCheck> {
        let may_write =
            self.setting.executor.is_some() || result.tool_calls.iter().any(|call| is_effectful(&call.request));
        let is_held = self.holds(WordsReach::Wanted) && may_write;
        is_held.then(|| CriterionCheck::Parses { parses: vec![ANY_FILE.to_owned()] })
    }

    /// The person's words, where they ask for a figure and none of their own checks tells.
    pub(super) fn figure_asked(&self) -> Option<String> {
        let words = &self.request.raw_input;
        let is_held = self.holds(WordsReach::Wanted) && asks_for_figure(words);
        is_held.then(|| words.clone())
    }

    /// What of the person's words is held against the files.
    pub(super) fn untouched(&self) -> Option<CriterionCheck> {
        let is_held = self.setting.gate_looks == GateLooks::AtAll && !self.forbidden.files.is_empty();
        is_held.then(|| CriterionCheck::Untouched { untouched: self.forbidden.files.clone() })
    }

    /// What does not hold is a criterion of the task from here on.
    pub(super) fn held(&mut self, result: &CheckResult) {
        let (own_tell, looks_at_all) = (self.own_tell(), self.setting.gate_looks == GateLooks::AtAll);
        let is_found = looks_at_all && result.state != CheckState::Met;
        let Some(gathering) = self.gathering.as_mut().filter(|_| is_found) else { return };
        let check = Some(result.check.clone());
        if let CriterionCheck::Untouched { untouched } = &result.check {
            // What may not be changed could not be mended: the next round begins from what was there at first.
            self.is_broken = result.state == CheckState::Unmet;
            let text = format!("{} stays as it was: the person forbade to change it", untouched.join(", "));
            return gathering.demand(Criterion { text, check });
        }
        if let Some(text) = what_stays(&result.check, self.setting.words) {
            self.is_broken |= result.state == CheckState::Unmet;
            return gathering.demand(Criterion { text, check });
        }
        let is_of_task = checks_of(&gathering.manifest().task_criteria).contains(&result.check);
        for text in gathering.holds_no_more(&result.check) {
            if !own_tell && !is_of_task {
                let text = format!("{text} (it was so, and is no more when all is done)");
                gathering.demand(Criterion { text, check: check.clone() });
            }
        }
    }
}

/// What the person's words leave there, as a criterion; nothing for other checks.
fn what_stays(check: &CriterionCheck, reach: WordsReach) -> Option<String> {
    if let CriterionCheck::Kept { kept } = check {
        return Some(match kept.as_slice() {
            [any] if any == ANY_FILE => "what was there is there still: the task only adds to it".to_owned(),
            sources => format!("{} still holds what it held: a figure is found out of it", sources.join(", ")),
        });
    }
    let text = if reach >= WordsReach::Careful {
        "every file is there still, and none was cut down: the task takes nothing away"
    } else {
        "every file is there still: the task takes none away"
    };
    matches!(check, CriterionCheck::Stays { .. }).then(|| text.to_owned())
}
