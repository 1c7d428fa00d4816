//! Which comments are left out, and why (AFS 5.2.7, filter heuristics).

use serde::{Deserialize, Serialize};

use super::rules::Remark;
use crate::edit::{Line, Origin};
use annals_kernel::grounding::words;

/// Filters, each with the document's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the configuration")]
pub(crate) struct Filters {
    /// A comment and the line that it would change may be so many lines apart.
    pub max_lines_from_comment: usize,
    /// No comments whose answer is to promise a fix.
    pub reject_todo_additions: bool,
    /// No comments whose answer is only to delete.
    pub reject_delete_only: bool,
    /// No comments on lines that stood there before.
    pub reject_unchanged_lines: bool,
    /// No comments without a line.
    pub reject_file_level_comments: bool,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            max_lines_from_comment: 5,
            reject_todo_additions: true,
            reject_delete_only: true,
            reject_unchanged_lines: true,
            reject_file_level_comments: true,
        }
    }
}

words! {
    /// Why a comment is left out.
    pub enum Reason {
        /// Its category is not looked for.
        SwitchedOff = "switched off",
        /// Its rule is not sure enough.
        BelowThreshold = "below the threshold",
        /// What it would change is too far away.
        TooFar = "too far from their line",
        /// It would add a promise.
        PromisesLater = "would add a to-do",
        /// It would only delete.
        OnlyDeletes = "would only delete",
        /// Its line stood there before.
        Unchanged = "on unchanged lines",
        /// It has no line.
        FileLevel = "about whole files",
        /// Graver ones fill the list already.
        OverTheLimit = "over the limit",
    }
}

impl Filters {
    /// Why a remark is left out; `None` where it stays.
    pub(super) fn reject(&self, remark: &Remark, lines: &[Line<'_>]) -> Option<Reason> {
        let Some(at) = remark.at else { return self.reject_file_level_comments.then_some(Reason::FileLevel) };
        let is_kept = lines.get(at).is_some_and(|line| line.origin == Origin::Kept);
        let is_far = remark.fix_at.is_some_and(|fix| fix.abs_diff(at) > self.max_lines_from_comment);
        let fix = remark.fix.as_deref();
        let promises = || fix.is_some_and(|fix| ["TODO", "FIXME", "XXX"].iter().any(|word| fix.contains(word)));
        let deletes = || fix.is_some_and(|fix| fix.trim().is_empty());
        // One reason each, by the first filter that fits, so that the counts add up to the comments that are missing.
        let rules = [
            (self.reject_unchanged_lines && is_kept, Reason::Unchanged),
            (is_far, Reason::TooFar),
            (self.reject_todo_additions && promises(), Reason::PromisesLater),
            (self.reject_delete_only && deletes(), Reason::OnlyDeletes),
        ];
        rules.into_iter().find(|(fits, _)| *fits).map(|(_, reason)| reason)
    }
}
