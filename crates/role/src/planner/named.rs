//! A plan in the words of the task, and not of the prompt's example: small models put its folder before each name, and check
//! for its word.
//!
//! A path is mended only where no doubt is left: the person names one file of that name, and neither the words nor the workspace know the
//! other path or its folder. Command lines stay as they are.

use super::example::EXAMPLE_WORD;
use crate::plan::{Criterion, CriterionCheck, TaskPlan};
use crate::prompt::BadAnswer;

/// A plan whose checks and tools are about the files that the words name.
#[must_use]
pub fn with_named_paths(mut plan: TaskPlan, words: &str, place: &str) -> TaskPlan {
    let known = KnownPaths { words: path_words(words), place };
    for subtask in &mut plan.subtasks {
        subtask.success_criteria.iter_mut().for_each(|criterion| known.mend(criterion));
        for target in subtask.tools.iter_mut().filter_map(|tool| tool.target.as_mut()) {
            known.mend_path(target);
        }
    }
    plan.task_criteria.iter_mut().for_each(|criterion| known.mend(criterion));
    plan
}

/// An error where a plan checks for the word of the prompt's example, of which the person says nothing.
pub fn require_own_words(plan: &TaskPlan, words: &str) -> Result<(), BadAnswer> {
    let is_asked_for = words.to_lowercase().contains(EXAMPLE_WORD);
    let is_copied = |criterion: &Criterion| {
        matches!(&criterion.check, Some(CriterionCheck::FileContains { contains: text, .. } |
            CriterionCheck::FileMatches { matches: text, .. }) if text.trim() == EXAMPLE_WORD)
    };
    let mut criteria = plan.subtasks.iter().flat_map(|subtask| &subtask.success_criteria).chain(&plan.task_criteria);
    if is_asked_for || !criteria.any(is_copied) {
        return Ok(());
    }
    Err(BadAnswer::Copied { field: format!("check for the word {EXAMPLE_WORD}") })
}

struct KnownPaths<'k> {
    words: Vec<&'k str>,
    place: &'k str,
}

impl KnownPaths<'_> {
    fn mend(&self, criterion: &mut Criterion) {
        match &mut criterion.check {
            Some(
                CriterionCheck::FileContains { file, .. }
                | CriterionCheck::FileMatches { file, .. }
                | CriterionCheck::FileAbsent { file, .. },
            ) => self.mend_path(file),
            Some(
                CriterionCheck::Run { .. }
                | CriterionCheck::OutputMatches { .. }
                | CriterionCheck::Untouched { .. }
                | CriterionCheck::Kept { .. }
                | CriterionCheck::Parses { .. },
            )
            | None => {}
        }
    }

    fn mend_path(&self, path: &mut String) {
        if let Some(named) = self.named(path) {
            *path = named.to_owned();
        }
    }

    /// The file that is meant; nothing where the path may be right.
    fn named(&self, path: &str) -> Option<&str> {
        let (folder, name) = path.rsplit_once('/')?;
        let is_there = self.place.lines().any(|line| line.starts_with(&format!("{folder}/")));
        if is_there || self.words.iter().any(|word| word.trim_end_matches('/') == folder || *word == path) {
            return None;
        }
        let mut named: Vec<_> = self.words.iter().filter(|word| last(word) == name).collect();
        named.dedup();
        let [only] = named.as_slice() else { return None };
        Some(only)
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The words of a text, without what stands around them.
fn path_words(text: &str) -> Vec<&str> {
    let is_around = |letter: char| letter.is_whitespace() || "\"'`,;:()[]<>!?".contains(letter);
    let words = text.split(is_around).map(|word| word.trim_end_matches('.').trim_start_matches("./"));
    words.filter(|word| !word.is_empty()).collect()
}
