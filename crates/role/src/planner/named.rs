//! Paths of a plan as the person named them: small models put the folder of the example before a name.
//!
//! Only where no doubt is left: the person names one file of that name, and neither the words nor the workspace know the
//! other path or its folder. Command lines stay as they are.

use crate::plan::{Criterion, CriterionCheck, TaskPlan};

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
