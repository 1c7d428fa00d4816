//! Code review: comments on the lines that a session's edits brought (AFS 5.2.7).
//!
//! Rules over lines; `rules` has them. Which comments are shown is decided by thresholds of each category and by filters.

pub(crate) mod filters;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::Serialize;

use self::filters::Reason;
use super::edit::{Edit, Origin};
use super::settings::{REVIEW_CATEGORIES, REVIEW_FILTERS, REVIEW_NITS, REVIEW_PREVIEW, REVIEW_THRESHOLDS};
use super::step::Record;
use super::text::short;
use super::told::Told;
use annals_kernel::counted::count;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

words! {
    /// What a comment is about (AFS 5.2.7).
    pub enum Category {
        /// White space and length.
        Formatting = "formatting",
        /// Names.
        Naming = "naming",
        /// Comments and documents in the code.
        Documentation = "documentation",
        /// What the language has for it, or warns of.
        LanguageFeatures = "language_features",
        /// How it is usually written.
        CodeIdioms = "code_idioms",
        /// What is known to go wrong.
        BestPractices = "best_practices",
    }
}

words! {
    /// How grave a comment is (AFS 5.2.7).
    pub enum Severity {
        /// It does harm.
        Critical = "critical",
        /// It will go wrong.
        Major = "major",
        /// It is harder than it need be.
        Minor = "minor",
        /// A matter of taste.
        Nit = "nit",
    }
}

impl Category {
    /// All of them are looked for.
    pub fn enabled() -> BTreeMap<Self, bool> {
        Self::ALL.iter().map(|category| (*category, true)).collect()
    }

    /// Ours: what a linter finds for sure needs more than what only a reader can judge.
    pub fn thresholds() -> BTreeMap<Self, Share> {
        let threshold = |category: &Self| match category {
            Self::Formatting => 900,
            Self::Naming => 800,
            Self::Documentation | Self::LanguageFeatures | Self::CodeIdioms | Self::BestPractices => 700,
        };
        Self::ALL.iter().map(|category| (*category, Share::thousandths(threshold(category)))).collect()
    }

    /// AFS 5.2.7.
    pub fn priority(self) -> &'static str {
        match self {
            Self::Formatting => "low",
            Self::Naming | Self::Documentation => "medium",
            Self::LanguageFeatures | Self::CodeIdioms | Self::BestPractices => "high",
        }
    }
}

/// Which line a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOf {
    /// A line of the file.
    File,
    /// A line of the edit: nobody says where that stands.
    Edit,
}

/// Where a comment stands.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FileLocation {
    /// The file.
    pub file: String,
    /// The line; none for the whole file.
    pub line: Option<usize>,
    /// Which line that is.
    pub line_of: LineOf,
    /// What stands there.
    pub snippet: Option<String>,
}

/// A comment (AFS 5.2.7).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the document names it so")]
pub struct Comment {
    /// What it is about.
    pub category: Category,
    /// How grave.
    pub severity: Severity,
    /// Where.
    pub location: FileLocation,
    /// What.
    pub comment: &'static str,
    /// What could stand there instead.
    pub suggested_edit: Option<String>,
    /// Where one can read about it.
    pub best_practice_url: Option<&'static str>,
    /// How sure the rule is.
    pub confidence: Share,
    /// Whether a linter could find it.
    pub automatable: bool,
    /// The entry of the edit.
    pub entry: EntryId,
}

/// What review found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Reviewed {
    /// Comments, the gravest first.
    pub comments: Vec<Comment>,
    /// How many more there were, by what left them out.
    pub left_out: BTreeMap<Reason, usize>,
    /// How many calls changed something whose text is recorded.
    pub edits: usize,
    /// How many lines they added.
    pub lines: usize,
    /// Whether a person should look before they are sent on.
    pub reviewer_preview: bool,
}

/// What the calls of a session changed that went well, with the entries that did it. A block in a message is the edit of
/// the call that carried it out.
pub(crate) fn edits(record: &Record) -> Vec<(EntryId, &Edit)> {
    let calls = record.steps.iter().filter_map(|step| Some((step.id, step.call().filter(|call| call.is_ok())?)));
    calls.flat_map(|(entry, call)| call.edits.iter().map(move |edit| (entry, edit))).collect()
}

/// More comments than this are not kept.
const MOST_COMMENTS: usize = 2000;

/// Reads the edits of a session.
pub(crate) fn analyse(record: &Record, settings: &Settings) -> Reviewed {
    let filters = settings.get(&REVIEW_FILTERS);
    let (enabled, thresholds) = (settings.get(&REVIEW_CATEGORIES), settings.get(&REVIEW_THRESHOLDS));
    let nits = settings.get(&REVIEW_NITS);
    let (mut comments, mut left_out, mut lines) = (Vec::new(), BTreeMap::new(), 0);
    let edits = edits(record);
    for (entry, edit) in &edits {
        let new = edit.lines();
        lines += new.iter().filter(|line| line.origin == Origin::Added).count();
        for remark in rules::remarks(edit, &new) {
            let is_off = !enabled.get(&remark.category).copied().unwrap_or(true)
                || remark.severity == Severity::Nit && remark.category == Category::Formatting && !nits;
            let threshold = thresholds.get(&remark.category).copied().unwrap_or_default();
            let reason = if is_off {
                Some(Reason::SwitchedOff)
            } else if remark.confidence < threshold {
                Some(Reason::BelowThreshold)
            } else {
                filters.reject(&remark, &new)
            };
            match reason {
                Some(reason) => *left_out.entry(reason).or_insert(0) += 1,
                None => comments.push(remark.comment(*entry, edit, &new)),
            }
        }
    }
    comments.sort_by_key(|comment| (comment.severity, comment.entry, comment.location.line));
    let over = comments.len().saturating_sub(MOST_COMMENTS);
    comments.truncate(MOST_COMMENTS);
    if over > 0 {
        left_out.insert(Reason::OverTheLimit, over);
    }
    let preview = settings.get(&REVIEW_PREVIEW);
    let calls = edits.chunk_by(|(left, _), (right, _)| left == right).count();
    Reviewed { comments, left_out, edits: calls, lines, reviewer_preview: preview }
}

impl Reviewed {
    /// As it reads.
    pub fn told(&self) -> Told {
        use super::computed::Computed::Is;
        let mut told = Told::default();
        let of = format!("{} with {}", count(self.edits, "edit", "edits"), count(self.lines, "new line", "new lines"));
        told.figure("comments", &Is(self.comments.len()), of);
        let reasons: Vec<_> = self.left_out.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        told.figure("left_out", &Is(self.left_out.values().sum::<usize>()), reasons.join(", "));
        if self.edits == 0 {
            told.notes.push("the session has no edit whose text is recorded".to_owned());
        } else if self.reviewer_preview && !self.comments.is_empty() {
            told.notes.push("by rules: a person should look before they are sent on".to_owned());
        }
        for comment in &self.comments {
            let line = comment.location.line.map(|line| match comment.location.line_of {
                LineOf::File => format!(":{line}"),
                LineOf::Edit => format!(", line {line} of the edit"),
            });
            let file = if comment.location.file.is_empty() { "a file" } else { &comment.location.file };
            let snippet =
                comment.location.snippet.as_deref().map(|text| format!(" `{}`", short(text, 60))).unwrap_or_default();
            let linter = if comment.automatable { ", a linter could find it" } else { "" };
            let text = format!(
                "{}: {file}{}{snippet}: {} ({}{linter})",
                comment.category,
                line.unwrap_or_default(),
                comment.comment,
                comment.confidence
            );
            told.find(comment.severity.as_str(), text, &[comment.entry]);
        }
        told
    }
}
